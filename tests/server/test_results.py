"""What is written of solutions, beside what the engine itself writes of them."""

from __future__ import annotations

import csv
import io
import json
from xml.etree import ElementTree

import pytest
from pyoxigraph import (
    Literal,
    NamedNode,
    Quad,
    QueryBoolean,
    QueryResultsFormat,
    QuerySolutions,
    QueryTriples,
    RdfFormat,
    Store,
    parse,
    parse_query_results,
)

from kg.server.results import CUT, answer

QUERY = "SELECT ?value ?unbound ?none WHERE { ?s <urn:p> ?value } ORDER BY STR(?value)"
FORMATS = {
    "application/sparql-results+json": QueryResultsFormat.JSON,
    "application/json": QueryResultsFormat.JSON,
    "application/sparql-results+xml": QueryResultsFormat.XML,
    "text/tab-separated-values": QueryResultsFormat.TSV,
}


@pytest.fixture(scope="module")
def store() -> Store:
    """Terms of every kind, among them those that need escapes."""
    made = Store()
    values = [
        NamedNode("urn:iri"),
        Literal("plain"),
        Literal("子", language="zh-hant"),
        Literal(1),
        Literal("a&b<c>", datatype=NamedNode("urn:t?a&b")),
        Literal('tab\tquote"line\nback\\slash'),
        Literal('comma, "quoted"'),
        Literal(""),
        Literal("return\rhere"),
        Literal("  blanks  "),
    ]
    made.extend(Quad(NamedNode(f"urn:s{n}"), NamedNode("urn:p"), value) for n, value in enumerate(values))
    made.update("INSERT DATA { <urn:b> <urn:p> [ <urn:q> <urn:r> ] }")
    return made


def _solutions(store: Store, query: str = QUERY) -> QuerySolutions:
    found = store.query(query)
    assert isinstance(found, QuerySolutions)
    return found


@pytest.mark.parametrize("media_type", FORMATS)
def test_a_reader_finds_the_same_terms_as_in_what_the_engine_writes(store: Store, media_type: str) -> None:
    ours = answer(_solutions(store), media_type, 100)
    theirs = _solutions(store).serialize(format=FORMATS[media_type])
    assert theirs is not None
    assert ours.media_type == media_type
    read = [parse_query_results(text, format=FORMATS[media_type]) for text in (ours.content, theirs)]
    rows = []
    for found in read:
        assert isinstance(found, QuerySolutions)
        assert [v.value for v in found.variables] == ["value", "unbound", "none"]
        rows.append([tuple(row) for row in found])
    assert rows[0] == rows[1]
    assert len(rows[0]) == 11
    assert CUT not in ours.headers


def test_csv_is_read_as_the_values_alone(store: Store) -> None:
    ours = answer(_solutions(store), "text/csv", 100).content.decode()
    rows = list(csv.reader(io.StringIO(ours, newline="")))
    blank = [row for row in rows if row[0].startswith("_:")]
    assert rows[0] == ["value", "unbound", "none"]
    assert ["子", "", ""] in rows
    assert ['tab\tquote"line\nback\\slash', "", ""] in rows
    assert len(blank) == 1
    assert len(rows) == 12


def test_triples_as_terms_are_written(store: Store) -> None:
    query = "SELECT (TRIPLE(?s, ?p, ?o) AS ?t) WHERE { BIND(<urn:s1> AS ?s) ?s ?p ?o }"
    theirs = _solutions(store, query).serialize(format=QueryResultsFormat.JSON)
    assert theirs is not None
    assert json.loads(answer(_solutions(store, query), "application/json", 9).content) == json.loads(theirs)
    xml = ElementTree.fromstring(
        answer(_solutions(store, query), "application/sparql-results+xml", 9).content
    )
    space = "{http://www.w3.org/2005/sparql-results#}"
    assert [part.tag.removeprefix(space) for part in next(xml.iter(f"{space}triple"))] == [
        "subject",
        "predicate",
        "object",
    ]
    assert b"<<( <urn:s1>" in answer(_solutions(store, query), "text/tab-separated-values", 9).content


def test_a_character_that_xml_has_not_does_not_break_the_answer() -> None:
    query = 'SELECT ("a\\u0001b" AS ?x) {}'
    xml = answer(_solutions(Store(), query), "application/sparql-results+xml", 9).content
    assert "".join(ElementTree.fromstring(xml).itertext()) == "a\ufffdb"


def test_html_is_escaped() -> None:
    html = answer(_solutions(Store(), 'SELECT ("<script>" AS ?x) {}'), "text/html", 9).content
    assert b"<script>" not in html
    assert b"&lt;script&gt;" in html


@pytest.mark.parametrize("media_type", [*FORMATS, "text/csv"])
def test_rows_beyond_the_cap_are_cut_and_the_header_says_so(store: Store, media_type: str) -> None:
    whole, cut = (answer(_solutions(store), media_type, limit) for limit in (11, 10))
    assert CUT not in whole.headers
    assert cut.headers[CUT] == "10"
    assert len(cut.content) < len(whole.content)


def test_columns_are_shown_in_their_order(store: Store) -> None:
    shown = answer(_solutions(store), "text/csv", 1, ["absent", "value"]).content.decode().splitlines()
    assert shown[0] == "absent,value"
    assert shown[1].startswith(",")


@pytest.mark.parametrize(
    ("media_type", "content"),
    [
        ("application/sparql-results+json", b'{"head":{},"boolean":true}\n'),
        ("text/csv", b"true\n"),
        ("text/tab-separated-values", b"true\n"),
    ],
)
def test_yes(store: Store, media_type: str, content: bytes) -> None:
    found = store.query("ASK { ?s ?p ?o }")
    assert isinstance(found, QueryBoolean)
    assert answer(found, media_type, 1).content == content


def test_no_as_xml_is_read_back(store: Store) -> None:
    found = store.query("ASK { <urn:none> ?p ?o }")
    assert isinstance(found, QueryBoolean)
    xml = answer(found, "application/sparql-results+xml", 1).content
    back = parse_query_results(xml, format=QueryResultsFormat.XML)
    assert isinstance(back, QueryBoolean)
    assert not back


@pytest.mark.parametrize(
    ("media_type", "format"),
    [
        ("text/turtle", RdfFormat.TURTLE),
        ("application/n-triples", RdfFormat.N_TRIPLES),
        ("application/ld+json", RdfFormat.JSON_LD),
        ("application/rdf+xml", RdfFormat.RDF_XML),
    ],
)
def test_graphs_are_sets_and_are_cut(store: Store, media_type: str, format: RdfFormat) -> None:
    query = "CONSTRUCT { ?s <urn:p> 'x' . <urn:a> <urn:p> <urn:b> } WHERE { ?s <urn:p> ?o }"
    for limit, count in ((100, 12), (5, 5)):
        found = store.query(query)
        assert isinstance(found, QueryTriples)
        reply = answer(found, media_type, limit)
        assert len({str(quad) for quad in parse(reply.content, format=format)}) == count
        assert (CUT in reply.headers) == (limit == 5)
