"""The words of a reason: particles, phrases, and sentences whose every place is filled."""

from __future__ import annotations

import re
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pyoxigraph import NamedNode

from kg.conclusions import Hit
from kg.cosmos import BRANCHES, pair
from kg.explain import fill, with_particle
from kg.facts import thing
from kg.findings import Doctrine
from kg.liuren_chart import cast_pillars
from kg.rules import Atom, Rule

syllables = st.integers(ord("가"), ord("힣")).map(chr)
PAIRS = {"이": ("이", "가"), "은": ("은", "는"), "을": ("을", "를"), "와": ("과", "와")}


@given(st.text(syllables, min_size=1, max_size=5), st.sampled_from(sorted(PAIRS)))
def test_a_particle_goes_by_the_last_syllable(word: str, particle: str) -> None:
    closed = (ord(word[-1]) - ord("가")) % 28 != 0
    assert with_particle(word, particle) == word + PAIRS[particle][0 if closed else 1]


@given(st.text(syllables, min_size=1, max_size=4), st.sampled_from(sorted(PAIRS)))
def test_an_aside_is_not_heard(word: str, particle: str) -> None:
    heard = with_particle(word, particle)
    assert with_particle(f"{word}(子水)", particle) == f"{word}(子水){heard.removeprefix(word)}"


@pytest.mark.parametrize(
    ("word", "particle", "expected"),
    [
        ("자수(子水)", "이", "자수(子水)가"),
        ("인목(寅木)", "이", "인목(寅木)이"),
        ("유금(酉金)", "와", "유금(酉金)과"),
        ("축토(丑土)", "와", "축토(丑土)와"),
        ("사화(巳火)", "을", "사화(巳火)를"),
        ("귀인(貴人)", "을", "귀인(貴人)을"),
        ("해수(亥水)", "에", "해수(亥水)에"),
    ],
)
def test_particles_of_the_art(word: str, particle: str, expected: str) -> None:
    assert with_particle(word, particle) == expected


def test_slots_are_filled_in_any_order() -> None:
    assert fill("{1:은} {0}의 가운데", "여름", "오화") == "오화는 여름의 가운데"
    assert fill("{0}{1}", "甲", "木") == "甲木"


@pytest.mark.parametrize(
    ("name", "zh", "ko", "en"),
    [
        ("stem:01-jia", "甲木", "갑목(甲木)", "Jia 甲 (wood)"),
        ("branch:12-hai", "亥水", "해수(亥水)", "Hai 亥 (water)"),
        ("general:01-guiren", "貴人", "귀인(貴人)", "the Noble 貴人"),
        ("trine:water", "水局", "수국(水局)", "water bureau 水局"),
        ("element:03-earth", "土", "토(土)", "earth 土"),
        ("season:04-winter", "冬", "겨울(冬)", "winter 冬"),
        ("mark:ma", "馬煞", "마살(馬煞)", "post horse 馬煞"),
        ("kin:qicai", "妻財", "처재(妻財)", "wife and wealth 妻財"),
    ],
)
def test_how_a_thing_is_called(doctrine: Doctrine, name: str, zh: str, ko: str, en: str) -> None:
    called = [doctrine.verbaliser(language).phrase(thing(name)) for language in ("zh", "ko", "en")]
    assert called == [zh, ko, en]


def test_a_place_is_called_by_its_branch(doctrine: Doctrine) -> None:
    place = NamedNode("https://w3id.org/sanshi/id/chart/liuren-x/place/03-yin")
    assert doctrine.verbaliser("zh").phrase(place) == "寅木"


def because(doctrine: Doctrine, language: str, body: list[Atom], **bindings: str) -> list[str]:
    rule = Rule("rule:x", "judge", tuple(body), Atom("exhibits", ("?c", "?j")), "form:x")
    hit = Hit(thing("chart:x"), thing("judgment:x"), rule, {k: thing(v) for k, v in bindings.items()})
    return doctrine.verbaliser(language).because(hit)


def test_a_star_that_the_rule_itself_names_is_said(doctrine: Doctrine) -> None:
    """Once `mark(?t, mark:taisui)` was said as 初傳寅木為, with nothing after it."""
    body = [Atom("initial", ("?c", "?t")), Atom("mark", ("?t", "mark:taisui"))]
    assert because(doctrine, "zh", body, t="branch:03-yin") == ["初傳寅木為太歲煞"]
    assert because(doctrine, "ko", body, t="branch:03-yin") == ["초전 인목(寅木)은 태세살(太歲煞)이다"]
    assert because(doctrine, "en", body, t="branch:03-yin") == [
        "The initial transmission Yin 寅 (wood) is the year branch 太歲煞"
    ]


def test_a_relation_through_the_lodge_says_so(doctrine: Doctrine) -> None:
    """Once it was said as though the stem were a branch: 初傳申金刑寅木, of a day 甲."""
    body = [Atom("initial", ("?c", "?t")), Atom("dayStem", ("?c", "?d")), Atom("lodge", ("?d", "?l"))]
    body += [Atom("punishes", ("?t", "?l"))]
    bound = {"t": "branch:09-shen", "d": "stem:01-jia", "l": "branch:03-yin"}
    assert because(doctrine, "zh", body, **bound) == ["初傳申金刑日干甲木寄宮寅木"]


def test_what_is_said_twice_is_said_once_and_the_judgment_is_not_spoken_of(doctrine: Doctrine) -> None:
    body = [
        Atom("initial", ("?c", "?t")),
        Atom("VoidPlace", ("?t",)),
        Atom("VoidPlace", ("?t",)),
        Atom("kin", ("?j", "?k")),
    ]
    assert because(doctrine, "zh", body, t="branch:11-xu", k="kin:fumu") == ["初傳戌土落空亡"]


def test_a_rule_without_a_sentence_names_what_it_read(doctrine: Doctrine) -> None:
    body = [Atom("initial", ("?c", "?t")), Atom("differentFrom", ("?t", "?u"))]
    assert because(doctrine, "en", body, t="branch:11-xu", u="branch:01-zi") == [
        "The initial transmission Xu 戌 (earth)"
    ]


def test_a_relation_of_several_kinds_is_told_by_each_kind_that_holds(doctrine: Doctrine) -> None:
    """Once 寅 was said to punish, clash with, break or harm 丙, whose lodge 巳 it punishes and harms."""
    body = [Atom("branch", ("?t", "?b")), Atom("dayStem", ("?c", "?d")), Atom("R", ("?b", "?d"))]
    bound = {"t": "branch:03-yin", "b": "branch:03-yin", "d": "stem:03-bing", "R": "shi:afflicts"}
    assert because(doctrine, "zh", body, **bound) == [
        "寅木害日干丙火寄宮巳火",
        "寅木刑日干丙火寄宮巳火",
    ]
    favour = {"t": "branch:12-hai", "b": "branch:12-hai", "d": "stem:01-jia", "R": "shi:favours"}
    assert because(doctrine, "ko", body, **favour) == [
        "해수(亥水)가 일간 갑목(甲木)의 기궁 인목(寅木)과 합한다",
        "해수(亥水)가 일간 갑목(甲木)을 생한다",
    ]


PARTICLE = re.compile(r"([가-힣])(?:\([^()]*\))(은|는|이|가|을|를|와|과)(?= |$)")
CLOSED = "은이을과"


@pytest.mark.parametrize("day", range(0, 60, 7))
def test_every_sentence_is_in_its_language_alone(doctrine: Doctrine, day: int) -> None:
    """No Latin in Chinese or Korean, no Hangul in English, no name of the graph, no slot, no particle that does not fit."""
    foreign = {
        "zh": r"[A-Za-z가-힣\s{}:]",
        "ko": r"[A-Za-z{}:]|\s\s",
        "en": r"[가-힣{}:]|\s\s|^[a-z]|[a-z]-[a-z]",
    }
    wrong = []
    for hour, general in product(range(12), range(0, 12, 3)):
        chart = cast_pillars(pair(day), BRANCHES[hour], BRANCHES[general], month=BRANCHES[hour], year="寅")
        casting = doctrine.cast(chart)
        for finding, (language, pattern) in product(casting.findings, foreign.items()):
            sentences = casting.because(finding, language)
            wrong += [s for s in sentences if re.search(pattern, s)] + ([] if sentences else [finding.iri])
            for sentence, (_, syllable, particle) in (
                (s, (m[0], m[1], m[2])) for s in sentences if language == "ko" for m in PARTICLE.finditer(s)
            ):
                if ((ord(syllable) - ord("가")) % 28 != 0) != (particle in CLOSED):
                    wrong.append(sentence)
    assert not wrong
