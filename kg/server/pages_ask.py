"""Questions: the named queries with their parameters, and an editor for any query, both answered with a table."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from pyoxigraph import NamedNode, QuerySolutions, Store

import queries
from kg.asking import kept_for
from kg.errors import SanshiError
from kg.query_text import calls_service
from kg.server import api
from kg.server.pages_render import Labels, address_of, page
from kg.server.reply import Refused, Reply
from kg.server.results import CUT
from kg.server.sparql import run
from kg.server.world import World
from ontology import expand, prefixes, shorten

ACCEPT = "application/sparql-results+json, text/turtle;q=0.9"
SHOWN = 500
"""How many rows a page shows; the files have them all."""
FIRST = "PREFIX shi: <https://w3id.org/sanshi/ontology#>\nSELECT ?judgment ?quote WHERE {\n  ?judgment a shi:Judgment ; shi:quote ?quote\n}\nLIMIT 20\n"
"""What stands in the editor at first."""


@dataclass(frozen=True, slots=True)
class Cell:
    """A term in a row of an answer."""

    text: str
    tag: str = ""
    href: str = ""
    name: str = ""


@dataclass(frozen=True, slots=True)
class Told:
    """An answer as a page shows it: a table, or a graph as Turtle."""

    columns: Sequence[str]
    rows: Sequence[Sequence[Cell]]
    count: int
    cut: bool
    turtle: str = ""


def groups(store: Store) -> dict[str, list[queries.NamedQuery]]:
    """The named queries by what they are for: questions, reports, checks, and what this store has no answer to.

    >>> from kg.findings import shared
    >>> [query.name for query in groups(shared().store)["ask_elsewhere"]][:2]
    ['changes-by-school', 'charts-with-heading']
    """
    kinds = ("ask_named", "ask_reports", "ask_elsewhere", "ask_checks")
    found: dict[str, list[queries.NamedQuery]] = {kind: [] for kind in kinds}
    for query in queries.named().values():
        if calls_service(query.text):
            continue
        if not kept_for(store, query):
            found["ask_elsewhere"].append(query)
        elif query.is_violation:
            found["ask_checks"].append(query)
        elif query.name.endswith("-report"):
            found["ask_reports"].append(query)
        else:
            found["ask_named"].append(query)
    return found


def editor(world: World, load: str, language: str) -> Reply:
    """The list of questions, and the editor with the text of one of them, or with a beginning."""
    text = queries.get(load).text if load else FIRST
    return _editor(world, language, text, {"load": load}, None, "")


def failed(world: World, text: str, error: str, status: int, language: str) -> Reply:
    """The editor with a query that could not be answered, and why."""
    return _editor(world, language, text, {"query": text}, None, error, status)


def free(world: World, text: str, language: str) -> Reply:
    """The editor with a query and its answer."""
    try:
        answer = _told(run(world.store, text, ACCEPT, world.limit), world.store, language)
    except SanshiError as error:
        return failed(world, text, str(error), getattr(error, "status", 400), language)
    return _editor(world, language, text, {"query": text}, answer, "")


def _editor(
    world: World,
    language: str,
    text: str,
    asked: Mapping[str, str],
    answer: Told | None,
    error: str,
    status: int = 200,
) -> Reply:
    lines = text.splitlines()
    same = (query.name for query in queries.named().values() if query.text.splitlines() == lines)
    context = {
        "text": text,
        "answer": answer,
        "error": error,
        "load": next(same, ""),
        "groups": groups(world.store),
        "shown": SHOWN,
        "prefixes": [f"{name}: <{iri}>" for name, iri in prefixes().items()],
    }
    return page("ask.html", language, "/ask", asked, status, **context)


def named(world: World, name: str, given: Sequence[tuple[str, str]], language: str) -> Reply:
    """A named query: its question, its parameters, and its answer where all of them are given.

    Raises Refused (404) for a query that there is not.
    """
    if name not in queries.named():
        raise Refused(404, f"there is no query called {name!r}; /ask lists them")
    query = queries.get(name)
    values = {key: text.strip() for key, text in given if text.strip()}
    answer, error, status = None, "", 200
    if values or not query.parameters:
        try:
            answer = _told(api.ask(world, name, values, ACCEPT), world.store, language)
        except SanshiError as problem:
            error, status = str(problem), getattr(problem, "status", 400)
    choices = {
        parameter.name: _choices(world.doctrine.store, parameter.type, language)
        for parameter in query.parameters
    }
    context: dict[str, Any] = {"query": query, "given": values, "answer": answer, "error": error}
    context |= {"choices": choices, "shown": SHOWN, "files": ("json", "csv", "ttl")}
    return page("ask_named.html", language, f"/ask/{name}", values, status, **context)


def _choices(store: Store, kind: str, language: str) -> list[str]:
    """The labels of what a parameter may be; none for text, numbers and charts."""
    if kind in ("text", "integer", "Chart"):
        return []
    label = Labels(store, language)
    classes = " ".join(
        f"<{expand('skos:Concept')}>" if name == "Concept" else f"<{expand('shi:' + name)}>"
        for name in kind.split(" or ")
    )
    found = store.query(
        f"SELECT DISTINCT ?node {{ VALUES ?class {{ {classes} }} ?node a/rdfs:subClassOf* ?class }}",
        prefixes=dict(prefixes()),
    )
    assert isinstance(found, QuerySolutions)
    nodes = [row["node"] for row in found]
    return sorted({label(node) for node in nodes if isinstance(node, NamedNode)})


def _told(reply: Reply, store: Store, language: str) -> Told:
    """An answer that was written for programs, for a page."""
    cut = CUT in reply.headers
    if reply.media_type.startswith("text/turtle"):
        return Told((), (), 0, cut, reply.content.decode())
    told = json.loads(reply.content)
    if "boolean" in told:
        return Told(("answer",), ((Cell(str(told["boolean"]).lower()),),), 1, False)
    columns = told["head"]["vars"]
    bindings = told["results"]["bindings"]
    label = Labels(store, language)
    rows = [[_cell(row.get(column), label, language) for column in columns] for row in bindings[:SHOWN]]
    return Told(columns, rows, len(bindings), cut)


def _cell(term: Mapping[str, Any] | None, label: Labels, language: str) -> Cell:
    if term is None:
        return Cell("")
    if term["type"] == "uri":
        iri = term["value"]
        short = shorten(iri)
        shown = label(NamedNode(iri))
        return Cell(shown, href=address_of(language, iri), name="" if shown == short else short)
    value = term["value"]
    return Cell(
        value if isinstance(value, str) else json.dumps(value, ensure_ascii=False), term.get("xml:lang", "")
    )
