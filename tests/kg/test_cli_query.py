"""`sanshi query` and `sanshi sparql`: lists, rows in four forms, typed parameters, and how they fail."""

from __future__ import annotations

import csv
import io
import json
import re
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from pyoxigraph import RdfFormat, Store, parse
from rich.cells import cell_len

from kg.cli import main
from queries import named

Run = Callable[..., tuple[int, str, str]]
CHART = ["--day", "庚申", "--hour", "子", "--general", "亥", "--month", "寅", "--format", "json"]


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Run:
    """Run the command as the console script does, 80 columns wide: exit code, stdout, stderr."""
    monkeypatch.setenv("COLUMNS", "80")

    def command(*words: str) -> tuple[int, str, str]:
        monkeypatch.setattr(sys, "argv", ["sanshi", *words])
        code = 0
        try:
            main()
        except SystemExit as end:
            code = int(end.code or 0)
        out, err = capsys.readouterr()
        return code, out, err

    return command


# ---- the list


def test_the_list_has_every_name_whole_and_fits_80_columns(run: Run) -> None:
    code, out, _ = run("query")
    assert code == 0
    lines = [line.rstrip() for line in out.splitlines()]
    for name, query in named().items():
        assert name in lines
        for parameter in query.parameters:
            assert any(line.startswith(f"    --{parameter.name} {parameter.example}") for line in lines)
    assert max(map(cell_len, lines)) <= 80


def test_help_is_of_the_command_and_of_each_query(run: Run) -> None:
    code, out, _ = run("query", "--help")
    assert (code, "Usage: sanshi query" in out) == (0, True)
    for words in (["forms-that-differ", "--help"], ["--help", "forms-that-differ"]):
        code, out, err = run("query", *words)
        assert (code, err) == (0, "")
        assert [line.split()[0] for line in out.splitlines()] == [
            "forms-that-differ",
            "Which",
            "劫財)?",
            "--heading",
            "--other",
        ]


def test_questions_stand_before_checks(run: Run) -> None:
    out = run("query")[1]
    questions, checks = out.split("Checks: a row is a fault")
    assert "-violation" not in questions
    assert {line for line in checks.splitlines() if re.match(r"[a-z]", line)} >= {"quote-violation"}
    assert "judgments-of-heading" not in checks.split()


# ---- rows


def test_a_table_has_a_line_a_row_and_their_number(run: Run) -> None:
    code, out, _ = run("query", "headings-on-matter", "--matter", "父母")
    assert code == 0
    rows = [[cell.strip() for cell in line.strip("│").split("│")] for line in out.splitlines() if "│" in line]
    assert rows[0] == ["六壬經緯", "印綬", "1"]
    assert len(rows) == 4
    assert "4 rows" in out


def test_a_name_is_never_cut_where_the_table_is_too_narrow(run: Run) -> None:
    out = run("query", "judgments-of-heading", "--heading", "官訟")[1]
    assert "judgment  judgment:guansong-chain-backward" in out
    assert out.count("judgment  judgment:") == 10
    assert max(cell_len(line.rstrip()) for line in out.splitlines()) <= 80


def test_csv_is_read_back_by_csv(run: Run) -> None:
    code, out, _ = run("query", "judgments-named", "--name", "掩目", "--format", "csv")
    rows = list(csv.DictReader(io.StringIO(out)))
    assert code == 0
    assert [row["heading"] for row in rows] == ["恐懼", "文書", "喜慶"]


def test_json_is_sparql_results_with_language_tags(run: Run) -> None:
    out = run(
        "query", "judgments-of-heading-and-form", "--heading=印綬", "--form=支某干", "--format", "json"
    )[1]
    found = json.loads(out)
    assert found["head"]["vars"] == ["judgment", "quote", "gloss", "reading"]
    (row,) = found["results"]["bindings"]
    assert row["judgment"] == {"type": "uri", "value": "https://w3id.org/sanshi/id/judgment/yinshou-branch"}
    assert row["quote"] == {"type": "literal", "value": "支生干，彼助我", "xml:lang": "lzh-hant"}


def test_json_says_the_type_of_a_number(run: Run) -> None:
    out = run("query", "headings-on-matter", "--matter", "父母", "--format", "json")[1]
    clauses = json.loads(out)["results"]["bindings"][0]["clauses"]
    assert clauses == {
        "type": "literal",
        "value": "1",
        "datatype": "http://www.w3.org/2001/XMLSchema#integer",
    }


@pytest.mark.parametrize("format", [[], ["--format", "turtle"]])
def test_a_graph_is_turtle(run: Run, format: list[str]) -> None:
    code, out, _ = run("query", "construct-heading", "--heading", "前程", *format)
    assert code == 0
    assert "@prefix shi: <https://w3id.org/sanshi/ontology#>" in out
    assert any("前程 馬煞" in str(quad.object) for quad in parse(out.encode(), format=RdfFormat.TURTLE))


# ---- parameters


def test_a_heading_is_called_in_korean_or_by_its_prefixed_name(run: Run) -> None:
    ways = ["印綬", "인수", "Seal and Ribbon", "seal and ribbon", "pattern:yinshou"]
    ways.append("https://w3id.org/sanshi/id/pattern/yinshou")
    answers = {run("query", "judgments-of-heading", "--heading", way, "--format", "csv")[1] for way in ways}
    assert len(answers) == 1


def test_a_value_is_bound_and_never_pasted(run: Run) -> None:
    code, out, _ = run("query", "judgments-named", "--name", '掩目" || "" = "', "--format", "csv")
    assert code == 0
    assert out.splitlines() == ["heading,where,reading,quote,gloss,judgment"]


@pytest.mark.parametrize(
    ("words", "problem"),
    [
        (["judgments-of-heading"], "--heading is needed (a Heading, such as 印綬)"),
        (["judgments-of-heading", "--heading", "印授"], "no Heading is called '印授'; did you mean 印綬"),
        (["judgments-of-heading", "--header", "印綬"], "no parameter 'header'; it takes heading"),
        (["caveats", "--heading", "印綬"], "no parameter 'heading'; it takes no parameters"),
        (["judgments-of-heading", "--heading"], "--heading: '' is not accepted; give a value after it"),
        (["judgments-of-heading", "印綬"], "argument: '印綬' is not accepted"),
        (["judgment-of-heading", "--heading", "印綬"], "did you mean judgments-of-heading"),
        (["judgments-of-heading", "--heading", "form:branch-to-stem"], "form:branch-to-stem is no Heading"),
        (["caveats", "--format", "turtle"], "turtle is for a query that makes a graph"),
        (["construct-citations", "--format", "csv"], "csv is for a query with rows"),
        (["caveats", "--store", "/nowhere"], "/nowhere is no store"),
    ],
)
def test_a_fault_is_one_line_and_exit_code_2(run: Run, words: list[str], problem: str) -> None:
    code, out, err = run("query", *words)
    assert (code, out) == (2, "")
    assert problem in err
    assert err.count("\n") == 1


def test_a_violation_with_rows_exits_with_1(run: Run, tmp_path: Path) -> None:
    store = Store(str(tmp_path / "spoilt"))
    store.load(
        '@prefix shi: <https://w3id.org/sanshi/ontology#> . <urn:s> shi:quote "甲" ; shi:passage <urn:p> ;'
        " shi:reading <https://w3id.org/sanshi/id/reading/established> ."
        ' <urn:p> shi:baseText "乙" ; shi:establishedText "乙" .',
        format=RdfFormat.TURTLE,
    )
    store.flush()
    del store
    code, out, _ = run("query", "quote-violation", "--store", str(tmp_path / "spoilt"))
    assert code == 1
    assert "urn:s" in out
    assert run("query", "quote-violation")[0] == 0


# ---- charts and stores


def test_a_chart_as_json_is_cast_into_the_doctrine_first(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "chart.json"
    path.write_text(run("cast", "liuren", *CHART)[1], encoding="utf-8")
    words = ["findings-of-chart", "--chart", "chart:liuren-57-gengshen-h.zi-g.hai-m.yin", "--format", "csv"]
    code, out, _ = run("query", *words, "--with", str(path))
    assert code == 0
    headings = [row["heading"] for row in csv.DictReader(io.StringIO(out))]
    assert headings == ["印綬", "印綬", "劫財", "劫財", "失時", "失時", "闇昧", "闇昧"]
    code, _, err = run("query", *words, "--with", str(path), "--store", str(tmp_path))
    assert (code, err.count("\n")) == (2, 1)


def test_with_charts_the_doctrine_of_the_process_is_left_as_it_was(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "chart.json"
    path.write_text(run("cast", "liuren", *CHART)[1], encoding="utf-8")
    assert run("query", "caveats", "--with", str(path))[0] == 0
    code, out, err = run("query", "headings-by-frequency", "--format", "csv")
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert "headings-by-frequency is asked of charts that a store keeps" in err
    assert run("query", "headings-by-frequency", "--format", "csv", "--with", str(path))[1].count("\n") > 3


def test_sparql_knows_the_prefixes_and_reads_a_file(run: Run, tmp_path: Path) -> None:
    text = "SELECT ?label WHERE { pattern:yinshou rdfs:label ?label FILTER(LANGMATCHES(LANG(?label), 'ko')) }"
    path = tmp_path / "asked.rq"
    path.write_text(text, encoding="utf-8")
    for words in (text, f"@{path}"):
        code, out, _ = run("sparql", words, "--format", "csv")
        assert (code, out.splitlines()) == (0, ["label", "인수"])


def test_sparql_answers_yes_or_no(run: Run) -> None:
    out = run("sparql", "ASK { branch:01-zi shi:clashes branch:07-wu }", "--format", "csv")[1]
    assert out.splitlines() == ["answer", "true"]


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("SELECT", "not a SPARQL query"),
        ("@/nowhere/asked.rq", "query file: '/nowhere/asked.rq' is not accepted"),
        ("SELECT * WHERE { ?s nosuch:p ?o }", "not a SPARQL query"),
    ],
)
def test_what_is_no_query_is_one_line(run: Run, text: str, problem: str) -> None:
    code, out, err = run("sparql", text)
    assert (code, out) == (2, "")
    assert problem in err
    assert err.count("\n") == 1
