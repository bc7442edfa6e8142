"""Qi Men plates: the reference table on every field, worked examples of the books, what holds of each."""

import csv
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from kg.cosmos import BRANCHES, STEMS, sexagenary, table
from kg.cosmos import pair as pair_name
from kg.errors import InputError
from kg.palaces import DOOR_HOME, DOORS, HOME_DOOR, LAYOUTS, OPPOSITE, PALACES, RING, SPIRITS, STARS
from kg.qimen import HOSTS, Plate, cast, drawn

DATA = Path(__file__).parents[1] / "data"
OUTER = [1, 2, 3, 4, 6, 7, 8, 9]
EVERY = [(dun, ju, hour) for dun in "陽陰" for ju in range(1, 10) for hour in range(60)]

# Dated notes of 奇門遁甲秘笈大全 卷二十九: figure; 遁, 局, hour; marvel, door, star, spirit of one palace.
NOTES = """
1 陽5乙亥 乙休輔 | 1 陰3戊子 乙休輔 | 1 陽3乙亥 乙休輔 | 4 陽6乙未 乙杜英值符
4 陰2乙酉 乙杜英值符 | 5 陽8乙卯 乙景-六合 | 5 陰1乙卯 乙景-六合 | 8 陰3乙丑 乙開輔九天
9 陽3乙巳 乙休柱值符 | 9 陰8乙亥 乙休柱值符 | 14 陽9丙戌 乙死任朱雀 | 19 陰4乙卯 乙傷禽六合
22 陰6乙酉 乙死柱玄武 | 24 陽8乙丑 乙開任值符 | 24 陰4乙卯 乙開任值符 | 25 陰9丙午 丙休芮六合
28 陽8丙申 丙杜芮值符 | 30 陽2丙申 丙死英勾陳 | 31 陽9丙辰 丙驚-太陰 | 32 陰5丙午 丙開-六合
39 陽2丙寅 丙驚芮值符 | 41 陽3丙辰 丙休蓬太陰 | 43 陽1丙子 丙傷-朱雀 | 45 陽2丙辰 丙景英太陰
45 陰7丙辰 丙景英太陰 | 48 陽8丁酉 丙開心勾陳 | 49 陽7丁丑 丁休任值符 | 49 陰4丁巳 丁休任值符
50 陽8乙巳 丁生禽太陰 | 52 陽4丁卯 丁杜-朱雀 | 52 陽2戊子 丁杜-朱雀 | 56 陽3丁丑 丁開輔值符
56 陰9丁巳 丁開輔值符 | 60 陰3庚子 丁杜心六合
"""


def stems(numbers: tuple[int, ...]) -> str:
    return "".join(STEMS[stem] for stem in numbers)


def fields(plate: Plate) -> Iterator[tuple[str, str]]:
    """A plate as the columns of the reference table."""
    yield from (("dun", plate.dun), ("ju", str(plate.ju)), ("hour", pair_name(plate.hour)))
    yield "id", f"{plate.dun}{plate.ju}-{pair_name(plate.hour)}"
    yield from (("xun", pair_name(plate.marks.head)), ("yi", STEMS[plate.marks.instrument]))
    for palace in range(1, 10):
        yield f"earth{palace}", STEMS[plate.earth[palace][0]]
    for palace in OUTER:
        yield f"heaven{palace}", stems(plate.heaven[palace])
        yield f"star{palace}", "".join(STARS[star].sign for star in plate.stars[palace])
        yield f"door{palace}", DOORS[plate.doors[palace]].sign
        yield f"spirit{palace}", SPIRITS[plate.spirits[palace]].name
    star, door = plate.chief_star, plate.chief_door
    yield from (("zhifu_star", STARS[star.number].name), ("zhifu_home", str(star.home)))
    yield from (("zhifu_raw", str(star.raw)), ("zhifu_palace", str(star.palace)))
    yield from (
        ("zhishi_door", DOORS[door.number].sign),
        ("zhishi_raw", str(door.raw)),
        ("zhishi_palace", str(door.palace)),
    )
    yield "void_branches", "".join(BRANCHES[branch] for branch in plate.marks.void)
    yield "void_palaces", " ".join(map(str, plate.marks.void_palaces))
    yield from (
        ("horse_branch", BRANCHES[plate.marks.horse]),
        ("horse_palace", str(plate.marks.horse_palace)),
    )
    yield from (("star_rot", str(plate.star_turn)), ("door_rot", str(plate.door_turn)))
    yield from (("star_yin", plate.star_moan or ""), ("door_yin", plate.door_moan or ""))


def test_reference_plates_agree_on_every_field() -> None:
    with (DATA / "qimen-plates.csv").open(encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    assert len(rows) == 560
    wrong = []
    for row in rows:
        # The table names the two shared seats 白虎 and 玄武 in both 遁.
        found = dict(fields(cast(row["dun"], int(row["ju"]), sexagenary(row["hour"]), spirits="tiger")))
        assert found.keys() == row.keys()
        wrong += [
            (row["id"], name, found[name], value) for name, value in row.items() if found[name] != value
        ]
    assert wrong == []


@pytest.mark.parametrize(
    ("dun", "ju", "hour", "star", "at", "above", "below", "where"),
    [
        ("陽", 9, "辛未", "天英", 3, "丙", "戊", 9),  # 飛鳥跌穴
        ("陽", 3, "丁卯", "天沖", 9, "丙", "戊", 3),  # 飛鳥跌穴
        ("陽", 1, "丙寅", "天蓬", 8, "戊", "丙", 8),  # 青龍返首
        ("陽", 9, "庚午", "天英", 2, "乙", "辛", 3),  # 三奇得使
        ("陰", 3, "壬辰", "天蓬", 8, "乙", "辛", 9),  # 三奇得使
        ("陽", 9, "戊寅", "天蓬", 9, "丁", "壬", 4),  # 三奇得使
    ],
)
def test_worked_examples_of_yanyi_volume_2(
    dun: str, ju: int, hour: str, star: str, at: int, above: str, below: str, where: int
) -> None:
    plate = cast(dun, ju, sexagenary(hour))
    assert (STARS[plate.chief_star.number].name, plate.chief_star.palace) == (star, at)
    assert above in stems(plate.heaven[where])
    assert below in stems(plate.earth[where])


def test_worked_example_of_volume_15() -> None:
    """天網四張: 癸丑時陰六局，休門與值符加時干癸於坎宮."""
    plate = cast("陰", 6, sexagenary("癸丑"))
    assert (DOORS[plate.doors[1]].name, plate.chief_star.palace, stems(plate.earth[1])) == ("休門", 1, "癸")


def test_jade_maiden_keeps_the_gate_in_six_hours_of_every_ju() -> None:
    """遁甲演義 卷二: 甲子用庚午 甲戌用己卯 甲申用戊子 甲午用丁酉 甲辰用丙午 甲寅用乙卯."""
    hours = {sexagenary(hour) for hour in ("庚午", "己卯", "戊子", "丁酉", "丙午", "乙卯")}
    for dun, ju, hour in EVERY:
        plate = cast(dun, ju, hour)
        assert (STEMS[plate.earth[plate.chief_door.raw][0]] == "丁") == (hour in hours)


@pytest.mark.parametrize("host", HOSTS)
def test_turning_plates_are_whole_and_turn_rigidly(host: str) -> None:
    for dun, ju, hour in EVERY:
        plate = cast(dun, ju, hour, host=host)
        guest = plate.host_palace
        assert guest == HOSTS[host][1 if dun == "陽" else -1]
        assert sorted(plate.earth[palace][0] for palace in range(1, 10)) == list(range(1, 10))
        assert [palace for palace in range(1, 10) if len(plate.earth[palace]) == 2] == [guest]
        assert plate.earth[guest][1] == plate.earth[5][0]
        assert sorted(stem for own in plate.heaven for stem in own) == list(range(1, 10))
        assert sorted(star for own in plate.stars for star in own) == list(range(1, 10))
        assert sorted(plate.doors[palace] for palace in OUTER) == list(range(1, 9))
        seats = ["勾陳", "朱雀"] if dun == "陽" else ["白虎", "玄武"]
        spirits = sorted(SPIRITS[plate.spirits[palace]].name for palace in OUTER)
        assert spirits == sorted(["值符", "螣蛇", "太陰", "六合", *seats, "九地", "九天"])
        assert (plate.heaven[5], plate.stars[5], plate.doors[5], plate.spirits[5]) == ((), (), 0, 0)
        for place, palace in enumerate(RING):
            came = RING[(place + plate.star_turn) % 8]
            assert plate.stars[came] == ((palace, 5) if palace == guest else (palace,))
            assert plate.heaven[came] == plate.earth[palace]
            assert plate.doors[RING[(place + plate.door_turn) % 8]] == HOME_DOOR[palace]


def test_chiefs_stand_where_they_are_said_to() -> None:
    for host in HOSTS:
        for dun, ju, hour in EVERY:
            plate = cast(dun, ju, hour, host=host)
            star, door, stem = plate.chief_star, plate.chief_door, drawn(hour)
            assert (
                star.number
                == star.home
                == next(p for p in range(1, 10) if plate.earth[p][0] == plate.marks.instrument)
            )
            assert plate.earth[star.raw][0] == stem
            assert star.palace == (plate.host_palace if star.raw == 5 else star.raw)
            assert star.number in plate.stars[star.palace]
            assert plate.spirits[star.palace] == 1
            assert plate.marks.instrument in plate.heaven[star.palace]
            assert DOOR_HOME[door.number] == (plate.host_palace if door.home == 5 else door.home)
            assert (door.raw - door.home - (1 if dun == "陽" else -1) * (hour % 10)) % 9 == 0
            assert door.palace == (plate.host_palace if door.raw == 5 else door.raw)
            assert plate.doors[door.palace] == door.number


def test_spirits_run_clockwise_in_yang_and_back_in_yin() -> None:
    for dun, ju, hour in EVERY:
        plate = cast(dun, ju, hour)
        start = RING.index(plate.chief_star.palace)
        after = plate.spirits[RING[(start + (1 if dun == "陽" else -1)) % 8]]
        assert SPIRITS[after].name == "螣蛇"


def test_moans_are_the_rest_and_the_half_turn() -> None:
    for dun, ju, hour in EVERY:
        plate = cast(dun, ju, hour)
        assert plate.star_moan == {0: "伏吟", 4: "反吟"}.get(plate.star_turn)
        assert plate.door_moan == {0: "伏吟", 4: "反吟"}.get(plate.door_turn)
        if hour % 10 == 0:
            assert plate.star_moan == plate.door_moan == "伏吟"


@pytest.mark.parametrize("host", ["kun-gen", "gen-kun"])
def test_each_other_host_moves_stars_doors_or_spirits_on_149_plates(host: str) -> None:
    """The rest of the 540 plates of that 遁 differ only in who carries 天禽 and the stem of 5."""

    def arcs(plate: Plate) -> tuple[object, ...]:
        return plate.chief_star.palace, plate.chief_door, plate.star_turn, plate.door_turn, plate.spirits

    plates = [(cast(*key), cast(*key, host=host)) for key in EVERY]
    assert sum(arcs(one) != arcs(other) for one, other in plates) == 149
    assert sum(replace(one, host=host) != other for one, other in plates) == 540


def test_jia_is_the_instrument_of_its_own_decade() -> None:
    heads = ("甲子", "甲戌", "甲申", "甲午", "甲辰", "甲寅")
    assert stems(tuple(drawn(sexagenary(head)) for head in heads)) == "戊己庚辛壬癸"
    assert all(drawn(pair) == pair % 10 for pair in range(60) if pair % 10)


def test_void_and_horse_of_the_day_are_apart_from_those_of_the_hour() -> None:
    assert cast("陽", 1, 0).day_marks is None
    plate = cast("陽", 1, sexagenary("甲戌"), day=sexagenary("己巳"))
    assert plate.day_marks is not None
    assert [BRANCHES[b] for b in plate.marks.void] == ["申", "酉"]
    assert [BRANCHES[b] for b in plate.day_marks.void] == ["戌", "亥"]
    assert (BRANCHES[plate.marks.horse], plate.marks.horse_palace) == ("申", 2)
    assert (BRANCHES[plate.day_marks.horse], plate.day_marks.horse_palace) == ("亥", 6)
    assert plate.day_marks.void_palaces == (6,)


def test_tiger_spirits_are_the_same_in_both_dun() -> None:
    for dun in "陽陰":
        names = {SPIRITS[spirit].name for spirit in cast(dun, 1, 1, spirits="tiger").spirits}
        assert {"白虎", "玄武"} <= names
        assert not {"勾陳", "朱雀"} & names


def test_flying_plates_are_whole_and_fly_in_number_order() -> None:
    for dun, ju, hour in EVERY:
        plate = cast(dun, ju, hour, plate="flying")
        step = 1 if dun == "陽" else -1
        assert sorted(star for own in plate.stars for star in own) == list(range(1, 10))
        assert sorted(stem for own in plate.heaven for stem in own) == list(range(1, 10))
        assert {len(own) for tuples in (plate.stars, plate.heaven, plate.earth) for own in tuples[1:]} == {1}
        assert sorted(plate.doors[1:]) == list(range(9))
        assert len(set(plate.spirits[1:])) == 9
        assert SPIRITS[plate.spirits[plate.chief_star.palace]].name == "值符"
        assert plate.stars[plate.chief_star.palace] == (plate.chief_star.number,)
        assert plate.doors[plate.chief_door.palace] == plate.chief_door.number
        assert plate.doors[(5 - 1 + plate.door_turn) % 9 + 1] == 0
        for palace in range(1, 10):
            after = palace % 9 + 1
            assert plate.stars[after][0] == plate.stars[palace][0] % 9 + 1
            assert plate.heaven[palace] == plate.earth[plate.stars[palace][0]]
        second = (plate.chief_star.palace - 1 + step) % 9 + 1
        assert SPIRITS[plate.spirits[second]].name == "螣蛇"
        if hour % 10 == 0:
            assert plate.star_moan == plate.door_moan == "伏吟"


def test_flying_chief_door_of_five_leads_from_its_host() -> None:
    plate = cast("陽", 5, sexagenary("乙丑"), plate="flying")
    assert (plate.chief_star.number, plate.chief_door.raw, plate.doors[6]) == (5, 6, 0)
    assert (DOORS[plate.chief_door.number].name, plate.chief_door.palace) == ("死門", 3)
    other = cast("陰", 5, sexagenary("乙丑"), plate="flying", host="kun-gen")
    assert (DOORS[other.chief_door.number].name, other.chief_door.palace) == ("生門", 7)


def test_flying_moan_goes_by_the_chief() -> None:
    plate = cast("陽", 1, sexagenary("乙丑"), plate="flying")
    assert (plate.chief_star.home, plate.chief_star.palace, plate.star_moan) == (1, OPPOSITE[1], "反吟")
    centre = {pair_name(hour): cast("陽", 5, hour, plate="flying").star_moan for hour in range(10)}
    assert {hour for hour, moan in centre.items() if moan} == {"甲子", "戊辰"}
    assert set(centre.values()) == {"伏吟", None}


def _shows(plate: Plate, stem: str, door: str, star: str, spirit: str) -> bool:
    return any(
        stem in stems(plate.heaven[palace] + plate.earth[palace])
        and door == DOORS[plate.doors[palace]].sign
        and star in ("-", *(STARS[number].sign for number in plate.stars[palace]))
        and spirit in ("", SPIRITS[plate.spirits[palace]].name)
        for palace in range(1, 10)
    )


def test_dated_notes_of_volume_29_are_of_a_flying_plate() -> None:
    """Of its 44 dated hours these fit a flying plate, a marvel of either plate counted, two a turning one."""
    notes = [note.split() for line in NOTES.strip().splitlines() for note in line.split(" | ")]
    assert len(notes) == 34
    fit: dict[str, list[str]] = {"flying": [], "turning": []}
    for figure, when, what in notes:
        for kind, found in fit.items():
            plate = cast(when[0], int(when[1]), sexagenary(when[2:]), plate=kind)
            if _shows(plate, what[0], what[1], what[2], what[3:]):
                found.append(f"{figure} {when}")
    assert [f"{figure} {when}" for figure, when, _ in notes] == fit["flying"]
    assert fit["turning"] == ["1 陽5乙亥", "39 陽2丙寅"]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"dun": "中"}, "dun: '中' is not accepted; give 陽 or 陰"),
        ({"ju": 0}, "ju: '0' is not accepted; give a number from 1 to 9"),
        ({"hour": 60}, "hour: '60' is not accepted; give the number of a pair, 0 (甲子) to 59 (癸亥)"),
        ({"day": -1}, "day: '-1' is not accepted; give the number of a pair, 0 (甲子) to 59 (癸亥)"),
        ({"plate": "flat"}, "plate: 'flat' is not accepted; give turning or flying"),
        ({"host": "li"}, "host: 'li' is not accepted; give kun, kun-gen, gen-kun"),
        ({"spirits": "tai"}, "spirits: 'tai' is not accepted; give seat or tiger"),
    ],
)
def test_wrong_values_are_refused(arguments: dict[str, object], message: str) -> None:
    given: dict[str, Any] = {"dun": "陽", "ju": 1, "hour": 0, **arguments}
    with pytest.raises(InputError) as refused:
        cast(**given)
    assert str(refused.value) == message


def test_table_of_ju_is_the_songs_of_volume_1() -> None:
    song = {
        1: "冬至驚蟄一七四 小寒二八五 春分大寒三九六 立春八五二 "
        "穀雨小滿五二八 雨水九六三 清明立夏四一七 芒種六三九",
        -1: "夏至白露九三六 小暑八二五 大暑秋分七一四 立秋二五八 "
        "霜降小雪五八二 大雪四七一 處暑一四七 立冬寒露六九三",
    }
    names = [
        row["rdfs:label"][0] for name, row in sorted(table("cosmos.ttl").items()) if name.startswith("term:")
    ]
    assert len(names) == len(LAYOUTS) - 1 == 24
    for step, lines in song.items():
        for line in lines.split():
            numbers = tuple("零一二三四五六七八九".index(character) for character in line[-3:])
            for term in (line[i : i + 2] for i in range(0, len(line) - 3, 2)):
                assert LAYOUTS[names.index(term) + 1] == (step, numbers), term


def test_every_symbol_and_term_of_the_module_is_described() -> None:
    rows = table("qimen.ttl")
    mine = {
        name: row
        for name, row in rows.items()
        if name.startswith(("shi:", "palace:", "door:", "star:", "spirit:", "format:"))
    }
    assert len(mine) > 100
    lacking = [
        (name, prop)
        for name, row in mine.items()
        for prop, count in (("rdfs:label", 3), ("rdfs:comment", 1), ("dcterms:source", 1))
        if len(row.get(prop, [])) < count
    ]
    assert lacking == []
    assert sum(name.startswith("format:") for name in mine) == 58
    assert {row["shi:luck"][0] for name, row in mine.items() if name.startswith("format:")} == {
        "shi:lucky",
        "shi:neutral",
        "shi:unlucky",
    }


def test_palaces_are_the_luo_shu() -> None:
    assert RING == (1, 8, 3, 4, 9, 2, 7, 6)
    assert all(OPPOSITE[palace] == (10 - palace if palace != 5 else 0) for palace in range(1, 10))
    assert "".join(palace.sign for palace in PALACES) == "坎坤震巽中乾兌艮離"
