"""A casting as RDF: the chart's facts, what was derived, and a node for each finding with its reasons."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pyoxigraph import Literal, NamedNode, Quad, Triple

from kg import export
from kg.explain import LANGUAGES
from kg.facts import TYPE, XSD, Chart, term
from kg.findings import Casting

if TYPE_CHECKING:
    from rdflib import Graph


def triples(casting: Casting[Chart]) -> list[Triple]:
    """All triples of a casting, findings included, without doubles."""
    out = dict.fromkeys(quad.triple for quad in casting.said)
    for finding in casting.findings:
        node = NamedNode(finding.iri)
        out[Triple(node, TYPE, term("Finding"))] = None
        out[Triple(node, term("chart"), finding.hit.chart)] = None
        out[Triple(node, term("judgment"), NamedNode(finding.clause.iri))] = None
        hollow = Literal("true" if finding.hollow else "false", datatype=NamedNode(XSD + "boolean"))
        out[Triple(node, term("isHollow"), hollow)] = None
        for language, tag in LANGUAGES.items():
            for sentence in casting.because(finding, language):
                out[Triple(node, term("because"), Literal(sentence, language=tag))] = None
    return list(out)


def quads(casting: Casting[Chart]) -> list[Quad]:
    """The same as quads of the default graph, in the order in which graphs are written."""
    return export.ordered(Quad(t.subject, t.predicate, t.object) for t in triples(casting))


def to_rdflib(casting: Casting[Chart]) -> Graph:
    """The casting as an `rdflib.Graph`.

    >>> from kg.findings import shared
    >>> from kg.liuren_chart import cast_pillars
    >>> len(to_rdflib(shared().cast(cast_pillars("庚申", "子", "亥")))) > 100
    True
    """
    return export.to_rdflib(quads(casting))


def serialize(casting: Casting[Chart], format: str) -> str:
    """The casting as `turtle` or `jsonld`, always in one order."""
    return {"turtle": export.turtle, "jsonld": export.jsonld}[format](quads(casting)).decode()
