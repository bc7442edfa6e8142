"""Findings: charts worked by hand from 六壬經緯 卷三, and what holds of the findings of all 720 lessons.

Each case says how its lessons and transmissions come about, so that a reader can check it without the engine.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from itertools import product
from typing import TYPE_CHECKING

import pytest
from pyoxigraph import NamedNode

from kg.cosmos import BRANCHES
from kg.explain import LANGUAGES
from kg.facts import TYPE, facts, quads, term
from kg.findings import Casting, Doctrine, Finding
from kg.liuren import SHEHAI
from kg.liuren import cast as plate
from kg.liuren_chart import cast_pillars

if TYPE_CHECKING:
    from tests.conftest import Crowd

Cast = Callable[..., Casting]


@dataclass(frozen=True)
class Case:
    """A finding expected in a chart: its name, its quote, and why it holds, in three languages."""

    heading: str
    name: str | None
    quote: str
    zh: list[str]
    ko: list[str]
    en: list[str]
    hollow: bool = False
    words: dict[str, str] = field(default_factory=dict)


def pillars(text: str, **options: str) -> dict[str, str]:
    """`"甲戌 午 酉 辰 寅"`: day, hour, month general, month, year."""
    return dict(zip(("day", "hour", "general", "month", "year"), text.split(), strict=False)) | options


def found(casting: Casting, heading: str, quote: str) -> Finding:
    """The one finding of a heading with a quote."""
    matching = [f for f in casting.findings if f.clause.heading == heading and f.clause.quote == quote]
    assert len(matching) == 1, [(f.clause.heading, f.clause.quote) for f in casting.findings]
    return matching[0]


WORKED = {
    # Offset 3. 甲 lodges in 寅: 巳, 申; over 戌 丑, 辰. 巳 beats 申, and no other lower its upper: 申亥寅.
    # The decade of 甲戌 leaves out 申 and 酉: the initial is void.
    "懸胎 in spring": Case(
        "懸胎",
        "玄胎",
        "順懸胎：春玄胎者生意已萌於中",
        ["三傳申亥寅", "時值春"],
        ["삼전은 신해인(申亥寅)이다", "때는 봄(春)이다"],
        ["The three transmissions are Shen Hai Yin 申亥寅", "The season is spring 春"],
        True,
        pillars("甲戌 午 酉 辰 寅"),
    ),
    # 2024-09-03 is the first of the eighth month (朔) and a 庚午 day, 處暑 past: general 巳, month 申,
    # autumn. Offset 3. 庚 lodges in 申: 亥, 寅; over 午 酉, 子. 午 beats 酉: 酉子卯.
    "三光不仁": Case(
        "關隔",
        "三光不仁",
        "秋占四平日，逢弦望晦朔名曰三光不仁",
        ["三傳酉子卯", "日逢朔", "日支午火為夏之仲", "時值秋"],
        [
            "삼전은 유자묘(酉子卯)이다",
            "날이 삭(朔)을 만난다",
            "일지 오화(午火)는 여름(夏)의 가운데 지지이다",
            "때는 가을(秋)이다",
        ],
        [
            "The three transmissions are You Zi Mao 酉子卯",
            "The day falls on the new moon 朔",
            "The day branch Wu 午 (fire) is the middle branch of summer 夏",
            "The season is autumn 秋",
        ],
        False,
        {"instant": "2024-09-03T04:30", "tz": "Asia/Shanghai"},
    ),
    # Offset 3. 癸 lodges in 丑: 辰, 未; over 卯 午, 酉. 午 beats 酉: 酉子卯. 亥 is a month of winter, 辰 a
    # gate.
    "四門俱閉": Case(
        "關隔",
        "四門俱閉",
        "冬占匿陽，時遇卯酉辰戌號為四門俱閉",
        ["三傳酉子卯", "占時辰土為門戶", "時值冬"],
        ["삼전은 유자묘(酉子卯)이다", "점시 진토(辰土)는 문호이다", "때는 겨울(冬)이다"],
        [
            "The three transmissions are You Zi Mao 酉子卯",
            "The hour Chen 辰 (earth) is a gate",
            "The season is winter 冬",
        ],
        False,
        pillars("癸卯 辰 未 亥 午"),
    ),
    # Offset 3. 乙 lodges in 辰: 未, 戌; over 丑 辰, 未. 乙 beats 未: 未戌丑, and 戌 is void in the decade of
    # 甲子.
    "稼穡 hollow": Case(
        "稼穡",
        "五墓",
        "冬五墓舍朝市而守丘墟",
        ["三傳未戌丑", "時值冬"],
        ["삼전은 미술축(未戌丑)이다", "때는 겨울(冬)이다"],
        ["The three transmissions are Wei Xu Chou 未戌丑", "The season is winter 冬"],
        True,
        pillars("乙丑 卯 午 丑 辰"),
    ),
    # The same chart: 丑 punishes 戌 and 戌 punishes 未, from the final back to the initial; 刑傷 knows no
    # hollow.
    "刑傷 backward": Case(
        "刑傷",
        None,
        "初刑中、中刑末，末刑中、中刑初，始終相傷",
        ["末傳丑土刑中傳戌土", "中傳戌土刑初傳未土"],
        ["말전 축토(丑土)가 중전 술토(戌土)를 형한다", "중전 술토(戌土)가 초전 미토(未土)를 형한다"],
        [
            "The final transmission Chou 丑 (earth) punishes the middle transmission Xu 戌 (earth)",
            "The middle transmission Xu 戌 (earth) punishes the initial transmission Wei 未 (earth)",
        ],
        False,
        pillars("乙丑 卯 午 丑 辰"),
    ),
    # Offset 9. 乙 in 辰: 丑, 戌; over 酉 午, 卯. 乙 beats 丑: 丑戌未, each punishing the next.
    "刑傷 forward": Case(
        "刑傷",
        None,
        "初刑中、中刑末，末刑中、中刑初，始終相傷",
        ["初傳丑土刑中傳戌土", "中傳戌土刑末傳未土"],
        ["초전 축토(丑土)가 중전 술토(戌土)를 형한다", "중전 술토(戌土)가 말전 미토(未土)를 형한다"],
        [
            "The initial transmission Chou 丑 (earth) punishes the middle transmission Xu 戌 (earth)",
            "The middle transmission Xu 戌 (earth) punishes the final transmission Wei 未 (earth)",
        ],
        False,
        pillars("乙酉 午 卯 辰 丑"),
    ),
    # Offset 4. 癸 in 丑: 巳, 酉; over 卯 未, 亥. 癸, 巳, 卯 and 未 all beat their uppers 巳 酉 未 亥, all yin
    # like 癸; of their seats 丑 巳 卯 未 only 巳 is 孟: 酉丑巳, a trine of metal, 巳 void in the decade of
    # 甲午.
    "金局 hollow": Case(
        "金局",
        "獻刃",
        "酉丑巳為獻刃遠近俱被其傷",
        ["三傳酉丑巳"],
        ["삼전은 유축사(酉丑巳)이다"],
        ["The three transmissions are You Chou Si 酉丑巳"],
        True,
        pillars("癸卯 申 子 午 卯"),
    ),
    # The same: metal generates 癸, and a member of the trine is void.
    "孤哀 of the trine": Case(
        "孤哀",
        None,
        "三傳合局屬印煞空，三人三事勿助，或喪父母",
        ["三傳合金局", "三傳所合金局生日干癸水", "巳火落空亡"],
        [
            "삼전이 금국(金局)을 이룬다",
            "삼전이 이룬 금국(金局)이 일간 계수(癸水)를 생한다",
            "사화(巳火)가 공망에 든다",
        ],
        [
            "The transmissions form the metal bureau 金局",
            "The metal bureau 金局 of the transmissions generates the day stem Gui 癸 (water)",
            "Si 巳 (fire) falls in the void",
        ],
        False,
        pillars("癸卯 申 子 午 卯"),
    ),
    # Offset 4. 甲 in 寅: 午, 戌; over 子 辰, 申. No lower beats its upper; 辰 beats 子: 辰申子.
    "印綬 chain": Case(
        "印綬",
        None,
        "初生中、中生末、末生干，末生中、中生初、初生干，連連引進助我",
        ["初傳辰土生中傳申金", "中傳申金生末傳子水", "末傳子水生日干甲木"],
        [
            "초전 진토(辰土)가 중전 신금(申金)을 생한다",
            "중전 신금(申金)이 말전 자수(子水)를 생한다",
            "말전 자수(子水)가 일간 갑목(甲木)을 생한다",
        ],
        [
            "The initial transmission Chen 辰 (earth) generates the middle transmission Shen 申 (metal)",
            "The middle transmission Shen 申 (metal) generates the final transmission Zi 子 (water)",
            "The final transmission Zi 子 (water) generates the day stem Jia 甲 (wood)",
        ],
        False,
        pillars("甲子 申 子 酉 卯"),
    ),
    # Offset 8. 乙 in 辰: 子, 申; over 丑 酉, 巳. Only 巳 beats its lower, 酉: 巳丑酉, metal against 乙.
    "官訟 of the trine": Case(
        "官訟",
        None,
        "三傳合局克干，三人三事傷我，或傷昆弟",
        ["三傳合金局", "三傳所合金局克日干乙木"],
        ["삼전이 금국(金局)을 이룬다", "삼전이 이룬 금국(金局)이 일간 을목(乙木)을 극한다"],
        [
            "The transmissions form the metal bureau 金局",
            "The metal bureau 金局 of the transmissions controls the day stem Yi 乙 (wood)",
        ],
        False,
        pillars("乙丑 戌 午 酉 子"),
    ),
    # Offset 9. 戊 in 巳: 寅, 亥; over 子 酉, 午. 寅 beats 戊 and 午 beats 酉, both yang like 戊; 寅 sits on
    # 巳, a 孟, 午 on 酉: 寅亥申. By night the noble of 戊 is 未, on 戌: backward, 未午巳辰卯寅: the sixth
    # general. 戊 is born in 寅.
    "遐齡": Case(
        "遐齡",
        None,
        "長生煞乘青龍為初傳曰遐齡。凡占人占事以攸遠年高論",
        ["初傳寅木乘青龍", "初傳寅木為日干長生"],
        ["초전 인목(寅木)이 청룡(青龍)을 탄다", "초전 인목(寅木)은 일간의 장생(長生)이다"],
        [
            "The initial transmission Yin 寅 (wood) rides the Azure Dragon 青龍",
            "The initial transmission Yin 寅 (wood) is the day stem's birth 長生",
        ],
        False,
        pillars("戊子 酉 午 午 巳"),
    ),
    # The same: 戊子's horse is 寅 (申子辰).
    "前程": Case(
        "前程",
        None,
        "馬煞為初傳曰前程，凡占人占事以前程論",
        ["初傳寅木為馬煞"],
        ["초전 인목(寅木)은 마살(馬煞)이다"],
        ["The initial transmission Yin 寅 (wood) is the post horse 馬煞"],
        False,
        pillars("戊子 酉 午 午 巳"),
    ),
    # Offset 1. 庚 in 申: 酉, 戌; over 寅 卯, 辰. 卯 beats 辰: 辰巳午. The year is 辰; by day the noble of 庚
    # is 丑, on 子: forward, 丑寅卯辰: 六合. Earth generates 庚.
    "天恩": Case(
        "天恩",
        None,
        "太歲煞為初傳，乘貴人、六合、青龍、太常、朱雀、天后，生合日干曰天恩。凡占人占事起於至尊至吉，或君恩論",
        ["初傳辰土為太歲煞", "初傳辰土乘六合", "初傳辰土生日干庚金"],
        [
            "초전 진토(辰土)는 태세살(太歲煞)이다",
            "초전 진토(辰土)가 육합(六合)을 탄다",
            "초전 진토(辰土)가 일간 경금(庚金)을 생한다",
        ],
        [
            "The initial transmission Chen 辰 (earth) is the year branch 太歲煞",
            "The initial transmission Chen 辰 (earth) rides the Six Harmonies 六合",
            "The initial transmission Chen 辰 (earth) generates the day stem Geng 庚 (metal)",
        ],
        False,
        pillars("庚寅 辰 巳 巳 辰"),
    ),
    # Offset 3. 戊 in 巳: 申, 亥; over 寅 巳, 申. 巳 beats 申: 申亥寅. 申 is the month; by night the noble of
    # 戊 is 未, on 辰: forward, 未申: 螣蛇. 申 and 巳, the lodge of 戊, break each other.
    "時否": Case(
        "時否",
        None,
        "月將月建為初傳，乘螣蛇、白虎、勾陳、玄武、太陰、天空，刑沖破害日干，曰時否。凡占人占事以時乖運蹇論",
        ["初傳申金為月建", "初傳申金乘螣蛇", "初傳申金破日干戊土寄宮巳火"],
        [
            "초전 신금(申金)은 월건(月建)이다",
            "초전 신금(申金)이 등사(螣蛇)를 탄다",
            "초전 신금(申金)이 일간 무토(戊土)의 기궁 사화(巳火)를 파한다",
        ],
        [
            "The initial transmission Shen 申 (metal) is the month branch 月建",
            "The initial transmission Shen 申 (metal) rides the Soaring Serpent 螣蛇",
            "The initial transmission Shen 申 (metal) breaks the lodge Si 巳 (fire) "
            "of the day stem Wu 戊 (earth)",
        ],
        False,
        pillars("戊寅 子 卯 申 申"),
    ),
    # 伏吟: 辰 over 乙's lodge, 未 over 未; earth commands in 戌.
    "及時 in the last month": Case(
        "及時",
        None,
        "干支上乘此，人事當時",
        ["干上辰土旺", "支上未土旺"],
        ["간상 진토(辰土)는 왕(旺)에 해당한다", "지상 미토(未土)는 왕(旺)에 해당한다"],
        ["Chen 辰 (earth) upon the stem is in command 旺", "Wei 未 (earth) upon the branch is in command 旺"],
        False,
        pillars("乙未 未 未 戌 午"),
    ),
    # Offset 10. 寅, lodge and branch: 子, 戌. Water is dead where earth commands, in 未.
    "失時 in the last month": Case(
        "失時",
        None,
        "干支上乘此，人事不時",
        ["干上子水死", "支上子水死"],
        ["간상 자수(子水)는 사(死)에 해당한다", "지상 자수(子水)는 사(死)에 해당한다"],
        ["Zi 子 (water) upon the stem is dead 死", "Zi 子 (water) upon the branch is dead 死"],
        False,
        pillars("甲寅 卯 丑 未 子"),
    ),
    # Offset 10. 乙 in 辰: 寅, 子; over 丑 亥, 酉. 丑 beats 亥: 亥酉未; the decade of 甲子 leaves out 亥.
    "孤哀": Case(
        "孤哀",
        None,
        "初傳屬印煞空，起於勿助，或喪父母",
        ["初傳亥水為父母", "初傳亥水落空亡"],
        ["초전 해수(亥水)는 부모(父母)이다", "초전 해수(亥水)가 공망에 든다"],
        [
            "The initial transmission Hai 亥 (water) stands for parents 父母",
            "The initial transmission Hai 亥 (water) falls in the void",
        ],
        False,
        pillars("乙丑 戌 申 子 午"),
    ),
    # 伏吟 of a yin day without 克: 亥 upon the branch, which punishes itself, so 未 upon the stem, then its
    # punishment 丑. By day the noble of 丁 is 亥, at home.
    "登天門": Case(
        "干貴",
        "登天門",
        "臨亥曰登天門還絳宮坦然安居",
        ["初傳亥水乘貴人", "初傳亥水臨亥水"],
        ["초전 해수(亥水)가 귀인(貴人)을 탄다", "초전 해수(亥水)가 해수(亥水)에 임한다"],
        [
            "The initial transmission Hai 亥 (water) rides the Noble 貴人",
            "The initial transmission Hai 亥 (water) stands over Hai 亥 (water)",
        ],
        False,
        pillars("丁亥 午 午 辰 戌"),
    ),
    # 申 punishes 寅, where 甲 lodges: relations of branches go through the lodge.
    "刑傷 through the lodge": Case(
        "刑傷",
        None,
        "初傳刑干，起於刑傷",
        ["初傳申金刑日干甲木寄宮寅木"],
        ["초전 신금(申金)이 일간 갑목(甲木)의 기궁 인목(寅木)을 형한다"],
        [
            "The initial transmission Shen 申 (metal) punishes "
            "the lodge Yin 寅 (wood) of the day stem Jia 甲 (wood)"
        ],
        False,
        pillars("甲戌 午 酉 辰 寅"),
    ),
}


@pytest.mark.parametrize("title", sorted(WORKED))
def test_a_chart_worked_by_hand(casting: Cast, title: str) -> None:
    case = WORKED[title]
    cast = casting(**case.words)
    finding = found(cast, case.heading, case.quote)
    assert (finding.clause.name, finding.hollow) == (case.name, case.hollow)
    assert {tag: cast.because(finding, tag) for tag in LANGUAGES} == {
        "zh": case.zh,
        "ko": case.ko,
        "en": case.en,
    }
    assert bool(finding.hollowed_by) == case.hollow
    assert all(finding.clause.glosses[tag].strip() for tag in ("en", "ko"))
    assert finding.clause.locator.startswith(f"卷三·{case.heading}·")


def listed(casting: Casting) -> list[tuple[str, str | None, bool, str]]:
    return [(f.clause.heading, f.clause.name, f.hollow, f.clause.quote) for f in casting.findings]


def test_all_findings_of_jiaxu_worked_by_hand(casting: Cast) -> None:
    """巳 申 丑 辰 upon 甲 and 戌, 申亥寅, month 辰, year 寅, 申 void.

    申 beats 甲 and punishes and clashes with its lodge; 戌 is beaten by 甲; 申 is the horse of 戌, 相 where
    earth commands, 官鬼 and void; by day the noble of 甲 is 丑, on 戌: backward, 丑子亥戌酉申: 青龍, over 巳.
    Nothing else: no trine, no chain, no relation between the uppers 巳 and 丑.
    """
    assert listed(casting(**pillars("甲戌 午 酉 辰 寅"))) == [
        ("懸胎", "順懸胎", True, "三傳亥寅巳、寅巳申、巳申亥、申亥寅曰順懸胎"),
        ("懸胎", None, True, "凡占人占事以隱匿懷胎、繼先傳後論"),
        ("懸胎", "玄胎", True, "順懸胎：春玄胎者生意已萌於中"),
        ("官訟", None, False, "初傳克干起於官訟，或因夫職，或傷昆弟"),
        ("妻財", None, False, "支受干克，彼勞我"),
        ("刑傷", None, False, "初傳刑干，起於刑傷"),
        ("搖動", None, False, "初傳沖干，起於搖動"),
        ("前程", None, False, "馬煞為初傳曰前程，凡占人占事以前程論"),
        ("將來", None, False, "初傳屬此，事起將來"),
        ("孀居", None, False, "初傳屬鬼煞空，起於勿傷，或喪夫失職"),
        ("喜慶", None, True, "初傳乘青龍曰喜慶。凡占人占事起於一應喜慶論"),
        ("喜慶", "掩目", True, "青龍臨午曰燒身，臨巳曰掩目，因財有不測之虞憂"),
    ]


def test_all_findings_of_gengyin_worked_by_hand(casting: Cast) -> None:
    """酉 戌 卯 辰 upon 庚 and 寅, 辰巳午, month 巳, year 辰, 午 and 未 void.

    辰 generates 庚 and is 相 under fire; 卯 is of 寅's element and 酉 of 庚's; 寅 is beaten by 庚; the lodge
    申 punishes 寅 and they clash; so do 酉 and 卯.
    """
    assert listed(casting(**pillars("庚寅 辰 巳 巳 辰"))) == [
        ("印綬", None, False, "初傳生干起於扶助，或因父母，或傷男女"),
        ("妻財", None, False, "支受干克，彼勞我"),
        ("劫財", None, False, "支上比支、干上比干，彼我各自奪財"),
        ("刑傷", None, False, "干支相刑，彼我相傷"),
        ("搖動", None, False, "干支相沖，彼我勿合"),
        ("搖動", None, False, "干支上相沖，亦彼我勿合"),
        (
            "天恩",
            None,
            False,
            "太歲煞為初傳，乘貴人、六合、青龍、太常、朱雀、天后，生合日干曰天恩。凡占人占事起於至尊至吉，或君恩論",
        ),
        ("將來", None, False, "初傳屬此，事起將來"),
        ("交合", None, False, "初傳乘六合曰交合。凡占人占事起於交涉和合論"),
        ("交合", "入室", False, "六合臨午曰升堂，臨卯曰入室，併為已就之占"),
    ]


def test_all_findings_of_dinghai_worked_by_hand(casting: Cast) -> None:
    """伏吟, 亥未丑, month 辰.

    亥 beats 丁, as initial and as branch; 未 beats 亥 while 亥 beats 丁; water is dead under earth.
    """
    assert listed(casting(**pillars("丁亥 午 午 辰 戌"))) == [
        ("官訟", None, False, "初傳克干起於官訟，或因夫職，或傷昆弟"),
        ("官訟", None, False, "干上克支，支上克干，彼我交互相傷"),
        ("官訟", None, False, "支克干，彼傷我"),
        ("失時", None, False, "初傳屬此，事起不時"),
        ("干貴", None, False, "初傳乘貴人曰干貴，凡占人占事，事起於干貴謁貴論"),
        ("干貴", "登天門", False, "臨亥曰登天門還絳宮坦然安居"),
    ]


def test_congge_can_stand_in_no_chart() -> None:
    """巳 over 丑 is followed by 酉 over 巳, which beats it: 酉 is taken, in whichever school.

    So 巳酉丑 is never run.
    """
    runs = {
        plate(day, 0, offset, shehai=school).transmissions
        for day in range(60)
        for offset in range(12)
        for school in SHEHAI
    }
    assert (5, 9, 1) not in runs
    assert (9, 1, 5) in runs


# Facets


def test_facets_worked_by_hand(casting: Cast) -> None:
    """甲戌 once more.

    申: 官鬼 to 甲; 絕, from birth in 亥 on; 相 under earth; it clashes with and punishes 寅; void; horse of
    戌. It comes down on 巳: 子孫, 病, 休; 寅 and 巳 harm each other, and 寅 punishes 巳.
    """
    cast = casting(**pillars("甲戌 午 酉 辰 寅"))
    finding = found(cast, "官訟", "初傳克干起於官訟，或因夫職，或傷昆弟")
    assert finding.facets == {
        "initial": {
            "branch": "申",
            "general": "青龍",
            "stars": ["官鬼", "絕", "相", "沖", "刑", "空煞", "馬煞"],
            "palace": "巳",
            "palace_stars": ["子孫", "病", "休", "害", "受刑"],
        }
    }


def test_facets_are_of_the_places_that_the_rule_reads(casting: Cast) -> None:
    cast = casting(**pillars("庚寅 辰 巳 巳 辰"))
    assert list(found(cast, "劫財", "支上比支、干上比干，彼我各自奪財").facets) == [
        "upon_branch",
        "upon_stem",
    ]
    assert list(found(cast, "刑傷", "干支相刑，彼我相傷").facets) == []
    run = casting(**pillars("甲戌 午 酉 辰 寅"))
    assert list(found(run, "懸胎", "順懸胎：春玄胎者生意已萌於中").facets) == ["initial", "middle", "final"]


def test_a_facet_of_the_month_and_of_the_year(casting: Cast) -> None:
    """戊寅, month 申 and year 申: the initial 申 is both, besides the horse of 寅 and void."""
    initial = casting(**pillars("戊寅 子 卯 申 申")).places["initial"]
    assert initial["facets"]["stars"][-4:] == ["空煞", "馬煞", "太歲煞", "月建"]
    assert (initial["kin"], initial["void"]) == ("子孫", True)


# Hollow


def test_the_caveat_that_hollows_is_quoted(casting: Cast) -> None:
    cast = casting(**pillars("甲戌 午 酉 辰 寅"))
    run = found(cast, "懸胎", "順懸胎：春玄胎者生意已萌於中")
    assert [clause.quote for clause in run.hollowed_by] == ["三將或空一二，勿以此名實論"]
    dragon = found(cast, "喜慶", "初傳乘青龍曰喜慶。凡占人占事起於一應喜慶論")
    assert [clause.quote for clause in dragon.hollowed_by] == ["青龍空勿實論"]


def test_linkong_hollows_by_what_lies_beneath(casting: Cast) -> None:
    """申 lies over 巳, 亥 over 申: under 臨空 not the initial but the middle is void."""
    cast = casting(**pillars("甲戌 午 酉 辰 寅", void="lin"))
    assert found(cast, "懸胎", "順懸胎：春玄胎者生意已萌於中").hollow
    assert not found(cast, "喜慶", "初傳乘青龍曰喜慶。凡占人占事起於一應喜慶論").hollow
    assert "孀居" not in {f.clause.heading for f in cast.findings}


# Options


def test_under_the_stages_by_element_xialing_is_gone(casting: Cast) -> None:
    """By element, earth with water: 戊 is born in 申, and 寅 is where it sickens."""
    assert "遐齡" in {f.clause.heading for f in casting(**pillars("戊子 酉 午 午 巳")).findings}
    cast = casting(**pillars("戊子 酉 午 午 巳", stages="element"))
    assert "遐齡" not in {f.clause.heading for f in cast.findings}
    assert cast.places["initial"]["facets"]["stars"][:2] == ["官鬼", "病"]


@pytest.mark.parametrize(("day", "wood"), [("10", "旺"), ("20", "囚")])
def test_the_last_month_may_be_its_last_eighteen_days(casting: Cast, day: str, wood: str) -> None:
    """立夏 of 2025 is on 5 May: on 10 April wood still commands the month 辰, on 20 April earth does."""
    cast = casting(instant=f"2025-04-{day}T12:00", tz="Asia/Shanghai", jiyue="eighteen")
    assert cast.chart.pillars["month"] == "庚辰"
    place = NamedNode(cast.chart.iri + "/place/03-yin")
    strength = [q.object for q in cast.quads if (q.subject, q.predicate) == (place, term("placeStrength"))]
    assert [cast.doctrine.verbaliser("zh").label(s) for s in strength] == [wood]


# The text as witnessed


def test_base_jiaohe_names_the_palaces_of_the_witness(casting: Cast) -> None:
    """The edition reads 六合臨辰曰違禮，臨戌曰亡羞; the witness 六合臨卯曰違理，臨辰曰亡羞."""
    quote = "六合臨卯曰違理，臨辰曰亡羞，因妄冒而加罪"
    base = casting(**pillars("庚寅 辰 巳 巳 辰", reading="base"))
    assert found(base, "交合", quote).clause.name == "違理"
    assert found(base, "交合", "六合臨午曰升堂，臨卯曰入室，併為已就之占").clause.name == "入室"
    established = casting(**pillars("庚寅 辰 巳 巳 辰"))
    assert quote not in {f.clause.quote for f in established.findings}


def test_base_sanguang_buren_asks_for_no_siping_day_and_there_is_a_siji_ping(casting: Cast) -> None:
    words = {"instant": "2024-09-03T04:30", "tz": "Asia/Shanghai"}
    names = [f.clause.name for f in casting(**words, reading="base").findings if f.clause.heading == "關隔"]
    assert names == ["順關隔", None, "三光不仁", "四季平"]
    names = [f.clause.name for f in casting(**words).findings if f.clause.heading == "關隔"]
    assert names == ["順關隔", None, "三光不仁"]


def test_base_shishi_leaves_the_months_of_earth_out(casting: Cast) -> None:
    words = pillars("甲寅 卯 丑 未 子")
    assert "失時" in {f.clause.heading for f in casting(**words).findings}
    assert "失時" not in {f.clause.heading for f in casting(**words, reading="base").findings}


def test_base_shishi_goes_by_the_element_in_command_under_eighteen_days(casting: Cast) -> None:
    """On 10 April wood commands, though the month is 辰: the witness's 春 holds. On 20 April earth does."""
    for day, expected in (("10", True), ("20", False)):
        headings = set()
        for hour in range(1, 24, 2):
            cast = casting(
                instant=f"2025-04-{day}T{hour:02}:00", tz="Asia/Shanghai", jiyue="eighteen", reading="base"
            )
            headings |= {f.clause.heading for f in cast.findings}
        assert ("失時" in headings) == expected


def test_base_quotes_are_what_the_witness_has(casting: Cast) -> None:
    """The edition mends 受越 to 受鉞, and 投機 to 沈戟: the judgment is the same."""
    words = pillars("癸酉 午 午")
    base = found(casting(**words, reading="base"), "爭訟", "勾陳臨丑曰受越，臨子曰投機，被辱暗遭毒害")
    established = found(casting(**words), "爭訟", "勾陳臨丑曰受鉞，臨子曰沈戟，被辱暗遭毒害")
    assert base.clause.iri == established.clause.iri
    assert any("受越" in reading["base"] for reading in established.clause.readings)


def test_an_emendation_that_turns_the_sense_round_makes_two_judgments(casting: Cast) -> None:
    """In the witness 己勞我, one's own side makes one toil; mended to 彼勞我, the other does."""
    words = pillars("庚寅 辰 巳 巳 辰")
    base = found(casting(**words, reading="base"), "妻財", "支受干克，己勞我")
    established = found(casting(**words), "妻財", "支受干克，彼勞我")
    assert (base.clause.glosses["en"], established.clause.glosses["en"]) == (
        "When the day stem controls the day branch, my own side makes me toil.",
        "When the day stem controls the day branch, the other party makes me toil.",
    )


def test_findings_follow_the_book_in_either_reading(doctrine: Doctrine, crowd: Crowd) -> None:
    """Once the findings of a base reading, whose quotes are not in the established text, came first of their
    heading.
    """
    for iri in list(crowd.charts)[::9]:
        places = [f.clause.place for f in doctrine.cast(crowd.charts[iri]).findings]
        assert places == sorted(places)


# Omissions


def test_what_could_not_be_asked_is_said_with_what_it_needs(casting: Cast) -> None:
    bare = casting(day="庚寅", hour="辰", general="巳")
    rows = {(o.heading, o.needs): (o.judgments, o.how) for o in bare.omitted}
    assert rows["天恩", "the year"] == (1, "--year, or an instant")
    assert rows["及時", "the month"] == (4, "--month, or an instant")
    assert rows["關隔", "the day of the moon"] == (1, "an instant, as 2025-02-19T23:42")
    # The series by season: eight names, of which 三光不仁 needs the moon too, and 四門俱閉 the hour.
    assert rows["關隔", "the month"] == (9, "--month, or an instant")
    assert "天恩" not in {f.clause.heading for f in bare.findings}
    assert {o.needs for o in casting(day="庚寅", hour="辰", general="巳", month="巳").omitted} == {
        "the year",
        "the day of the moon",
    }
    assert {o.needs for o in casting(**pillars("庚寅 辰 巳 巳 辰")).omitted} == {"the day of the moon"}
    assert casting(instant="2024-09-03T04:30", tz="Asia/Shanghai").omitted == ()


def test_what_needs_the_month_for_one_of_its_signs_alone_is_asked_of_the_other(casting: Cast) -> None:
    """月將月建為初傳: without the month the month general is still there."""
    found = [
        cast
        for day, hour, general in product(("甲子", "乙丑", "庚申", "丁亥"), BRANCHES, BRANCHES)
        for cast in [casting(day=day, hour=hour, general=general)]
        if {"時泰", "時否"} & {finding.clause.heading for finding in cast.findings}
    ]
    assert found
    for cast in found:
        assert {o.heading for o in cast.omitted if o.partly} == {"時泰", "時否"}
        assert {"時泰", "時否"}.isdisjoint(o.heading for o in cast.omitted if not o.partly)


def test_omissions_are_counted_in_the_reading_asked(casting: Cast) -> None:
    """The witness has 四季平 besides 三光不仁: one name more that needs the month."""
    base = casting(day="庚寅", hour="辰", general="巳", reading="base")
    rows = {(o.heading, o.needs): o.judgments for o in base.omitted}
    assert rows["關隔", "the month"] == 10


# All lessons


INTERNAL = re.compile(r"[?{}<>]|shi:|https?:|urn:|\b[a-z]+:[a-z0-9-]+|None|__")
HANGUL, HAN, LATIN = re.compile("[가-힣]"), re.compile("[一-鿿]"), re.compile("[A-Za-z]")


def test_every_finding_of_the_720_lessons_says_why_in_three_languages(crowd: Crowd) -> None:
    wrong = []
    for iri, hits in crowd.hits.items():
        for hit in hits:
            for language in LANGUAGES:
                sentences = crowd.doctrine.verbaliser(language).because(hit)
                if not sentences or any(INTERNAL.search(s) or s != s.strip() or "  " in s for s in sentences):
                    wrong.append((iri, hit.rule.name, language, sentences))
    assert not wrong


def test_each_language_keeps_to_its_own(crowd: Crowd) -> None:
    """Chinese without Korean or Latin, Korean that ends in 다, English that begins with a capital."""
    said: dict[str, set[str]] = {language: set() for language in LANGUAGES}
    for hits in list(crowd.hits.values())[::3]:
        for hit in hits:
            for language in LANGUAGES:
                said[language].update(crowd.doctrine.verbaliser(language).because(hit))
    assert not [s for s in said["zh"] if HANGUL.search(s) or LATIN.search(s)]
    assert not [s for s in said["ko"] if LATIN.search(s) or not s.endswith("다")]
    assert not [s for s in said["en"] if HANGUL.search(s) or not s[0].isupper() or s.endswith(".")]


def test_korean_particles_fit_the_syllable_before_them(crowd: Crowd) -> None:
    """After a closed syllable 이 은 을 과, after an open one 가 는 를 와; an aside in parentheses is not
    heard.
    """
    wrong = set()
    for hits in list(crowd.hits.values())[::3]:
        for hit in hits:
            for sentence in crowd.doctrine.verbaliser("ko").because(hit):
                for match in re.finditer(r"([가-힣])\([^()]*\)(이|가|은|는|을|를|과|와)(?= |$)", sentence):
                    closed = (ord(match[1]) - ord("가")) % 28 != 0
                    if closed != (match[2] in "이은을과"):
                        wrong.add(match[0])
    assert not wrong


def test_casting_any_lesson_raises_nothing_and_leaves_the_store_as_it_was(
    doctrine: Doctrine, crowd: Crowd
) -> None:
    size = len(doctrine.store)
    for iri in list(crowd.charts)[::8]:
        cast = doctrine.cast(crowd.charts[iri])
        assert {f.clause.iri for f in cast.findings} == crowd.exhibits[iri]
        assert {f.clause.iri for f in cast.findings if f.hollow} == crowd.hollow.get(iri, set())
        assert cast.findings
    assert len(doctrine.store) == size


def test_every_finding_has_its_clause_whole(crowd: Crowd) -> None:
    judged = {hit.judgment for hits in crowd.hits.values() for hit in hits}
    lacking = []
    for node in judged:
        clause = crowd.doctrine.clause(node)
        if not (clause.heading and clause.quote and clause.locator and all(clause.glosses.values())):
            lacking.append(clause.iri)
        if not clause.glosses["ko"].endswith("다.") or not clause.glosses["en"].endswith("."):
            lacking.append(clause.iri)
    assert not lacking


def test_the_name_of_a_finding_stands_in_its_quote(crowd: Crowd) -> None:
    judged = {hit.judgment for hits in crowd.hits.values() for hit in hits}
    clauses = [crowd.doctrine.clause(node) for node in judged]
    assert not [c.iri for c in clauses if c.name and c.name not in c.quote]


# The store


def test_a_chart_that_the_store_held_stays_in_it(doctrine: Doctrine) -> None:
    """Once casting a chart of a collection took it out of the collection."""
    chart = cast_pillars("庚申", "子", "亥")
    kept = quads(facts(chart))
    node = NamedNode(chart.iri)
    try:
        doctrine.store.extend(kept)
        doctrine.cast(chart)
        assert all(quad in doctrine.store for quad in kept)
        assert any(doctrine.store.quads_for_pattern(node, term("exhibits"), None))
    finally:
        for subject in {quad.subject for quad in kept}:
            for quad in list(doctrine.store.quads_for_pattern(subject, None, None)):
                doctrine.store.remove(quad)
    assert not any(doctrine.store.quads_for_pattern(node, TYPE, None))


def test_a_cast_that_fails_leaves_nothing_behind(doctrine: Doctrine, monkeypatch: pytest.MonkeyPatch) -> None:
    """Once what was derived before a failure stayed in the store."""
    size = len(doctrine.store)

    def fail(*_: object) -> None:
        raise RuntimeError("stop")

    monkeypatch.setattr(doctrine, "_place", fail)
    with pytest.raises(RuntimeError, match="stop"):
        doctrine.cast(cast_pillars("庚申", "子", "亥"))
    assert len(doctrine.store) == size


def test_the_same_chart_gives_the_same_findings_each_time(casting: Cast) -> None:
    first, second = casting(**pillars("戊寅 子 卯 申 申")), casting(**pillars("戊寅 子 卯 申 申"))
    assert first.findings == second.findings
    assert [f.iri for f in first.findings] == [f.iri for f in second.findings]
    assert len({f.iri for f in first.findings}) == len(first.findings)
    assert all(f.iri.startswith(first.chart.iri + "/finding/") for f in first.findings)
    assert BRANCHES[first.chart.plate.transmissions[0]] == "申"
