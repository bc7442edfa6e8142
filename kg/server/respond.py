"""Between requests and replies: what the routes read of a request, and how replies and refusals are sent."""

from __future__ import annotations

import asyncio
import json
from typing import cast

from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response

from kg.server.negotiation import HTML, JSON, choose, language
from kg.server.pages_render import message
from kg.server.pool import Pool
from kg.server.reply import Refused, Reply

BODY_SECONDS = 20.0
"""How long a client may take to send what it asks."""
LANGUAGES = ("en", "ko", "zh")


def pool_of(request: Request) -> Pool:
    """The workers of the server."""
    return cast(Pool, request.app.state.pool)


def accept_of(request: Request) -> str:
    """What the client accepts; anything, where it does not say."""
    return ",".join(request.headers.getlist("accept")) or "*/*"


def language_of(request: Request) -> str:
    """The language of words and reasons: the parameter `lang`, else what the client likes best.

    Raises Refused (400) for a `lang` that there is not.
    """
    given = request.query_params.get("lang")
    if given is None:
        return language(",".join(request.headers.getlist("accept-language")), LANGUAGES)
    if given not in LANGUAGES:
        raise Refused(400, f"lang: {given!r} is not accepted; give {', '.join(LANGUAGES)}")
    return given


async def body_of(request: Request, most: int) -> bytes:
    """The body of a request. Raises Refused: 413 for more than `most` bytes, 408 for one that does not come."""
    too_long = Refused(413, f"the body is longer than {most} bytes")
    declared = request.headers.get("content-length", "0")
    if declared.isascii() and declared.isdigit() and int(declared) > most:
        raise too_long
    content = bytearray()
    try:
        async with asyncio.timeout(BODY_SECONDS):
            async for chunk in request.stream():
                content += chunk
                if len(content) > most:
                    raise too_long
    except TimeoutError:
        raise Refused(408, f"the body did not come within {BODY_SECONDS:g} s") from None
    except ClientDisconnect:
        raise Refused(400, "the body broke off") from None
    return bytes(content)


def content_type_of(request: Request) -> str:
    """The media type of the body, without parameters.

    Raises Refused (415) for a charset that is not UTF-8.
    """
    kind, _, parameters = request.headers.get("content-type", "").partition(";")
    for parameter in parameters.split(";"):
        name, _, value = parameter.strip().partition("=")
        if name.lower() == "charset" and value.strip('"').lower() not in ("utf-8", "utf8", "us-ascii"):
            raise Refused(415, f"charset {value.strip()} is not read; send UTF-8")
    return kind.strip().lower()


def respond(reply: Reply, *, vary: bool = False) -> Response:
    """A reply as a response; `vary` where another client might have got another form or language."""
    headers = dict(reply.headers)
    if vary:
        headers["Vary"] = "Accept, Accept-Language"
    kind = reply.media_type
    if kind.startswith("text/") and "charset" not in kind:
        kind += "; charset=utf-8"
    return Response(reply.content, reply.status, headers | {"Content-Type": kind})


def refusal(request: Request, error: Exception) -> Response:
    """A refusal as a response: one line, as JSON, or as a page for who asks for pages, by Accept or by suffix."""
    assert isinstance(error, Refused)
    try:
        kind = choose(
            accept_of(request), [HTML, JSON] if request.url.path.endswith(".html") else [JSON, HTML]
        )
    except Refused:
        kind = JSON
    if kind == HTML:
        try:
            tongue = language_of(request)
        except Refused:
            tongue = LANGUAGES[0]
        content = message(error.status, error.message, tongue)
    else:
        content = json.dumps({"error": error.message}, ensure_ascii=False).encode() + b"\n"
    return respond(Reply(content, kind, {**error.headers, "Vary": "Accept"}, error.status))
