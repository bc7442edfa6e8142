"""What the schools change: the findings of one chart under each value of an option, and how often it matters at all."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from kg.alike import Judge
from kg.cosmos import BRANCHES, pair
from kg.findings import Doctrine
from kg.liuren_chart import LiurenChart, cast_pillars
from kg.schools import Option, options

Cast = Callable[[Mapping[str, str]], LiurenChart]


@dataclass(frozen=True, slots=True)
class Difference:
    """Two values of an option over one chart: the judgments found under one only, and whether the board changed."""

    option: str
    value: str
    other: str
    only: tuple[str, ...]
    only_other: tuple[str, ...]
    transmissions: tuple[str, str]


@dataclass(frozen=True, slots=True)
class Weight:
    """How often another value of an option changes something in a set of charts."""

    option: str
    value: str
    other: str
    charts: int
    transmissions: int
    findings: int


def served(option: Option, instant: bool) -> list[str]:
    """The values of an option that a chart can be cast under, default first; some need an instant or a place."""
    needs = {"sun", "solar"} | (set() if instant else {"eighteen", "00:00"})
    return sorted((v for v in option.values if v not in needs), key=lambda v: v != option.default)


def differences(
    doctrine: Doctrine, cast: Cast, given: Mapping[str, str], keys: Sequence[str]
) -> list[Difference]:
    """How one chart changes when each option named takes its other values; `cast` makes the chart of some options.

    Only differences are given: an option that changes nothing in the chart has no row.
    """
    out = []
    first = cast(given)
    found = {f.clause.iri for f in doctrine.cast(first).findings}
    for key in keys:
        option = options(first.art)[key]
        for value in served(option, first.moment is not None):
            if value == first.options[key]:
                continue
            other = cast({**given, key: value})
            there = {f.clause.iri for f in doctrine.cast(other).findings}
            boards = _transmissions(first), _transmissions(other)
            if found != there or boards[0] != boards[1]:
                only, only_other = tuple(sorted(found - there)), tuple(sorted(there - found))
                out.append(Difference(key, first.options[key], value, only, only_other, boards))
    return out


def weights(
    doctrine: Doctrine, keys: Sequence[str], month: str, year: str, given: Mapping[str, str] | None = None
) -> list[Weight]:
    """How often each option matters over the 720 lessons (day and offset), at the hour 子, in one month and year.

    The other options are as given, or take their defaults. Raises InputError.
    """
    out = []

    def lessons(values: Mapping[str, str]) -> list[LiurenChart]:
        return [
            cast_pillars(pair(day), "子", general, month=month, year=year, given={**(given or {}), **values})
            for day in range(60)
            for general in BRANCHES
        ]

    judge = Judge(doctrine.reasoner)
    first = lessons({})
    found = judge(first)
    for key in keys:
        value = first[0].options[key]
        for other in served(options("liuren")[key], False):
            if other == value:
                continue
            charts = lessons({key: other})
            there = judge(charts)
            rows = list(zip(first, charts, strict=True))
            moved = sum(_transmissions(a) != _transmissions(b) for a, b in rows)
            changed = sum(found[a.iri] != there[b.iri] for a, b in rows)
            out.append(Weight(key, value, other, len(rows), moved, changed))
    return out


def _transmissions(chart: LiurenChart) -> str:
    return "".join(BRANCHES[t] for t in chart.plate.transmissions)
