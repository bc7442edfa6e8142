"""Charts as JSON: read back they are the same nodes, with the same facts."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pyoxigraph import Store

from kg.calendar import parse_instant
from kg.chart_json import casting_json
from kg.cosmos import BRANCHES, pair
from kg.errors import InputError
from kg.facts import facts, quads
from kg.findings import shared
from kg.liuren_chart import LiurenChart, cast_instant, cast_pillars
from loaders import load


def reread(chart: LiurenChart, room: Path) -> Store:
    path = room / "chart.json"
    path.write_text(json.dumps(casting_json(shared().cast(chart)), ensure_ascii=False), encoding="utf-8")
    store = Store()
    loaded = load(store, path, format="chart")
    assert loaded[0].iri == chart.iri
    assert [done.status for done in load(store, path, format="chart")] == ["unchanged"]
    return store


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
    assert set(reread(chart, tmp_path_factory.mktemp("chart"))) == set(quads(facts(chart)))


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
    assert set(reread(chart, tmp_path)) == set(quads(facts(chart)))


def test_a_chart_of_true_sun_comes_back(tmp_path: Path) -> None:
    at = parse_instant("2025-02-19T06:42", "Asia/Seoul")
    chart = cast_instant(at, {"clock": "solar", "daylight": "sun"}, longitude=126.98, latitude=37.57)
    assert set(reread(chart, tmp_path)) == set(quads(facts(chart)))


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
