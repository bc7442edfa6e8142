"""Triples as text: the one place where RDF is written."""

from __future__ import annotations

from collections.abc import Iterable

from pyoxigraph import Quad, RdfFormat, Triple, serialize

from ontology import prefixes


def write(triples: Iterable[Triple] | Iterable[Quad], format: RdfFormat) -> str:
    """Triples in an RDF format, with our prefixes where the format has them.

    >>> from kg.facts import term, thing
    >>> write([Triple(thing("branch:01-zi"), term("next"), thing("branch:02-chou"))], RdfFormat.N_TRIPLES)[-9:]
    '-chou> .\\n'
    """
    named = prefixes() if format in (RdfFormat.TURTLE, RdfFormat.TRIG, RdfFormat.JSON_LD) else None
    data = serialize(triples, format=format, prefixes=named)
    assert data is not None  # without an output it returns what it wrote
    return data.decode()
