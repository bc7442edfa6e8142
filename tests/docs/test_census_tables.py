"""The tables and the picture of the census: they count the same charts, and the picture is what the table gives."""

from __future__ import annotations

import runpy
from pathlib import Path

from kg.facts import term
from kg.findings import Doctrine
from kg.store import instances
from ontology import shorten

FOLDER = Path(__file__).parents[2] / "docs" / "census"
DRAW = runpy.run_path(str(FOLDER / "draw.py"))


def test_the_picture_is_drawn_from_the_table() -> None:
    charts = sum(int(row["charts"]) for row in DRAW["table"]("methods-by-frequency"))
    assert charts == 17280
    drawn = DRAW["picture"](DRAW["table"]("headings-by-frequency"), charts)
    assert (FOLDER / "frequency.svg").read_text(encoding="utf-8") == drawn


def test_found_and_never_found_are_all_judgments_of_liuren(doctrine: Doctrine) -> None:
    found = {row["judgment"] for row in DRAW["table"]("judgments-by-frequency")}
    never = {row["judgment"] for row in DRAW["table"]("judgments-never-found")}
    known = {
        shorten(judgment.value)
        for judgment in instances(doctrine.store, "Judgment")
        if list(doctrine.store.quads_for_pattern(judgment, term("pattern"), None))
    }
    assert not found & never
    assert found | never == known
