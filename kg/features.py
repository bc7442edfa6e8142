"""What of a chart fixes its facts, property by property, so that charts that share it share the facts.

The facts of a chart are named by their property, those that say of what class something is by the class, and a
school that was chosen by its option (`chose void`): a rule seldom asks of more than one.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping
from functools import cache

from pyoxigraph import NamedNode, Triple

from kg.cosmos import LODGE
from kg.facts import TYPE, Chart, facts, term, thing
from kg.liuren_chart import LiurenChart
from kg.rules import Atom
from kg.schools import options
from ontology import TERMS

Features = Mapping[str, Hashable]

LIUREN: Mapping[str, Callable[[LiurenChart], Hashable]] = {
    "LiurenChart": lambda chart: None,
    "Chart": lambda chart: None,
    "Place": lambda chart: None,
    "Lesson": lambda chart: None,
    "hasPlace": lambda chart: None,
    "branch": lambda chart: None,
    "lesson1": lambda chart: None,
    "lesson2": lambda chart: None,
    "lesson3": lambda chart: None,
    "lesson4": lambda chart: None,
    "dayPair": lambda chart: chart.plate.day,
    "dayStem": lambda chart: chart.plate.day % 10,
    "dayBranch": lambda chart: chart.plate.day % 12,
    "stemPlace": lambda chart: LODGE[chart.plate.day % 10],
    "branchPlace": lambda chart: chart.plate.day % 12,
    "hiddenStem": lambda chart: chart.plate.hidden,
    "hourBranch": lambda chart: chart.plate.hour,
    "monthGeneral": lambda chart: chart.plate.general,
    "over": lambda chart: chart.plate.offset,
    "rides": lambda chart: chart.plate.generals,
    "initial": lambda chart: chart.plate.transmissions[0],
    "middle": lambda chart: chart.plate.transmissions[1],
    "final": lambda chart: chart.plate.transmissions[2],
    "transmitsNot": lambda chart: frozenset(chart.plate.transmissions),
    "uponStem": lambda chart: chart.plate.lessons[0][0],
    "uponBranch": lambda chart: chart.plate.lessons[2][0],
    "upper": lambda chart: tuple(upper for upper, _ in chart.plate.lessons),
    "lower": lambda chart: tuple(lower for _, lower in chart.plate.lessons),
    "monthBranch": lambda chart: chart.month,
    "yearBranch": lambda chart: chart.year,
    "given": lambda chart: tuple(chart.inputs.values()),
    "instant": lambda chart: chart.moment and chart.moment.instant,
    "phase": lambda chart: chart.moment and (chart.moment.lunar_day, chart.moment.lunar_month_length),
    "EarlyDays": lambda chart: chart.moment and chart.moment.last_18_days,
    "LateDays": lambda chart: chart.moment and chart.moment.last_18_days,
}
"""Of each property and class in which a Liuren chart is asserted, what of the chart fixes those facts."""

SELF, GROUND = "\0", "\1"
"""What stands for a chart, and for what the names of its parts begin with, in facts that many charts share."""


def features(chart: Chart) -> Features:
    """Of each property and class in which a chart is asserted, a value on which those facts of the chart hang.

    >>> from kg.liuren_chart import cast_pillars
    >>> features(cast_pillars("庚申", "子", "亥"))["dayStem"]
    6
    """
    if isinstance(chart, LiurenChart):
        found = {name: fixed(chart) for name, fixed in LIUREN.items()}
        return found | {f"chose {key}": value for key, value in chart.options.items()}
    return asserted(chart)


def asserted(chart: Chart) -> dict[str, tuple[str, str]]:
    """The facts of a chart by property or class: those of the chart itself, and those of its parts, as N-Triples.

    Marks stand in place of the chart's name and of what the names of its parts begin with.

    >>> from kg.liuren_chart import cast_pillars
    >>> [lines.count("\\n") for lines in asserted(cast_pillars("庚申", "子", "亥"))["over"]]
    [0, 12]
    """
    found: dict[str, tuple[list[str], list[str]]] = {}
    own = NamedNode(chart.iri)
    for triple in facts(chart):
        lines = found.setdefault(_name(triple, chart.art), ([], []))
        lines[triple.subject != own].append(f"{triple} .\n")
    return {name: (_marked(own, lines), _marked(own, parts)) for name, (lines, parts) in found.items()}


def _name(triple: Triple, art: str) -> str:
    named = triple.object if triple.predicate == TYPE else triple.predicate
    assert isinstance(named, NamedNode)
    if named == term("chose"):
        return f"chose {_options(art)[str(triple.object)]}"
    return named.value.removeprefix(TERMS)


def read_by(atom: Atom, art: str) -> list[str]:
    """The names of the facts of a chart that an atom can hold by.

    >>> read_by(Atom("chose", ("?c", "school:void-feng")), "liuren"), read_by(Atom("over", ("?t", "?u")), "liuren")
    (['chose void'], ['over'])
    """
    if atom.predicate != "chose":
        return [atom.predicate]
    value = atom.arguments[1]
    if value.startswith("?"):
        return [f"chose {option}" for option in options(art)]
    return [f"chose {_options(art)[str(thing(value))]}"]


@cache
def _options(art: str) -> dict[str, str]:
    """The option of each school of an art, by its node as written."""
    return {
        str(thing(node)): option.key for option in options(art).values() for node in option.values.values()
    }


def _marked(own: NamedNode, lines: Iterable[str]) -> str:
    """Lines with marks in place of a chart's name and of what the names of its parts begin with."""
    return "".join(lines).replace(f"{own.value}/", GROUND).replace(own.value, SELF)
