"""What a census counts: all charts of an art under some months, years, states of the text and schools, cut into parts."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import product

from kg.cosmos import BRANCHES, names, pair, sexagenary
from kg.errors import InputError
from kg.liuren_chart import LiurenChart, cast_pillars
from kg.schools import chosen, resolve

DAYS = tuple(pair(number) for number in range(60))
MONTHS = ("寅", "辰")
"""Two month branches by default: one in which the season commands, and one in which earth does."""


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
        each = [resolve("liuren", {**dict(self.options), "reading": reading}) for reading in self.readings]
        return tuple(dict.fromkeys(node for values in each for node in chosen("liuren", values)))

    def charts(self, day: str) -> Iterator[LiurenChart]:
        """The charts of a day: every hour and month general in every month and year of the plan."""
        for hour, general, month, year, reading in product(
            BRANCHES, BRANCHES, self.months, self.years or (None,), self.readings
        ):
            given = {**dict(self.options), "reading": reading}
            yield cast_pillars(day, hour, general, month=month, year=year, given=given)


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
    for field, values in (("months", months), ("years", years)):
        for value in values:
            if value not in BRANCHES:
                raise InputError(field, value, f"branches of {BRANCHES}")
    for day in days:
        sexagenary(day, "days")
    for reading in readings:
        resolve("liuren", {**(options or {}), "reading": reading})
    once = [tuple(dict.fromkeys(values)) for values in (months, years, readings, days)]
    return Plan(once[0], once[1], once[2], tuple(sorted((options or {}).items())), once[3])
