"""The pieces of an OpenAPI document: schemas, parameters, answers and operations."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from kg.server.fields import LANG
from kg.server.negotiation import GRAPHS, HTML

Json = dict[str, Any]

TEXT: Json = {"type": "string"}
OPEN: Json = {"type": "object"}
COUNT: Json = {"type": "integer", "minimum": 0}


def ref(name: str, room: str = "schemas") -> Json:
    """A reference to a component.

    >>> ref("404", "responses")
    {'$ref': '#/components/responses/404'}
    """
    return {"$ref": f"#/components/{room}/{name}"}


def record(properties: Json, optional: Iterable[str] = ()) -> Json:
    """An object with these members, all of which it has but the optional ones.

    >>> record({"a": TEXT, "b": TEXT}, ["b"])["required"]
    ['a']
    """
    left_out = set(optional)
    return {
        "type": "object",
        "properties": properties,
        "required": [n for n in properties if n not in left_out],
    }


def several(items: Json) -> Json:
    """A list.

    >>> several(TEXT)
    {'type': 'array', 'items': {'type': 'string'}}
    """
    return {"type": "array", "items": items}


def or_null(schema: Json) -> Json:
    """The same or null.

    >>> or_null(TEXT)
    {'type': ['string', 'null']}
    """
    return {**schema, "type": [schema["type"], "null"]}


def contents(media_types: Iterable[str]) -> dict[str, Json]:
    """What an answer holds in each of some media types: an object in those of JSON, else text.

    >>> contents(["text/csv", "application/ld+json"])["application/ld+json"]
    {'type': 'object'}
    """
    return {kind: OPEN if kind.endswith("json") else TEXT for kind in media_types}


GRAPH = contents(GRAPHS)
PAGE = contents([HTML])


def parameter(name: str, schema: Json, about: str, required: bool = False, where: str = "query") -> Json:
    """A parameter of an address, or of its path.

    >>> parameter("q", TEXT, "Words.")["in"]
    'query'
    """
    told = {"name": name, "in": where, "description": about, "schema": schema}
    return {**told, "required": True} if required else told


def inside(name: str, about: str, among: Iterable[str] = ()) -> Json:
    """A parameter of a path.

    >>> inside("art", "The art.", ["liuren"])["schema"]
    {'type': 'string', 'enum': ['liuren']}
    """
    known = list(among)
    return parameter(name, {**TEXT, "enum": known} if known else TEXT, about, required=True, where="path")


LANGUAGE = parameter(
    "lang", {**TEXT, "enum": list(LANG)}, "Language; if not given, what Accept-Language likes best."
)


def operation(name: str, summary: str, answer: Mapping[str, Json], refusals: str = "") -> Json:
    """An operation: its name, what it does, what it answers with by media type, and how it may refuse.

    >>> list(operation("home", "The first page", PAGE, "400 503")["responses"])
    ['200', '400', '503']
    """
    content = {media_type: {"schema": schema} for media_type, schema in answer.items()}
    return {
        "operationId": name,
        "summary": summary,
        "responses": {
            "200": {"description": "What was asked for.", "content": content},
            **{status: ref(status, "responses") for status in refusals.split()},
        },
    }


def get(
    name: str, summary: str, parameters: list[Json], answer: Mapping[str, Json], refusals: str = ""
) -> Json:
    """A path that is asked by GET, with its parameters.

    >>> list(get("home", "The first page", [LANGUAGE], PAGE)["get"])
    ['operationId', 'summary', 'responses', 'parameters']
    """
    told = operation(name, summary, answer, refusals)
    return {"get": {**told, "parameters": parameters} if parameters else told}
