"""What a query cannot do: reach another endpoint, a file, or more memory than there is for it."""

from __future__ import annotations

import socket
import threading
from collections.abc import Iterator

import pytest
from pyoxigraph import Store

from kg.query_text import calls_service
from kg.server.limits import sealed

SPACE = "PREFIX service: <urn:service#> PREFIX ex: <urn:ex:> "


@pytest.mark.parametrize(
    "query",
    [
        "SELECT * { SERVICE <http://e.org/> { ?s ?p ?o } }",
        "SELECT*{service<http://e.org/>{?s ?p ?o}}",
        "SELECT * { SERVICE SILENT ?x { ?s ?p ?o } }",
        "SELECT * { ?s ?p 'it\\'s' . SERVICE <http://e.org/> { ?s ?p ?o } }",
        "SELECT * { ?s ?p '''a'b''' . SeRvIcE <http://e.org/> { ?s ?p ?o } }",
        'SELECT * { ?s ?p """a"# b""" . SERVICE <http://e.org/> { ?s ?p ?o } }',
        "SELECT * { ?s <urn:a#b> ?o . SERVICE <http://e.org/> { ?s ?p ?o } }",
        "SELECT * { ?s <urn:a\\u0041#b> ?o . SERVICE <http://e.org/> { ?s ?p ?o } }",
        SPACE + "SELECT * { ?s ex:a\\#b ?o . SERVICE <http://e.org/> { ?s ?p ?o } }",
        SPACE + "SELECT * { ?s ex:a\\'b ?o . SERVICE <http://e.org/> { ?s ?p ?o } }",
        "SELECT * { FILTER(?a<5) SERVICE <http://e.org/> { ?s ?p ?o } FILTER(?a>5) }",
        "SELECT * { ?s ?p ?o # a comment\n SERVICE <http://e.org/> { ?s ?p ?o } }",
        "SELECT * { ?s ?p ?o # a comment\r SERVICE <http://e.org/> { ?s ?p ?o } }",
        "SELECT * { ?s ?p 'a'@en SERVICE <http://e.org/> { ?s ?p ?o } }",
        "SELECT * { { SELECT * { OPTIONAL { SERVICE <http://e.org/> { ?s ?p ?o } } } } }",
    ],
)
def test_service_is_found(query: str) -> None:
    assert calls_service(query)


@pytest.mark.parametrize(
    "query",
    [
        "SELECT ?service { ?service ?p $service }",
        SPACE + "SELECT * { service:service ex:service service: }",
        "SELECT * { ?s <urn:SERVICE> 'SERVICE', \"SERVICE\", '''SERVICE''' }",
        "SELECT * { ?s ?p ?o } # SERVICE <http://e.org/>",
        "SELECT * { ?s ?p 'it\\'s SERVICE' }",
        "SELECT * { ?s ?p '''it's ''SERVICE'' ''' }",
        "SELECT * { ?s ?p ?services FILTER(?services < 5) }",
    ],
)
def test_other_words_are_not(query: str) -> None:
    Store().query(query)
    assert not calls_service(query)


@pytest.fixture
def listener() -> Iterator[tuple[int, list[object]]]:
    """A port that notes who comes."""
    came: list[object] = []
    with socket.create_server(("127.0.0.1", 0)) as heard:

        def note() -> None:
            try:
                connection, _ = heard.accept()
            except OSError:
                return
            came.append(connection)
            connection.sendall(b"HTTP/1.1 500 no\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")
            connection.close()

        threading.Thread(target=note, daemon=True).start()
        yield heard.getsockname()[1], came


def _ask(port: int, silent: str = "") -> list[object]:
    return list(Store().query(f"SELECT * {{ SERVICE {silent} <http://127.0.0.1:{port}/> {{ ?s ?p ?o }} }}"))


def test_a_sealed_process_reaches_no_other(listener: tuple[int, list[object]]) -> None:
    port, came = listener
    with sealed(), pytest.raises(OSError, match=r"\(os error 24\)|open files"):
        _ask(port)
    with sealed():
        _ask(port, "SILENT")
    assert not came
    with pytest.raises(OSError, match="500"):
        _ask(port)
    assert came, "unsealed, the same query does reach it"


def test_the_seal_is_taken_off_after_an_error() -> None:
    with pytest.raises(ZeroDivisionError), sealed():
        _ = 1 // 0
    with open(__file__, encoding="utf-8") as file:
        assert file.readline()
