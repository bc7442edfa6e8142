"""What stands beside a passage: entries of the apparatus, allusions, parallels of other books."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from pyoxigraph import NamedNode, Store

from kg.edition import texts
from kg.facts import TYPE, term, thing
from kg.reader import linked
from kg.server.pages_render import Labels
from kg.server.world import World
from kg.store import value, values
from ontology import expand


@dataclass(frozen=True, slots=True)
class Entry:
    """An entry of the apparatus as it is shown."""

    iri: str
    base: str
    proposed: str
    adopted: bool
    said: Sequence[str]
    agents: Sequence[str]
    evidence: str
    parallels: Sequence[str]
    parallel_quotes: Sequence[str]


@dataclass(frozen=True, slots=True)
class Parallel:
    """A place of another book that stands beside words of the passage."""

    node: NamedNode
    words: str
    book: NamedNode | None
    locator: str
    there: str
    said: Sequence[str]


@dataclass(frozen=True, slots=True)
class Allusion:
    """Words of a passage that draw on another book."""

    node: NamedNode
    words: str
    book: NamedNode | None
    section: str
    quote: str
    locator: str
    said: Sequence[str]
    note: str


def entry(store: Store, node: NamedNode, label: Labels) -> Entry:
    """An entry of the apparatus, in the words of a language."""
    said = [v for p in ("kind", "certainty", "status") for v in values(store, node, p)]
    return Entry(
        node.value,
        value(store, node, "base"),
        value(store, node, "proposed"),
        value(store, node, "status") == term("adopted").value,
        [label(v) for v in said if isinstance(v, NamedNode)],
        [label(agent) for agent in linked(store, node, "prov:wasAttributedTo")],
        value(store, node, "evidence"),
        [v.value for v in values(store, node, "parallel")],
        [v.value for v in values(store, node, "parallelQuote")],
    )


def slips(store: Store, node: NamedNode, label: Labels) -> list[Entry]:
    """The slips of the commentary on a passage, which touch no word of its text."""
    about = store.quads_for_pattern(None, term("passage"), node)
    found = sorted({q.subject.value for q in about if isinstance(q.subject, NamedNode)})
    slip = thing("kind:slip")
    return [
        entry(store, NamedNode(iri), label) for iri in found if slip in values(store, NamedNode(iri), "kind")
    ]


def _of(store: Store, cls: str, node: NamedNode) -> list[NamedNode]:
    """The instances of a class or of those under it that have shi:passage to a passage, sorted."""
    below = {term(cls)} | {
        q.subject for q in store.quads_for_pattern(None, NamedNode(expand("rdfs:subClassOf")), term(cls))
    }
    found = (q.subject for q in store.quads_for_pattern(None, term("passage"), node))
    rows = {s for s in found if isinstance(s, NamedNode)}
    return sorted(
        (s for s in rows if any(q.object in below for q in store.quads_for_pattern(s, TYPE, None))),
        key=lambda s: s.value,
    )


def allusions(store: Store, node: NamedNode, label: Labels) -> list[Allusion]:
    """What the words of a passage draw on."""
    rows = []
    for found in _of(store, "Allusion", node):
        books = linked(store, found, "cito:hasCitedEntity")
        about = [
            *linked(store, found, "cito:hasCitationCharacterization"),
            *linked(store, found, "shi:certainty"),
        ]
        about += linked(store, found, "prov:wasAttributedTo")
        rows.append(
            Allusion(
                found,
                value(store, found, "allusiveWords"),
                books[0] if books else None,
                value(store, found, "section"),
                value(store, found, "targetQuote"),
                value(store, found, "kanripoLocator"),
                [label(n) for n in about],
                next(iter(texts(store, found, "skos:note").values()), ""),
            )
        )
    return rows


def parallels(world: World, node: NamedNode, label: Labels) -> list[Parallel]:
    """What was collated with the judgments of a passage, and the reuse found for it in a collection."""
    rows, store = [], world.doctrine.store
    quoting = (q.subject for q in store.quads_for_pattern(None, term("passage"), node))
    for judgment in sorted({s.value for s in quoting if isinstance(s, NamedNode)}):
        collations = (q.subject for q in store.quads_for_pattern(None, term("collates"), NamedNode(judgment)))
        for found in sorted({s.value for s in collations if isinstance(s, NamedNode)}):
            parallel = NamedNode(found)
            books = linked(store, parallel, "shi:witness")
            said = [label(n) for n in linked(store, parallel, "shi:agreement")]
            ours, there = value(store, parallel, "baseName"), value(store, parallel, "witnessName")
            where = value(store, parallel, "locator")
            rows.append(Parallel(parallel, ours, books[0] if books else None, where, there, said))
    for reuse in _of(world.store, "Reuse", node):
        here, beside = NamedNode(f"{reuse.value}.here"), NamedNode(f"{reuse.value}.there")
        ours, theirs = (_exact(world.store, NamedNode(f"{end.value}.quote")) for end in (here, beside))
        books = linked(world.store, beside, "oa:hasSource")
        said = [label(n) for n in linked(world.store, reuse, "shi:reuseStatus")]
        where = value(world.store, beside, "locator")
        rows.append(Parallel(reuse, ours, books[0] if books else None, where, theirs, said))
    return rows


def _exact(store: Store, selector: NamedNode) -> str:
    return next(iter(texts(store, selector, "oa:exact").values()), "")
