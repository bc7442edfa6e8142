"""What the server answers as an OpenAPI 3.1 document, written from what the services themselves read."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from importlib.metadata import version

from starlette.requests import Request
from starlette.responses import Response

import queries
from kg.query_text import calls_service
from kg.search import Scope
from kg.server.fields import CASTS, Field, school_fields
from kg.server.negotiation import GRAPHS, JSON, ROWS
from kg.server.openapi_parts import (
    COUNT,
    OPEN,
    TEXT,
    Json,
    contents,
    get,
    operation,
    or_null,
    parameter,
    record,
    ref,
    several,
)
from kg.server.openapi_paths import data_paths, page_paths
from kg.server.reply import json_reply
from kg.server.respond import respond
from kg.server.sparql import FORM, KNOWN, QUERY

TITLES = {"liuren": "Cast a chart of 大六壬", "qimen": "Cast a chart of 奇門遁甲"}
EXAMPLES: Mapping[str, Json] = {
    "liuren": {"instant": "2025-02-19T23:42", "tz": "Asia/Shanghai"},
    "qimen": {"instant": "2026-02-18T22:59", "tz": "Asia/Shanghai", "method": "zhirun", "birth": 1980},
}
REFUSALS = {
    "400": "What was asked cannot be: the line says what was wrong and what is accepted.",
    "403": "Not done here: an update, or a query of another endpoint.",
    "404": "There is no such thing.",
    "406": "Not to be had in a form that Accept allows.",
    "408": "The body did not come in time.",
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
    """The document: every route of the server. What is asked by GET may be asked by HEAD as well.

    >>> sorted(document()["paths"])[:3]
    ['/', '/.well-known/void', '/ask']
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
            "/query": get("listQueries", "The named queries", [], {JSON: several(ref("Query"))}),
            **{
                f"/query/{query.name}": _query(query)
                for query in queries.named().values()
                if not calls_service(query.text)
            },
            "/search": _search(),
            "/sparql": _sparql(),
            "/health": get(
                "health", "Whether the server answers, and what it serves", [], {JSON: ref("Health")}, "503"
            ),
            "/openapi.json": get("openapi", "This document", [], {JSON: OPEN}),
            **data_paths(),
            **page_paths(),
        },
        "components": {
            "schemas": {
                "Casting": _casting(),
                "Query": _described_query(),
                "Hits": _hits(),
                "Health": record({"status": TEXT, "triples": COUNT, "workers": COUNT, "version": TEXT}),
                "Refusal": record({"error": {**TEXT, "description": "One line."}}),
            },
            "responses": {
                status: {"description": about, "content": {JSON: {"schema": ref("Refusal")}}}
                for status, about in REFUSALS.items()
            },
        },
    }


def _cast(art: str) -> Json:
    fields: tuple[Field, ...] = (*CASTS[art], *school_fields(art))
    body = {
        "type": "object",
        "properties": {field.name: field.schema() for field in fields},
        "additionalProperties": False,
        "examples": [EXAMPLES[art]],
    }
    answer = {JSON: ref("Casting"), **contents(["text/turtle", "application/ld+json"])}
    told = operation(f"cast_{art}", TITLES[art], answer, "400 406 413 415 503")
    return {**told, "requestBody": {"required": True, "content": {JSON: {"schema": body}}}}


def _query(query: queries.NamedQuery) -> Json:
    parameters = [
        parameter(
            asked.name,
            {"type": "integer" if asked.type == "integer" else "string", "examples": [asked.example]},
            f"{asked.type}; a thing by its label, prefixed name or IRI.",
            required=True,
        )
        for asked in query.parameters
    ]
    answer = contents(GRAPHS if query.name.startswith("construct-") else ROWS)
    return get(f"query_{query.name}", query.question, parameters, answer, "400 406 503 504")


def _search() -> Json:
    parameters = [
        parameter("q", TEXT, "Words to look for, in any script.", required=True),
        parameter(
            "in",
            several({**TEXT, "enum": [scope.value for scope in Scope]}),
            "Where; everywhere if not given.",
        ),
        parameter("exact", {"type": "boolean", "default": False}, "Every character as typed, no variants."),
        parameter(
            "limit",
            {"type": "integer", "minimum": 1, "maximum": 1000, "default": 100},
            "How many hits are given.",
        ),
    ]
    return get(
        "search", "Words in passages, judgments and labels", parameters, {JSON: ref("Hits")}, "400 503"
    )


def _sparql() -> Json:
    parameters = [
        parameter("query", TEXT, "A query of SPARQL 1.1; without it, the service is described."),
        parameter("default-graph-uri", several(TEXT), "Graphs that make the default graph."),
        parameter("named-graph-uri", several(TEXT), "Graphs that may be named."),
    ]
    refusals, answer = "400 403 406 503 504", contents((*ROWS, *GRAPHS))
    asked = get("sparql", "The SPARQL 1.1 endpoint, by GET", parameters, answer, refusals)
    members = {told["name"]: told["schema"] for told in parameters}
    body = {FORM: {"schema": record(members, KNOWN[1:])}, QUERY: {"schema": TEXT}}
    posted = operation("sparqlPost", "The SPARQL 1.1 endpoint, by POST", answer, refusals + " 408 413 415")
    return {**asked, "post": {**posted, "requestBody": {"required": True, "content": body}}}


def _casting() -> Json:
    text, texts = TEXT, several(TEXT)
    clause = {"heading": text, "name": or_null(text), "quote": text, "passage": text, "locator": text}
    words = record({"lzh": text, "en": text, "ko": text})
    chart = {
        "iri": text,
        "art": {**text, "enum": list(CASTS)},
        "instant": or_null(text),
        "pillars": record({name: or_null(text) for name in ("year", "month", "day", "hour")}),
        "void": texts,
        "options": {"type": "object", "additionalProperties": text},
    }
    finding = {
        "iri": text,
        "judgment": text,
        **clause,
        "text": words,
        "hollow": {"type": "boolean"},
        "hollowed_by": several(record({**clause, "text": words})),
        "because": texts,
        "facets": OPEN,
        "readings": several({"type": "object", "additionalProperties": text}),
    }
    omitted = {
        "heading": text,
        "judgments": COUNT,
        "needs": text,
        "how": text,
        "partly": {"type": "boolean"},
        "sentence": text,
    }
    return record(
        {"chart": record(chart), "findings": several(record(finding)), "omitted": several(record(omitted))}
    )


def _described_query() -> Json:
    parameter = record({"name": TEXT, "type": TEXT, "example": TEXT})
    told = {"name": TEXT, "question": TEXT, "parameters": several(parameter), "columns": several(TEXT)}
    return record({**told, "runs": {"type": "boolean"}, "path": TEXT, "text": TEXT})


def _hits() -> Json:
    hit = {
        "scope": {**TEXT, "enum": [scope.value for scope in Scope]},
        **dict.fromkeys(("node", "field", "before", "match", "after", "language"), TEXT),
        **{name: or_null(TEXT) for name in ("reading", "heading", "locator", "source")},
    }
    return record({"query": TEXT, "count": COUNT, "hits": several(record(hit))})
