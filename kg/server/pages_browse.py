"""What can be browsed: headings, forms, symbols, schools, matters, books; and words looked for, in their context."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from typing import Any

from pyoxigraph import NamedNode, Store

from kg.edition import texts
from kg.errors import SanshiError
from kg.facts import TYPE, term, thing
from kg.reader import linked
from kg.schools import options
from kg.search import Scope, search
from kg.server.pages_read import read_address, reader
from kg.server.pages_render import HALVES, Labels, page
from kg.server.reply import Reply
from kg.server.world import World
from kg.store import instances, value, values
from ontology import expand

SYMBOLS = (
    "Element Stem Branch Season General Kin GrowthStage Strength Trine Palace Star Door Spirit Format MidTerm "
    "Phase Mark Decade Polarity BranchRelation ElementRelation PalaceRelation"
).split()
"""The classes of symbols, in the order in which they are shown."""
SHOWN = 200
"""How many places of each kind a search shows."""


def browse(world: World, room: str, language: str) -> Reply:
    """A room, or with no name the list of them."""
    label = Labels(world.doctrine.store, language)
    if not room:
        return page("browse.html", language, "/browse", rooms=list(ROOMS), label=label)
    context = ROOMS[room](world.doctrine.store, label)
    return page(f"browse_{room}.html", language, f"/browse/{room}", label=label, **context)


def _counted(store: Store, predicate: str) -> Counter[str]:
    """How many judgments point at each thing with a property."""
    judgments = set(instances(store, "Judgment"))
    found = store.quads_for_pattern(None, term(predicate), None)
    return Counter(
        q.object.value for q in found if q.subject in judgments and isinstance(q.object, NamedNode)
    )


def _headings(store: Store, label: Labels) -> dict[str, Any]:
    works = []
    for work in reader(store).works:
        about = store.quads_for_pattern(None, term("treatise"), work)
        nodes = [q.subject for q in about if isinstance(q.subject, NamedNode)]
        nodes.sort(key=lambda node: (int(value(store, node, "ordinal", "0")), node.value))
        works.append((work, [(value(store, node, "ordinal"), node) for node in nodes]))
    return {"works": works, "counts": _counted(store, "pattern") + _counted(store, "topic")}


def _forms(store: Store, label: Labels) -> dict[str, Any]:
    rows = [
        (
            node,
            value(store, node, "warrant"),
            [v for v in values(store, node, "needs") if isinstance(v, NamedNode)],
        )
        for node in instances(store, "Form")
    ]
    counts = _counted(store, "form")
    for condition in instances(store, "Condition"):
        users = {
            q.subject for n in "1234" for q in store.quads_for_pattern(None, term(f"condition{n}"), condition)
        }
        for form in values(store, condition, "form"):
            counts[form.value] += len(users)
    reading = {node.value: _first(store, node, "rdfs:comment") for node, *_ in rows}
    return {"rows": sorted(rows, key=lambda row: -counts[row[0].value]), "counts": counts, "reading": reading}


def _symbols(store: Store, label: Labels) -> dict[str, Any]:
    classes = [(term(name), instances(store, name)) for name in SYMBOLS]
    signs = {node.value: _first(store, node, "skos:notation") for _, nodes in classes for node in nodes}
    return {"classes": [row for row in classes if row[1]], "signs": signs}


def _schools(store: Store, label: Labels) -> dict[str, Any]:
    arts: dict[str, list[Any]] = {}
    for art in ("liuren", "qimen"):
        for key, option in options(art).items():
            node = thing(f"option:{key}")
            rows = [
                (
                    notation,
                    thing(school),
                    value(store, thing(school), "authority"),
                    notation == option.default,
                )
                for notation, school in option.values.items()
            ]
            arts.setdefault(art, []).append((key, node, _first(store, node, "rdfs:comment"), rows))
    return {"arts": arts}


def _matters(store: Store, label: Labels) -> dict[str, Any]:
    broader = NamedNode(expand("skos:broader"))
    groups: dict[NamedNode, list[NamedNode]] = {}
    for quad in store.quads_for_pattern(None, broader, None):
        if isinstance(quad.subject, NamedNode) and isinstance(quad.object, NamedNode):
            groups.setdefault(quad.object, []).append(quad.subject)
    ordered = {
        group: sorted(groups[group], key=lambda n: n.value) for group in sorted(groups, key=lambda n: n.value)
    }
    return {"groups": ordered, "counts": _counted(store, "matter")}


def _books(store: Store, label: Labels) -> dict[str, Any]:
    cited = NamedNode(expand("cito:hasCitedEntity"))
    counts: Counter[NamedNode] = Counter(
        q.object for q in store.quads_for_pattern(None, cited, None) if isinstance(q.object, NamedNode)
    )
    return {"rows": sorted(counts.items(), key=lambda row: (-row[1], row[0].value))}


def _first(store: Store, node: NamedNode, predicate: str) -> str:
    return next(iter(texts(store, node, predicate).values()), "")


ROOMS: Mapping[str, Callable[[Store, Labels], dict[str, Any]]] = {
    "headings": _headings,
    "forms": _forms,
    "symbols": _symbols,
    "schools": _schools,
    "matters": _matters,
    "books": _books,
}


def find(world: World, words: str, scope: str, exact: bool, language: str) -> Reply:
    """The places where words stand, each with what is before and after it."""
    store = world.store
    label = Labels(store, language)
    hits: dict[str, list[Any]] = {}
    totals: Counter[str] = Counter()
    error = ""
    if words:
        try:
            scopes = tuple(Scope) if not scope else (Scope(scope),)
            for hit in search(store, words, exact=exact, scopes=scopes):
                totals[hit.scope] += 1
                if totals[hit.scope] <= SHOWN:
                    node = thing(hit.node)
                    where = (
                        read_address(world, node, language) if hit.field in ("text", "translation") else ""
                    )
                    hits.setdefault(hit.scope, []).append((hit, node, where))
        except (SanshiError, ValueError) as problem:
            error = str(problem)
    asked = {"q": words, "in": scope, "exact": "true" if exact else ""}
    return page(
        "find.html",
        language,
        "/find",
        asked,
        400 if error else 200,
        words=words,
        scope=scope,
        scopes=[s.value for s in Scope],
        exact=exact,
        hits=hits,
        totals=totals,
        error=error,
        label=label,
        shown=SHOWN,
        has_type=lambda node: any(store.quads_for_pattern(node, TYPE, None)),
        tags=HALVES,
        linked=linked,
    )
