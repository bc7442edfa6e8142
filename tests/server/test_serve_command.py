"""The command `sanshi serve`: it starts, answers, ends when told to, and says plainly why it cannot start."""

from __future__ import annotations

import re
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path

import httpx
import pytest

from kg.cli.serve import serve
from kg.errors import MissingInput
from kg.server.run import listen, server
from kg.server.world import Settings

COMMAND = [sys.executable, "-c", "from kg.cli import main; main()", "serve"]


def _fails(*words: str) -> str:
    ended = subprocess.run([*COMMAND, *words], capture_output=True, text=True, timeout=120, check=False)
    assert ended.returncode == 2
    lines = ended.stderr.strip().splitlines()
    assert lines[-1].startswith("sanshi: ")
    return lines[-1]


def test_without_the_extra_it_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    with pytest.raises(MissingInput, match=r"sanshi\[web\]"):
        serve()


def test_a_port_that_is_taken() -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        line = _fails("--port", str(taken.getsockname()[1]))
    assert "an address that is free here" in line


def test_a_store_that_there_is_not(tmp_path: Path) -> None:
    line = _fails("--port", "0", "--store", str(tmp_path))
    assert "no store is there" in line


def test_workers_that_cannot_begin(tmp_path: Path) -> None:
    (tmp_path / "CURRENT").write_text("no store\n")
    assert "cannot be read" in _fails("--port", "0", "--store", str(tmp_path))
    running = server(Settings(tmp_path / "none", 1.0, 10, 2))
    with listen("127.0.0.1", 0) as heard, pytest.raises(SystemExit):
        running.run(sockets=[heard])


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_it_answers_until_it_is_told_to_stop(tmp_path: Path, number: signal.Signals) -> None:
    log = tmp_path / "log"
    with (
        log.open("w") as written,
        subprocess.Popen(
            [*COMMAND, "--port", "0", "--timeout", "1", "--limit", "3"], stderr=written, stdout=written
        ) as server,
    ):
        try:
            while "startup complete" not in log.read_text():
                assert server.poll() is None, log.read_text()
                time.sleep(0.05)
            address = re.search(r"http://127\.0\.0\.1:\d+/", log.read_text())
            assert address is not None
            with httpx.Client(base_url=address.group(), trust_env=False, timeout=30) as client:
                assert client.get("/health").json()["status"] == "ok"
                everything = client.get("/sparql", params={"query": "SELECT * { ?s ?p ?o }"})
                assert everything.headers["Sanshi-Truncated"] == "3"
            children = _children(server.pid)
            assert len(children) >= 2
            server.send_signal(number)
            assert server.wait(20) in (0, -number)
        finally:
            server.kill()
    assert "Traceback" not in log.read_text()
    for _ in range(50):
        if not any(Path(f"/proc/{child}").exists() for child in children):
            break
        time.sleep(0.1)
    else:
        pytest.fail("a worker outlived the server")


def _children(parent: int) -> set[int]:
    """The processes under a process, their own among them."""
    found, waiting = set(), [parent]
    while waiting:
        path = Path(f"/proc/{waiting.pop()}")
        for task in path.glob("task/*/children"):
            new = {int(number) for number in task.read_text().split()} - found
            found |= new
            waiting += new
    return found
