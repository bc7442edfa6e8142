"""The endpoint described in the SPARQL 1.1 Service Description vocabulary: languages, formats, graphs."""

from __future__ import annotations

from pyoxigraph import BlankNode, DefaultGraph, Literal, NamedNode, Triple

from kg.dataset import DATASET
from kg.facts import TYPE
from kg.server.results import graph
from kg.server.world import World
from ontology import expand

SD = "http://www.w3.org/ns/sparql-service-description#"
FORMATS = "http://www.w3.org/ns/formats/"
RESULTS = (
    "SPARQL_Results_JSON",
    "SPARQL_Results_XML",
    "SPARQL_Results_CSV",
    "SPARQL_Results_TSV",
    "Turtle",
    "N-Triples",
    "JSON-LD",
    "RDF_XML",
)


def description(world: World, endpoint: str, media_type: str) -> bytes:
    """The description of the endpoint at an address.

    >>> from kg.findings import shared
    >>> told = description(World(shared(), shared().store, 10), "http://localhost/sparql", "text/turtle")
    >>> b"sd:SPARQL11Query" in told
    True
    """
    service, dataset, default = NamedNode(endpoint), BlankNode("dataset"), BlankNode("default")
    rows: list[tuple[NamedNode | BlankNode, NamedNode, NamedNode | BlankNode | Literal]] = [
        (service, TYPE, _sd("Service")),
        (service, _sd("endpoint"), service),
        (service, _sd("supportedLanguage"), _sd("SPARQL11Query")),
        *((service, _sd("resultFormat"), NamedNode(FORMATS + name)) for name in RESULTS),
        (service, _sd("defaultDataset"), dataset),
        (dataset, TYPE, _sd("Dataset")),
        (dataset, _sd("defaultGraph"), default),
        (dataset, NamedNode(expand("dcterms:source")), DATASET),
        (default, TYPE, _sd("Graph")),
        (default, NamedNode(expand("void:triples")), Literal(_size(world))),
    ]
    named = sorted((g for g in world.store.named_graphs() if isinstance(g, NamedNode)), key=lambda g: g.value)
    for number, name in enumerate(named):
        node = BlankNode(f"graph{number}")
        rows += [
            (dataset, _sd("namedGraph"), node),
            (node, TYPE, _sd("NamedGraph")),
            (node, _sd("name"), name),
        ]
    prefixes = {"sd": SD, "formats": FORMATS, "void": expand("void:"), "dcterms": expand("dcterms:")}
    return graph((Triple(*row) for row in rows), media_type, prefixes)


def _sd(name: str) -> NamedNode:
    return NamedNode(SD + name)


def _size(world: World) -> int:
    return sum(1 for _ in world.store.quads_for_pattern(None, None, None, DefaultGraph()))
