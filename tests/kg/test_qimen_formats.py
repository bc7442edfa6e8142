"""Formats (格) of Qimen charts: what the rules find is what arithmetic finds, each format with a chart and without.

The table below is written anew from 奇門遁甲秘笈大全 卷十五, 卷五 and 卷一; it reads the plate and not the graph.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

import pytest

from kg import qimen
from kg.cosmos import STEM_ELEMENT, STEMS, pair, sexagenary
from kg.facts import term, thing
from kg.findings import Casting, Doctrine
from kg.palaces import DOOR_HOME, DOORS, SPIRITS
from kg.qimen_chart import QimenChart, cast_pillars
from kg.qimen_json import formats
from kg.schools import options
from kg.store import instances, value
from ontology import TERMS

Found = set[tuple[int | None, str]]
"""(palace, or None for the whole chart, format)."""

PAIRS = {
    "戊丙": "青龍返首",
    "戊丁": "青龍耀明",
    "丙乙": "雀含花",
    "丁乙": "昌氣",
    "庚丙": "太白入熒",
    "丙庚": "熒入太白",
    "辛乙": "白虎猖狂",
    "乙辛": "青龍逃走",
    "丁癸": "朱雀投江",
    "癸丁": "螣蛇夭矯",
    "庚癸": "大格",
    "庚壬": "小格",
    "庚己": "刑格",
    "庚庚": "太白同宮",
    "庚乙": "太白蓬星",
    "乙庚": "日奇被刑",
    "乙丙": "交泰",
    "乙丁": "交泰",
}
ENVOYS = {"乙": "己辛", "丙": "戊庚", "丁": "壬癸"}
HALLS = {"乙": 3, "丙": 9, "丁": 7}
TOMBS = {"乙": 2, "丙": 6, "丁": 8}
PUNISHED = {"戊": 3, "己": 2, "庚": 8, "辛": 9, "壬": 4, "癸": 4}
OPPRESSED = {
    "開": (3, 4),
    "驚": (3, 4),
    "休": (9,),
    "生": (1,),
    "死": (1,),
    "景": (6, 7),
    "傷": (2, 8),
    "杜": (2, 8),
}
FEINTS = {"太陰": "真詐", "六合": "休詐", "九地": "重詐"}
GENG = {"大格", "小格", "刑格", "太白同宮", "伏宮", "年格", "月格", "日格", "時格", "伏干"}
PILLARS = {"year": "年格", "month": "月格", "day": "日格", "hour": "時格"}
GATES = dict(zip("甲己乙庚丙辛丁壬戊癸", "丙丙辛辛乙乙己己壬壬", strict=True))
HOURS = {
    "甲": "庚午",
    "乙": "辛巳",
    "丙": "壬辰",
    "丁": "癸卯",
    "戊": "甲寅",
    "己": "乙丑",
    "庚": "丙子",
    "辛": "丁酉",
}
HOURS |= {"壬": "戊申", "癸": "己未"}
LUCK = {
    "吉": "青龍返首 飛鳥跌穴 天遁 地遁 人遁 神遁 鬼遁 風遁 雲遁 龍遁 虎遁 三奇得使 玉女守門 三奇升殿 真詐 休詐 重詐 "
    "交泰 昌氣 三奇利合 雀含花 青龍耀明",
    "平": "天假 地假 人假 神假 鬼假",
}


@dataclass(frozen=True)
class Seat:
    """A palace as arithmetic reads it."""

    number: int
    heaven: str
    earth: str
    own: str
    door: str
    spirit: str
    below: str


def seats(plate: qimen.Plate) -> list[Seat]:
    """The nine palaces; the spirits of the earth plate are those of the hour that begins the decade."""
    rest = qimen.cast(
        plate.dun,
        plate.ju,
        plate.hour // 10 * 10,
        plate=plate.plate,
        host=plate.host,
        spirits=plate.spirit_names,
    )
    return [
        Seat(
            n,
            "".join(STEMS[s] for s in plate.heaven[n]),
            "".join(STEMS[s] for s in plate.earth[n]),
            STEMS[plate.earth[n][0]],
            DOORS[plate.doors[n]].sign,
            SPIRITS[plate.spirits[n]].name,
            SPIRITS[rest.spirits[n]].name,
        )
        for n in range(1, 10)
    ]


def stem_of(text: str | None, jia: str) -> str:
    """The stem on the plate for that of a pair; nothing for what is no pair."""
    if text is None or len(text) != 2:
        return ""
    if text[0] == "甲" and jia == "wu":
        return "戊"
    return STEMS[qimen.drawn(sexagenary(text))]


def formed(chart: QimenChart) -> Found:
    """What a chart forms, counted or not."""
    plate, school = chart.plate, chart.options
    lead = "戊己庚辛壬癸"[plate.hour // 10]
    pillars = {name: stem_of(text, school["jia"]) for name, text in chart.pillars.items()}
    found: Found = set()
    for s in seats(plate):

        def say(*names: str, here: int = s.number) -> None:
            found.update((here, name) for name in names)

        heaven, earth, lucky = s.heaven, s.earth, s.door in "開休生" and s.door != ""
        say(*(PAIRS[a + b] for a in heaven for b in earth if a + b in PAIRS))
        marvel = [a for a in heaven if a in "乙丙丁"]
        shadow = [a for a in heaven if a in "丁己癸"]
        if school["fanshou"] == "any" and "丙" in earth and any(a in "戊己庚辛壬癸" for a in heaven):
            say("青龍返首")
        for key, top, name in (("diexue", "丙", "飛鳥跌穴"), ("lihe", "丁", "三奇利合")):
            if top in heaven and ("戊" if school[key] == "wu" else lead) in earth:
                say(name)
        if any(b in earth for a in marvel for b in ENVOYS[a]):
            say("三奇得使")
        if any(HALLS[a] == s.number for a in marvel):
            say("三奇升殿")
        if any(TOMBS[a] == s.number for a in marvel):
            say("三奇入墓")
        if school["rumu"] == "wide" and s.number == 6 and ("乙" in heaven or "丁" in heaven):
            say("三奇入墓")
        struck = [a for a in heaven if PUNISHED.get(a) == s.number]
        if lead in struck or (struck and school["jixing"] == "any"):
            say("六儀擊刑")
        if s.number in OPPRESSED.get(s.door, ()):
            say("門迫")
        spirit = s.spirit if school["zha"] == "heaven" else s.below
        if lucky and marvel and spirit in FEINTS:
            say(FEINTS[spirit])
        say(
            *_dun(s, lucky, school["jiudun"] == "all"), *_jia(s, bool(marvel), bool(shadow), school["renjia"])
        )
        for name, stem in pillars.items():
            if stem and stem in earth and "庚" in heaven:
                say(PILLARS[name])
            if stem and stem in earth and "丙" in heaven:
                say("悖格")
        if pillars["day"] and pillars["day"] in earth and "庚" in heaven:
            say("伏干")
        if pillars["day"] and pillars["day"] in heaven and "庚" in earth:
            say("飛干")
        if lead in earth and "庚" in heaven:
            say("伏宮")
        if lead in heaven and "庚" in earth:
            say("飛宮")
        if lead in earth and "丙" in heaven:
            say("悖格")
        if "癸" in heaven and (pillars["hour"] if school["wang"] == "hour" else "癸") in earth:
            say("天網四張", "低格" if s.number <= 4 else "高格")
        if "壬" in heaven and "癸" in earth and pillars["hour"] == "癸":
            say("地網遮")
        if s.number == plate.chief_door.palace and _kept(
            plate, s, school["yunu"], chart.pillars["hour"] or ""
        ):
            say("玉女守門")
    day, hour = chart.pillars["day"], chart.pillars["hour"]
    if (day is not None and hour == HOURS[day[0]]) or (
        day is not None and hour is not None and _beats(hour, day)
    ):
        found.add((None, "五不遇時"))
    moans = {
        "star": [plate.star_moan],
        "door": [plate.door_moan],
        "either": [plate.star_moan, plate.door_moan],
    }
    found |= {(None, moan) for moan in moans[school["fan"]] if moan is not None}
    return found


def _beats(hour: str, day: str) -> bool:
    """Whether the stem of an hour controls that of a day and is of its polarity."""
    a, b = STEMS.index(hour[0]), STEMS.index(day[0])
    return (STEM_ELEMENT[a] + 2) % 5 == STEM_ELEMENT[b] and a % 2 == b % 2


def _dun(s: Seat, lucky: bool, every: bool) -> Iterator[str]:
    has = {name: name in s.heaven for name in "乙丙丁辛"}
    over_ding, over_ji, over_xin = ("丁" in s.earth, "己" in s.earth, "辛" in s.earth)
    if (s.door == "生" and has["丙"] and over_ding) or (every and s.door == "開" and has["丙"]):
        yield "天遁"
    if s.door == "開" and has["乙"] and over_ji:
        yield "地遁"
    if s.door == "休" and has["丁"] and s.spirit == "太陰":
        yield "人遁"
    if s.door == "生" and has["丙"] and s.spirit == "九天":
        yield "神遁"
    if s.door == "生" and has["丁"] and s.spirit == "九地" and s.number == 8:
        yield "鬼遁"
    if every and s.spirit == "九地" and ((s.door == "杜" and has["乙"]) or (s.door == "開" and has["丁"])):
        yield "鬼遁"
    if (lucky and has["乙"] and s.number == 4) or (every and s.door == "開" and has["丙"] and s.number == 4):
        yield "風遁"
    if (lucky and has["乙"] and over_xin) or (
        every and s.door in ("開", "休") and has["乙"] and s.number == 2
    ):
        yield "雲遁"
    if s.door == "休" and has["乙"] and s.number == 1:
        yield "龍遁"
    if s.door == "休" and has["乙"] and over_xin and s.number == 8:
        yield "虎遁"
    if every and s.door == "生" and ((has["辛"] and s.number == 8) or (has["丙"] and over_xin)):
        yield "虎遁"


def _jia(s: Seat, marvel: bool, shadow: bool, renjia: str) -> Iterator[str]:
    if s.door == "景" and marvel and s.below == "九天":
        yield "天假"
    if shadow and (
        (s.door == "杜" and s.below == "九地") or (s.door == "傷" and s.below in ("太陰", "六合"))
    ):
        yield "地假"
    if (
        s.door == "驚"
        and s.below == "九天"
        and (s.spirit == "六合" if renjia == "liuhe" else "壬" in s.heaven)
    ):
        yield "人假"
    if s.door == "傷" and shadow and s.below == "九地":
        yield "神假"
    if s.door == "死" and shadow and s.below == "九地":
        yield "鬼假"


def _kept(plate: qimen.Plate, s: Seat, school: str, hour: str) -> bool:
    if school == "six":
        return STEMS[plate.earth[plate.chief_door.raw][0]] == "丁"
    return ("丁" if school == "hosted" else GATES[hour[0]]) in s.earth


def counting(chart: QimenChart, found: Found) -> Found:
    """Those that count: 庚 neither in its tomb at 艮 nor in the void, nor over a 乙 that the format is named for."""
    marks = chart.plate.day_marks if chart.options["void"] == "day" else chart.plate.marks
    assert marks is not None
    out = set()
    for s in seats(chart.plate):
        sound = s.number != 8 and s.number not in marks.void_palaces
        pillars = {name: stem_of(text, chart.options["jia"]) for name, text in chart.pillars.items()}
        named = {PILLARS[name] for name, stem in pillars.items() if stem == "乙"}
        named |= {"伏干"} if pillars["day"] == "乙" else set()
        out |= {
            (n, name)
            for n, name in found
            if n == s.number and (name not in GENG or (sound and name not in named))
        }
    return out | {(n, name) for n, name in found if n is None}


# Charts: all 1,080 plates, each with a day that has its hour, and a month and a year of its own


def chart_of(number: int, **given: str) -> QimenChart:
    """One of the 1,080 plates."""
    ju, hour = divmod(number, 60)
    day = hour // 12 + 5 * (7 * ju % 12)
    year = (number * 7 + ju) % 60
    month = (12 * year + 2 + number % 12) % 60
    return cast_pillars(
        "陽陰"[ju // 9],
        ju % 9 + 1,
        pair(hour),
        day=pair(day),
        month=pair(month),
        year=pair(year),
        given=given,
    )


@cache
def everything() -> dict[int, Found]:
    """What each of the 1,080 charts forms, by arithmetic."""
    return {number: formed(chart_of(number)) for number in range(1080)}


def by_rules(doctrine: Doctrine, chart: QimenChart) -> tuple[Found, Found]:
    """What the rules find: all, and those that count."""
    rows = formats(doctrine.cast(chart, []))
    return {(r["palace"], r["name"]) for r in rows}, {(r["palace"], r["name"]) for r in rows if r["counts"]}


def names() -> list[str]:
    return sorted({name for found in everything().values() for _, name in found})


def test_every_format_of_the_ontology_is_in_some_chart(doctrine: Doctrine) -> None:
    zh = doctrine.verbaliser("zh")
    declared = {zh.label(node) for node in instances(doctrine.store, "Format")}
    assert declared == set(names())


@pytest.mark.parametrize("name", names())
def test_a_format_is_found_where_it_is_formed_and_not_where_it_is_not(doctrine: Doctrine, name: str) -> None:
    """With it: the first chart that forms it. Without it: the next one of that 局 that does not."""
    present = next(n for n, found in everything().items() if any(name == other for _, other in found))
    absent = next(
        n
        for n in (*range(present, 1080), *range(present))
        if all(name != other for _, other in everything()[n])
    )
    with_it, _ = by_rules(doctrine, chart_of(present))
    assert {where for where, other in with_it if other == name} == {
        where for where, other in everything()[present] if other == name
    }
    without_it, _ = by_rules(doctrine, chart_of(absent))
    assert not [where for where, other in without_it if other == name]


@pytest.mark.parametrize("start", range(0, 18))
def test_the_rules_find_what_arithmetic_finds(doctrine: Doctrine, start: int) -> None:
    """Over six hours of each 局, one a decade."""
    for number in range(60 * start + start % 10, 60 * (start + 1), 10):
        chart = chart_of(number)
        found, counted = by_rules(doctrine, chart)
        expected = everything()[number]
        assert found - expected == set(), f"{chart.iri}: found by the rules alone"
        assert expected - found == set(), f"{chart.iri}: found by arithmetic alone"
        assert counted == counting(chart, expected), chart.iri


SCHOOLS = [
    ("fanshou", "any", "青龍返首"),
    ("diexue", "lead", "飛鳥跌穴"),
    ("lihe", "lead", "三奇利合"),
    ("jiudun", "all", "天遁"),
    ("jiudun", "all", "風遁"),
    ("jiudun", "all", "雲遁"),
    ("jiudun", "all", "虎遁"),
    ("jiudun", "all", "鬼遁"),
    ("zha", "earth", "真詐"),
    ("zha", "earth", "休詐"),
    ("zha", "earth", "重詐"),
    ("renjia", "ren", "人假"),
    ("yunu", "hosted", "玉女守門"),
    ("yunu", "juan15", "玉女守門"),
    ("wang", "gui", "天網四張"),
    ("jixing", "lead", "六儀擊刑"),
    ("rumu", "wide", "三奇入墓"),
    ("fan", "star", "反吟"),
    ("fan", "door", "伏吟"),
    ("jia", "wu", "悖格"),
    ("plate", "flying", "地假"),
    ("host", "gen-kun", "交泰"),
]


@pytest.mark.parametrize(("key", "school", "name"), SCHOOLS)
def test_a_school_finds_otherwise(doctrine: Doctrine, key: str, school: str, name: str) -> None:
    """The first chart where the school and the default part over the format."""

    def of(found: Found) -> Found:
        return {row for row in found if row[1] == name}

    for number in range(1080):
        chart = chart_of(number, **{key: school})
        if of(formed(chart)) != of(everything()[number]):
            break
    else:
        pytest.fail(f"{key}={school} makes no difference to {name}")
    found, counted = by_rules(doctrine, chart)
    assert found == formed(chart)
    assert counted == counting(chart, found)
    plain, _ = by_rules(doctrine, chart_of(number))
    assert of(plain) != of(found)


def test_every_option_of_the_formats_is_tried() -> None:
    read = {"fanshou", "diexue", "lihe", "jiudun", "zha", "renjia", "yunu", "wang", "jixing", "rumu", "fan"}
    assert read <= options("qimen").keys()
    tried = {(key, school) for key, school, _ in SCHOOLS}
    assert not [
        (key, v)
        for key in read
        for v in options("qimen")[key].values
        if v != options("qimen")[key].default and (key, v) not in tried
    ]


# Luck, and what counts


def test_the_luck_of_formats(doctrine: Doctrine) -> None:
    zh = doctrine.verbaliser("zh")
    luck = {name: word for word, line in LUCK.items() for name in line.split()}
    found = {}
    for node in instances(doctrine.store, "Format"):
        held = value(doctrine.store, node, "luck").removeprefix(TERMS)
        found[zh.label(node)] = {"lucky": "吉", "neutral": "平", "unlucky": "凶"}[held]
    assert found == {name: luck.get(name, "凶") for name in found}


LUCKY = set(
    "青龍返首 飛鳥跌穴 天遁 地遁 人遁 神遁 鬼遁 風遁 雲遁 龍遁 虎遁 真詐 休詐 重詐 三奇升殿 交泰 昌氣 三奇利合 雀含花".split()
)
NARROW = set("青龍返首 飛鳥跌穴 天遁 地遁 人遁 神遁 鬼遁 風遁 雲遁 龍遁 虎遁 真詐 休詐 重詐".split())
STEM_PAIRS = set(
    "大格 小格 刑格 青龍逃走 白虎猖狂 螣蛇夭矯 朱雀投江 熒入太白 太白入熒 年格 月格 日格 時格".split()
)
UNLUCKY = STEM_PAIRS | set("伏干 飛干 伏宮 飛宮 太白同宮 天網四張 三奇入墓".split())


def lucky_seats(chart: QimenChart) -> set[int]:
    counted, lead = counting(chart, formed(chart)), "戊己庚辛壬癸"[chart.plate.hour // 10]
    school = chart.options["lucky"]
    names = {"juan15": LUCKY, "narrow": NARROW, "wide": LUCKY | {"三奇得使", *LUCK["平"].split()}}[school]
    out = {n for n, name in counted if n is not None and name in names}
    for s in seats(chart.plate):
        proper = any(a in s.heaven and b in s.earth for a, b in ("乙己", "丙戊", "丁壬"))
        wide = (lead in s.heaven and "丙" in s.earth) or (
            lead in s.earth and ("丙" in s.heaven or "丁" in s.heaven)
        )
        if (school == "juan15" and proper) or (school == "wide" and wide):
            out.add(s.number)
    return out


def unlucky_seats(chart: QimenChart) -> set[int]:
    counted, lead = counting(chart, formed(chart)), "戊己庚辛壬癸"[chart.plate.hour // 10]
    school = chart.options["unlucky"]
    wide = UNLUCKY | {"門迫", "六儀擊刑", "地網遮"}
    names = {"juan15": UNLUCKY, "narrow": STEM_PAIRS, "wide": wide}[school]
    out = {n for n, name in counted if n is not None and name in names}
    rebelled = {stem_of(text, chart.options["jia"]) for text in chart.pillars.values()} | {lead}
    for s in seats(chart.plate):
        if school != "narrow" and "丙" in s.heaven and any(b in s.earth for b in rebelled - {"", "戊"}):
            out.add(s.number)
        if school == "juan15" and lead in s.heaven and PUNISHED[lead] == s.number:
            out.add(s.number)
    return out


def offered(casting: Casting[QimenChart], sign: str) -> set[int]:
    wanted = thing(f"sign:{sign}")
    rows = (q for q in casting.quads if q.predicate == term("offers") and q.object == wanted)
    return {int(q.subject.value.rpartition("/")[2][0]) for q in rows}  # type: ignore[union-attr]


@pytest.mark.parametrize("school", ["juan15", "narrow", "wide"])
def test_which_palaces_have_a_lucky_and_which_an_unlucky_format(doctrine: Doctrine, school: str) -> None:
    for number in range(11, 1080, 53):
        chart = chart_of(number, lucky=school, unlucky=school)
        casting = doctrine.cast(chart, [])
        assert offered(casting, "lucky-format") == lucky_seats(chart), chart.iri
        assert offered(casting, "unlucky-format") == unlucky_seats(chart), chart.iri


def test_bing_over_wu_is_no_rebellion_among_the_unlucky(doctrine: Doctrine) -> None:
    """丙 over 戊 where 戊 is the stem of a pillar is 飛鳥跌穴 and 悖格 at once, and lucky."""
    number = next(
        n
        for n, found in everything().items()
        if any(
            (w, "飛鳥跌穴") in found and (w, "悖格") in found and w not in unlucky_seats(chart_of(n))
            for w, _ in found
        )
    )
    casting = doctrine.cast(chart_of(number), [])
    where = next(
        w for w, name in everything()[number] if name == "飛鳥跌穴" and (w, "悖格") in everything()[number]
    )
    assert where in offered(casting, "lucky-format")
    assert where not in offered(casting, "unlucky-format")


@pytest.mark.parametrize(
    "reason", ["the void", "its tomb", "乙 with which it combines"], ids=["void", "tomb", "combined"]
)
def test_geng_does_not_count(doctrine: Doctrine, reason: str) -> None:
    """乙庚為合不為格; 庚金入墓或臨空亡，不為格 (卷十)."""
    for number, found in everything().items():
        chart = chart_of(number)
        idle = {row for row in found - counting(chart, found) if row[1] in PILLARS.values()}
        tomb = {row for row in idle if row[0] == 8}
        void = {row for row in idle if row[0] in chart.plate.marks.void_palaces and row[0] != 8}
        chosen = {"the void": void, "its tomb": tomb}.get(reason, idle - tomb - void)
        if chosen:
            break
    rows = formats(doctrine.cast(chart, []))
    assert {(r["palace"], r["name"]) for r in rows if not r["counts"]} >= chosen
    lacking = {q.object for q in doctrine.cast(chart, []).quads if q.predicate == term("lacksFormat")}
    zh = doctrine.verbaliser("zh")
    there = {name for _, name in counting(chart, found)}
    assert {zh.label(node) for node in lacking if hasattr(node, "value")} == {  # type: ignore[arg-type]
        name for name in PILLARS.values() if name not in there
    }


def test_oppressing_doors_and_palaces_are_those_whose_elements_clash() -> None:
    """The table of the song against the five elements."""
    elements = {1: 4, 2: 2, 3: 0, 4: 0, 6: 3, 7: 3, 8: 2, 9: 1}
    for number, door in enumerate(DOORS[1:], 1):
        home = elements[DOOR_HOME[number]]
        beaten = {palace for palace, element in elements.items() if (home + 2) % 5 == element}
        assert beaten == set(OPPRESSED[door.sign]), door.name
