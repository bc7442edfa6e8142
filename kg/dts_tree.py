"""The citation trees of a work as Distributed Text Services 1.0 has them: units, ranges, what is beneath."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from pyoxigraph import NamedNode, Store

from kg.edition import Place, bcp47, heading_type, labels
from kg.errors import SanshiError
from kg.store import value
from kg.tei_header import xml_id

BY_ID = "id"
"""The name of the second citation tree."""


class DtsError(SanshiError):
    """A request that cannot be answered: `status` is 400 if it is not well formed, 404 if nothing is there.

    >>> DtsError(404, "there is no such resource").status
    404
    """

    def __init__(self, status: int, message: str) -> None:
        self.status = status
        super().__init__(message)


@dataclass(frozen=True, slots=True)
class Unit:
    """A citable unit and the passages that it holds, by their places in the work."""

    identifier: str
    level: int
    parent: str | None
    kind: str
    node: NamedNode
    first: int
    last: int


def units(store: Store, places: Sequence[Place], tree: str | None = None) -> list[Unit]:
    """The citable units of a work in document order, by the default citation tree or by the tree `id`.

    Raises DtsError (404) for another tree.

    >>> from kg.edition import contents, works
    >>> from kg.findings import shared
    >>> store = shared().store
    >>> found = units(store, contents(store, works(store)[0]))
    >>> [(unit.identifier, unit.kind, unit.parent) for unit in found[:3]]
    [('3', 'chapter', None), ('3.1', 'pattern', '3'), ('3.1.1', 'passage', '3.1')]
    """
    if tree == BY_ID:
        return [Unit(xml_id(p.node), 1, None, "passage", p.node, n, n) for n, p in enumerate(places)]
    if tree is not None:
        raise DtsError(
            404, f"tree: {tree!r} is not there; the default tree has no name, the other is {BY_ID}"
        )
    found: dict[str, Unit] = {}
    for number, place in enumerate(places):
        nodes = [("chapter", place.chapter), ("passage", place.node)]
        if place.heading is not None:
            nodes.insert(1, (heading_type(store, place.heading), place.heading))
        parent: str | None = None
        for level, (kind, node) in enumerate(nodes, 1):
            identifier = ".".join(place.numbers[:level])
            first = found[identifier].first if identifier in found else number
            found[identifier] = Unit(identifier, level, parent, kind, node, first, number)
            parent = identifier
    return list(found.values())


def citation_trees(store: Store, places: Sequence[Place]) -> list[dict[str, Any]]:
    """The citation trees of a work: which kinds of units it has, and what stands under what.

    >>> from kg.edition import contents, works
    >>> from kg.findings import shared
    >>> store = shared().store
    >>> trees = citation_trees(store, contents(store, works(store)[0]))
    >>> [tree.get("identifier") for tree in trees], trees[0]["citeStructure"][0]["citeType"]
    ([None, 'id'], 'chapter')
    """
    headings = dict.fromkeys(place.heading for place in places)
    kinds = dict.fromkeys("passage" if h is None else heading_type(store, h) for h in headings)
    passage = {"@type": "CiteStructure", "citeType": "passage"}
    inner = [
        passage
        if kind == "passage"
        else {"@type": "CiteStructure", "citeType": kind, "citeStructure": [passage]}
        for kind in kinds
    ]
    return [
        {
            "@type": "CitationTree",
            "description": "Volume, pattern or topic, and passage, by numbers.",
            "citeStructure": [{"@type": "CiteStructure", "citeType": "chapter", "citeStructure": inner}],
        },
        {
            "@type": "CitationTree",
            "identifier": BY_ID,
            "description": "Passages by their xml:id in TEI.",
            "citeStructure": [passage],
        },
    ]


def unit_json(store: Store, unit: Unit) -> dict[str, Any]:
    """A unit as a CitableUnit: titles in the languages there are, the locator of a passage as identifier."""
    named = [{"lang": bcp47(tag) or "und", "value": name} for tag, name in labels(store, unit.node).items()]
    locator = value(store, unit.node, "locator")
    core = ({"title": named} if named else {}) | ({"identifier": locator} if locator else {})
    return {
        "identifier": unit.identifier,
        "@type": "CitableUnit",
        "level": unit.level,
        "parent": unit.parent,
        "@id": unit.node.value,
        "citeType": unit.kind,
        "dublinCore": core,
    }


def ends_of(tree: Sequence[Unit], given: Mapping[str, str]) -> dict[str, Unit]:
    """The unit `ref`, or the units `start` and `end`, that a request names."""
    names = [name for name in ("ref", "start", "end") if name in given]
    if names not in ([], ["ref"], ["start", "end"]):
        raise DtsError(400, f"{' and '.join(names)} cannot be given so; give ref, or start and end together")
    known = {unit.identifier: unit for unit in tree}
    for name in names:
        if given[name] not in known:
            raise DtsError(404, f"{name}: there is no {given[name]!r} in this citation tree")
    found = {name: known[given[name]] for name in names}
    if len(found) == 2 and tree.index(found["end"]) < tree.index(found["start"]):
        raise DtsError(400, f"end: {given['end']} stands before {given['start']}")
    return found


def beneath(tree: Sequence[Unit], ends: Mapping[str, Unit], down: int) -> Sequence[Unit]:
    """The units of a tree that `down` asks for, from its root or from one unit or range."""
    if down == 0:
        return [unit for unit in tree if unit.parent == ends["ref"].parent]
    chosen = list(ends.values())
    if chosen:
        begin, stop = tree.index(chosen[0]), tree.index(chosen[-1]) + 1
        while stop < len(tree) and tree[stop].level > chosen[-1].level:
            stop += 1
        tree = tree[begin:stop]
    depth = max((unit.level for unit in chosen), default=0) + down
    return [unit for unit in tree if down == -1 or unit.level <= depth]
