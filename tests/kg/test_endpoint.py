"""Endpoints that are dead, slow, lying or refusing, by a server of our own; what is sent; loads that are never half seen."""

from __future__ import annotations

import gc
import json
import re
import socket
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qs

import pytest
from pyoxigraph import BlankNode, Literal, NamedNode, Quad, Store, Variable

import kg
from kg.endpoint import BATCH, GRAPH, Endpoint, with_values
from kg.errors import QueryError, StoreError
from kg.facts import TYPE, term, thing

SELECT = "SELECT ?s WHERE { ?s ?p ?o }"
LIMIT = 0.5

Reply = Callable[[BaseHTTPRequestHandler, dict[str, str]], None]


class Server:
    """A server on this machine that replies as a test says and keeps what it was asked."""

    def __init__(self) -> None:
        self.asked: list[dict[str, str]] = []
        self.headers: list[dict[str, str]] = []
        self.reply: Reply = answer({"head": {"vars": ["s"]}, "results": {"bindings": []}})
        outer = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers["Content-Length"])).decode()
                fields = {name: values[-1] for name, values in parse_qs(body).items()}
                outer.asked.append(fields)
                outer.headers.append(dict(self.headers))
                outer.reply(self, fields)

            def log_message(self, *words: Any) -> None:
                pass

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._server.daemon_threads = True
        self.url = f"http://127.0.0.1:{self._server.server_port}/sparql"
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.01,), daemon=True)
        self._thread.start()

    def stop(self) -> None:
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()

    @property
    def updates(self) -> list[str]:
        return [fields["update"] for fields in self.asked if "update" in fields]


def send(body: bytes, status: int = 200, kind: str = "application/sparql-results+json") -> Reply:
    def reply(handler: BaseHTTPRequestHandler, fields: dict[str, str]) -> None:
        handler.send_response(status)
        handler.send_header("Content-Type", kind)
        handler.send_header("Content-Length", str(len(body)))
        handler.end_headers()
        handler.wfile.write(body)

    return reply


def answer(results: Any) -> Reply:
    return send(json.dumps(results).encode())


@pytest.fixture
def server() -> Iterator[Server]:
    """A server in threads of this process. A collection of garbage in one of them would meet what only its own may free."""
    gc.collect()
    gc.disable()
    running = Server()
    yield running
    running.stop()
    gc.enable()


# ---- what is sent


def test_a_query_is_posted_with_the_graph_named_and_our_prefixes(server: Server) -> None:
    Endpoint(server.url).sparql("SELECT ?s WHERE { ?s a shi:Branch }")
    (fields,), (headers,) = server.asked, server.headers
    assert (
        fields["query"]
        == "PREFIX shi: <https://w3id.org/sanshi/ontology#>\nSELECT ?s WHERE { ?s a shi:Branch }"
    )
    assert fields["default-graph-uri"] == GRAPH
    assert headers["Accept"] == "application/sparql-results+json"
    assert headers["User-Agent"].startswith("sanshi")


def test_a_prefix_that_the_query_declares_is_left_alone(server: Server) -> None:
    text = "PREFIX shi: <http://example.org/>\nSELECT ?s WHERE { ?s a shi:Branch ; rdfs:label ?l }"
    Endpoint(server.url).sparql(text)
    assert server.asked[0]["query"] == "PREFIX rdfs: <http://www.w3.org/2000/01/rdf-schema#>\n" + text


def test_a_long_question_in_chinese_arrives_whole(server: Server) -> None:
    text = f'SELECT ?s WHERE {{ ?s ?p "{"六壬經緯" * 5000}" }}'
    Endpoint(server.url).sparql(text)
    assert server.asked[0]["query"] == text


def test_parameters_are_joined_as_values_and_cannot_break_out(server: Server) -> None:
    evil = '甲" } DROP ALL #\n\\'
    bound = {Variable("a"): Literal(evil), Variable("b"): thing("branch:01-zi"), Variable("c"): Literal(3)}
    Endpoint(server.url).sparql("# WHERE to look\nSELECT ?a ?b ?c WHERE { ?a ?b ?c }", bound)
    sent = server.asked[0]["query"]
    (row,) = Store().query(sent.replace("?a ?b ?c }", "}"))
    assert [row["a"], row["b"], row["c"]] == [Literal(evil), thing("branch:01-zi"), Literal(3)]


def test_values_stand_at_the_head_of_the_pattern() -> None:
    bound = {Variable("x"): NamedNode("http://example.org/x")}
    assert with_values("ASK { ?x ?p ?o }", bound) == "ASK { VALUES ?x { <http://example.org/x> } ?x ?p ?o }"
    made = with_values("CONSTRUCT { ?x ?p ?o } WHERE { ?x ?p ?o }", bound)
    assert made == "CONSTRUCT { ?x ?p ?o } WHERE { VALUES ?x { <http://example.org/x> } ?x ?p ?o }"
    assert with_values("DESCRIBE <urn:x>", {}) == "DESCRIBE <urn:x>"
    with pytest.raises(QueryError, match="needs a WHERE pattern"):
        with_values("DESCRIBE ?x", bound)


@pytest.mark.parametrize("text", ["", "INSERT DATA { <urn:a> <urn:b> 1 }", "DROP ALL", "# only a comment"])
def test_what_is_no_query_is_not_sent(server: Server, text: str) -> None:
    with pytest.raises(QueryError, match="must begin with SELECT, ASK, CONSTRUCT or DESCRIBE"):
        Endpoint(server.url).sparql(text)
    assert server.asked == []


# ---- what is answered


def test_rows_a_yes_and_a_graph_are_read(server: Server) -> None:
    iri = {"type": "uri", "value": "http://example.org/x"}
    label = {"type": "literal", "value": "甲", "xml:lang": "zh-hant"}
    server.reply = answer(
        {"head": {"vars": ["s", "l"]}, "results": {"bindings": [{"s": iri, "l": label}, {"s": iri}]}}
    )
    found = Endpoint(server.url).sparql("SELECT ?s ?l WHERE { ?s ?p ?l }")
    node = NamedNode("http://example.org/x")
    assert found.rows == ((node, Literal("甲", language="zh-hant")), (node, None))
    server.reply = answer({"head": {}, "boolean": True})
    assert Endpoint(server.url).sparql("ASK { ?s ?p ?o }").plain() == [{"answer": "true"}]
    server.reply = send("<urn:a> <urn:b> '甲' .".encode(), kind="text/turtle")
    (triple,) = Endpoint(server.url).sparql("CONSTRUCT { ?s ?p ?o } WHERE { ?s ?p ?o }").triples
    assert triple.object == Literal("甲")
    assert "text/turtle" in server.headers[-1]["Accept"]


def test_a_named_query_is_asked_of_an_endpoint(server: Server) -> None:
    row = {
        "other": {"type": "literal", "value": "午", "xml:lang": "zh-hant"},
        "relation": {"type": "literal", "value": "沖", "xml:lang": "zh-hant"},
    }
    names = ["branch", "relation", "other", "korean", "english"]
    server.reply = answer({"head": {"vars": names}, "results": {"bindings": [row]}})
    graph = kg.open(server.url, timeout=5)
    found = list(graph.query("relations-of-branch", branch="子"))
    assert found == [{"relation": "沖", "other": "午", "korean": "", "english": ""}]
    assert "VALUES ?branch { <https://w3id.org/sanshi/id/branch/01-zi> }" in server.asked[0]["query"]
    server.reply = answer({"head": {"vars": ["branch"]}, "results": {"bindings": []}})
    with pytest.raises(StoreError, match="answered without the column relation, other"):
        graph.query("relations-of-branch", branch="子")


# ---- the dead, the slow, the refusing and the lying


def within(limit: float, call: Callable[[], object]) -> str:
    """The one line that a call says, which must fail within the limit."""
    start = time.monotonic()
    with pytest.raises(StoreError) as caught:
        call()
    assert time.monotonic() - start < limit
    said = str(caught.value)
    assert "\n" not in said
    assert len(said) < 320
    return said


def silent(handler: BaseHTTPRequestHandler, fields: dict[str, str]) -> None:
    time.sleep(10 * LIMIT)


def dripping(handler: BaseHTTPRequestHandler, fields: dict[str, str]) -> None:
    handler.send_response(200)
    handler.send_header("Content-Type", "application/sparql-results+json")
    handler.end_headers()
    for _ in range(100):
        handler.wfile.write(b" ")
        time.sleep(LIMIT / 10)


def stalling(handler: BaseHTTPRequestHandler, fields: dict[str, str]) -> None:
    time.sleep(LIMIT * 0.9)
    handler.send_response(200)
    handler.end_headers()
    handler.wfile.write(b'{"head": ')
    time.sleep(10 * LIMIT)


def endless(handler: BaseHTTPRequestHandler, fields: dict[str, str]) -> None:
    handler.send_response(200)
    handler.end_headers()
    end = time.monotonic() + 10 * LIMIT
    while time.monotonic() < end:
        handler.wfile.write(b" " * 1000)
        time.sleep(0.001)


@pytest.mark.parametrize("reply", [silent, dripping, stalling, endless])
def test_a_slow_endpoint_is_given_up_at_the_limit(server: Server, reply: Reply) -> None:
    def quietly(handler: BaseHTTPRequestHandler, fields: dict[str, str]) -> None:
        with suppress(OSError):  # the client has gone
            reply(handler, fields)

    server.reply = quietly
    said = within(LIMIT + 2, lambda: Endpoint(server.url, timeout=LIMIT).sparql(SELECT))
    assert said == f"{server.url} did not answer within 0.5 s"


def test_a_dead_endpoint_is_said_to_be_out_of_reach() -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        url = f"http://127.0.0.1:{taken.getsockname()[1]}/sparql"
    said = within(5, lambda: Endpoint(url, timeout=5).sparql(SELECT))
    assert said.startswith(f"{url} cannot be reached: ")


@pytest.mark.parametrize(
    ("url", "problem"),
    [
        ("http://host.invalid/sparql", "cannot be reached"),
        ("http://127.0.0.1:99999/", "does not speak HTTP|cannot be reached"),
        ("http://[::1/sparql", "does not speak HTTP|cannot be reached"),
        ("http:///sparql", "does not speak HTTP|cannot be reached"),
    ],
)
def test_an_address_that_leads_nowhere(url: str, problem: str) -> None:
    assert re.search(problem, within(6, lambda: Endpoint(url, timeout=5).sparql(SELECT)))


@pytest.mark.parametrize("status", [400, 401, 403, 404, 405, 413, 429, 500, 502, 503])
def test_an_endpoint_that_refuses_is_quoted_in_one_line(server: Server, status: int) -> None:
    server.reply = send(b"<html>\n<h1>No.</h1>\n" + b"x" * 5000, status, "text/html")
    said = within(5, lambda: Endpoint(server.url, timeout=5).sparql(SELECT))
    assert said.startswith(server.url)
    assert "refused" in said or f"status {status}" in said


def cut_short(handler: BaseHTTPRequestHandler, fields: dict[str, str]) -> None:
    handler.send_response(200)
    handler.send_header("Content-Length", "1000")
    handler.end_headers()
    handler.wfile.write(b'{"head": {"vars": ["s"]}')


def cut_short_in_chunks(handler: BaseHTTPRequestHandler, fields: dict[str, str]) -> None:
    handler.wfile.write(b'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nff\r\n{"head":')


def gone(handler: BaseHTTPRequestHandler, fields: dict[str, str]) -> None:
    handler.close_connection = True


def gibberish(handler: BaseHTTPRequestHandler, fields: dict[str, str]) -> None:
    handler.wfile.write(b"\x16\x03\x01 this is not HTTP\r\n\r\n")


def round_in_a_ring(handler: BaseHTTPRequestHandler, fields: dict[str, str]) -> None:
    handler.send_response(307)
    handler.send_header("Location", "/sparql")
    handler.end_headers()


ROWS = {"head": {"vars": ["s"]}, "results": {"bindings": [{"s": {"type": "uri", "value": "http://[broken"}}]}}


@pytest.mark.parametrize(
    ("reply", "problem"),
    [
        (send(b"<html>Welcome!</html>", kind="text/html"), "no result of it: <html>Welcome!</html>"),
        (send(b""), "no result of it"),
        (send(b"{}"), "no result of it"),
        (send(b'{"head": {"vars": ["s"]}, "results": {"bindings": [{"t": 1}]}}'), "no result of it"),
        (send(b"\xff\xfe\x00"), "no result of it"),
        (answer(ROWS), "no result of it"),
        (answer({"head": {}, "boolean": True}), "answered SELECT with what is no result of it"),
        (cut_short, "broke off its answer, 976 bytes before the end"),
        (cut_short_in_chunks, "does not speak HTTP as it must: IncompleteRead"),
        (gone, "cannot be reached|does not speak HTTP"),
        (gibberish, "does not speak HTTP as it must"),
        (round_in_a_ring, "status 307"),
    ],
)
def test_an_endpoint_that_lies_is_found_out(server: Server, reply: Reply, problem: str) -> None:
    server.reply = reply
    assert re.search(problem, within(5, lambda: Endpoint(server.url, timeout=5).sparql(SELECT)))


@pytest.mark.parametrize("body", [b"<html>", b"<urn:a> <urn:b> .", b'{"boolean": true}'])
def test_a_graph_that_is_none_is_found_out(server: Server, body: bytes) -> None:
    server.reply = send(body, kind="text/turtle")
    said = within(
        5, lambda: Endpoint(server.url, timeout=5).sparql("CONSTRUCT { ?s ?p ?o } WHERE { ?s ?p ?o }")
    )
    assert "no graph" in said


def test_rows_are_no_answer_to_ask(server: Server) -> None:
    assert "answered ASK" in within(5, lambda: Endpoint(server.url, timeout=5).sparql("ASK { ?s ?p ?o }"))


# ---- loading


def triples(number: int) -> list[Quad]:
    return [Quad(NamedNode(f"http://example.org/{n}"), TYPE, term("Branch")) for n in range(number)]


class Kept:
    """A store behind the server, so that what a load leaves is seen; it may die after some updates."""

    def __init__(self, server: Server, fails_after: int | None = None) -> None:
        self.store = Store()
        self._left = fails_after
        server.reply = self._reply

    def _reply(self, handler: BaseHTTPRequestHandler, fields: dict[str, str]) -> None:
        if self._left is not None:
            self._left -= 1
            if self._left < 0:
                return send(b"out of memory", 500)(handler, fields)
        self.store.update(fields["update"])
        return send(b"")(handler, fields)

    def seen(self) -> int:
        return len(list(self.store.quads_for_pattern(None, None, None, NamedNode(GRAPH))))


def test_a_load_comes_in_batches_and_leaves_only_our_graph(server: Server) -> None:
    kept = Kept(server)
    sent = Endpoint(server.url).load(triples(2 * BATCH + 1))
    assert sent == 2 * BATCH + 1 == kept.seen() == len(kept.store)
    assert [text.split()[0] for text in server.updates] == ["INSERT", "INSERT", "INSERT", "ADD", "DROP"]
    assert all(text.count(" .") <= BATCH <= 1200 for text in server.updates)
    assert list(kept.store.named_graphs()) == [NamedNode(GRAPH)]


@pytest.mark.parametrize("updates", [0, 1, 2, 3])
def test_a_load_that_fails_leaves_nothing_to_be_seen(server: Server, updates: int) -> None:
    kept = Kept(server, fails_after=updates)
    said = within(10, lambda: Endpoint(server.url, timeout=5).load(triples(2 * BATCH + 1)))
    assert "refused" in said
    assert kept.seen() == 0


def test_what_was_loaded_before_outlives_a_load_that_fails(server: Server) -> None:
    kept = Kept(server)
    Endpoint(server.url).load(triples(3))
    kept._left = 1
    within(10, lambda: Endpoint(server.url, timeout=5).load(triples(BATCH + 1)))
    assert kept.seen() == 3


def test_a_load_whose_triples_run_out_in_an_error_leaves_nothing(server: Server) -> None:
    kept = Kept(server)

    def broken() -> Iterator[Quad]:
        yield from triples(BATCH)
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        Endpoint(server.url).load(broken())
    assert len(kept.store) == 0


def test_blank_nodes_are_given_names_and_chinese_arrives(server: Server) -> None:
    kept = Kept(server)
    text = Literal('甲 "乙"\n\\ 丙', language="lzh-hant")
    Endpoint(server.url).load(
        [Quad(BlankNode("b0"), term("quote"), text), Quad(thing("branch:01-zi"), term("x"), BlankNode("b0"))]
    )
    found = {(quad.subject.value, quad.object) for quad in kept.store}
    assert found == {
        ("urn:sanshi:blank:b0", text),
        ("https://w3id.org/sanshi/id/branch/01-zi", NamedNode("urn:sanshi:blank:b0")),
    }


def test_a_casting_goes_to_the_address_for_updates(server: Server) -> None:
    kept = Kept(server)
    graph = kg.open("http://127.0.0.1:9/query", update=server.url, timeout=5)
    casting = graph.cast(day="庚申", hour="子", general="亥")
    graph.add(casting)
    assert kept.seen() == len(set(casting.quads))


def test_to_clear_drops_our_graph_alone(server: Server) -> None:
    kept = Kept(server)
    other = NamedNode("http://example.org/other")
    kept.store.add(Quad(other, TYPE, other, other))
    endpoint = Endpoint(server.url)
    endpoint.load(triples(2))
    endpoint.clear()
    endpoint.clear()
    assert [quad.graph_name for quad in kept.store] == [other]
