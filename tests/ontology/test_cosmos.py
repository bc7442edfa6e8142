"""The cosmos cell by cell: what the ontology states and its rules derive, against the tables of the books."""

from __future__ import annotations

from itertools import product

import pytest
from pyoxigraph import NamedNode, Quad
from rdflib import OWL, RDF, Graph, URIRef
from rdflib.collection import Collection

from kg import cosmos
from kg.facts import TYPE, term, thing
from kg.findings import Doctrine
from ontology import HERE, shorten
from ontology import TERMS as NAMESPACE

STEMS = "甲乙丙丁戊己庚辛壬癸"
BRANCHES = "子丑寅卯辰巳午未申酉戌亥"
ELEMENTS = "木火土金水"
ELEMENT = dict(zip(STEMS + BRANCHES, "木木火火土土金金水水" + "水土木木土火火土金金土水", strict=True))
"""The element of the ten stems and the twelve branches."""

BRANCH_RELATIONS = {
    "clashes": "子午 丑未 寅申 卯酉 辰戌 巳亥",
    "combines": "子丑 寅亥 卯戌 辰酉 巳申 午未",
    "harms": "子未 丑午 寅巳 卯辰 申亥 酉戌",
    "breaks": "子酉 丑辰 寅亥 卯午 巳申 未戌",
}
"""六沖 六合 六害 六破, each pair once; all four are mutual."""

PUNISHMENTS = {
    "punishesUngratefully": "寅巳 巳申 申寅",
    "punishesByPower": "丑戌 戌未 未丑",
    "punishesRudely": "子卯 卯子",
    "punishesItself": "辰辰 午午 酉酉 亥亥",
}
"""三刑, directed, by kind."""

GROWTH = {
    "jingwei": "甲亥順 乙午逆 丙寅順 丁酉逆 戊寅順 己酉逆 庚巳順 辛子逆 壬申順 癸卯逆",
    "element": "甲亥順 乙亥順 丙寅順 丁寅順 戊申順 己申順 庚巳順 辛巳順 壬申順 癸申順",
}
"""Where each stem is born and which way it grows: 六壬經緯 卷四, and the practice by element, earth with
water.
"""
STAGES = "長生 沐浴 冠帶 臨官 帝旺 衰 病 死 墓 絕 胎 養".split()

TERMS = {
    "立春": "寅", "驚蟄": "卯", "清明": "辰", "立夏": "巳", "芒種": "午", "小暑": "未",
    "立秋": "申", "白露": "酉", "寒露": "戌", "立冬": "亥", "大雪": "子", "小寒": "丑",
}  # fmt: skip
"""The month branch (月建) that begins at each 節."""
MID_TERMS = {
    "雨水": "亥", "春分": "戌", "穀雨": "酉", "小滿": "申", "夏至": "未", "大暑": "午",
    "處暑": "巳", "秋分": "辰", "霜降": "卯", "小雪": "寅", "冬至": "丑", "大寒": "子",
}  # fmt: skip
"""The month general (月將) that begins at each 中氣."""
LONGITUDES = (
    "立春 雨水 驚蟄 春分 清明 穀雨 立夏 小滿 芒種 夏至 小暑 大暑 "
    "立秋 處暑 白露 秋分 寒露 霜降 立冬 小雪 大雪 冬至 小寒 大寒"
).split()


def node(char: str) -> NamedNode:
    """The stem or branch of a character."""
    if char in STEMS:
        return thing(cosmos.names("stem")[STEMS.index(char)])
    return thing(cosmos.names("branch")[BRANCHES.index(char)])


def label(doctrine: Doctrine, found: object) -> str:
    assert isinstance(found, NamedNode)
    return doctrine.verbaliser("zh").label(found)


def relation(doctrine: Doctrine, name: str) -> set[str]:
    """The pairs of stems and branches between which a property holds, as two characters each."""
    symbols = {node(char): char for char in STEMS + BRANCHES}
    return {
        symbols[quad.subject] + symbols[quad.object]
        for quad in doctrine.store.quads_for_pattern(None, term(name), None)
        if quad.subject in symbols and quad.object in symbols
    }


def rows(doctrine: Doctrine, name: str) -> dict[str, set[str]]:
    """A property as {label of the subject: labels of its objects}."""
    found: dict[str, set[str]] = {}
    for quad in doctrine.store.quads_for_pattern(None, term(name), None):
        found.setdefault(label(doctrine, quad.subject), set()).add(label(doctrine, quad.object))
    return found


def differ(found: set[str], expected: set[str]) -> str:
    return f"too many: {sorted(found - expected)}; too few: {sorted(expected - found)}"


# 五行


def test_the_elements_of_stems_and_branches(doctrine: Doctrine) -> None:
    found = {char: label(doctrine, quad.object) for char in ELEMENT
             for quad in doctrine.store.quads_for_pattern(node(char), term("element"), None)}  # fmt: skip
    assert found == ELEMENT
    assert "".join(ELEMENTS[e] for e in cosmos.STEM_ELEMENT + cosmos.BRANCH_ELEMENT) == "".join(
        ELEMENT.values()
    )


@pytest.mark.parametrize(
    ("name", "pairs"),
    [
        ("generates", "木火 火土 土金 金水 水木"),
        ("generatedBy", "火木 土火 金土 水金 木水"),
        ("controls", "木土 土水 水火 火金 金木"),
        ("controlledBy", "土木 水土 火水 金火 木金"),
        ("sameElement", "木木 火火 土土 金金 水水"),
    ],
)
def test_the_five_relations_of_elements_over_22_symbols(doctrine: Doctrine, name: str, pairs: str) -> None:
    expected = {a + b for a, b in product(ELEMENT, ELEMENT) if ELEMENT[a] + ELEMENT[b] in pairs.split()}
    found = relation(doctrine, name)
    assert found == expected, differ(found, expected)


def test_any_two_symbols_stand_in_exactly_one_relation_of_elements(doctrine: Doctrine) -> None:
    tables = [
        relation(doctrine, n) for n in "generates generatedBy controls controlledBy sameElement".split()
    ]
    wrong = [a + b for a, b in product(ELEMENT, ELEMENT) if sum(a + b in table for table in tables) != 1]
    assert not wrong


def test_polarity_goes_by_turns(doctrine: Doctrine) -> None:
    assert {k: v for k, v in rows(doctrine, "polarity").items() if k in ELEMENT} == {
        char: {"陽" if cycle.index(char) % 2 == 0 else "陰"} for cycle in (STEMS, BRANCHES) for char in cycle
    }


# 刑沖破害合


@pytest.mark.parametrize("name", sorted(BRANCH_RELATIONS))
def test_the_mutual_relations_of_branches(doctrine: Doctrine, name: str) -> None:
    expected = {q for pair in BRANCH_RELATIONS[name].split() for q in (pair, pair[::-1])}
    found = relation(doctrine, name)
    assert found == expected, differ(found, expected)


@pytest.mark.parametrize("name", sorted(PUNISHMENTS))
def test_the_kinds_of_punishment(doctrine: Doctrine, name: str) -> None:
    expected = set(PUNISHMENTS[name].split())
    found = relation(doctrine, name)
    assert found == expected, differ(found, expected)


def test_punishment_is_directed_and_has_no_other_kind(doctrine: Doctrine) -> None:
    expected = {pair for pairs in PUNISHMENTS.values() for pair in pairs.split()}
    found = relation(doctrine, "punishes")
    assert found == expected, differ(found, expected)
    assert relation(doctrine, "punishedBy") == {pair[::-1] for pair in expected}
    assert {BRANCHES[a] + BRANCHES[b] for a, b in enumerate(cosmos.PUNISHES)} == expected


def test_said_mutually_punishment_holds_in_either_direction(doctrine: Doctrine) -> None:
    either = {
        shorten(quad.subject.value)[4:]: set()
        for quad in doctrine.store.quads_for_pattern(None, term("eitherWay"), None)
    }
    for quad in doctrine.store.quads_for_pattern(None, term("eitherWay"), None):
        either[shorten(quad.subject.value)[4:]].add(shorten(quad.object.value)[4:])
    assert either == {
        "clashes": {"clashes"},
        "breaks": {"breaks"},
        "harms": {"harms"},
        "combines": {"combines"},
        "punishes": {"punishes", "punishedBy"},
    }


def test_the_trines(doctrine: Doctrine) -> None:
    members = {"水局": "申子辰", "木局": "亥卯未", "火局": "寅午戌", "金局": "巳酉丑"}
    assert rows(doctrine, "member") == {name: set(branches) for name, branches in members.items()}
    for place, name in enumerate(("birth", "peak", "tomb")):
        assert rows(doctrine, name) == {trine: {branches[place]} for trine, branches in members.items()}
    elements = {name: rows(doctrine, "element")[name] for name in members}
    assert elements == {"水局": {"水"}, "木局": {"木"}, "火局": {"火"}, "金局": {"金"}}


def test_the_post_horses(doctrine: Doctrine) -> None:
    expected = {
        branch: {horse}
        for group in ("申子辰寅", "寅午戌申", "巳酉丑亥", "亥卯未巳")
        for branch in group[:3]
        for horse in group[3]
    }
    assert rows(doctrine, "horse") == expected
    assert {BRANCHES[b]: {BRANCHES[h]} for b, h in enumerate(cosmos.HORSE)} == expected


# Stems


def test_the_lodges(doctrine: Doctrine) -> None:
    expected = "甲寅 乙辰 丙巳 丁未 戊巳 己未 庚申 辛戌 壬亥 癸丑".split()
    assert relation(doctrine, "lodge") == set(expected)
    assert [STEMS[s] + BRANCHES[b] for s, b in enumerate(cosmos.LODGE)] == expected


def test_the_five_combinations(doctrine: Doctrine) -> None:
    half = "甲己 乙庚 丙辛 丁壬 戊癸".split()
    assert relation(doctrine, "fiveCombines") == {q for pair in half for q in (pair, pair[::-1])}


FAVOURS = {
    "甲": "亥子", "乙": "亥子酉", "丙": "寅卯申", "丁": "寅卯午", "戊": "巳午申",
    "己": "巳午", "庚": "丑辰未戌巳", "辛": "丑辰未戌卯", "壬": "申酉寅", "癸": "申酉子",
}  # fmt: skip
"""生合: what generates the stem, and the branch that combines with its lodge (甲寅: 亥, which does both; …).
"""
AFFLICTS = {
    "甲": "申亥巳", "乙": "辰戌丑卯", "丙": "寅亥申", "丁": "戌丑子", "戊": "寅亥申",
    "己": "戌丑子", "庚": "巳寅亥", "辛": "丑辰未酉", "壬": "亥巳寅申", "癸": "未辰午",
}  # fmt: skip
"""刑沖破害: what punishes, clashes with, breaks or harms the lodge.

So 甲, lodged in 寅: 申 punishes and clashes, 亥 breaks, 巳 harms. 乙 in 辰: 辰 punishes, 戌 clashes, 丑
breaks, 卯 harms.
"""


@pytest.mark.parametrize(("name", "table"), [("favours", FAVOURS), ("afflicts", AFFLICTS)])
def test_what_favours_and_what_afflicts_a_stem(doctrine: Doctrine, name: str, table: dict[str, str]) -> None:
    expected = {branch + stem for stem, branches in table.items() for branch in branches}
    found = relation(doctrine, name)
    assert found == expected, differ(found, expected)


def test_the_nobles(doctrine: Doctrine) -> None:
    tables = {
        "niuyang": "丑未 子申 亥酉 亥酉 丑未 子申 丑未 午寅 巳卯 巳卯".split(),
        "yangniu": "未丑 申子 酉亥 亥酉 丑未 子申 丑未 寅午 卯巳 巳卯".split(),
    }
    for school, expected in tables.items():
        assert [BRANCHES[day] + BRANCHES[night] for day, night in cosmos.NOBLES[school]] == expected
    assert "".join(cosmos.GENERALS) == "貴人螣蛇朱雀六合勾陳青龍天空白虎太常玄武太陰天后"


# Pairs and decades


def test_the_sixty_pairs_and_their_void(doctrine: Doctrine) -> None:
    void = dict(zip("子戌申午辰寅", "戌亥 申酉 午未 辰巳 寅卯 子丑".split(), strict=True))
    decades = rows(doctrine, "voidBranch")
    expected, found = {}, {}
    for number in range(60):
        name = STEMS[number % 10] + BRANCHES[number % 12]
        head = BRANCHES[(number - number % 10) % 12]
        expected[name] = set(void[head])
        pair = thing(cosmos.names("pair")[number])
        assert label(doctrine, pair) == name
        (decade,) = doctrine.store.quads_for_pattern(pair, term("decade"), None)
        found[name] = decades[label(doctrine, decade.object)]
        assert {BRANCHES[b] for b in cosmos.void(number)} == expected[name]
    assert found == expected


# Growth, kin, strength


@pytest.mark.parametrize("school", sorted(GROWTH))
def test_the_twelve_stages_of_ten_stems(doctrine: Doctrine, school: str) -> None:
    store = doctrine.store
    stages = [thing(name) for name in cosmos.names("stage")]
    assert [label(doctrine, stage) for stage in stages] == STAGES
    expected, found = {}, {}
    for stem, birth, way in GROWTH[school].split():
        for number, stage in enumerate(STAGES):
            step = number if way == "順" else -number
            expected[stem, stage] = [BRANCHES[(BRANCHES.index(birth) + step) % 12]]
    for cycle in [q.subject for q in store.quads_for_pattern(None, TYPE, term("GrowthCycle"))]:
        if any(store.quads_for_pattern(cycle, term("ofSchool"), thing(f"school:stages-{school}"))):
            (stem_of,) = store.quads_for_pattern(cycle, term("forStem"), None)
            for stage in stages:
                cell = label(doctrine, stem_of.object), label(doctrine, stage)
                found[cell] = [label(doctrine, q.object) for q in store.quads_for_pattern(cycle, stage, None)]
    assert len(expected) == 120
    assert found == expected


def derived(doctrine: Doctrine, facts: list[tuple[str, str, str]], predicate: str) -> list[str]:
    """What the derive rules say of one place of a chart that is nothing but these facts."""
    chart, place = NamedNode("urn:c"), NamedNode("urn:c/place")
    ends = {"c": chart, "p": place}
    quads = [
        Quad(ends[subject], term(p), ends[value] if value in ends else thing(value))
        for subject, p, value in facts
    ]
    try:
        doctrine.store.extend(quads)
        quads += doctrine.reasoner.derive("liuren", chart)
        return [
            label(doctrine, q.object) for q in doctrine.store.quads_for_pattern(place, term(predicate), None)
        ]
    finally:
        for quad in quads:
            doctrine.store.remove(quad)


def test_kin_of_ten_stems_and_twelve_branches(doctrine: Doctrine) -> None:
    """By the element of the stem, what each branch is: e.g. to 甲 water is 父母, since it generates wood."""
    to = {
        "木": dict(zip(ELEMENTS, "兄弟 子孫 妻財 官鬼 父母".split(), strict=True)),
        "火": dict(zip(ELEMENTS, "父母 兄弟 子孫 妻財 官鬼".split(), strict=True)),
        "土": dict(zip(ELEMENTS, "官鬼 父母 兄弟 子孫 妻財".split(), strict=True)),
        "金": dict(zip(ELEMENTS, "妻財 官鬼 父母 兄弟 子孫".split(), strict=True)),
        "水": dict(zip(ELEMENTS, "子孫 妻財 官鬼 父母 兄弟".split(), strict=True)),
    }
    wrong = []
    for stem, branch in product(STEMS, BRANCHES):
        facts = [("c", "dayStem", shorten(node(stem).value)), ("c", "hasPlace", "p"),
                 ("p", "branch", shorten(node(branch).value))]  # fmt: skip
        found = derived(doctrine, facts, "placeKin")
        if found != [to[ELEMENT[stem]][ELEMENT[branch]]]:
            wrong.append((stem, branch, found))
    assert not wrong


def test_strength_of_twelve_branches_in_twelve_months(doctrine: Doctrine) -> None:
    """旺相休囚死 by the element that commands: spring 木火水金土, …, and earth in 辰戌丑未."""
    states = {
        "木": dict(zip("木火水金土", "旺相休囚死", strict=True)),
        "火": dict(zip("火土木水金", "旺相休囚死", strict=True)),
        "土": dict(zip("土金火木水", "旺相休囚死", strict=True)),
        "金": dict(zip("金水土火木", "旺相休囚死", strict=True)),
        "水": dict(zip("水木金土火", "旺相休囚死", strict=True)),
    }
    command = dict(zip(BRANCHES, "水土木木土火火土金金土水", strict=True))
    wrong = []
    for month, branch in product(BRANCHES, BRANCHES):
        facts = [("c", "chose", "school:jiyue-month"), ("c", "monthBranch", shorten(node(month).value)),
                 ("c", "hasPlace", "p"), ("p", "branch", shorten(node(branch).value))]  # fmt: skip
        found = derived(doctrine, facts, "placeStrength")
        if found != [states[command[month]][ELEMENT[branch]]]:
            wrong.append((month, branch, found))
    assert not wrong


# Seasons and terms


def test_the_seasons_of_the_months(doctrine: Doctrine) -> None:
    months = {"春": "寅卯辰", "夏": "巳午未", "秋": "申酉戌", "冬": "亥子丑"}
    assert rows(doctrine, "inSeason") == {
        month: {season} for season, all_ in months.items() for month in all_
    }
    for place, name in enumerate(("firstMonth", "middleMonth", "lastMonth")):
        assert rows(doctrine, name) == {season: {all_[place]} for season, all_ in months.items()}


def test_the_24_terms(doctrine: Doctrine) -> None:
    assert rows(doctrine, "startsMonth") == {name: {branch} for name, branch in TERMS.items()}
    assert rows(doctrine, "startsGeneral") == {name: {branch} for name, branch in MID_TERMS.items()}
    found = {
        label(doctrine, q.subject): int(q.object.value)
        for q in doctrine.store.quads_for_pattern(None, term("solarLongitude"), None)
    }
    assert found == {name: (315 + 15 * n) % 360 for n, name in enumerate(LONGITUDES)}


# The module itself


def test_what_can_be_derived_is_not_written_down() -> None:
    derived_properties = {
        f"shi:{name}"
        for name in (
            *BRANCH_RELATIONS,
            *PUNISHMENTS,
            "punishes",
            "punishedBy",
            "horse",
            "voidBranch",
            "peak",
            "tomb",
            "member",
        )
    }
    written = {p for row in cosmos.table("cosmos.ttl").values() for p in row}
    assert not written & derived_properties


def test_every_term_has_labels_in_three_languages_a_comment_and_a_source(doctrine: Doctrine) -> None:
    store = doctrine.store
    lacking = []
    for kind in ("Class", "ObjectProperty", "DatatypeProperty"):
        for quad in store.quads_for_pattern(None, TYPE, NamedNode(f"http://www.w3.org/2002/07/owl#{kind}")):
            if not isinstance(quad.subject, NamedNode) or not quad.subject.value.startswith(NAMESPACE):
                continue
            missing = [t for t in ("zh", "ko", "en") if not doctrine.verbaliser(t).label(quad.subject)]
            for iri in ("http://www.w3.org/2000/01/rdf-schema#comment", "http://purl.org/dc/terms/source"):
                if not any(store.quads_for_pattern(quad.subject, NamedNode(iri), None)):
                    missing.append(iri)
            if missing:
                lacking.append((shorten(quad.subject.value), missing))
    assert not lacking


def test_members_of_a_kind_are_told_apart() -> None:
    """Under OWL two names may be one thing until they are said to differ; 陰 and 陽, and the terms, once were not."""
    graph = Graph()
    for module in ("cosmos.ttl", "liuren.ttl"):
        graph.parse(HERE / module)
    lists = [set(Collection(graph, head)) for head in graph.objects(None, OWL.distinctMembers)]
    kinds = (
        "Element Polarity Stem Branch Pair Decade Season Trine Kin Strength GrowthStage General Mark Phase"
    )
    wrong = []
    for kind in (*([name] for name in kinds.split()), ["Node", "MidTerm"]):
        members = {s for name in kind for s in graph.subjects(RDF.type, URIRef(NAMESPACE + name))}
        if not members or members not in lists:
            wrong.append(kind)
    assert not wrong
