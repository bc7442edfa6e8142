"""A server for the tests: the real application on a real socket of the loopback interface, its limits drawn tight."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from html.parser import HTMLParser
from pathlib import Path

import httpx
import pytest

from kg.findings import shared
from kg.server.run import listen, server
from kg.server.world import Settings, World

TIMEOUT = 1.5
LIMIT = 200


class Reader(HTMLParser):
    """The text of a page, its links, and the names of its elements that stand open at the end."""

    def __init__(self, page: bytes | str) -> None:
        super().__init__()
        self.words: list[str] = []
        self.links: list[str] = []
        self.ids: list[str] = []
        self.open: list[str] = []
        self.tags: set[str] = set()
        self.feed(page if isinstance(page, str) else page.decode())

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)
        if tag not in ("meta", "link", "input", "br"):
            self.open.append(tag)
        for name, value in attributes:
            if name == "href" and value:
                self.links.append(value)
            if name == "id" and value:
                self.ids.append(value)

    def handle_endtag(self, tag: str) -> None:
        if self.open[-1] == tag:
            self.open.pop()

    def handle_startendtag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)

    def handle_data(self, data: str) -> None:
        self.words.append(data)

    @property
    def text(self) -> str:
        return "".join(self.words)


@contextmanager
def _serving(settings: Settings) -> Iterator[httpx.Client]:
    """A client of a server that runs in a thread for as long as this lasts."""
    running = server(settings)
    with listen("127.0.0.1", 0) as heard:
        thread = threading.Thread(target=running.run, kwargs={"sockets": [heard]}, daemon=True)
        thread.start()
        while not running.started:
            assert thread.is_alive(), "the server did not start"
            time.sleep(0.02)
        url = f"http://127.0.0.1:{heard.getsockname()[1]}"
        try:
            with httpx.Client(base_url=url, timeout=60, trust_env=False) as client:
                yield client
        finally:
            running.should_exit = True
            thread.join(30)
    assert not thread.is_alive()


@pytest.fixture(scope="session")
def live() -> Iterator[httpx.Client]:
    """A client of a server over the doctrine, which stops a query after 1.5 s and cuts an answer after 200 rows."""
    with _serving(Settings(None, TIMEOUT, LIMIT, 2)) as client:
        yield client


@pytest.fixture(scope="session")
def serving() -> Callable[[Settings], AbstractContextManager[httpx.Client]]:
    """Start another server: `with serving(settings) as client`."""
    return _serving


@pytest.fixture(scope="session")
def seen() -> type[Reader]:
    """What is to be seen of a page: `seen(page).text`, `.links`, `.ids`."""
    return Reader


@pytest.fixture(scope="session")
def here() -> World:
    """The world of this process, for jobs that need no worker."""
    return World(shared(), shared().store, LIMIT)


@pytest.fixture(scope="session")
def collection(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A store on disk with a text of one's own, a translation, and a chart of each art."""
    from kg import liuren_chart, qimen_chart
    from kg.chart_json import casting_json
    from kg.facts import Chart
    from kg.store import collection as opened
    from kg.topics import judged
    from loaders import load

    room = tmp_path_factory.mktemp("collection")
    text = room / "sample.txt"
    text.write_text("001-1a\t懸胎 三傳亥寅巳\n001-1b\t曰順懸胎\n", encoding="utf-8")
    store = opened(room / "store")
    samples = Path(__file__).parents[1] / "data" / "samples"
    load(store, samples / "bilingual.txt", format="bilingual", work="liuren-jingwei")
    load(store, text, format="lines", work="sample", title="樣書")
    charts: list[Chart] = [
        liuren_chart.cast(day="庚申", hour="子", general="亥", month="寅", year="巳"),
        qimen_chart.cast(dun="陽", ju=1, hour="甲子", month="寅"),
    ]
    for number, chart in enumerate(charts):
        cast = room / f"chart-{number}.json"
        cast.write_text(
            json.dumps(casting_json(judged(shared(), chart)), ensure_ascii=False), encoding="utf-8"
        )
        load(store, cast, format="chart")
    del store
    return room / "store"
