"""The routes of the pages: what a request asks is read here, and a worker makes the page."""

from __future__ import annotations

from pathlib import Path

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Mount, Route
from starlette.staticfiles import StaticFiles

from kg.errors import SanshiError
from kg.server import pages_ask, pages_browse, pages_cast, pages_read
from kg.server.pages_forms import cleaned
from kg.server.pages_render import address
from kg.server.reply import Refused, Reply
from kg.server.respond import language_of, pool_of, respond

STATIC = Path(__file__).parent / "static"


async def home(request: Request) -> Response:
    """The first page, with the forms that cast a chart."""
    return _page(await pool_of(request).keep(pages_cast.home, language_of(request)))


async def chart(request: Request) -> Response:
    """A chart; a form's address is first made short, so that it can be passed on."""
    art = request.path_params["art"]
    if art not in ("liuren", "qimen"):
        raise Refused(404, f"there is no art {art}; /chart/liuren and /chart/qimen are")
    language = language_of(request)
    given = request.query_params.multi_items()
    try:
        kept = {name: text for name, text in cleaned(art, given).items() if name != "lang"}
    except SanshiError:
        kept = None  # the page says what is wrong
    if kept is not None and len(kept) < sum(1 for name, _ in given if name != "lang"):
        return RedirectResponse(address(language, request.url.path, **kept), 303)
    return _page(await pool_of(request).run(pages_cast.chart, art, tuple(given), language))


async def library(request: Request) -> Response:
    """The treatises."""
    return _page(await pool_of(request).keep(pages_read.library, language_of(request)))


async def contents(request: Request) -> Response:
    """The contents of a treatise."""
    slug = request.path_params["work"]
    return _page(await pool_of(request).run(pages_read.contents, slug, language_of(request)))


async def passage(request: Request) -> Response:
    """A passage of a treatise."""
    where = request.path_params["work"], request.path_params["ref"]
    mode = request.query_params.get("mode", "established")
    reply = await pool_of(request).run(pages_read.passage, *where, mode, language_of(request))
    return _page(reply)


async def browse(request: Request) -> Response:
    """A room of things to browse, or the door to all of them."""
    room = request.path_params.get("room", "")
    if room and room not in pages_browse.ROOMS:
        raise Refused(404, f"there is no room {room}; there are {', '.join(pages_browse.ROOMS)}")
    return _page(await pool_of(request).keep(pages_browse.browse, room, language_of(request)))


async def find(request: Request) -> Response:
    """Words looked for."""
    asked = request.query_params
    job, words = pages_browse.find, asked.get("q", "")
    scope, exact = asked.get("in", ""), asked.get("exact", "") == "true"
    return _page(await pool_of(request).run(job, words, scope, exact, language_of(request)))


async def ask(request: Request) -> Response:
    """The named questions and the editor; with a query, its answer."""
    asked, pool, language = request.query_params, pool_of(request), language_of(request)
    text = asked.get("query", "")
    if not text:
        return _page(await pool.run(pages_ask.editor, asked.get("load", ""), language))
    try:
        return _page(await pool.query(pages_ask.free, text, language))
    except Refused as refused:  # stopped, since it took too long or too much
        return _page(await pool.run(pages_ask.failed, text, refused.message, refused.status, language))


async def ask_named(request: Request) -> Response:
    """A named question, and its answer where its parameters are given."""
    given = tuple((name, text) for name, text in request.query_params.multi_items() if name != "lang")
    job, name = pages_ask.named, request.path_params["name"]
    return _page(await pool_of(request).query(job, name, given, language_of(request)))


def _page(reply: Reply) -> Response:
    """A page as a response; another reader might have got it in another language."""
    return respond(reply, vary=True)


routes = [
    Route("/", home),
    Route("/chart/{art}", chart),
    Route("/read", library),
    Route("/read/{work}", contents),
    Route("/read/{work}/{ref}", passage),
    Route("/browse", browse),
    Route("/browse/{room}", browse),
    Route("/find", find),
    Route("/ask", ask),
    Route("/ask/{name}", ask_named),
    Mount("/static", StaticFiles(directory=STATIC)),
]
