"""Qimen charts from instants and from bare pillars: what is completed, what is refused, and how a chart is named."""

from __future__ import annotations

import re
from datetime import datetime

import pytest

from kg.calendar import parse_instant
from kg.cosmos import STEMS, sexagenary
from kg.errors import InputError, InstantError, MissingInput, SanshiError
from kg.palaces import DOORS, STARS
from kg.qimen import drawn
from kg.qimen_chart import QimenChart, cast, cast_instant, cast_pillars, read_birth
from kg.schools import options


def local(chart: QimenChart) -> str:
    return chart.iri.rpartition("/chart/")[2]


# The 局


def test_the_method_of_the_chart_is_the_one_that_was_chosen() -> None:
    """22 August 2026: 拆補 and 茅山 part, one by the day and the other by the hours since 立秋."""
    at = datetime.fromisoformat("2026-08-22T09:13:00+08:00")
    found = {m: cast_instant(at, {"method": m}).plate for m in ("chaibu", "maoshan", "zhirun")}
    assert {m: (plate.dun, plate.ju) for m, plate in found.items()} == {
        "chaibu": ("陰", 2),
        "maoshan": ("陰", 8),
        "zhirun": ("陰", 1),
    }


def test_term_used_and_term_of_the_sky_are_kept_apart() -> None:
    chart = cast_instant(datetime.fromisoformat("2026-08-22T09:13:00+08:00"), {"method": "zhirun"})
    assert chart.ju is not None
    assert (chart.ju.term, chart.ju.term_used, chart.ju.method) == ("立秋", "處暑", "zhirun")


def test_a_threshold_moves_the_block() -> None:
    at = parse_instant("2024-12-21T17:21", "Asia/Shanghai")
    low, high = (cast_instant(at, {"method": "zhirun", "threshold": n}) for n in ("8", "12"))
    assert (low.plate.dun, low.plate.ju) != (high.plate.dun, high.plate.ju)
    assert low.iri != high.iri


# Pillars


def test_late_zi_belongs_to_the_next_day_or_to_this() -> None:
    late = {
        b: cast(instant="2024-12-21T23:30", tz="Asia/Shanghai", given={"boundary": b})
        for b in ("23:00", "00:00")
    }
    assert {b: (c.pillars["day"], c.pillars["hour"]) for b, c in late.items()} == {
        "23:00": ("庚申", "丙子"),
        "00:00": ("己未", "甲子"),
    }


def test_the_solar_clock_moves_the_hour() -> None:
    plain = cast(instant="2024-12-21T17:05", tz="Asia/Shanghai")
    solar = cast({"clock": "solar"}, instant="2024-12-21T17:05", tz="Asia/Shanghai", longitude=87.6)
    assert (plain.pillars["hour"], solar.pillars["hour"]) == ("癸酉", "辛未")
    assert local(solar) == "qimen-20241221T170500p0800.lon87.6000.clock-solar"


def test_bare_pillars_are_completed_from_day_and_year() -> None:
    chart = cast_pillars("陰", 5, "午", day="己丑", month="寅", year="甲子")
    assert dict(chart.pillars) == {"year": "甲子", "month": "丙寅", "day": "己丑", "hour": "庚午"}
    assert (chart.month, chart.ju, chart.moment) == (2, None, None)


def test_a_month_or_year_may_be_a_branch_alone() -> None:
    chart = cast_pillars("陽", 1, "甲子", month="寅", year="子")
    assert dict(chart.pillars) == {"year": "子", "month": "寅", "day": None, "hour": "甲子"}
    assert chart.inputs["needsMonth"] is False
    assert chart.month == 2


@pytest.mark.parametrize(
    ("pair", "stem"),
    [
        ("甲子", "戊"),
        ("甲戌", "己"),
        ("甲申", "庚"),
        ("甲午", "辛"),
        ("甲辰", "壬"),
        ("甲寅", "癸"),
        ("乙酉", "乙"),
    ],
)
def test_a_jia_stands_for_the_instrument_of_its_own_decade(pair: str, stem: str) -> None:
    assert STEMS[drawn(sexagenary(pair))] == stem


def test_engine_options_reach_the_plate() -> None:
    plain = cast_pillars("陰", 2, "己卯")
    flown = cast_pillars("陰", 2, "己卯", given={"plate": "flying"})
    hosted = cast_pillars("陰", 2, "己卯", given={"host": "kun-gen"})
    named = cast_pillars("陽", 2, "己卯", given={"spirits": "tiger"})
    assert flown.plate.plate == "flying"
    assert flown.plate.spirits != plain.plate.spirits
    assert (plain.plate.host_palace, hosted.plate.host_palace) == (2, 8)
    assert {10, 11} <= set(named.plate.spirits)


def test_a_worked_example_of_volume_15() -> None:
    """天網四張: 癸丑時陰六局，休門與值符加時干癸於坎宮."""
    plate = cast_pillars("陰", 6, "癸丑", day="癸未").plate
    assert (STARS[plate.chief_star.number].name, plate.chief_star.palace) == ("天芮", 1)
    assert DOORS[plate.doors[1]].name == "休門"


# Birth


def test_a_birth_is_a_year_a_pair_or_an_instant() -> None:
    year, pair, instant = (read_birth(t, "Asia/Shanghai") for t in ("1980", "庚申", "1980-05-05T10:00"))
    assert year == pair
    assert (year.year, year.day) == ("庚申", None)
    assert (instant.year, instant.month, instant.day, instant.hour) == ("庚申", "庚辰", "戊寅", "丁巳")


def test_before_the_beginning_of_spring_the_year_is_the_one_before() -> None:
    assert read_birth("1980-01-20T08:00+08:00").year == "己未"


def test_a_chart_says_which_inputs_it_was_given() -> None:
    bare = cast(dun="陽", ju=1, hour="甲子")
    full = cast(instant="2026-02-18T22:59", tz="Asia/Shanghai", birth="1980")
    assert not any(bare.inputs.values())
    assert {name for name, given in full.inputs.items() if not given} == {"needsNatal"}


# Names


def test_the_name_is_made_of_inputs_and_of_options_that_are_no_default() -> None:
    assert local(cast(instant="2026-02-18T22:59", tz="Asia/Shanghai")) == "qimen-20260218T225900p0800"
    born = cast({"jia": "wu", "void": "day"}, instant="2026-02-18T22:59", tz="Asia/Shanghai", birth="1980")
    assert local(born) == "qimen-20260218T225900p0800-b.57-gengshen.jia-wu.void-day"
    bare = cast(dun="陽", ju=1, hour="甲子", day="甲子", month="丙寅", year="甲子")
    assert local(bare) == "qimen-yang1-h.01-jiazi-d.01-jiazi-m.03-bingyin-y.01-jiazi"


def test_the_same_chart_has_the_same_name_however_it_is_given() -> None:
    assert (
        cast(dun="陽", ju=1, hour="子", day="甲子").iri == cast(dun="陽", ju=1, hour="甲子", day="甲子").iri
    )
    one, other = (cast(dun="陽", ju=1, hour="甲子", birth=b).iri for b in ("1980", "庚申"))
    assert one == other


def test_every_value_of_every_option_gives_a_chart_a_name_of_its_own() -> None:
    found = set()
    number = 0
    for key, option in options("qimen").items():
        for value in option.values:
            given = {key: value} | ({"method": "zhirun"} if key == "threshold" else {})
            chart = cast(given, instant="2026-02-18T22:59", tz="Asia/Shanghai", longitude=121.5)
            found.add(chart.iri)
            number += value != option.default
    assert re.fullmatch(r"[\x21-\x7e]+", "".join(found))
    assert len(found) >= number + 1


# Errors


@pytest.mark.parametrize(
    ("words", "error", "says"),
    [
        ({}, MissingInput, "an instant, or dun, ju and hour"),
        ({"dun": "陽", "ju": 1}, MissingInput, "an instant, or dun, ju and hour"),
        ({"dun": "中", "ju": 1, "hour": "甲子"}, InputError, "陽 or 陰"),
        ({"dun": "陽", "ju": 10, "hour": "甲子"}, InputError, "1 to 9"),
        ({"dun": "陽", "ju": 1, "hour": "子"}, InputError, "sixty pairs"),
        ({"dun": "陽", "ju": 1, "hour": "甲丑"}, InputError, "sixty pairs"),
        ({"dun": "陽", "ju": 1, "hour": "甲子", "day": "乙丑"}, InputError, "子 or 丙子"),
        ({"dun": "陽", "ju": 1, "hour": "甲子", "month": "甲寅", "year": "甲子"}, InputError, "寅 or 丙寅"),
        ({"dun": "陽", "ju": 1, "hour": "甲子", "month": "鼠"}, InputError, "one of 子丑"),
        ({"dun": "陽", "ju": 1, "hour": "甲子", "year": "鼠"}, InputError, "one of 子丑"),
        ({"dun": "陽", "ju": 1, "hour": "甲子", "birth": "yesterday"}, InputError, "a year as 1980"),
        ({"dun": "陽", "ju": 1, "hour": "甲子", "birth": "1980-05-05T10:00"}, InstantError, "its zone"),
        ({"dun": "陽", "ju": 1, "hour": "甲子", "tz": "Asia/Seoul"}, InputError, "only with an instant"),
        ({"dun": "陽", "ju": 1, "hour": "甲子", "longitude": 120.0}, InputError, "only with an instant"),
        ({"instant": "2026-02-18T22:59+08:00", "ju": 1}, InputError, "either an instant or"),
        ({"instant": "2026-02-18T22:59"}, InstantError, "its zone"),
        ({"instant": "2126-02-18T22:59+08:00"}, InstantError, "1900 to 2100"),
    ],
)
def test_what_is_wrong_is_said_in_one_line(
    words: dict[str, object], error: type[SanshiError], says: str
) -> None:
    with pytest.raises(error) as raised:
        cast(**words)  # type: ignore[arg-type]
    assert says in str(raised.value)
    assert "\n" not in str(raised.value)


@pytest.mark.parametrize(
    ("given", "says"),
    [
        ({"method": "zhirun"}, "an instant"),
        ({"clock": "solar"}, "an instant"),
        ({"boundary": "00:00"}, "an instant"),
        ({"void": "day"}, "the pair of the day"),
    ],
)
def test_options_that_bare_pillars_cannot_serve(given: dict[str, str], says: str) -> None:
    with pytest.raises(MissingInput, match=says):
        cast(given, dun="陽", ju=1, hour="甲子")


def test_a_threshold_is_for_one_method() -> None:
    with pytest.raises(InputError, match="only with method=zhirun"):
        cast({"threshold": "9"}, instant="2026-02-18T22:59+08:00")


def test_unknown_options_name_those_there_are() -> None:
    with pytest.raises(InputError, match="palace_rule"):
        cast({"palaces": "song"}, dun="陽", ju=1, hour="甲子")
    with pytest.raises(InputError, match="song, plain"):
        cast({"star_rule": "none"}, dun="陽", ju=1, hour="甲子")
