"""The notebook of the documentation runs from top to bottom, and shows what its words say."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import nbformat
import pytest
from nbclient import NotebookClient

ROOT = Path(__file__).parents[2]
PATH = ROOT / "docs" / "notebook.ipynb"


@pytest.fixture(scope="module")
def ran(tmp_path_factory: pytest.TempPathFactory) -> Mapping[str, str]:
    """What each cell of code shows, by its source; the notebook knows of the project only what is installed."""
    notebook = nbformat.read(PATH, as_version=4)
    folder = tmp_path_factory.mktemp("notebook")
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(ROOT), os.environ.get("PYTHONPATH", "")])}
    client = NotebookClient(
        notebook, timeout=120, kernel_name="python3", resources={"metadata": {"path": str(folder)}}
    )
    client.execute(env=environment)
    return {
        cell.source: "\n".join(map(shown, cell.outputs))
        for cell in notebook.cells
        if cell.cell_type == "code"
    }


def shown(output: Mapping[str, Any]) -> str:
    data = output.get("data", {})
    return str(output.get("text") or data.get("text/html") or data.get("text/plain"))


def of(ran: Mapping[str, str], words: str) -> str:
    (found,) = (text for source, text in ran.items() if words in source)
    return found


def test_it_is_kept_without_outputs() -> None:
    notebook = nbformat.read(PATH, as_version=4)
    nbformat.validate(notebook)
    for cell in notebook.cells:
        if cell.cell_type == "code":
            assert cell.outputs == []
            assert cell.execution_count is None


def test_every_cell_shows_something(ran: Mapping[str, str]) -> None:
    assert len(ran) > 15
    for source, text in ran.items():
        assert text.strip(), source


def test_the_liuren_chart_is_shown_with_its_plate(ran: Mapping[str, str]) -> None:
    page = of(ran, "\ncasting")
    assert "Heaven plate over the twelve palaces" in page
    assert page.count("<article>") == 8
    assert "闇昧" in page


def test_a_reason_is_given_in_three_languages(ran: Mapping[str, str]) -> None:
    text = of(ran, "finding.because")
    assert text.startswith("臨戌曰被察，當憂怪異 · 卷三·闇昧·1")
    assert [line for line in text.splitlines() if line in ("zh", "ko", "en")] == ["zh", "ko", "en"]


def test_what_the_witness_lacks_is_named(ran: Mapping[str, str]) -> None:
    established, witnessed = of(ran, "(casting, witnessed)").splitlines()
    assert "支比干，彼奪我財" in established
    assert witnessed == "['初傳比干起於起於奪財，或因昆弟，或傷妻妾']"


def test_simplified_characters_find_the_text_as_it_stands(ran: Mapping[str, str]) -> None:
    assert "[游魚]之吞餌" in of(ran, "graph.search")


def test_the_lost_thing_is_of_the_palace_of_the_hour_stem(ran: Mapping[str, str]) -> None:
    page = of(ran, 'topic="占失物")\nlost')
    assert "The nine palaces" in page
    assert "占失物" in page
    assert "占官司" not in page


def test_the_school_changes_what_was_worked_out_by_hand(ran: Mapping[str, str]) -> None:
    table = of(ran, "changes-by-school")
    assert table.count("<td>lost</td>") == 4
    assert table.count("<td>gained</td>") == 5


def test_twelve_places_of_the_text_draw_on_the_changes(ran: Mapping[str, str]) -> None:
    lines = of(ran, "drawing-on-work").splitlines()
    assert len(lines) == 12
    assert lines[0] == "卷三·關隔·2 羝羊觸藩 ← 羝羊觸藩羸其角"
