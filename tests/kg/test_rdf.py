"""RDF as it is written: the same triples come back, and no prefix is declared that nothing needs."""

from __future__ import annotations

import re

import pytest
from pyoxigraph import Literal, NamedNode, Quad, RdfFormat, Triple, parse

from kg.facts import TYPE, term, thing
from kg.rdf import write

CHART = thing("chart:x")
SAID = [
    Triple(CHART, TYPE, term("Chart")),
    Triple(CHART, term("ordinal"), Literal(3)),
    Triple(CHART, term("quote"), Literal("初傳生干：也", language="lzh-hant")),
    Triple(CHART, thing("rdfs:label"), Literal('a branch: "zi"')),
]


def prefixes(text: str) -> list[str]:
    return re.findall(r"^@prefix ([\w-]+):", text, re.MULTILINE)


@pytest.mark.parametrize("format", [RdfFormat.TURTLE, RdfFormat.TRIG])
def test_only_the_prefixes_that_are_used_are_declared(format: RdfFormat) -> None:
    """Once all sixty of the project stood above each graph, then those of datatypes that Turtle leaves unsaid."""
    assert prefixes(write(SAID[:3], format)) == ["chart", "shi"]
    dated = Triple(CHART, term("birth"), Literal("1980", datatype=thing("xsd:gYear")))
    assert prefixes(write([*SAID[:3], dated], format)) == ["chart", "shi", "xsd"]


@pytest.mark.parametrize("format", [RdfFormat.TURTLE, RdfFormat.N_TRIPLES])
def test_what_is_written_is_what_was_said(format: RdfFormat) -> None:
    assert {q.triple for q in parse(write(SAID, format), format=format)} == set(SAID)


def test_graphs_are_kept_where_the_format_has_them() -> None:
    quad = Quad(CHART, TYPE, term("Chart"), NamedNode("urn:g"))
    assert set(parse(write([quad], RdfFormat.TRIG), format=RdfFormat.TRIG)) == {quad}
