"""The services for programs as an OpenAPI 3.1 document, written from what the services themselves read."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cache
from importlib.metadata import version
from typing import Any

from starlette.requests import Request
from starlette.responses import Response

import queries
from kg.search import Scope
from kg.server.fields import CASTS, LANG, Field, school_fields
from kg.server.limits import calls_service
from kg.server.negotiation import GRAPHS, HTML, JSON, ROWS
from kg.server.reply import json_reply
from kg.server.respond import respond

Json = dict[str, Any]

TEXT: Json = {"type": "string"}
OPEN: Json = {"type": "object"}
TITLES = {"liuren": "Cast a chart of 大六壬", "qimen": "Cast a chart of 奇門遁甲"}
EXAMPLES: Mapping[str, Json] = {
    "liuren": {"instant": "2025-02-19T23:42", "tz": "Asia/Shanghai"},
    "qimen": {"instant": "2026-02-18T22:59", "tz": "Asia/Shanghai", "method": "zhirun", "birth": 1980},
}
REFUSALS = {
    "400": "What was asked cannot be: the line says what was wrong and what is accepted.",
    "404": "There is no such thing.",
    "406": "Not to be had in a form that Accept allows.",
    "413": "The body is too long.",
    "415": "The body is of a type that is not read.",
    "503": "Too many requests at once.",
    "504": "Stopped after the time that a query has.",
}


async def openapi(request: Request) -> Response:
    """The document."""
    return respond(json_reply(document()))


@cache
def document() -> Json:
    """The document. Its paths are those of `kg.server.api`, `/sparql`, and a thing's page.

    >>> sorted(document()["paths"])[:3]
    ['/cast/liuren', '/cast/qimen', '/id/{kind}/{name}']
    """
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "Sanshi",
            "version": version("sanshi"),
            "summary": "Charts of 大六壬 and 奇門遁甲 and what two treatises say of them.",
            "license": {"name": "Apache-2.0 AND CC-BY-4.0", "identifier": "Apache-2.0 AND CC-BY-4.0"},
        },
        "servers": [{"url": "/"}],
        "paths": {
            **{f"/cast/{art}": {"post": _cast(art)} for art in CASTS},
            "/query": {
                "get": _get(
                    "listQueries", "The named queries", [], {JSON: {"type": "array", "items": _ref("Query")}}
                )
            },
            **{
                f"/query/{query.name}": {"get": _query(query)}
                for query in queries.named().values()
                if not calls_service(query.text)
            },
            "/search": {"get": _search()},
            "/sparql": {"get": _sparql()},
            "/id/{kind}/{name}": {"get": _entity()},
        },
        "components": {
            "schemas": {
                "Casting": _casting(),
                "Query": _described_query(),
                "Hits": _hits(),
                "Refusal": _object({"error": {**TEXT, "description": "One line."}}),
            },
            "responses": {
                status: {"description": about, "content": {JSON: {"schema": _ref("Refusal")}}}
                for status, about in REFUSALS.items()
            },
        },
    }


def _ref(name: str, room: str = "schemas") -> Json:
    return {"$ref": f"#/components/{room}/{name}"}


def _object(properties: Json, optional: Iterable[str] = ()) -> Json:
    left_out = set(optional)
    return {
        "type": "object",
        "properties": properties,
        "required": [n for n in properties if n not in left_out],
    }


def _list(items: Json) -> Json:
    return {"type": "array", "items": items}


def _or_null(schema: Json) -> Json:
    return {**schema, "type": [schema["type"], "null"]}


def _operation(name: str, summary: str, contents: Mapping[str, Json], refusals: Iterable[str]) -> Json:
    content = {media_type: {"schema": schema} for media_type, schema in contents.items()}
    return {
        "operationId": name,
        "summary": summary,
        "responses": {
            "200": {"description": "What was asked for.", "content": content},
            **{status: _ref(status, "responses") for status in refusals},
        },
    }


def _get(
    name: str, summary: str, parameters: list[Json], contents: Mapping[str, Json], refusals: str = ""
) -> Json:
    told = _operation(name, summary, contents, refusals.split())
    return {**told, "parameters": parameters} if parameters else told


def _parameter(name: str, schema: Json, about: str, required: bool = False, where: str = "query") -> Json:
    told = {"name": name, "in": where, "description": about, "schema": schema}
    return {**told, "required": True} if required else told


def _cast(art: str) -> Json:
    fields: tuple[Field, ...] = (*CASTS[art], *school_fields(art))
    body = {
        "type": "object",
        "properties": {field.name: field.schema() for field in fields},
        "additionalProperties": False,
        "examples": [EXAMPLES[art]],
    }
    graph = {"text/turtle": TEXT, "application/ld+json": OPEN}
    told = _operation(
        f"cast_{art}", TITLES[art], {JSON: _ref("Casting"), **graph}, "400 406 413 415 503".split()
    )
    return {**told, "requestBody": {"required": True, "content": {JSON: {"schema": body}}}}


def _query(query: queries.NamedQuery) -> Json:
    parameters = [
        _parameter(
            parameter.name,
            {"type": "integer" if parameter.type == "integer" else "string", "examples": [parameter.example]},
            f"{parameter.type}; a thing by its label, prefixed name or IRI.",
            required=True,
        )
        for parameter in query.parameters
    ]
    makes_graph = query.name.startswith("construct-")
    contents: dict[str, Json] = dict.fromkeys(GRAPHS if makes_graph else ROWS, TEXT)
    for kind in contents:
        if kind.endswith("json"):
            contents[kind] = OPEN
    return _get(f"query_{query.name}", query.question, parameters, contents, "400 406 503 504")


def _search() -> Json:
    parameters = [
        _parameter("q", TEXT, "Words to look for, in any script.", required=True),
        _parameter(
            "in", _list({**TEXT, "enum": [scope.value for scope in Scope]}), "Where; everywhere if not given."
        ),
        _parameter("exact", {"type": "boolean", "default": False}, "Every character as typed, no variants."),
        _parameter(
            "limit",
            {"type": "integer", "minimum": 1, "maximum": 1000, "default": 100},
            "How many hits are given.",
        ),
    ]
    return _get(
        "search", "Words in passages, judgments and labels", parameters, {JSON: _ref("Hits")}, "400 503"
    )


def _sparql() -> Json:
    parameters = [
        _parameter("query", TEXT, "A query of SPARQL 1.1; without it, the service is described."),
        _parameter("default-graph-uri", _list(TEXT), "Graphs that make the default graph."),
        _parameter("named-graph-uri", _list(TEXT), "Graphs that may be named."),
    ]
    contents = {kind: OPEN if kind.endswith("json") else TEXT for kind in (*ROWS, *GRAPHS)}
    return _get(
        "sparql",
        "The SPARQL 1.1 endpoint; POST is answered as the protocol has it",
        parameters,
        contents,
        "400 406 503 504",
    )


def _entity() -> Json:
    parameters = [
        _parameter(
            "kind", TEXT, "What it is: branch, pattern, judgment, chart …", required=True, where="path"
        ),
        _parameter(
            "name",
            TEXT,
            "Its name; .ttl, .nt, .jsonld, .rdf, .html choose the form.",
            required=True,
            where="path",
        ),
        _parameter("lang", {**TEXT, "enum": list(LANG)}, "Language of the page."),
    ]
    contents = {kind: OPEN if kind.endswith("json") else TEXT for kind in (*GRAPHS, HTML)}
    return _get("thing", "What the graph says of a thing, by its IRI", parameters, contents, "404 406 503")


def _casting() -> Json:
    text, texts = TEXT, _list(TEXT)
    clause = {"heading": text, "name": _or_null(text), "quote": text, "passage": text, "locator": text}
    words = _object({"lzh": text, "en": text, "ko": text})
    chart = {
        "iri": text,
        "art": {**text, "enum": list(CASTS)},
        "instant": _or_null(text),
        "pillars": _object({name: _or_null(text) for name in ("year", "month", "day", "hour")}),
        "void": texts,
        "options": {"type": "object", "additionalProperties": text},
    }
    finding = {
        "iri": text,
        "judgment": text,
        **clause,
        "text": words,
        "hollow": {"type": "boolean"},
        "hollowed_by": _list(_object({**clause, "text": words})),
        "because": texts,
        "facets": OPEN,
        "readings": _list({"type": "object", "additionalProperties": text}),
    }
    omitted = {"heading": text, "judgments": {"type": "integer"}, "needs": text, "how": text}
    omitted |= {"partly": {"type": "boolean"}, "sentence": text}
    return _object(
        {"chart": _object(chart), "findings": _list(_object(finding)), "omitted": _list(_object(omitted))}
    )


def _described_query() -> Json:
    parameter = _object({"name": TEXT, "type": TEXT, "example": TEXT})
    told = {"name": TEXT, "question": TEXT, "parameters": _list(parameter), "columns": _list(TEXT)}
    return _object({**told, "runs": {"type": "boolean"}, "path": TEXT, "text": TEXT})


def _hits() -> Json:
    hit = {
        "scope": {**TEXT, "enum": [scope.value for scope in Scope]},
        **dict.fromkeys(("node", "field", "before", "match", "after", "language"), TEXT),
        **{name: _or_null(TEXT) for name in ("reading", "heading", "locator")},
    }
    return _object({"query": TEXT, "count": {"type": "integer"}, "hits": _list(_object(hit))})
