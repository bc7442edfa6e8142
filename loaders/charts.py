"""A chart as the JSON of `sanshi cast … --format json`: cast again from its inputs, it is the same node.

What the JSON says of the board is not believed: the chart is cast from its inputs, and the two must agree.
What is needed of each art stands in `ARTS`.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from kg.errors import SanshiError
from kg.facts import Chart
from kg.liuren_chart import LiurenChart, cast_instant, cast_pillars
from kg.qimen_chart import QimenChart
from kg.qimen_chart import cast as cast_qimen
from kg.schools import options as known_options
from loaders.source import MarkupError, Source, StructureError, Tick


@dataclass(frozen=True, slots=True)
class Given:
    """The chart of a file, as its JSON gives it."""

    source: Source
    chart: dict[str, Any]
    written: str

    def fail(self, message: str, key: str) -> StructureError:
        """The error that says what is wrong with the chart, and the line of the key that has it."""
        start = max(self.written.find('"chart"'), 0)
        found = re.compile(rf'"{re.escape(key)}"\s*:').search(self.written, start)
        line = None if found is None else self.written.count("\n", 0, found.start()) + 1
        return StructureError(self.source.path, message, line)

    def text(self, key: str) -> str:
        """A text of the chart. Raises StructureError."""
        value = self.chart.get(key)
        if not isinstance(value, str):
            raise self.fail(f"chart.{key} is {_shown(value)}; give a text", key)
        return value

    def number(self, key: str) -> float | None:
        """Degrees, or None. Raises StructureError."""
        value = self.chart.get(key)
        if value is not None and (isinstance(value, bool) or not isinstance(value, int | float)):
            raise self.fail(f"chart.{key} is {_shown(value)}; give degrees or null", key)
        return value

    def texts(self, key: str) -> dict[str, str]:
        """The texts of an object, without those that are null. Raises StructureError."""
        value = self.chart.get(key)
        if not isinstance(value, dict) or not all(isinstance(v, str | None) for v in value.values()):
            raise self.fail(f"chart.{key} is {_shown(value)}; give an object of texts", key)
        return {name: text for name, text in value.items() if text is not None}


@dataclass(frozen=True, slots=True)
class Art:
    """What the loader needs of an art: to cast from the inputs, and to say the board as JSON."""

    cast: Callable[[Given], Any]
    board: Callable[[Any], dict[str, Any]]


def _cast_liuren(given: Given) -> LiurenChart:
    from kg.calendar import parse_instant

    options = given.texts("options")
    if given.chart.get("instant") is not None:
        longitude, latitude = given.number("longitude"), given.number("latitude")
        instant = parse_instant(given.text("instant"))
        return cast_instant(instant, options, longitude=longitude, latitude=latitude)
    pillars = given.texts("pillars")
    for key in ("day", "hour"):
        if key not in pillars:
            raise given.fail(f"chart.pillars.{key} is missing; give it, or chart.instant", "pillars")
    return cast_pillars(
        pillars["day"],
        pillars["hour"],
        given.text("general"),
        month=pillars.get("month"),
        year=pillars.get("year"),
        given=options,
    )


def _board_liuren(chart: LiurenChart) -> dict[str, Any]:
    from kg.chart_json import liuren_json
    from kg.findings import shared

    return liuren_json(chart, shared().cast(chart))


def _cast_qimen(given: Given) -> QimenChart:
    known = known_options("qimen")
    # a default says nothing, and may name what goes with another choice alone, as threshold does with zhirun
    options = {
        key: value
        for key, value in given.texts("options").items()
        if key not in known or value != known[key].default
    }
    pillars, birth = given.texts("pillars"), _birth(given)
    if given.chart.get("instant") is not None:
        return cast_qimen(
            options, instant=given.text("instant"), birth=birth, longitude=given.number("longitude")
        )
    if "hour" not in pillars:
        raise given.fail("chart.pillars.hour is missing; give it, or chart.instant", "pillars")
    ju = given.chart.get("ju")
    if isinstance(ju, bool) or not isinstance(ju, int):
        raise given.fail(f"chart.ju is {_shown(ju)}; give a number from 1 to 9", "ju")
    day, month, year = (pillars.get(name) for name in ("day", "month", "year"))
    dun, hour = given.text("dun"), pillars["hour"]
    return cast_qimen(options, dun=dun, ju=ju, hour=hour, day=day, month=month, year=year, birth=birth)


def _birth(given: Given) -> str | None:
    """The birth as it was given: its instant, else the pair of its year."""
    if given.chart.get("birth") is None:
        return None
    born = given.texts("birth")
    for key in ("instant", "year"):
        if key in born:
            return born[key]
    raise given.fail("chart.birth has neither instant nor year; give one of them, or null", "birth")


def _board_qimen(chart: QimenChart) -> dict[str, Any]:
    from kg.findings import shared
    from kg.qimen_json import qimen_json

    return qimen_json(shared().cast(chart, []))


ARTS: Mapping[str, Art] = {
    "liuren": Art(_cast_liuren, _board_liuren),
    "qimen": Art(_cast_qimen, _board_qimen),
}


def read_chart(source: Source, tick: Tick | None = None) -> Chart:
    """The chart in a file, cast. The file has all that `sanshi cast` prints, or its `chart`.

    Raises MarkupError for what is not JSON, StructureError for what is no chart, for an art that cannot be
    read, and for a chart that its inputs do not give.
    """
    given = _given(source, tick)
    name = given.text("art")
    if name not in ARTS:
        raise given.fail(f"chart.art: {name!r} cannot be read; give one of {', '.join(ARTS)}", "art")
    art = ARTS[name]
    try:
        chart: Chart = art.cast(given)
    except StructureError:
        raise
    except SanshiError as error:
        raise given.fail(f"chart: {error}", "chart") from None
    _agree(given, chart.iri, art.board(chart))
    return chart


def _given(source: Source, tick: Tick | None) -> Given:
    try:
        written = source.read(tick).decode()
        data = json.loads(written, object_pairs_hook=lambda pairs: _unique(source, pairs))
    except json.JSONDecodeError as error:
        raise MarkupError(source.path, f"not JSON: {error.msg}", error.lineno, error.colno) from None
    if isinstance(data, dict):
        data = data.get("chart", data)
    if not isinstance(data, dict):
        raise StructureError(source.path, "no chart; give what `sanshi cast … --format json` prints")
    return Given(source, data, written)


def _unique(source: Source, pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    seen: set[str] = set()
    for key, _ in pairs:
        if key in seen:
            raise StructureError(source.path, f"the key {key!r} stands twice in one object")
        seen.add(key)
    return dict(pairs)


def _agree(given: Given, iri: str, board: dict[str, Any]) -> None:
    """Raises StructureError where a chart is not what its inputs give: another IRI, or another board."""
    if given.text("iri") != iri:
        raise given.fail(f"chart.iri is {given.text('iri')}, but its inputs give {iri}", "iri")
    for key, value in json.loads(json.dumps(board)).items():
        if key not in given.chart or given.chart[key] == value:
            continue
        where, here, there = f"chart.{key}", given.chart[key], value
        if isinstance(there, list) and isinstance(here, list) and len(there) == len(here):
            number = next(n for n, pair in enumerate(zip(here, there, strict=True)) if pair[0] != pair[1])
            where, here, there = f"{where}[{number}]", here[number], there[number]
        raise given.fail(f"{where} is {_shown(here)}, but its inputs give {_shown(there)}", key)


def _shown(value: object) -> str:
    return json.dumps(value, ensure_ascii=False)
