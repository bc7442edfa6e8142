"""A page for every IRI of ours: RDF or HTML by `Accept` or by suffix, charts cast from their IRI where need be.

The public IRIs are redirected here by their registry, with a 303 where they are not documents. What is here is
then the document: 200, with `Content-Location` naming the representation that was chosen, and no second journey.
"""

from __future__ import annotations

import difflib
import json
import re
from collections.abc import Mapping
from functools import cache

from pyoxigraph import NamedNode, Quad, Store
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from kg.casting_graph import triples
from kg.chart_json import casting_json
from kg.dataset import DATASET
from kg.dataset import describe as describe_dataset
from kg.export import jsonld, ordered, turtle
from kg.facts import quads
from kg.recast import CHARTS, recast
from kg.server import pages_cast, pages_things
from kg.server.describe import Description, closure, describe, of_quads, short
from kg.server.negotiation import GRAPHS, HTML, JSON, graph_type, suffixed
from kg.server.reply import Refused, Reply
from kg.server.respond import accept_of, language_of, pool_of, respond
from kg.server.results import graph
from kg.server.world import World
from kg.topics import judged
from ontology import BASE, TERMS

SUFFIXES: Mapping[str, str] = {**GRAPHS, HTML: "html"}
CHART_SUFFIXES: Mapping[str, str] = {**SUFFIXES, JSON: "json"}

_PATH = re.compile(r"[A-Za-z0-9._~!$&'()*+,;=:@%/-]{1,1000}")


async def entity(request: Request) -> Response:
    """The page of one thing, or of a part of a chart."""
    path = _path(request)
    is_chart = path.startswith("/id/chart/")
    path, media_type = suffixed(path, CHART_SUFFIXES if is_chart else SUFFIXES)
    job = chart_page if is_chart else thing_page
    reply = await pool_of(request).run(job, path, media_type, accept_of(request), language_of(request))
    return respond(reply, vary=True)


async def vocabulary(request: Request) -> Response:
    """The ontology as one document; its terms are fragments of it."""
    path, media_type = suffixed(_path(request), SUFFIXES)
    if path != "/ontology":
        raise Refused(404, f"the ontology is to be had as {', '.join(SUFFIXES.values())}")
    chosen = media_type or graph_type(accept_of(request), also=[HTML])
    reply = await pool_of(request).keep(vocabulary_page, path, chosen, language_of(request))
    return respond(reply, vary=True)


async def void(request: Request) -> Response:
    """The description of the dataset, whole."""
    media_type = graph_type(accept_of(request))
    return respond(await pool_of(request).keep(void_graph, media_type), vary=True)


routes = [
    Route("/.well-known/void", void),
    Route("/ontology", vocabulary),
    Route("/ontology.{suffix}", vocabulary),
    Route("/dataset", entity),
    Route("/dataset.{suffix}", entity),
    *(Route(f"/{room}/{{rest:path}}", entity) for room in ("id", "ontology", "dataset", "mappings")),
]


def _path(request: Request) -> str:
    """The path as it was asked for, not decoded. Raises Refused (404) for one that no IRI of ours can have."""
    raw = request.scope["raw_path"].partition(b"?")[0]
    path = raw.decode("latin-1")
    if not _PATH.fullmatch(path):
        raise Refused(404, "no IRI of ours is written so")
    return str(path)


def thing_page(world: World, path: str, media_type: str | None, accept: str, language: str) -> Reply:
    """The page of what the served store knows, or of a part of the description of the dataset."""
    iri = BASE + path.removeprefix("/")
    store = world.store
    if iri.startswith(DATASET.value):
        store = Store()
        store.extend(void_quads(world.store))
    found = describe(store, iri, _alternates(path, SUFFIXES), world.store)
    if found is None:
        raise Refused(404, f"there is no {short(iri)}{_near(world, iri)}")
    chosen = media_type or graph_type(accept, also=[HTML])
    if chosen == HTML:
        return _reply(pages_things.thing(world, found, language), HTML, found)
    return _graph_reply([*found.quads, *found.back], chosen, found)


def chart_page(world: World, path: str, media_type: str | None, accept: str, language: str) -> Reply:
    """The page of a chart, or of a part or finding of one: cast from the IRI, or as a collection has it."""
    iri = BASE + path.removeprefix("/")
    whole, _, part = iri.removeprefix(CHARTS).partition("/")
    chart = recast(CHARTS + whole)
    if chart is None:
        if describe(world.store, iri, {}) is None:
            hint = "POST /cast/liuren or /cast/qimen casts one and says its IRI, such as chart:liuren-57-gengshen-h.zi-g.hai"
            raise Refused(404, f"no chart has the IRI {short(iri)}; {hint}")
        return thing_page(world, path, media_type, accept, language)
    casting = judged(world.doctrine, chart)
    said = quads(triples(casting))
    node = NamedNode(iri)
    if part:
        own = [q for q in said if q.subject == node]
        if not own:
            raise Refused(404, f"{short(CHARTS + whole)} has no part {part}")
    else:
        own = said
    back = [q for q in said if q.object == node] if part else []
    found = of_quads(world.store, iri, own, back, _alternates(path, SUFFIXES if part else CHART_SUFFIXES))
    chosen = media_type or graph_type(accept, also=[HTML] if part else [HTML, JSON])
    if chosen == JSON and part:
        raise Refused(
            404, f"a part of a chart is not to be had as JSON; give one of {', '.join(SUFFIXES.values())}"
        )
    if chosen == JSON:
        return _reply(json.dumps(casting_json(casting, language), ensure_ascii=False).encode(), JSON, found)
    if chosen == HTML:
        if part:
            return _reply(pages_things.thing(world, found, language), HTML, found)
        return _reply(pages_cast.chart_html(world, casting, language), HTML, found)
    return _graph_reply([*own, *back], chosen, found)


def vocabulary_page(world: World, path: str, media_type: str, language: str) -> Reply:
    """All terms of the ontology, with the nodes of its modules."""
    store = world.doctrine.store
    subjects = {q.subject for q in store if isinstance(q.subject, NamedNode) and _is_term(q.subject.value)}
    alternates = _alternates(path, SUFFIXES)
    if media_type == HTML:
        terms = [describe(store, node.value, alternates) for node in sorted(subjects, key=lambda n: n.value)]
        shown = pages_things.vocabulary([term for term in terms if term is not None], language)
        return Reply(shown, HTML, _located(path, HTML))
    said = [quad for node in subjects for quad in closure(store, node)]
    return Reply(_written(said, media_type), media_type, _located(path, media_type))


def _is_term(iri: str) -> bool:
    return iri.startswith((TERMS, BASE + "ontology/")) or iri == BASE + "ontology"


def void_graph(world: World, media_type: str) -> Reply:
    """The description of the dataset as a graph."""
    return Reply(_written(list(void_quads(world.store)), media_type), media_type)


@cache
def void_quads(store: Store) -> tuple[Quad, ...]:
    """The description of the dataset that is served, counted once a process."""
    return tuple(describe_dataset(store))


def _near(world: World, iri: str) -> str:
    """A hint with the names of its kind, in the doctrine, that come near."""
    cut = max(iri.rfind("/"), iri.rfind("#")) + 1
    space, name = iri[:cut], iri[cut:]
    known = [other[cut:] for other in _described(world) if other.startswith(space)]
    near = difflib.get_close_matches(name[:100], known, n=3, cutoff=0.6)
    return f"; did you mean {' or '.join(short(space + other) for other in near)}?" if near else ""


@cache
def _described(world: World) -> frozenset[str]:
    """The IRIs of which the doctrine says something, gathered once a process."""
    return frozenset(q.subject.value for q in world.doctrine.store if isinstance(q.subject, NamedNode))


def _alternates(path: str, suffixes: Mapping[str, str]) -> dict[str, str]:
    return {media_type: f"{path}.{suffix}" for media_type, suffix in suffixes.items()}


def _located(path: str, media_type: str) -> dict[str, str]:
    return {"Content-Location": f"{path}.{CHART_SUFFIXES[media_type]}"}


def _written(said: list[Quad], media_type: str) -> bytes:
    """Quads as a graph, sorted, with the prefixes that they use."""
    sorted_quads = ordered(said)
    if media_type == "text/turtle":
        return turtle(sorted_quads)
    if media_type == "application/ld+json":
        return jsonld(sorted_quads)
    return graph([q.triple for q in sorted_quads], media_type)


def _graph_reply(said: list[Quad], media_type: str, found: Description) -> Reply:
    return _reply(_written(said, media_type), media_type, found)


def _reply(content: bytes, media_type: str, found: Description) -> Reply:
    links = [
        f'<{href}>; rel="alternate"; type="{kind}"'
        for kind, href in found.alternates.items()
        if kind != media_type
    ]
    headers = {"Content-Location": found.alternates[media_type], "Link": ", ".join(links)}
    return Reply(content, media_type, headers)
