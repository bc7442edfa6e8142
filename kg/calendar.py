"""From an instant to what both arts read off it: pillars, term, month general, lunar day, day or night.

Terms and lunar months come from tyme4py, the only library tried that is maintained, has both, and keeps
within 4 s of the ERFA ephemeris up to 2050; later the turning of the earth is a forecast, and forecasts part
by two minutes: there it is within 60 s of PyEphem. The pillars are arithmetic.

Absolute and local: the terms, and with them year, month and month general, turn at one instant all over the
earth; day and hour go by the clock of the place; the lunar date is that of China.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta, timezone, tzinfo
from functools import cache
from zoneinfo import ZoneInfo

from tyme4py.lunar import LunarYear  # type: ignore[import-untyped]
from tyme4py.solar import SolarTerm  # type: ignore[import-untyped]

from kg.cosmos import pair
from kg.errors import InputError, InstantError, MissingInput
from kg.suntime import is_day, solar_clock

_NAMES = "小寒大寒立春雨水驚蟄春分清明穀雨立夏小滿芒種夏至小暑大暑立秋處暑白露秋分寒露霜降立冬小雪大雪冬至"
TERMS = tuple(_NAMES[i : i + 2] for i in range(0, 48, 2))
"""The 24 terms in the order of a Gregorian year: 節 and 中氣 by turns, 15° of the sun apart, from 285°."""
FIRST_YEAR, LAST_YEAR = 1900, 2100
"""The years, by the clock the instant is given in, for which there are pillars."""
FIRST_TERMS, LAST_TERMS = 1645, 2200
"""The years for which there are terms: since 1645 the Chinese calendar goes by the true sun."""
DAY_BOUNDARIES = ("23:00", "00:00")
CLOCKS = ("standard", "solar")

_CHINA = timezone(timedelta(hours=8))
_NOON_2000 = datetime(2000, 1, 1, 12, tzinfo=_CHINA)
_NOON_2000_JULIAN = 2451545
_JIAZI_DAY = date(2000, 1, 7).toordinal()
_SPRING = TERMS.index("立春")
_EARTH_RULES = timedelta(days=18)
_SKIPPED = "a time that the clock showed: it was put forward past this one"
_ISO = re.compile(
    r"(\d{4})-(\d\d)-(\d\d)[T ](\d\d):(\d\d)(?::(\d\d)(?:\.(\d{1,6}))?)?(Z|[+-]\d\d:?\d\d(?::?\d\d)?)?",
    re.ASCII,
)
_OFFSET = re.compile(r"([+-])([01]\d|2[0-3]):?([0-5]\d)(?::?([0-5]\d))?", re.ASCII)


@dataclass(frozen=True, slots=True)
class Moment:
    """An instant as the two arts read it. Pillars and the term are Chinese, branches are 0–11."""

    instant: datetime
    """As it was given, aware."""
    local: datetime
    """The same instant on the clock that day and hour were read from."""
    year: str
    """Turns at the instant of 立春."""
    month: str
    """Turns at the instant of the 節."""
    day: str
    hour: str
    day_index: int
    """Place of the day's pair in the sixty, 甲子 0."""
    hour_branch: int
    month_branch: int
    """月建."""
    term: str
    """The last of the 24 terms to begin at or before the instant, …"""
    term_start: datetime
    """… and when it began, UTC."""
    month_general: int
    """月將: the house of the sun, which changes at the instant of the 中氣."""
    last_18_days: bool
    """Whether earth rules: 18 days of 24 hours, or less, are left before 立春, 立夏, 立秋 or 立冬 begins."""
    lunar_year: int
    lunar_month: int
    lunar_leap: bool
    lunar_day: int
    lunar_month_length: int
    daytime: bool | None
    """Whether the sun was up at the place; None where no place was given."""


def terms(year: int) -> tuple[tuple[str, datetime], ...]:
    """The 24 terms that begin in a Gregorian year (UTC), 小寒 to 冬至, each with its instant to the second.

    `year` is 1645 to 2200; InstantError is raised for others. UTC stands for universal time, from which it is
    kept within 0.9 s.

    >>> [(name, str(start)) for name, start in terms(2021) if name == "立夏"]
    [('立夏', '2021-05-05 06:47:11+00:00')]
    """
    if not FIRST_TERMS <= year <= LAST_TERMS:
        raise InstantError("year", year, f"one from {FIRST_TERMS} to {LAST_TERMS}")
    return _terms(year)


@cache
def _terms(year: int) -> tuple[tuple[str, datetime], ...]:
    def start(number: int) -> datetime:
        # The library numbers terms from the 冬至 of the year before, and counts days in China's time.
        days = SolarTerm.from_index(year, number).get_julian_day().get_day() - _NOON_2000_JULIAN
        return (_NOON_2000 + timedelta(seconds=round(days * 86400))).astimezone(UTC)

    return tuple((name, start(number)) for number, name in enumerate(TERMS, 1))


@cache
def _lunar_months(year: int) -> tuple[tuple[int, int, bool, int], ...]:
    """Of each month of a lunar year: ordinal of its first day, number, whether leap, length."""
    return tuple(
        (
            _NOON_2000.toordinal() + round(month.get_first_julian_day().get_day() - _NOON_2000_JULIAN),
            month.get_month(),
            month.is_leap(),
            month.get_day_count(),
        )
        for month in LunarYear.from_year(year).get_months()
    )


def day_index(day: date) -> int:
    """The place in the sixty of a civil day's pair, 甲子 0, in an unbroken count.

    >>> day_index(date(2000, 1, 7)), pair(day_index(date(2024, 12, 21)))
    (0, '己未')
    """
    return (day.toordinal() - _JIAZI_DAY) % 60


def moment(
    instant: datetime,
    *,
    day_boundary: str = "23:00",
    clock: str = "standard",
    longitude: float | None = None,
    latitude: float | None = None,
) -> Moment:
    """What both arts read off an aware instant of the years 1900 to 2100.

    `day_boundary` says when the day turns, and with it the stem of the hour, which is reckoned from the day.
    "23:00": the 子 hour opens the day (遁甲演義 卷一 counts five days 甲子時起至癸未日亥時止). "00:00": civil
    midnight does; what there is of the 子 hour before it belongs, stem and all, to the day that is ending.
    `clock` says what day and hour are read from. "standard": the civil clock of the instant's zone, as people
    there read it, summer time included (a fixed offset leaves it out). "solar": the sundial at `longitude`.
    `longitude` is in degrees east, −180 to 180, `latitude` in degrees north, −90 to 90; `daytime` needs both.

    The month general changes at the instant of the 中氣 (六壬經緯 卷一 月將: 當按曆家中氣交節時刻換之), the
    month branch at that of the 節 (協紀辨方書 卷十二: 月建視節氣…月將視中氣). Stems of months and hours go by
    五虎遁 and 五鼠遁, and earth rules the 18 days before each of the four 立 (協紀辨方書 卷一). The lunar
    date is that of the civil day in China, UTC+8 from midnight, wherever the instant is given and whatever
    the options.

    Raises InstantError where the instant is naive, out of range, or one that the clock of its zone skipped;
    InputError for an option or a place that is not accepted; MissingInput where the longitude is needed.

    >>> m = moment(datetime(2021, 5, 5, 14, tzinfo=ZoneInfo("Asia/Shanghai")))
    >>> m.year, m.month, m.day, m.hour, m.term
    ('辛丑', '壬辰', '癸丑', '己未', '穀雨')
    >>> m.lunar_month, m.lunar_day, m.month_general
    (3, 24, 9)
    """
    _check_instant(instant)
    _check_place(longitude, latitude)
    if day_boundary not in DAY_BOUNDARIES:
        raise InputError("day boundary", day_boundary, " or ".join(DAY_BOUNDARIES))
    if clock not in CLOCKS:
        raise InputError("clock", clock, " or ".join(CLOCKS))
    local = instant
    if clock == "solar":
        if longitude is None:
            raise MissingInput("the solar clock", "the longitude of the place")
        local = solar_clock(instant, longitude)
    day = day_index(local) + (day_boundary == "23:00" and local.hour == 23)
    hour_branch = (local.hour + 1) // 2 % 12

    utc = instant.astimezone(UTC)
    starts = _terms(utc.year)
    place = bisect_right(starts, utc, key=lambda row: row[1]) - 1
    term, term_start = starts[place] if place >= 0 else _terms(utc.year - 1)[-1]
    # Year 4 was 甲子; months are counted from the 丙寅 that opens a 甲 year.
    year = utc.year - 4 - (place < _SPRING)
    month = 12 * year + (place - _SPRING) // 2 % 12 + 2
    season = next(s for y in (utc.year, utc.year + 1) for _, s in _terms(y)[_SPRING::6] if s > utc)

    today = utc.astimezone(_CHINA).toordinal()
    lunar_year = utc.astimezone(_CHINA).year
    lunar_year -= today < _lunar_months(lunar_year)[0][0]
    first, lunar_month, leap, length = max(row for row in _lunar_months(lunar_year) if row[0] <= today)
    return Moment(
        instant=instant,
        local=local,
        year=pair(year),
        month=pair(month),
        day=pair(day),
        hour=pair(12 * day + hour_branch),
        day_index=day % 60,
        hour_branch=hour_branch,
        month_branch=month % 12,
        term=term,
        term_start=term_start,
        month_general=-((place - 1) // 2) % 12,
        last_18_days=season - utc <= _EARTH_RULES,
        lunar_year=lunar_year,
        lunar_month=lunar_month,
        lunar_leap=leap,
        lunar_day=today - first + 1,
        lunar_month_length=length,
        daytime=None if longitude is None or latitude is None else is_day(utc, longitude, latitude),
    )


def _check_instant(instant: datetime) -> None:
    text = instant.isoformat()
    if instant.utcoffset() is None:
        raise InstantError("instant", text, 'a zone with it, as ZoneInfo("Asia/Shanghai"), or an offset')
    if not FIRST_YEAR <= instant.year <= LAST_YEAR:
        raise InstantError("instant", text, f"a year from {FIRST_YEAR} to {LAST_YEAR}")
    shown = instant.astimezone(UTC).astimezone(instant.tzinfo)
    if shown.replace(tzinfo=None) != instant.replace(tzinfo=None):
        raise InstantError(
            "instant", f"{instant.replace(tzinfo=None).isoformat()} {instant.tzinfo}", _SKIPPED
        )


def _check_place(longitude: float | None, latitude: float | None) -> None:
    if longitude is not None and not -180 <= longitude <= 180:
        raise InputError("longitude", longitude, "degrees east, from -180 to 180")
    if latitude is not None and not -90 <= latitude <= 90:
        raise InputError("latitude", latitude, "degrees north, from -90 to 90")
    if latitude is not None and longitude is None:
        raise MissingInput("a latitude", "the longitude of the place")


def parse_instant(text: str, tz: str | None = None) -> datetime:
    """An aware datetime from ISO text: YYYY-MM-DDTHH:MM, seconds optional, then Z, ±HH:MM or nothing.

    An offset may have seconds too, as those of the local mean times of old have: +08:05:43 in Shanghai until 1901.
    Text without an offset needs `tz`, an IANA zone or ±HH:MM. Where both are given the offset fixes the
    instant; an IANA zone then says on whose clock it is read, and the result is converted to it; a fixed
    `tz` must agree. Raises InstantError for what is not such text, a zone that is not known, a year outside
    1900 to 2100, a time that the clock of the zone skipped, and one that it showed twice, unless the offset
    says which.

    >>> parse_instant("2024-12-21T17:20", "Asia/Shanghai").isoformat()
    '2024-12-21T17:20:00+08:00'
    >>> parse_instant("2024-12-21T09:20Z", "America/New_York").isoformat()
    '2024-12-21T04:20:00-05:00'
    >>> parse_instant("1988-09-11T01:30", "Asia/Shanghai")  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    kg.errors.InstantError: ...give 1988-09-11T01:30:00+09:00 or 1988-09-11T01:30:00+08:00: the clock...
    """
    text = text.strip()
    match = _ISO.fullmatch(text)
    if match is None:
        raise InstantError("instant", text, "date and time as 2024-12-21T17:20 or 2024-12-21T17:20:30+08:00")
    *numbers, fraction, offset = match.groups()
    year, month, day, hour, minute, second = (int(number or 0) for number in numbers)
    try:
        naive = datetime(year, month, day, hour, minute, second, int((fraction or "").ljust(6, "0")))
    except ValueError as error:
        raise InstantError("instant", text, f"a date and time that exist ({error})") from None
    zone = None if tz is None else _zone(tz)
    if offset is not None:
        given = naive.replace(tzinfo=_zone(offset))
        if isinstance(zone, ZoneInfo):
            _check_instant(given)
            given = given.astimezone(zone)
        elif zone not in (None, given.tzinfo):
            raise InstantError(
                "zone", tz, f"{offset}, the offset of the instant, or an IANA zone to read it in"
            )
    elif zone is None:
        raise InstantError("instant", text, f"its zone, as Asia/Shanghai, or its offset, as {text}+08:00")
    else:
        given = naive.replace(tzinfo=zone)
    _check_instant(given)
    again = given.replace(fold=1)
    if offset is None and given.utcoffset() != again.utcoffset():
        times = f"{given.isoformat()} or {again.isoformat()}"
        raise InstantError("instant", f"{text} {tz}", f"{times}: the clock showed it twice")
    return given


def _zone(tz: str) -> tzinfo:
    if tz == "Z":
        return UTC
    if match := _OFFSET.fullmatch(tz):
        sign, *parts = match.groups()
        hours, minutes, seconds = (int(part or 0) for part in parts)
        return timezone(int(sign + "1") * timedelta(hours=hours, minutes=minutes, seconds=seconds))
    try:
        return ZoneInfo(tz)
    except (KeyError, ValueError, OSError):  # not there, not a key, a folder of zones
        raise InstantError("zone", tz, "an IANA zone, as Asia/Shanghai, or an offset, as +08:00") from None
