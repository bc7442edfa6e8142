"""Each form twice: as graphs that differ in one fact, and as arithmetic over all 720 lessons.

The first shows what a rule needs; the second says again, without the graph, how each form of the text is read
(六壬經緯 卷三), and finds what a rule infers too much, too little, or otherwise.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import pytest
from pyoxigraph import NamedNode, Quad, RdfFormat, parse

from kg import cosmos
from kg.facts import thing
from kg.findings import Doctrine
from kg.liuren_chart import LiurenChart
from kg.store import instances, values
from ontology import prefixes, shorten

if TYPE_CHECKING:
    from tests.conftest import Crowd

STEMS, BRANCHES, GENERALS = cosmos.STEMS, cosmos.BRANCHES, cosmos.GENERALS

# ---- Graphs

SYMBOLS = {name: node for kind, names in (("general", GENERALS), ("stem", STEMS), ("branch", BRANCHES))
           for name, node in zip(names, cosmos.names(kind), strict=True)}  # fmt: skip
SCHOOLS = "school:void-feng , school:stages-jingwei , school:jiyue-month"


@dataclass(frozen=True)
class Twin:
    """A graph in which the judgments hold, and the one fact that, changed, makes them not hold."""

    graph: str
    change: tuple[str, str]
    finds: str
    reading: str = "established"


def three(branches: str) -> str:
    """Three transmissions."""
    roles = zip(("initial", "middle", "final"), "tuv", branches, strict=True)
    return "".join(
        f":c shi:{role} :{name} ; shi:hasPlace :{name} . :{name} shi:branch {b} . " for role, name, b in roles
    )


INITIAL = ":c shi:initial :t ; shi:hasPlace :t . "
UPPERS = ":c shi:uponStem :g ; shi:uponBranch :z ; shi:hasPlace :g , :z . "
BRANCH_SIDE = ":c shi:branchPlace :p ; shi:lesson3 :l ; shi:lesson4 :m . :l shi:upper :q . :m shi:upper :r . "
STEM_SIDE = ":c shi:stemPlace :p ; shi:lesson1 :l ; shi:lesson2 :m . :l shi:upper :q . :m shi:upper :r . "
OUTSIDE = ":c shi:branchPlace :z ; shi:transmitsNot :z ; shi:hasPlace :z . "

TWINS = {
    "series": Twin(three("亥寅巳"), ("branch 巳", "branch 午"), "xuantai-shun xuantai-fanzhan"),
    "series-season": Twin(
        three("亥寅巳") + ":c shi:monthBranch 寅 .", ("monthBranch 寅", "monthBranch 巳"), "xuantai-shun-chun"
    ),
    "series-season-phase": Twin(
        three("子卯午") + ":c shi:monthBranch 酉 ; shi:phase phase:hui .",
        ("; shi:phase phase:hui", ""),
        "guange-shun-qiu-base",
        "base",
    ),
    "series-season-peak-phase": Twin(
        three("子卯午") + ":c shi:monthBranch 酉 ; shi:phase phase:hui ; shi:dayBranch 午 .",
        ("dayBranch 午", "dayBranch 未"),
        "guange-shun-qiu",
    ),
    "series-season-gate-hour": Twin(
        three("子卯午") + ":c shi:monthBranch 亥 ; shi:hourBranch 卯 .",
        ("hourBranch 卯", "hourBranch 巳"),
        "guange-shun-dong-simen",
    ),
    "sequence": Twin(three("申子辰"), ("branch 辰", "branch 丑"), "shuiju-runxia"),
    "initial-to-stem": Twin(
        INITIAL + ":c shi:dayStem 甲 . :t shi:branch 子 .", ("branch 子", "branch 午"), "yinshou-initial"
    ),
    "trine-to-stem": Twin(
        three("辰申子") + ":c shi:dayStem 甲 .", ("branch 子", "branch 丑"), "yinshou-trine"
    ),
    "joined-trine-to-stem": Twin(
        three("申辰午") + OUTSIDE + ":z shi:branch 子 . :c shi:dayStem 甲 .",
        ("branch 子", "branch 丑"),
        "yinshou-joined-trine",
    ),
    "each-own": Twin(  # 申 generates 子, 亥 generates 甲
        UPPERS + ":z shi:branch 申 . :g shi:branch 亥 . :c shi:dayBranch 子 ; shi:dayStem 甲 .",
        ("branch 申", "branch 午"),
        "yinshou-each-own",
    ),
    "crosswise": Twin(  # 酉 upon the stem generates 子, 亥 upon the branch generates 甲
        UPPERS + ":g shi:branch 酉 . :z shi:branch 亥 . :c shi:dayBranch 子 ; shi:dayStem 甲 .",
        ("branch 酉", "branch 午"),
        "yinshou-crosswise",
    ),
    "branch-to-stem": Twin(
        ":c shi:dayBranch 子 ; shi:dayStem 甲 .", ("dayBranch 子", "dayBranch 午"), "yinshou-branch"
    ),
    "branch-trine-to-stem": Twin(
        BRANCH_SIDE + ":p shi:branch 子 . :q shi:branch 辰 . :r shi:branch 申 . :c shi:dayStem 甲 .",
        ("branch 申", "branch 酉"),
        "yinshou-branch-trine",
    ),
    "stem-trine-to-stem": Twin(
        STEM_SIDE + ":p shi:branch 寅 . :q shi:branch 午 . :r shi:branch 戌 . :c shi:dayStem 甲 .",
        ("branch 戌", "branch 亥"),
        "shangguan-stem-trine",
    ),
    "chain-forward": Twin(
        three("辰申子") + ":c shi:dayStem 甲 .", ("branch 申", "branch 午"), "yinshou-chain-forward"
    ),
    "chain-backward": Twin(
        three("亥酉未") + ":c shi:dayStem 乙 .", ("branch 酉", "branch 午"), "yinshou-chain-backward"
    ),
    "initial-to-lodge": Twin(  # 申 punishes 寅, the lodge of 甲, and clashes with it
        INITIAL + ":t shi:branch 申 . :c shi:dayStem 甲 .",
        ("branch 申", "branch 酉"),
        "xingshang-initial yaodong-initial",
    ),
    "stem-and-branch": Twin(  # 申 punishes 寅, not 寅 申: either way counts
        ":c shi:dayStem 甲 ; shi:dayBranch 申 .",
        ("dayBranch 申", "dayBranch 酉"),
        "xingshang-stem-and-branch yaodong-stem-and-branch",
    ),
    "uppers": Twin(  # 丑 punishes 戌
        UPPERS + ":g shi:branch 戌 . :z shi:branch 丑 .", ("branch 丑", "branch 寅"), "xingshang-uppers"
    ),
    "each-own-branch": Twin(
        UPPERS + ":z shi:branch 午 . :g shi:branch 申 . :c shi:dayBranch 子 ; shi:dayStem 甲 .",
        ("branch 午", "branch 丑"),
        "yaodong-each-own",
    ),
    "crosswise-branch": Twin(
        UPPERS + ":g shi:branch 午 . :z shi:branch 申 . :c shi:dayBranch 子 ; shi:dayStem 甲 .",
        ("branch 午", "branch 丑"),
        "yaodong-crosswise",
    ),
    "links-forward": Twin(three("寅巳申"), ("branch 申", "branch 酉"), "xingshang-links-forward"),
    "links-backward": Twin(three("申巳寅"), ("branch 申", "branch 酉"), "xingshang-links-backward"),
    "trine": Twin(three("申辰子"), ("branch 辰", "branch 丑"), "hehe-trine"),
    "branch-trine": Twin(
        BRANCH_SIDE + ":p shi:branch 子 . :q shi:branch 辰 . :r shi:branch 申 .",
        ("branch 申", "branch 子"),
        "hehe-branch-trine",
    ),
    "stem-trine": Twin(
        STEM_SIDE + ":p shi:branch 寅 . :q shi:branch 午 . :r shi:branch 戌 .",
        ("branch 戌", "branch 寅"),
        "hehe-stem-trine",
    ),
    "stage-general": Twin(
        INITIAL + ":c shi:dayStem 甲 . :t shi:branch 亥 ; shi:rides 青龍 .",
        ("青龍", "白虎"),
        "xialing-initial",
    ),
    "horse": Twin(
        INITIAL + ":c shi:dayBranch 子 . :t shi:branch 寅 .", ("branch 寅", "branch 卯"), "qiancheng-horse"
    ),
    "year-branch-initial": Twin(
        INITIAL + ":c shi:yearBranch 辰 ; shi:dayStem 庚 . :t shi:branch 辰 ; shi:rides 六合 .",
        ("六合", "白虎"),
        "tianen-year",
    ),
    "month-initial": Twin(
        INITIAL + ":c shi:monthBranch 申 ; shi:dayStem 戊 . :t shi:branch 申 ; shi:rides 螣蛇 .",
        ("monthBranch 申", "monthBranch 酉"),
        "shipi-month",
    ),
    "initial-strength": Twin(
        INITIAL + ":c shi:monthBranch 寅 . :t shi:branch 卯 .",
        ("monthBranch 寅", "monthBranch 巳"),
        "jishi-initial",
    ),
    "uppers-strength": Twin(
        UPPERS + ":c shi:monthBranch 寅 . :g shi:branch 寅 . :z shi:branch 卯 .",
        ("branch 卯", "branch 巳"),
        "jishi-uppers",
    ),
    "trine-strength": Twin(
        three("亥卯未") + ":c shi:monthBranch 卯 .", ("monthBranch 卯", "monthBranch 辰"), "jishi-trine"
    ),
    "joined-trine-strength": Twin(
        three("亥卯午") + OUTSIDE + ":z shi:branch 未 . :c shi:monthBranch 卯 .",
        ("branch 未", "branch 申"),
        "jishi-joined-trine",
    ),
    # Water is 囚 in 巳, 死 in 未; there earth commands, which the witness does not name.
    "initial-strength-seasonal": Twin(
        INITIAL + ":c shi:monthBranch 巳 . :t shi:branch 子 .",
        ("monthBranch 巳", "monthBranch 未"),
        "shishi-initial-base",
        "base",
    ),
    "uppers-strength-seasonal": Twin(
        UPPERS + ":c shi:monthBranch 巳 . :g shi:branch 子 . :z shi:branch 亥 .",
        ("monthBranch 巳", "monthBranch 未"),
        "shishi-uppers-base",
        "base",
    ),
    "trine-strength-seasonal": Twin(
        three("申子辰") + ":c shi:monthBranch 巳 .",
        ("monthBranch 巳", "monthBranch 未"),
        "shishi-trine-base",
        "base",
    ),
    "joined-trine-strength-seasonal": Twin(
        three("申子午") + OUTSIDE + ":z shi:branch 辰 . :c shi:monthBranch 巳 .",
        ("monthBranch 巳", "monthBranch 未"),
        "shishi-joined-trine-base",
        "base",
    ),
    "kin-void": Twin(  # 甲子 leaves out 戌 and 亥
        INITIAL + ":c shi:dayPair pair:01-jiazi ; shi:dayStem 甲 . :t shi:branch 亥 .",
        ("branch 亥", "branch 子"),
        "guai-initial",
    ),
    "trine-kin-void": Twin(  # 丁卯 leaves out 戌 and 亥, 丁丑 leaves out 申 and 酉
        three("亥卯未") + ":c shi:dayPair pair:04-dingmao ; shi:dayStem 丁 .",
        ("pair:04-dingmao", "pair:14-dingchou"),
        "guai-trine",
    ),
    "joined-trine-kin-void": Twin(
        three("卯未午") + OUTSIDE + ":z shi:branch 亥 . :c shi:dayPair pair:04-dingmao ; shi:dayStem 丁 .",
        ("pair:04-dingmao", "pair:14-dingchou"),
        "guai-joined-trine",
    ),
    "initial-general": Twin(INITIAL + ":t shi:rides 青龍 .", ("青龍", "白虎"), "xiqing-chuchuan"),
    "general-at-palace": Twin(
        INITIAL + ":t shi:rides 貴人 ; shi:over :u . :u shi:branch 亥 .",
        ("branch 亥", "branch 戌"),
        "gangui-hai-dengtianmen",
    ),
    "any-transmission-void": Twin(
        three("辰未戌") + ":c shi:dayPair pair:01-jiazi .",
        ("branch 戌", "branch 酉"),
        "xuantai-1 guange-1 jiase-1 jinju-1 muju-1 shuiju-1 huoju-1",
    ),
    "initial-void": Twin(
        three("戌丑辰") + ":c shi:dayPair pair:01-jiazi .",
        ("branch 戌", "branch 酉"),
        "gangui-1 kongju-1 wenshu-1 jiaohe-1 zhengsong-1 xiqing-1 "
        "chaotian-1 zaisang-1 yanhui-1 taotuo-1 anmei-1 ganfu-1",
    ),
}


def facts_of(graph: str, reading: str) -> list[Quad]:
    """The facts of a graph in Turtle, symbols written as they are in Chinese."""
    for name, node in SYMBOLS.items():
        graph = graph.replace(f" {name} ", f" {node} ")
    header = (
        "".join(f"@prefix {name}: <{iri}> . " for name, iri in prefixes().items())
        + "@prefix : <urn:chart:> . "
    )
    chart = f":c a shi:LiurenChart ; shi:chose reading:{reading} , {SCHOOLS} . "
    triples = parse(header + chart + graph, format=RdfFormat.TURTLE)
    return [Quad(t.subject, t.predicate, t.object) for t in triples]


def found_by(doctrine: Doctrine, form: str, graph: str, reading: str) -> set[str]:
    """What the rule of one form finds in a graph."""
    chart = NamedNode("urn:chart:c")
    (rule,) = [r for r in doctrine.reasoner.rules if r.form == f"form:{form}"]
    quads = facts_of(graph, reading)
    try:
        doctrine.store.extend(quads)
        quads += doctrine.reasoner.derive("liuren", chart)
        return {row["j"].value.rpartition("/")[2] for row in doctrine.reasoner.ask(rule, chart)}
    finally:
        for quad in quads:
            doctrine.store.remove(quad)


def test_every_form_has_its_twin_graphs() -> None:
    forms = {name.removeprefix("form:") for name in cosmos.table("forms.ttl") if name.startswith("form:")}
    assert forms == set(TWINS)


@pytest.mark.parametrize("form", sorted(TWINS))
def test_a_form_holds_in_its_graph(doctrine: Doctrine, form: str) -> None:
    twin = TWINS[form]
    assert twin.graph.count(" . ") < 20
    assert found_by(doctrine, form, twin.graph, twin.reading) == set(twin.finds.split())


@pytest.mark.parametrize("form", sorted(TWINS))
def test_a_form_does_not_hold_where_one_fact_is_another(doctrine: Doctrine, form: str) -> None:
    twin = TWINS[form]
    assert twin.graph.count(twin.change[0]) == 1
    found = found_by(doctrine, form, twin.graph.replace(*twin.change), twin.reading)
    assert not found & set(twin.finds.split())


def test_a_judgment_of_one_reading_does_not_hold_under_the_other(doctrine: Doctrine) -> None:
    for form in ("series-season-phase", "initial-strength-seasonal"):
        assert found_by(doctrine, form, TWINS[form].graph, "base")
        assert not found_by(doctrine, form, TWINS[form].graph, "established")


def test_either_kind_of_shishi_serves_for_both_uppers(doctrine: Doctrine) -> None:
    """In spring metal is 囚 and earth 死; one upper of each is still 失時."""
    graph = UPPERS + ":c shi:monthBranch 寅 . :g shi:branch 申 . :z shi:branch 未 ."
    assert found_by(doctrine, "uppers-strength", graph, "established") == {"shishi-uppers"}


def test_the_month_general_serves_as_the_month_branch_does(doctrine: Doctrine) -> None:
    graph = INITIAL + ":c shi:monthGeneral 申 ; shi:dayStem 戊 . :t shi:branch 申 ; shi:rides 螣蛇 ."
    assert found_by(doctrine, "month-initial", graph, "established") == {"shipi-month"}


def test_the_trine_of_the_transmissions_is_not_joined_by_stem_and_branch(doctrine: Doctrine) -> None:
    graph = (
        three("申子辰") + ":c shi:branchPlace :u ; shi:transmitsNot :x ; shi:dayStem 甲 . :x shi:branch 午 ."
    )
    assert found_by(doctrine, "trine-to-stem", graph, "established") == {"yinshou-trine"}
    assert not found_by(doctrine, "joined-trine-to-stem", graph, "established")


# ---- Arithmetic

WOOD, FIRE, EARTH, METAL, WATER = range(5)
OF_STEM = (WOOD, WOOD, FIRE, FIRE, EARTH, EARTH, METAL, METAL, WATER, WATER)
OF_BRANCH = (WATER, EARTH, WOOD, WOOD, EARTH, FIRE, FIRE, EARTH, METAL, METAL, EARTH, WATER)
OF_TRINE = (WATER, METAL, FIRE, WOOD)
"""By the remainder of any member by four: 申子辰, 巳酉丑, 寅午戌, 亥卯未."""
LODGES = [BRANCHES.index(b) for b in "寅辰巳未巳未申戌亥丑"]
PUNISHED = [BRANCHES.index(b) for b in "卯戌巳子辰申午丑寅酉未亥"]
"""What 子, 丑, 寅 … punish."""
BIRTHS = [BRANCHES.index(b) for b in "亥午寅酉寅酉巳子申卯"]
BETWEEN_ELEMENTS: dict[str, Callable[[int, int], bool]] = {
    "generates": lambda a, b: (b - a) % 5 == 1,
    "generatedBy": lambda a, b: (a - b) % 5 == 1,
    "controls": lambda a, b: (b - a) % 5 == 2,
    "controlledBy": lambda a, b: (a - b) % 5 == 2,
    "sameElement": lambda a, b: a == b,
}
BETWEEN_BRANCHES: dict[str, Callable[[int, int], bool]] = {
    "clashes": lambda a, b: (a - b) % 12 == 6,
    "combines": lambda a, b: (a + b) % 12 == 1,
    "harms": lambda a, b: (a + b) % 12 == 7,
    "breaks": lambda a, b: (b - a) % 12 == (9 if a % 2 == 0 else 3),
    "punishes": lambda a, b: PUNISHED[a] == b,
}
KIN = {
    "fumu": "generates",
    "zisun": "generatedBy",
    "guangui": "controls",
    "qicai": "controlledBy",
    "xiongdi": "sameElement",
}
STRENGTH = {
    "wang": "sameElement",
    "xiang": "generatedBy",
    "xiu": "generates",
    "qiu": "controls",
    "si": "controlledBy",
}


class Reading:
    """One chart read by arithmetic: d the stem, l its lodge, z the branch, g and u the uppers, t the
    transmissions.
    """

    def __init__(self, chart: LiurenChart) -> None:
        plate = chart.plate
        self.plate, self.month, self.year = plate, chart.month, chart.year
        self.d, self.z = plate.day % 10, plate.day % 12
        self.l = LODGES[self.d]
        self.t = plate.transmissions
        self.g, self.u = plate.lessons[0][0], plate.lessons[2][0]
        self.stem_side = {self.l, self.g, plate.lessons[1][0]}
        self.branch_side = {self.z, self.u, plate.lessons[3][0]}
        self.own = self.trines(set(self.t))
        self.joined = self.trines({*self.t, self.l, self.z}) - self.own
        self.earth_commands = chart.month in (1, 4, 7, 10)

    @staticmethod
    def trines(branches: set[int]) -> set[int]:
        """The trines, by remainder, all of whose members are among some branches."""
        return {r for r in range(4) if {r, r + 4, r + 8} <= branches}

    def empty(self, branch: int) -> bool:
        """甲子旬 leaves out 戌 and 亥, and each later decade the two before."""
        return (branch + 2 * (self.plate.day // 10)) % 12 in (10, 11)

    def rides(self) -> str:
        return GENERALS[self.plate.generals[self.t[0]]]

    def to_stem(self, relation: str, element: int) -> bool:
        return BETWEEN_ELEMENTS[relation](element, OF_STEM[self.d])

    def strong(self, element: int, strengths: list[str]) -> bool:
        assert self.month is not None
        return any(BETWEEN_ELEMENTS[STRENGTH[s]](element, OF_BRANCH[self.month]) for s in strengths)

    def stage(self) -> int:
        return (self.t[0] - BIRTHS[self.d]) * (1 if self.d % 2 == 0 else -1) % 12

    def touches(self, relation: str) -> bool:
        first = self.t[0]
        if relation == "favours":
            return self.to_stem("generates", OF_BRANCH[first]) or BETWEEN_BRANCHES["combines"](first, self.l)
        return any(BETWEEN_BRANCHES[r](first, self.l) for r in ("punishes", "clashes", "breaks", "harms"))


def holds(form: str, p: dict[str, list[str]], c: Reading) -> bool:
    """Whether the condition of a form holds in a chart, with the parameters of a judgment."""
    e, first = OF_BRANCH, c.t[0]
    between, relation = BETWEEN_ELEMENTS, (p.get("relation") or [""])[0]
    near = BETWEEN_BRANCHES.get(relation, lambda a, b: False)
    sequences = ["".join(BRANCHES[t] for t in c.t)] == p.get("sequence") or "".join(
        BRANCHES[t] for t in c.t
    ) in p.get("series", [])
    if form.startswith("series-season"):
        seasons = "春夏秋冬"
        assert c.month is not None
        inside = sequences and p["season"] == [seasons[(c.month - 2) % 12 // 3]]
        if form == "series-season-gate-hour":
            return inside and BRANCHES[c.plate.hour] in "卯酉辰戌"
        return inside and form == "series-season"  # pillars have no moon
    match form:
        case "series" | "sequence":
            return sequences
        case "initial-to-stem":
            return c.to_stem(relation, e[first])
        case "trine-to-stem":
            return any(c.to_stem(relation, OF_TRINE[t]) for t in c.own)
        case "joined-trine-to-stem":
            return any(c.to_stem(relation, OF_TRINE[t]) for t in c.joined)
        case "each-own":
            return between[relation](e[c.u], e[c.z]) and c.to_stem(relation, e[c.g])
        case "crosswise":
            return between[relation](e[c.g], e[c.z]) and c.to_stem(relation, e[c.u])
        case "branch-to-stem":
            return c.to_stem(relation, e[c.z])
        case "branch-trine-to-stem":
            return any(c.to_stem(relation, OF_TRINE[t]) for t in c.trines(c.branch_side))
        case "stem-trine-to-stem":
            return any(c.to_stem(relation, OF_TRINE[t]) for t in c.trines(c.stem_side))
        case "chain-forward" | "chain-backward":
            way = c.t if form == "chain-forward" else c.t[::-1]
            return all(between[relation](e[a], e[b]) for a, b in pairwise(way)) and c.to_stem(
                relation, e[way[-1]]
            )
        case "initial-to-lodge":
            return near(first, c.l)
        case "stem-and-branch":
            return near(c.l, c.z) or near(c.z, c.l)
        case "uppers":
            return near(c.g, c.u) or near(c.u, c.g)
        case "each-own-branch":
            return near(c.u, c.z) and near(c.g, c.l)
        case "crosswise-branch":
            return near(c.g, c.z) and near(c.u, c.l)
        case "links-forward":
            return near(c.t[0], c.t[1]) and near(c.t[1], c.t[2])
        case "links-backward":
            return near(c.t[2], c.t[1]) and near(c.t[1], c.t[0])
        case "trine":
            return bool(c.own)
        case "branch-trine":
            return bool(c.trines(c.branch_side))
        case "stem-trine":
            return bool(c.trines(c.stem_side))
        case "stage-general":
            return p["stage"] == [str(c.stage())] and c.rides() in p["general"]
        case "horse":
            return first == (2, 11, 8, 5)[c.z % 4]
        case "year-branch-initial":
            return first == c.year and c.rides() in p["general"] and c.touches(relation)
        case "month-initial":
            return first in (c.month, c.plate.general) and c.rides() in p["general"] and c.touches(relation)
        case "kin-void":
            return c.empty(first) and c.to_stem(KIN[p["kin"][0]], e[first])
        case "trine-kin-void" | "joined-trine-kin-void":
            trines = c.own if form == "trine-kin-void" else c.joined
            return any(
                c.to_stem(KIN[p["kin"][0]], OF_TRINE[t]) and any(c.empty(b) for b in (t, t + 4, t + 8))
                for t in trines
            )
        case "initial-general":
            return c.rides() in p["general"]
        case "general-at-palace":
            return c.rides() in p["general"] and BRANCHES[c.plate.seat(first)] in p["palace"]
    if form.endswith("-seasonal") and c.earth_commands:
        return False
    match form.removesuffix("-seasonal"):
        case "initial-strength":
            return c.strong(e[first], p["strength"])
        case "uppers-strength":
            return c.strong(e[c.g], p["strength"]) and c.strong(e[c.u], p["strength"])
        case "trine-strength":
            return any(c.strong(OF_TRINE[t], p["strength"]) for t in c.own)
        case "joined-trine-strength":
            return any(c.strong(OF_TRINE[t], p["strength"]) for t in c.joined)
    raise AssertionError(f"no arithmetic for {form}")


def judgments(doctrine: Doctrine, reading: str) -> Iterator[tuple[str, str, dict[str, list[str]]]]:
    """The judgments of 六壬經緯 in a reading: name, form, parameters as labels or slugs."""
    store, zh = doctrine.store, doctrine.verbaliser("zh")
    for node in instances(store, "Judgment"):
        if not values(store, node, "pattern") or thing(f"reading:{reading}") not in values(
            store, node, "reading"
        ):
            continue
        p: dict[str, Any] = {}
        for key in ("relation", "kin", "strength"):
            p[key] = [v.value.rpartition("/")[2].rpartition("#")[2] for v in values(store, node, key)]
        for key in ("general", "palace", "season", "sequence"):
            p[key] = [zh.label(v) for v in values(store, node, key) if isinstance(v, NamedNode)]
        p["stage"] = [str(cosmos.number(shorten(v.value))) for v in values(store, node, "stage")]
        series = [v for v in values(store, node, "series") if isinstance(v, NamedNode)]
        p["series"] = [
            zh.label(q) for s in series for q in values(store, s, "sequence") if isinstance(q, NamedNode)
        ]
        (form,) = values(store, node, "form")
        yield shorten(node.value), shorten(form.value).removeprefix("form:"), p


@pytest.mark.parametrize("reading", ["established", "base"])
def test_the_rules_find_what_arithmetic_finds(doctrine: Doctrine, crowd: Crowd, reading: str) -> None:
    table = list(judgments(doctrine, reading))
    too_many, too_few = [], []
    for iri, chart in crowd.charts.items():
        if chart.options["reading"] != reading:
            continue
        read = Reading(chart)
        expected = {name for name, form, p in table if holds(form, p, read)}
        found = {shorten(judgment) for judgment in crowd.exhibits[iri]}
        where = iri.rpartition("/")[2]
        too_many += [(where, name) for name in sorted(found - expected)]
        too_few += [(where, name) for name in sorted(expected - found)]
    assert not too_many
    assert not too_few


def test_hollow_are_the_findings_whose_heading_has_a_void_transmission(crowd: Crowd) -> None:
    """三將或空一二 for the seven bureaus, and for the twelve generals the initial that carries them."""
    bureaus = "懸胎 關隔 稼穡 金局 木局 水局 火局".split()
    generals = "干貴 恐懼 文書 交合 爭訟 喜慶 朝天 災喪 宴會 逃脫 闇昧 干婦".split()
    wrong = []
    for iri, chart in crowd.charts.items():
        read = Reading(chart)
        for hit in crowd.hits[iri]:
            heading = crowd.doctrine.clause(hit.judgment).heading
            expected = (heading in bureaus and any(map(read.empty, read.t))) or (
                heading in generals and read.empty(read.t[0])
            )
            if (hit.judgment.value in crowd.hollow.get(iri, ())) != expected:
                wrong.append((iri, heading))
    assert not wrong


def test_each_form_is_found_among_the_lessons_but_those_of_the_moon(crowd: Crowd) -> None:
    found = {hit.rule.form for hits in crowd.hits.values() for hit in hits}
    of_the_moon = {"form:series-season-phase", "form:series-season-peak-phase"}
    of_caveats = {"form:any-transmission-void", "form:initial-void"}
    assert {f"form:{form}" for form in TWINS} - found == of_the_moon | of_caveats
