"""The 局 number: dated cases of three methods, the late 子 hour, what holds on every day of two centuries."""

import csv
from collections.abc import Callable
from datetime import UTC, datetime, timedelta, timezone
from itertools import pairwise
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kg.calendar import TERMS, day_index, terms
from kg.cosmos import BRANCHES, STEMS
from kg.errors import InputError, InstantError, MissingInput
from kg.ju import METHODS, Ju, chaibu, maoshan, zhirun
from kg.palaces import LAYOUTS

CASES = Path(__file__).parents[1] / "data" / "qimen-ju-cases.csv"
FIND: dict[str, Callable[..., Ju]] = {"chaibu": chaibu, "zhirun": zhirun, "maoshan": maoshan}
CHINA = timezone(timedelta(hours=8))
DAY = timedelta(days=1)


def at(text: str) -> datetime:
    return datetime.fromisoformat(text).replace(tzinfo=CHINA)


def words(found: Ju) -> str:
    return f"{found.term_used}{found.yuan}元 {found.dun}遁{found.ju}局" + "(閏)" * found.intercalary


def solstices(first: int, last: int) -> list[datetime]:
    return [
        start for year in range(first, last + 1) for name, start in terms(year) if name in ("夏至", "冬至")
    ]


def rows() -> list[dict[str, str]]:
    with CASES.open(encoding="utf-8") as file:
        return [{k: v.replace("驚蛰", "驚蟄") for k, v in row.items()} for row in csv.DictReader(file)]


@pytest.mark.parametrize("method", METHODS)
def test_dated_cases(method: str) -> None:
    cases = rows()
    assert len(cases) == 20
    found = {row["datetime"]: FIND[method](datetime.fromisoformat(row["datetime"])) for row in cases}
    assert {when: words(ju) for when, ju in found.items()} == {row["datetime"]: row[method] for row in cases}
    assert {when: ju.term for when, ju in found.items()} == {row["datetime"]: row["term"] for row in cases}
    assert {ju.method for ju in found.values()} == {method}


def test_thirds_go_by_the_head_of_five_days() -> None:
    """卷六: 以甲己子午卯酉為上元，寅申巳亥為中元，辰戌丑未為下元."""
    for count in range(60):
        noon = at("2000-01-07T12:00") + count * DAY
        head = day_index(noon) - day_index(noon) % 5
        assert STEMS[head % 10] in "甲己"
        thirds = {"子午卯酉": "上", "寅申巳亥": "中", "辰戌丑未": "下"}
        yuan = next(third for branches, third in thirds.items() if BRANCHES[head % 12] in branches)
        assert chaibu(noon).yuan == zhirun(noon).yuan == yuan


@pytest.mark.parametrize(
    ("boundary", "chaibu_words", "zhirun_words"),
    [
        (
            "23:00",
            "大雪上元 陰遁4局",
            "大雪上元 陰遁4局(閏)",
        ),  # already 己酉, the first day of the repeated block
        ("00:00", "大雪下元 陰遁1局", "大雪下元 陰遁1局"),  # still 戊申
    ],
)
def test_late_zi_hour_belongs_to_the_day_the_school_says(
    boundary: str, chaibu_words: str, zhirun_words: str
) -> None:
    late = at("2024-12-10T23:30")
    assert words(chaibu(late, day_boundary=boundary)) == chaibu_words
    assert words(zhirun(late, day_boundary=boundary)) == zhirun_words
    for other in (late - timedelta(minutes=31), late + timedelta(minutes=30)):
        assert chaibu(other) == chaibu(other, day_boundary="00:00")
        assert zhirun(other) == zhirun(other, day_boundary="00:00")


def test_day_is_read_on_the_clock_chosen() -> None:
    """At Urumqi, 87.6° east, the sundial is more than two hours behind the clock of China."""
    late = at("2024-12-10T23:30")
    assert words(chaibu(late, clock="solar", longitude=87.6)) == "大雪下元 陰遁1局"
    assert words(zhirun(late, clock="solar", longitude=87.6)) == "大雪下元 陰遁1局"
    assert maoshan(late, clock="solar", longitude=87.6) == maoshan(late)


def test_day_is_local_and_the_term_is_not() -> None:
    instant = at("2024-12-11T08:00")
    abroad = instant.astimezone(ZoneInfo("America/New_York"))
    assert words(chaibu(instant)) == "大雪上元 陰遁4局"
    assert words(chaibu(abroad)) == "大雪下元 陰遁1局"
    assert maoshan(abroad) == maoshan(instant)


@pytest.mark.parametrize("method", METHODS)
def test_term_changes_on_its_second(method: str) -> None:
    start = dict(terms(2026))["立春"]
    before, after = FIND[method](start - timedelta(seconds=1)), FIND[method](start)
    assert (before.term, after.term) == ("大寒", "立春")


def test_maoshan_thirds_are_of_120_hours_from_the_instant_of_the_term() -> None:
    start = dict(terms(2026))["夏至"]
    second = timedelta(seconds=1)
    hours = [timedelta(hours=count) for count in (0, 120, 240, 365)]
    assert [maoshan(start + after).yuan for after in hours] == ["上", "中", "下", "下"]
    assert [maoshan(start + after - second).yuan for after in hours[1:3]] == ["上", "中"]


def test_threshold_decides_whether_a_lead_intercalates() -> None:
    """The head led the solstice of 1995 by eight days."""
    day = at("1995-12-15T12:00")
    assert words(zhirun(day)) == words(zhirun(day, threshold=8)) == "大雪上元 陰遁4局(閏)"
    assert words(zhirun(day, threshold=9)) == "冬至上元 陽遁1局"


@pytest.mark.parametrize("threshold", [1, 8, 9, 10, 15])
def test_blocks_follow_the_sun(threshold: int) -> None:
    """A block is fifteen days of one term; the next is of the next term, or of 大雪 or 芒種 once more."""
    noon = at("1899-12-22T12:00")
    assert day_index(noon) % 15 == 0
    blocks = []
    for count in range(0, 202 * 365, 15):
        days = [zhirun(noon + (count + day) * DAY, threshold=threshold) for day in (0, 5, 14)]
        assert len({(found.term_used, found.intercalary) for found in days}) == 1
        assert [found.yuan for found in days] == list("上中下")
        blocks.append(days[0])
    for one, other in pairwise(blocks):
        if other.intercalary:
            assert one.term_used == other.term_used
            assert other.term_used in ("大雪", "芒種")
            assert not one.intercalary
        else:
            assert TERMS[(TERMS.index(one.term_used) + 1) % 24] == other.term_used
    # 365.2425 days a year are 24 terms and 0.3495 blocks over.
    assert abs(sum(block.intercalary for block in blocks) - 202 * 0.3495) < 2


@pytest.mark.parametrize(("boundary", "turns"), [("00:00", 0), ("23:00", 1)])
def test_head_that_takes_a_solstice_is_at_most_seven_days_from_it(boundary: str, turns: int) -> None:
    """The day of a solstice turns when that of the chart does: after 23:00 it is the next, in that school."""
    for solstice in solstices(1900, 2100):
        local = solstice.astimezone(CHINA)
        noon = local.replace(hour=12) + DAY * (turns if local.hour == 23 else 0)
        term = "夏至" if noon.month == 6 else "冬至"
        heads = [
            ahead
            for ahead in range(-(day_index(noon) % 15) - 15, 30, 15)
            if zhirun(noon + ahead * DAY, day_boundary=boundary).term_used == term
        ]
        assert len(heads) == 1
        assert -7 <= heads[0] <= 7


@pytest.mark.parametrize("decade", [1900, 1980, 2020, 2091])
def test_every_day_of_a_decade_has_a_ju_near_its_term(decade: int) -> None:
    noon = datetime(decade, 1, 1, 4, tzinfo=UTC)
    while noon.year < decade + 10:
        by_day, by_block, by_hours = (FIND[method](noon) for method in METHODS)
        assert by_day.term == by_day.term_used == by_hours.term_used == by_block.term
        apart = (TERMS.index(by_block.term_used) - TERMS.index(by_block.term)) % 24
        assert apart in (0, 1, 23)
        noon += DAY


@given(
    st.datetimes(datetime(1900, 1, 1), datetime(2100, 12, 31)),
    st.integers(-12 * 60, 14 * 60),
    st.sampled_from(METHODS),
    st.sampled_from(["23:00", "00:00"]),
    st.one_of(st.none(), st.floats(-180, 180)),
)
def test_every_instant_of_two_centuries_has_a_ju(
    naive: datetime, offset: int, method: str, boundary: str, longitude: float | None
) -> None:
    instant = naive.replace(tzinfo=timezone(timedelta(minutes=offset)))
    clock = "standard" if longitude is None else "solar"
    found = FIND[method](instant, day_boundary=boundary, clock=clock, longitude=longitude)
    layout = LAYOUTS[(TERMS.index(found.term_used) - TERMS.index("立春")) % 24 + 1]
    assert found.ju == layout.ju["上中下".index(found.yuan)]
    assert found.dun == ("陽" if layout.step == 1 else "陰")
    assert (found.dun == "陽") == ((TERMS.index(found.term_used) - TERMS.index("冬至")) % 24 < 12)
    assert not found.intercalary or found.term_used in ("大雪", "芒種")


@pytest.mark.parametrize("method", METHODS)
def test_wrong_values_are_refused(method: str) -> None:
    find, instant = FIND[method], at("2024-12-21T12:00")
    with pytest.raises(InstantError, match="one with its offset from UTC"):
        find(instant.replace(tzinfo=None))
    with pytest.raises(InstantError, match="from 1645 to 2200"):
        find(instant.replace(year=1500))
    with pytest.raises(InputError, match="give 23:00 or 00:00"):
        find(instant, day_boundary="noon")
    with pytest.raises(InputError, match="give standard or solar"):
        find(instant, clock="water")
    with pytest.raises(MissingInput, match="the longitude of the place"):
        find(instant, clock="solar")


@pytest.mark.parametrize("threshold", [0, 16])
def test_threshold_out_of_range_is_refused(threshold: int) -> None:
    with pytest.raises(InputError, match="a number of days from 1 to 15"):
        zhirun(at("2024-12-21T12:00"), threshold=threshold)
