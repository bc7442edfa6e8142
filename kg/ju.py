"""The 局 number (定局): which of the eighteen earth plates of Qi Men rules an instant, by three methods.

All three read one table, the three 局 of each of the 24 terms (奇門遁甲秘笈大全 卷一 陽遁九宮起例,
陰遁九宮起例). They differ in the term they read it by and in the third (元) they take. 拆補 goes by the term
in force and the day's place in its fifteen; 置閏 lets whole blocks of fifteen days stand for terms and
repeats one before a solstice when the blocks have run ahead; 茅山 counts the thirds from the very instant of
the term.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, datetime, timedelta

from kg.calendar import CLOCKS, DAY_BOUNDARIES, TERMS, day_index, terms
from kg.errors import InputError, InstantError, MissingInput
from kg.palaces import LAYOUTS
from kg.suntime import solar_clock

METHODS = ("chaibu", "zhirun", "maoshan")
THIRDS = "上中下"

_BLOCK = 15
_THIRD = timedelta(hours=120)
_SPRING = TERMS.index("立春")
_LAYOUTS = {name: LAYOUTS[(place - _SPRING) % 24 + 1] for place, name in enumerate(TERMS)}
_SOLSTICES = ("夏至", "冬至")


@dataclass(frozen=True, slots=True)
class Ju:
    """A 局, 1–9, of 陽 or 陰, its 元 (上 中 下), the term the sun is in and the term the method used.

    陰陽遁, and with it inner and outer palaces, goes by the term used. `intercalary` marks a block that
    repeats 大雪 or 芒種 (閏奇).
    """

    dun: str
    ju: int
    yuan: str
    term: str
    term_used: str
    method: str
    intercalary: bool


def chaibu(
    instant: datetime,
    *,
    day_boundary: str = "23:00",
    clock: str = "standard",
    longitude: float | None = None,
) -> Ju:
    """拆補: the term in force at the instant, and the third in which its day stands.

    The thirds run in fives of days from 甲子: a head (符頭) 甲 or 己 on 子午卯酉 opens the upper, on 寅申巳亥
    the middle, on 辰戌丑未 the lower (卷二十三 超神接氣置閏訣). A third that the new term cuts short is made
    up at the term's end. `day_boundary`, `clock` and `longitude` are as in `kg.calendar.moment` and say which
    day it is.

    Raises InstantError where the instant is naive or outside the years of the terms, InputError for an option
    that is not accepted, MissingInput where the solar clock lacks a longitude.

    >>> from zoneinfo import ZoneInfo
    >>> found = chaibu(datetime(2024, 12, 21, 17, 21, tzinfo=ZoneInfo("Asia/Shanghai")))
    >>> found.dun, found.ju, found.term_used, found.yuan
    ('陽', 4, '冬至', '下')
    """
    day = _civil_day(instant, day_boundary, clock, longitude)
    term, _ = _term(instant)
    return _ju("chaibu", term, term, _third_of_day(day))


def zhirun(
    instant: datetime,
    *,
    threshold: int = 8,
    day_boundary: str = "23:00",
    clock: str = "standard",
    longitude: float | None = None,
) -> Ju:
    """置閏: blocks of fifteen days stand for the terms, and one is repeated when they have outrun the sun.

    A solstice is taken by the head that leads it by fewer than `threshold` days, else by the next head, and
    the block before that one is 大雪 or 芒種 a second time (卷二十三 芒種大雪超過九日便當置閏, counted
    inclusively: eight days of lead). From the head that takes a solstice each later head advances one term.
    `threshold` is 1–15; 卷六 knows books that wait longer. The day of a solstice is reckoned as that of the
    instant is, on the same clock.

    Raises as `chaibu` does; InputError for a threshold out of range.

    >>> from zoneinfo import ZoneInfo
    >>> found = zhirun(datetime(2024, 12, 21, 17, 21, tzinfo=ZoneInfo("Asia/Shanghai")))
    >>> found.dun, found.ju, found.term, found.term_used, found.intercalary
    ('陰', 1, '冬至', '大雪', True)
    """
    if threshold not in range(1, _BLOCK + 1):
        raise InputError("threshold", threshold, f"a number of days from 1 to {_BLOCK}")
    day = _civil_day(instant, day_boundary, clock, longitude)
    term, start = _term(instant)
    taken: list[tuple[date, str]] = []
    for year in (start.year - 1, start.year):
        for name, solstice in terms(year):
            if name in _SOLSTICES:
                fell = _civil_day(solstice.astimezone(instant.tzinfo), day_boundary, clock, longitude)
                lead = day_index(fell) % _BLOCK
                taken.append((fell - timedelta(lead if lead < threshold else lead - _BLOCK), name))
    head, solstice_name = max(row for row in taken if row[0] <= day)
    blocks = (day - head).days // _BLOCK
    used = TERMS[(TERMS.index(solstice_name) + min(blocks, 11)) % 24]
    return _ju("zhirun", term, used, _third_of_day(day), intercalary=blocks > 11)


def maoshan(
    instant: datetime,
    *,
    day_boundary: str = "23:00",
    clock: str = "standard",
    longitude: float | None = None,
) -> Ju:
    """茅山: the term in force, and its thirds of 120 hours from its exact instant, the last to the next term.

    The day has no part in it; its options are taken, and checked, so that one call serves every method.
    Modern practice under the name of 茅山: neither 奇門遁甲秘笈大全 nor 遁甲演義 has it. Raises as `chaibu`.

    >>> from zoneinfo import ZoneInfo
    >>> found = maoshan(datetime(2024, 12, 28, 12, tzinfo=ZoneInfo("Asia/Shanghai")))
    >>> found.dun, found.ju, found.term_used, found.yuan
    ('陽', 7, '冬至', '中')
    """
    _civil_day(instant, day_boundary, clock, longitude)  # for its checks
    term, start = _term(instant)
    return _ju("maoshan", term, term, min((instant - start) // _THIRD, 2))


def _ju(method: str, term: str, used: str, third: int, *, intercalary: bool = False) -> Ju:
    layout = _LAYOUTS[used]
    return Ju(
        "陽" if layout.step == 1 else "陰", layout.ju[third], THIRDS[third], term, used, method, intercalary
    )


def _third_of_day(day: date) -> int:
    return day_index(day) % _BLOCK // 5


def _term(instant: datetime) -> tuple[str, datetime]:
    """The last term to begin at or before the instant, and when it began."""
    rows = (*terms(instant.year - 1)[-1:], *terms(instant.year))
    return [row for row in rows if row[1] <= instant][-1]


def _civil_day(instant: datetime, day_boundary: str, clock: str, longitude: float | None) -> date:
    """The day an instant belongs to, on the clock chosen and by the boundary chosen."""
    if instant.utcoffset() is None:
        raise InstantError("instant", instant.isoformat(), "one with its offset from UTC")
    if day_boundary not in DAY_BOUNDARIES:
        raise InputError("day boundary", day_boundary, " or ".join(DAY_BOUNDARIES))
    if clock not in CLOCKS:
        raise InputError("clock", clock, " or ".join(CLOCKS))
    if clock == "solar":
        if longitude is None:
            raise MissingInput("the solar clock", "the longitude of the place")
        instant = solar_clock(instant, longitude)
    late = day_boundary == "23:00" and instant.hour == 23
    return instant.date() + timedelta(days=late)
