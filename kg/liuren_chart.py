"""A Liuren chart with all it was cast from: an instant or bare pillars, the school options, and its IRI.

Between the calendar and the engine on one side and the facts on the other: it checks what is given, completes
what follows from it, and names the chart by its inputs, so that the same chart is the same node everywhere.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

from kg import liuren
from kg.calendar import Moment, moment, parse_instant
from kg.cosmos import BRANCHES, STEMS, branch, names, pair, sexagenary, with_stem
from kg.errors import InputError, MissingInput
from kg.schools import options as known_options
from kg.schools import resolve
from ontology import THINGS


@dataclass(frozen=True, slots=True)
class LiurenChart:
    """A cast chart. `pillars` are pairs, single branches, or None where not known; month and year are branches 0–11."""

    iri: str
    plate: liuren.Plate
    pillars: Mapping[str, str | None]
    month: int | None
    year: int | None
    moment: Moment | None
    options: Mapping[str, str]
    longitude: float | None = None
    latitude: float | None = None

    art = "liuren"

    @property
    def inputs(self) -> Mapping[str, bool]:
        """Which inputs that a judgment may need were given, by the local name of the input."""
        return {
            "needsMonth": self.month is not None,
            "needsYear": self.year is not None,
            "needsMoon": self.moment is not None,
        }


def cast(
    given: Mapping[str, str] | None = None,
    *,
    instant: str | None = None,
    tz: str | None = None,
    day: str | None = None,
    hour: str | None = None,
    general: str | None = None,
    month: str | None = None,
    year: str | None = None,
    longitude: float | None = None,
    latitude: float | None = None,
) -> LiurenChart:
    """The chart of an instant given as text, or of bare pillars; the one or the other, as a user gives them.

    Raises InputError, InstantError, MissingInput.

    >>> cast(day="庚申", hour="子", general="亥").iri == cast_pillars("庚申", "子", "亥").iri
    True
    """
    bare = {"day": day, "hour": hour, "general": general, "month": month, "year": year}
    if instant is not None:
        for name, value in bare.items():
            if value is not None:
                raise InputError(name, value, "either an instant or pillars, not both")
        return cast_instant(parse_instant(instant, tz), given, longitude=longitude, latitude=latitude)
    if day is None or hour is None or general is None:
        raise MissingInput("a Liuren chart", "an instant, or day, hour and general")
    for name, place in (("tz", tz), ("longitude", longitude), ("latitude", latitude)):
        if place is not None:
            raise InputError(name, place, "it only with an instant")
    return cast_pillars(day, hour, general, month=month, year=year, given=given)


def cast_instant(
    instant: datetime,
    given: Mapping[str, str] | None = None,
    *,
    longitude: float | None = None,
    latitude: float | None = None,
) -> LiurenChart:
    """The chart of an aware instant (六壬經緯 卷一: month general over the hour of the question).

    `given` names school options; longitude and latitude (degrees, east and north positive) are needed for true
    solar time and for sunrise. Raises InputError, InstantError, MissingInput.

    >>> from kg.calendar import parse_instant
    >>> chart = cast_instant(parse_instant("2025-02-19T23:42", "Asia/Shanghai"))
    >>> chart.pillars["day"], BRANCHES[chart.plate.general], chart.iri.rpartition("/")[2]
    ('庚申', '亥', 'liuren-20250219T234200p0800')
    """
    chosen = resolve("liuren", given or {})
    if chosen["daylight"] == "sun" and (longitude is None or latitude is None):
        raise MissingInput("daylight=sun", "a longitude and a latitude")
    at = moment(
        instant,
        day_boundary=chosen["boundary"],
        clock=chosen["clock"],
        longitude=longitude,
        latitude=latitude,
    )
    daytime = {"hours": None, "sun": at.daytime, "day": True, "night": False}[chosen["daylight"]]
    plate = liuren.cast(
        at.day_index,
        at.hour_branch,
        at.month_general,
        shehai=chosen["shehai"],
        noble=chosen["noble"],
        daytime=daytime,
    )
    pillars = {"year": at.year, "month": at.month, "day": at.day, "hour": at.hour}
    offset = instant.strftime("%z").replace("+", "p").replace("-", "m")
    fraction = f"{instant.microsecond:06d}".rstrip("0")
    key = instant.strftime("%Y%m%dT%H%M%S") + (f".{fraction}" if fraction else "") + offset
    if longitude is not None:
        key += f".lon{longitude:.4f}"
    if latitude is not None:
        key += f".lat{latitude:.4f}"
    year = BRANCHES.index(at.year[1])
    iri = _iri(key, chosen)
    return LiurenChart(iri, plate, pillars, at.month_branch, year, at, chosen, longitude, latitude)


def cast_pillars(
    day: str,
    hour: str,
    general: str,
    *,
    month: str | None = None,
    year: str | None = None,
    given: Mapping[str, str] | None = None,
) -> LiurenChart:
    """The chart of bare pillars: day a pair; hour, month and year a branch or a pair; general (月將) a branch.

    Raises InputError for what is no pair or branch, for an hour pair that the day does not have, for a month
    pair that the year does not have, and for options that only an instant can serve.

    >>> cast_pillars("庚申", "子", "亥", month="寅", year="巳").pillars
    {'year': '巳', 'month': '寅', 'day': '庚申', 'hour': '丙子'}
    """
    chosen = resolve("liuren", given or {})
    for key, value in (("clock", "solar"), ("daylight", "sun"), ("jiyue", "eighteen"), ("boundary", "00:00")):
        if chosen[key] == value:
            raise MissingInput(f"{key}={value}", "an instant")
    day_index = sexagenary(day, "day")
    hour_pair = with_stem(hour, "hour", 2 * (day_index % 5))
    year_text = year if year is None or len(year) == 1 else pair(sexagenary(year, "year"))
    month_text = month
    if month is not None and year_text is not None and len(year_text) == 2:
        month_text = with_stem(month, "month", 2 * (STEMS.index(year_text[0]) % 5) + 2)
    elif month is not None and len(month) == 2:
        month_text = pair(sexagenary(month, "month"))
    month_branch = None if month_text is None else _branch(month_text, "month")
    year_branch = None if year_text is None else _branch(year_text, "year")
    daytime = {"hours": None, "day": True, "night": False}[chosen["daylight"]]
    hour_branch = BRANCHES.index(hour_pair[1])
    plate = liuren.cast(
        day_index,
        hour_branch,
        branch(general, "general"),
        shehai=chosen["shehai"],
        noble=chosen["noble"],
        daytime=daytime,
    )
    slugs = [name.rpartition("-")[2] for name in names("branch")]
    key = f"{names('pair')[day_index].partition(':')[2]}-h.{slugs[hour_branch]}-g.{slugs[plate.general]}"
    for letter, text, number in (("m", month_text, month_branch), ("y", year_text, year_branch)):
        if text is not None and number is not None:
            key += f"-{letter}.{names('pair')[sexagenary(text)][5:] if len(text) == 2 else slugs[number]}"
    pillars = {"year": year_text, "month": month_text, "day": day, "hour": hour_pair}
    return LiurenChart(_iri(key, chosen), plate, pillars, month_branch, year_branch, None, chosen)


def _branch(text: str, field: str) -> int:
    """The branch of a pair, or of a text that is to be a branch alone."""
    return branch(text[1] if len(text) == 2 else text, field)


def _iri(key: str, chosen: Mapping[str, str]) -> str:
    """The IRI of a chart: its inputs, then every option that is not the default."""
    known = known_options("liuren")
    for option, value in chosen.items():
        if value != known[option].default:
            key += "." + known[option].values[value].partition(":")[2]
    return f"{THINGS}chart/liuren-{key}"
