"""What the graph says of one thing: its own triples, those that point at it, and the labels to show them by."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache, cached_property

from pyoxigraph import BlankNode, Literal, NamedNode, Quad, Store

from kg.edition import labels
from kg.facts import TYPE
from ontology import BASE, shorten

INCOMING = 500
"""How many of the triples that point at a thing are given with it."""
TAGS = {"en": "en", "ko": "ko", "zh": "zh-hant"}
"""The tag of the labels in each language of the pages."""

Labels = Mapping[str, str]


def named(found: Labels, language: str, otherwise: str) -> str:
    """The label in a language, else in another, else something else.

    >>> named({"ko": "자", "zh-hant": "子"}, "zh", "01-zi"), named({}, "en", "01-zi")
    ('子', '01-zi')
    """
    return found.get(TAGS[language]) or next(iter(found.values()), otherwise)


def local(iri: str) -> str:
    """Where the page of an IRI is: a path on this server for ours, the IRI itself for another's that is on the web.

    >>> local("https://w3id.org/sanshi/ontology#generates"), local("urn:isbn:1")
    ('/ontology#generates', '')
    """
    if iri.startswith(BASE):
        return "/" + iri.removeprefix(BASE)
    return iri if iri.startswith(("http://", "https://")) else ""


@dataclass(frozen=True, slots=True)
class Link:
    """A triple seen from the thing described: the predicate, and what stands at the other end."""

    predicate: NamedNode
    predicate_labels: Labels
    node: NamedNode | Literal | BlankNode
    node_labels: Labels

    @property
    def href(self) -> str:
        """The address of what stands at the other end; empty for a literal."""
        return local(self.node.value) if isinstance(self.node, NamedNode) else ""

    @property
    def tag(self) -> str:
        """The language of a literal; empty where there is none."""
        return (self.node.language or "") if isinstance(self.node, Literal) else ""

    def property_label(self, language: str) -> str:
        """How the property is called."""
        return named(self.predicate_labels, language, shorten(self.predicate.value))

    def text(self, language: str) -> str:
        """What stands at the other end, as text."""
        if isinstance(self.node, NamedNode):
            return named(self.node_labels, language, shorten(self.node.value))
        return self.node.value


@dataclass(frozen=True)
class Description:
    """A thing, and what is said of it. `more` counts the triples that point at it beyond those that are given."""

    iri: str
    quads: tuple[Quad, ...]
    back: tuple[Quad, ...]
    more: int
    labels_of: Callable[[NamedNode], Labels]
    alternates: Mapping[str, str]

    @cached_property
    def outgoing(self) -> list[Link]:
        """What is said of the thing, types first."""
        node = NamedNode(self.iri)
        own = [q for q in self.quads if q.subject == node]
        return [self._link(q.predicate, q.object) for q in sorted(own, key=_order)]

    @cached_property
    def incoming(self) -> list[Link]:
        """What points at the thing."""
        return [self._link(q.predicate, q.subject) for q in self.back]

    def label(self, language: str) -> str:
        """How the thing is called."""
        return named(self.labels_of(NamedNode(self.iri)), language, shorten(self.iri))

    def _link(self, predicate: NamedNode, node: object) -> Link:
        if isinstance(node, NamedNode):
            return Link(predicate, self.labels_of(predicate), node, self.labels_of(node))
        other = node if isinstance(node, Literal | BlankNode) else Literal(str(node))
        return Link(predicate, self.labels_of(predicate), other, {})


def describe(store: Store, iri: str, alternates: Mapping[str, str]) -> Description | None:
    """What a store says of a thing, blank nodes followed to their end; None for what it does not know.

    >>> from kg.findings import shared
    >>> found = describe(shared().store, "https://w3id.org/sanshi/id/branch/01-zi", {})
    >>> found.label("ko"), found.outgoing[0].text("en")
    ('자', 'earthly branch')
    """
    node = NamedNode(iri)
    said = closure(store, node)
    back = [q for q in store.quads_for_pattern(None, None, node) if isinstance(q.subject, NamedNode)]
    if not said and not back:
        return None
    back.sort(key=lambda q: (q.predicate.value, str(q.subject)))
    return of_quads(store, iri, said, back, alternates)


def of_quads(
    store: Store, iri: str, said: list[Quad], back: list[Quad], alternates: Mapping[str, str]
) -> Description:
    """A description made of quads that are at hand; the store has the labels of what they mention."""
    more = max(0, len(back) - INCOMING)
    kept = tuple(back[:INCOMING])
    labels_of = cache(lambda node: labels(store, node))  # one property has many values
    return Description(iri, tuple(said), kept, more, labels_of, alternates)


def closure(store: Store, node: NamedNode) -> list[Quad]:
    """The triples of a thing, and those of the blank nodes that they lead to."""
    found: dict[Quad, None] = {}
    waiting: deque[NamedNode | BlankNode] = deque([node])
    seen: set[NamedNode | BlankNode] = {node}
    while waiting:
        for quad in store.quads_for_pattern(waiting.popleft(), None, None):
            found[Quad(quad.subject, quad.predicate, quad.object)] = None
            if isinstance(quad.object, BlankNode) and quad.object not in seen:
                seen.add(quad.object)
                waiting.append(quad.object)
    return list(found)


def _order(quad: Quad) -> tuple[bool, str, str]:
    return quad.predicate != TYPE, quad.predicate.value, str(quad.object)
