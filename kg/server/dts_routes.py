"""Distributed Text Services 1.0 over HTTP: entry point, collection, navigation, document, under `/dts`."""

from __future__ import annotations

from collections.abc import Mapping

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from kg import dts
from kg.server.reply import Refused, Reply, json_reply
from kg.server.respond import pool_of, respond
from kg.server.world import World


async def entry(request: Request) -> Response:
    """The entry point."""
    return respond(json_reply(dts.entry(_base(request)), dts.JSON_LD))


async def endpoint(request: Request) -> Response:
    """One of the three endpoints."""
    given: dict[str, str] = {}
    for name, value in request.query_params.multi_items():
        if name in given:
            raise Refused(400, f"{name} is given more than once")
        given[name] = value
    name = request.url.path.rpartition("/")[2]
    return respond(await pool_of(request).run(serve, name, _base(request), given))


routes = [
    Route("/dts", entry),
    Route("/dts/", entry),
    Route("/dts/collection", endpoint),
    Route("/dts/navigation", endpoint),
    Route("/dts/document", endpoint),
]


def _base(request: Request) -> str:
    return f"{request.base_url}dts"


def serve(world: World, name: str, base: str, given: Mapping[str, str]) -> Reply:
    """The answer of an endpoint. Raises DtsError, with the status that the specification gives."""
    if name == "document":
        document = dts.document(world.store, base, given)
        headers = dict(document.headers)
        return Reply(document.content, headers.pop("Content-Type"), headers)
    answer = dts.collection if name == "collection" else dts.navigation
    return json_reply(answer(world.store, base, given), dts.JSON_LD)
