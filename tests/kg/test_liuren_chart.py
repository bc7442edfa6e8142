"""Charts by what they were cast from: inputs checked and completed, and a name that says them."""

from __future__ import annotations

import re
from datetime import datetime
from itertools import product
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kg.calendar import parse_instant
from kg.cosmos import BRANCHES, GENERALS, STEMS, pair
from kg.errors import InputError, InstantError, MissingInput, SanshiError
from kg.liuren_chart import LiurenChart, cast, cast_instant, cast_pillars
from kg.schools import options

WHEN = "2025-02-19T23:42"
TZ = "Asia/Shanghai"


def name(chart: LiurenChart) -> str:
    return chart.iri.rpartition("/")[2]


# Pillars


@pytest.mark.parametrize(
    ("day", "first"), [("甲子", "甲"), ("乙丑", "丙"), ("丙寅", "戊"), ("丁卯", "庚"), ("戊辰", "壬"),
                       ("己巳", "甲"), ("庚午", "丙"), ("辛未", "戊"), ("壬申", "庚"), ("癸酉", "壬")],
)  # fmt: skip
def test_the_stem_of_the_hour_follows_the_day(day: str, first: str) -> None:
    """五鼠遁: 甲己還加甲, 乙庚丙作初, 丙辛從戊起, 丁壬庚子居, 戊癸何方發, 壬子是真途."""
    hours = [cast_pillars(day, hour, "亥").pillars["hour"] for hour in BRANCHES]
    assert hours == [STEMS[(STEMS.index(first) + n) % 10] + branch for n, branch in enumerate(BRANCHES)]


@pytest.mark.parametrize(
    ("year", "first"), [("甲子", "丙寅"), ("乙丑", "戊寅"), ("丙寅", "庚寅"), ("丁卯", "壬寅"), ("戊辰", "甲寅"),
                        ("己巳", "丙寅"), ("庚午", "戊寅"), ("辛未", "庚寅"), ("壬申", "壬寅"), ("癸酉", "甲寅")],
)  # fmt: skip
def test_the_stem_of_the_month_follows_the_year(year: str, first: str) -> None:
    """五虎遁: 甲己之年丙作首, 乙庚之歲戊為頭, 丙辛必定尋庚起, 丁壬壬位順行流, 戊癸 甲寅."""
    chart = cast_pillars("庚申", "子", "亥", month="寅", year=year)
    assert chart.pillars["month"] == first
    assert cast_pillars("庚申", "子", "亥", month=first, year=year).iri == chart.iri
    last = cast_pillars("庚申", "子", "亥", month="丑", year=year).pillars["month"]
    assert last == STEMS[(STEMS.index(first[0]) + 11) % 10] + "丑"


def test_what_is_not_known_stays_open() -> None:
    chart = cast_pillars("庚申", "子", "亥")
    assert chart.pillars == {"year": None, "month": None, "day": "庚申", "hour": "丙子"}
    assert (chart.month, chart.year, chart.moment) == (None, None, None)
    branch_only = cast_pillars("庚申", "子", "亥", month="寅", year="巳")
    assert (branch_only.pillars["year"], branch_only.pillars["month"]) == ("巳", "寅")
    assert (branch_only.year, branch_only.month) == (5, 2)
    unstemmed = cast_pillars("庚申", "子", "亥", month="戊寅", year="巳")
    assert (unstemmed.pillars["month"], unstemmed.month) == ("戊寅", 2)


ACCEPTED = {"day": "庚申", "hour": "子", "general": "亥", "month": "寅", "year": "巳"}


@pytest.mark.parametrize(
    ("field", "value", "accepted"),
    [
        ("day", "甲丑", "one of the sixty pairs 甲子 … 癸亥"),
        ("day", "申", "one of the sixty pairs"),
        ("day", "", "one of the sixty pairs"),
        ("day", "庚申日", "one of the sixty pairs"),
        ("hour", "鼠", f"one of {BRANCHES}"),
        ("hour", "", f"one of {BRANCHES}"),
        ("hour", "甲子", "子 or 丙子"),
        ("hour", "子時", f"one of {BRANCHES}"),
        ("general", "甲", f"one of {BRANCHES}"),
        ("general", "", f"one of {BRANCHES}"),
        ("general", "登明", f"one of {BRANCHES}"),
        ("month", "正月", "one of the sixty pairs"),
        ("month", "甲丑", "one of the sixty pairs"),
        ("month", "", f"one of {BRANCHES}"),
        ("month", "正月寅", f"one of {BRANCHES}"),
        ("year", "蛇", f"one of {BRANCHES}"),
        ("year", "2025", "one of the sixty pairs"),
        ("year", "", "one of the sixty pairs"),
    ],
)
def test_what_is_no_pair_or_branch_is_refused(field: str, value: str, accepted: str) -> None:
    """Once a month of three characters was taken by its last, and an empty one broke the program."""
    words = ACCEPTED | {field: value}
    with pytest.raises(InputError) as error:
        cast_pillars(words["day"], words["hour"], words["general"], month=words["month"], year=words["year"])
    assert accepted in str(error.value)
    assert "\n" not in str(error.value)


def test_a_month_that_the_year_does_not_have_is_refused() -> None:
    with pytest.raises(InputError, match=r"month: '甲寅' is not accepted; give 寅 or 戊寅"):
        cast_pillars("庚申", "子", "亥", month="甲寅", year="乙巳")


@pytest.mark.parametrize("option", ["clock=solar", "daylight=sun", "jiyue=eighteen", "boundary=00:00"])
def test_what_only_an_instant_can_serve_is_refused(option: str) -> None:
    key, _, value = option.partition("=")
    with pytest.raises(MissingInput, match=f"{option} needs an instant"):
        cast_pillars("庚申", "子", "亥", given={key: value})


# Instants


def test_the_chart_of_an_instant() -> None:
    chart = cast_instant(parse_instant(WHEN, TZ))
    assert chart.pillars == {"year": "乙巳", "month": "戊寅", "day": "庚申", "hour": "丙子"}
    assert (BRANCHES[chart.plate.general], chart.month, chart.year) == ("亥", 2, 5)
    assert name(chart) == "liuren-20250219T234200p0800"
    bare = cast_pillars("庚申", "子", "亥", month="寅", year="乙巳")
    assert chart.plate == bare.plate


def test_at_midnight_the_day_turns_where_one_says_so() -> None:
    evening = cast_instant(parse_instant(WHEN, TZ), {"boundary": "00:00"})
    assert (evening.pillars["day"], evening.pillars["hour"]) == ("己未", "甲子")
    assert name(evening) == "liuren-20250219T234200p0800.boundary-00"


def test_a_zone_and_its_offset_are_one_chart_but_another_clock_is_another() -> None:
    assert cast_instant(parse_instant(WHEN, TZ)).iri == cast_instant(parse_instant(WHEN + "+08:00")).iri
    seoul = cast_instant(parse_instant("2025-02-20T00:42", "Asia/Seoul"))
    assert seoul.iri != cast_instant(parse_instant(WHEN, TZ)).iri
    west = cast_instant(parse_instant("2025-02-19T08:42", "America/Denver"))
    assert name(west) == "liuren-20250219T084200m0700"


def test_a_fraction_of_a_second_is_part_of_the_name() -> None:
    """Once two instants within one second had one name, though a term may begin between them."""
    names = [name(cast_instant(parse_instant(f"{WHEN}:00{part}", TZ))) for part in ("", ".5", ".25", ".50")]
    assert names == [
        "liuren-20250219T234200p0800",
        "liuren-20250219T234200.5p0800",
        "liuren-20250219T234200.25p0800",
        "liuren-20250219T234200.5p0800",
    ]


@pytest.mark.parametrize(
    ("instant", "given", "error", "reason"),
    [
        (datetime(2025, 2, 19, 23, 42), {}, InstantError, "a zone with it"),
        (datetime(1899, 12, 31, 12, tzinfo=ZoneInfo("UTC")), {}, InstantError, "1900 to 2100"),
        (datetime(2101, 1, 1, 12, tzinfo=ZoneInfo("UTC")), {}, InstantError, "1900 to 2100"),
        (parse_instant(WHEN, TZ), {"daylight": "sun"}, MissingInput, "a longitude and a latitude"),
        (parse_instant(WHEN, TZ), {"clock": "solar"}, MissingInput, "longitude"),
        (parse_instant(WHEN, TZ), {"noble": "ox"}, InputError, "niuyang, yangniu"),
        (parse_instant(WHEN, TZ), {"nobel": "niuyang"}, InputError, "boundary, clock"),
    ],
)  # fmt: skip
def test_an_instant_that_cannot_be_cast(
    instant: datetime, given: dict[str, str], error: type[SanshiError], reason: str
) -> None:
    with pytest.raises(error) as raised:
        cast_instant(instant, given)
    assert reason in str(raised.value)


def test_day_or_night_decides_the_noble() -> None:
    """Hours 卯 to 申 are day; by the sun of Beijing 17:42 in February is already night, 16:42 is not."""

    def noble(**words: object) -> str:
        chart = cast(**words)  # type: ignore[arg-type]
        return BRANCHES[chart.plate.generals.index(GENERALS.index("貴人"))]

    for hour in BRANCHES:
        assert noble(day="甲子", hour=hour, general="亥") == ("丑" if hour in "卯辰巳午未申" else "未")
    assert noble(given={"daylight": "night"}, day="甲子", hour="午", general="亥") == "未"
    assert noble(given={"daylight": "day"}, day="甲子", hour="子", general="亥") == "丑"
    beijing = {"tz": TZ, "longitude": 116.4, "latitude": 39.9}
    for clock, expected in (("16:42", True), ("18:42", False)):
        chart = cast({"daylight": "sun"}, instant=f"2025-02-19T{clock}", **beijing)  # type: ignore[arg-type]
        assert chart.plate.daytime is expected


# One entrance for either


@pytest.mark.parametrize(
    ("words", "error", "reason"),
    [
        ({}, MissingInput, "an instant, or day, hour and general"),
        ({"day": "庚申", "hour": "子"}, MissingInput, "an instant, or day, hour and general"),
        ({"instant": WHEN, "tz": TZ, "day": "庚申"}, InputError, "either an instant or pillars, not both"),
        ({"instant": WHEN, "tz": TZ, "year": "巳"}, InputError, "either an instant or pillars, not both"),
        ({"day": "庚申", "hour": "子", "general": "亥", "tz": TZ}, InputError, "it only with an instant"),
        (
            {"day": "庚申", "hour": "子", "general": "亥", "longitude": 0.0},
            InputError,
            "it only with an instant",
        ),
        ({"instant": WHEN}, InstantError, "its zone"),
        ({"instant": WHEN, "tz": "Mars/Olympus"}, InstantError, "an IANA zone"),
        ({"instant": "yesterday", "tz": TZ}, InstantError, "2024-12-21T17:20"),
    ],
)
def test_an_instant_or_pillars_but_not_both(
    words: dict[str, object], error: type[SanshiError], reason: str
) -> None:
    with pytest.raises(error) as raised:
        cast(**words)  # type: ignore[arg-type]
    assert reason in str(raised.value)


# Names

charts = st.tuples(
    st.integers(0, 59),
    *[st.integers(0, 11)] * 2,
    *[st.one_of(st.none(), st.integers(0, 11))] * 2,
    st.sampled_from(["niuyang", "yangniu"]),
    st.sampled_from(["mengzhong", "depth", "depth-seat"]),
    st.sampled_from(["established", "base"]),
)


def of(inputs: tuple[int, int, int, int | None, int | None, str, str, str]) -> LiurenChart:
    day, hour, general, month, year, noble, shehai, reading = inputs
    return cast_pillars(
        pair(day),
        BRANCHES[hour],
        BRANCHES[general],
        month=None if month is None else BRANCHES[month],
        year=None if year is None else BRANCHES[year],
        given={"noble": noble, "shehai": shehai, "reading": reading},
    )


@settings(max_examples=150, deadline=None)
@given(charts, charts)
def test_two_charts_have_one_name_only_if_they_have_the_same_inputs(first: tuple, second: tuple) -> None:  # type: ignore[type-arg]
    assert (of(first).iri == of(second).iri) == (first == second)
    assert re.fullmatch(r"https://w3id\.org/sanshi/id/chart/liuren-[\w.-]+", of(first).iri, re.ASCII)


def test_each_value_of_each_option_but_the_default_is_in_the_name() -> None:
    place = {"longitude": 116.4, "latitude": 39.9}
    base = cast_instant(parse_instant(WHEN, TZ), **place)
    names = {base.iri}
    for option in options("liuren").values():
        for value in option.values:
            chart = cast_instant(parse_instant(WHEN, TZ), {option.key: value}, **place)
            assert chart.options[option.key] == value
            assert (chart.iri == base.iri) == (value == option.default)
            names.add(chart.iri)
    assert len(names) == 1 + sum(len(option.values) - 1 for option in options("liuren").values())


def test_options_join_in_one_order_however_they_are_given() -> None:
    given = [("noble", "yangniu"), ("void", "lin"), ("reading", "base")]
    names = {cast_pillars("庚申", "子", "亥", given=dict(order)).iri for order in (given, given[::-1])}
    assert len(names) == 1
    assert names.pop().endswith(".noble-yangniu.base.void-lin")


def test_place_is_in_the_name_and_east_is_not_west() -> None:
    at = parse_instant(WHEN, TZ)
    places = list(product((116.4, -116.4), (39.9, -39.9)))
    assert len({cast_instant(at, longitude=lon, latitude=lat).iri for lon, lat in places}) == 4
