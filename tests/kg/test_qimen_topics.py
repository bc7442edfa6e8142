"""Asking a Qimen chart by topic: charts worked by hand, what contradicts what, what could not be asked, the JSON.

The charts of `BOARDS` are laid out in the comments as the board shows them: palace: heaven stems over earth stems, star,
door, spirit. Each case of `WORKED` was worked out from the Chinese clauses and the board alone; what is not listed for
its topic must not be found.
"""

from __future__ import annotations

import csv
import re
from dataclasses import dataclass
from pathlib import Path

import pytest
from pyoxigraph import NamedNode

from kg.chart_json import casting_json
from kg.errors import QueryError
from kg.facts import term, thing
from kg.findings import Casting, Doctrine
from kg.folding import fold
from kg.qimen_chart import QimenChart, cast, natal
from kg.store import value, values
from kg.topics import ask, find_topics, topics

DATA = Path(__file__).parents[1] / "data"
ALSO = NamedNode("http://www.w3.org/2004/02/skos/core#altLabel")

BOARDS: dict[str, dict[str, object]] = {
    # 陰5 癸酉年 辛酉月 辛未日 癸巳時: 旬首庚, 午未空 (2 9). 值符天沖 9, 值使傷門 3; 八門伏吟.
    # 1 丙/壬 柱休白虎  2 己/辛戊 輔死九天  3 壬/庚 蓬傷太陰  4 丁/己 任杜螣蛇
    # 6 辛戊/乙 芮禽開玄武  7 癸/丙 英驚九地  8 乙/丁 心生六合  9 庚/癸 沖景值符
    "A": {"dun": "陰", "ju": 5, "year": "癸酉", "month": "辛酉", "day": "辛未", "hour": "癸巳", "birth": "庚申"},
    # 陰6 庚辰年 丙戌月 乙巳日 辛巳時: 旬首己, 申酉空 (2 7). 值符天禽 3, 值使死門 7.
    # 1 庚/癸 輔開太陰  2 癸/壬己 蓬景玄武  3 壬己/辛 芮禽生值符  4 乙/庚 柱傷九天
    # 6 辛/戊 沖驚六合  7 丙/乙 任死白虎  8 丁/丙 英休螣蛇  9 戊/丁 心杜九地
    "C": {"dun": "陰", "ju": 6, "year": "庚辰", "month": "丙戌", "day": "乙巳", "hour": "辛巳", "birth": "辛酉"},
    # 陽3 乙亥年 戊寅月 丙寅日 丁酉時: 旬首辛, 辰巳空 (4). 值符天心 9, 值使開門 9.
    # 1 己/丙 輔杜勾陳  2 丙/乙庚 蓬休螣蛇  3 乙庚/戊 芮禽死九地  4 壬/己 柱驚九天
    # 6 戊/辛 沖傷六合  7 癸/壬 任生太陰  8 丁/癸 英景朱雀  9 辛/丁 心開值符
    "D": {"dun": "陽", "ju": 3, "year": "乙亥", "month": "戊寅", "day": "丙寅", "hour": "丁酉", "birth": "甲申"},
    # 陽4 辛丑年 庚子月 癸酉日 壬戌時: 旬首癸, 子丑空 (1 8). 值符天英 8, 值使景門 8.
    # 1 戊/丁 輔杜九天  2 丁/丙己 蓬休勾陳  3 丙己/乙 芮禽死螣蛇  4 辛/戊 柱驚太陰
    # 6 乙/庚 沖傷九地  7 壬/辛 任生朱雀  8 癸/壬 英景值符  9 庚/癸 心開六合
    "E": {"dun": "陽", "ju": 4, "year": "辛丑", "month": "庚子", "day": "癸酉", "hour": "壬戌", "birth": "庚午"},
    # 陰9 壬寅年 庚戌月 乙卯日 丁丑時: 旬首己, 申酉空 (2 7). 值符天任 3, 值使生門 2; 八門反吟.
    # 1 辛/乙 心景太陰  2 戊/丙壬 英生玄武  3 己/丁 任驚值符  4 丁/癸 沖開九天
    # 6 庚/辛 柱杜六合  7 丙壬/庚 芮禽傷白虎  8 乙/己 蓬死螣蛇  9 癸/戊 輔休九地
    "G": {"dun": "陰", "ju": 9, "year": "壬寅", "month": "庚戌", "day": "乙卯", "hour": "丁丑", "birth": "甲申"},
    # 陽2 庚戌年 己丑月 甲辰日 乙丑時: 旬首戊, 戌亥空 (6). 值符天芮 1, 值使死門 3.
    # 1 戊辛/乙 芮禽杜值符  2 己/戊辛 沖休朱雀  3 壬/己 心死太陰  4 乙/庚 蓬驚六合
    # 6 丙/壬 英傷九天  7 庚/癸 輔生九地  8 癸/丁 柱景螣蛇  9 丁/丙 任開勾陳
    "H": {"dun": "陽", "ju": 2, "year": "庚戌", "month": "己丑", "day": "甲辰", "hour": "乙丑", "birth": "壬申"},
    # 陰6 乙巳年 乙酉月 庚寅日 丁亥時: 旬首庚, 午未空 (2 9). 值符天輔 9, 值使杜門 1.
    # 1 戊/癸 心杜白虎  2 丁/壬己 英休九天  3 丙/辛 任死太陰  4 辛/庚 沖驚螣蛇
    # 6 乙/戊 柱傷玄武  7 壬己/乙 芮禽生九地  8 癸/丙 蓬景六合  9 庚/丁 輔開值符
    "I": {"dun": "陰", "ju": 6, "year": "乙巳", "month": "乙酉", "day": "庚寅", "hour": "丁亥", "birth": "丁未"},
    # 陽7 己丑年 戊辰月 庚戌日 壬午時: 旬首己, 申酉空 (2 7). 值符天任 2, 值使生門 7; 九星反吟.
    # 1 庚/辛 英杜六合  2 己/壬丙 任休值符  3 戊/癸 柱死朱雀  4 乙/丁 心驚九地
    # 6 丁/乙 輔傷太陰  7 癸/戊 沖生螣蛇  8 壬丙/己 芮禽景勾陳  9 辛/庚 蓬開九天
    "J": {"dun": "陽", "ju": 7, "year": "己丑", "month": "戊辰", "day": "庚戌", "hour": "壬午", "birth": "甲戌"},
}  # fmt: skip

WORKED: list[tuple[str, str, list[str]]] = [
    # 開門 and 辛 are both at 6: one palace is 相比; 6 is not void
    ("A", "占問罪輕重", ["相比者，罪必輕"]),
    # 開門 9, 辛 1: water controls fire, and they face; at 1 辛 over 乙 is 白虎猖狂, a 凶格
    ("H", "占問罪輕重", ["相沖尅及凶格相乘，罪必重"]),
    # 壬 of the heaven plate at 3 is over 辛; 日干乙 is over 庚, 辛 at 6 over 戊, not at 巽 its tomb, not void
    ("C", "占囚禁", ["若天盤壬癸之干下臨地盤甲午辛者，為天網蒙頭，主囚禁"]),
    # 辛 is in its tomb at 巽4, but over 庚 and not over 壬癸: 墓庫及壬癸 asks for both
    ("I", "占囚禁", []),
    # 庚 over 癸 at 1 is 大格; 值符 3 is over 辛, 乙 over 庚, 開門 over 癸; 壬 3 and 螣蛇 8 are not void
    ("C", "占官司", ["若見庚癸大格，縱牽連，不妨"]),
    # 壬 lodges with 丙 at 7, which is void
    ("G", "占官司", ["甲辰壬、螣蛇落空亡之宮者，不牽連"]),
    # 庚 at 9, fire, controls 乙 at 6; not 值符 at 8, not 六合 beside it; its tomb is at 8
    ("E", "占被審責否", ["尅乙奇落宮者，被告受責"]),
    # 庚 at 1, water: 值符 at 2, 乙 at 4, 六合 beside it
    ("J", "占被審責否", []),
    # 景門 at 8 is void; water of the 子 month leaves fire dead and metal resting; 開門 9 neither faces nor controls 8 or 4
    ("E", "占狀詞", ["驚、景二門落空亡者，主平空捏詞，不准"]),
    # 景門 at 9 is void; it has neither marvel nor lucky format, and 9 controls 開門's 6
    ("A", "占狀詞", [
        "驚、景二門不得奇儀吉格，再與開門沖尅者，主官嗔怒，不准；即準，反招罪責",
        "驚、景二門落空亡者，主平空捏詞，不准",
    ]),
    # 乙 at 3, wood, generates 開門 at 9; 值符 is at 9 itself
    ("D", "占官囑託", ["值符落宮生開門宮者，主原告有托，乙奇亦然"]),
    # 乙's 3 and 開門's 9 generate one another; 值符 with 開門; 六合 6
    ("D", "占審官司得理否", ["相生者，得理"]),
    # 開門's 9 generates 值符's 2, 乙's 4 generates 9; the stars are reversed
    ("J", "占審官司得理否", ["開門落宮生值符者，官向原告", "相生者，得理", "相生者，得理", "反吟，須換官審"]),
    # 值符 天心 is metal, the star at home in 9 天英, fire
    ("D", "占詞訟", ["地盤星尅天盤星，被告勝"]),
    # 天任 and 天芮 are both earth
    ("J", "占詞訟", []),
    # 天芮 at 6, metal: what controls metal tells the day
    ("A", "占病愈", ["尅天芮落宮之干支者為愈期"]),
    # 天心 and 乙 at 8 with 生門: marvel and lucky door; 天芮 at 6
    ("A", "占請醫", ["所落之宮乘奇門吉格為良醫"]),
    # 乙 at 4 is of its palace's element (相) and has no lucky door or format: 時醫; by the month both are weak: 庸醫
    ("C", "占請醫", ["二神乘旺相之宮。不逢奇門吉格為時醫", "不得旺相氣及奇門吉格為庸醫"]),
    # 天芮 at 3 with 死門; 丙 is 相 in the month of 寅 and not in its tomb; 年命庚 is with 天芮, so that it cannot strike it
    ("D", "占病吉凶", ["得死門者，死", "落震、巽二宮，病神受尅，主不藥而癒"]),
    # 天芮 at 6; 辛 is in command in the month of 酉; 年命庚 at 9 is not struck from 6
    ("A", "占病吉凶", ["又看天芮落乾、兌二宮為旺，不能治"]),
    # 時干癸 at 7: 相 in the month of 酉; 7 does not generate 日干辛's 6; not void, tomb 2, end 9
    ("A", "占失物", ["兌為金銀、首飾、有口對衿之物", "又為羊雞、飛禽", "看其有氣，便為活生之物"]),
    # 時干丁 at 4: resting in the month of 戌; the doors are reversed
    ("G", "占失物", [
        "反吟者，亦得",
        "巽為絲紬、緞布細軟之物",
        "又為彩色細長成隊之物",
        "看其有氣，便為活生之物，無氣即為死囚廢舊之物",
    ]),
    # 天蓬 and 玄武 are both at 2, an inner palace of 陰遁; earth of the month controls their water; 癸 and 景門 are no help
    ("C", "占何人盜", ["不乘旺相氣，不得奇門吉格者，乃是小人為盜", "坤為老婦", "在內為親近之人"]),
    # 白虎 at 7, the thieves at 2: earth generates metal; 庚 at 1 is over 癸, the stem of no pillar; 杜門 at 9 has no 庚
    ("C", "占捕盜賊", [
        "杜門為捕獲之方",
        "蓬、元宮生勾陳宮者，捕人受賄，縱之不捕",
        "不格不獲",
        "杜門有格必獲，否亦不獲",
    ]),
    # 開門 at 1 under 庚 over 癸; no marvel there
    ("C", "開挖水道", ["倘值太白凶格及甲辰壬者，後必有大害"]),
    # 開門 at 6, in command, but with no marvel, no 庚, no 壬, at home
    ("A", "開挖水道", []),
    # 休門 at 2 with 丙 over 乙庚: no 庚 of the heaven plate, and 壬 is at 4; water rests in the month of 寅
    ("D", "占河水消漲", ["休門落於二五八宮，水被土尅，主立消或無水", "休門不乘庚格與甲辰壬者，水雖旺發，亦不出岸"]),
    # 天乙, 天芮 at 8, does not generate 值符 at 2; 時干壬's 8 controls 日干庚's 1; 天任 and 天芮 are one earth
    ("J", "占請客", ["反此不來"]),
    # nothing generates and nothing is reversed: 天英 8 and 值符 9; 丁 8 and 丙 2; 天心 and 天英
    ("D", "占請客", []),
    # 值符 9 generates 2, where 日干丙 is; 年命庚 is at 3, 天柱 at 4
    ("D", "占選妃", ["室女年命日干為值符所生者，主差官看中，必選"]),
    # 歲干乙's 3 controls 日干丙's 2 but not 天柱's 4: 尅年命、天柱宮 asks for both; 戊 at 6
    ("D", "占選後如何", []),
    # 歲干庚's 1 generates 日干乙's 4, a marvel itself; 年命辛 at 6 is not generated, not at odds, and 休門 with 丁 at 8
    # generates it
    ("C", "朝覲引見", [
        "年命日干得歲干來生，再有三奇相扶者，大吉",
        "如歲干不生年命日干之落宮，亦不相尅制，而休門得奇來生年命日干之落宮者，亦吉",
    ]),
    # 死門 at 7, void, with 丙; 死門 earth generates 天柱; 天任 is of the month's element; 丙 over the day stem 乙 is 悖
    ("C", "占墳墓", [
        "死門落宮乘三奇而與地盤之星相生、相合、不相尅制者，主死者安",
        "死門落空亡者，主無地氣，家敗人亡",
        "吉星吉干生旺者，吉",
        "凶神、凶格、凶干尅制者，凶",
    ]),
    # the directions of 傷門, 天沖 and 死門; 玄武 at 6 (馬以乾、兌宮); 天蓬 at 3
    ("A", "占走失六畜", [
        "驢、騾、車、船以傷門、天沖主之，牛、羊以死門主之。看落天盤何宮？即往何方尋之",
        "牛、羊以死門主之。看落天盤何宮？即往何方尋之",
        "如乘元武為人盜去",
    ]),
    # 歲干庚's 1 generates 乙's 4; 開門, 相 in the month of 戌, generates 4 from 1; 乙 is a marvel beside 傷門
    ("C", "占文武升遷", [
        "太歲來生年命日干者，必係天子特旨",
        "開門再得旺相相生，升之必速",
        "得奇不得門，只加銜不升",
    ]),
    # 歲干庚's 1 controls 杜門's 9; 開門 with 太陰 at 1, its water 旺 for metal, and it generates 乙's 4
    ("C", "占降調", [
        "太歲來尅，天子不喜",
        "太陰罷職",
        "若開杜二門乘旺相相生之宮，或得三奇吉格，雖參不妨",
    ]),
    # 開門's 1 generates 乙's 4, but 庚 and 太陰 bring no marvel and no lucky format
    ("C", "占求官", ["不得三奇吉門、吉格者，得官必遲誤"]),
    # 開門 at 1, outer in 陰遁, over 癸, with 太陰
    ("C", "占出任何方", ["落於外四宮，必遠", "癸北狄", "子齊", "太陰主姦淫"]),
    # 丁 at 8 with 休門, its tomb; 8 generates 年命辛's 6; 天輔's 1 generates 乙's 4, which has no lucky door
    ("C", "占童生應試", [
        "丁奇得門來生年命日干，合吉門、吉格而得天輔來生者，必高取",
        "或年命日干、丁奇合吉門、吉格，不得天輔來生者，亦取",
        "丁奇、年命日干不得吉門、吉格，而被天輔來生者，主文憲施恩，不在文章好歹，亦取",
        "若返吟、伏吟、入庫，主錄舊文，不取",
    ]),
    # 乙 at 4 is a marvel without a lucky door; 天輔's 1 controls neither 8, 4 nor 6 and matches none
    ("C", "占歲考第", ["得門不得奇，得奇不得門，或與天輔比和者，三等"]),
    # 景門 and 丁 at 8 with 朱雀; 丁 over 癸 is 朱雀投江, and 艮 the tomb of 丁; 日干丙 at 2, where the horse of 寅 is
    ("D", "占科舉", [
        "不生不薦",
        "乘凶格者，文章差池",
        "空亡、入墓，必犯格式",
        "乘元武必錯訛字跡，不中",
        "場後見天驛二馬及太沖者，不中，更不必候榜",
    ]),
    # 歲干庚's 1 generates neither 2 nor 8; 丁 is in its tomb at 8; 2 and 8 control 1 and have 玄武 and 螣蛇
    ("C", "占殿試", [
        "歲干不生景門、丁奇之宮，又返吟、入墓者，不中",
        "或尅歲干之宮，又有凶神相併，不惟不中，且遭罪戾",
    ]),
    # 庚 at 1, not with 乙 or 辛; 天沖's 6 generates neither; 景門 at 2 has no marvel and no format
    ("C", "占武科舉", ["庚落幾宮，計中幾矢", "反此不中"]),
]  # fmt: skip

LIFE = ("D", [
    # 日干丙 is 相 in the month of 寅, 乙 in command; each is a marvel. 庚 over 戊, the stem of the month, at 3.
    "旺相得奇，且富且貴",
    "旺相得奇，且富且貴",
    "如若臨兄弟宮位，手足竟是讎敵",
    # 生門 at 7 faces 庚 at 3; 生門 7 and 日干 2 are outer palaces of 陽遁
    "生門、太白逢沖陷，背祖離鄉之客",
    "身生俱在外宮，遠方創立之人",
])  # fmt: skip
"""占人生貴賤, its second and third passages, on a chart taken for that of a birth."""


def asked(doctrine: Doctrine, board: str, topic: str, **given: str) -> Casting[QimenChart]:
    """What is found under a topic in one of the boards, by the schools given."""
    return ask(doctrine, cast(given, **BOARDS[board]), find_topics(doctrine, topic))  # type: ignore[arg-type]


def quotes(casting: Casting[QimenChart]) -> list[str]:
    return sorted(finding.clause.quote for finding in casting.findings)


# Worked by hand


@pytest.mark.parametrize(("board", "topic", "expected"), WORKED, ids=[f"{t}-{b}" for b, t, _ in WORKED])
def test_a_chart_worked_by_hand(doctrine: Doctrine, board: str, topic: str, expected: list[str]) -> None:
    casting = asked(doctrine, board, topic)
    assert quotes(casting) == sorted(expected)
    assert {finding.clause.heading for finding in casting.findings} <= {topic}


def test_every_topic_but_the_tables_is_worked_by_hand(doctrine: Doctrine) -> None:
    worked = {topic for _, topic, _ in WORKED} | {"占人生貴賤"}
    tables = {"占何病症", "占布種五穀"}  # thirty-eight parts of the body by palace; six crops by one pattern
    assert {topic.names["zh"] for topic in topics(doctrine)} == worked | tables


def test_a_life_worked_by_hand(doctrine: Doctrine) -> None:
    board, expected = LIFE
    casting = doctrine.cast(cast(**BOARDS[board]), find_topics(doctrine, "占人生貴賤"))  # type: ignore[arg-type]
    found = [f.clause.quote for f in casting.findings if re.search("貴賤·[23]$", f.clause.locator)]
    assert sorted(found) == sorted(expected)


def test_illness_by_palace_speaks_of_one_palace(doctrine: Doctrine) -> None:
    """占何病症: 天芮 is at 6, and all that is said is said of 乾."""
    found = asked(doctrine, "A", "占何病症").findings
    assert [f.clause.quote for f in found] == [
        "落乾為腿足，亦為頭",
        "在內為大腸",
        "內病則為膀胱、便閉、壅結",
        "外則腿足筋骨疼痛，又為瘡",
    ]


def test_a_crop_by_its_door_and_another_by_its_star(doctrine: Doctrine) -> None:
    """占布種五穀, month of 酉: 開門 in command without marvel or lucky format, 天心 相 with 乙 and 生門, yet entombed."""
    found = {f.clause.iri.rpartition("/")[2] for f in asked(doctrine, "A", "占布種五穀").findings}
    assert {name for name in found if "wheat-" in name and "buckwheat" not in name} == {
        "wugu-wheat-sow",
        "wugu-wheat-rich",
        "wugu-wheat-thin",
    }


# Asking


def test_a_topic_has_four_names(doctrine: Doctrine) -> None:
    assert len(topics(doctrine)) == 34
    for topic in topics(doctrine):
        for name in (topic.slug, topic.node.value, *topic.names.values()):
            assert find_topics(doctrine, name) == [topic.node]
    assert find_topics(doctrine, "all") == [topic.node for topic in topics(doctrine)]


def test_a_topic_is_found_by_everyday_names(doctrine: Doctrine) -> None:
    """분실물 was once refused, and whatever else the book itself does not say."""
    asked_for = {
        "분실물": "shiwu",
        "잃어버린물건": "shiwu",
        "LOST PROPERTY": "shiwu",
        "소송": "cisong",
        "lawsuit": "cisong",
        "질병": "bingjixiong",
        "illness": "bingjixiong",
        "占请医": "qingyi",  # in the characters of today
        "promotion": "shengqian",
        "과거 시험": "keju",
        "사주": "rensheng",
    }
    for name, slug in asked_for.items():
        assert [node.value.rpartition("/")[2] for node in find_topics(doctrine, name)] == [slug]


def test_every_topic_has_everyday_names_and_none_is_ambiguous(doctrine: Doctrine) -> None:
    called: dict[str, set[str]] = {}
    for topic in topics(doctrine):
        also = doctrine.store.quads_for_pattern(topic.node, ALSO, None)
        assert {q.object.language for q in also} == {"zh-hant", "ko", "en"}, topic.slug  # type: ignore[union-attr]
        for name in topic.called:
            called.setdefault("".join(fold(name).split()), set()).add(topic.slug)
    assert {name: slugs for name, slugs in called.items() if len(slugs) > 1 or name == "all"} == {}


def test_a_name_that_comes_near_none_is_answered_with_all(doctrine: Doctrine) -> None:
    """In the language in which it was asked."""
    for text, language in (("없는것", "ko"), ("qqq", "en"), ("㐀", "zh")):
        with pytest.raises(QueryError) as refused:
            find_topics(doctrine, text)
        assert all(topic.names[language] in str(refused.value) for topic in topics(doctrine))
        assert str(refused.value).endswith(", or all")


def test_a_wrong_name_is_answered_with_names_that_come_near(doctrine: Doctrine) -> None:
    with pytest.raises(QueryError, match="no topic is called '占失'; did you mean 占失物"):
        find_topics(doctrine, "占失")


def test_one_topic_finds_what_all_find_of_it(doctrine: Doctrine) -> None:
    for board in BOARDS:
        chart = cast(**BOARDS[board])  # type: ignore[arg-type]
        whole = {f.iri for f in doctrine.cast(chart).findings}
        apart = {f.iri for t in topics(doctrine) for f in doctrine.cast(chart, [t.node]).findings}
        assert whole == apart
        some = [topics(doctrine)[0].node, topics(doctrine)[12].node]
        assert {f.iri for f in doctrine.cast(chart, some).findings} == {
            f.iri for t in some for f in doctrine.cast(chart, [t]).findings
        }


def test_no_topic_asks_nothing(doctrine: Doctrine) -> None:
    assert doctrine.cast(cast(**BOARDS["A"]), []).findings == ()  # type: ignore[arg-type]


def test_findings_of_all_topics_follow_the_book(doctrine: Doctrine) -> None:
    order = [topic.names["zh"] for topic in topics(doctrine)]
    headings = [f.clause.heading for f in asked(doctrine, "C", "all").findings]
    assert [order.index(h) for h in headings] == sorted(order.index(h) for h in headings)


def test_the_store_is_left_as_it_was(doctrine: Doctrine) -> None:
    before = len(doctrine.store)
    asked(doctrine, "C", "all")
    assert len(doctrine.store) == before


# What contradicts what


@dataclass
class Pair:
    board: str
    topic: str
    one: str
    other: str


def test_findings_that_say_the_contrary_are_marked_both_ways(doctrine: Doctrine) -> None:
    """占童生應試 C: 必高取, and by its tomb 不取."""
    found = {f.clause.iri.rpartition("/")[2]: f for f in asked(doctrine, "C", "占童生應試").findings}
    high, copied = found["tongsheng-high"], found["tongsheng-copied-tomb"]
    assert high.contradicts == (copied.iri,)
    assert high.iri in copied.contradicts
    assert high.overridden_by == (copied.iri,)
    assert high.iri in copied.overrides
    assert found["tongsheng-passed-by-grace"].clause.precedence == "亦"


def test_what_overrides_need_not_contradict(doctrine: Doctrine) -> None:
    """占降調 C: 雖參不妨 sets 太歲來尅 aside? No: of the emperor it says nothing, only of 上司 and 部臣."""
    found = {f.clause.iri.rpartition("/")[2]: f for f in asked(doctrine, "C", "占降調").findings}
    aided = found["jiangdiao-no-harm-strong"]
    assert aided.clause.precedence == "雖"
    assert aided.overrides == aided.contradicts == ()
    assert found["jiangdiao-sovereign"].overridden_by == ()


def marked(doctrine: Doctrine) -> set[frozenset[str]]:
    pairs = doctrine.store.quads_for_pattern(None, term("contradicts"), None)
    return {frozenset(node.value.rpartition("/")[2] for node in (q.subject, q.object)) for q in pairs}  # type: ignore[union-attr]


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("wenzui-heavy", "wenzui-light"),  # 坤 and 艮 are both of earth and face one another
        ("qiujin-empty-prison", "qiujin-net-over-head"),
        ("deli-no-hearing", "deli-other-judge"),  # 不審, 須換官審
        ("qingyi-mediocre", "qingyi-excellent"),  # 庸醫, 良醫: 天心 and 乙 both stand for the physician
        ("bingjixiong-entombed", "bingjixiong-life-door"),
        ("herendao-stranger", "herendao-near"),
        ("budao-bribed", "budao-block-format"),
        ("budao-afraid", "budao-today"),  # 不敢獲, 日格日獲
        ("shuidao-geng-harm", "shuidao-profitable"),
        ("wugu-rice-fails", "wugu-rice-sow"),  # 不必種
        ("wugu-rice-thin", "wugu-rice-rich"),
        ("xuanhou-unseen", "xuanhou-consort"),
        ("chaojin-unfavourable", "chaojin-auspicious"),
        ("fenmu-unlucky", "fenmu-both-rest"),
        ("shengqian-marvel-only", "shengqian-promoted"),
        ("suikao-third-match", "suikao-first"),
        ("suikao-lowest", "suikao-fourth"),
        ("keju-entombed", "keju-high"),
        ("dianshi-guilty", "dianshi-first"),
        ("dianshi-third", "dianshi-second"),
        ("wuju-misses", "wuju-hits"),
        ("wuju-sides", "wuju-bullseye"),
        ("rensheng-beggar", "rensheng-rich-self"),
        ("rensheng-out-of-form", "rensheng-rich-self"),  # 下等平人, 且富且貴
    ],
)
def test_a_clause_that_denies_another_says_so(doctrine: Doctrine, one: str, other: str) -> None:
    """Once only some of these were marked, and the rest stood side by side as if they agreed."""
    assert frozenset((one, other)) in marked(doctrine)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("bingjixiong-old-void", "bingjixiong-new-void"),  # 久病, 新病: two cases
        ("heshui-dragon", "heshui-within-banks"),  # harm, but no flood
        ("zhuangci-confused", "zhuangci-earnest"),
        ("fenmu-no-breath", "fenmu-dead-rest"),  # the living, the dead
        ("qiuguan-late", "qiuguan-soon"),  # with and without: never together
        ("keju-not-recommended", "keju-recommended"),
        ("qingke-stays-away", "qingke-comes"),
    ],
)
def test_what_is_no_denial_or_never_together_is_not_marked(doctrine: Doctrine, one: str, other: str) -> None:
    """All these were marked once."""
    assert frozenset((one, other)) not in marked(doctrine)


def test_whatever_is_marked_can_hold_in_one_chart(doctrine: Doctrine) -> None:
    """The charts of `contradicting.csv` show every pair: most under the schools of the treatise, some under others."""
    shown: set[frozenset[str]] = set()
    with (DATA / "contradicting.csv").open(encoding="utf-8", newline="") as lines:
        for row in csv.DictReader(lines):
            schools = dict(word.split("=") for word in row["schools"].split())
            chart = cast(schools, instant=row["instant"], tz="+08:00", birth=row["birth"])
            for finding in ask(doctrine, chart, find_topics(doctrine, "all")).findings:
                name = finding.iri.rpartition("/")[2]
                shown |= {frozenset((name, other.rpartition("/")[2])) for other in finding.contradicts}
    assert shown == marked(doctrine)


@pytest.mark.parametrize(
    ("one", "other"),
    [("zhutuo-refused", "zhutuo-plaintiff"), ("jiangdiao-tomb", "jiangdiao-civil")],
)
def test_what_grants_another_clause_does_not_set_it_aside(doctrine: Doctrine, one: str, other: str) -> None:
    """縱囑託，官必不准: a word was put in; 不惟降調: demoted he is."""
    assert value(doctrine.store, thing(f"judgment:{one}"), "precedence") in ("縱", "不惟")
    assert thing(f"judgment:{other}") not in values(doctrine.store, thing(f"judgment:{one}"), "overrides")


@pytest.mark.parametrize("when", ["block-format", "this-year", "this-month", "today", "this-hour"])
def test_the_formats_of_geng_decide_whether_a_thief_is_caught(doctrine: Doctrine, when: str) -> None:
    """總以庚格主之 (占捕盜賊)."""
    aside = values(doctrine.store, thing(f"judgment:budao-{when}"), "overrides")
    assert {thing("judgment:budao-afraid"), thing("judgment:budao-bribed")} <= set(aside)
    for none in ("no-format", "block-none"):
        aside = values(doctrine.store, thing(f"judgment:budao-{none}"), "overrides")
        assert aside == [thing("judgment:budao-caught")]


def test_what_is_not_found_contradicts_nothing(doctrine: Doctrine) -> None:
    (finding,) = asked(doctrine, "H", "占問罪輕重").findings
    assert finding.overridden_by == ()


def test_every_precedence_word_stands_in_its_clause(doctrine: Doctrine) -> None:
    words = set()
    for quad in doctrine.store.quads_for_pattern(None, None, None):
        if quad.predicate.value.endswith("#precedence"):
            assert quad.object.value in value(doctrine.store, quad.subject, "quote")  # type: ignore[arg-type, union-attr]
            words.add(quad.object.value)  # type: ignore[union-attr]
    assert words == {"雖", "亦", "縱", "不惟", "不論", "即"}


# What could not be asked


def omitted(casting: Casting[QimenChart]) -> dict[tuple[str, bool], int]:
    return {(o.input.rpartition("#")[2], o.partly): o.judgments for o in casting.omitted}


def without(board: str, *names: str) -> QimenChart:
    return cast(**{k: v for k, v in BOARDS[board].items() if k not in names})  # type: ignore[arg-type]


def test_without_a_birth_the_day_stem_is_asked_alone(doctrine: Doctrine) -> None:
    topic = find_topics(doctrine, "占選妃")
    casting = ask(doctrine, without("D", "birth"), topic)
    assert omitted(casting) == {("needsBirth", True): 2}
    assert quotes(casting) == ["室女年命日干為值符所生者，主差官看中，必選"]
    assert omitted(ask(doctrine, cast({"person": "day"}, **BOARDS["D"]), topic)) == {}  # type: ignore[arg-type]


def test_what_needs_the_birth_alone_is_withheld(doctrine: Doctrine) -> None:
    """占病吉凶: 沖尅年命 needs the year of birth, 生日八字中之日干 the day, for which the chart's own stands in."""
    topic = find_topics(doctrine, "占病吉凶")
    assert omitted(ask(doctrine, without("D", "birth"), topic)) == {
        ("needsBirth", False): 1,
        ("needsNatal", True): 3,
    }
    assert omitted(ask(doctrine, cast(**BOARDS["D"]), topic)) == {("needsNatal", True): 4}  # type: ignore[arg-type]


def test_by_the_year_of_birth_alone_nothing_is_asked_without_one(doctrine: Doctrine) -> None:
    chart = cast({"person": "life"}, **{k: v for k, v in BOARDS["D"].items() if k != "birth"})  # type: ignore[arg-type]
    casting = ask(doctrine, chart, find_topics(doctrine, "占求官"))
    assert casting.findings == ()
    assert omitted(casting) == {("needsBirth", False): 3}


def test_without_the_month_no_strength_is_asked(doctrine: Doctrine) -> None:
    topic = find_topics(doctrine, "開挖水道")
    assert omitted(ask(doctrine, without("C", "month"), topic)) == {
        ("needsMonth", False): 1,
        ("needsMonth", True): 1,
    }
    by_palace = cast({"strength": "palace"}, **{k: v for k, v in BOARDS["C"].items() if k != "month"})  # type: ignore[arg-type]
    assert omitted(ask(doctrine, by_palace, topic)) == {("needsMonth", True): 1}


def test_what_may_be_formed_by_a_pillar_that_is_not_known_is_not_denied(doctrine: Doctrine) -> None:
    """不格不獲 and 否亦不獲 are not said where the year that could form 年格 is not known."""
    topic = find_topics(doctrine, "占捕盜賊")
    said = {"不格不獲", "杜門有格必獲，否亦不獲"}
    assert said <= set(quotes(ask(doctrine, without("C"), topic)))
    assert not said & set(quotes(ask(doctrine, without("C", "year"), topic)))


def test_omissions_are_said_in_three_languages(doctrine: Doctrine) -> None:
    casting = ask(doctrine, without("D", "birth"), find_topics(doctrine, "占病吉凶"))
    said = {
        lang: [o["sentence"] for o in casting_json(casting, lang)["omitted"]] for lang in ("zh", "ko", "en")
    }
    assert said["zh"][0] == "占病吉凶有1條須知年命，未問：可給--birth"
    assert said["ko"][0] == "占病吉凶의 1조는 연명이 있어야 하여 묻지 못했다. --birth를 준다"
    assert said["en"][0] == "Of 占病吉凶, 1 could not be asked without the querent's birth: give --birth"


# A whole life


def test_a_life_is_judged_on_the_chart_of_the_birth(doctrine: Doctrine) -> None:
    chart = cast(instant="2026-02-18T22:59", tz="Asia/Shanghai", birth="1980-05-05T10:00+08:00")
    born = natal(chart)
    assert born is not None
    assert born.pillars == {"year": "庚申", "month": "庚辰", "day": "戊寅", "hour": "丁巳"}
    casting = ask(doctrine, chart, find_topics(doctrine, "占人生貴賤"))
    assert casting.natal is not None
    assert casting.findings == casting.natal.findings != ()
    assert {f.hit.chart.value for f in casting.findings} == {born.iri} != {chart.iri}
    notes = {language: casting_json(casting, language)["notes"] for language in ("zh", "ko", "en")}
    assert notes["zh"] == [
        "占人生貴賤以生時之盤論，不用占時：其局、九星、八門、格、年月日時四柱及年命皆取自1980-05-05T10:00:00+08:00"
        "（陽遁八局 庚申年庚辰月戊寅日丁巳時）"
    ]
    assert "1980-05-05T10:00:00+08:00" in notes["ko"][0]
    assert "1980-05-05T10:00:00+08:00" in notes["en"][0]
    assert casting.omitted == ()


def test_without_the_instant_of_birth_a_life_is_not_judged(doctrine: Doctrine) -> None:
    for birth in ("庚申", "1980", None):
        chart = cast(instant="2026-02-18T22:59", tz="Asia/Shanghai", birth=birth)
        casting = ask(doctrine, chart, find_topics(doctrine, "占人生貴賤"))
        assert casting.findings == ()
        assert casting.natal is None
        assert omitted(casting) == {("needsNatal", False): 107}


def test_of_all_topics_the_others_are_of_the_chart_itself(doctrine: Doctrine) -> None:
    chart = cast(instant="2026-02-18T22:59", tz="Asia/Shanghai", birth="1980-05-05T10:00+08:00")
    casting = ask(doctrine, chart, find_topics(doctrine, "all"))
    by_chart = {(f.hit.chart.value == chart.iri, f.clause.heading == "占人生貴賤") for f in casting.findings}
    assert by_chart == {(True, False), (False, True)}
    for finding in casting.findings:
        assert casting.because(finding, "zh")


# The reasons


def test_reasons_name_roles_signs_and_palaces(doctrine: Doctrine) -> None:
    casting = asked(doctrine, "E", "占被審責否")
    (finding,) = casting.findings
    assert casting.because(finding, "zh") == ["官刑庚金落離九宮", "被告乙木落乾六宮", "庚宮克乙宮"]
    assert casting.because(finding, "ko") == [
        "형벌 경금(庚金)이 리9궁(離九宮)에 든다",
        "피고 을목(乙木)이 건6궁(乾六宮)에 든다",
        "경의 궁이 을의 궁을 극한다",
    ]
    assert casting.because(finding, "en") == [
        "Geng 庚 (metal) (the penalty) falls in Li 9 離九宮",
        "Yi 乙 (wood) (defendant) falls in Qian 6 乾六宮",
        "The palace of Geng controls the palace of Yi",
    ]


def test_reasons_say_which_sign_played_the_part_and_what_helped_it(doctrine: Doctrine) -> None:
    casting = asked(doctrine, "A", "占請醫")
    (finding,) = casting.findings
    assert casting.because(finding, "zh") == ["醫者天心落艮八宮", "天心宮得奇門吉格", "天心宮有交泰"]
    casting = asked(doctrine, "D", "占科舉")
    (blotted,) = [f for f in casting.findings if f.clause.quote.startswith("乘元武")]
    assert casting.because(blotted, "zh") == ["文章景門落艮八宮", "元武之位朱雀落景門宮"]


def test_reasons_tell_a_relation_by_the_school_that_reads_it(doctrine: Doctrine) -> None:
    casting = asked(doctrine, "H", "占問罪輕重")
    either = ["問官開門落離九宮", "罪人辛金落坎一宮", "開門宮受辛宮克", "辛宮得凶格", "辛宮有白虎猖狂"]
    assert casting.because(casting.findings[0], "zh") == either
    casting = asked(doctrine, "H", "占問罪輕重", clash="both")
    assert casting.because(casting.findings[0], "zh")[2] == "開門宮受辛宮沖且尅"


def test_no_reason_speaks_in_internal_names(doctrine: Doctrine) -> None:
    for board in BOARDS:
        casting = doctrine.cast(cast(**BOARDS[board]))  # type: ignore[arg-type]
        for finding in casting.findings:
            zh, ko, en = (casting.because(finding, language) for language in ("zh", "ko", "en"))
            assert zh, finding.iri
            assert len(zh) == len(ko) == len(en)
            for sentence in zh:
                assert not re.search(r"[A-Za-z{}:]", sentence), sentence
            for sentence in ko:
                assert re.search("다$", sentence), sentence
                assert not re.search(r"[A-Za-z{}:]", sentence), sentence
            for sentence in en:
                assert not re.search(r"[{}]|shi:|sign:|condition:", sentence), sentence
                assert sentence[0].isupper(), sentence


# What else is said of a finding


def test_a_clause_of_the_centre_says_what_its_letter_needs(doctrine: Doctrine) -> None:
    """落離宮、中五: 天芮 in its own palace 2 hosts 5; on a flying plate it flies to 5 itself."""
    turning = cast(dun="陽", ju=1, hour="甲子", day="甲子", month="丙寅", year="甲子", birth="庚申")
    (lingering,) = [
        f
        for f in ask(doctrine, turning, find_topics(doctrine, "占病吉凶")).findings
        if f.clause.quote.startswith("落離宮、中五")
    ]
    assert lingering.clause.flying
    casting = ask(doctrine, turning, find_topics(doctrine, "占病吉凶"))
    assert casting.remarks(lingering, "zh") == ["此條言中五：轉盤以所寄之宮論，星門入中五惟飛盤有之"]
    assert casting.remarks(lingering, "ko")
    assert casting.remarks(lingering, "en")


def test_on_a_flying_plate_a_star_can_be_in_the_centre(doctrine: Doctrine) -> None:
    """天禽位鎮中宮: 伏吟 on a flying plate leaves it at 5; there is no door, so that 得奇門 cannot be."""
    words = {"dun": "陽", "ju": 1, "hour": "甲子", "day": "甲子", "month": "丙寅", "year": "甲子"}
    chart = cast({"plate": "flying"}, **words)  # type: ignore[arg-type]
    seats = {f.clause.quote for f in ask(doctrine, chart, find_topics(doctrine, "占病愈")).findings}
    assert seats == {"尅天芮落宮之干支者為愈期。如甲乙木尅戊己土之類"}  # 天芮 at 2


def test_what_a_clause_presupposes_is_said(doctrine: Doctrine) -> None:
    """新病落空亡者，生；久病落空亡者，死: no chart knows which illness it is, so both are found and say so."""
    chart = cast(dun="陽", ju=1, hour="丁卯", day="甲子", month="丙寅", year="甲子", birth="庚申")
    assert chart.plate.marks.void_palaces == (6,)
    boards = [cast(dun="陰", ju=5, hour="癸巳", day="辛未", month="辛酉", year="癸酉")]
    for board in boards:
        assert board.plate.stars[6] == (2, 5)
    chart = cast(dun="陰", ju=9, hour="丁丑", day="乙卯", month="庚戌", year="壬寅", birth="甲申")
    assert chart.plate.stars[7] == (2, 5)  # 天芮 at 7, void
    casting = ask(doctrine, chart, find_topics(doctrine, "占病吉凶"))
    provisos = {
        f.clause.quote: (f.clause.proviso, casting.remarks(f, "zh"))
        for f in casting.findings
        if f.clause.proviso
    }
    assert provisos == {
        "新病落空亡者，生": ("新病", ["此條以「新病」為題設，盤所不見"]),
        "久病落空亡者，死": ("久病", ["此條以「久病」為題設，盤所不見"]),
    }


# The JSON

FINDING = {
    "iri", "judgment", "heading", "name", "quote", "text", "passage", "locator", "hollow", "hollowed_by", "because",
    "facets", "readings", "contradicts", "overrides", "overridden_by", "precedence", "proviso", "flying", "remarks", "chart",
}  # fmt: skip


def test_the_json_keeps_its_contract(doctrine: Doctrine) -> None:
    chart = cast(instant="2026-02-18T22:59", tz="Asia/Shanghai", given=None, birth="1980")
    written = casting_json(ask(doctrine, chart, find_topics(doctrine, "all")))
    assert set(written) == {"chart", "findings", "omitted", "natal", "notes"}
    assert written["natal"] is None
    assert written["notes"] == []
    iris = [finding["iri"] for finding in written["findings"]]
    assert len(set(iris)) == len(iris)
    for finding in written["findings"]:
        assert set(finding) == FINDING
        assert set(finding["text"]) == {"lzh", "en", "ko"}
        assert all(finding["text"].values())
        assert finding["iri"].startswith(chart.iri + "/finding/")
        assert finding["chart"] == chart.iri
        for other in (*finding["contradicts"], *finding["overrides"], *finding["overridden_by"]):
            assert other in iris
        assert finding["iri"] not in finding["contradicts"]
    for omission in written["omitted"]:
        assert set(omission) == {"heading", "judgments", "needs", "how", "partly", "sentence"}
    by_iri = {finding["iri"]: finding for finding in written["findings"]}
    for finding in written["findings"]:
        assert all(finding["iri"] in by_iri[other]["contradicts"] for other in finding["contradicts"])
        assert all(finding["iri"] in by_iri[other]["overridden_by"] for other in finding["overrides"])
