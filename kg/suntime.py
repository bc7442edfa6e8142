"""Where the sun stands for a place: the true solar clock, and whether it is day.

The sun's place is the short series of Meeus, Astronomical Algorithms (2nd ed.), chapters 25 and 28, good to
0.01° over 1900–2100: the equation of time is right to 3 seconds and sunrise, up to 60° of latitude, to 10.
The terms of the year, which need more, come from the ephemeris of `kg.calendar`.
"""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, timezone
from math import asin, atan2, cos, degrees, radians, sin

_EPOCH = datetime(2000, 1, 1, 12, tzinfo=UTC)
_SUNRISE = sin(radians(-50 / 60))
"""Sine of the altitude of the sun's centre at sunrise: 34′ of refraction and 16′ of half its disc."""


def sun(instant: datetime) -> tuple[float, float]:
    """Declination in degrees and equation of time in seconds (sundial less mean clock) at an aware instant.

    >>> declination, equation = sun(datetime(2024, 11, 3, tzinfo=UTC))
    >>> round(declination, 1), round(equation / 60, 1)
    (-15.1, 16.4)
    """
    t = (instant - _EPOCH).total_seconds() / 86400 / 36525
    mean = 280.46646 + t * (36000.76983 + t * 0.0003032)
    anomaly = radians(357.52911 + t * (35999.05029 - t * 0.0001537))
    centre = (
        (1.914602 - t * (0.004817 + t * 0.000014)) * sin(anomaly)
        + (0.019993 - t * 0.000101) * sin(2 * anomaly)
        + 0.000289 * sin(3 * anomaly)
    )
    node = radians(125.04 - 1934.136 * t)
    nutation = -0.00478 * sin(node)
    apparent = radians(mean + centre - 0.00569 + nutation)
    obliquity = radians(23.439291 - t * 0.0130042 + 0.00256 * cos(node))
    ascension = degrees(atan2(cos(obliquity) * sin(apparent), cos(apparent)))
    declination = degrees(asin(sin(obliquity) * sin(apparent)))
    equation = mean - 0.0057183 - ascension + nutation * cos(obliquity)
    return declination, ((equation + 180) % 360 - 180) * 240


def solar_clock(instant: datetime, longitude: float) -> datetime:
    """The same instant on the sundial of a place: its offset is the longitude's and the equation of time.

    `longitude` is in degrees, east positive, −180 to 180. The offset is rounded to the second.

    >>> solar_clock(datetime(2024, 11, 3, 4, tzinfo=UTC), 116.4).isoformat()
    '2024-11-03T12:02:03+08:02:03'
    """
    _, equation = sun(instant)
    return instant.astimezone(timezone(timedelta(seconds=round(longitude * 240 + equation))))


def is_day(instant: datetime, longitude: float, latitude: float) -> bool:
    """Whether the sun is up, its upper limb above a level horizon at sea; right in polar day and night too.

    `latitude` is in degrees, north positive, −90 to 90.

    >>> is_day(datetime(2024, 6, 21, 20, tzinfo=UTC), 25.8, 71.2)    # North Cape, at midnight
    True
    """
    declination, equation = sun(instant)
    utc = instant.astimezone(UTC)
    seconds = (utc - utc.replace(hour=0, minute=0, second=0, microsecond=0)).total_seconds()
    hour_angle = radians((seconds + equation) / 240 + longitude - 180)
    tilt, place = radians(declination), radians(latitude)
    return sin(place) * sin(tilt) + cos(place) * cos(tilt) * cos(hour_angle) > _SUNRISE
