"""The graph, or one work of it, written out as Turtle, N-Quads, JSON-LD or an `rdflib.Graph`.

What is written is always in one order: blank nodes get canonical names (RDFC-1.0), triples are sorted, types
first, so that two runs give the same bytes and two versions can be compared line by line.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from pyoxigraph import (
    BlankNode,
    CanonicalizationAlgorithm,
    Dataset,
    DefaultGraph,
    Literal,
    NamedNode,
    Quad,
    RdfFormat,
    Store,
)

from kg.facts import TYPE, XSD, term
from kg.rdf import used_prefixes, write
from ontology import THINGS, expand, prefixes, shorten

if TYPE_CHECKING:
    from rdflib import Graph

BELONGING = (
    "partOf",
    "treatise",
    "passage",
    "pattern",
    "topic",
    "heading",
    "hollows",
    "collates",
    "translates",
)
"""The properties by which a thing says that it belongs to a work or to a part of it."""
DEFINING = ("agent", "condition", "sequence", "series")
"""The kinds of things that are there to define what belongs to a work."""


_short = lru_cache(maxsize=1 << 16)(shorten)


def members(store: Store, work: NamedNode) -> set[NamedNode | BlankNode]:
    """The things that make up a work: its parts, headings, apparatus and statements, and what defines these.

    >>> from kg.facts import thing
    >>> from kg.findings import shared
    >>> found = members(shared().store, thing("work:liuren-jingwei"))
    >>> thing("series:xuantai-shun") in found, thing("branch:01-zi") in found
    (True, False)
    """
    found: set[NamedNode | BlankNode] = {work}
    waiting: list[NamedNode | BlankNode] = [work]
    while waiting:
        node = waiting.pop()
        near = {q.subject for p in BELONGING for q in store.quads_for_pattern(None, term(p), node)}
        for quad in store.quads_for_pattern(node, None, None):
            defined = quad.predicate.value == expand("lrmoo:R3_is_realised_in") or (
                isinstance(quad.object, NamedNode)
                and quad.object.value.removeprefix(THINGS).partition("/")[0] in DEFINING
            )
            if isinstance(quad.object, BlankNode) or (defined and isinstance(quad.object, NamedNode)):
                near.add(quad.object)
        fresh = {n for n in near if isinstance(n, NamedNode | BlankNode)} - found
        found |= fresh
        waiting += fresh
    return found


def quads(store: Store, work: NamedNode | None = None) -> list[Quad]:
    """The quads of a store, or those that describe a work, in the order in which they are written."""
    return ordered(store if work is None else describing(store, work))


def describing(store: Store, work: NamedNode) -> set[Quad]:
    """The quads that describe a work.

    A work's things are described in full; what else they point at has its types and labels, so that the file
    can be read alone.

    >>> from kg.facts import thing
    >>> from kg.findings import shared
    >>> {q.subject for q in describing(shared().store, thing("work:qimen-miji"))} >= {thing("work:qimen-miji")}
    True
    """
    whole = members(store, work)
    chosen = {q for node in whole for q in store.quads_for_pattern(node, None, None)}
    named = {q.object for q in chosen} | {q.predicate for q in chosen}
    for node in named - whole:
        if isinstance(node, NamedNode):
            for predicate in (TYPE, NamedNode(expand("rdfs:label")), NamedNode(expand("skos:prefLabel"))):
                chosen.update(store.quads_for_pattern(node, predicate, None))
    return chosen


def ordered(given: Iterable[Quad]) -> list[Quad]:
    """Quads with canonical blank nodes, sorted by graph, subject, predicate (types first), object.

    >>> a, b = NamedNode("urn:a"), NamedNode("urn:b")
    >>> [q.object.value for q in ordered([Quad(a, b, a), Quad(a, TYPE, b)])]
    ['urn:b', 'urn:a']
    """
    firm: list[Quad] = []
    loose: list[Quad] = []
    for quad in given:
        blank = isinstance(quad.subject, BlankNode) or isinstance(quad.object, BlankNode)
        (loose if blank else firm).append(quad)
    dataset = Dataset(loose)
    dataset.canonicalize(CanonicalizationAlgorithm.RDFC_1_0)
    return sorted({*firm, *dataset}, key=_key)


def _key(quad: Quad) -> tuple[str, bool, str, bool, str, str]:
    subject = quad.subject
    name = subject.value if isinstance(subject, NamedNode | BlankNode) else str(subject)
    kind = isinstance(subject, BlankNode), name
    return str(quad.graph_name), *kind, quad.predicate != TYPE, quad.predicate.value, str(quad.object)


def turtle(given: Sequence[Quad]) -> bytes:
    """Quads as Turtle, graph names left out.

    >>> turtle([Quad(NamedNode(expand("branch:01-zi")), TYPE, term("Branch"))]).decode().splitlines()[-1]
    'branch:01-zi a shi:Branch .'
    """
    return write((q.triple for q in given), RdfFormat.TURTLE).encode()


def nquads(given: Iterable[Quad], graph: str | None = None) -> bytes:
    """Quads as N-Quads; those of the default graph go into a named one where one is given.

    In some stores the default graph is the union of the named ones: name a graph for those.

    >>> branch = NamedNode(expand("branch:01-zi"))
    >>> nquads([Quad(branch, TYPE, branch)], "https://example.org/g").decode().split()[-2]
    '<https://example.org/g>'
    """
    name = NamedNode(graph) if graph is not None else DefaultGraph()
    moved = (
        Quad(q.subject, q.predicate, q.object, name) if isinstance(q.graph_name, DefaultGraph) else q
        for q in given
    )
    return write(moved, RdfFormat.N_QUADS).encode()


def jsonld(given: Sequence[Quad]) -> bytes:
    """Quads as JSON-LD 1.1 with a context of prefixes, one object a subject, graph names left out.

    >>> made = json.loads(jsonld([Quad(NamedNode(expand("branch:01-zi")), TYPE, term("Branch"))]))
    >>> made["@graph"]
    [{'@id': 'branch:01-zi', '@type': 'shi:Branch'}]
    """
    nodes: dict[str, dict[str, Any]] = {}
    for quad in given:
        node = nodes.setdefault(_compact(quad.subject), {"@id": _compact(quad.subject)})
        if quad.predicate == TYPE:
            key, found = "@type", _compact(quad.object)
        else:
            key, found = _compact(quad.predicate), _json_value(quad.object)
        if key not in node:
            node[key] = found
        elif isinstance(node[key], list):
            node[key].append(found)
        else:
            node[key] = [node[key], found]
    document = {"@context": used_prefixes(given), "@graph": list(nodes.values())}
    return json.dumps(document, ensure_ascii=False, indent=1).encode() + b"\n"


def _compact(node: object) -> str:
    return _short(node.value) if isinstance(node, NamedNode) else str(node)


def _json_value(node: object) -> Any:
    """An object in JSON-LD: whole numbers and truth values as such, strings bare, all else with its kind."""
    if not isinstance(node, Literal):
        return {"@id": _compact(node)}
    if node.language is not None:
        return {"@language": node.language, "@value": node.value}
    kind = node.datatype.value.removeprefix(XSD)
    if kind == "integer" and node.value == str(int(node.value)):
        return int(node.value)
    if kind == "boolean" and node.value in ("true", "false"):
        return node.value == "true"
    return node.value if kind == "string" else {"@type": _compact(node.datatype), "@value": node.value}


def to_rdflib(given: Sequence[Quad]) -> Graph:
    """Quads as an `rdflib.Graph` with the prefixes bound, graph names left out.

    >>> len(to_rdflib([Quad(NamedNode(expand("branch:01-zi")), TYPE, term("Branch"))]))
    1
    """
    from rdflib import Graph

    graph = Graph()
    for name, space in prefixes().items():
        graph.bind(name, space)
    return graph.parse(data=write((q.triple for q in given), RdfFormat.N_TRIPLES), format="nt")
