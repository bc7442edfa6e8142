"""`sanshi load`: what it prints, where it writes, and how it ends."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from pyoxigraph import Store

from kg.facts import thing
from kg.store import value


def sanshi(*words: str | Path, env: dict[str, str] | None = None) -> subprocess.CompletedProcess[str]:
    import os

    command = [sys.executable, "-c", "from kg.cli import main; main()", "load", *map(str, words)]
    return subprocess.run(
        command,
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
