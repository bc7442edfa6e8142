"""Stores to run the same questions against: in memory, on disk, Oxigraph's server, Virtuoso 7; and what fills them.

The servers are started on the loopback with all their files in a directory of their own, and stopped at the end.
"""

from __future__ import annotations

import shutil
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.request import urlopen

import pytest
from pyoxigraph import Quad, Store

from kg.casting_graph import triples
from kg.findings import Doctrine
from kg.graph import Graph
from loaders import load

STARTED_WITHIN = 120
"""Seconds that a server may take to answer first, on a busy machine."""
CHARTS: list[dict[str, object]] = [
    {"day": "庚申", "hour": "子", "general": "亥", "month": "寅"},
    {"day": "甲戌", "hour": "子", "general": "子", "month": "寅"},
    {"day": "丁卯", "hour": "子", "general": "戌"},
    {"day": "丁卯", "hour": "子", "general": "戌", "options": {"shehai": "depth"}},
    {"instant": "2025-02-19T23:42", "tz": "Asia/Shanghai"},
    {"art": "qimen", "dun": "陽", "ju": 1, "hour": "丙寅"},
]
"""The charts that the examples of the named queries speak of, and one of an instant."""
VIRTUOSO = """\
[Database]
DatabaseFile       = {folder}/virtuoso.db
ErrorLogFile       = {folder}/virtuoso.log
LockFile           = {folder}/virtuoso.lck
TransactionFile    = {folder}/virtuoso.trx
xa_persistent_file = {folder}/virtuoso.pxa
[TempDatabase]
DatabaseFile       = {folder}/temp.db
TransactionFile    = {folder}/temp.trx
[Parameters]
ServerPort           = 127.0.0.1:{port}
DisableUnixSocket    = 1
MaxClientConnections = 20
CheckpointInterval   = 0
NumberOfBuffers      = 10000
MaxDirtyBuffers      = 6000
CaseMode             = 2
DirsAllowed          = {folder}
[HTTPServer]
ServerPort    = 127.0.0.1:{http}
ServerRoot    = {folder}
ServerThreads = 10
Charset       = UTF-8
[Client]
SQL_QUERY_TIMEOUT = 0
SQL_TXN_TIMEOUT   = 0
[SPARQL]
ResultSetMaxRows      = 1000000
MaxQueryExecutionTime = 60
"""


SAMPLES = Path(__file__).parents[1] / "data" / "samples"


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@contextmanager
def running(command: list[str], is_up: Callable[[], bool], log: Path) -> Iterator[None]:
    """A server, from when it answers to the end."""
    with log.open("w") as out:
        server = subprocess.Popen(command, stdout=out, stderr=out, cwd=log.parent)
    try:
        deadline = time.monotonic() + STARTED_WITHIN
        while not is_up():
            assert server.poll() is None, f"{command[0]} ended: {log.read_text()[-2000:]}"
            assert time.monotonic() < deadline, f"{command[0]} does not answer: {log.read_text()[-2000:]}"
            time.sleep(0.1)
        yield
    finally:
        server.terminate()
        try:
            server.wait(30)
        except subprocess.TimeoutExpired:
            server.kill()
            server.wait()


def answers(url: str) -> bool:
    try:
        with urlopen(url, timeout=5) as response:
            return bool(response.status == 200)
    except OSError:
        return False


@pytest.fixture(scope="session")
def oxigraph(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[str, str]]:
    """The addresses of Oxigraph's server for queries and for updates."""
    folder = tmp_path_factory.mktemp("oxigraph")
    base = f"http://127.0.0.1:{free_port()}"
    program = shutil.which("oxigraph", path=str(Path(sys.executable).parent)) or shutil.which("oxigraph")
    assert program, "Oxigraph's server is not installed: python -m pip install oxigraph"
    command = [program, "serve", "--location", str(folder / "db"), "--bind", base.removeprefix("http://")]
    with running(command, lambda: answers(base), folder / "log"):
        yield f"{base}/query", f"{base}/update"


@pytest.fixture(scope="session")
def virtuoso(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[str, str]]:
    """The address of Virtuoso's endpoint, for queries and for updates."""
    folder = tmp_path_factory.mktemp("virtuoso")
    port, http = free_port(), free_port()
    (folder / "virtuoso.ini").write_text(VIRTUOSO.format(folder=folder, port=port, http=http))
    program, isql = shutil.which("virtuoso-t"), shutil.which("isql-vt")
    assert program and isql, "Virtuoso 7 is not installed: apt-get install virtuoso-opensource-7"
    url = f"http://127.0.0.1:{http}/sparql"
    command = [program, "+foreground", "+configfile", str(folder / "virtuoso.ini")]
    with running(command, lambda: answers(f"{url}?query=ASK%7B%7D"), folder / "log"):
        grant = 'GRANT SPARQL_UPDATE TO "SPARQL";'
        granted = subprocess.run(
            [isql, f"127.0.0.1:{port}", "dba", "dba", f"exec={grant}"],
            capture_output=True,
            text=True,
            check=True,
        )
        assert "Done" in granted.stdout, granted.stdout
        yield url, url


@pytest.fixture(scope="session", params=["oxigraph", "virtuoso"])
def server(request: pytest.FixtureRequest) -> tuple[str, str]:
    """The addresses of each server in turn, for queries and for updates."""
    addresses: tuple[str, str] = request.getfixturevalue(request.param)
    return addresses


@pytest.fixture(scope="session")
def collection() -> Store:
    """The doctrine with some castings and a text of a user's own."""
    own = Doctrine()
    graph = Graph(own.store, own)
    castings = [graph.cast(**chart) for chart in CHARTS]  # type: ignore[arg-type]
    for casting in castings:
        own.store.extend(Quad(*triple) for triple in triples(casting))
    load(own.store, SAMPLES / "kanripo.txt", format="kanripo", work="sample", title="樣本")
    return own.store
