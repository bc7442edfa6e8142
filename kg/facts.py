"""A chart as facts: the triples that assert it, positive and complete. What both arts share, and those of Liuren.

The twelve branches of a Liuren chart are its *places*. A place rides on a general and stands over the place of the earth
branch beneath it; initial, middle and final transmission, the uppers and the lodge all point at places, so that
what is derived of a branch (kin, stage, strength, marks) is said once. What a rule needs absent is asserted.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from functools import cache
from typing import Protocol

from pyoxigraph import Literal, NamedNode, Quad, Triple

from kg.cosmos import LODGE, names
from kg.liuren_chart import LiurenChart
from kg.schools import chosen
from ontology import TERMS, expand

XSD = "http://www.w3.org/2001/XMLSchema#"
TYPE = NamedNode("http://www.w3.org/1999/02/22-rdf-syntax-ns#type")


class Chart(Protocol):
    """What a chart of either art is to the rest: a name, an art, its options, and which inputs were given."""

    @property
    def iri(self) -> str:
        """The IRI, made from what the chart was cast from."""

    @property
    def art(self) -> str:
        """`liuren` or `qimen`."""

    @property
    def options(self) -> Mapping[str, str]:
        """The value of every school option of the art."""

    @property
    def inputs(self) -> Mapping[str, bool]:
        """Which inputs that a judgment may need were given, by the local name of the input."""


@cache
def term(name: str) -> NamedNode:
    """The node of a term of the ontology, by its local name."""
    return NamedNode(TERMS + name)


@cache
def thing(name: str) -> NamedNode:
    """The node of a prefixed name."""
    return NamedNode(expand(name))


@cache
def _symbols(kind: str) -> tuple[NamedNode, ...]:
    return tuple(thing(name) for name in names(kind))


@cache
def _slugs() -> tuple[str, ...]:
    return tuple(name.partition(":")[2] for name in names("branch"))


def phases(lunar_day: int, month_length: int) -> list[str]:
    """The phases that the doctrine names on a day of the moon: 朔 1, 弦 7 8 22 23, 望 15 16, 晦 the last.

    Source: 六壬大全 卷六 三光不仁.

    >>> phases(30, 30), phases(3, 29)
    (['phase:hui'], [])
    """
    named = {1: "shuo", 7: "xian", 8: "xian", 15: "wang", 16: "wang", 22: "xian", 23: "xian"}
    found = [f"phase:{named[lunar_day]}"] if lunar_day in named else []
    return found + (["phase:hui"] if lunar_day == month_length else [])


def date_time(instant: datetime) -> Literal:
    """An instant as xsd:dateTime, in the form in which stores keep it.

    It is in UTC where its offset has seconds, which XML Schema does not know.

    >>> from kg.calendar import parse_instant
    >>> date_time(parse_instant("1900-06-01T12:00", "Asia/Shanghai")).value
    '1900-06-01T03:54:17Z'
    """
    seconds = (instant.utcoffset() or timedelta()) % timedelta(minutes=1)
    written = instant.astimezone(UTC) if seconds else instant
    clock, zone = written.replace(tzinfo=None), written.isoformat()[-6:]
    fraction = f".{clock.microsecond:06}".rstrip("0.")
    text = clock.isoformat(timespec="seconds") + fraction + ("Z" if zone == "+00:00" else zone)
    return Literal(text, datatype=NamedNode(XSD + "dateTime"))


def given(chart: Chart) -> list[NamedNode]:
    """The inputs that judgments may need and that a chart has.

    >>> from kg.liuren_chart import cast_pillars
    >>> given(cast_pillars("庚申", "子", "亥", month="寅"))
    [<NamedNode value=https://w3id.org/sanshi/ontology#needsMonth>]
    """
    return [term(name) for name, present in chart.inputs.items() if present]


def facts(chart: Chart) -> list[Triple]:
    """The triples of a chart of either art.

    >>> from kg.liuren_chart import cast_pillars
    >>> chart = cast_pillars("庚申", "子", "亥")
    >>> len({t.subject for t in facts(chart) if t.predicate == term("over")})
    12
    """
    if isinstance(chart, LiurenChart):
        return liuren_facts(chart)
    from kg.qimen_chart import QimenChart
    from kg.qimen_facts import qimen_facts

    assert isinstance(chart, QimenChart)
    return qimen_facts(chart)


def liuren_facts(chart: LiurenChart) -> list[Triple]:
    """The triples of a Liuren chart: branches as places, lessons, transmissions (六壬經緯 卷一).

    >>> from kg.liuren_chart import cast_pillars
    >>> len([t for t in liuren_facts(cast_pillars("庚申", "子", "亥")) if t.predicate == term("upper")])
    4
    """
    plate = chart.plate
    node = NamedNode(chart.iri)
    branches, stems, generals = _symbols("branch"), _symbols("stem"), _symbols("general")
    places = [NamedNode(f"{chart.iri}/place/{slug}") for slug in _slugs()]
    lessons = [NamedNode(f"{chart.iri}/lesson/{n}") for n in (1, 2, 3, 4)]
    out: list[Triple] = []

    def say(subject: NamedNode, predicate: str, value: NamedNode | Literal) -> None:
        out.append(Triple(subject, term(predicate), value))

    out.append(Triple(node, TYPE, term("Chart")))
    out.append(Triple(node, TYPE, term("LiurenChart")))
    say(node, "dayPair", _symbols("pair")[plate.day])
    say(node, "dayStem", stems[plate.day % 10])
    say(node, "dayBranch", branches[plate.day % 12])
    say(node, "hourBranch", branches[plate.hour])
    say(node, "monthGeneral", branches[plate.general])
    if chart.month is not None:
        say(node, "monthBranch", branches[chart.month])
    if chart.year is not None:
        say(node, "yearBranch", branches[chart.year])
    if chart.moment is not None:
        at = chart.moment
        say(node, "instant", date_time(at.instant))
        out.append(Triple(node, TYPE, term("LateDays" if at.last_18_days else "EarlyDays")))
        for phase in phases(at.lunar_day, at.lunar_month_length):
            say(node, "phase", thing(phase))
    say(node, "method", Literal(plate.method))
    for value in chosen("liuren", chart.options):
        say(node, "chose", thing(value))
    for need in given(chart):
        say(node, "given", need)
    for number, place in enumerate(places):
        out.append(Triple(place, TYPE, term("Place")))
        say(node, "hasPlace", place)
        say(place, "branch", branches[number])
        say(place, "over", places[plate.seat(number)])
        say(place, "rides", generals[plate.generals[number]])
        hidden = plate.hidden[number]
        if hidden is not None:
            say(place, "hiddenStem", stems[hidden])
        if number not in plate.transmissions:
            say(node, "transmitsNot", place)
    for role, number in zip(("initial", "middle", "final"), plate.transmissions, strict=True):
        say(node, role, places[number])
    say(node, "stemPlace", places[LODGE[plate.day % 10]])
    say(node, "branchPlace", places[plate.day % 12])
    say(node, "uponStem", places[plate.lessons[0][0]])
    say(node, "uponBranch", places[plate.lessons[2][0]])
    for ordinal, (lesson, (upper, lower)) in enumerate(zip(lessons, plate.lessons, strict=True), 1):
        out.append(Triple(lesson, TYPE, term("Lesson")))
        say(node, f"lesson{ordinal}", lesson)
        say(lesson, "upper", places[upper])
        say(lesson, "lower", places[lower])
    return out


def quads(triples: list[Triple]) -> list[Quad]:
    """Triples as quads of the default graph."""
    return [Quad(t.subject, t.predicate, t.object) for t in triples]


def place_branch(place: NamedNode) -> NamedNode:
    """The branch of a place, read from its IRI.

    >>> place_branch(NamedNode("https://example.org/chart/place/03-yin"))
    <NamedNode value=https://w3id.org/sanshi/id/branch/03-yin>
    """
    return thing("branch:" + place.value.rpartition("/")[2])
