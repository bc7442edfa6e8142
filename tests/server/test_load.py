"""Fifty clients at once, with mixed requests: not one error. `benchmarks/server.py` does the same for longer."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

BENCHMARK = Path(__file__).parents[2] / "benchmarks" / "server.py"


@pytest.mark.server
def test_fifty_clients_see_no_error() -> None:
    ended = subprocess.run(
        [sys.executable, str(BENCHMARK), "--clients", "50", "--seconds", "8"],
        capture_output=True,
        text=True,
        timeout=180,
        check=False,
    )
    assert ended.returncode == 0, ended.stdout + ended.stderr
    assert "errors: 0" in ended.stdout
    total = re.search(r"^all +(\d+)", ended.stdout, re.MULTILINE)
    assert total is not None
    assert int(total.group(1)) >= 50
