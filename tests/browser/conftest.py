"""Chromium before the real server: each page is watched for errors of scripts and for requests to other hosts."""

from __future__ import annotations

import shutil
import threading
import time
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any
from urllib.parse import quote, urlsplit

import pytest

from kg.server.run import listen, server
from kg.server.world import Settings

if TYPE_CHECKING:  # what drives the browser is installed only where these tests are run
    from playwright.sync_api import Browser, ConsoleMessage, Page, Response

ARGUMENTS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]

Visit = Callable[..., "Page"]


@pytest.fixture(scope="session")
def site() -> Iterator[str]:
    """The address of a server over the doctrine."""
    running = server(Settings(None, 10, 10_000, 2))
    with listen("127.0.0.1", 0) as heard:
        thread = threading.Thread(target=running.run, kwargs={"sockets": [heard]}, daemon=True)
        thread.start()
        while not running.started:
            assert thread.is_alive(), "the server did not start"
            time.sleep(0.05)
        yield f"http://127.0.0.1:{heard.getsockname()[1]}"
        running.should_exit = True
        thread.join(30)


@pytest.fixture(scope="session")
def chromium() -> Iterator[Browser]:
    """The browser that the machine has."""
    from playwright.sync_api import sync_playwright

    found = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    assert found, "no Chromium on this machine; .ci/browser installs one"
    with sync_playwright() as play:
        browser = play.chromium.launch(executable_path=found, args=ARGUMENTS)
        yield browser
        browser.close()


@pytest.fixture(scope="session")
def expect() -> Any:
    """What waits for a page to be as it is expected."""
    from playwright.sync_api import expect as waits

    return waits


@pytest.fixture
def visit(site: str, chromium: Browser) -> Iterator[Visit]:
    """Open a path in a new window: `visit("/read", script=False)`.

    When the test is over, no window may have had an error of a script or a refused resource, and none may have
    asked another host for anything.
    """
    troubles: list[str] = []
    asked: set[str] = set()
    windows = []

    def heard(line: ConsoleMessage) -> None:
        if line.type == "error" and not line.text.startswith("Failed to load resource"):
            troubles.append(line.text)

    def answered(response: Response) -> None:
        if response.status >= 400 and response.request.resource_type != "document":
            troubles.append(f"{response.url}: {response.status}")

    def opened(path: str, *, script: bool = True) -> Page:
        context = chromium.new_context(
            viewport={"width": 1280, "height": 800},
            java_script_enabled=script,
            locale="en-GB",
        )
        windows.append(context)
        page = context.new_page()
        page.set_default_timeout(10_000)
        page.on("pageerror", lambda error: troubles.append(f"{path}: {error}"))
        page.on("console", heard)
        page.on("response", answered)
        page.on("request", lambda request: asked.add(urlsplit(request.url).netloc))
        page.goto(site + quote(path, safe="/?&=:+#%"))
        return page

    yield opened
    for window in windows:
        window.close()
    assert not troubles
    assert asked <= {urlsplit(site).netloc}
