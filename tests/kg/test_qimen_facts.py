"""Facts of Qimen charts: what the board asserts and what the rules derive, against arithmetic on the plate."""

from __future__ import annotations

import random
from collections import defaultdict
from pathlib import Path

import pytest
from pyoxigraph import NamedNode

from kg import qimen
from kg.cosmos import BRANCH_ELEMENT, BRANCHES, HORSE, STEM_ELEMENT, STEMS, names, pair, sexagenary
from kg.facts import TYPE, facts, quads, term, thing
from kg.findings import Doctrine
from kg.hermit import consistent
from kg.owl import Export, individual
from kg.owl_claims import infers_all, infers_no_other
from kg.palaces import BRANCH_PALACE, DOORS, OPPOSITE, SPIRITS, STARS
from kg.qimen_chart import QimenChart, cast
from kg.schools import options
from kg.store import doctrine as new_store
from kg.store import instances
from ontology import TERMS, THINGS, shorten

# 木 0 火 1 土 2 金 3 水 4
PALACE_ELEMENT = {1: 4, 2: 2, 3: 0, 4: 0, 5: 2, 6: 3, 7: 3, 8: 2, 9: 1}
STAR_ELEMENT = dict(zip("蓬芮沖輔禽心柱任英", (4, 2, 0, 0, 2, 3, 3, 2, 1), strict=True))
DOOR_ELEMENT = dict(zip("休生傷杜景死驚開", (4, 2, 0, 0, 1, 2, 3, 3), strict=True))
SPIRIT_ELEMENT = {
    "值符": 1,
    "螣蛇": 2,
    "太陰": 3,
    "六合": 0,
    "勾陳": 2,
    "朱雀": 1,
    "九地": 2,
    "九天": 3,
    "白虎": 3,
    "玄武": 4,
}
STEM_TOMB = dict(zip("乙丙丁戊己庚辛壬癸", "未戌丑戌丑丑辰辰未", strict=True))
STEM_END = dict(zip("乙丙丁戊己庚辛壬癸", "申亥子亥子寅卯巳午", strict=True))
ELEMENT_TOMB, ELEMENT_END = "未戌辰丑辰", "申亥巳寅巳"
PLAIN = {0: "wang", 1: "xiang", 4: "xiu", 3: "qiu", 2: "si"}
"""Strength by how many steps of generation lie from the one that commands to the one that is ranked."""
SONG = {0: "xiang", 4: "wang", 1: "fei", 2: "qiu", 3: "xiu"}
"""The same by the song: 我生之月誠為旺 (four steps back is one step on)."""

Node = tuple[str, str]
"""(kind, sign), such as ("stem", "乙")."""


def charts() -> list[QimenChart]:
    """Forty charts of all kinds: half under the defaults, half under schools drawn by lot (always the same)."""
    lot = random.Random(15)
    found = []
    for number in range(40):
        given: dict[str, str] = {}
        if number % 2:
            for key, option in options("qimen").items():
                if key not in ("method", "threshold", "boundary", "clock", "reading"):
                    given[key] = lot.choice(sorted(option.values))
        if number % 5 == 0:
            when = f"20{lot.randint(10, 29)}-{lot.randint(1, 12):02}-{lot.randint(1, 28):02}T{lot.randint(0, 22):02}:30"
            found.append(
                cast(given, instant=when, tz="Asia/Shanghai", birth=f"{lot.randint(1930, 2020)}-05-05T10:00")
            )
        else:
            words = {
                "day": pair(lot.randrange(60)),
                "hour": lot.choice(BRANCHES),
                "month": lot.choice(BRANCHES),
                "year": pair(lot.randrange(60)),
                "birth": pair(lot.randrange(60)),
            }
            found.append(cast(given, dun=lot.choice("陽陰"), ju=lot.randint(1, 9), **words))
    return found


BRANCH_NODES = [thing(name) for name in names("branch")]
CHARTS = charts()
IDS = [chart.iri.rpartition("/")[2][:60] for chart in CHARTS]
every_chart = pytest.mark.parametrize("chart", CHARTS, ids=IDS)


class Said:
    """What is said of a chart after derivation, by property."""

    def __init__(self, doctrine: Doctrine, chart: QimenChart) -> None:
        self.chart = chart
        self.by: dict[str, set[tuple[str, str]]] = defaultdict(set)
        for quad in doctrine.cast(chart, []).quads:
            if isinstance(quad.subject, NamedNode) and isinstance(quad.object, NamedNode):
                name = "type" if quad.predicate == TYPE else quad.predicate.value.removeprefix(TERMS)
                self.by[name].add((self.short(quad.subject), self.short(quad.object)))

    def short(self, node: NamedNode) -> str:
        """A node of the chart by what comes after its IRI, any other as a prefixed name."""
        if node.value == self.chart.iri:
            return ""
        return (
            node.value.removeprefix(self.chart.iri + "/")
            if self.chart.iri in node.value
            else shorten(node.value)
        )

    def of(self, name: str) -> set[tuple[str, str]]:
        return self.by[name]

    def at(self, name: str, value: str) -> set[int]:
        """The palaces of which something is said."""
        return {int(s.removeprefix("seat/")[0]) for s, v in self.by[name] if v == value}


@pytest.fixture(scope="module")
def said(doctrine: Doctrine) -> dict[str, Said]:
    return {chart.iri: Said(doctrine, chart) for chart in CHARTS}


def come(plate: qimen.Plate) -> dict[str, tuple[int, int]]:
    """Where each symbol has come, as {placement: (palace, element)}."""
    found = {}
    for n in range(1, 10):
        for stem in plate.heaven[n]:
            found[_fall("stem", stem)] = n, STEM_ELEMENT[stem]
        for star in plate.stars[n]:
            found[_fall("star", star)] = n, STAR_ELEMENT[STARS[star].sign]
        if plate.doors[n]:
            found[_fall("door", plate.doors[n])] = n, DOOR_ELEMENT[DOORS[plate.doors[n]].sign]
        if plate.spirits[n]:
            name = SPIRITS[plate.spirits[n]].name
            found[_fall("spirit", plate.spirits[n])] = n, SPIRIT_ELEMENT.get(name, PALACE_ELEMENT[n])
    return found


def _fall(kind: str, number: int) -> str:
    if kind == "stem":
        return (
            "fall/stem."
            + ("01-jia 02-yi 03-bing 04-ding 05-wu 06-ji 07-geng 08-xin 09-ren 10-gui".split()[number])
        )
    symbol = {"star": STARS, "door": DOORS, "spirit": SPIRITS}[kind][number]
    return "fall/" + symbol.id.replace(":", ".")


def palace_of(chart: QimenChart, fall: str) -> int:
    return come(chart.plate)[fall][0]


# What is asserted


@every_chart
def test_every_symbol_falls_in_one_seat(said: dict[str, Said], chart: QimenChart) -> None:
    falls = {(p, int(s.removeprefix("seat/")[0])) for p, s in said[chart.iri].of("fallsIn")}
    assert falls == {(fall, palace) for fall, (palace, _) in come(chart.plate).items()}
    assert {(p, v) for p, v in said[chart.iri].of("symbol")} == {
        (fall, fall.removeprefix("fall/").replace(".", ":", 1)) for fall in come(chart.plate)
    }


@every_chart
def test_the_earth_plate(said: dict[str, Said], chart: QimenChart) -> None:
    plate, facts_ = chart.plate, said[chart.iri]
    for n in range(1, 10):
        own = {v for s, v in facts_.of("ownStem") if s.startswith(f"seat/{n}-")}
        both = {v for s, v in facts_.of("earthStem") if s.startswith(f"seat/{n}-")}
        stems = [_fall("stem", stem).removeprefix("fall/").replace(".", ":", 1) for stem in plate.earth[n]]
        assert (own, both) == ({stems[0]}, set(stems))


def test_spirits_of_the_earth_plate_start_from_the_home_of_the_chief_star(doctrine: Doctrine) -> None:
    """遁甲演義 卷二: 隂八局甲巳之日戊辰時地下直符在八宫…九天在三宫."""
    found = Said(doctrine, cast(dun="陰", ju=8, hour="戊辰", day="甲子"))
    assert found.at("earthSpirit", "spirit:01-zhifu") == {8}
    assert found.at("earthSpirit", "spirit:09-jiutian") == {3}


def test_a_chart_says_what_it_was_cast_from(doctrine: Doctrine) -> None:
    chart = cast({"method": "zhirun"}, instant="2026-08-22T09:13", tz="Asia/Shanghai")
    found = Said(doctrine, chart)
    assert found.of("termInForce") == {("", "term:13-liqiu")}
    assert found.of("termUsed") == {("", "term:14-chushu")}
    assert ("", "school:method-zhirun") in found.of("chose")
    assert len(found.of("chose")) == len(options("qimen"))
    assert found.of("dun") == {("", "polarity:yin")}


# Signs


SIGNS = {"year": "year-stem", "month": "month-stem", "day": "day-stem", "hour": "hour-stem"}


@every_chart
def test_stems_of_pillars_fall_where_the_heaven_plate_has_them(
    said: dict[str, Said], chart: QimenChart
) -> None:
    stems = {SIGNS[name]: text for name, text in chart.pillars.items()}
    if chart.birth is not None:
        stems |= {"life-stem": chart.birth.year, "birth-day-stem": chart.birth.day}
    for sign, text in stems.items():
        if text is None or len(text) != 2:
            assert not said[chart.iri].at("holds", f"sign:{sign}")
            continue
        wu = text[0] == "甲" and chart.options["jia"] == "wu"
        stem = STEMS.index("戊") if wu else qimen.drawn(sexagenary(text))
        assert said[chart.iri].at("holds", f"sign:{sign}") == {palace_of(chart, _fall("stem", stem))}
        below = {n for n in range(1, 10) if stem in chart.plate.earth[n]}
        assert said[chart.iri].at("earthHolds", f"sign:{sign}") == below


@every_chart
def test_chiefs_and_the_head_of_the_decade(said: dict[str, Said], chart: QimenChart) -> None:
    plate, found = chart.plate, said[chart.iri]
    lead = "戊己庚辛壬癸"[plate.hour // 10]
    assert found.at("holds", "sign:chief-star") == {plate.chief_star.palace}
    assert found.at("holds", "sign:chief-door") == {plate.chief_door.palace}
    assert found.at("holds", "sign:decade-head") == {palace_of(chart, _fall("stem", STEMS.index(lead)))}
    assert plate.chief_star.home in found.at("earthHolds", "sign:decade-head")


@every_chart
def test_the_names_of_shared_seats(said: dict[str, Said], chart: QimenChart) -> None:
    where = {SPIRITS[spirit].name: n for n, spirit in enumerate(chart.plate.spirits) if spirit}
    by_name = chart.options["spirit"] == "name"
    for sign, called in (
        ("gouchen-seat", ("勾陳",) if by_name else ("勾陳", "白虎")),
        ("zhuque-seat", ("朱雀",) if by_name else ("朱雀", "玄武")),
        ("xuanwu-seat", ("玄武",) if by_name else ("朱雀", "玄武")),
    ):
        assert said[chart.iri].at("holds", f"sign:{sign}") == {
            where[name] for name in called if name in where
        }


@every_chart
def test_horses_and_taichong(said: dict[str, Said], chart: QimenChart) -> None:
    found, plate = said[chart.iri], chart.plate
    assert found.at("holds", "sign:hour-horse") == {plate.marks.horse_palace}
    assert plate.day is not None
    assert found.at("holds", "sign:post-horse") == {BRANCH_PALACE[HORSE[plate.day % 12]]}
    assert chart.month is not None
    heavenly = dict(zip("寅卯辰巳午未申酉戌亥子丑", "午申戌子寅辰" * 2, strict=True))[BRANCHES[chart.month]]
    assert found.at("holds", "sign:heavenly-horse") == {BRANCH_PALACE[BRANCHES.index(heavenly)]}
    assert bool(found.at("holds", "sign:taichong")) == (chart.moment is not None)


@pytest.mark.parametrize(
    ("instant", "hour", "branch"),
    [
        ("2024-03-01T00:30", "子", "辰"),  # 正月登明將
        ("2024-03-01T12:30", "午", "戌"),  # 假如正月雨水後用午時…太沖在戌
        ("2024-08-30T00:30", "子", "戌"),  # 七月太乙將
        ("2024-08-30T08:30", "辰", "寅"),
    ],
)
def test_taichong_by_the_table_of_volume_16(doctrine: Doctrine, instant: str, hour: str, branch: str) -> None:
    chart = cast(instant=instant, tz="Asia/Shanghai")
    assert chart.pillars["hour"] is not None
    assert chart.pillars["hour"][1] == hour
    found = Said(doctrine, chart)
    assert found.of("taichongBranch") == {("", shorten(BRANCH_NODES[BRANCHES.index(branch)].value))}
    assert found.at("holds", "sign:taichong") == {BRANCH_PALACE[BRANCHES.index(branch)]}


# States


@every_chart
def test_void_inner_and_outer_seats(said: dict[str, Said], chart: QimenChart) -> None:
    found, plate = said[chart.iri], chart.plate
    marks = plate.day_marks if chart.options["void"] == "day" else plate.marks
    assert marks is not None
    void = set(marks.void_palaces)
    assert found.at("seatState", "shi:stateVoid") == void == found.at("seatState", "shi:stateForlorn")
    assert found.at("seatState", "shi:stateHollow") == {OPPOSITE[n] for n in void}
    inner = {1, 8, 3, 4} if plate.dun == "陽" else {9, 2, 7, 6}
    inner |= {5} & ({5} if plate.host_palace in inner else set())
    assert found.at("seatState", "shi:stateInner") == inner
    assert found.at("seatState", "shi:stateOuter") == set(range(1, 10)) - inner


def in_state(found: Said, state: str) -> set[str]:
    return {fall for fall, held in found.of("inState") if held == f"shi:state{state}"}


@every_chart
def test_tomb_and_extinction(said: dict[str, Said], chart: QimenChart) -> None:
    school = chart.options["tomb"]
    for state, stems, elements in (("Tomb", STEM_TOMB, ELEMENT_TOMB), ("Extinct", STEM_END, ELEMENT_END)):
        expected = set()
        for fall, (palace, element) in come(chart.plate).items():
            stem = next((s for n, s in enumerate(STEMS) if fall == _fall("stem", n)), None)
            if stem is not None and school != "element":
                branch = stems[stem]
            elif school == "qian" and element == 2:
                branch = "戌" if state == "Tomb" else "亥"
            else:
                branch = elements[element]
            if BRANCH_PALACE[BRANCHES.index(branch)] == palace:
                expected.add(fall)
        assert in_state(said[chart.iri], state) == expected


@pytest.mark.parametrize(
    ("stem", "palace"), list(zip("乙丙丁戊己庚辛壬癸", (2, 6, 8, 6, 8, 8, 4, 4, 2), strict=True))
)
def test_the_palaces_of_the_tombs_of_stems(doctrine: Doctrine, stem: str, palace: int) -> None:
    """乙2 丙6 丁8 戊6 己8 庚8 辛壬4 癸2."""
    fall = _fall("stem", STEMS.index(stem))
    tombs = {
        n
        for ju in range(1, 10)
        for hour in range(0, 60, 7)
        for chart in [cast(dun="陽", ju=ju, hour=pair(hour))]
        for n in [palace_of(chart, fall)]
        if n == palace and fall in in_state(Said(doctrine, chart), "Tomb")
    }
    assert tombs == {palace}


@every_chart
def test_home_reversal_and_oppression(said: dict[str, Said], chart: QimenChart) -> None:
    plate, found = chart.plate, said[chart.iri]
    rest = come(qimen.cast(plate.dun, plate.ju, plate.marks.head, plate=plate.plate, host=plate.host))
    moved = {
        fall: where for fall, where in come(plate).items() if fall.startswith(("fall/star", "fall/door"))
    }
    assert in_state(found, "Home") == {fall for fall, (n, _) in moved.items() if rest[fall][0] == n}
    assert in_state(found, "Reversed") == {
        fall for fall, (n, _) in moved.items() if OPPOSITE[n] == rest[fall][0]
    }
    assert in_state(found, "Oppressed") == {
        fall for fall, (n, element) in come(plate).items() if (PALACE_ELEMENT[n] + 2) % 5 == element
    }


@every_chart
def test_what_befalls_a_seat_befalls_what_is_in_it(said: dict[str, Said], chart: QimenChart) -> None:
    found = said[chart.iri]
    for state in ("Void", "Inner", "Outer", "Forlorn", "Hollow"):
        there = found.at("seatState", f"shi:state{state}")
        assert in_state(found, state) == {fall for fall, (n, _) in come(chart.plate).items() if n in there}


# Strength


@every_chart
def test_strength_by_month_and_by_palace(said: dict[str, Said], chart: QimenChart) -> None:
    assert chart.month is not None
    month = BRANCH_ELEMENT[chart.month]
    by_month, by_palace = set(), set()
    for fall, (palace, element) in come(chart.plate).items():
        song = fall.startswith("fall/star") and chart.options["star_rule"] == "song"
        by_month.add((fall, "strength:" + (SONG if song else PLAIN)[(element - month) % 5]))
        ranks = SONG if chart.options["palace_rule"] == "song" else PLAIN
        by_palace.add((fall, "strength:" + ranks[(element - PALACE_ELEMENT[palace]) % 5]))
    assert said[chart.iri].of("vigour") == by_month
    assert said[chart.iri].of("palaceVigour") == by_palace


@pytest.mark.parametrize(
    ("month", "strength"),
    [("亥", "xiang"), ("子", "xiang"), ("寅", "wang"), ("卯", "wang"), ("巳", "xiu"), ("午", "xiu")],
)
def test_the_example_of_the_song(doctrine: Doctrine, month: str, strength: str) -> None:
    """假令水宿號天蓬，相在初冬與仲冬，旺於正二休四五."""
    found = Said(doctrine, cast(dun="陽", ju=1, hour="甲子", month=month))
    assert ("fall/star.1-tianpeng", f"strength:{strength}") in found.of("vigour")


def test_without_a_month_there_is_no_strength_by_month(doctrine: Doctrine) -> None:
    found = Said(doctrine, cast(dun="陽", ju=1, hour="甲子"))
    assert not found.of("vigour")
    assert len(found.of("palaceVigour")) == 34


# What palaces offer


@every_chart
def test_marvels_doors_instruments_and_spirits(said: dict[str, Said], chart: QimenChart) -> None:
    plate, found = chart.plate, said[chart.iri]
    heaven = {n: "".join(STEMS[s] for s in plate.heaven[n]) for n in range(1, 10)}
    earth = {n: "".join(STEMS[s] for s in plate.earth[n]) for n in range(1, 10)}
    either = chart.options["marvel"] == "either"
    marvel = {n for n in heaven if any(c in "乙丙丁" for c in heaven[n] + (earth[n] if either else ""))}
    door = {n for n in heaven if plate.doors[n] and DOORS[plate.doors[n]].sign in "開休生"}
    ill = {"seat": "螣蛇勾陳朱雀白虎玄武", "name": "螣蛇白虎玄武"}[chart.options["badspirit"]]
    spirit = {n for n in heaven if plate.spirits[n] and SPIRITS[plate.spirits[n]].name in ill}
    envoys = {"乙": "己辛", "丙": "戊庚", "丁": "壬癸"}
    lucky, unlucky = (found.at("quality", f"sign:{word}-format") for word in ("lucky", "unlucky"))
    both = marvel & door
    one = {"canon": both | lucky, "any": marvel | door | lucky, "all": both & lucky}[chart.options["qmg"]]
    every = chart.options["qmg"] == "all"
    expected = {
        "marvel": marvel,
        "lucky-door": door,
        "marvel-and-door": both,
        "instrument": {n for n in heaven if any(c in "戊己庚辛壬癸" for c in heaven[n])},
        "marvel-on-instrument": {
            n for n in heaven if any(b in earth[n] for a in heaven[n] for b in envoys.get(a, ""))
        },
        "unlucky-spirit": spirit,
        "lucky-format": lucky,
        "unlucky-format": unlucky,
        "marvel-door-or-format": one,
        "marvel-or-format": marvel & lucky if every else marvel | lucky,
        "door-or-format": door & lucky if every else door | lucky,
        "unlucky-spirit-or-format": spirit | unlucky,
    }
    for sign, palaces in expected.items():
        assert found.at("offers", f"sign:{sign}") == palaces, sign


@every_chart
def test_what_is_asked_to_be_lacking_is_there_or_lacking(
    doctrine: Doctrine, said: dict[str, Said], chart: QimenChart
) -> None:
    found = said[chart.iri]
    missed = {shorten(node.value) for node in instances(doctrine.store, "MissedSign")}
    assert missed
    for sign in missed:
        assert found.at("offers", sign) | found.at("lacks", sign) == set(range(1, 10))
        assert not found.at("offers", sign) & found.at("lacks", sign)
    formats = {shorten(node.value) for node in instances(doctrine.store, "MissedFormat")}
    has, lacks = ({v for s, v in found.of(name) if s == ""} for name in ("hasFormat", "lacksFormat"))
    assert lacks == formats - has


# The reasoners


def test_the_art_of_the_chart_decides_which_rules_are_asked(doctrine: Doctrine) -> None:
    casting = doctrine.cast(cast(dun="陽", ju=1, hour="甲子", day="甲子", month="寅", year="甲子"), [])
    liuren = {shorten(node.value) for node in instances(doctrine.store, "Place", "VoidPlace")}
    assert not liuren
    assert not [q for q in casting.quads if q.predicate == term("inCommand")]


@pytest.fixture(scope="module")
def two() -> list[QimenChart]:
    """A turning plate under the defaults, and a flying one under other schools."""
    other = {"plate": "flying", "tomb": "qian", "star_rule": "plain", "palace_rule": "plain", "jia": "wu"}
    return [
        cast(dun="陰", ju=4, hour="午", day="甲寅", month="申", year="乙酉", birth="庚申"),
        cast(
            other | {"qmg": "all", "zha": "earth"},
            dun="陽",
            ju=7,
            hour="子",
            day="乙卯",
            month="辰",
            year="甲申",
        ),
    ]


def test_ontology_and_charts_are_consistent(two: list[QimenChart], tmp_path: Path) -> None:
    store = new_store()
    own = Doctrine(store)
    for chart in two:
        store.extend([*quads(facts(chart)), *own.cast(chart, []).quads])
    assert consistent(store, tmp_path) > 10_000


HEADS = (
    "drawn",
    "leadStem",
    "standsFor",
    "holds",
    "earthHolds",
    "seatState",
    "inState",
    "vigour",
    "palaceVigour",
)
FORMS = ("formsAt", "standsAt", "hasFormat", "quality", "offers")


def test_hermit_derives_what_the_fast_engine_derives(
    doctrine: Doctrine, two: list[QimenChart], tmp_path: Path
) -> None:
    reasoner = doctrine.reasoner
    concluding = [rule for rule in reasoner.of("derive", "qimen") if rule.head.predicate in (*HEADS, *FORMS)]
    resting = reasoner.needed(concluding, "qimen")
    export = Export(reasoner, "qimen", list(dict.fromkeys((*resting, *concluding))))
    fast: set[tuple[str, str, str]] = set()
    for chart in two:
        derived = doctrine.cast(chart, []).quads
        export.add_chart(quads(facts(chart)), derived)
        fast |= {
            (name, quad.subject.value, individual(quad.object).value)
            for quad in derived
            for name in (*HEADS, *FORMS)
            if quad.predicate == term(name) and isinstance(quad.object, NamedNode)
        }
    assert len(fast) > 500
    assert infers_all(export, fast, tmp_path), "something is found by look-ups alone"
    subjects = {subject for _, subject, _ in fast}
    assert infers_no_other(export, fast, subjects, tmp_path), "something is found by HermiT alone"
    one = min(fast)
    assert not infers_no_other(export, fast - {one}, subjects, tmp_path)
    assert not infers_all(export, fast | {(one[0], one[1], THINGS + "sign/nobody")}, tmp_path)
