"""The SPARQL 1.1 Protocol: what is answered, in which form, and what is refused with which status."""

from __future__ import annotations

import httpx
import pytest
from pyoxigraph import Literal, QueryResultsFormat, QuerySolutions, RdfFormat, Store, parse
from pyoxigraph import parse_query_results as read

import kg
from kg.server.reply import Refused
from kg.server.sparql import evaluate
from kg.server.world import World

LABELS = "SELECT ?label WHERE { <https://w3id.org/sanshi/id/branch/01-zi> rdfs:label ?label } ORDER BY ?label"
ZI = "https://w3id.org/sanshi/id/branch/01-zi"
FORM, QUERY = "application/x-www-form-urlencoded", "application/sparql-query"
LIMIT = 200


def _labels(response: httpx.Response, format: QueryResultsFormat = QueryResultsFormat.JSON) -> list[str]:
    assert response.status_code == 200, response.text
    found = read(response.content, format=format)
    assert isinstance(found, QuerySolutions)
    return [value.value for (value,) in found if isinstance(value, Literal)]


def test_the_three_ways_of_asking_are_one(live: httpx.Client) -> None:
    ways = [
        live.get("/sparql", params={"query": LABELS}),
        live.post("/sparql", data={"query": LABELS}),
        live.post("/sparql", content=LABELS, headers={"Content-Type": QUERY}),
        live.post("/sparql", content=LABELS, headers={"Content-Type": f"{QUERY}; charset=UTF-8"}),
    ]
    assert [_labels(response) for response in ways] == [["Zi", "子", "자"]] * 4
    assert live.head("/sparql", params={"query": LABELS}).content == b""


@pytest.mark.parametrize(
    ("accept", "media_type"),
    [
        ("*/*", "application/sparql-results+json"),
        ("application/sparql-results+xml", "application/sparql-results+xml"),
        ("text/csv", "text/csv; charset=utf-8"),
        ("text/tab-separated-values;q=0.9, image/png", "text/tab-separated-values; charset=utf-8"),
        ("text/html,application/xhtml+xml,*/*;q=0.8", "text/html; charset=utf-8"),
    ],
)
def test_solutions_come_as_asked(live: httpx.Client, accept: str, media_type: str) -> None:
    response = live.get("/sparql", params={"query": LABELS}, headers={"Accept": accept})
    assert response.status_code == 200
    assert response.headers["Content-Type"] == media_type
    assert "Accept" in response.headers["Vary"]
    assert "子" in response.text


@pytest.mark.parametrize("form", ["DESCRIBE <%s>", "CONSTRUCT WHERE { <%s> ?p ?o }"])
@pytest.mark.parametrize(
    ("media_type", "format"),
    [
        ("text/turtle", RdfFormat.TURTLE),
        ("application/n-triples", RdfFormat.N_TRIPLES),
        ("application/ld+json", RdfFormat.JSON_LD),
        ("application/rdf+xml", RdfFormat.RDF_XML),
    ],
)
def test_graphs_come_as_asked(live: httpx.Client, form: str, media_type: str, format: RdfFormat) -> None:
    response = live.get("/sparql", params={"query": form % ZI}, headers={"Accept": media_type})
    assert response.status_code == 200
    assert response.headers["Content-Type"].partition(";")[0] == media_type
    labels = {q.object.value for q in parse(response.content, format=format) if "label" in q.predicate.value}
    assert {"子", "자", "Zi"} <= labels


def test_ask(live: httpx.Client) -> None:
    asked = live.get("/sparql", params={"query": f"ASK {{ <{ZI}> a shi:Branch }}"})
    assert asked.json() == {"head": {}, "boolean": True}


@pytest.mark.parametrize(
    ("query", "accept"), [(LABELS, "text/turtle"), ("DESCRIBE <urn:a>", "text/csv"), (LABELS, "image/png")]
)
def test_what_cannot_be_had_so_is_406(live: httpx.Client, query: str, accept: str) -> None:
    response = live.get("/sparql", params={"query": query}, headers={"Accept": accept})
    assert response.status_code == 406
    assert "ask for" in response.json()["error"]


def test_answers_are_cut_and_the_header_is_open_to_scripts(live: httpx.Client) -> None:
    everything = "SELECT * { ?s ?p ?o }"
    response = live.get("/sparql", params={"query": everything}, headers={"Origin": "http://example.org"})
    assert response.headers["Sanshi-Truncated"] == str(LIMIT)
    assert len(response.json()["results"]["bindings"]) == LIMIT
    assert response.headers["Access-Control-Allow-Origin"] == "*"
    assert "Sanshi-Truncated" in response.headers["Access-Control-Expose-Headers"]
    exact = live.get("/sparql", params={"query": f"{everything} LIMIT {LIMIT}"})
    assert "Sanshi-Truncated" not in exact.headers
    graph = live.get(
        "/sparql", params={"query": "CONSTRUCT WHERE { ?s ?p ?o }"}, headers={"Accept": "text/turtle"}
    )
    assert graph.headers["Sanshi-Truncated"] == str(LIMIT)


def test_preflight(live: httpx.Client) -> None:
    headers = {
        "Origin": "http://example.org",
        "Access-Control-Request-Method": "POST",
        "Access-Control-Request-Headers": "content-type",
    }
    response = live.options("/sparql", headers=headers)
    assert response.status_code == 200
    assert "POST" in response.headers["Access-Control-Allow-Methods"]
    assert "content-type" in response.headers["Access-Control-Allow-Headers"].lower()


def test_service_description(live: httpx.Client) -> None:
    response = live.get("/sparql")
    assert response.headers["Content-Type"].startswith("text/turtle")
    store = Store()
    store.load(response.content, format=RdfFormat.TURTLE)
    asked = """PREFIX sd: <http://www.w3.org/ns/sparql-service-description#> PREFIX void: <http://rdfs.org/ns/void#>
        SELECT ?endpoint ?n WHERE { ?s a sd:Service ; sd:endpoint ?endpoint ; sd:supportedLanguage sd:SPARQL11Query ;
            sd:defaultDataset/sd:defaultGraph/void:triples ?n }"""
    ((endpoint, count),) = store.query(asked)
    assert endpoint.value == f"{str(live.base_url).rstrip('/')}/sparql"
    total = live.get("/sparql", params={"query": "SELECT (COUNT(*) AS ?n) { ?s ?p ?o }"}).json()
    assert total["results"]["bindings"][0]["n"]["value"] == count.value
    page = live.get("/sparql", headers={"Accept": "text/html"}, follow_redirects=True)
    assert page.headers["Content-Type"] == "text/html; charset=utf-8"


@pytest.mark.parametrize(
    ("query", "line"),
    [
        (
            "SELECT (COUNT(*) AS ?n ?x) { ?s ?p ?o }",
            "line 1, column 24, before '?x) { ?s ?p ?o }': ) is expected",
        ),
        ("", "empty"),
        ("SELECT ?a WHERE {\n ?s ?p", "not a SPARQL query: line 2, column 7, at the end"),
        ("SELECT * { ?s nothing:known ?o }", "line 1, column 28, before '?o }': Prefix not found"),
        ("SELECT ?a { ?s ?p ?o } GROUP BY ?s", "The SELECT contains a variable that is unbound"),
        ("hello", "line 1, column 6, at the end"),
    ],
)
def test_what_is_no_query_is_400_in_one_line(live: httpx.Client, query: str, line: str) -> None:
    response = live.get("/sparql", params={"query": query})
    assert response.status_code == 400
    assert line in response.json()["error"]
    assert len(response.json()["error"]) < 120
    assert "\n" not in response.json()["error"]


def test_service_is_refused_and_files_are_not_read(live: httpx.Client) -> None:
    query = "SELECT * { SERVICE <http://127.0.0.1:1/> { ?s ?p ?o } }"
    assert live.get("/sparql", params={"query": query}).status_code == 403
    plain = "SELECT * { ?s ?p ?o }"
    asked = [
        {"query": "SELECT * FROM <file:///etc/passwd> { ?s ?p ?o }"},
        {"query": "SELECT * FROM NAMED <file:///etc/passwd> { GRAPH ?g { ?s ?p ?o } }"},
        {"query": "BASE <file:///etc/> SELECT * FROM <passwd> { ?s ?p ?o }"},
        {"query": "PREFIX f: <file:///etc/> ASK FROM f:passwd { ?s ?p ?o }"},
        {"query": plain, "default-graph-uri": "file:///etc/passwd"},
        {"query": plain, "named-graph-uri": "file:///etc/passwd"},
    ]
    for given in asked:
        for response in (live.get("/sparql", params=given), live.post("/sparql", data=given)):
            assert response.status_code == 400, given
            said = response.json()["error"]
            assert "<file:///etc/passwd>" in said and "only the dataset of this server" in said


@pytest.mark.parametrize(
    "update",
    [
        "INSERT DATA { <urn:a> <urn:b> <urn:c> }",
        "PREFIX a: <urn:a:> DELETE WHERE { ?s a:b ?o }",
        "# clear it\nDROP ALL",
        "LOAD <file:///etc/passwd>",
        "WITH <urn:g> DELETE { ?s ?p ?o } WHERE { ?s ?p ?o }",
    ],
)
def test_updates_are_refused_however_they_come(live: httpx.Client, update: str) -> None:
    ways = [
        live.get("/sparql", params={"update": update}),
        live.get("/sparql", params={"query": update}),
        live.post("/sparql", data={"update": update}),
        live.post("/sparql", data={"query": update}),
        live.post("/sparql", content=update, headers={"Content-Type": QUERY}),
        live.post("/sparql", content=update, headers={"Content-Type": "application/sparql-update"}),
        live.post("/sparql", data={"query": LABELS, "using-graph-uri": "urn:g"}),
    ]
    told = {(response.status_code, response.json()["error"]) for response in ways}
    assert told == {(403, "this endpoint answers queries and takes no updates")}
    gone = live.get("/sparql", params={"query": "ASK { <urn:a> ?p ?o }"})
    assert gone.json()["boolean"] is False


def test_parameters_that_do_not_fit(live: httpx.Client) -> None:
    two = [("query", LABELS), ("query", LABELS)]
    cases = [
        (live.get("/sparql", params=two), 400),
        (live.get("/sparql", params={"default-graph-uri": "urn:g"}), 400),
        (live.get("/sparql", params={"query": LABELS, "format": "json"}), 400),
        (live.get("/sparql", params={"query": LABELS, "default-graph-uri": "no iri"}), 400),
        (live.get("/sparql?query=%FF%FE"), 400),
        (live.post("/sparql?query=ASK%7B%7D", data={"query": LABELS}), 400),
        (live.post("/sparql?query=ASK%7B%7D", content=LABELS, headers={"Content-Type": QUERY}), 400),
        (live.post("/sparql", content=b"\xff\xfe", headers={"Content-Type": QUERY}), 400),
        (live.post("/sparql", content=b"query=%FF", headers={"Content-Type": FORM}), 400),
        (live.post("/sparql", content="&".join(["a=b"] * 200), headers={"Content-Type": FORM}), 400),
        (live.post("/sparql", content=LABELS, headers={"Content-Type": "text/plain"}), 415),
        (live.post("/sparql", content=LABELS), 415),
        (live.post("/sparql", content=LABELS, headers={"Content-Type": f"{QUERY};charset=gbk"}), 415),
    ]
    for response, status in cases:
        assert response.status_code == status, response.text
        assert list(response.json()) == ["error"]


@pytest.mark.parametrize("method", ["PUT", "DELETE", "PATCH", "TRACE", "PROPFIND"])
def test_other_methods_are_405(live: httpx.Client, method: str) -> None:
    response = live.request(method, "/sparql")
    assert response.status_code == 405
    assert "GET" in response.headers["Allow"]


def test_the_dataset_of_a_query_is_that_of_the_protocol(here: World) -> None:
    store = Store()
    store.update(
        "INSERT DATA { <urn:a> <urn:p> 'd' GRAPH <urn:g> { <urn:a> <urn:p> 'g' } GRAPH <urn:h> { <urn:a> <urn:p> 'h' } }"
    )
    world = World(here.doctrine, store, 10)
    plain = "SELECT ?o { ?s ?p ?o } ORDER BY ?o"
    named = "SELECT ?o { GRAPH ?g { ?s ?p ?o } } ORDER BY ?o"

    def values(query: str, default: list[str] | None, names: list[str] | None) -> list[str]:
        return evaluate(world, query, "text/csv", default, names).content.decode().split()[1:]

    assert values(plain, None, None) == ["d"]
    assert values(plain, ["urn:g", "urn:h"], None) == ["g", "h"]
    assert values(named, ["urn:g"], None) == []
    assert values(named, None, ["urn:h"]) == ["h"]
    assert values(plain, None, ["urn:h"]) == []
    from_clause = "SELECT ?o FROM <urn:h> { ?s ?p ?o }"
    assert values(from_clause, None, None) == ["h"]
    assert values(from_clause, ["urn:g"], None) == ["g"], "the protocol goes before the query"
    for asked in (
        (from_clause.replace("urn:h", "urn:none"), None, None),
        (plain, ["urn:none"], None),
        (named, None, ["urn:g", "urn:none"]),
    ):
        with pytest.raises(Refused, match="no graph is called <urn:none>"):
            values(*asked)


def test_the_library_asks_the_server_as_it_asks_any_endpoint(live: httpx.Client) -> None:
    """Once it named the graph in which it keeps things elsewhere, and the server knew none of that name."""
    there, here = kg.open(f"{live.base_url}/sparql"), kg.open()
    for name, given in (("judgments-of-heading", {"heading": "印綬"}), ("schools", {})):
        assert list(there.query(name, **given)) == list(here.query(name, **given))
        assert len(there.query(name, **given)) > 5
    count = there.sparql("SELECT (COUNT(*) AS ?n) WHERE { ?s a shi:Judgment }")
    assert list(count) == list(here.sparql("SELECT (COUNT(*) AS ?n) WHERE { ?s a shi:Judgment }"))
