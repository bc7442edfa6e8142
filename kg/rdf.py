"""Triples as text: the one place where RDF is written."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TypeVar

from pyoxigraph import Literal, NamedNode, Quad, RdfFormat, Triple, serialize

from ontology import prefixes

Said = TypeVar("Said", Triple, Quad)


def used_prefixes(given: Iterable[Said]) -> dict[str, str]:
    """The declared prefixes in whose namespaces there are IRIs of some triples, sorted.

    >>> from kg.facts import term, thing
    >>> list(used_prefixes([Triple(thing("branch:01-zi"), term("next"), thing("branch:02-chou"))]))
    ['branch', 'shi']
    """
    iris: set[str] = set()
    for one in given:
        for node in (one.subject, one.predicate, one.object):
            if isinstance(node, NamedNode):
                iris.add(node.value)
            elif isinstance(node, Literal):
                iris.add(node.datatype.value)
    starts = {iri[: end + 1] for iri in iris for end, char in enumerate(iri) if char in "/#"}
    return {name: space for name, space in sorted(prefixes().items()) if space in starts}


def write(triples: Iterable[Said], format: RdfFormat) -> str:
    """Triples in an RDF format, with those of our prefixes that they use, sorted, where the format has prefixes.

    >>> from kg.facts import term, thing
    >>> triple = Triple(thing("branch:01-zi"), term("next"), thing("branch:02-chou"))
    >>> write([triple], RdfFormat.TURTLE).splitlines()[-1]
    'branch:01-zi shi:next branch:02-chou .'
    """
    if format not in (RdfFormat.TURTLE, RdfFormat.TRIG):
        return _text(serialize(triples, format=format))
    said = list(triples)
    named = used_prefixes(said)
    return _sorted(_text(serialize(said, format=format, prefixes=named)), named)


def _text(written: bytes | None) -> str:
    assert written is not None  # without an output it returns what it wrote
    return written.decode()


def _sorted(turtle: str, named: Mapping[str, str]) -> str:
    """Turtle with its prefixes in order; the library writes them in any."""
    head = [f"@prefix {name}: <{space}> .\n" for name, space in named.items()]
    body = [line for line in turtle.splitlines(keepends=True) if not line.startswith("@prefix ")]
    return "".join([*head, "\n", *body])
