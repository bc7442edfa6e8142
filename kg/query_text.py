"""What can be told of a SPARQL query by its words alone: what it asks for that is not given, and where it breaks off."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from itertools import pairwise
from urllib.parse import urljoin

_TOKEN = re.compile(
    r"""<(?:[^<>"{}|^`\\\x00-\x20]|\\u[0-9A-Fa-f]{4}|\\U[0-9A-Fa-f]{8})*>"""
    r"""|"{3}(?:[^"\\]|\\.|"{1,2}(?!"))*"{3}|'{3}(?:[^'\\]|\\.|'{1,2}(?!'))*'{3}"""
    r"""|"(?:[^"\\\n\r]|\\.)*"|'(?:[^'\\\n\r]|\\.)*\'"""
    r"""|\#[^\n\r]*|[?$]\w+|(?:\w|[.-]|\\.)*:(?:\w|[.:%-]|\\.)*|\\.|(\w+)""",
    re.DOTALL,
)
_UPDATES = frozenset("insert delete load clear drop create add move copy with".split())
_ESCAPE = re.compile(r"\\u([0-9A-Fa-f]{4})|\\U([0-9A-Fa-f]{8})")
_LENGTH = 24
"""How many characters of a query are shown at the place of a fault."""


def _tokens(query: str) -> Iterator[tuple[str, str]]:
    """The tokens that may be an IRI, a prefixed name or a word of the language: the word, if it is one, and the text."""
    for match in _TOKEN.finditer(query):
        if not match.group().startswith("#"):
            yield (match.group(1) or "").casefold(), match.group()


def calls_service(query: str) -> bool:
    """Whether a SPARQL query asks another endpoint: whether SERVICE stands in it as a word of the language.

    >>> calls_service("SELECT * { SERVICE <http://example.org/sparql> { ?s ?p ?o } }")
    True
    >>> calls_service("SELECT ?service { ?service service:of <urn:service> # SERVICE <urn:a>\\n, 'SERVICE' }")
    False
    """
    return "service" in (word for word, _ in _tokens(query))


def is_update(query: str) -> bool:
    """Whether a text is an update and no query: which, the first word after the prologue says.

    >>> is_update("PREFIX a: <urn:a> INSERT DATA { a:b a:c a:d }"), is_update("SELECT * { ?insert ?p 'INSERT' }")
    (True, False)
    """
    words = (word for word, _ in _tokens(query) if word not in ("", "prefix", "base"))
    return next(words, "") in _UPDATES


def graphs_of(query: str, known: Mapping[str, str]) -> list[str]:
    """The IRIs of the graphs that a query names by FROM and FROM NAMED; `known` are prefixes declared already.

    >>> graphs_of("PREFIX a: <urn:a:> SELECT * FROM <urn:g> FROM NAMED a:h { ?s ?p 'FROM <urn:i>' }", {})
    ['urn:g', 'urn:a:h']
    """
    spaces, base = dict(known), ""
    found: list[str] = []
    tokens = [token for token in _tokens(query) if token[0] != "named"]
    before = ""
    for (word, token), (_, text) in pairwise(tokens):
        if word == "base":
            base = urljoin(base, _iri(text))
        elif before == "prefix":
            spaces[token.removesuffix(":")] = urljoin(base, _iri(text))
        elif word == "from":
            prefix, _, name = text.partition(":")
            is_name = not text.startswith("<")
            found.append(spaces.get(prefix, "") + name if is_name else urljoin(base, _iri(text)))
        before = word
    return found


def _iri(text: str) -> str:
    return _ESCAPE.sub(lambda m: chr(int(m.group(1) or m.group(2), 16)), text.strip("<>"))


def fault(query: str, error: SyntaxError) -> str:
    """Where a text ceases to be a query, in one short line, and what is wrong there if the parser says it in words.

    Of the signs that might have followed, of which the parser lists dozens, one is told if it is the only one.

    >>> fault("SELECT * { ?s ?p }", SyntaxError("error at 1:18: expected one of a, b"))
    "line 1, column 18, before '}'"
    >>> fault("SELECT * {", SyntaxError("error at 1:11: expected one of Prefix not found, ['%']"))
    'line 1, column 11, at the end: Prefix not found'
    """
    match = re.match(r"error at (\d+):(\d+): expected (?:one of )?(.*)", str(error), re.DOTALL)
    if match is None:
        return " ".join(str(error).split())[:120]
    line, column = int(match.group(1)), int(match.group(2))
    rest = "\n".join(query.split("\n")[line - 1 :])[column - 1 :].split()
    words = " ".join(rest)[:_LENGTH]
    place = f"line {line}, column {column}, " + (f"before {words!r}" if words else "at the end")
    said = re.search(r"(?:^|, )([A-Z]\w+(?: \w+)+)(?:,|$)", match.group(3))
    sign = re.fullmatch(r'"(\S+)"', match.group(3))
    if said:
        return f"{place}: {said.group(1)}"
    return f"{place}: {sign.group(1)} is expected" if sign else place
