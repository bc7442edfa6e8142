"""`sanshi load`: what it prints, where it writes, how it ends, and what can then be asked of the store."""

from __future__ import annotations

import csv
import json
import subprocess
import sys
from pathlib import Path

import pytest
from pyoxigraph import Literal, Quad, RdfFormat, Store, parse

from kg import liuren_chart, qimen_chart
from kg.chart_json import casting_json
from kg.facts import TYPE, Chart, term, thing
from kg.findings import shared
from kg.store import DOCTRINE, collection, opened, own, value
from kg.topics import judged
from loaders import load
from ontology import expand


def sanshi(
    *words: str | Path, env: dict[str, str] | None = None, command: str = "load"
) -> subprocess.CompletedProcess[str]:
    import os

    command_line = [sys.executable, "-c", "from kg.cli import main; main()", command, *map(str, words)]
    return subprocess.run(
        command_line,
        capture_output=True,
        text=True,
        encoding="utf-8",
        check=False,
        env={**os.environ, **(env or {})},
    )


def test_a_translation_is_loaded_and_said(samples: Path, tmp_path: Path) -> None:
    directory = tmp_path / "store"
    words = [samples / "bilingual.txt", "--format", "bilingual", "--work", "mine", "--title", "本"]
    first = sanshi(*words, "--store", directory)
    assert (first.returncode, first.stderr) == (0, "")
    assert first.stdout.splitlines() == [
        "bilingual.txt: new, 1 line, 6 translations, for 5 passages of the treatises",
        f"store: {directory}",
    ]
    again = sanshi(*words, "--store", directory)
    assert again.stdout.splitlines()[0] == "bilingual.txt: unchanged"
    assert value(Store(str(directory)), thing("passage:xuantai-1"), "translation").startswith("세 전이")


def test_a_fault_is_one_line_and_ends_with_2(samples: Path, tmp_path: Path) -> None:
    path = samples / "faulty" / "lines-no-tab.txt"
    result = sanshi(
        path, "--format", "lines", "--work", "mine", "--title", "本", "--store", tmp_path / "store"
    )
    assert (result.returncode, result.stdout) == (2, "")
    assert result.stderr == f"sanshi: {path}, line 3: no TAB; give locator<TAB>text as in the lines before\n"


def test_the_store_is_where_the_environment_says(samples: Path, tmp_path: Path) -> None:
    words = [samples / "chart-pillars.json", "--format", "chart"]
    named = sanshi(*words, env={"SANSHI_STORE": str(tmp_path / "named")})
    assert named.stdout.splitlines()[-1] == f"store: {tmp_path / 'named'}"
    data = {"SANSHI_STORE": "", "XDG_DATA_HOME": str(tmp_path / "data")}
    assert (
        sanshi(*words, env=data).stdout.splitlines()[-1] == f"store: {tmp_path / 'data' / 'sanshi' / 'store'}"
    )


def test_a_store_in_use_is_refused(samples: Path, tmp_path: Path) -> None:
    held = Store(str(tmp_path / "store"))
    result = sanshi(samples / "chart-pillars.json", "--format", "chart", "--store", tmp_path / "store")
    assert result.returncode == 2
    assert "that no one else writes to" in result.stderr
    assert result.stderr.count("\n") == 1
    assert len(held) == 0


@pytest.mark.parametrize(
    "chart",
    [
        liuren_chart.cast(day="庚申", hour="子", general="亥", month="寅"),
        qimen_chart.cast(
            dun="陽", ju=1, hour="丙寅", day="甲子", month="寅", year="甲子", birth="1980-05-05T10:00+08:00"
        ),
    ],
    ids=["liuren", "qimen"],
)
def test_what_is_found_in_a_chart_is_asked_of_the_store(chart: Chart, tmp_path: Path) -> None:
    path, store = tmp_path / "chart.json", tmp_path / "store"
    casting = judged(shared(), chart)
    path.write_text(json.dumps(casting_json(casting), ensure_ascii=False), encoding="utf-8")
    assert sanshi(path, "--format", "chart", "--store", store).returncode == 0
    charts = {chart.iri} | ({casting.natal.chart.iri} if casting.natal else set())
    found = set()
    for iri in charts:
        words = ["findings-of-chart", "--chart", iri, "--format", "csv", "--store", str(store)]
        answer = sanshi(*words, command="query")
        assert (answer.returncode, answer.stderr) == (0, "")
        rows = list(csv.DictReader(answer.stdout.splitlines()))
        assert all(row["quote"] and row["heading"] for row in rows)
        found |= {(iri, expand(row["judgment"])) for row in rows}
    assert found == {(finding.hit.chart.value, finding.clause.iri) for finding in casting.findings}
    assert len(found) > 7


def test_the_doctrine_beside_the_users_own_is_that_of_this_version(samples: Path, tmp_path: Path) -> None:
    store = collection(tmp_path / "store")
    load(store, samples / "chart-pillars.json", format="chart")
    mine = set(own(store))
    whole = len(store)
    state = next(store.quads_for_pattern(DOCTRINE, term("digest"), None, DOCTRINE))
    store.remove(state)
    store.add(Quad(DOCTRINE, term("digest"), Literal("older"), DOCTRINE))
    store.add(Quad(thing("pattern:gone"), TYPE, term("Pattern"), DOCTRINE))
    store.flush()
    del store
    again = collection(tmp_path / "store")
    assert (len(again), set(own(again))) == (whole, mine)
    assert state in again
    assert not list(again.quads_for_pattern(thing("pattern:gone"), None, None))


def test_an_export_of_a_store_has_what_was_loaded_alone(samples: Path, tmp_path: Path) -> None:
    store = tmp_path / "store"
    sanshi(samples / "chart-pillars.json", "--format", "chart", "--store", store)
    written = sanshi("nquads", "--store", store, command="export").stdout
    assert set(parse(written, RdfFormat.N_QUADS)) == set(own(opened(store)))
    assert "judgment/yinshou-1> <http://www.w3.org" not in written


def test_without_a_doctrine_there_is_no_answer(samples: Path, tmp_path: Path) -> None:
    store = Store(str(tmp_path / "store"))
    load(store, samples / "chart-pillars.json", format="chart")
    del store
    answer = sanshi("headings", "--store", tmp_path / "store", command="query")
    assert (answer.returncode, answer.stdout) == (2, "")
    assert answer.stderr.startswith("sanshi: the store has no doctrine to ask; `sanshi load`")
    assert answer.stderr.count("\n") == 1
