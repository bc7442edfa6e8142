"""The first page, with a form for each art, and the page of a chart: its board, and beside it what applies to it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from pyoxigraph import NamedNode

from kg import liuren_chart, qimen_chart
from kg.chart_json import casting_json
from kg.clauses import Clause
from kg.edition import heading_of
from kg.errors import InputError, SanshiError
from kg.facts import Chart
from kg.findings import Casting, Finding
from kg.schools import options
from kg.server import svg
from kg.server.describe import local
from kg.server.pages_beside import Entry, entry
from kg.server.pages_forms import Form, cleaned, form
from kg.server.pages_read import read_address
from kg.server.pages_render import Labels, page, render
from kg.server.reply import Reply
from kg.server.words import words
from kg.server.world import World
from kg.topics import judged
from ontology import BASE

NUMBERS = {"longitude": float, "latitude": float, "ju": int}
UNFOLDED = 30
"""How many findings a page shows at once; of more, those of the first heading, and the others folded."""


@dataclass(frozen=True, slots=True)
class Shown:
    """A finding as the page shows it: its JSON, and where its links lead."""

    json: Mapping[str, Any]
    iri: str
    passage: str
    apparatus: Sequence[Entry]
    id: str
    beside: Sequence[tuple[str, str, str, str]]
    """The findings that it stands against or that one sets aside: how, by which word, their clause and where it is."""


@dataclass(frozen=True, slots=True)
class Group:
    """The findings of one heading."""

    node: NamedNode
    name: str
    chinese: str
    findings: Sequence[Shown]


def home(world: World, language: str) -> Reply:
    """The first page."""
    store = world.doctrine.store
    forms = [form(store, art, language, words(language), {}) for art in ("liuren", "qimen")]
    return page("home.html", language, "/", forms=forms, label=Labels(store, language))


def chart(world: World, art: str, given: Sequence[tuple[str, str]], language: str) -> Reply:
    """The chart that a form asks for; the form again, with the reason, where it cannot be cast."""
    store, label = world.doctrine.store, Labels(world.doctrine.store, language)
    kept = {name: text for name, text in given if name != "lang"}
    here = f"/chart/{art}"
    try:
        kept = {name: text for name, text in cleaned(art, given).items() if name != "lang"}
        asked = form(store, art, language, words(language), kept)
        casting = cast(world, art, kept)
    except SanshiError as error:
        known = {name: text for name, text in kept.items() if name not in options(art)}
        asked = form(store, art, language, words(language), known)
        shown = {"form": asked, "error": str(error) if kept else "", "label": label}
        return page("cast.html", language, here, kept, 400 if kept else 200, **shown)
    context = _context(world, casting, language, asked, kept.get("topic", ""))
    return page("chart.html", language, here, kept, **context)


def chart_html(world: World, casting: Casting[Chart], language: str) -> bytes:
    """The page of a chart that is asked for by its IRI."""
    here = local(casting.chart.iri)
    return render("chart.html", language, here, None, **_context(world, casting, language, None, ""))


def cast(world: World, art: str, given: Mapping[str, str]) -> Casting[Chart]:
    """The casting of what a form gave. Raises InputError, InstantError, MissingInput, QueryError."""
    schools = {key: given[key] for key in options(art) if key in given}
    inputs: dict[str, Any] = {}
    for name, text in given.items():
        if name in schools or name == "topic":
            continue
        try:
            inputs[name] = NUMBERS[name](text) if name in NUMBERS else text
        except ValueError:
            raise InputError(name, text, "a number") from None
    made: Chart
    made = liuren_chart.cast(schools, **inputs) if art == "liuren" else qimen_chart.cast(schools, **inputs)
    return judged(world.doctrine, made, given.get("topic"))


def _context(
    world: World, casting: Casting[Chart], language: str, asked: Form | None, topic: str
) -> dict[str, Any]:
    """What the template of a chart is given."""
    store, label, known = world.doctrine.store, Labels(world.doctrine.store, language), words(language)
    told = casting_json(casting, language)
    board = told["chart"]
    groups: dict[NamedNode, list[Shown]] = {}
    places = {f.iri: (f"f-{number}", f.clause) for number, f in enumerate(casting.findings, 1)}
    for finding, written in zip(casting.findings, told["findings"], strict=True):
        node = NamedNode(finding.clause.iri)
        heading = heading_of(store, node)
        assert heading is not None
        apparatus = [entry(store, NamedNode(reading["iri"]), label) for reading in finding.clause.readings]
        where = read_address(world, NamedNode(finding.clause.passage), language, f"s-{_slug(node)}")
        shown = Shown(
            written,
            finding.clause.iri,
            where,
            apparatus,
            places[finding.iri][0],
            list(_beside(finding, places)),
        )
        groups.setdefault(heading, []).append(shown)
    if board["art"] == "liuren":
        drawn = [svg.plate(board, known), svg.lessons(board, known)]
    else:
        drawn = [svg.palaces(board, known)]
        if told["natal"]:
            drawn.append(svg.palaces(told["natal"], known, natal=True))
    path = "/" + casting.chart.iri.removeprefix(BASE)
    chosen = {
        key: (board["options"][key], option.values[board["options"][key]], option.default)
        for key, option in options(casting.chart.art).items()
    }
    return {
        "label": label,
        "form": asked,
        "board": board,
        "drawn": drawn,
        "marks": svg.liuren_marks if board["art"] == "liuren" else svg.qimen_marks,
        "groups": [Group(node, label(node), label.chinese(node), shown) for node, shown in groups.items()],
        "count": len(casting.findings),
        "folded": len(casting.findings) > UNFOLDED,
        "omitted": [(omission, label(NamedNode(omission.input))) for omission in casting.omitted],
        "notes": told.get("notes", ()),
        "natal": told.get("natal"),
        "topic": topic,
        "path": path,
        "chosen": chosen,
        "title": chart_title(board),
    }


def _beside(
    finding: Finding, places: Mapping[str, tuple[str, Clause]]
) -> Iterator[tuple[str, str, str, str]]:
    """How a finding stands to the others of its chart; the word of the text, where it has one, sets aside."""
    own = finding.clause.precedence or ""
    for how, others in (
        ("against", finding.contradicts),
        ("overrides", finding.overrides),
        ("overridden_by", finding.overridden_by),
    ):
        for iri in others:
            where, clause = places[iri]
            word = {"overrides": own, "overridden_by": clause.precedence or ""}.get(how, "")
            yield how, word, clause.quote, where


def chart_title(board: Mapping[str, Any]) -> str:
    """What a chart is called: its pillars, as far as they are known, and what they do not say.

    >>> chart_title({"art": "liuren", "general": "亥", "pillars": {"year": None, "day": "庚申", "hour": "丙子"}})
    '庚申日 丙子時 亥將'
    """
    units = {"year": "年", "month": "月", "day": "日", "hour": "時"}
    parts = [f"{pillar}{units[name]}" for name, pillar in board["pillars"].items() if pillar]
    if board["art"] == "liuren":
        parts.append(f"{board['general']}將")
    else:
        parts.append(f"{board['dun']}遁{board['ju']}局")
    return " ".join(parts)


def _slug(node: NamedNode) -> str:
    return node.value.rpartition("/")[2]
