"""Charts, named queries and search over HTTP, and the OpenAPI document that describes them."""

from __future__ import annotations

import inspect
import json
import re
from collections.abc import Mapping
from typing import Any

import httpx
import jsonschema
import pytest
from openapi_spec_validator import OpenAPIV31SpecValidator
from starlette.routing import BaseRoute, Match, Route

import queries
from kg import liuren_chart, qimen_chart
from kg.asking import ask
from kg.casting_graph import serialize
from kg.chart_json import casting_json
from kg.findings import Doctrine
from kg.query_text import calls_service
from kg.schools import options
from kg.search import search
from kg.server import api
from kg.server.app import create_app
from kg.server.fields import APART, CASTS, school_fields
from kg.server.openapi import document
from kg.server.world import Settings, World
from kg.topics import judged

BOOK = "https://w3id.org/sanshi/id/work/liuren-jingwei"
INSTANT = {"instant": "2025-02-19T23:42", "tz": "Asia/Shanghai"}


def test_a_cast_is_that_of_the_library(live: httpx.Client, doctrine: Doctrine) -> None:
    body = {**INSTANT, "shehai": "depth", "noble": "yangniu", "lang": "en"}
    chart = liuren_chart.cast({"shehai": "depth", "noble": "yangniu"}, **INSTANT)
    response = live.post("/cast/liuren", json=body)
    assert response.status_code == 200
    assert response.headers["Content-Type"] == "application/json"
    assert response.json() == casting_json(doctrine.cast(chart), "en")
    assert (
        live.get(response.headers["Content-Location"] + ".json", params={"lang": "en"}).json()
        == response.json()
    )


def test_qimen_from_an_instant_and_from_pillars(live: httpx.Client, doctrine: Doctrine) -> None:
    words = {"instant": "2026-02-18T22:59", "tz": "Asia/Shanghai", "birth": "1980"}
    told = live.post("/cast/qimen", json={**words, "birth": 1980, "method": "zhirun"}).json()
    assert told == casting_json(judged(doctrine, qimen_chart.cast({"method": "zhirun"}, **words)))  # type: ignore[arg-type]
    bare: dict[str, Any] = {
        "dun": "陽",
        "ju": 1,
        "hour": "甲子",
        "day": "甲子",
        "month": "丙寅",
        "year": "甲子",
    }
    told = live.post("/cast/qimen", json=bare).json()
    assert told == casting_json(judged(doctrine, qimen_chart.cast(**bare)))


def test_a_life_is_judged_on_the_chart_of_its_birth(live: httpx.Client, doctrine: Doctrine) -> None:
    words = {"instant": "2026-02-18T22:59", "tz": "Asia/Shanghai", "topic": "占人生貴賤"}
    without = live.post("/cast/qimen", json=words).json()
    assert without["findings"] == []
    assert [omitted["heading"] for omitted in without["omitted"]] == ["占人生貴賤"]
    told = live.post("/cast/qimen", json={**words, "birth": "1980-05-05T10:00"}).json()
    assert {finding["heading"] for finding in told["findings"]} == {"占人生貴賤"}
    assert {finding["chart"] for finding in told["findings"]}.isdisjoint({told["chart"]["iri"]})
    born = casting_json(
        judged(
            doctrine,
            qimen_chart.cast(instant=words["instant"], tz=words["tz"], birth="1980-05-05T10:00"),
            "rensheng",
        )
    )
    assert told == born


def test_the_findings_of_a_topic_alone(live: httpx.Client, doctrine: Doctrine) -> None:
    words = {"instant": "2026-02-18T22:59", "tz": "Asia/Shanghai"}
    casting = judged(doctrine, qimen_chart.cast(**words), "shiwu")  # type: ignore[arg-type]
    response = live.post("/cast/qimen", json={**words, "topic": "topic:shiwu"})
    assert response.json() == casting_json(casting)
    assert response.json()["findings"]
    assert live.post("/cast/qimen", json={**words, "topic": "占失物"}).json() == response.json()
    unknown = live.post("/cast/qimen", json={**words, "topic": "占失"})
    assert unknown.status_code == 400
    assert "did you mean" in unknown.json()["error"]


@pytest.mark.parametrize(
    ("accept", "media_type", "name"),
    [
        ("text/turtle", "text/turtle; charset=utf-8", "turtle"),
        ("application/ld+json", "application/ld+json", "jsonld"),
    ],
)
def test_a_cast_as_a_graph(
    live: httpx.Client, doctrine: Doctrine, accept: str, media_type: str, name: str
) -> None:
    response = live.post("/cast/liuren", json=INSTANT, headers={"Accept": accept})
    assert response.headers["Content-Type"] == media_type
    assert sorted(response.text.splitlines()) == sorted(
        serialize(doctrine.cast(liuren_chart.cast(**INSTANT)), name).splitlines()
    )


@pytest.mark.parametrize(
    ("art", "body", "line"),
    [
        ("liuren", {}, "a Liuren chart needs"),
        ("liuren", {"instant": "yesterday"}, "instant: 'yesterday'"),
        ("liuren", {"instant": "2025-02-19T23:42"}, "its zone"),
        ("liuren", {**INSTANT, "day": "庚申"}, "not both"),
        ("liuren", {**INSTANT, "shehai": "deep"}, "mengzhong, depth, depth-seat"),
        ("liuren", {**INSTANT, "ju": 1}, "field: 'ju' is not accepted; give one of instant, tz"),
        ("liuren", {"instant": 20250219}, "instant: '20250219' is not accepted; give a JSON string"),
        ("liuren", {**INSTANT, "longitude": "116"}, "give a JSON number"),
        ("liuren", {**INSTANT, "longitude": True}, "give a JSON number"),
        ("liuren", {**INSTANT, "lang": "fr"}, "lang: 'fr' is not accepted; give one of en, ko, zh"),
        ("liuren", {"day": "甲丑", "hour": "子", "general": "亥"}, "day"),
        ("liuren", {"day": ["甲子"], "hour": "子", "general": "亥"}, "give a JSON string"),
        ("qimen", {"dun": "陽", "ju": 10, "hour": "甲子"}, "1 to 9"),
        ("qimen", {"dun": "陽", "ju": 1.5, "hour": "甲子"}, "give a JSON integer"),
        ("qimen", {"dun": "陽", "ju": 1, "hour": "甲子", "x" * 500: 1}, "field: 'xxx"),
    ],
)
def test_what_cannot_be_cast_is_400_in_one_line(
    live: httpx.Client, art: str, body: dict[str, Any], line: str
) -> None:
    response = live.post(f"/cast/{art}", json=body)
    assert response.status_code == 400
    assert list(response.json()) == ["error"]
    assert line in response.json()["error"]
    assert "\n" not in response.json()["error"]


@pytest.mark.parametrize(
    ("content", "kind", "status"),
    [
        (b"{", "application/json", 400),
        (b"[]", "application/json", 400),
        (b"null", "application/json", 400),
        (b'{"longitude": NaN}', "application/json", 400),
        (b'{"longitude": 1e999, "instant": "2025-02-19T23:42+08:00"}', "application/json", 400),
        (b"[" * 60_000, "application/json", 400),
        (b'{"day": "\xff"}', "application/json", 400),
        (b'{"day": "\\ud800"}', "application/json", 400),
        (b"", "application/json", 400),
        (b"day=1", "application/x-www-form-urlencoded", 415),
        (b"{}", "application/json; charset=utf-16", 415),
    ],
)
def test_bodies_that_are_no_object_of_json(
    live: httpx.Client, content: bytes, kind: str, status: int
) -> None:
    response = live.post("/cast/liuren", content=content, headers={"Content-Type": kind})
    assert response.status_code == status
    assert list(response.json()) == ["error"]


def test_null_is_nothing(live: httpx.Client) -> None:
    full = {**INSTANT, "day": None, "longitude": None, "noble": None}
    assert live.post("/cast/liuren", json=full).json() == live.post("/cast/liuren", json=INSTANT).json()


@pytest.mark.parametrize(("art", "cast"), [("liuren", liuren_chart.cast), ("qimen", qimen_chart.cast)])
def test_the_names_are_those_of_the_library_and_the_command(art: str, cast: Any) -> None:
    from kg.cli.cast import cast_app

    taken = [name for name in inspect.signature(cast).parameters if name != "given"]
    described = {field.name for field in CASTS[art]}
    assert described - set(APART) == set(taken)
    assert {field.name for field in school_fields(art)} == set(options(art))
    assert not described & set(options(art))
    commands = {getattr(c.callback, "__name__", ""): c.callback for c in cast_app.registered_commands}
    if command := commands.get(art):
        assert set(inspect.signature(command).parameters) - {"context", "format"} == described


def test_the_named_queries_are_listed(live: httpx.Client) -> None:
    told = live.get("/query").json()
    assert [query["name"] for query in told] == list(queries.named())
    assert {query["name"] for query in told if not query["runs"]} == {
        query.name for query in queries.named().values() if calls_service(query.text) or query.asked_of
    }


def test_each_named_query_runs_with_its_examples(live: httpx.Client, doctrine: Doctrine) -> None:
    ran = 0
    for query in queries.named().values():
        given = {parameter.name: parameter.example for parameter in query.parameters}
        response = live.get(f"/query/{query.name}", params=given)
        if calls_service(query.text):
            assert response.status_code == 403
            continue
        if query.asked_of:
            assert response.status_code == 400
            assert "is asked of charts that a store keeps" in response.json()["error"]
            continue
        assert response.status_code == 200, f"{query.name}: {response.text}"
        ran += 1
        if response.headers["Content-Type"].startswith("application/sparql-results+json"):
            assert response.json()["head"]["vars"] == list(query.columns)
    assert ran > 20


def test_a_named_query_gives_what_the_library_gives(live: httpx.Client, doctrine: Doctrine) -> None:
    query = queries.get("judgments-of-heading")
    known = ask(doctrine.store, query, {"heading": "印綬"})
    ways = [
        live.get("/query/judgments-of-heading", params={"heading": "印綬"}),
        live.get("/query/judgments-of-heading.json", params={"heading": "pattern:yinshou"}),
        live.get(
            "/query/judgments-of-heading", params={"heading": "印綬"}, headers={"Accept": "application/json"}
        ),
    ]
    for response in ways:
        rows = response.json()["results"]["bindings"]
        assert [row["judgment"]["value"] for row in rows] == [row[0].value for row in known.rows]
    csv = live.get("/query/judgments-of-heading.csv", params={"heading": "印綬"})
    assert csv.text.splitlines()[0] == ",".join(query.columns)


def test_a_chart_that_a_query_asks_about_is_cast_for_it_and_leaves_no_trace(
    live: httpx.Client, here: World
) -> None:
    before = len(here.store)
    iri = "chart:liuren-57-gengshen-h.zi-g.hai-m.yin"
    reply = api.ask(here, "findings-of-chart", {"chart": iri}, "application/json")
    findings = here.doctrine.cast(liuren_chart.cast(day="庚申", hour="子", general="亥", month="寅")).findings
    assert len(json.loads(reply.content)["results"]["bindings"]) == len(findings) > 0
    assert len(here.store) == before
    none = live.get("/query/findings-of-chart", params={"chart": "chart:none"})
    assert none.status_code == 400
    assert "chart:none is no chart here" in none.json()["error"]


@pytest.mark.parametrize(
    ("path", "status", "line"),
    [
        ("/query/judgments-of-heading", 400, "--heading is needed"),
        ("/query/judgments-of-heading?heading=印", 400, "did you mean"),
        ("/query/judgments-of-heading?heading=印綬&form=x", 400, "no parameter 'form'"),
        ("/query/judgments-of-heading?heading=印綬&heading=懸胎", 400, "more than once"),
        ("/query/none", 404, "GET /query lists them"),
        ("/query/judgments-of-heading.ttl?heading=印綬", 406, "Accept"),
        ("/query/federated-wikidata", 403, "SERVICE"),
        ("/search", 400, "q is missing"),
        ("/search?q=", 400, "character"),
        ("/search?q=父母&in=nowhere", 400, "passages"),
        ("/search?q=父母&limit=0", 400, "1 to 1000"),
        ("/search?q=父母&exact=maybe", 400, "true or false"),
        ("/search?q=父母&page=2", 400, "page is no parameter"),
    ],
)
def test_questions_that_cannot_be_asked(live: httpx.Client, path: str, status: int, line: str) -> None:
    response = live.get(path)
    assert response.status_code == status
    assert line in response.json()["error"]


def test_search_gives_what_the_library_gives(live: httpx.Client, here: World) -> None:
    found = search(here.store, "父母")
    told = live.get("/search", params={"q": "父母", "limit": 5}).json()
    assert told["count"] == len(found)
    assert [hit["node"] for hit in told["hits"]] == [hit.node for hit in found[:5]]
    labels = live.get("/search", params=[("q", "父母"), ("in", "labels")]).json()
    assert {hit["scope"] for hit in labels["hits"]} == {"labels"}
    assert live.get("/search", params={"q": "螣蛇", "exact": "true"}).json()["count"] > 0


def test_the_openapi_document_is_valid_and_served(live: httpx.Client) -> None:
    OpenAPIV31SpecValidator(document()).validate()  # type: ignore[arg-type]
    assert live.get("/openapi.json").json() == json.loads(json.dumps(document()))
    identifiers = [
        operation["operationId"] for path in document()["paths"].values() for operation in path.values()
    ]
    assert len(identifiers) == len(set(identifiers))


def _taken(path: str, method: str, routes: list[BaseRoute]) -> BaseRoute | None:
    """The route that a request is given to."""
    scope = {"type": "http", "path": path, "method": method, "root_path": "", "headers": []}
    return next((route for route in routes if route.matches(scope)[0] is Match.FULL), None)


def test_every_route_of_the_server_is_described_with_its_methods_and_nothing_else() -> None:
    routes = create_app(Settings()).routes
    described: dict[int, set[str]] = {}
    for path, operations in document()["paths"].items():
        inside = re.findall(r"{(\w+)}", path)
        for method, operation in operations.items():
            route = _taken(re.sub(r"[{}]", "", path), method.upper(), routes)
            assert route is not None, path
            described.setdefault(routes.index(route), set()).add(method.upper())
            told = [p["name"] for p in operation.get("parameters", []) if p["in"] == "path"]
            assert told == inside, path
    for number, route in enumerate(routes):
        methods = route.methods if isinstance(route, Route) else {"GET"}
        assert described.get(number) == (methods or set()) - {"HEAD"}, route
    runnable = {f"/query/{query.name}" for query in queries.named().values() if not calls_service(query.text)}
    assert {path for path in document()["paths"] if path.startswith("/query/")} == runnable


def test_what_the_document_says_of_pages_and_texts_is_so(live: httpx.Client) -> None:
    paths = {
        "/id/{kind}/{name}": "/id/branch/01-zi",
        "/ontology/{name}": "/ontology/cosmos",
        "/mappings/{name}": "/mappings/ctext",
        "/dataset/{kind}/{name}": "/dataset/class/owl.Class",
        "/ontology.{suffix}": "/ontology.nt",
        "/dataset.{suffix}": "/dataset.ttl",
        "/chart/{art}": "/chart/qimen?lang=en",
        "/read/{work}": "/read/qimen-miji",
        "/read/{work}/{ref}": "/read/liuren-jingwei/3.1.2",
        "/browse/{room}": "/browse/forms",
        "/ask/{name}": "/ask/headings",
        "/static/{file}": "/static/style.css",
        "/search": "/search?q=子",
        "/dts/navigation": f"/dts/navigation?resource={BOOK}&down=1",
        "/dts/document": f"/dts/document?resource={BOOK}&ref=3.1.2",
        "/find": "/find?q=子",
    }
    asked = 0
    for path, operations in document()["paths"].items():
        example = paths.get(path, path)
        if "get" not in operations or path.startswith("/query/"):
            continue
        response = live.get(example)
        told = operations["get"]["responses"][str(response.status_code)]["content"]
        assert response.status_code == 200, path
        assert response.headers["Content-Type"].partition(";")[0] in told or "*/*" in told, path
        asked += 1
    assert asked > 25


def _schema(name: str) -> Mapping[str, Any]:
    return {"$ref": f"#/components/schemas/{name}", "components": document()["components"]}


def test_answers_are_as_they_are_described(live: httpx.Client) -> None:
    casts = [
        live.post("/cast/liuren", json=INSTANT),
        live.post("/cast/liuren", json={"day": "庚申", "hour": "子", "general": "亥"}),
        live.post("/cast/qimen", json={"instant": "2026-02-18T22:59", "tz": "Asia/Shanghai", "birth": 1980}),
        live.post("/cast/qimen", json={"dun": "陰", "ju": 9, "hour": "甲子"}),
    ]
    for response in casts:
        jsonschema.validate(response.json(), _schema("Casting"))
    for query in live.get("/query").json():
        jsonschema.validate(query, _schema("Query"))
    jsonschema.validate(live.get("/search", params={"q": "父母"}).json(), _schema("Hits"))
    jsonschema.validate(live.get("/nowhere").json(), _schema("Refusal"))


def test_the_examples_of_the_document_are_accepted(live: httpx.Client) -> None:
    for art in CASTS:
        body = document()["paths"][f"/cast/{art}"]["post"]["requestBody"]["content"]["application/json"][
            "schema"
        ]
        for example in body["examples"]:
            jsonschema.validate(example, body)
            assert live.post(f"/cast/{art}", json=example).status_code == 200
        with pytest.raises(jsonschema.ValidationError):
            jsonschema.validate({"noble": "nobody"}, body)
