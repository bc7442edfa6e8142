"""A casting as data: the JSON that others parse, key by key, and the same casting as RDF."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import pytest
from pyoxigraph import NamedNode
from rdflib import Graph, Literal, URIRef

from kg.casting_graph import serialize, to_rdflib, triples
from kg.chart_json import casting_json
from kg.facts import term
from kg.findings import Casting, Doctrine
from kg.liuren_chart import cast
from ontology import TERMS

if TYPE_CHECKING:
    from tests.conftest import Crowd

Cast = Callable[..., Casting]

PILLARS = {"day": "甲戌", "hour": "午", "general": "酉", "month": "辰", "year": "甲寅"}
INSTANT = {"instant": "2024-09-03T04:30", "tz": "Asia/Shanghai"}
INPUTS = [
    PILLARS,
    INSTANT,
    {"day": "庚申", "hour": "子", "general": "亥"},
    {"day": "庚申", "hour": "丙子", "general": "亥", "month": "寅", "year": "巳"},
    PILLARS | {"noble": "yangniu", "void": "lin", "reading": "base", "daylight": "night"},
    INSTANT | {"jiyue": "eighteen", "shehai": "depth", "boundary": "00:00", "stages": "element"},
    {
        "instant": "2025-02-19T16:42",
        "tz": "Asia/Shanghai",
        "longitude": 116.4,
        "latitude": 39.9,
        "daylight": "sun",
    },
    {"instant": "2025-02-19T16:42:30.5-05:00", "longitude": -74.0, "clock": "solar"},
]


@pytest.fixture(params=INPUTS, ids=lambda words: "-".join(map(str, words.values())))
def cast_of(request: pytest.FixtureRequest, casting: Cast) -> Casting:
    return casting(**request.param)


def test_the_chart_of_jiaxu_word_for_word(casting: Cast) -> None:
    chart = casting_json(casting(**PILLARS))["chart"]
    assert chart == {
        "iri": "https://w3id.org/sanshi/id/chart/liuren-11-jiaxu-h.wu-g.you-m.05-wuchen-y.51-jiayin",
        "art": "liuren",
        "instant": None,
        "pillars": {"year": "甲寅", "month": "戊辰", "day": "甲戌", "hour": "庚午"},
        "void": ["申", "酉"],
        "options": {
            "boundary": "23:00",
            "clock": "standard",
            "daylight": "hours",
            "jiyue": "month",
            "noble": "niuyang",
            "reading": "established",
            "shehai": "mengzhong",
            "stages": "jingwei",
            "void": "feng",
        },
        "longitude": None,
        "latitude": None,
        "general": "酉",
        "month": "辰",
        "year": "寅",
        "daytime": True,
        "plate": [
            {"earth": "子", "heaven": "卯", "general": "太陰"},
            {"earth": "丑", "heaven": "辰", "general": "玄武"},
            {"earth": "寅", "heaven": "巳", "general": "太常"},
            {"earth": "卯", "heaven": "午", "general": "白虎"},
            {"earth": "辰", "heaven": "未", "general": "天空"},
            {"earth": "巳", "heaven": "申", "general": "青龍"},
            {"earth": "午", "heaven": "酉", "general": "勾陳"},
            {"earth": "未", "heaven": "戌", "general": "六合"},
            {"earth": "申", "heaven": "亥", "general": "朱雀"},
            {"earth": "酉", "heaven": "子", "general": "螣蛇"},
            {"earth": "戌", "heaven": "丑", "general": "貴人"},
            {"earth": "亥", "heaven": "寅", "general": "天后"},
        ],
        "lessons": [
            {"upper": "巳", "lower": "甲", "general": "太常"},
            {"upper": "申", "lower": "巳", "general": "青龍"},
            {"upper": "丑", "lower": "戌", "general": "貴人"},
            {"upper": "辰", "lower": "丑", "general": "玄武"},
        ],
        "method": "賊克",
        "subtype": "重審",
        "transmissions": [
            {
                "branch": "申",
                "general": "青龍",
                "palace": "巳",
                "kin": "官鬼",
                "hidden_stem": None,
                "void": True,
            },
            {
                "branch": "亥",
                "general": "朱雀",
                "palace": "申",
                "kin": "父母",
                "hidden_stem": "乙",
                "void": False,
            },
            {
                "branch": "寅",
                "general": "天后",
                "palace": "亥",
                "kin": "兄弟",
                "hidden_stem": "戊",
                "void": False,
            },
        ],
    }


def test_a_finding_word_for_word(casting: Cast) -> None:
    found = casting_json(casting(**PILLARS), "ko")["findings"][-1]
    chart = "https://w3id.org/sanshi/id/chart/liuren-11-jiaxu-h.wu-g.you-m.05-wuchen-y.51-jiayin"
    glosses = {"en": found["text"]["en"], "ko": found["text"]["ko"]}
    (reading,) = found.pop("readings")
    assert (reading["base"], reading["proposed"], reading["status"]) == ("臨巳曰掩目", "臨辰曰掩目", "存疑")
    assert found == {
        "iri": f"{chart}/finding/xiqing-si-yanmu",
        "judgment": "https://w3id.org/sanshi/id/judgment/xiqing-si-yanmu",
        "heading": "喜慶",
        "name": "掩目",
        "quote": "青龍臨午曰燒身，臨巳曰掩目，因財有不測之虞憂",
        "text": {"lzh": "青龍臨午曰燒身，臨巳曰掩目，因財有不測之虞憂"} | glosses,
        "passage": "https://w3id.org/sanshi/id/passage/xiqing-1",
        "locator": "卷三·喜慶·1",
        "hollow": True,
        "hollowed_by": [
            {
                "heading": "喜慶",
                "name": None,
                "quote": "青龍空勿實論",
                "text": {"lzh": "青龍空勿實論"}
                | {k: found["hollowed_by"][0]["text"][k] for k in ("en", "ko")},
                "passage": "https://w3id.org/sanshi/id/passage/xiqing-1",
                "locator": "卷三·喜慶·1",
            }
        ],
        "because": ["초전 신금(申金)이 청룡(青龍)을 탄다", "초전 신금(申金)이 사화(巳火)에 임한다"],
        "facets": {
            "initial": {
                "branch": "申",
                "general": "青龍",
                "stars": ["官鬼", "絕", "相", "沖", "刑", "空煞", "馬煞"],
                "palace": "巳",
                "palace_stars": ["子孫", "病", "休", "害", "受刑"],
            }
        },
    }
    assert re.search("[A-Za-z]", glosses["en"])
    assert re.search("[가-힣]", glosses["ko"])


CHART_KEYS = {"iri", "art", "instant", "pillars", "void", "options", "general", "month", "year", "plate", "lessons",
              "method", "transmissions"}  # fmt: skip
FINDING_KEYS = {
    "iri",
    "heading",
    "name",
    "quote",
    "text",
    "passage",
    "hollow",
    "because",
    "facets",
    "readings",
}


def test_every_key_of_the_contract_is_there(cast_of: Casting) -> None:
    """As docs and others rely on: keys may be added, none is taken away."""
    found = casting_json(cast_of)
    assert list(found) == ["chart", "findings", "omitted"]
    chart: dict[str, Any] = found["chart"]
    assert chart.keys() >= CHART_KEYS
    assert list(chart["pillars"]) == ["year", "month", "day", "hour"]
    assert [cell["earth"] for cell in chart["plate"]] == list("子丑寅卯辰巳午未申酉戌亥")
    assert all(cell.keys() == {"earth", "heaven", "general"} for cell in chart["plate"])
    assert [lesson.keys() for lesson in chart["lessons"]] == [{"upper", "lower", "general"}] * 4
    transmission = {"branch", "general", "palace", "kin", "hidden_stem", "void"}
    assert [row.keys() for row in chart["transmissions"]] == [transmission] * 3
    assert found["findings"]
    for finding in found["findings"]:
        assert finding.keys() >= FINDING_KEYS
        assert finding["text"].keys() == {"lzh", "en", "ko"}
        assert finding["hollow"] in (True, False)
        assert finding["because"]
        assert all(isinstance(sentence, str) for sentence in finding["because"])
        for facets in finding["facets"].values():
            assert facets.keys() == {"branch", "general", "stars", "palace", "palace_stars"}
        for reading in finding["readings"]:
            assert reading.keys() >= {
                "iri",
                "base",
                "proposed",
                "kind",
                "status",
                "certainty",
                "agent",
                "evidence",
            }
    for omission in found["omitted"]:
        assert omission.keys() == {"heading", "judgments", "needs", "how", "partly", "sentence"}
        assert omission["judgments"] > 0
        assert omission["heading"] in omission["sentence"]


def test_an_instant_has_its_moon_and_bare_pillars_have_not(casting: Cast) -> None:
    of_instant, of_pillars = casting_json(casting(**INSTANT)), casting_json(casting(**PILLARS))
    assert of_instant["chart"]["instant"] == "2024-09-03T04:30:00+08:00"
    assert of_instant["omitted"] == []
    assert of_pillars["chart"]["instant"] is None
    assert {row["needs"] for row in of_pillars["omitted"]} == {"the day of the moon"}
    assert [row["sentence"] for row in of_pillars["omitted"]] == [
        "關隔有1條須知月相，未問：可給所占之時刻，如 2025-02-19T23:42"
    ]


def test_the_json_of_a_chart_casts_the_same_chart_again(cast_of: Casting) -> None:
    chart = json.loads(json.dumps(casting_json(cast_of)))["chart"]
    if chart["instant"]:
        place = {key: chart[key] for key in ("longitude", "latitude")}
        again = cast(chart["options"], instant=chart["instant"], **place)
    else:
        again = cast(chart["options"], general=chart["general"], **chart["pillars"])
    assert again.iri == chart["iri"]
    assert again == cast_of.chart


def test_only_the_sentences_speak_the_language_asked(casting: Cast) -> None:
    spoken = {language: casting_json(casting(**PILLARS), language) for language in ("zh", "ko", "en")}
    sentences = {
        language: [f.pop("because") for f in found["findings"]]
        + [o.pop("sentence") for o in found["omitted"]]
        for language, found in spoken.items()
    }
    assert spoken["zh"] == spoken["ko"] == spoken["en"]
    assert len({json.dumps(found) for found in sentences.values()}) == 3


def test_the_apparatus_that_bears_on_a_quote(casting: Cast) -> None:
    found = casting_json(casting(day="庚申", hour="子", general="亥", month="寅", year="巳"))["findings"]
    (finding,) = [f for f in found if f["quote"] == "初傳比干起於奪財，或因昆弟，或傷妻妾"]
    (reading,) = finding["readings"]
    assert (reading["base"], reading["proposed"]) == ("起於起於奪財", "起於奪財")
    assert (reading["status"], reading["certainty"]) == ("從", "確")


def test_everything_is_said_in_the_terms_of_the_art(crowd: Crowd, doctrine: Doctrine) -> None:
    """No internal name in any value, over a sample of the lessons; IRIs only where they belong."""
    for iri in list(crowd.charts)[::48]:
        found = casting_json(doctrine.cast(crowd.charts[iri]))
        for finding in found["findings"]:
            for key in ("iri", "judgment", "passage"):
                assert finding.pop(key).startswith("https://w3id.org/sanshi/id/")
            for clause in finding["hollowed_by"]:
                clause.pop("passage")
            for reading in finding["readings"]:
                reading.pop("iri")
        found["chart"].pop("iri")
        assert not re.search(r"https?:|shi:|None", json.dumps(found["findings"], ensure_ascii=False))


# RDF


def as_set(graph: Graph) -> set[tuple[str, str, str]]:
    return {tuple(node.n3() for node in triple) for triple in graph}  # type: ignore[misc]


def test_turtle_json_ld_and_rdflib_hold_the_same_triples(cast_of: Casting) -> None:
    turtle = Graph().parse(data=serialize(cast_of, "turtle"), format="turtle")
    json_ld = Graph().parse(data=serialize(cast_of, "jsonld"), format="json-ld")
    direct = to_rdflib(cast_of)
    assert as_set(turtle) == as_set(json_ld) == as_set(direct)
    assert len(direct) == len(triples(cast_of))


def test_serialisations_are_the_same_each_time(casting: Cast) -> None:
    for format_ in ("turtle", "jsonld"):
        assert serialize(casting(**PILLARS), format_) == serialize(casting(**PILLARS), format_)


def test_the_graph_says_what_the_json_says(cast_of: Casting) -> None:
    found, graph = casting_json(cast_of), to_rdflib(cast_of)
    chart = URIRef(found["chart"]["iri"])

    def shi(name: str) -> URIRef:
        return URIRef(TERMS + name)

    assert {str(o) for o in graph.objects(chart, shi("exhibits"))} == {
        f["judgment"] for f in found["findings"]
    }
    hollow = {f["judgment"] for f in found["findings"] if f["hollow"]}
    assert {str(o) for o in graph.objects(chart, shi("hollow"))} == hollow
    for finding in found["findings"]:
        node = URIRef(finding["iri"])
        assert graph.value(node, shi("chart")) == chart
        assert str(graph.value(node, shi("judgment"))) == finding["judgment"]
        assert graph.value(node, shi("isHollow")) == Literal(finding["hollow"])
        said = [str(o) for o in graph.objects(node, shi("because")) if o.language == "zh-hant"]  # type: ignore[union-attr]
        assert sorted(said) == sorted(finding["because"])


def test_the_graph_holds_the_facts_and_what_was_derived(cast_of: Casting) -> None:
    said = set(triples(cast_of))
    chart = NamedNode(cast_of.chart.iri)
    predicates = {t.predicate for t in said if t.subject == chart}
    assert predicates >= {
        term(name) for name in ("dayStem", "initial", "transmits", "chose", "exhibits", "hasPlace")
    }
    assert {t.predicate for t in said} >= {term("placeKin"), term("placeStage"), term("rides"), term("over")}


def test_turtle_is_written_with_our_prefixes(casting: Cast) -> None:
    text = serialize(casting(**PILLARS), "turtle")
    assert "shi:dayStem stem:01-jia" in text
    assert "@prefix shi: <https://w3id.org/sanshi/ontology#>" in text
