"""Text reuse in the graph: each candidate an annotation that sets two quoted stretches beside one another.

The same two stretches are the same node, whatever their score and status; there are no blank nodes.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from urllib.parse import quote

from pyoxigraph import Literal, NamedNode, Quad, RdfFormat, Store, Triple

from kg.facts import TYPE, term, thing
from kg.rdf import write
from kg.reuse_text import Candidate, Words
from kg.store import CLASSICAL, instances, value
from ontology import expand

DECIMAL = NamedNode(expand("xsd:decimal"))


def node(candidate: Candidate) -> NamedNode:
    """The node of a candidate, made from the two stretches."""
    parts = [candidate.layer.value]
    for words in (candidate.passage, candidate.place):
        parts += [words.source, words.locator, words.prefix, words.exact, words.suffix]
    return thing(f"parallel:{hashlib.sha256(chr(0).join(parts).encode()).hexdigest()[:16]}")


def triples(candidates: Iterable[Candidate], store: Store) -> list[Triple]:
    """The candidates as triples; the store tells which work has which Kanripo number.

    A book that the store does not know is named by its file: work:KR3g0031.
    """
    works = {value(store, work, "kanripo"): work for work in instances(store, "Work")}
    found: list[Triple] = []
    for candidate in candidates:
        reuse = node(candidate)
        book = candidate.place.source
        work = works.get(book) or NamedNode(expand("work:") + quote(book, safe=""))
        here, there = NamedNode(f"{reuse.value}.here"), NamedNode(f"{reuse.value}.there")
        found += [
            Triple(reuse, TYPE, term("Reuse")),
            Triple(reuse, term("passage"), thing(candidate.passage.source)),
            Triple(reuse, term("reuseLayer"), term(candidate.layer.value)),
            Triple(reuse, term("reuseStatus"), term(candidate.status.value)),
            Triple(reuse, term("score"), Literal(f"{candidate.score:.1f}", datatype=DECIMAL)),
            Triple(reuse, thing("oa:hasTarget"), here),
            Triple(reuse, thing("oa:hasBody"), there),
            *_stretch(here, thing(candidate.passage.source), candidate.passage),
            *_stretch(there, work, candidate.place),
        ]
    return found


def _stretch(stretch: NamedNode, source: NamedNode, words: Words) -> list[Triple]:
    """A quoted stretch of a passage or work."""
    selector = NamedNode(f"{stretch.value}.quote")
    return [
        Triple(stretch, TYPE, thing("oa:SpecificResource")),
        Triple(stretch, thing("oa:hasSource"), source),
        Triple(stretch, term("locator"), Literal(words.locator)),
        Triple(stretch, thing("oa:hasSelector"), selector),
        Triple(selector, TYPE, thing("oa:TextQuoteSelector")),
        Triple(selector, thing("oa:exact"), Literal(words.exact, language=CLASSICAL)),
        Triple(selector, thing("oa:prefix"), Literal(words.prefix, language=CLASSICAL)),
        Triple(selector, thing("oa:suffix"), Literal(words.suffix, language=CLASSICAL)),
    ]


def turtle(candidates: Iterable[Candidate], store: Store) -> str:
    """The candidates as Turtle."""
    return write(triples(candidates, store), RdfFormat.TURTLE)


def keep(candidates: Iterable[Candidate], store: Store, into: Store) -> None:
    """Add the candidates to a store, each in the place of what it has of the same two stretches.

    The score and status that a candidate had there before are forgotten.
    """
    new: set[Quad] = set()
    old: set[Quad] = set()
    for triple in triples(candidates, store):
        new.add(Quad(*triple))
        if triple.predicate in (term("score"), term("reuseStatus")):
            old.update(into.quads_for_pattern(triple.subject, triple.predicate, None))
    for quad in old - new:
        into.remove(quad)
    into.extend(new)
    into.flush()
