"""The treatise of docs/adding-a-treatise.md is loaded as it stands there, and its judgment is found."""

from __future__ import annotations

import re
from pathlib import Path

import kg

PAGE = Path(__file__).parents[2] / "docs" / "adding-a-treatise.md"


def test_the_example_of_the_page_is_found(tmp_path: Path) -> None:
    example = tmp_path / "example.ttl"
    blocks = re.findall(r"```turtle\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.S)
    example.write_text(blocks[0], encoding="utf-8")
    graph = kg.open(treatises=[example])
    shown = graph.cast(day="庚申", hour="子", general="亥")  # 酉 with 太陰 is the initial, over 戌
    assert "太陰臨戌，婢妾有言" in {finding.clause.quote for finding in shown.findings}
    hidden = graph.cast(day="甲子", hour="子", general="巳")
    assert "例" not in {finding.clause.heading for finding in hidden.findings}
