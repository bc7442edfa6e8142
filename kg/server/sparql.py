"""The SPARQL 1.1 Protocol, queries only: GET, POST with a form, POST with the query itself; without a query, the
description of the service.

Read-only by construction: no function that changes a store is called, a worker cannot open a file or a connection
while it runs a query, and its copy of the graph is its own.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import NoReturn
from urllib.parse import parse_qs

from pyoxigraph import BlankNode, DefaultGraph, Literal, NamedNode, Store, Triple, Variable
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from kg.endpoint import GRAPH
from kg.errors import QueryError
from kg.query_text import calls_service, fault, graphs_of, is_update
from kg.server.limits import sealed
from kg.server.negotiation import HTML, graph_type
from kg.server.reply import Refused, Reply
from kg.server.respond import accept_of, body_of, content_type_of, pool_of, respond
from kg.server.results import Answered, answer
from kg.server.service import description
from kg.server.world import World
from ontology import prefixes

MOST = 1 << 20
"""How many bytes a query may have."""
KNOWN = ("query", "default-graph-uri", "named-graph-uri")
FORM, QUERY = "application/x-www-form-urlencoded", "application/sparql-query"

Parameters = Mapping[str, list[str]]


async def sparql(request: Request) -> Response:
    """The endpoint."""
    given = _parameters(request.scope["query_string"])
    if request.method == "POST":
        kind = content_type_of(request)
        if kind not in (FORM, QUERY):
            if kind == "application/sparql-update":
                _refuse_update()
            raise Refused(415, f"Content-Type: {kind or 'none'} is not read; send {QUERY} or {FORM}")
        body = await body_of(request, MOST)
        if kind == FORM:
            if given:
                raise Refused(400, "a form has all parameters in its body and none in the address")
            given = _parameters(body)
        elif "query" in given:
            raise Refused(400, "the query is either the body or a parameter, not both")
        else:
            given = {**given, "query": [_decoded(body)]}
    elif not given:
        media_type = graph_type(accept_of(request), also=[HTML])
        if media_type == HTML:
            return RedirectResponse("/ask", 303)
        endpoint = f"{request.base_url}sparql"
        return respond(await pool_of(request).run(service, endpoint, media_type), vary=True)
    query, default, named = _checked(given)
    reply = await pool_of(request).query(evaluate, query, accept_of(request), default, named)
    return respond(reply, vary=True)


routes = [Route("/sparql", sparql, methods=["GET", "POST"])]


def _decoded(text: bytes) -> str:
    try:
        return text.decode()
    except UnicodeDecodeError:
        raise Refused(400, "what was sent is not UTF-8") from None


def _parameters(text: bytes) -> dict[str, list[str]]:
    """The parameters of an address or a form. Raises Refused for text that is not UTF-8, or has too many."""
    try:
        return parse_qs(
            _decoded(text), keep_blank_values=True, encoding="utf-8", errors="strict", max_num_fields=100
        )
    except UnicodeDecodeError:
        raise Refused(400, "a parameter is not UTF-8") from None
    except ValueError as error:
        raise Refused(400, f"the parameters cannot be read ({error})") from None


def _refuse_update() -> NoReturn:
    raise Refused(403, "this endpoint answers queries and takes no updates")


def _checked(given: Parameters) -> tuple[str, list[str] | None, list[str] | None]:
    """The query, and the graphs of its dataset. Raises Refused where there is not one query."""
    if "update" in given or "using-graph-uri" in given or "using-named-graph-uri" in given:
        _refuse_update()
    for name in given:
        if name not in KNOWN:
            raise Refused(400, f"{name} is no parameter of this endpoint; it takes {', '.join(KNOWN)}")
    if len(given.get("query", [])) != 1:
        raise Refused(400, f"one query is to be given, and here are {len(given.get('query', []))}")
    if not given["query"][0].strip():
        raise Refused(400, "the query is empty")
    return given["query"][0], given.get("default-graph-uri"), given.get("named-graph-uri")


def evaluate(
    world: World, query: str, accept: str, default: list[str] | None, named: list[str] | None
) -> Reply:
    """Run a query over the served store, as it is or over some graphs of it alone."""
    whole = default is None and named is None
    # the graph in which `kg.endpoint` keeps what is ours is here the default graph
    chosen = [DefaultGraph() if graph.value == GRAPH else graph for graph in _graphs(default)]
    graphs = None if whole else (chosen, _graphs(named))
    return run(world.store, query, accept, world.limit, graphs=graphs)


def run(
    store: Store,
    query: str,
    accept: str,
    limit: int,
    *,
    graphs: tuple[Sequence[NamedNode | DefaultGraph], Sequence[NamedNode]] | None = None,
    bound: Mapping[Variable, NamedNode | BlankNode | Literal | Triple] | None = None,
    columns: tuple[str, ...] | None = None,
) -> Reply:
    """Run a query with files and connections shut off, and write the answer as the client likes it.

    `graphs` are the default and the named graphs; none for those of the store. Raises Refused: 403 for a query
    that asks another endpoint or for an update, 400 for what is no query or asks a graph that is not here, 406.
    """
    if calls_service(query):
        raise Refused(403, "SERVICE is not allowed here: this endpoint asks no other")
    if is_update(query):
        _refuse_update()
    if graphs is None:
        _only_ours(store, graphs_of(query, prefixes()))
    else:
        _only_ours(store, [n.value for side in graphs for n in side if isinstance(n, NamedNode)])
    default: list[NamedNode | BlankNode | DefaultGraph] | None = None
    named: list[NamedNode | BlankNode] | None = None
    if graphs is not None:
        default, named = list(graphs[0]), list(graphs[1])
    with sealed():
        try:
            found: Answered = store.query(
                query,
                prefixes=dict(prefixes()),
                substitutions=dict(bound or {}),
                default_graph=default,
                named_graphs=named,
            )
            return answer(found, accept, limit, columns)
        except SyntaxError as error:
            raise QueryError(f"not a SPARQL query: {fault(query, error)}") from None
        except (OSError, ValueError, RuntimeError) as error:
            raise QueryError(f"the query cannot be run: {error}") from None


def _only_ours(store: Store, graphs: Iterable[str]) -> None:
    """Raises Refused for a graph that the store does not have, which an engine would take for an empty one."""
    for iri in graphs:
        try:
            if store.contains_named_graph(NamedNode(iri)):
                continue
        except ValueError:
            pass  # no IRI, and so no graph of the store
        raise Refused(
            400,
            f"no graph is called <{iri[:200]}> here: only the dataset of this server can be asked, "
            "and nothing is read from elsewhere; GET /sparql describes it",
        )


def _graphs(iris: list[str] | None) -> list[NamedNode]:
    try:
        return [NamedNode(iri) for iri in iris or []]
    except ValueError as error:
        raise Refused(400, f"a graph is named by an IRI ({error})") from None


def service(world: World, endpoint: str, media_type: str) -> Reply:
    """The description of the service."""
    return Reply(description(world, endpoint, media_type), media_type)
