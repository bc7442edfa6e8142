"""A SPARQL 1.1 endpoint as a store: the same questions, and loading in a way that is never half visible.

Queries go by POST through SPARQLWrapper, with a time limit; the graph is always named, since what the default graph is
differs between servers. Parameters are joined as VALUES at the head of the pattern, as terms and not as text.
"""

from __future__ import annotations

import re
import uuid
from collections.abc import Iterable, Iterator, Mapping
from contextlib import closing, suppress
from http.client import HTTPException
from itertools import islice
from time import monotonic
from typing import Any
from urllib.error import HTTPError

from pyoxigraph import (
    Literal,
    Quad,
    QueryBoolean,
    QueryResultsFormat,
    QuerySolutions,
    RdfFormat,
    Triple,
    Variable,
    parse,
    parse_query_results,
)

from kg.asking import Answer, Term
from kg.errors import QueryError, StoreError
from kg.rules import header
from ontology import BASE

GRAPH = BASE + "graph"
"""The graph in which an endpoint keeps what Sanshi puts there."""
BATCH = 1000
"""Triples an update; Virtuoso 7 takes no more than about 1,200."""

_PART = 1 << 16
_AGENT = "sanshi (https://w3id.org/sanshi/)"
_FORM = re.compile(
    r"^\s*(?:(?:PREFIX|BASE)\s[^\n>]*>\s*|#[^\n]*\n\s*)*(SELECT|ASK|CONSTRUCT|DESCRIBE)\b", re.I
)
_WHERE = re.compile(r"\bWHERE\s*\{|\bASK\s*\{", re.I)


def with_values(text: str, bound: Mapping[Variable, Term]) -> str:
    """A query with the values of its parameters joined at the head of its pattern. Raises QueryError if it has none.

    >>> from pyoxigraph import NamedNode
    >>> with_values("SELECT ?x WHERE { ?x a ?c }", {Variable("c"): NamedNode("http://example.org/C")})
    'SELECT ?x WHERE { VALUES ?c { <http://example.org/C> } ?x a ?c }'
    """
    if not bound:
        return text
    place = _WHERE.search(text)
    if place is None:
        raise QueryError("a query with parameters needs a WHERE pattern")
    values = " ".join(f"VALUES {variable} {{ {value} }}" for variable, value in bound.items())
    return f"{text[: place.end()]} {values}{text[place.end() :]}"


class Endpoint:
    """A SPARQL 1.1 endpoint; `update` is the address for updates, where it is another.

    `timeout` in seconds. Every call raises StoreError where the endpoint is dead, slow, refuses, or answers with
    what is no answer.
    """

    def __init__(
        self, url: str, update: str | None = None, *, graph: str = GRAPH, timeout: float = 30
    ) -> None:
        self.url, self.update_url, self.graph, self.timeout = url, update or url, graph, timeout

    def _send(self, url: str, text: str, kind: str, accept: str | None) -> bytes:
        from SPARQLWrapper import POST, URLENCODED, SPARQLWrapper
        from SPARQLWrapper.SPARQLExceptions import SPARQLWrapperException

        end = monotonic() + self.timeout
        wrapper = SPARQLWrapper(url, agent=_AGENT)
        wrapper.setMethod(POST)
        wrapper.setRequestMethod(URLENCODED)
        wrapper.timeout = self.timeout  # type: ignore[assignment]  # its setter takes whole seconds only
        wrapper.setQuery(text)
        wrapper.queryType = kind
        if accept:
            wrapper.setOnlyConneg(True)
            wrapper.addCustomHttpHeader("Accept", accept)
            wrapper.addParameter("default-graph-uri", self.graph)
        try:
            with closing(wrapper.query().response) as response:
                body = bytearray()
                while part := _part(response, end):
                    body += part
                if response.length:
                    raise StoreError(f"{url} broke off its answer, {response.length} bytes before the end")
                return bytes(body)
        except SPARQLWrapperException as error:
            raise StoreError(f"{url} refused: {_line(error)}") from None
        except HTTPError as error:
            raise StoreError(f"{url} answered with status {error.code} {error.reason}") from None
        except (HTTPException, ValueError) as error:
            raise StoreError(
                f"{url} does not speak HTTP as it must: {_line(error) or type(error).__name__}"
            ) from None
        except OSError as error:
            reason = getattr(error, "reason", error)
            if isinstance(reason, TimeoutError):
                raise StoreError(f"{url} did not answer within {self.timeout:g} s") from None
            raise StoreError(f"{url} cannot be reached: {_line(reason)}") from None

    def sparql(self, text: str, bound: Mapping[Variable, Term] | None = None) -> Answer:
        """The answer to a query over our graph of the endpoint."""
        form = _FORM.match(text)
        if form is None:
            raise QueryError("not a SPARQL query: it must begin with SELECT, ASK, CONSTRUCT or DESCRIBE")
        kind = form.group(1).upper()
        declared = set(re.findall(r"PREFIX\s+(\w+):", text, re.I))
        missing = [
            line for line in header(text).splitlines(True) if line.split()[1].rstrip(":") not in declared
        ]
        whole = "".join(missing) + with_values(text, bound or {})
        if kind in ("CONSTRUCT", "DESCRIBE"):
            body = self._send(self.url, whole, kind, "text/turtle, application/n-triples;q=0.9")
            return Answer((), (), tuple(self._graph(body)))
        body = self._send(self.url, whole, kind, "application/sparql-results+json")
        try:
            result = parse_query_results(body, format=QueryResultsFormat.JSON)
            if kind == "ASK" and isinstance(result, QueryBoolean):
                return Answer(("answer",), ((Literal(bool(result)),),))
            if kind == "SELECT" and isinstance(result, QuerySolutions):
                columns = tuple(v.value for v in result.variables)
                return Answer(columns, tuple(tuple(_canonical(v) for v in row) for row in result))
        except (SyntaxError, ValueError, OSError):
            pass
        raise StoreError(f"{self.url} answered {kind} with what is no result of it: {_line(body[:80])}")

    def _graph(self, body: bytes) -> Iterator[Triple]:
        try:
            for quad in parse(body, format=RdfFormat.TURTLE):
                yield Triple(quad.subject, quad.predicate, _canonical(quad.object))
        except SyntaxError:
            raise StoreError(f"{self.url} answered with what is no graph: {_line(body[:80])}") from None

    def update(self, text: str) -> None:
        """Run an update."""
        self._send(self.update_url, text, "INSERT", None)

    def load(self, quads: Iterable[Quad]) -> int:
        """Put triples into our graph: all of them, or none that anyone sees; the number sent.

        They are sent in batches into a graph of their own, which is added to ours when the last has arrived. Blank
        nodes are given names, since not every server keeps them apart.
        """
        waiting = f"{self.graph}/loading/{uuid.uuid4()}"
        sent = 0
        try:
            rows = iter(quads)
            while batch := list(islice(rows, BATCH)):
                lines = " ".join(f"{_named(q.subject)} {q.predicate} {_named(q.object)} ." for q in batch)
                self.update(f"INSERT DATA {{ GRAPH <{waiting}> {{ {lines} }} }}")
                sent += len(batch)
            self.update(f"ADD GRAPH <{waiting}> TO GRAPH <{self.graph}>")
        except BaseException:
            with suppress(StoreError):  # what went wrong first is what is said
                self.update(f"DROP SILENT GRAPH <{waiting}>")
            raise
        self.update(f"DROP SILENT GRAPH <{waiting}>")
        return sent

    def clear(self) -> None:
        """Take our graph out of the endpoint."""
        self.update(f"DROP SILENT GRAPH <{self.graph}>")


def _part(response: Any, end: float) -> bytes:
    """The next part of a body, which may come as slowly as it likes, but not after the end of the time given."""
    left = end - monotonic()
    if left <= 0:
        raise TimeoutError
    stream = getattr(getattr(response.fp, "raw", None), "_sock", None)
    if stream is not None:
        stream.settimeout(left)
    return bytes(response.read1(_PART))


_TRUTH = {Literal(digit, datatype=Literal(True).datatype): Literal(digit == "1") for digit in "01"}


def _canonical(value: Any) -> Any:
    """A value as other stores write it: Virtuoso 7 keeps booleans as 1 and 0."""
    return _TRUTH.get(value, value) if isinstance(value, Literal) else value


def _named(node: Any) -> str:
    return f"<urn:sanshi:blank:{node.value}>" if str(node).startswith("_:") else str(node)


def _line(words: object) -> str:
    text = words.decode("utf-8", "replace") if isinstance(words, bytes) else str(words)
    return " ".join(text.split())[:200]
