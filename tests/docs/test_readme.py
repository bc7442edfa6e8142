"""The README, in both languages: its commands print what it shows, its treatise is loaded, its addresses are there."""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest
from pyoxigraph import NamedNode

import kg
from kg.cli import main
from kg.findings import Doctrine

ROOT = Path(__file__).parents[2]
READMES = ("README.md", "README.ko.md")


def blocks(readme: str, language: str) -> list[str]:
    text = (ROOT / readme).read_text(encoding="utf-8")
    return re.findall(rf"```{language}\n(.*?)```", text, re.S)


@pytest.mark.parametrize(
    ("readme", "block"), [(readme, block) for readme in READMES for block in blocks(readme, "console")]
)
def test_a_command_prints_what_is_shown_in_this_order(
    readme: str, block: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    command, *shown = block.splitlines()
    program, *arguments = shlex.split(command.removeprefix("$ "))
    assert program == "sanshi"
    monkeypatch.setenv("COLUMNS", "200")
    monkeypatch.setattr(sys, "argv", [program, *arguments])
    with pytest.raises(SystemExit) as ended:
        main()
    assert not ended.value.code
    printed = iter([line.rstrip() for line in capsys.readouterr().out.splitlines()])
    missing = [line for line in shown if line != "…" and line not in printed]
    assert missing == []


def test_each_art_has_a_worked_question_in_each_language() -> None:
    for readme in READMES:
        commands = [block.split()[3] for block in blocks(readme, "console")]
        assert commands == ["liuren", "qimen"]


def test_both_languages_have_the_same_headings_tables_and_code() -> None:
    """What differs is what is said in a language: prose, comments, what a command prints, and `--lang`."""

    def skeleton(readme: str) -> list[str]:
        text = (ROOT / readme).read_text(encoding="utf-8")
        found = []
        for kind, code in re.findall(r"```(\w+)\n(.*?)```", text, re.DOTALL):
            lines = [line for line in code.splitlines() if kind != "console" or line.startswith("$ ")]
            if kind in ("sh", "console"):
                lines = [re.sub(r" --lang \w+|\s+# .*", "", line) for line in lines]
            found.append("\n".join([kind, *lines]))
        marks = re.findall(r"^(#+|\|)", text, re.MULTILINE)
        return [*found, *(mark for mark in marks), *re.findall(r"!\[[^]]*\](\(.*?\))", text)]

    english, korean = (skeleton(readme) for readme in READMES)
    assert len(english) > 20
    assert korean == english


def test_what_is_kept_can_be_asked(tmp_path: Path) -> None:
    (block,) = [block for block in blocks("README.md", "sh") if "sanshi load" in block]
    path = f"{Path(sys.executable).parent}:{os.environ['PATH']}"
    ran = subprocess.run(
        ["bash", "-e", "-c", block],
        cwd=tmp_path,
        env={**os.environ, "PATH": path},
        capture_output=True,
        text=True,
    )
    assert (ran.returncode, ran.stderr) == (0, "")
    assert "│ 劫財" in ran.stdout
    assert "<TEI" in (tmp_path / "liuren-jingwei.xml").read_text(encoding="utf-8")[:500]


@pytest.mark.parametrize("readme", READMES)
def test_the_python_of_the_page_runs(readme: str, capsys: pytest.CaptureFixture[str]) -> None:
    (code,) = blocks(readme, "python")
    exec(code, {})
    assert "印綬 支上生支，干上生干，彼我各自有助" in capsys.readouterr().out


def test_the_treatise_of_ten_lines_is_found(tmp_path: Path) -> None:
    (example,) = blocks("README.md", "turtle")
    assert len(example.splitlines()) == 10
    path = tmp_path / "example.ttl"
    path.write_text(example, encoding="utf-8")
    graph = kg.open(treatises=[path])
    shown = graph.cast(day="庚申", hour="子", general="亥")  # 酉 with 太陰 is the initial, over 戌
    assert "太陰臨戌，婢妾有言" in {finding.clause.quote for finding in shown.findings}


@pytest.mark.parametrize("readme", READMES)
def test_what_the_page_refers_to_is_there(readme: str, doctrine: Doctrine) -> None:
    text = (ROOT / readme).read_text(encoding="utf-8")
    files = re.findall(r"(?:docs|ontology)/[\w.-]+\.\w+", text)
    assert len(files) > 5
    assert [name for name in files if not (ROOT / name).exists()] == []
    addresses = re.findall(r"`(https://w3id\.org/sanshi/id/\S+?)`", text)
    assert addresses
    for address in addresses:
        assert any(doctrine.store.quads_for_pattern(NamedNode(address), None, None)), address
