"""`sanshi serve`: the graph over HTTP, with SPARQL, pages, charts and texts."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from kg.cli.app import app


@app.command()
def serve(
    host: Annotated[str, typer.Option(help="Address to listen at.")] = "127.0.0.1",
    port: Annotated[int, typer.Option(min=0, max=65535, help="Port; 0 for any that is free.")] = 8000,
    store: Annotated[
        Path | None,
        typer.Option(help="A collection on disk, served with the doctrine; without it, the doctrine alone."),
    ] = None,
    timeout: Annotated[float, typer.Option(min=0.1, help="Seconds after which a query is stopped.")] = 10.0,
    limit: Annotated[int, typer.Option(min=1, help="Rows or triples after which an answer is cut.")] = 10_000,
    workers: Annotated[
        int | None,
        typer.Option(min=2, help="Processes that answer; if not given, one more than there are processors."),
    ] = None,
) -> None:
    """Serve the graph, read-only: SPARQL, a page for every IRI, charts on demand, texts. Needs the extra `web`."""
    from importlib.util import find_spec

    from kg.errors import MissingInput

    if find_spec("starlette") is None or find_spec("uvicorn") is None:
        raise MissingInput("sanshi serve", "the extra web: python -m pip install 'sanshi[web]'")
    from kg.server.run import run
    from kg.server.world import Settings

    settings = (
        Settings(store, timeout, limit) if workers is None else Settings(store, timeout, limit, workers)
    )
    run(settings, host, port)
