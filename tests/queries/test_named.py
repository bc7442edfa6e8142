"""The named queries: each against an answer made by hand, and what holds of all: order, speed, header, portability."""

from __future__ import annotations

import random
import re
import time
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

import pytest
import yaml
from pyoxigraph import Literal, NamedNode, Quad, RdfFormat, Store, Triple

from kg.asking import Answer, ask, bind, sparql
from kg.errors import QueryError
from kg.facts import TYPE, XSD, term, thing
from kg.graph import Graph
from kg.store import doctrine
from queries import NamedQuery, get, named, read

RDFS = "http://www.w3.org/2000/01/rdf-schema#"
DATA = Path(__file__).parents[1] / "data" / "queries"
FILES = sorted(DATA.glob("*.yaml"))
CASES = [case for path in FILES for case in yaml.safe_load(path.read_text(encoding="utf-8"))]
APART = {
    "construct-citations",
    "construct-heading",
    "federated-wikidata",
    "headings-by-lift",
    "judgments-never-found",
    "methods-by-frequency",
    "reuse-of-heading",
    "sequences-never-found",
}
"""Queries whose answer is no short table: they have tests of their own below."""
NAMED = {name: query for name, query in named().items() if not query.is_violation}
RUNS = [query for query in NAMED.values() if query.name != "federated-wikidata"]
EXAMPLES = [
    {"day": "庚申", "hour": "子", "general": "亥", "month": "寅"},
    {"day": "甲戌", "hour": "子", "general": "子", "month": "寅"},
    {"day": "丁卯", "hour": "子", "general": "戌"},
    {"day": "丁卯", "hour": "子", "general": "戌", "options": {"shehai": "depth"}},
    {"art": "qimen", "dun": "陽", "ju": 1, "hour": "丙寅"},
]
"""The charts that the examples in the headers of the queries speak of."""


@cache
def collection(charts: tuple[str, ...]) -> Graph:
    """The doctrine with some charts, each written as YAML."""
    from kg.findings import Doctrine

    own = Doctrine()
    graph = Graph(own.store, own)
    for chart in charts:
        graph.add(graph.cast(**yaml.safe_load(chart)))
    return graph


def graph_with(charts: list[Mapping[str, Any]]) -> Graph:
    return collection(tuple(yaml.safe_dump(chart, allow_unicode=True) for chart in charts))


def label(case: Mapping[str, Any]) -> str:
    return " ".join([case["query"], *case.get("parameters", {}).values()])


@pytest.mark.parametrize("case", CASES, ids=label)
def test_the_answer_is_the_one_made_by_hand(case: Mapping[str, Any]) -> None:
    store = graph_with(case.get("charts", [])).store
    assert isinstance(store, Store)
    answer = ask(store, get(case["query"]), case.get("parameters"))
    found = [list(row.values()) for row in answer.only(case["columns"]).plain()]
    if "rows" in case:
        assert found == case["rows"]
    if "count" in case:
        assert len(found) == case["count"]
    rest = iter(found)
    for row in case.get("some", []):
        assert row in rest, f"{row} is not there, or not in its place"


def test_every_query_has_an_answer_made_by_hand() -> None:
    assert {case["query"] for case in CASES} | APART == set(NAMED)
    assert len(NAMED) >= 30


def test_no_case_says_nothing() -> None:
    for case in CASES:
        assert case["by hand"], case
        assert "rows" in case or "some" in case, case


# ---- queries whose answer is no short table


def test_the_reuse_of_a_heading_is_listed_best_first() -> None:
    from kg.reuse import find
    from kg.reuse_graph import keep
    from kg.reuse_text import read as books

    store = doctrine()
    keep(find(store, "liuren-jingwei", books([DATA.parent / "reuse-sample.txt"])), store, store)
    rows = ask(store, get("reuse-of-heading"), {"heading": "pattern:kongju"}).plain()
    assert {(row["where"], row["work"]) for row in rows} == {("卷三·恐懼·1", "work:reuse-sample")}
    assert ("掩目", "掩目在子", "sample_X_001-2a", "table", "candidate") in {
        (row["here"], row["there"], row["page"], row["layer"], row["status"]) for row in rows
    }
    scores = [float(row["score"]) for row in rows]
    assert scores == sorted(scores, reverse=True)
    assert not ask(doctrine_store(), get("reuse-of-heading"), {"heading": "pattern:kongju"}).plain()


def test_a_census_counts_its_methods() -> None:
    store = Store()
    for number, method in enumerate(("賊克", "涉害", "賊克", "伏吟")):
        chart = thing(f"chart:{number}")
        store.add(Quad(chart, TYPE, term("LiurenChart")))
        store.add(Quad(chart, term("method"), Literal(method, language="zh-hant")))
    rows = [tuple(row.values()) for row in ask(store, get("methods-by-frequency")).plain()]
    assert rows == [("賊克", "2"), ("伏吟", "1"), ("涉害", "1")]


def test_judgments_never_found_are_those_asked_for_and_not_found() -> None:
    """Of one chart in the month 寅, in the established text: what needs a year, a moon or another season is no row."""
    never = {row["judgment"]: row for row in graph_with(EXAMPLES[:1]).query("judgments-never-found")}
    assert "judgment:yinshou-crosswise" not in never, "it is found"
    assert never["judgment:jiecai-branch-trine"]["cause"] == "cause:conditions"
    assert never["judgment:jinju-cangjin"]["cause"] == "cause:sequence"
    assert never["judgment:xuantai-shun-chun"]["reading"] == "established"
    asked = (
        "judgment:jinju-fagang-base judgment:xuantai-shun-xia judgment:tianen-year judgment:guange-shun-qiu"
    )
    assert not never.keys() & set(asked.split())
    assert not any(row["heading"].startswith("占") for row in never.values()), (
        "the store has no chart of Qimen"
    )


def test_judgments_never_found_in_the_base_text_are_of_corrupt_text() -> None:
    charts = [EXAMPLES[0] | {"month": "午", "year": "寅", "options": {"reading": "base"}}]
    never = {row["judgment"]: row for row in graph_with(charts).query("judgments-never-found")}
    assert never["judgment:jinju-fagang-base"]["cause"] == "cause:text"
    assert never["judgment:jinju-fanshe-base"]["cause"] == "cause:text"
    assert "judgment:jinju-fanshe" not in never
    assert {"judgment:tianen-year", "judgment:xuantai-ni-xia"} <= never.keys()
    assert not {"judgment:xuantai-ni-chun", "judgment:guange-shun-qiu-base"} & never.keys()


def test_judgments_of_qimen_are_never_found_in_charts_of_qimen() -> None:
    never = {row["judgment"] for row in graph_with(EXAMPLES[-1:]).query("judgments-never-found")}
    assert never
    store = doctrine_store()
    for judgment in never:
        assert list(store.quads_for_pattern(thing(judgment), term("topic"), None)), judgment
    # the chart has neither day nor birth, so what asks for the querent is not asked
    asking = (
        "SELECT DISTINCT ?j WHERE { ?j shi:condition/(shi:subject|shi:object)/shi:requires shi:needsBirth }"
    )
    assert not never & {row["j"] for row in sparql(store, asking).plain()}


def test_sequences_never_found_are_those_of_no_chart() -> None:
    """Of 庚申 子 亥 the transmissions are 酉未未; 寅巳申, of 懸胎, is not among them."""
    rows = list(graph_with(EXAMPLES[:1]).query("sequences-never-found"))
    named = sparql(
        doctrine_store(), "SELECT DISTINCT ?s WHERE { ?s a shi:Sequence ; ^shi:sequence ?any }"
    ).rows
    assert len({row["sequence"] for row in rows}) == len(named)
    assert {"sequence": "申寅亥", "heading": "懸胎", "series": "順懸胎（底本）", "reading": "base"} in [
        {key: row[key] for key in ("sequence", "heading", "series", "reading")} for row in rows
    ]


def test_headings_are_ordered_by_lift() -> None:
    store = Store()
    for charts, other, lift in ((12, "印綬", "0.5"), (3, "妻財", "2")):
        node = thing(f"query:{other}")
        store.add(Quad(node, term("lift"), Literal(lift, datatype=NamedNode(f"{XSD}decimal"))))
        counts = {"charts": charts, "chartsWithOne": 9, "chartsWithOther": charts}
        store.extend(Quad(node, term(name), Literal(number)) for name, number in counts.items())
        for predicate, name in (("one", "懸胎"), ("other", other)):
            heading = thing(f"pattern:{name}")
            store.add(Quad(node, term(predicate), heading))
            store.add(Quad(heading, term("ordinal"), Literal(["懸胎", "印綬", "妻財"].index(name))))
            store.add(Quad(heading, NamedNode(f"{RDFS}label"), Literal(name, language="zh-hant")))
    rows = [list(row.values()) for row in ask(store, get("headings-by-lift")).plain()]
    assert rows == [["懸胎", "妻財", "3", "9", "3", "2"], ["懸胎", "印綬", "12", "9", "12", "0.5"]]


def test_an_allusion_is_a_citation_between_passage_and_book() -> None:
    triples = set(ask(doctrine_store(), get("construct-citations")).triples)
    judgment, work = thing("judgment:guange-shun-chun"), thing("work:zhouyi")
    assert any(t.subject == judgment and t.object == work for t in triples)
    assert not any(isinstance(t.object, Literal) for t in triples)


def test_a_heading_is_a_graph_of_all_that_is_written_of_it() -> None:
    triples = ask(doctrine_store(), get("construct-heading"), {"heading": "前程"}).triples
    subjects = {t.subject for t in triples}
    # one passage, two emendations (合神, 以前論), and what the passage says: a judgment and the facets
    assert thing("pattern:qiancheng") in subjects
    assert thing("passage:qiancheng-1") in subjects
    kinds = [t.object for t in triples if t.predicate == TYPE]
    assert kinds.count(term("Emendation")) == 2
    assert kinds.count(term("Judgment")) == 1
    assert thing("passage:tianen-1") not in subjects


def test_a_topic_takes_its_conditions_along() -> None:
    triples = ask(doctrine_store(), get("construct-heading"), {"heading": "占失物"}).triples
    assert Triple(thing("condition:hour-stem-at-kan"), term("palace"), thing("palace:1-kan")) in set(triples)


def test_wikidata_is_asked_only_for_what_is_mapped_to_it() -> None:
    query = get("federated-wikidata")
    service = re.compile(r"SERVICE <(https://query\.wikidata\.org/sparql)> (\{.*?\n  \})", re.S)
    (there,) = service.findall(query.text)
    local = service.sub("", query.text).replace("?label ?description WHERE", "WHERE")
    local = local[: local.index("ORDER BY")] + "ORDER BY ?thing ?item"
    rows = sparql(doctrine_store(), local).plain()
    assert {"thing": "pair:01-jiazi", "match": "skos:exactMatch", "item": "wd:Q1190890"} in rows
    assert all(row["item"].startswith("wd:Q") for row in rows)
    remote = Store()
    remote.load(
        '<http://www.wikidata.org/entity/Q1190890> <http://www.w3.org/2000/01/rdf-schema#label> "甲子"@zh , "Jiazi"@fr ;'
        ' <http://schema.org/description> "干支"@zh , "first of sixty"@en .',
        format=RdfFormat.TURTLE,
    )
    prefixes = "\n".join(line for line in query.text.splitlines() if line.startswith("PREFIX"))
    answer = sparql(remote, f"{prefixes} SELECT ?label ?description WHERE {there[1]}")
    assert answer.plain() == [{"label": "甲子", "description": "干支"}]


@cache
def doctrine_store() -> Store:
    store = graph_with([]).store
    assert isinstance(store, Store)
    return store


# ---- what holds of all


def example(query: NamedQuery) -> dict[str, str]:
    return {parameter.name: parameter.example for parameter in query.parameters}


@cache
def examples() -> Store:
    store = graph_with(EXAMPLES).store
    assert isinstance(store, Store)
    return store


@pytest.mark.parametrize("query", RUNS, ids=lambda query: query.name)
def test_a_query_answers_its_own_example_within_a_second(query: NamedQuery) -> None:
    store = examples()
    start = time.process_time()
    answer = ask(store, query, example(query))
    assert time.process_time() - start < 1
    nothing = {
        "methods-by-frequency",
        "charts-with-two-headings",
        "headings-by-lift",
        "reuse-of-heading",
    }  # these want a census, charts of their own, or places kept
    assert answer.rows or answer.triples or query.name in nothing
    if not query.text.count("CONSTRUCT"):
        assert answer.columns == query.columns


@cache
def shuffled() -> Store:
    quads = list(examples())
    random.Random(7).shuffle(quads)
    store = Store()
    for quad in quads:
        store.add(quad)
    return store


@pytest.mark.parametrize("query", RUNS, ids=lambda query: query.name)
def test_the_order_of_rows_hangs_on_the_query_not_on_the_store(query: NamedQuery) -> None:
    one, two = (ask(store, query, example(query)) for store in (examples(), shuffled()))
    assert one.rows == two.rows
    assert sorted(map(str, one.triples)) == sorted(map(str, two.triples))


@pytest.mark.parametrize("query", RUNS, ids=lambda query: query.name)
def test_bound_as_values_a_query_answers_the_same(query: NamedQuery) -> None:
    """What goes to an endpoint, where parameters are joined as VALUES, and rows come back in the same order."""
    from kg.endpoint import with_values

    bound = bind(examples(), query, example(query))
    here = sparql(examples(), query.text, bound)
    there = sparql(examples(), with_values(query.text, bound))
    assert _shown(here, query) == _shown(there, query)


def _shown(answer: Answer, query: NamedQuery) -> object:
    return answer.only(query.columns).rows if answer.columns else set(answer.triples)


@pytest.mark.parametrize("query", NAMED.values(), ids=lambda query: query.name)
def test_a_query_keeps_to_the_portable_part_of_sparql(query: NamedQuery) -> None:
    text = re.sub(r"^#.*\n", "", query.text, flags=re.M)
    assert not re.search(r"\bBNODE\s*\(|\[\s*\]|\bLATERAL\b|<<|\bEXISTS\b[^{]*AS\b", text)
    assert not re.search(r"[\w>)][*+]\s*[?\w<(]*:", text), "a path of unknown length needs a bound end"
    declared = set(re.findall(r"^PREFIX (\w+):", text, re.M))
    words = re.sub(r'"[^"]*"|<[^>]*>', "", re.sub(r"^PREFIX.*\n", "", text, flags=re.M))
    used = set(re.findall(r"(?<![\w?])([a-z]\w*):(?=\w)", words))
    assert declared == used, "every prefix used is declared, and no other"
    if "SELECT" in text:
        assert "ORDER BY" in text
        head = text[text.index("SELECT") : text.index("WHERE")]
        for name in (*query.columns, *(parameter.name for parameter in query.parameters)):
            assert re.search(rf"\?{name}\b", head), f"?{name} stands in the SELECT"
    for parameter in query.parameters:
        assert parameter.example


def test_a_literal_is_compared_by_language_range() -> None:
    """Stores fold language tags or keep them, so LANG(…) = … may find nothing; only Wikidata's own tags are listed."""
    for query in NAMED.values():
        if query.name != "federated-wikidata":
            assert not re.search(r"LANG\(\?\w+\) *(=|IN)", query.text), query.name


# ---- headers


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("# columns: a\nSELECT ?a WHERE { }", "must begin with its question"),
        ("# What?\nSELECT ?a WHERE { }", "one line '# columns: …'"),
        (
            "# What?\n# parameter a: Two Words, e.g. b\n# columns: a\nSELECT ?a WHERE { }",
            "a parameter is written",
        ),
    ],
)
def test_a_header_that_is_not_as_it_must_be_is_refused(text: str, problem: str, tmp_path: Path) -> None:
    path = tmp_path / "wrong.rq"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(QueryError, match=problem):
        read(path)


def test_a_parameter_of_several_classes_is_not_dropped() -> None:
    (sign,) = get("topics-of-sign").parameters
    assert sign.type == "Sign or Stem or Door or Star or Spirit or Format"


def test_an_unknown_query_names_its_neighbours() -> None:
    with pytest.raises(QueryError, match="judgments-of-heading"):
        get("judgment-of-heading")
    with pytest.raises(QueryError, match="`sanshi query` lists them"):
        get("xyz")


def test_the_doctrine_alone_serves_every_query_that_needs_no_chart() -> None:
    assert len(doctrine_store()) == len(doctrine())
