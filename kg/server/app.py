"""The application: all routes, the workers behind them, and what holds for every request."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from importlib.metadata import version

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.middleware.cors import CORSMiddleware
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from kg.errors import SanshiError
from kg.server import api, dts_routes, entities, openapi, pages, sparql
from kg.server.guard import Guard
from kg.server.pool import Pool
from kg.server.reply import Refused, Reply, json_reply
from kg.server.respond import pool_of, refusal, respond
from kg.server.results import CUT
from kg.server.world import Settings, World


async def health(request: Request) -> Response:
    """Whether the server answers: a worker is asked for the size of its graph."""
    return respond(await pool_of(request).run(alive, pool_of(request).size))


def alive(world: World, workers: int) -> Reply:
    """That a worker lives, and what it serves."""
    counted = {"triples": len(world.store), "workers": workers, "version": version("sanshi")}
    return json_reply({"status": "ok", **counted})


def _other(request: Request, error: Exception) -> Response:
    """What Starlette refuses, and what jobs done here refuse, in the one form that all refusals have."""
    if isinstance(error, HTTPException):
        allowed = (error.headers or {}).get("Allow", "")
        lines = {
            404: f"nothing is at {request.url.path[:200]}; / names what there is",
            405: f"{request.method} is not answered here; use {allowed}",
        }
        line = lines.get(error.status_code, error.detail)
        return refusal(request, Refused(error.status_code, line, error.headers))
    return refusal(request, Refused(getattr(error, "status", 400), str(error)))


def create_app(settings: Settings) -> Starlette:
    """The application; its workers live as long as its lifespan."""

    @asynccontextmanager
    async def lifespan(app: Starlette) -> AsyncIterator[None]:
        app.state.pool = Pool(settings)
        try:
            app.state.pool.start()
            await app.state.pool.run(
                alive, app.state.pool.size
            )  # better no server than one that cannot answer
            yield
        finally:
            app.state.pool.stop()

    routes = [
        Route("/health", health),
        Route("/openapi.json", openapi.openapi),
        *sparql.routes,
        *api.routes,
        *entities.routes,
        *dts_routes.routes,
        *pages.routes,
    ]
    shared = Middleware(
        CORSMiddleware,
        allow_origins=["*"],
        allow_methods=["GET", "HEAD", "POST", "OPTIONS"],
        allow_headers=["*"],
        expose_headers=[CUT, "Content-Location", "Link", "Retry-After"],
        max_age=86400,
    )
    app = Starlette(
        routes=routes,
        middleware=[Middleware(Guard), shared],
        exception_handlers={Refused: refusal, SanshiError: _other, HTTPException: _other},
        lifespan=lifespan,
    )
    app.router.redirect_slashes = False
    return app
