"""Run the application under uvicorn, on a socket opened beforehand, so that what is wrong with it is said plainly."""

from __future__ import annotations

import socket
import sys
from contextlib import suppress
from dataclasses import replace

import uvicorn

from kg.errors import InputError, StoreError
from kg.server.app import create_app
from kg.server.world import Settings, served

CONNECTIONS = 1000
"""How many connections there may be at once; more are answered with 503."""


def listen(host: str, port: int) -> socket.socket:
    """A socket that listens. Raises InputError where the system refuses it."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    try:
        heard = socket.create_server((host, port), family=family)
        # asyncio does this only where the protocol was named; without it a small answer waits 40 ms
        heard.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        return heard
    except OSError as error:
        raise InputError(
            "--host, --port", f"{host}, {port}", f"an address that is free here ({error})"
        ) from None


def server(settings: Settings) -> uvicorn.Server:
    """The server, not yet started. h11 reads the requests, for it bounds their heads at 64 KiB."""
    config = uvicorn.Config(
        create_app(settings),
        http="h11",
        ws="none",
        lifespan="on",
        access_log=False,
        server_header=False,
        limit_concurrency=CONNECTIONS,
        timeout_graceful_shutdown=5,
    )
    return uvicorn.Server(config)


def run(settings: Settings, host: str, port: int) -> None:
    """Serve until told to stop; the store of the settings may be one that others write to.

    Raises InputError for an address that is not to be had, StoreError for a store that is not.
    """
    with listen(host, port) as heard, served(settings.store) as copy, suppress(KeyboardInterrupt):
        address, number = heard.getsockname()[:2]
        shown = f"[{address}]" if ":" in address else address
        print(f"sanshi: http://{shown}:{number}/ (Ctrl-C stops it)", file=sys.stderr, flush=True)
        running = server(replace(settings, store=copy))
        try:
            running.run(sockets=[heard])
        except SystemExit:
            raise StoreError("the server could not start; what is written above says why") from None
