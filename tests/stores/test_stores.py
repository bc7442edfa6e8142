"""One answer from every store: in memory, on disk, from Oxigraph's server and from Virtuoso 7.

Answers are compared as sorted rows of terms written out in full: language tags, datatypes and every character count.
Only blank nodes are not told apart: an endpoint is sent names in their place, and their own names mean nothing.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cache

import pytest
from pyoxigraph import Literal, NamedNode, Quad, Store

from kg import open as open_graph
from kg.asking import Answer, bind, sparql
from kg.endpoint import Endpoint
from kg.facts import XSD
from kg.graph import Graph
from queries import NamedQuery, named

pytestmark = pytest.mark.server

RUN = [query for query in named().values() if query.name != "federated-wikidata"]  # which asks the network
VIOLATIONS = [query for query in RUN if query.is_violation]
FAULTY = "https://w3id.org/sanshi/faulty"
LIMIT = 120


def rows(answer: Answer) -> list[tuple[str, ...]]:
    """What an answer says, in one order."""
    found: Iterable[Iterable[object]] = answer.rows or [
        (t.subject, t.predicate, t.object) for t in answer.triples
    ]
    blank = re.compile(r"_:\w+|<urn:sanshi:blank:\w+>")
    return sorted(tuple(blank.sub("_:", str(value)) for value in row) for row in found)


def short(query: NamedQuery) -> str:
    return query.name


@pytest.fixture(scope="session")
def faulty(collection: Store) -> Store:
    """The collection with every eleventh triple missing: what is complete gives no violation query anything to say."""
    ordered = sorted((quad for quad in collection if "_:" not in str(quad)), key=str)
    store = Store()
    store.bulk_extend(collection)
    for quad in ordered[::11]:
        store.remove(quad)
    return store


@pytest.fixture(scope="session", params=["disk", "oxigraph", "virtuoso"])
def places(
    request: pytest.FixtureRequest, collection: Store, faulty: Store, tmp_path_factory: pytest.TempPathFactory
) -> tuple[Graph, Graph]:
    """The collection, and the one at fault, in each kind of place in turn."""
    found = []
    for name, store in (("whole", collection), ("faulty", faulty)):
        if request.param == "disk":
            path = tmp_path_factory.mktemp("disk") / name
            on_disk = Store(str(path))
            on_disk.bulk_extend(store)
            on_disk.flush()
            del on_disk
            found.append(open_graph(path))
        else:
            query, update = request.getfixturevalue(request.param)
            graph = open_graph(query, update=update, timeout=LIMIT)
            assert isinstance(graph.store, Endpoint)
            if name == "faulty":
                graph.store.graph = FAULTY
            assert graph.store.load(store) == len(store) == len(graph)
            found.append(graph)
    return found[0], found[1]


@cache
def _asked(graph: Graph, query: NamedQuery) -> Answer:
    return graph.query(query.name, **{p.name: p.example for p in query.parameters}).answer


def expected(store: Store, query: NamedQuery) -> Answer:
    bound = bind(store, query, {p.name: p.example for p in query.parameters})
    answer = sparql(store, query.text, bound)
    return answer.only(query.columns) if answer.columns else answer


@pytest.mark.parametrize("query", RUN, ids=short)
def test_every_store_gives_the_answer_of_memory(
    places: tuple[Graph, Graph], collection: Store, query: NamedQuery
) -> None:
    examples = {p.name: p.example for p in query.parameters}
    bound = bind(collection, query, examples)
    answer = places[0]._sparql(query.text, bound)
    got = answer.only(query.columns) if answer.columns else answer
    assert rows(got) == rows(expected(collection, query))


@pytest.mark.parametrize("query", VIOLATIONS, ids=short)
def test_every_store_finds_the_same_faults(
    places: tuple[Graph, Graph], faulty: Store, query: NamedQuery
) -> None:
    assert rows(places[1].query(query.name).answer) == rows(expected(faulty, query))


def test_the_faults_are_many(faulty: Store) -> None:
    found = {query.name: len(expected(faulty, query).rows) for query in VIOLATIONS}
    assert sum(map(bool, found.values())) > len(found) * 2 / 3, found


def test_the_columns_keep_their_order(places: tuple[Graph, Graph]) -> None:
    result = places[0].query("judgments-of-heading", heading="印綬")
    assert result.columns == named()["judgments-of-heading"].columns
    assert len(result) == 10


LITERALS = [
    Literal("甲", language="zh-hant"),
    Literal("甲", language="lzh-hant"),
    Literal("갑", language="ko"),
    Literal("甲"),
    Literal(""),
    Literal(" spaced "),
    Literal("two\nlines\tand a tab"),
    Literal("\"double\" 'single' \\ \\n"),
    Literal("𠮷 𡈼 😀 <&> é é"),
    Literal("初傳生干" * 2000, language="lzh-hant"),
    Literal("} ; DROP ALL #"),
    Literal(5),
    Literal(-12),
    Literal(True),
    Literal(False),
    Literal("2025-02-19T23:42:00+08:00", datatype=NamedNode(XSD + "dateTime")),
    Literal("2025-02-19T15:42:00Z", datatype=NamedNode(XSD + "dateTime")),
    Literal("2025-02-19", datatype=NamedNode(XSD + "date")),
    Literal("text", datatype=NamedNode("http://example.org/datatype")),
]


@pytest.fixture
def scratch(server: tuple[str, str]) -> Iterable[Endpoint]:
    """A graph of a server for one test."""
    endpoint = Endpoint(*server, graph="https://w3id.org/sanshi/scratch", timeout=LIMIT)
    endpoint.clear()
    yield endpoint
    endpoint.clear()


def test_every_literal_comes_back_as_it_was_sent(scratch: Endpoint) -> None:
    said = NamedNode("http://example.org/said")
    sent = {f"http://example.org/{n}": literal for n, literal in enumerate(LITERALS)}
    scratch.load(Quad(NamedNode(iri), said, literal) for iri, literal in sent.items())
    back = {str(s)[1:-1]: o for s, o in scratch.sparql("SELECT ?s ?o WHERE { ?s ?p ?o }").rows}
    assert back == sent
    graph = scratch.sparql("CONSTRUCT WHERE { ?s ?p ?o }")
    assert {str(t.subject)[1:-1]: t.object for t in graph.triples} == sent
