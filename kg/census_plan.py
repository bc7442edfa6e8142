"""What a census counts: all charts of an art under some pillars, states of the text and schools, cut into parts.

A plate of Qimen is one of 局 and hour; what else a chart needs comes from a set of pillars, a table that ships
(`census-pillars.csv`): a row a chart of each plate, with the month for either 遁, the year, the birth, and which of the
twelve days that have the hour, counted from 甲子.
"""

from __future__ import annotations

import csv
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import product
from pathlib import Path

from kg.cosmos import BRANCHES, names, pair, sexagenary
from kg.errors import InputError
from kg.liuren_chart import LiurenChart, cast_pillars
from kg.qimen_chart import QimenChart
from kg.qimen_chart import cast_pillars as cast_qimen
from kg.schools import chosen, resolve

DAYS = tuple(pair(number) for number in range(60))
MONTHS = ("寅", "辰")
"""Two month branches by default: one in which the season commands, and one in which earth does."""
JU = tuple(f"{dun}{ju}" for dun in "陽陰" for ju in range(1, 10))


@dataclass(frozen=True, slots=True)
class Plan:
    """A census of Liuren: months, years (none: years are not asked), states of the text, other options, and days.

    Its parts are the days.
    """

    months: tuple[str, ...] = MONTHS
    years: tuple[str, ...] = ()
    readings: tuple[str, ...] = ("established",)
    options: tuple[tuple[str, str], ...] = ()
    days: tuple[str, ...] = DAYS

    art = "liuren"

    @property
    def parts(self) -> tuple[str, ...]:
        """The names of the parts, which `charts` takes."""
        return self.days

    @property
    def size(self) -> int:
        """The number of charts of a part.

        >>> Plan().size * len(DAYS)
        17280
        """
        return 144 * len(self.months) * max(1, len(self.years)) * len(self.readings)

    @property
    def slugs(self) -> tuple[str, ...]:
        """The names of the parts in ASCII."""
        return tuple(names("pair")[sexagenary(day)].partition(":")[2] for day in self.days)

    @property
    def schools(self) -> tuple[str, ...]:
        """The school of every option under which charts are cast; both, where both states of the text are asked.

        >>> "school:void-feng" in Plan().schools
        True
        """
        return _schools("liuren", self.options, self.readings)

    def charts(self, day: str) -> Iterator[LiurenChart]:
        """The charts of a day: every hour and month general in every month and year of the plan."""
        for hour, general, month, year, reading in product(
            BRANCHES, BRANCHES, self.months, self.years or (None,), self.readings
        ):
            given = {**dict(self.options), "reading": reading}
            yield cast_pillars(day, hour, general, month=month, year=year, given=given)


@dataclass(frozen=True, slots=True)
class QimenPlan:
    """A census of Qimen: a set of pillars by its name, states of the text, other options, and the 局 such as 陽1.

    Its parts are the 局.
    """

    pillars: str = "seasons"
    readings: tuple[str, ...] = ("established",)
    options: tuple[tuple[str, str], ...] = ()
    parts: tuple[str, ...] = JU

    art = "qimen"

    @property
    def size(self) -> int:
        """The number of charts of a part.

        >>> QimenPlan().size * len(JU)
        6480
        """
        return 60 * len(pillar_sets()[self.pillars]) * len(self.readings)

    @property
    def slugs(self) -> tuple[str, ...]:
        """The names of the parts in ASCII."""
        return tuple(f"{'yang' if part[0] == '陽' else 'yin'}{part[1]}" for part in self.parts)

    @property
    def schools(self) -> tuple[str, ...]:
        """The school of every option under which charts are cast; both, where both states of the text are asked."""
        return _schools("qimen", self.options, self.readings)

    def charts(self, part: str) -> Iterator[QimenChart]:
        """The charts of a 局: its sixty hours with every row of the set of pillars."""
        dun, ju = part[0], int(part[1])
        for hour, row, reading in product(range(60), pillar_sets()[self.pillars], self.readings):
            # the stem of the hour follows from that of the day (五鼠遁), so that every fifth day has the hour
            first = (hour % 10 - hour % 12) % 10 // 2
            yield cast_qimen(
                dun,
                ju,
                pair(hour),
                day=pair(first + 5 * int(row["day"])) if row["day"] else None,
                month=row["yang_month" if dun == "陽" else "yin_month"] or None,
                year=row["year"] or None,
                birth=row["birth"] or None,
                given={**dict(self.options), "reading": reading},
            )


Census = Plan | QimenPlan


@cache
def pillar_sets() -> Mapping[str, tuple[Mapping[str, str], ...]]:
    """The sets of pillars of the table, by name.

    >>> sorted(pillar_sets())
    ['bare', 'seasons']
    """
    with Path(__file__).with_name("census-pillars.csv").open(encoding="utf-8", newline="") as lines:
        rows = list(csv.DictReader(lines))
    return {
        name: tuple(r for r in rows if r["set"] == name) for name in dict.fromkeys(r["set"] for r in rows)
    }


def _schools(art: str, options: Iterable[tuple[str, str]], readings: Iterable[str]) -> tuple[str, ...]:
    each = [resolve(art, {**dict(options), "reading": reading}) for reading in readings]
    return tuple(dict.fromkeys(node for values in each for node in chosen(art, values)))


def qimen_plan(
    pillars: str = "seasons",
    readings: Sequence[str] = ("established",),
    options: Mapping[str, str] | None = None,
    parts: Sequence[str] = JU,
) -> QimenPlan:
    """A plan of Qimen whose inputs are checked. Raises InputError.

    >>> sum(1 for _ in qimen_plan("bare", parts=["陽1"]).charts("陽1"))
    60
    """
    if pillars not in pillar_sets():
        raise InputError("pillars", pillars, f"one of {', '.join(pillar_sets())}")
    for part in parts or [""]:
        if part not in JU:
            raise InputError("ju", part, f"one of {', '.join(JU)}")
    for reading in readings or [""]:
        resolve("qimen", {**(options or {}), "reading": reading})
    given = tuple(sorted((options or {}).items()))
    return QimenPlan(pillars, tuple(dict.fromkeys(readings)), given, tuple(dict.fromkeys(parts)))


def plan(
    months: Sequence[str] = MONTHS,
    years: Sequence[str] = (),
    readings: Sequence[str] = ("established",),
    options: Mapping[str, str] | None = None,
    days: Sequence[str] = DAYS,
) -> Plan:
    """A plan of Liuren whose inputs are checked. Raises InputError.

    >>> sum(1 for _ in plan().charts("甲子"))
    288
    """
    for field, values in (("months", months or [""]), ("years", years)):
        for value in values:
            if value not in tuple(BRANCHES):
                raise InputError(field, value, f"branches of {BRANCHES}")
    for day in days or [""]:
        sexagenary(day, "days")
    for reading in readings or [""]:
        resolve("liuren", {**(options or {}), "reading": reading})
    once = [tuple(dict.fromkeys(values)) for values in (months, years, readings, days)]
    return Plan(once[0], once[1], once[2], tuple(sorted((options or {}).items())), once[3])
