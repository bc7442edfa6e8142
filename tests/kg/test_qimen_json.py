"""The JSON of a Qimen chart: the keys that others parse, and values that are those of the board."""

from __future__ import annotations

import csv
import json
from pathlib import Path
from typing import Any

import pytest

from kg.casting_graph import serialize, to_rdflib
from kg.chart_json import casting_json
from kg.cosmos import BRANCHES, STEMS, sexagenary
from kg.findings import Doctrine
from kg.palaces import STARS
from kg.qimen_chart import QimenChart, cast

BOTH = {"iri", "art", "instant", "pillars", "void", "options"}
OWN = {"dun", "ju", "term", "term_used", "method", "palaces", "chief_star", "chief_door", "horse"}
DATA = Path(__file__).parents[1] / "data" / "qimen-plates.csv"


def board(doctrine: Doctrine, chart: QimenChart) -> dict[str, Any]:
    """The chart of the JSON, as one who parses it has it."""
    found = json.loads(json.dumps(casting_json(doctrine.cast(chart, [])), ensure_ascii=False))
    assert found.keys() >= {"chart", "findings", "omitted"}
    assert isinstance(found["chart"], dict)
    return found["chart"]


def reference() -> list[dict[str, str]]:
    with DATA.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))[::23]


@pytest.mark.parametrize("row", reference(), ids=lambda row: row["id"])
def test_the_board_is_that_of_the_reference_table(doctrine: Doctrine, row: dict[str, str]) -> None:
    chart = board(doctrine, cast({"spirits": "tiger"}, dun=row["dun"], ju=int(row["ju"]), hour=row["hour"]))
    assert (chart["dun"], chart["ju"], chart["horse"]) == (row["dun"], int(row["ju"]), row["horse_branch"])
    assert "".join(chart["void"]) == row["void_branches"]
    assert [p["number"] for p in chart["palaces"]] == list(range(1, 10))
    assert "".join(p["name"] for p in chart["palaces"]) == "坎坤震巽中乾兌艮離"
    void = {int(n) for n in row["void_palaces"].split()}
    for palace in chart["palaces"]:
        n = palace["number"]
        assert palace["earth"][0] == row[f"earth{n}"]
        assert palace["void"] == (n in void)
        if n == 5:
            assert (palace["heaven"], palace["star"], palace["door"], palace["spirit"]) == (
                [],
                [],
                None,
                None,
            )
            continue
        assert "".join(palace["heaven"]) == row[f"heaven{n}"]
        assert "".join(star[1] for star in palace["star"]) == row[f"star{n}"]
        assert palace["door"] == row[f"door{n}"] + "門"
        assert palace["spirit"] == row[f"spirit{n}"]
    assert chart["chief_star"] == {
        "name": row["zhifu_star"],
        "raw": int(row["zhifu_raw"]),
        "palace": int(row["zhifu_palace"]),
    }
    assert chart["chief_door"] == {
        "name": row["zhishi_door"] + "門",
        "raw": int(row["zhishi_raw"]),
        "palace": int(row["zhishi_palace"]),
    }


def test_the_chart_of_an_instant(doctrine: Doctrine) -> None:
    chart = board(
        doctrine, cast({"method": "zhirun"}, instant="2026-08-22T09:13", tz="Asia/Shanghai", birth="1980")
    )
    assert chart.keys() >= BOTH | OWN
    assert chart["instant"] == "2026-08-22T09:13:00+08:00"
    assert chart["pillars"] == {"year": "丙午", "month": "丙申", "day": "戊辰", "hour": "丁巳"}
    assert (chart["dun"], chart["ju"], chart["method"]) == ("陰", 1, "zhirun")
    assert (chart["term"], chart["term_used"]) == ("立秋", "處暑")
    assert chart["birth"]["year"] == "庚申"
    assert chart["options"]["method"] == "zhirun"


def test_what_is_not_known_is_null(doctrine: Doctrine) -> None:
    chart = board(doctrine, cast(dun="陽", ju=1, hour="甲子"))
    assert chart.keys() >= BOTH | OWN
    nothing = ("instant", "term", "term_used", "method", "yuan", "birth", "day_horse", "day_horse_palace")
    assert [key for key in nothing if chart[key] is not None] == []
    assert chart["pillars"] == {"year": None, "month": None, "day": None, "hour": "甲子"}


def test_the_void_is_that_of_the_school(doctrine: Doctrine) -> None:
    words = {"dun": "陽", "ju": 1, "hour": "甲子", "day": "甲午"}
    chart = cast({"void": "day"}, **{**words, "hour": "子"})  # type: ignore[arg-type]
    found = board(doctrine, chart)
    assert found["void"] == ["辰", "巳"]
    assert [p["number"] for p in found["palaces"] if p["void"]] == [4]


def test_a_flying_plate_fills_the_centre(doctrine: Doctrine) -> None:
    chart = board(doctrine, cast({"plate": "flying"}, dun="陽", ju=3, hour="丁丑"))
    centre = chart["palaces"][4]
    assert len(centre["heaven"]) == len(centre["star"]) == 1
    assert sum(len(p["star"]) for p in chart["palaces"]) == 9
    assert len({p["door"] for p in chart["palaces"]} - {None}) == 8, "the slot of 5 has no door"


def test_formats_have_a_name_a_palace_and_luck(doctrine: Doctrine) -> None:
    """飛鳥跌穴 of 遁甲演義 卷二: 陽九局 辛未時，丙 over 戊 at 離."""
    chart = board(doctrine, cast(dun="陽", ju=9, hour="辛未"))
    row = next(f for f in chart["formats"] if f["name"] == "飛鳥跌穴")
    assert row == {
        "id": "format:feiniao-diexue",
        "name": "飛鳥跌穴",
        "palace": 9,
        "luck": "吉",
        "counts": True,
    }
    assert {f["luck"] for f in chart["formats"]} <= {"吉", "平", "凶"}
    whole = [f for f in chart["formats"] if f["palace"] is None]
    assert all(f["counts"] for f in whole)


def test_values_are_the_terms_of_the_art(doctrine: Doctrine) -> None:
    chart = board(doctrine, cast(instant="2026-02-18T22:59", tz="Asia/Shanghai"))
    assert set(chart["void"]) <= set(BRANCHES)
    for palace in chart["palaces"]:
        assert set(palace["earth"] + palace["heaven"]) <= set(STEMS[1:])
        assert set(palace["star"]) <= {star.name for star in STARS}
    assert all(sexagenary(text) >= 0 for text in chart["pillars"].values())


# As RDF


def test_turtle_and_json_ld_say_the_same(doctrine: Doctrine) -> None:
    from rdflib import Graph
    from rdflib.compare import isomorphic

    casting = doctrine.cast(cast(dun="陰", ju=2, hour="丁卯", day="甲子"), [])
    turtle = Graph().parse(data=serialize(casting, "turtle"), format="turtle")
    linked = Graph().parse(data=serialize(casting, "jsonld"), format="json-ld")
    assert len(turtle) > 400
    assert isomorphic(turtle, linked)
    assert isomorphic(turtle, to_rdflib(casting))


def test_a_chart_is_the_same_text_each_time(doctrine: Doctrine) -> None:
    chart = cast(dun="陰", ju=2, hour="丁卯", day="甲子")
    assert serialize(doctrine.cast(chart, []), "turtle") == serialize(doctrine.cast(chart, []), "turtle")
