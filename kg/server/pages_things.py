"""The pages of things: what the graph says of an IRI of ours, with what a reader wants of it first."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from pyoxigraph import BlankNode, NamedNode, Store

from kg.edition import heading_of, statement_class, texts
from kg.facts import TYPE, term
from kg.reader import linked
from kg.server.describe import Description, Link, local
from kg.server.pages_read import passage_name, read_address, reader
from kg.server.pages_render import HALVES, Labels, address_of, render
from kg.server.world import World
from kg.store import value, values
from ontology import shorten

LABELS = ("rdfs:label", "skos:prefLabel", "rdf:type")
"""What the top of a page says, and its list need not."""
SHOWN: Mapping[str, Sequence[str]] = {
    "statement": ("shi:quote", "shi:gloss", "shi:name"),
    "form": ("rdfs:comment", "shi:warrant", "shi:alternative"),
}
"""What is shown before the list on the page of a statement or form."""


@dataclass(frozen=True, slots=True)
class Value:
    """What stands at the other end of a property."""

    text: str
    tag: str
    href: str
    also: str = ""


@dataclass(slots=True)
class Group:
    """The values of one property."""

    name: str
    iri: str
    values: list[Value] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Clause:
    """A statement as a list shows it."""

    iri: str
    kind: str
    name: str
    quote: str
    gloss: str
    where: str
    locator: str
    heading: str
    reading: str
    """Where it stands in one reading of the text only: base or established."""
    place: tuple[int, int]
    """Ordinal of its passage, and where in the base text its quote begins."""


def thing(world: World, found: Description, language: str) -> bytes:
    """The page of a thing."""
    store = world.doctrine.store
    node, label = NamedNode(found.iri), Labels(world.store, language)
    special = _special(world, store, node, language, label)
    title = passage_name(world, node, language) or found.label(language)
    if special["kind"] == "statement":
        title = f"{special['clause'].heading} · {special['clause'].locator}"
    return render(
        "thing.html",
        language,
        local(found.iri),
        iri=found.iri,
        title=title,
        chinese=label.chinese(node),
        others=label.others(node),
        types=[
            link.text(language)
            for link in found.outgoing
            if link.predicate == TYPE and isinstance(link.node, NamedNode)
        ],
        alternates=[(kind, path) for kind, path in found.alternates.items() if kind != "text/html"],
        comment=texts(world.store, node, "rdfs:comment") or texts(world.store, node, "skos:definition"),
        said=_grouped(_listed(found, SHOWN.get(special["kind"], ())), language),
        back=_grouped(found.incoming, language),
        more=found.more,
        label=label,
        special=special,
    )


def vocabulary(terms: Sequence[Description], language: str) -> bytes:
    """All terms of the ontology on one page, each under the fragment that its IRI has."""
    rows = [
        (
            found.iri.partition("#")[2],
            found.label(language),
            found.iri,
            _grouped(_listed(found), language),
        )
        for found in terms
    ]
    return render("vocabulary.html", language, "/ontology", terms=rows)


def _listed(found: Description, shown: Sequence[str] = ()) -> list[Link]:
    return [link for link in found.outgoing if shorten(link.predicate.value) not in (*LABELS, *shown)]


def _grouped(links: Sequence[Link], language: str) -> list[Group]:
    """Links by property, in the order in which they came."""
    found: dict[str, Group] = {}
    for link in links:
        iri = link.predicate.value
        group = found.setdefault(iri, Group(link.property_label(language), iri))
        text, href, also = link.text(language), "", ""
        if isinstance(link.node, NamedNode):
            href = address_of(language, link.node.value)
            chinese = link.node_labels.get("zh-hant", "")
            also = "" if chinese == text else chinese
        elif isinstance(link.node, BlankNode):
            text = "[ ]"
        group.values.append(Value(text, link.tag, href, also))
    return list(found.values())


def _special(world: World, store: Store, node: NamedNode, language: str, label: Labels) -> Mapping[str, Any]:
    """What the page of a heading, a form, a statement or a passage begins with."""
    classes = {q.object for q in store.quads_for_pattern(node, TYPE, None)}
    kind = statement_class(store, node)
    if kind:
        heading = heading_of(store, node)
        return {"kind": "statement", "clause": _clause(world, node, language, label), "heading": heading}
    if term("Pattern") in classes or term("Topic") in classes:
        places = [place for _, place in reader(store).places.values() if place.heading == node]
        about = [
            q.subject
            for p in ("pattern", "topic", "hollows")
            for q in store.quads_for_pattern(None, term(p), node)
        ]
        nodes = [n for n in dict.fromkeys(about) if isinstance(n, NamedNode) and statement_class(store, n)]
        clauses = [_clause(world, n, language, label) for n in nodes]
        order = {"Caveat": 1, "Definition": 2, "Method": 3, "Remark": 4}
        clauses.sort(key=lambda c: (order.get(c.kind, 0), c.place, c.iri))
        return {
            "kind": "heading",
            "passages": [
                (read_address(world, place.node, language), value(store, place.node, "locator"))
                for place in places
            ],
            "clauses": clauses,
        }
    if term("Form") in classes:
        rules = [q.subject for q in store.quads_for_pattern(None, term("form"), node)]
        of_rules = [r for r in rules if isinstance(r, NamedNode) and value(store, r, "body")]
        return {
            "kind": "form",
            "reading": next(iter(texts(store, node, "rdfs:comment").values()), ""),
            "warrant": value(store, node, "warrant"),
            "alternatives": [v.value for v in values(store, node, "alternative")],
            "rules": [
                (
                    rule.value,
                    [a + ")" for a in value(store, rule, "body").rstrip(")").split("), ")],
                    value(store, rule, "head"),
                )
                for rule in sorted(of_rules, key=lambda r: r.value)
            ],
            "clauses": [_clause(world, n, language, label) for n in _judged_by(store, node)],
        }
    if node in reader(store).places:
        return {"kind": "passage", "where": read_address(world, node, language)}
    return {"kind": ""}


def _judged_by(store: Store, form: NamedNode) -> list[NamedNode]:
    """The judgments of a form, and those that have a condition of it."""
    found: set[NamedNode] = set()
    for quad in store.quads_for_pattern(None, term("form"), form):
        node = quad.subject
        if not isinstance(node, NamedNode):
            continue
        if statement_class(store, node):
            found.add(node)
        for number in "1234":
            users = store.quads_for_pattern(None, term(f"condition{number}"), node)
            found |= {q.subject for q in users if isinstance(q.subject, NamedNode)}
    return sorted(found, key=lambda n: n.value)


def _clause(world: World, node: NamedNode, language: str, label: Labels) -> Clause:
    store = world.doctrine.store
    kind = statement_class(store, node)
    passages, readings = linked(store, node, "shi:passage"), linked(store, node, "shi:reading")
    heading = heading_of(store, node)
    return Clause(
        node.value,
        kind,
        value(store, node, "name"),
        value(store, node, "quote"),
        texts(store, node, "shi:gloss").get(HALVES[language], ""),
        read_address(world, passages[0], language, "s-" + node.value.rpartition("/")[2]) if passages else "",
        value(store, passages[0], "locator") if passages else "",
        label(heading) if heading else "",
        shorten(readings[0].value).partition(":")[2] if len(readings) == 1 else "",
        (int(value(store, passages[0], "ordinal", "0")), reader(store).span(node)[0]) if passages else (0, 0),
    )
