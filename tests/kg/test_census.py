"""What a census says of its charts: the same as casting each by itself; what a plan refuses; the census as a store to ask."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import pytest
from pyoxigraph import RdfFormat, Store, parse

import kg
from kg import census
from kg.asking import ask, sparql
from kg.census_plan import DAYS, JU, Plan, QimenPlan, plan, qimen_plan
from kg.census_rows import lines
from kg.cli import main
from kg.cosmos import sexagenary, with_stem
from kg.errors import InputError
from kg.facts import term
from kg.findings import Doctrine
from ontology import shorten
from queries import get, named

DAY = "庚申"
PLAN = plan(months=("寅",), readings=("established", "base"), days=(DAY,))


@pytest.fixture(scope="module")
def part(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The part of one day: 144 charts, in both states of the text."""
    path = tmp_path_factory.mktemp("census") / "day.nq"
    assert census.write_part(PLAN, DAY, path) == 288
    return path


@pytest.fixture(scope="module")
def taken(tmp_path_factory: pytest.TempPathFactory) -> Store:
    """The same as a store on disk."""
    return Store.read_only(str(census.take(tmp_path_factory.mktemp("taken"), PLAN, processes=1)))


def test_a_census_finds_what_casting_finds(part: Path, doctrine: Doctrine) -> None:
    said: dict[str, set[tuple[str, str]]] = {}
    for quad in parse(path=str(part), format=RdfFormat.N_QUADS):
        if quad.predicate in (term("exhibits"), term("hollow")):
            said.setdefault(quad.subject.value, set()).add((quad.predicate.value, quad.object.value))
    charts = list(PLAN.charts(DAY))
    assert len(charts) == PLAN.size == 288
    for chart in charts[::7]:
        findings = doctrine.cast(chart).findings
        wanted = {(term("exhibits").value, f.clause.iri) for f in findings}
        wanted |= {(term("hollow").value, f.clause.iri) for f in findings if f.hollow}
        assert said.get(chart.iri, set()) == wanted, chart.iri


def test_a_chart_is_written_with_its_inputs_and_its_transmissions(taken: Store) -> None:
    chart = "<https://w3id.org/sanshi/id/chart/liuren-57-gengshen-h.zi-g.hai-m.yin>"
    rows = sparql(
        taken, f"SELECT ?p ?o WHERE {{ {chart} ?p ?o FILTER(?p != shi:exhibits) }} ORDER BY ?p"
    ).plain()
    said = {row["p"].partition(":")[2]: row["o"] for row in rows}
    assert said["dayPair"] == "pair:57-gengshen"
    assert (said["hourBranch"], said["monthGeneral"], said["monthBranch"]) == (
        "branch:01-zi",
        "branch:12-hai",
        "branch:03-yin",
    )
    assert said["method"] == "八專"
    assert [said[f"{n}Transmitted"] for n in ("first", "second", "third")] == [
        "branch:10-you",
        "branch:08-wei",
        "branch:08-wei",
    ]


def test_the_store_of_a_census_is_asked_by_named_queries(taken: Store) -> None:
    chart = {"chart": "chart:liuren-57-gengshen-h.zi-g.hai-m.yin"}
    found = ask(taken, get("findings-of-chart"), chart).plain()
    assert [row["heading"] for row in found] == [
        "印綬",
        "印綬",
        "劫財",
        "劫財",
        "失時",
        "失時",
        "闇昧",
        "闇昧",
    ]
    frequent = ask(taken, get("headings-by-frequency")).plain()
    assert 0 < int(frequent[0]["charts"]) <= 288
    methods = {row["method"]: int(row["charts"]) for row in ask(taken, get("methods-by-frequency")).plain()}
    assert (methods["伏吟"], methods["返吟"]) == (24, 24), "one offset of twelve each, in both states"
    assert sum(methods.values()) == 288
    missing = {row["judgment"] for row in ask(taken, get("judgments-never-found")).plain()}
    assert "judgment:yinshou-branch" in missing, "申 does not generate 庚"
    assert "judgment:jiecai-branch" not in missing, "but is of its metal"


def test_the_counts_it_keeps_are_those_of_its_charts(taken: Store) -> None:
    kept = {
        (row["heading"], row["other"]): (row["both"], row["these"], row["those"])
        for row in ask(taken, get("headings-by-lift")).plain()
    }
    for heading in ("印綬", "劫財", "失時"):
        rows = ask(taken, get("headings-beside-heading"), {"heading": heading}).plain()
        assert len(rows) > 10
        for row in rows:
            both, these, those = row["both"], row["these"], row["those"]
            found = kept.get((heading, row["other"])) or kept[row["other"], heading]
            assert found == (
                (both, these, those) if (heading, row["other"]) in kept else (both, those, these)
            )
    counted = "SELECT (SUM(?n) AS ?all) (COUNT(*) AS ?sequences) WHERE { ?s a shi:Sequence ; shi:charts ?n }"
    (row,) = sparql(taken, counted).plain()
    assert row["all"] == "288"
    listed = "SELECT (COUNT(DISTINCT ?t) AS ?n) WHERE { ?c shi:firstTransmitted ?a ; shi:secondTransmitted ?b ; shi:thirdTransmitted ?d BIND(CONCAT(STR(?a), STR(?b), STR(?d)) AS ?t) }"
    assert sparql(taken, listed).plain() == [{"n": row["sequences"]}]


def test_the_base_text_is_judged_by_its_own_judgments(taken: Store) -> None:
    text = "SELECT DISTINCT ?state WHERE { ?chart shi:exhibits judgment:jiecai-branch ; shi:chose ?state }"
    assert sparql(taken, text).plain() == [{"state": "reading:established"}]


@pytest.mark.parametrize(
    ("given", "problem"),
    [
        ({"months": ("寅", "鼠")}, "months: '鼠' is not accepted; give branches of 子丑寅卯"),
        ({"years": ("甲",)}, "years: '甲' is not accepted"),
        ({"months": ()}, "months: '' is not accepted; give branches"),
        ({"months": ("寅卯",)}, "months: '寅卯' is not accepted"),
        ({"days": ("甲丑",)}, "甲丑"),
        ({"days": ("甲子", "")}, "days: '' is not accepted"),
        ({"days": ()}, "days: '' is not accepted"),
        ({"readings": ("established", "")}, "reading: '' is not accepted; give established, base"),
        ({"readings": ()}, "reading: '' is not accepted"),
        ({"readings": ("read",)}, "reading: 'read' is not accepted; give established, base"),
        ({"options": {"shehai": "deep"}}, "shehai: 'deep'"),
    ],
)
def test_what_is_no_plan_is_refused(given: dict[str, tuple[str, ...]], problem: str) -> None:
    with pytest.raises(InputError, match=problem):
        plan(**given)  # type: ignore[arg-type]


def test_what_is_named_twice_is_counted_once() -> None:
    assert plan(months=("寅", "寅"), days=(DAY, DAY)) == plan(months=("寅",), days=(DAY,))
    assert Plan().parts == DAYS


def test_every_chart_of_a_day_is_another(part: Path) -> None:
    charts = list(PLAN.charts(DAY))
    assert len({chart.iri for chart in charts}) == len(charts)
    written = part.read_text(encoding="utf-8").splitlines()
    assert len(set(written)) == len(written)
    assert sum(line.endswith("ontology#LiurenChart> .") for line in written) == len(charts)
    first = "".join(lines(charts[0], census._judged([charts[0]])[charts[0].iri]))
    assert part.read_text(encoding="utf-8").startswith(first)


@pytest.mark.parametrize(
    ("words", "problem"),
    [
        (["--months", "鼠"], "months: '鼠'"),
        (["--months", ""], "months: ''"),
        (["--readings", "established,"], "reading: '' is not accepted; give established, base"),
        (["--nquads", "--parquet"], "--parquet: '--nquads' is not accepted"),
        (["--shehai", "deep"], "shehai: 'deep'"),
        (["--days", "甲"], "days: '甲'"),
    ],
)
def test_a_fault_is_one_line_before_anything_is_written(
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    tmp_path: Path,
    words: list[str],
    problem: str,
) -> None:
    out = tmp_path / "census"
    monkeypatch.setattr(sys, "argv", ["sanshi", "census", "liuren", "--out", str(out), *words])
    with pytest.raises(SystemExit) as end:
        main()
    err = capsys.readouterr().err
    assert end.value.code == 2
    assert problem in err
    assert err.count("\n") == 1
    assert not out.exists()


def test_a_census_of_qimen_says_what_casting_says(tmp_path: Path, doctrine: Doctrine) -> None:
    planned = qimen_plan("bare", readings=("established", "base"), parts=["陰9"])
    path = census.take(tmp_path, planned, processes=1)
    said: dict[str, set[str]] = {}
    store = Store.read_only(str(path))
    for quad in store.quads_for_pattern(None, term("exhibits"), None):
        said.setdefault(quad.subject.value, set()).add(quad.object.value)
    charts = list(planned.charts("陰9"))
    assert len(charts) == planned.size == 120
    for chart in charts[::11]:
        assert said.get(chart.iri, set()) == {f.clause.iri for f in doctrine.cast(chart).findings}, chart.iri
    rows = ask(store, get("findings-of-chart"), {"chart": next(iter(said))}).plain()
    assert {row["judgment"] for row in rows} == {shorten(node) for node in said[next(iter(said))]}


def test_a_census_is_opened_and_asked_by_name(tmp_path: Path) -> None:
    graph = kg.open(census.take(tmp_path, plan(months=("寅",), days=("庚申",)), processes=1))
    for query in named().values():
        if query.asked_of:
            given = {parameter.name: parameter.example for parameter in query.parameters}
            assert graph.query(query.name, **given).columns == query.columns
    assert sum(int(row["charts"]) for row in graph.query("methods-by-frequency")) == 144


def test_the_pillars_of_a_set_fit_the_hour_of_each_plate() -> None:
    charts = [chart for part in JU for chart in QimenPlan().charts(part)]
    assert len({chart.iri for chart in charts}) == 6 * 1080
    for chart in charts[::97]:
        day, hour = chart.pillars["day"], chart.pillars["hour"]
        assert day is not None and hour is not None
        assert hour == with_stem(hour[1], "hour", 2 * (sexagenary(day) % 5))
        assert chart.birth is not None


@pytest.mark.parametrize(
    ("given", "problem"),
    [
        ({"pillars": "none"}, "bare, seasons"),
        ({"parts": ["陽0"]}, "陽1"),
        ({"parts": ["陽1", ""]}, "ju: '' is not accepted"),
        ({"parts": []}, "ju: '' is not accepted"),
        ({"readings": ["x"]}, "base"),
        ({"readings": []}, "reading: '' is not accepted"),
    ],
)
def test_what_is_no_plan_of_qimen_is_refused(given: dict[str, Any], problem: str) -> None:
    with pytest.raises(InputError, match=problem):
        qimen_plan(**given)
