"""What the graph says of one thing: its own triples, those that point at it, and the labels to show them by."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache, cached_property

from pyoxigraph import BlankNode, Literal, NamedNode, Quad, Store

from kg.edition import labels, texts
from kg.facts import TYPE
from kg.server.words import vocabulary
from kg.store import value
from ontology import BASE, shorten

INCOMING = 500
"""How many of the triples that point at a thing are given with it."""
QUOTED = 16
"""How many characters of a clause name it in a list."""
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


def short(iri: str) -> str:
    """The prefixed name of an IRI, else its path where it is ours, else the IRI.

    >>> short("https://w3id.org/sanshi/id/branch/01-zi"), short("https://w3id.org/sanshi/dataset/class/shi.Door")
    ('branch:01-zi', 'dataset/class/shi.Door')
    """
    name = shorten(iri)
    return iri.removeprefix(BASE) if name == iri else name


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
        """The language of a literal, or of the text by which a thing without label is named; else empty."""
        if isinstance(self.node, Literal):
            return self.node.language or ""
        return "lzh-hant" if "" in self.node_labels else ""

    def property_label(self, language: str) -> str:
        """How the property is called."""
        return named(self.predicate_labels, language, shorten(self.predicate.value))

    def text(self, language: str) -> str:
        """What stands at the other end, as text."""
        if isinstance(self.node, NamedNode):
            return named(self.node_labels, language, short(self.node.value))
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
        return named(self.labels_of(NamedNode(self.iri)), language, short(self.iri))

    def _link(self, predicate: NamedNode, node: object) -> Link:
        if isinstance(node, NamedNode):
            return Link(predicate, self.labels_of(predicate), node, self.labels_of(node))
        other = node if isinstance(node, Literal | BlankNode) else Literal(str(node))
        return Link(predicate, self.labels_of(predicate), other, {})


def describe(
    store: Store, iri: str, alternates: Mapping[str, str], names: Store | None = None
) -> Description | None:
    """What a store says of a thing, blank nodes followed to their end; None for what it does not know.

    `names` is a store that has the labels of what the other mentions and does not name.

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
    return of_quads(store, iri, said, back, alternates, names)


def of_quads(
    store: Store,
    iri: str,
    said: list[Quad],
    back: list[Quad],
    alternates: Mapping[str, str],
    names: Store | None = None,
) -> Description:
    """A description made of quads that are at hand; the store has the labels of what they mention."""
    more = max(0, len(back) - INCOMING)
    kept = tuple(back[:INCOMING])

    @cache  # one property has many values
    def labels_of(node: NamedNode) -> Labels:
        return called(store, node) or (called(names, node) if names is not None else {})

    return Description(iri, tuple(said), kept, more, labels_of, alternates)


def called(store: Store, node: NamedNode) -> Labels:
    """What a thing is called, by tag: its labels; else, under no tag, how one speaks of a thing of its kind.

    A passage is named by its place in the book, a statement or allusion by its words, an emendation by
    what it alters.

    >>> from kg.facts import thing
    >>> from kg.findings import shared
    >>> names = ("branch:01-zi", "passage:xuantai-2", "judgment:yinshou-branch", "emendation:xuantai-2-2")
    >>> [next(iter(called(shared().store, thing(name)).values())) for name in names]
    ['Zi', '卷三·懸胎·2', '「支生干，彼助我」', '亢毓 → 元毓']
    """
    found = labels(store, node) or texts(store, node, "dcterms:title")
    if found:
        return found
    outside = vocabulary().get(shorten(node.value))
    if outside:
        return {TAGS[language]: word for language, word in outside.items()}
    base, proposed = value(store, node, "base"), value(store, node, "proposed")
    if base and proposed:
        return {"": f"{base} → {proposed}"}
    quote = value(store, node, "quote") or value(store, node, "allusiveWords")
    if quote:
        return {"": f"「{quote if len(quote) <= QUOTED else quote[:QUOTED] + '…'}」"}
    locator = value(store, node, "locator")
    return {"": locator} if locator else {}


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
