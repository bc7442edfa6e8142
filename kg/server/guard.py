"""What holds for every request before any route sees it: a host that is one, and headers that bind the browser."""

from __future__ import annotations

import asyncio
import logging
import re

from starlette.datastructures import MutableHeaders
from starlette.requests import Request
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from kg.server.reply import Refused
from kg.server.respond import refusal

POLICY = "default-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'; object-src 'none'"
HEADERS = {
    "Content-Security-Policy": POLICY,
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
}
"""Headers of every answer; a route that has one of them keeps its own."""
DRAINED = 64 << 20
"""How many bytes of a body that no one wants are read, so that the client hears why."""
DRAIN_SECONDS = 10.0

_logger = logging.getLogger("uvicorn.error")
_HOST = re.compile(r"[A-Za-z0-9._-]+(?::\d{1,5})?|\[[0-9A-Fa-f:.]+\](?::\d{1,5})?", re.ASCII)


class Guard:
    """The outermost layer of the application."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        taken, ended, begun = 0, False, False

        async def counted() -> Message:
            nonlocal taken, ended
            message = await receive()
            taken += len(message.get("body", b""))
            ended = message["type"] != "http.request" or not message.get("more_body", False)
            return message

        async def drain() -> None:
            while not ended and taken < DRAINED:
                await counted()

        async def guarded(message: Message) -> None:
            nonlocal begun
            begun = True
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in HEADERS.items():
                    headers.setdefault(name, value)
                if _has_body(scope) and not ended:
                    # a client that still sends would see a broken connection and not the answer
                    try:
                        async with asyncio.timeout(DRAIN_SECONDS):
                            await drain()
                    except TimeoutError:
                        headers["Connection"] = "close"
            await send(message)

        request = Request(scope, counted)
        if not _HOST.fullmatch(request.headers.get("host", "")):
            await refusal(request, Refused(400, "Host: a name or address, with a port or without"))(
                scope, counted, guarded
            )
            return
        try:
            await self.app(scope, counted, guarded)
        except Exception:
            _logger.exception("%s %s", request.method, request.url.path)
            if begun:
                raise
            await refusal(request, Refused(500, "a fault of the server; its log says more"))(
                scope, counted, guarded
            )


def _has_body(scope: Scope) -> bool:
    return any(name in (b"content-length", b"transfer-encoding") for name, _ in scope["headers"])
