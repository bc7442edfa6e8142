"""A Qimen chart with all it was cast from: an instant or bare 遁, 局 and pillars, a birth, the schools, and its IRI.

Between calendar and engine on one side and facts on the other: it checks what is given, completes what follows
from it, and names the chart by its inputs, so that the same chart is the same node everywhere.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

from kg import ju, qimen
from kg.calendar import Moment, moment, parse_instant
from kg.cosmos import BRANCHES, STEMS, branch, names, pair, sexagenary, with_stem
from kg.errors import InputError, MissingInput
from kg.schools import options as known_options
from kg.schools import resolve
from ontology import THINGS

_METHODS = {"chaibu": ju.chaibu, "zhirun": ju.zhirun, "maoshan": ju.maoshan}
_OF_AN_INSTANT = ("method", "threshold", "clock", "boundary")


@dataclass(frozen=True, slots=True)
class Birth:
    """When the querent was born: the pair of the year (年命), and of month, day and hour where an instant is known."""

    key: str
    year: str
    month: str | None = None
    day: str | None = None
    hour: str | None = None
    instant: datetime | None = None


@dataclass(frozen=True, slots=True)
class QimenChart:
    """A cast chart. `pillars` are pairs, a month or year a single branch or None where no more is known.

    `month` is the branch 0–11 of the month in command. `ju` says how the 局 was found; None where it was given.
    """

    iri: str
    plate: qimen.Plate
    pillars: Mapping[str, str | None]
    month: int | None
    ju: ju.Ju | None
    moment: Moment | None
    birth: Birth | None
    options: Mapping[str, str]
    longitude: float | None = None

    art = "qimen"

    @property
    def inputs(self) -> Mapping[str, bool]:
        """Which inputs that a judgment may need were given, by the local name of the input."""
        full = {name: pillar is not None and len(pillar) == 2 for name, pillar in self.pillars.items()}
        return {
            "needsMonth": full["month"],
            "needsYear": full["year"],
            "needsDay": full["day"],
            "needsMoon": self.moment is not None,
            "needsInstant": self.moment is not None,
            "needsBirth": self.birth is not None,
            "needsNatal": self.birth is not None and self.birth.instant is not None,
        }


def cast(
    given: Mapping[str, str] | None = None,
    *,
    instant: str | None = None,
    tz: str | None = None,
    dun: str | None = None,
    ju: int | None = None,
    hour: str | None = None,
    day: str | None = None,
    month: str | None = None,
    year: str | None = None,
    birth: str | None = None,
    longitude: float | None = None,
) -> QimenChart:
    """The chart of an instant given as text, or of bare 遁, 局 and pillars; the one or the other, as a user gives them.

    Raises InputError, InstantError, MissingInput.

    >>> cast(dun="陽", ju=1, hour="甲子").iri.rpartition("/")[2]
    'qimen-yang1-h.01-jiazi'
    """
    bare = {"dun": dun, "ju": ju, "hour": hour, "day": day, "month": month, "year": year}
    if instant is not None:
        for name, value in bare.items():
            if value is not None:
                raise InputError(name, value, "either an instant or 遁, 局 and pillars, not both")
        return cast_instant(parse_instant(instant, tz), given, birth=birth, tz=tz, longitude=longitude)
    if dun is None or ju is None or hour is None:
        raise MissingInput("a Qimen chart", "an instant, or dun, ju and hour")
    for name, place in (("longitude", longitude), ("tz", None if birth else tz)):
        if place is not None:
            raise InputError(name, place, "it only with an instant")
    return cast_pillars(dun, ju, hour, day=day, month=month, year=year, birth=birth, tz=tz, given=given)


def cast_instant(
    instant: datetime,
    given: Mapping[str, str] | None = None,
    *,
    birth: str | None = None,
    tz: str | None = None,
    longitude: float | None = None,
) -> QimenChart:
    """The chart of an aware instant; the school `method` finds the 局 (奇門遁甲秘笈大全 卷二十三).

    `given` names school options; true solar time needs the longitude, in degrees east. `birth` is a year, a pair,
    or an instant, read in `tz` where it has no offset of its own. Raises InputError, InstantError, MissingInput.

    >>> chart = cast_instant(parse_instant("2026-02-18T22:59", "Asia/Shanghai"), {"method": "zhirun"})
    >>> chart.plate.dun, chart.plate.ju, chart.pillars["hour"], chart.ju.term, chart.ju.term_used
    ('陽', 2, '癸亥', '立春', '立春')
    """
    chosen = resolve("qimen", given or {})
    at = moment(instant, day_boundary=chosen["boundary"], clock=chosen["clock"], longitude=longitude)
    method = _METHODS[chosen["method"]]
    extra = {"threshold": int(chosen["threshold"])} if chosen["method"] == "zhirun" else {}
    if "threshold" in (given or {}) and not extra:
        raise InputError("threshold", chosen["threshold"], "it only with method=zhirun")
    found = method(
        instant, day_boundary=chosen["boundary"], clock=chosen["clock"], longitude=longitude, **extra
    )
    plate = _plate(found.dun, found.ju, sexagenary(at.hour), at.day_index, chosen)
    key = instant.strftime("%Y%m%dT%H%M%S") + _offset(instant)
    if longitude is not None:
        key += f".lon{longitude:.4f}"
    born = None if birth is None else read_birth(birth, tz, chosen["boundary"])
    pillars = {"year": at.year, "month": at.month, "day": at.day, "hour": at.hour}
    iri = _iri(key, born, chosen)
    return QimenChart(iri, plate, pillars, at.month_branch, found, at, born, chosen, longitude)


def cast_pillars(
    dun: str,
    ju: int,
    hour: str,
    *,
    day: str | None = None,
    month: str | None = None,
    year: str | None = None,
    birth: str | None = None,
    tz: str | None = None,
    given: Mapping[str, str] | None = None,
) -> QimenChart:
    """The chart of a 局 that is already known.

    `dun` is 陽 or 陰, `ju` 1–9, `hour` a pair, or a branch where the day is given; day a pair; month and year a pair
    or a branch. Raises InputError for what is none of these, for an hour that the day does not have and a month
    that the year does not have; MissingInput for options that only an instant, or a day, can serve.

    >>> chart = cast_pillars("陽", 1, "子", day="甲子", month="寅", year="甲子", birth="1980")
    >>> chart.pillars["hour"], chart.pillars["month"], chart.birth.year
    ('甲子', '丙寅', '庚申')
    """
    chosen = resolve("qimen", given or {})
    known = known_options("qimen")
    for key in _OF_AN_INSTANT:
        if chosen[key] != known[key].default:
            raise MissingInput(f"{key}={chosen[key]}", "an instant")
    if chosen["void"] == "day" and day is None:
        raise MissingInput("void=day", "the pair of the day")
    day_index = None if day is None else sexagenary(day, "day")
    if day_index is not None:
        hour = with_stem(hour, "hour", 2 * (day_index % 5))
    year_text = year if year is None or len(year) == 1 else pair(sexagenary(year, "year"))
    if year_text is not None and len(year_text) == 1:
        branch(year_text, "year")
    month_text = month
    if month is not None and year_text is not None and len(year_text) == 2:
        month_text = with_stem(month, "month", 2 * (STEMS.index(year_text[0]) % 5) + 2)
    elif month is not None and len(month) == 2:
        sexagenary(month, "month")
    month_branch = None if month_text is None else branch(month_text[-1:], "month")
    plate = _plate(dun, ju, sexagenary(hour, "hour"), day_index, chosen)
    key = f"{'yang' if plate.dun == '陽' else 'yin'}{ju}-h.{_slug(hour)}"
    for letter, text in (("d", day), ("m", month_text), ("y", year_text)):
        if text is not None:
            key += f"-{letter}.{_slug(text)}"
    born = None if birth is None else read_birth(birth, tz, chosen["boundary"])
    pillars = {"year": year_text, "month": month_text, "day": day, "hour": hour}
    return QimenChart(_iri(key, born, chosen), plate, pillars, month_branch, None, None, born, chosen)


def read_birth(text: str, tz: str | None = None, boundary: str = "23:00") -> Birth:
    """A birth given as a year (its pair, whatever the month), a pair, or an instant on the civil clock.

    The year turns at 立春 (奇門遁甲秘笈大全 has no other), so that who was born before it gives the instant, or the
    pair. Raises InputError, InstantError.

    >>> read_birth("1980").year, read_birth("庚申").year, read_birth("1980-01-20T08:00+08:00").year
    ('庚申', '庚申', '己未')
    """
    if re.fullmatch(r"\d{1,4}", text, re.ASCII) and int(text) > 0:
        year = pair(int(text) - 4)
        return Birth(_slug(year), year)
    if text[:1] in STEMS and len(text) == 2:
        return Birth(_slug(pair(sexagenary(text, "birth"))), text)
    if not re.match(r"\d{4}-?\d\d", text, re.ASCII):
        raise InputError("birth", text, "a year as 1980, a pair as 庚申, or an instant as 1980-05-05T10:00")
    born = parse_instant(text, tz)
    at = moment(born, day_boundary=boundary)
    return Birth(born.strftime("%Y%m%dT%H%M%S") + _offset(born), at.year, at.month, at.day, at.hour, born)


def natal(chart: QimenChart) -> QimenChart | None:
    """The chart of the birth of the one who asks, where its instant is known: the same schools, the civil clock.

    占人生貴賤 (奇門遁甲秘笈大全 卷九) lays out nine stars, eight doors and four pillars of the native (超神接氣).

    >>> chart = cast(dun="陽", ju=1, hour="甲子", birth="1980-05-05T10:00+08:00")
    >>> born = natal(chart)
    >>> born.plate.dun, born.plate.ju, born.pillars["day"]
    ('陽', 8, '戊寅')
    """
    if chart.birth is None or chart.birth.instant is None:
        return None
    known = known_options("qimen")
    given = {
        key: value for key, value in chart.options.items() if value != known[key].default and key != "clock"
    }
    return cast_instant(chart.birth.instant, given, birth=chart.birth.instant.isoformat())


def _plate(dun: str, number: int, hour: int, day: int | None, chosen: Mapping[str, str]) -> qimen.Plate:
    words = {"plate": chosen["plate"], "host": chosen["host"], "spirits": chosen["spirits"]}
    return qimen.cast(dun, number, hour, day=day, **words)


def _offset(instant: datetime) -> str:
    return instant.strftime("%z").replace("+", "p").replace("-", "m")


def _slug(text: str) -> str:
    """The local name of a pair, or of a branch alone."""
    kind, number = ("pair", sexagenary(text)) if len(text) == 2 else ("branch", BRANCHES.index(text))
    return names(kind)[number].partition(":")[2]


def _iri(key: str, born: Birth | None, chosen: Mapping[str, str]) -> str:
    """The IRI of a chart: its inputs, then every option that is not the default."""
    known = known_options("qimen")
    if born is not None:
        key += f"-b.{born.key}"
    for option, value in chosen.items():
        if value != known[option].default:
            key += "." + known[option].values[value].partition(":")[2]
    return f"{THINGS}chart/qimen-{key}"
