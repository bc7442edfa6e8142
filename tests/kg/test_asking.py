"""Parameters made into terms, queries run, answers written."""

from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Mapping

import pytest
from pyoxigraph import BlankNode, Literal, NamedNode, Quad, RdfFormat, Store, Triple, Variable, parse

from kg.asking import Answer, ask, bind, resolve, show, sparql, write
from kg.errors import QueryError
from kg.facts import TYPE, term, thing
from ontology import expand
from queries import NamedQuery, Parameter

SMALL = """
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
@prefix skos: <http://www.w3.org/2004/02/skos/core#> .
@prefix shi: <https://w3id.org/sanshi/ontology#> .
@prefix branch: <https://w3id.org/sanshi/id/branch/> .
@prefix matter: <https://w3id.org/sanshi/id/matter/> .
@prefix option: <https://w3id.org/sanshi/id/option/> .
@prefix stem: <https://w3id.org/sanshi/id/stem/> .
shi:Marvel rdfs:subClassOf shi:Stem .
stem:02-yi a shi:Marvel ; rdfs:label "乙"@zh-hant , "Yi"@en ; shi:next stem:03-bing .
stem:03-bing a shi:Stem ; rdfs:label "丙"@zh-hant .
branch:05-chen a shi:Branch ; rdfs:label "辰"@zh-hant ; skos:altLabel "天罡"@zh-hant ; skos:notation "辰" .
branch:06-si a shi:Branch ; rdfs:label "巳"@zh-hant , "Yi"@en .
matter:illness a skos:Concept ; skos:prefLabel "疾病"@zh-hant , "질병"@ko .
option:void a shi:Option ; rdfs:label "空亡"@zh-hant ; shi:key "void" .
option:qimen-void a shi:Option ; rdfs:label "奇門空亡"@zh-hant ; shi:key "void" .
"""


@pytest.fixture(scope="module")
def small() -> Store:
    store = Store()
    store.load(SMALL, format=RdfFormat.TURTLE)
    return store


def query(*parameters: Parameter, text: str = "SELECT ?x WHERE { ?x ?p ?o }") -> NamedQuery:
    return NamedQuery("asked", "What?", parameters, ("x",), text)


# ---- values become terms


@pytest.mark.parametrize(
    ("cls", "text", "found"),
    [
        ("Branch", "辰", "branch:05-chen"),
        ("Branch", "天罡", "branch:05-chen"),
        ("Branch", "branch:05-chen", "branch:05-chen"),
        ("Branch", "05-Chen", "branch:05-chen"),
        ("Branch", "https://w3id.org/sanshi/id/branch/05-chen", "branch:05-chen"),
        ("Branch", "yi", "branch:06-si"),
        ("Stem", "yi", "stem:02-yi"),
        ("Stem or Branch", "丙", "stem:03-bing"),
        ("Stem or Branch", "巳", "branch:06-si"),
        ("Concept", "질병", "matter:illness"),
    ],
)
def test_a_thing_is_known_by_its_labels_its_name_and_its_iri(
    small: Store, cls: str, text: str, found: str
) -> None:
    assert resolve(small, cls, text, "--x") == thing(found)


@pytest.mark.parametrize(
    ("cls", "text", "problem"),
    [
        ("Branch", "乙", "--x: no Branch is called '乙'"),
        ("Branch", "天綱", "did you mean 天罡?"),
        ("Branch", "stem:02-yi", "stem:02-yi is no Branch of this store"),
        ("Stem", "https://example.org/yi", "https://example.org/yi is no Stem"),
        ("Stem or Branch", "yi", "'yi' may be branch:06-si or stem:02-yi; give one of these"),
        ("Option", "void", "'void' may be option:qimen-void or option:void"),
        ("Branch", "", "no Branch is called ''"),
        ("Branch", "branch:05 chen", "branch:05 chen is no Branch"),
        ("Branch", "branch", "no Branch is called 'branch'"),
    ],
)
def test_a_text_that_names_nothing_or_too_much_is_refused(
    small: Store, cls: str, text: str, problem: str
) -> None:
    with pytest.raises(QueryError, match=re.escape(problem)):
        resolve(small, cls, text, "--x")


def test_a_chart_may_be_in_another_store_than_the_labels(small: Store) -> None:
    assert resolve(small, "Chart", "chart:x", "--chart") == thing("chart:x")


def test_no_two_matters_have_a_name_in_common() -> None:
    from kg.findings import shared

    called: dict[str, set[NamedNode]] = {}
    for name in ("prefLabel", "altLabel"):
        for quad in shared().store.quads_for_pattern(None, NamedNode(expand(f"skos:{name}")), None):
            if isinstance(quad.subject, NamedNode) and quad.subject.value.startswith(expand("matter:")):
                called.setdefault(quad.object.value.casefold(), set()).add(quad.subject)  # type: ignore[union-attr]
    assert {name: nodes for name, nodes in called.items() if len(nodes) > 1} == {}
    assert called["소송"] == called["litigation"] == called["官司"] == {thing("matter:lawsuit")}


def test_an_option_is_known_by_its_key() -> None:
    from kg.findings import shared

    assert resolve(shared().store, "Option", "shehai", "--option") == thing("option:shehai")


@pytest.mark.parametrize(
    ("parameter", "given", "bound"),
    [
        (Parameter("w", "text", ""), '"} DROP', Literal('"} DROP')),
        (Parameter("n", "integer", "3"), "12", Literal(12)),
        (Parameter("b", "Branch", "辰"), "辰", NamedNode("https://w3id.org/sanshi/id/branch/05-chen")),
    ],
)
def test_each_type_makes_its_kind_of_term(
    small: Store, parameter: Parameter, given: str, bound: object
) -> None:
    assert bind(small, query(parameter), {parameter.name: given}) == {Variable(parameter.name): bound}


@pytest.mark.parametrize(
    ("given", "problem"),
    [
        ({}, "asked: --n is needed .a integer, such as 3."),
        ({"n": "3", "m": "4"}, "asked: no parameter 'm'; it takes n"),
        ({"n": "three"}, "--n: 'three' is not a whole number"),
    ],
)
def test_a_parameter_missing_unknown_or_of_the_wrong_type(
    small: Store, given: Mapping[str, str], problem: str
) -> None:
    with pytest.raises(QueryError, match=problem):
        bind(small, query(Parameter("n", "integer", "3")), given)


# ---- queries are run


def test_columns_come_in_the_order_of_the_header(small: Store) -> None:
    asked = NamedQuery("asked", "", (), ("b", "a"), "SELECT ?a ?b WHERE { ?a shi:next ?b }")
    assert ask(small, asked).plain() == [{"b": "stem:03-bing", "a": "stem:02-yi"}]


def test_what_is_not_bound_is_empty(small: Store) -> None:
    (row,) = sparql(small, "SELECT ?a ?b WHERE { VALUES ?a { 1 } OPTIONAL { ?a shi:next ?b } }").plain()
    assert row == {"a": "1", "b": ""}


def test_ask_is_a_row_and_construct_is_triples(small: Store) -> None:
    assert sparql(small, "ASK { stem:02-yi shi:next stem:03-bing }").plain() == [{"answer": "true"}]
    made = sparql(small, "CONSTRUCT { ?b shi:previous ?a } WHERE { ?a shi:next ?b }")
    assert made.triples == (Triple(thing("stem:03-bing"), term("previous"), thing("stem:02-yi")),)
    assert sparql(small, "DESCRIBE matter:illness").triples


@pytest.mark.parametrize(
    "text", ["", "SELECT", "SELECT ?x WHERE { ?x nosuch:p ?o }", "INSERT DATA { <urn:a> <urn:b> 1 }"]
)
def test_what_is_no_query_is_refused_in_one_line(small: Store, text: str) -> None:
    with pytest.raises(QueryError, match="not a SPARQL query") as caught:
        sparql(small, text)
    assert "\n" not in str(caught.value)
    assert len(small) == len(list(small))


def test_a_service_that_cannot_be_reached_is_a_query_that_cannot_be_run(small: Store) -> None:
    """It is asked only when the first row is drawn, not when the query is given."""
    with pytest.raises(QueryError, match="the query cannot be run"):
        sparql(small, "SELECT * WHERE { SERVICE <http://127.0.0.1:1/> { ?s ?p ?o } }")


# ---- answers are written


def test_each_kind_of_term_is_shown() -> None:
    triple = Triple(thing("stem:02-yi"), TYPE, term("Stem"))
    shown = [
        show(value)
        for value in (None, thing("stem:02-yi"), Literal("乙", language="lzh"), BlankNode("b"), triple)
    ]
    assert shown[:4] == ["", "stem:02-yi", "乙", "b"]
    assert "02-yi" in shown[4]
    assert show(NamedNode("http://example.org/a")) == "http://example.org/a"


ANSWER = Answer(
    ("a", "b"),
    (
        (NamedNode("http://example.org/x"), Literal('甲, "乙"\n', language="lzh-hant")),
        (BlankNode("b0"), Literal(3)),
        (None, Literal("丙")),
    ),
)


def test_csv_keeps_commas_quotes_and_line_ends() -> None:
    rows = list(csv.reader(io.StringIO(write(ANSWER, "csv"), newline="")))
    assert rows == [["a", "b"], ["http://example.org/x", '甲, "乙"\n'], ["b0", "3"], ["", "丙"]]


def test_json_is_the_results_format_of_sparql() -> None:
    from pyoxigraph import QueryResultsFormat, QuerySolutions, parse_query_results

    text = write(ANSWER, "json")
    assert json.loads(text)["results"]["bindings"][2] == {"b": {"type": "literal", "value": "丙"}}
    result = parse_query_results(text, format=QueryResultsFormat.JSON)
    assert isinstance(result, QuerySolutions)
    assert [tuple(row) for row in result] == [tuple(row) for row in ANSWER.rows]


def test_turtle_is_read_back() -> None:
    triples = (Triple(thing("stem:02-yi"), term("next"), thing("stem:03-bing")),)
    quads = parse(write(Answer((), (), triples), "turtle").encode(), format=RdfFormat.TURTLE)
    assert [Quad(*triples[0])] == list(quads)


@pytest.mark.parametrize(
    ("answer", "format", "problem"),
    [
        (ANSWER, "turtle", "turtle is for a query that makes a graph"),
        (Answer((), ()), "csv", "csv is for a query with rows"),
        (Answer((), ()), "json", "json is for a query with rows"),
    ],
)
def test_a_form_that_does_not_fit_the_answer_is_refused(answer: Answer, format: str, problem: str) -> None:
    with pytest.raises(QueryError, match=problem):
        write(answer, format)


def test_no_rows_are_a_header_alone() -> None:
    assert write(Answer(("a",), ()), "csv") == "a\r\n"
