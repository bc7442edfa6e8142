"""Charts as JSON: read back they are the same nodes, with the same facts."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pyoxigraph import Quad, Store

from kg import qimen_chart
from kg.asking import ask
from kg.calendar import parse_instant
from kg.casting_graph import triples
from kg.chart_json import casting_json
from kg.cosmos import BRANCHES, pair
from kg.errors import InputError, SanshiError
from kg.facts import Chart
from kg.findings import shared
from kg.liuren_chart import cast_instant, cast_pillars
from kg.store import collection
from kg.topics import judged
from loaders import load
from ontology import expand
from queries import get


def reread(chart: Chart, room: Path) -> Store:
    path = room / "chart.json"
    path.write_text(json.dumps(casting_json(judged(shared(), chart)), ensure_ascii=False), encoding="utf-8")
    store = Store()
    loaded = load(store, path, format="chart")
    assert loaded[0].iri == chart.iri
    assert [done.status for done in load(store, path, format="chart")] == ["unchanged"]
    return store


def told(chart: Chart) -> set[Quad]:
    """All that is said of a chart: its facts, and what is found in it."""
    return {Quad(*triple) for triple in triples(judged(shared(), chart))}


@settings(max_examples=15, deadline=None)
@given(
    day=st.integers(0, 59),
    hour=st.integers(0, 11),
    general=st.integers(0, 11),
    month=st.none() | st.integers(0, 11),
    shehai=st.sampled_from(["mengzhong", "depth"]),
)
def test_a_chart_of_pillars_comes_back(
    day: int,
    hour: int,
    general: int,
    month: int | None,
    shehai: str,
    tmp_path_factory: pytest.TempPathFactory,
) -> None:
    chart = cast_pillars(
        pair(day),
        BRANCHES[hour],
        BRANCHES[general],
        month=None if month is None else BRANCHES[month],
        given={"shehai": shehai},
    )
    assert set(reread(chart, tmp_path_factory.mktemp("chart"))) == told(chart)


@pytest.mark.parametrize(
    ("instant", "zone", "options"),
    [
        ("2025-02-19T23:42", "Asia/Shanghai", {}),
        ("2025-02-19T23:42", "Asia/Shanghai", {"boundary": "00:00"}),
        ("2024-07-04T09:20:30", "America/New_York", {"noble": "yangniu"}),
    ],
)
def test_a_chart_of_an_instant_comes_back(
    instant: str, zone: str, options: dict[str, str], tmp_path: Path
) -> None:
    chart = cast_instant(parse_instant(instant, zone), options)
    assert set(reread(chart, tmp_path)) == told(chart)


def test_a_chart_of_local_mean_time_comes_back(tmp_path: Path) -> None:
    """Once an offset with seconds, that of Shanghai until 1901, was written and could not be read."""
    chart = cast_instant(parse_instant("1900-06-01T12:00", "Asia/Shanghai"))
    assert chart.iri.endswith("liuren-19000601T120000p080543")
    assert set(reread(chart, tmp_path)) == told(chart)


def test_a_chart_of_true_sun_comes_back(tmp_path: Path) -> None:
    at = parse_instant("2025-02-19T06:42", "Asia/Seoul")
    chart = cast_instant(at, {"clock": "solar", "daylight": "sun"}, longitude=126.98, latitude=37.57)
    assert set(reread(chart, tmp_path)) == told(chart)


@pytest.mark.parametrize(
    "inputs",
    [
        {"instant": "2026-02-18T22:59", "tz": "Asia/Shanghai"},
        {"instant": "2026-02-18T22:59", "tz": "Asia/Shanghai", "birth": "1980"},
        {"instant": "2026-02-18T22:59:30", "tz": "Asia/Seoul", "birth": "1980-01-20T08:00"},
        {"dun": "陽", "ju": 1, "hour": "甲子"},
        {"dun": "陰", "ju": 9, "hour": "子", "day": "乙卯", "month": "寅", "year": "甲子", "birth": "庚申"},
        {"dun": "陰", "ju": 9, "hour": "丙子", "birth": "1980-05-05T10:00+08:00"},
        {"dun": "陰", "ju": 9, "hour": "丙子", "month": "寅", "year": "子"},
    ],
)
@pytest.mark.parametrize("options", [{}, {"plate": "flying", "jia": "wu"}])
def test_a_qimen_chart_comes_back(inputs: dict[str, Any], options: dict[str, str], tmp_path: Path) -> None:
    """Once only charts of Liuren could be read."""
    chart = qimen_chart.cast(options, **inputs)
    assert set(reread(chart, tmp_path)) == told(chart)


def test_a_qimen_chart_of_true_sun_and_of_another_method_comes_back(tmp_path: Path) -> None:
    options = {"clock": "solar", "method": "zhirun", "threshold": "9"}
    chart = qimen_chart.cast(options, instant="2025-02-19T06:42", tz="Asia/Seoul", longitude=126.98)
    assert set(reread(chart, tmp_path)) == told(chart)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"ju": "1"}, 'chart.ju is "1"; give a number from 1 to 9'),
        ({"ju": 2}, "its inputs give"),
        ({"dun": None}, "chart.dun is null; give a text"),
        ({"pillars": {"day": "甲子"}}, "chart.pillars.hour is missing"),
        ({"birth": {"day": "甲子"}}, "chart.birth has neither instant nor year"),
        ({"horse_palace": 3}, "chart.horse_palace is 3, but its inputs give 8"),
    ],
)
def test_a_faulty_qimen_chart_is_refused(change: dict[str, Any], message: str, tmp_path: Path) -> None:
    written = casting_json(shared().cast(qimen_chart.cast(dun="陽", ju=1, hour="甲子"), []))["chart"]
    path = tmp_path / "chart.json"
    path.write_text(json.dumps(written | change, ensure_ascii=False), encoding="utf-8")
    with pytest.raises(SanshiError, match=re.escape(message)):
        load(Store(), path, format="chart")


def test_the_chart_alone_and_the_whole_answer_are_read(samples: Path, store: Store) -> None:
    files = [samples / "chart-instant.json", samples / "chart-pillars.json"]
    done = load(store, files, format="chart")
    assert [loaded.iri.rpartition("/")[2] for loaded in done] == [
        "liuren-20250219T234200p0800",
        "liuren-57-gengshen-h.zi-g.hai-m.yin-y.si",
    ]


def test_a_chart_has_no_work(samples: Path, store: Store) -> None:
    with pytest.raises(InputError, match="neither work nor title"):
        load(store, samples / "chart-instant.json", format="chart", work="mine")


@pytest.mark.parametrize(
    "chart",
    [cast_pillars("庚申", "子", "亥", month="寅"), qimen_chart.cast(dun="陽", ju=1, hour="甲子", month="寅")],
    ids=["liuren", "qimen"],
)
def test_what_is_found_in_a_loaded_chart_can_be_asked(chart: Chart, tmp_path: Path) -> None:
    path = tmp_path / "chart.json"
    path.write_text(json.dumps(casting_json(judged(shared(), chart)), ensure_ascii=False), encoding="utf-8")
    store = collection(tmp_path / "store")
    load(store, path, format="chart")
    rows = ask(store, get("findings-of-chart"), {"chart": chart.iri}).plain()
    found = [finding.clause.iri for finding in judged(shared(), chart).findings]
    assert [expand(row["judgment"]) for row in rows] == found, "in the order of the book"
    assert len(found) > 3
