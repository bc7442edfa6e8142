"""The services for programs: cast a chart, run a named query, search. JSON in, and what the client accepts out."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

import queries
from kg import liuren_chart, qimen_chart
from kg.asking import bind, check, kept_for
from kg.casting_graph import serialize
from kg.chart_json import casting_json
from kg.errors import InputError
from kg.facts import Chart
from kg.query_text import calls_service
from kg.recast import with_charts
from kg.search import Scope
from kg.search import search as find
from kg.server.fields import read
from kg.server.negotiation import JSON, choose, suffixed
from kg.server.reply import Refused, Reply, json_reply
from kg.server.respond import accept_of, body_of, content_type_of, pool_of, respond
from kg.server.sparql import run
from kg.server.world import World
from kg.topics import judged

MOST = 1 << 16
"""How many bytes the description of a chart may have."""
CAST_TYPES: Mapping[str, str] = {JSON: "json", "text/turtle": "turtle", "application/ld+json": "jsonld"}
"""The media types of a casting, and what `kg.casting_graph` calls them."""
QUERY_SUFFIXES: Mapping[str, str] = {
    JSON: "json",
    "text/csv": "csv",
    "text/tab-separated-values": "tsv",
    "application/sparql-results+xml": "xml",
    "text/turtle": "ttl",
    "application/n-triples": "nt",
    "application/ld+json": "jsonld",
}
"""The media types that a suffix of a named query names."""
SEARCH = ("q", "in", "exact", "limit")


async def cast(request: Request) -> Response:
    """Cast a chart and say what applies to it."""
    kind = content_type_of(request)
    if kind != JSON:
        raise Refused(415, f"Content-Type: {kind or 'none'} is not read; send {JSON}")
    body = _object(await body_of(request, MOST))
    media_type = choose(accept_of(request), CAST_TYPES)
    art = request.url.path.rpartition("/")[2]
    return respond(await pool_of(request).run(cast_chart, art, body, media_type), vary=True)


async def query_list(request: Request) -> Response:
    """The named queries: what each answers, takes and gives."""
    return respond(await pool_of(request).keep(query_told))


async def named_query(request: Request) -> Response:
    """Run a named query; its parameters are those of the address."""
    name, media_type = suffixed(request.path_params["name"], QUERY_SUFFIXES)
    given = _single(request)
    if name not in queries.named():
        raise Refused(404, f"there is no query called {name!r}; GET /query lists them")
    accept = media_type or accept_of(request)
    return respond(await pool_of(request).query(ask, name, given, accept), vary=media_type is None)


async def search(request: Request) -> Response:
    """Words in passages, judgments and labels."""
    given = _single(request, also=("in",))
    for name in given:
        if name not in SEARCH:
            raise Refused(400, f"{name} is no parameter of the search; it takes {', '.join(SEARCH)}")
    if "q" not in given:
        raise Refused(400, "q is missing; give the words to look for")
    scopes = request.query_params.getlist("in") or [scope.value for scope in Scope]
    for scope in scopes:
        if scope not in list(Scope):
            raise InputError("in", scope, f"one of {', '.join(Scope)}")
    exact = given.get("exact", "false")
    if exact not in ("true", "false"):
        raise InputError("exact", exact, "true or false")
    limit = given.get("limit", "100")
    if not (limit.isascii() and limit.isdigit() and 0 < int(limit[:6]) <= 1000):
        raise InputError("limit", limit, "a whole number from 1 to 1000")
    return respond(await pool_of(request).run(hits, given["q"], exact == "true", tuple(scopes), int(limit)))


routes = [
    Route("/cast/liuren", cast, methods=["POST"]),
    Route("/cast/qimen", cast, methods=["POST"]),
    Route("/query", query_list),
    Route("/query/{name}", named_query),
    Route("/search", search),
]


def _object(body: bytes) -> dict[str, Any]:
    """The JSON object of a body. Raises Refused for what is none."""

    def constant(name: str) -> None:
        raise ValueError(f"{name} is no JSON")

    try:
        value = json.loads(body.decode(), parse_constant=constant)
    except (ValueError, RecursionError) as error:
        raise Refused(400, f"the body is not JSON ({error})") from None
    if not isinstance(value, dict):
        raise Refused(
            400,
            'the body is to be a JSON object, such as {"instant": "2025-02-19T23:42", "tz": "Asia/Shanghai"}',
        )
    return value


def _single(request: Request, also: tuple[str, ...] = ()) -> dict[str, str]:
    """The parameters of an address. Raises Refused for one that is given twice, unless it may be."""
    given: dict[str, str] = {}
    for name, value in request.query_params.multi_items():
        if name in given and name not in also:
            raise Refused(400, f"{name} is given more than once")
        given[name] = value
    return given


def query_told(world: World) -> Reply:
    """All named queries, and of each whether it runs here."""
    return json_reply([_told(world, query) for query in queries.named().values()])


def _told(world: World, query: queries.NamedQuery) -> dict[str, Any]:
    return {
        "name": query.name,
        "question": query.question,
        "parameters": [asdict(parameter) for parameter in query.parameters],
        "columns": list(query.columns),
        "runs": not calls_service(query.text) and kept_for(world.store, query),
        "path": f"/query/{query.name}",
        "text": query.text,
    }


def cast_chart(world: World, art: str, body: Mapping[str, Any], media_type: str) -> Reply:
    """The casting that a body asks for. Raises InputError, InstantError, MissingInput, QueryError."""
    asked = read(art, body)
    inputs = dict(asked.inputs)
    chart: Chart
    if art == "liuren":
        chart = liuren_chart.cast(asked.schools, **inputs)
    else:
        if "birth" in inputs:
            inputs["birth"] = str(inputs["birth"])
        chart = qimen_chart.cast(asked.schools, **inputs)
    casting = judged(world.doctrine, chart, asked.apart.get("topic"))
    headers = {"Content-Location": "/" + chart.iri.partition("/sanshi/")[2]}
    if media_type != JSON:
        return Reply(serialize(casting, CAST_TYPES[media_type]).encode(), media_type, headers)
    told = casting_json(casting, asked.apart.get("lang", "zh"))
    return Reply(json.dumps(told, ensure_ascii=False).encode(), JSON, headers)


def ask(world: World, name: str, given: Mapping[str, str], accept: str) -> Reply:
    """The answer to a named query. A chart that it asks about is cast for it, if its IRI says how."""
    query = queries.get(name)
    bound = bind(world.store, query, given)
    check(world.store, query)
    with with_charts(world.store, world.doctrine, bound.values()) as store:
        return run(store, query.text, accept, world.limit, bound=bound, columns=query.columns)


def hits(world: World, words: str, exact: bool, scopes: tuple[str, ...], limit: int) -> Reply:
    """The places where words stand, the first of them, and how many there are."""
    found = find(world.store, words, exact=exact, scopes=[Scope(scope) for scope in scopes])
    return json_reply({"query": words, "count": len(found), "hits": [asdict(hit) for hit in found[:limit]]})
