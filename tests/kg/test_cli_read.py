"""`sanshi read`: by what names a passage is found, how its text is read, and what stands beneath it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from kg.cli import read as command
from kg.cli.app import app
from kg.errors import InputError, StoreError
from kg.store import collection
from loaders import load

SAMPLES = Path(__file__).parents[1] / "data" / "samples"


@pytest.fixture(autouse=True)
def directory(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """The place of the user's own store, in which nothing is."""
    monkeypatch.delenv("SANSHI_STORE", raising=False)
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    return tmp_path / "sanshi" / "store"


def run(*words: str) -> str:
    result = CliRunner().invoke(app, [command.read.__name__, *words], catch_exceptions=False)
    assert result.exit_code == 0
    return result.stdout


@pytest.mark.parametrize(
    "words",
    [
        ("passage:xuantai-2",),
        ("https://w3id.org/sanshi/id/passage/xuantai-2",),
        ("卷三·懸胎·2",),
        ("六壬經緯", "3.1.2"),
        ("liuren-jingwei 3.1.2",),
    ],
)
def test_a_passage_is_found_by_each_of_its_names(words: tuple[str, ...]) -> None:
    (told,) = json.loads(run(*words, "--format", "json"))
    assert (told["passage"], told["locator"], told["ref"]) == ("passage:xuantai-2", "卷三·懸胎·2", "3.1.2")
    assert told["citation"].startswith("毛志道《六壬經緯》卷三·懸胎·2")


@pytest.mark.parametrize("heading", ["懸胎", "현태", "Suspended Womb"])
def test_a_heading_is_read_whole_by_its_name_in_any_language(heading: str) -> None:
    told = json.loads(run(heading, "--format", "json"))
    assert [passage["ref"] for passage in told] == ["3.1.1", "3.1.2"]


def test_three_readings_of_one_passage() -> None:
    shown = {mode: run("卷三·懸胎·2", "--mode", mode) for mode in ("base", "established", "apparatus")}
    assert "有始動終怠之形" in shown["base"]
    assert "有始勤終怠之形" in shown["established"]
    assert "有始勤終怠〔底本「始動終怠」；三式編者（錯字，確，從）〕之形" in shown["apparatus"]


def test_a_translation_stands_beneath_its_passage_once_it_is_loaded(directory: Path) -> None:
    before = run("卷三·懸胎·2")
    load(collection(directory), SAMPLES / "bilingual.txt", format="bilingual", work="liuren-jingwei")
    after = run("卷三·懸胎·2").splitlines()
    where = after.index("견본(見本), bilingual.txt (ko)")
    assert after[where + 1] == (
        "순현태와 역현태를 계절로 나눈다. 셋 가운데 비는 것이 있으면 이 이름으로 논하지 않는다."
    )
    assert "\n".join(after[:where] + after[where + 2 :]) + "\n" == before


@pytest.mark.parametrize("words", [["無此"], ["六壬經緯", "9.9.9"], ["某書", "3.1.1"], ["3"], [""]])
def test_what_is_nowhere_is_refused_with_what_is_accepted(words: list[str]) -> None:
    with pytest.raises(InputError, match="is not accepted; give"):
        run(*words)


def test_a_store_that_is_none_is_refused(tmp_path: Path) -> None:
    with pytest.raises(StoreError, match="no store can be read there"):
        run("懸胎", "--store", str(tmp_path / "nowhere"))
