"""The paths of the OpenAPI document that give what there is: things, the dataset, texts by DTS, and pages to read."""

from __future__ import annotations

from kg import dts
from kg.reader import Mode
from kg.search import Scope
from kg.server.fields import CASTS
from kg.server.negotiation import GRAPHS, JSON
from kg.server.openapi_parts import (
    GRAPH,
    LANGUAGE,
    OPEN,
    PAGE,
    TEXT,
    Json,
    contents,
    get,
    inside,
    parameter,
)
from kg.server.pages_browse import ROOMS

SUFFIXES = (*GRAPHS.values(), "html")
THING = {**GRAPH, **PAGE}
DTS: dict[str, tuple[str, Json]] = {
    "id": ("IRI of a work; all works if not given.", TEXT),
    "resource": ("IRI of a work.", TEXT),
    "ref": ("Reference of a unit, such as 3.1.2.", TEXT),
    "start": ("Reference of the first unit of a range.", TEXT),
    "end": ("Reference of the last unit of a range.", TEXT),
    "down": ("How many levels beneath; -1 for all, 0 for the siblings.", {"type": "integer", "minimum": -1}),
    "tree": ("Name of a citation tree; that of the references by numbers if not given.", TEXT),
    "page": ("Number of the page.", {"type": "integer", "minimum": 1}),
    "nav": ("Whether children or parents are listed.", {**TEXT, "enum": ["children", "parents"]}),
    "mediaType": ("Form of the text.", {**TEXT, "enum": list(dts.MEDIA_TYPES)}),
}
"""What each parameter of the Distributed Text Services is."""
REQUIRED = ("resource",)


def data_paths() -> dict[str, Json]:
    """Things by their IRIs, the dataset as a whole, and the texts.

    >>> sorted(data_paths())[:2]
    ['/.well-known/void', '/dataset']
    """
    suffix = inside("suffix", "The form.", SUFFIXES)
    kind = inside("kind", "What it is: branch, pattern, judgment, chart …")
    name = inside("name", f"Its name; with {', '.join('.' + end for end in SUFFIXES)} in that form.")
    thing, whole, refusals = "What the graph says of ", "The ontology, all of its terms", "400 404 406 503"
    parts = {"ontology": "a module of the ontology", "mappings": "a set of mappings"}
    return {
        "/id/{kind}/{name}": get(
            "thing",
            f"{thing}a thing, by its IRI; of a chart as JSON too",
            [kind, name, LANGUAGE],
            {**THING, JSON: OPEN},
            refusals,
        ),
        **{
            f"/{room}/{{name}}": get(f"{room}Part", thing + about, [name, LANGUAGE], THING, refusals)
            for room, about in parts.items()
        },
        "/dataset/{kind}/{name}": get(
            "datasetPart",
            f"{thing}a part of the dataset",
            [inside("kind", "What it is: class, property, links, work."), name, LANGUAGE],
            THING,
            refusals,
        ),
        "/ontology": get("ontology", whole, [LANGUAGE], THING, refusals),
        "/ontology.{suffix}": get("ontologyAs", f"{whole}, in a form", [suffix, LANGUAGE], THING, refusals),
        "/dataset": get("dataset", f"{thing}the dataset", [LANGUAGE], THING, refusals),
        "/dataset.{suffix}": get(
            "datasetAs", f"{thing}the dataset, in a form", [suffix, LANGUAGE], THING, refusals
        ),
        "/.well-known/void": get("void", "The dataset described in VoID and DCAT", [], GRAPH, "406 503"),
        "/dts": get("dts", "Distributed Text Services 1.0: the entry point", [], {dts.JSON_LD: OPEN}),
        "/dts/": get("dtsRoot", "The same", [], {dts.JSON_LD: OPEN}),
        **{f"/dts/{endpoint}": _dts(endpoint) for endpoint in dts.PARAMETERS},
    }


def _dts(endpoint: str) -> Json:
    parameters = [
        parameter(name, DTS[name][1], DTS[name][0], required=name in REQUIRED)
        for name in dts.PARAMETERS[endpoint]
    ]
    answer = contents(dts.MEDIA_TYPES) if endpoint == "document" else {dts.JSON_LD: OPEN}
    summary = f"Distributed Text Services 1.0: {endpoint}"
    return get(f"dts_{endpoint}", summary, parameters, answer, "400 404 503")


def page_paths() -> dict[str, Json]:
    """The pages that people read.

    >>> list(page_paths())[:3]
    ['/', '/chart/{art}', '/read']
    """

    def page(name: str, summary: str, *parameters: Json, refusals: str = "400 503") -> Json:
        return get(f"page_{name}", f"Page: {summary}", [*parameters, LANGUAGE], PAGE, refusals)

    mode = parameter("mode", {**TEXT, "enum": list(Mode)}, "How the text is read.")
    scope = parameter("in", {**TEXT, "enum": [s.value for s in Scope]}, "Where; everywhere if not given.")
    exact = parameter("exact", {**TEXT, "enum": ["true"]}, "Every character as typed, no variants.")
    work = inside("work", "Local name of a treatise, such as liuren-jingwei.")
    art = inside("art", "The art.", CASTS)
    found = "400 404 503"
    chart = page("chart", "a chart and its findings", art, _any("inputs"), refusals=found)
    chart["get"]["responses"]["303"] = {"description": "To the same chart, what is at its default left out."}
    return {
        "/": page("home", "the forms that cast a chart"),
        "/chart/{art}": chart,
        "/read": page("library", "the treatises"),
        "/read/{work}": page("contents", "the contents of a treatise", work, refusals=found),
        "/read/{work}/{ref}": page(
            "passage",
            "a passage with its apparatus",
            work,
            inside("ref", "Its reference, such as 3.1.2."),
            mode,
            refusals=found,
        ),
        "/browse": page("rooms", "what there is to browse"),
        "/browse/{room}": page(
            "browse", "things of a kind", inside("room", "The kind.", ROOMS), refusals=found
        ),
        "/find": page(
            "find", "words looked for", parameter("q", TEXT, "Words, in any script."), scope, exact
        ),
        "/ask": page(
            "ask",
            "the named queries, and an editor",
            parameter("load", TEXT, "A named query to begin with."),
            parameter("query", TEXT, "A query to be run."),
            refusals="400 403 503 504",
        ),
        "/ask/{name}": page(
            "askNamed",
            "a named query and its answer",
            inside("name", "Its name."),
            _any("parameters"),
            refusals="400 404 503 504",
        ),
        "/static/{file}": get(
            "static", "A file that the pages need", [inside("file", "Its name.")], {"*/*": TEXT}, "404"
        ),
    }


def _any(name: str) -> Json:
    """Parameters that depend on what is asked, each by its own name."""
    told = parameter(name, {**OPEN, "additionalProperties": TEXT}, f"The {name}, each by its name.")
    return {**told, "style": "form", "explode": True}
