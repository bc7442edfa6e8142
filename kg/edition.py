"""A work as an edition sees it: its passages in order, their references, its variation units.

TEI, DTS and the table of judgments read a work through here, so that a passage has one reference everywhere:
volume, heading and paragraph (3.1.2), where a heading is a pattern of 大六壬 or a topic of 奇門遁甲.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from pyoxigraph import Literal, NamedNode, QuerySolutions, Store

from kg.errors import DataError, InputError
from kg.facts import TYPE, term, thing
from kg.store import passages, value, values
from kg.text import Emendation, Passage, find
from ontology import expand, shorten

PART = term("partOf")
STATEMENTS = ("Judgment", "Definition", "Method", "Remark", "Caveat")
"""The classes of statements, each a subclass of shi:Statement."""


@dataclass(frozen=True, slots=True)
class Place:
    """A passage in its place: its chapter, its heading where it has one, and its reference by numbers."""

    node: NamedNode
    chapter: NamedNode
    heading: NamedNode | None
    numbers: tuple[str, ...]

    @property
    def ref(self) -> str:
        """Volume, heading and paragraph, such as 3.1.2."""
        return ".".join(self.numbers)


@dataclass(frozen=True, slots=True)
class Unit:
    """A stretch of the base text that emendations touch, with those that touch it."""

    start: int
    end: int
    emendations: tuple[Emendation, ...]

    @property
    def adopted(self) -> list[Emendation]:
        """Those of its emendations that make the established text."""
        return [e for e in self.emendations if e.adopted]

    def words(self, passage: Passage, chosen: Sequence[Emendation] = ()) -> str:
        """The stretch with some emendations applied, none of which overlap; without any, the base words."""
        out, position = [], self.start
        for (start, end), emendation in sorted(
            ((passage.place(e), e) for e in chosen), key=lambda row: row[0]
        ):
            out += [passage.base[position:start], emendation.proposed]
            position = end
        return "".join(out) + passage.base[position : self.end]

    def proposal(self, passage: Passage, emendation: Emendation) -> str:
        """What the stretch would read with a proposal, which replaces the adopted ones that it overlaps.

        >>> a, b = Emendation("a", "日干", "日支", 1, True), Emendation("b", "干上神", "支上神", 1, False)
        >>> p = Passage("p", "視日干上神。", (a, b))
        >>> units(p)[0].words(p, [a]), units(p)[0].proposal(p, b)
        ('日支上神', '日支上神')
        """
        start, end = passage.place(emendation)
        kept = [e for e in self.adopted if passage.place(e)[1] <= start or end <= passage.place(e)[0]]
        return self.words(passage, [*kept, emendation])


def units(passage: Passage) -> list[Unit]:
    """The variation units of a passage: emendations that overlap, directly or by way of another, are in one.

    Raises DataError where an emendation is not in the text.

    >>> e = Emendation("a", "日干", "日支", 1, True), Emendation("b", "干上神", "支上神", 1, False)
    >>> [(u.start, u.end, len(u.emendations)) for u in units(Passage("p", "視日干上神。", e))]
    [(1, 5, 2)]
    """
    found: list[Unit] = []
    rows = [(passage.place(e), not e.adopted, e.iri, e) for e in passage.emendations]
    for (start, end), *_, emendation in sorted(rows, key=lambda row: row[:3]):
        if found and start < found[-1].end:
            last = found.pop()
            found.append(Unit(last.start, max(end, last.end), (*last.emendations, emendation)))
        else:
            found.append(Unit(start, end, (emendation,)))
    return found


def works(store: Store) -> list[NamedNode]:
    """The works of a store that have chapters, sorted by IRI.

    >>> from kg.findings import shared
    >>> [node.value.rpartition("/")[2] for node in works(shared().store)][0]
    'liuren-jingwei'
    """
    classes = (NamedNode(expand("lrmoo:F1_Work")), term("Treatise"))
    found = {q.subject for c in classes for q in store.quads_for_pattern(None, TYPE, c)}
    whole = (w for w in found if isinstance(w, NamedNode) and any(store.quads_for_pattern(None, PART, w)))
    return sorted(whole, key=lambda node: node.value)


def is_treatise(store: Store, work: NamedNode) -> bool:
    """Whether a work is one whose text and doctrine we publish, and not a text that a user has loaded.

    >>> from kg.findings import shared
    >>> is_treatise(shared().store, thing("work:liuren-jingwei"))
    True
    """
    return any(store.quads_for_pattern(work, TYPE, term("Treatise")))


def work(store: Store, name: str) -> NamedNode:
    """A work by the local name of its IRI, or by its title in any language. Raises InputError with the names there are.

    >>> from kg.findings import shared
    >>> work(shared().store, "liuren-jingwei") == work(shared().store, "육임경위")
    True
    """
    slugs = {node.value.rpartition("/")[2]: node for node in works(store)}
    known = {title: node for node in slugs.values() for title in labels(store, node).values()} | slugs
    if name not in known:
        raise InputError("work", name, f"one of {', '.join(slugs)}" if slugs else "a store that has works")
    return known[name]


def parts(store: Store, whole: NamedNode) -> list[NamedNode]:
    """The parts of a work or chapter, by volume, ordinal and IRI.

    >>> from kg.findings import shared
    >>> [node.value[-1] for node in parts(shared().store, thing("work:qimen-miji"))]
    ['8', '9']
    """
    found = {q.subject for q in store.quads_for_pattern(None, PART, whole)}
    rows = [
        (int(value(store, node, "volume", "0")), int(value(store, node, "ordinal", "0")), node.value, node)
        for node in found
        if isinstance(node, NamedNode)
    ]
    return [row[3] for row in sorted(rows, key=lambda row: row[:3])]


def contents(store: Store, whole: NamedNode) -> tuple[Place, ...]:
    """The passages of a work in order, with their references; one without heading is counted in its chapter.

    Raises DataError where the passages of a heading do not stand together or two passages have one reference.

    >>> from kg.findings import shared
    >>> store = shared().store
    >>> [place.ref for place in contents(store, work(store, "liuren-jingwei"))][:3]
    ['3.1.1', '3.1.2', '3.2.1']
    """
    found: dict[str, Place] = {}
    for order, chapter in enumerate(parts(store, whole), 1):
        volume = value(store, chapter, "volume") or str(order)
        count: dict[NamedNode | None, int] = {}
        last: NamedNode | None = None
        for node, heading in _passages(store, chapter):
            if heading is not None and heading in count and heading != last:
                raise DataError(
                    f"{shorten(node.value)}: the passages of {shorten(heading.value)} do not stand together"
                )
            count[heading], last = count.get(heading, 0) + 1, heading
            numbers: tuple[str, ...] = volume, str(count[heading])
            if heading is not None:
                numbers = volume, value(store, heading, "ordinal") or str(len(count)), str(count[heading])
            place = Place(node, chapter, heading, numbers)
            if place.ref in found:
                raise DataError(
                    f"{shorten(node.value)}: {place.ref} is {shorten(found[place.ref].node.value)} already"
                )
            found[place.ref] = place
    return tuple(found.values())


def _passages(store: Store, chapter: NamedNode) -> list[tuple[NamedNode, NamedNode | None]]:
    """The parts of a chapter that have text, in order, with their headings; a translation is none of them."""
    names = {name: term(name) for name in ("partOf", "baseText", "ordinal", "pattern", "topic")}
    found = store.query(
        f"SELECT ?node ?ordinal ?heading WHERE {{ ?node {names['partOf']} {chapter} ; {names['baseText']} ?text . "
        f"OPTIONAL {{ ?node {names['ordinal']} ?ordinal }} "
        f"OPTIONAL {{ ?node {names['pattern']}|{names['topic']} ?heading }} }}"
    )
    assert isinstance(found, QuerySolutions)
    rows: dict[NamedNode, tuple[int, str, NamedNode, NamedNode | None]] = {}
    for node, ordinal, heading in found:
        if isinstance(node, NamedNode):
            number = int(ordinal.value) if isinstance(ordinal, Literal) else 0
            rows[node] = number, node.value, node, heading if isinstance(heading, NamedNode) else None
    return [row[2:] for row in sorted(rows.values(), key=lambda row: row[:2])]


def read(store: Store, places: Iterable[Place]) -> dict[NamedNode, Passage]:
    """The texts at some places with their apparatus, by node; a line of a loaded text has none."""
    known = passages(store)
    return {
        place.node: known.get(place.node)
        or Passage(shorten(place.node.value), value(store, place.node, "baseText"))
        for place in places
    }


def heading_of(store: Store, node: NamedNode) -> NamedNode | None:
    """The pattern or topic of a passage or statement, or the one a caveat hollows; the first of several.

    >>> from kg.findings import shared
    >>> heading_of(shared().store, thing("caveat:xuantai-1")) == thing("pattern:xuantai")
    True
    """
    found = [h for p in ("pattern", "topic", "heading", "hollows") for h in values(store, node, p)]
    return next((h for h in found if isinstance(h, NamedNode)), None)


def heading_type(store: Store, heading: NamedNode) -> str:
    """What a heading is: pattern, topic, or plainly heading.

    >>> from kg.findings import shared
    >>> heading_type(shared().store, thing("topic:wenzui"))
    'topic'
    """
    classes = {q.object for q in store.quads_for_pattern(heading, TYPE, None)}
    return next((name for name in ("pattern", "topic") if term(name.title()) in classes), "heading")


def statements(store: Store, passage: NamedNode) -> list[NamedNode]:
    """The statements that quote a passage, sorted by IRI.

    >>> from kg.findings import shared
    >>> thing("caveat:xuantai-1") in statements(shared().store, thing("passage:xuantai-2"))
    True
    """
    found = {q.subject for q in store.quads_for_pattern(None, term("passage"), passage)}
    ours = [n for n in found if isinstance(n, NamedNode) and statement_class(store, n)]
    return sorted(ours, key=lambda node: node.value)


def statement_class(store: Store, node: NamedNode) -> str:
    """The class of a statement, such as Judgment; empty for what is none.

    >>> from kg.findings import shared
    >>> statement_class(shared().store, thing("caveat:xuantai-1"))
    'Caveat'
    """
    classes = {q.object for q in store.quads_for_pattern(node, TYPE, None)}
    return next((name for name in STATEMENTS if term(name) in classes), "")


def span(store: Store, passage: Passage, node: NamedNode) -> tuple[int, int, bool]:
    """Start and end of a statement's quote, and whether it is the base text that they count in."""
    base = values(store, node, "reading") == [thing("reading:base")]
    quote = value(store, node, "quote")
    text = passage.base if base else passage.established
    start = find(text, quote, int(value(store, node, "occurrence", "1")))
    return start, start + len(quote), base


def texts(store: Store, node: NamedNode, predicate: str) -> dict[str, str]:
    """The values of a property (a prefixed name) by language tag, sorted; the first where a language has two.

    >>> from kg.findings import shared
    >>> texts(shared().store, thing("pattern:xuantai"), "rdfs:label")["ko"]
    '현태'
    """
    found: dict[str, str] = {}
    for quad in store.quads_for_pattern(node, NamedNode(expand(predicate)), None):
        if isinstance(quad.object, Literal):
            tag = quad.object.language or ""
            found[tag] = min(found.get(tag, quad.object.value), quad.object.value)
    return dict(sorted(found.items()))


def labels(store: Store, node: NamedNode) -> dict[str, str]:
    """The labels of a thing by language tag, sorted: rdfs:label, or skos:prefLabel for what has only that.

    >>> from kg.findings import shared
    >>> labels(shared().store, thing("matter:birth"))["en"]
    'birth'
    """
    return texts(store, node, "rdfs:label") or texts(store, node, "skos:prefLabel")


def label(store: Store, node: NamedNode, tag: str = "zh-hant") -> str:
    """The label of a thing in a language, else in another, else its prefixed name."""
    found = labels(store, node)
    return found.get(tag) or next(iter(found.values()), shorten(node.value))


def bcp47(tag: str) -> str:
    """A language tag with its script capitalised, as BCP 47 (RFC 5646, 2.1.1) writes it.

    >>> bcp47("lzh-hant"), bcp47("ko")
    ('lzh-Hant', 'ko')
    """
    return "-".join(part.title() if len(part) == 4 else part for part in tag.split("-"))
