"""The Liuren engine against the table of lessons, the treatises' lists, and what holds of every chart."""

from __future__ import annotations

import csv
from collections import Counter
from collections.abc import Iterator
from itertools import product
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kg.cosmos import BRANCHES, GENERALS, LODGE, NOBLES, STEMS, branch, pair, sexagenary, stem
from kg.errors import InputError
from kg.liuren import SHEHAI, Plate, cast

TABLE = Path(__file__).parents[1] / "data" / "liuren-lessons.csv"
COLUMNS = {
    "mengzhong": "school_zhinan_mengzhong",
    "depth": "school_daquan_count",
    "depth-seat": "school_count_seat",
}
CHARTS = list(product(range(60), range(12), range(12)))

numbers = st.tuples(st.integers(0, 59), st.integers(0, 11), st.integers(0, 11))
schools = st.sampled_from(SHEHAI)


def rows() -> list[dict[str, str]]:
    with TABLE.open(encoding="utf-8", newline="") as lines:
        return list(csv.DictReader(lines))


def lesson(day: int, offset: int, shehai: str = "mengzhong") -> Plate:
    return cast(day, 0, offset, shehai=shehai)


def lessons(shehai: str = "mengzhong") -> Iterator[Plate]:
    return (lesson(day, offset, shehai) for day, offset in product(range(60), range(12)))


def spell(branches: tuple[int, ...]) -> str:
    return "".join(BRANCHES[b] for b in branches)


def written(plate: Plate) -> list[str]:
    """The four lessons as the table writes them: the stem, not its lodge, under the first."""
    lowers = [STEMS[plate.day % 10], *(BRANCHES[lower] for _, lower in plate.lessons[1:])]
    return [f"{BRANCHES[upper]}/{lower}" for (upper, _), lower in zip(plate.lessons, lowers, strict=True)]


# The table: lessons, methods and transmissions as books and programs give them


def test_the_table_is_whole() -> None:
    assert len(rows()) == 369
    assert len({(row["day"], row["offset"]) for row in rows()}) == 369


@pytest.mark.parametrize("shehai", SHEHAI)
def test_transmissions_of_the_table_under_each_school(shehai: str) -> None:
    wrong = []
    for row in rows():
        got = spell(lesson(sexagenary(row["day"]), int(row["offset"]), shehai).transmissions)
        if got != row[COLUMNS[shehai]]:
            wrong.append((row["day"], row["offset"], got, row[COLUMNS[shehai]]))
    assert wrong == []


def test_lessons_method_and_subtype_of_the_table() -> None:
    wrong = []
    for row in rows():
        plate = lesson(sexagenary(row["day"]), int(row["offset"]))
        got = [*written(plate), plate.method, plate.subtype, *spell(plate.transmissions)]
        names = (
            "lesson1",
            "lesson2",
            "lesson3",
            "lesson4",
            "method",
            "subtype",
            "initial",
            "middle",
            "final",
        )
        if got != [row[name] for name in names]:
            wrong.append((row["day"], row["offset"], got))
    assert wrong == []


# What the treatises list

FUYIN = """
甲子甲戌甲申甲午甲辰甲寅 寅巳申; 丙寅丙子丙戌丙申丙午丙辰 巳申寅; 戊辰戊寅戊子戊戌戊申戊午 巳申寅;
庚午庚辰庚寅庚子庚戌庚申 申寅巳; 壬申 亥申寅; 壬午 亥午子; 壬辰 亥辰戌; 壬寅 亥寅巳; 壬子 亥子卯; 壬戌 亥戌未;
癸酉癸未癸巳癸卯癸丑癸亥 丑戌未; 丁卯己卯辛卯 卯子午; 丁巳己巳辛巳 巳申寅; 丁酉己酉 酉未丑; 丁亥己亥 亥未丑;
丁未己未辛未 未丑戌; 丁丑己丑辛丑 丑戌未; 辛亥 亥戌未; 辛酉 酉戌未; 乙丑 辰丑戌; 乙亥 辰亥巳; 乙酉 辰酉卯;
乙未 辰未丑; 乙巳 辰巳申; 乙卯 辰卯子
"""
FANYIN = "辛未 巳丑辰; 辛丑 亥未辰; 丁丑己丑 亥未丑; 丁未己未 巳丑丑"


def listed(text: str) -> dict[int, str]:
    """A list of the treatise: each day it names, with its transmissions."""
    entries = (entry.split() for entry in text.split(";"))
    return {sexagenary(days[i : i + 2]): three for days, three in entries for i in range(0, len(days), 2)}


def test_fuyin_is_as_jingwei_lists_it() -> None:
    """六壬經緯 卷一 三傳 prints the transmissions of 伏吟 for all sixty days."""
    expected = listed(FUYIN)
    assert len(expected) == 60
    assert {day: spell(lesson(day, 0).transmissions) for day in range(60)} == expected


def test_fanyin_without_ke_is_as_jingwei_lists_it() -> None:
    """六壬經緯 卷一 三傳: six days of 返吟 have no 克."""
    without = {p.day: spell(p.transmissions) for p in lessons() if p.subtype == "井欄射"}
    assert without == listed(FANYIN)


def test_bieze_days_are_the_nine_lessons_of_daquan() -> None:
    """六壬大全 卷一 別責法: 戊辰戊午丙辰三剛日各一課, 辛未二課辛丑二課, 丁酉辛酉各一課; 剛三柔六共九課."""
    days = Counter(pair(p.day) for p in lessons() if p.method == "別責")
    assert days == {"戊辰": 1, "戊午": 1, "丙辰": 1, "辛未": 2, "辛丑": 2, "丁酉": 1, "辛酉": 1}


def test_bieze_initials_are_as_jingwei_gives_them() -> None:
    """六壬經緯 卷一 三傳: over 丑 for 戊辰 戊午, 戌 for 丙辰; 巳 for 辛丑, 亥 for 辛未, 丑 for 辛酉."""
    over = {"戊辰": "丑", "戊午": "丑", "丙辰": "戌"}
    itself = {"辛丑": "巳", "辛未": "亥", "辛酉": "丑"}
    for plate in (p for p in lessons() if p.method == "別責" and pair(p.day) != "丁酉"):
        day = pair(plate.day)
        initial = branch(itself[day]) if day in itself else plate.heaven(branch(over[day]))
        assert plate.transmissions == (initial, plate.lessons[0][0], plate.lessons[0][0]), day


def test_shehai_comes_to_its_last_step_only_on_three_lessons() -> None:
    """復等: seats alike (六壬大全 卷一 涉害法: 復等柔辰剛日宜), a yang day takes 干上."""
    last = {(pair(p.day), p.offset): p for p in lessons() if "綴瑕" in p.subtype}
    assert set(last) == {("戊辰", 6), ("戊辰", 7), ("戊戌", 6)}
    assert all(p.transmissions[0] == p.lessons[0][0] for p in last.values())


def test_maoxing_is_only_sixteen_lessons() -> None:
    """六壬大全 卷一: 凡昴星止十六課."""
    assert sum(p.method == "昴星" for p in lessons()) == 16


def test_bazhuan_stands_before_yaoke() -> None:
    """On the five days of one palace nothing is sought from afar (六壬大全 卷一 八專法: 不論遙)."""
    one_palace = [p for p in lessons() if LODGE[p.day % 10] == p.day % 12]
    assert {pair(p.day) for p in one_palace} == {"甲寅", "庚申", "丁未", "己未", "癸丑"}
    assert {p.method for p in one_palace} == {"伏吟", "返吟", "賊克", "比用", "涉害", "八專"}


@pytest.mark.parametrize(
    ("day", "hour", "general", "transmissions", "riders"),
    [
        ("丁卯", "丑", "亥", "亥酉未", "朱雀 貴人 太陰"),
        ("庚子", "戌", "申", "午辰寅", "螣蛇 六合 青龍"),
        ("庚戌", "辰", "申", "辰申子", "玄武 青龍 螣蛇"),
        ("甲午", "辰", "午", "辰午申", "六合 青龍 白虎"),
        ("乙卯", "寅", "子", "亥酉未", "玄武 天后 螣蛇"),
    ],
)
def test_charts_drawn_in_daquan_under_its_school(
    day: str, hour: str, general: str, transmissions: str, riders: str
) -> None:
    """六壬大全 卷五 涉害課 draws five charts with their generals; it counts depth, the seat left out."""
    plate = cast(sexagenary(day), branch(hour), branch(general), shehai="depth")
    assert (plate.method, spell(plate.transmissions)) == ("涉害", transmissions)
    assert [GENERALS[plate.generals[t]] for t in plate.transmissions] == riders.split()


@pytest.mark.parametrize(("days", "ding"), [("庚午辛未", "卯"), ("庚寅辛卯", "亥")])
def test_the_ding_of_the_decade_is_where_daquan_sees_it(days: str, ding: str) -> None:
    """六壬大全 卷九: 庚午辛未二日見卯是丁神, 庚寅辛卯二日見亥是丁神."""
    for day in (days[:2], days[2:]):
        assert cast(sexagenary(day), 0, 0).hidden.index(stem("丁")) == branch(ding)


# Charts worked out by hand


def test_a_day_chart_with_the_noble_forward() -> None:
    """丁卯日 午時 寅將: offset 8, one 上剋下 (未 over 亥), the day noble 亥 seated on 卯."""
    plate = cast(sexagenary("丁卯"), branch("午"), branch("寅"))
    assert (plate.offset, plate.daytime) == (8, True)
    assert written(plate) == ["卯/丁", "亥/卯", "亥/卯", "未/亥"]
    assert (plate.method, plate.subtype, spell(plate.transmissions)) == ("賊克", "元首", "未卯亥")
    assert [GENERALS[g] for g in plate.generals] == (
        "螣蛇 朱雀 六合 勾陳 青龍 天空 白虎 太常 玄武 太陰 天后 貴人".split()
    )
    assert [h if h is None else STEMS[h] for h in plate.hidden] == [*"甲乙丙丁戊己庚辛壬癸", None, None]
    assert spell(plate.void) == "戌亥"


def test_one_chart_by_night_and_by_day() -> None:
    """甲子日 子時 巳將: by night 未 on 寅, forward; taken as day 丑 on 申, backward. The rest stays."""
    plate = cast(0, 0, 5)
    assert not plate.daytime
    assert [GENERALS[g] for g in plate.generals] == (
        "青龍 天空 白虎 太常 玄武 太陰 天后 貴人 螣蛇 朱雀 六合 勾陳".split()
    )
    by_day = cast(0, 0, 5, daytime=True)
    assert [GENERALS[g] for g in by_day.generals] == (
        "螣蛇 貴人 天后 太陰 玄武 太常 白虎 天空 青龍 勾陳 六合 朱雀".split()
    )
    assert (by_day.lessons, by_day.transmissions) == (plate.lessons, plate.transmissions)


def test_an_arrow_from_afar() -> None:
    """庚戌日 子時 亥將: no 克 in the four lessons, 午 of lesson 2 controls 庚; 甲辰 decade, 寅卯 void."""
    plate = cast(sexagenary("庚戌"), branch("子"), branch("亥"))
    assert written(plate) == ["未/庚", "午/未", "酉/戌", "申/酉"]
    assert (plate.method, plate.subtype, spell(plate.transmissions)) == ("遙克", "蒿矢", "午巳辰")
    assert spell(plate.void) == "寅卯"
    assert plate.hidden[branch("辰")] == stem("甲") and plate.hidden[branch("丑")] == stem("癸")


# What holds of every chart


@pytest.mark.parametrize("noble", NOBLES)
def test_generals_of_every_chart(noble: str) -> None:
    """Each general once and in order from the noble of day or night, turned by its seat on earth."""
    forward_seats = set(map(branch, "亥子丑寅卯辰"))
    wrong = []
    for day, hour, general in CHARTS:
        plate = cast(day, hour, general, noble=noble)
        start = NOBLES[noble][day % 10][0 if BRANCHES[hour] in "卯辰巳午未申" else 1]
        step = 1 if plate.seat(start) in forward_seats else -1
        order = [plate.generals[(start + step * k) % 12] for k in range(12)]
        if order != list(range(12)):
            wrong.append((pair(day), BRANCHES[hour], BRANCHES[general], order))
    assert wrong == []


def test_the_heaven_plate_is_a_rotation_that_sets_the_month_general_on_the_hour() -> None:
    for hour, general in product(range(12), range(12)):
        plate = cast(0, hour, general)
        assert plate.heaven(hour) == general and plate.seat(general) == hour
        assert [(plate.heaven(earth) - earth) % 12 for earth in range(12)] == [plate.offset] * 12
        assert [plate.seat(plate.heaven(earth)) for earth in range(12)] == list(range(12))


@pytest.mark.parametrize("shehai", SHEHAI)
def test_lessons_and_transmissions_of_every_lesson(shehai: str) -> None:
    """Lessons hang together, the two still plates are named so, and a 克 found is followed by its chain."""
    for plate in lessons(shehai):
        (u1, l1), (u2, l2), (u3, l3), (u4, l4) = plate.lessons
        assert (l1, l2, l3, l4) == (LODGE[plate.day % 10], u1, plate.day % 12, u3)
        assert all(upper == plate.heaven(lower) for upper, lower in plate.lessons)
        assert all(t in range(12) for t in plate.transmissions)
        assert (plate.method == "伏吟") == (plate.offset == 0)
        assert (plate.method == "返吟") == (plate.offset == 6)
        initial, middle, final = plate.transmissions
        if plate.method in {"賊克", "比用", "涉害", "遙克"} or plate.subtype.startswith("無依"):
            assert initial in {u1, u2, u3, u4}
            assert (middle, final) == (plate.heaven(initial), plate.heaven(middle))
        elif plate.method in {"別責", "八專"}:
            assert middle == final == u1
        elif plate.method == "昴星":
            assert {middle, final} == {u1, u3}


def test_every_method_is_needed_and_they_cover_all_lessons() -> None:
    found = Counter(p.method for p in lessons())
    assert found.total() == 720
    assert set(found) == {"伏吟", "返吟", "賊克", "比用", "涉害", "八專", "遙克", "別責", "昴星"}


def test_schools_differ_only_where_shehai_decides() -> None:
    wrong = []
    for one, two, three in zip(*map(lessons, SHEHAI), strict=True):
        differ = len({one.transmissions, two.transmissions, three.transmissions}) > 1
        if differ and not all("涉害" in plate.subtype for plate in (one, two, three)):
            wrong.append((pair(one.day), one.offset))
        assert one.lessons == two.lessons == three.lessons
        assert one.method == two.method == three.method
    assert wrong == []


@pytest.mark.parametrize("day", range(60))
def test_hidden_stems_and_void_of_every_day(day: int) -> None:
    """The ten days of the decade give ten branches their stems; the two left over are void and bear none."""
    plate = cast(day, 0, 0)
    first = day - day % 10
    borne: dict[int, int] = {each % 12: each % 10 for each in range(first, first + 10)}
    assert [plate.hidden[b] for b in range(12)] == [borne.get(b) for b in range(12)]
    assert set(plate.void) == set(range(12)) - set(borne)


@given(numbers, schools, st.sampled_from(sorted(NOBLES)), st.booleans())
def test_options_are_recorded_and_touch_nothing_else(
    chart: tuple[int, int, int], shehai: str, noble: str, daytime: bool
) -> None:
    plain = cast(*chart)
    plate = cast(*chart, shehai=shehai, noble=noble, daytime=daytime)
    assert (plate.day, plate.hour, plate.general) == chart
    assert (plate.shehai, plate.noble, plate.daytime) == (shehai, noble, daytime)
    assert (plain.shehai, plain.noble, plain.daytime) == ("mengzhong", "niuyang", chart[1] in range(3, 9))
    assert (plate.lessons, plate.hidden, plate.void) == (plain.lessons, plain.hidden, plain.void)
    assert plate.generals == cast(*chart, noble=noble, daytime=daytime).generals
    assert plate.transmissions == cast(*chart, shehai=shehai).transmissions
    assert plate.generals.index(0) == NOBLES[noble][chart[0] % 10][not daytime]


@given(numbers, schools, st.integers(0, 11))
def test_the_lessons_hang_on_the_offset_alone(chart: tuple[int, int, int], shehai: str, turn: int) -> None:
    day, hour, general = chart
    one = cast(day, hour, general, shehai=shehai)
    two = cast(day, (hour + turn) % 12, (general + turn) % 12, shehai=shehai)
    assert (one.lessons, one.method, one.subtype, one.transmissions) == (
        (two.lessons, two.method, two.subtype, two.transmissions)
    )


# What is refused


@pytest.mark.parametrize("chart", [(60, 0, 0), (-1, 0, 0), (0, 12, 0), (0, -1, 0), (0, 0, 12), (0, 0, -1)])
def test_numbers_out_of_range_are_refused(chart: tuple[int, int, int]) -> None:
    with pytest.raises(InputError, match="give a number from 0 to"):
        cast(*chart)


def test_unknown_options_are_refused_by_name() -> None:
    with pytest.raises(
        InputError, match="shehai: 'seat' is not accepted; give one of mengzhong, depth, depth-seat"
    ):
        cast(0, 0, 0, shehai="seat")
    with pytest.raises(InputError, match="noble: '' is not accepted; give one of niuyang, yangniu"):
        cast(0, 0, 0, noble="")
    with pytest.raises(InputError, match="daytime: 'night' is not accepted"):
        cast(0, 0, 0, daytime="night")  # type: ignore[arg-type]
