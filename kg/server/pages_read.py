"""The reader: contents of a treatise, and a passage with its apparatus, statements, allusions and parallels beside it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

from pyoxigraph import NamedNode, Store

from kg.edition import Place, statement_class, texts, units
from kg.errors import InputError
from kg.facts import TYPE, term, thing
from kg.reader import Mode, Reader, linked
from kg.server.pages_render import HALVES, Labels, address, page
from kg.server.reply import Refused, Reply
from kg.server.world import World
from kg.store import value, values
from kg.text import Passage
from ontology import expand, shorten


@dataclass(frozen=True, slots=True)
class Entry:
    """An entry of the apparatus as it is shown."""

    iri: str
    base: str
    proposed: str
    adopted: bool
    said: Sequence[str]
    agents: Sequence[str]
    evidence: str
    parallels: Sequence[str]
    parallel_quote: str


@dataclass(frozen=True, slots=True)
class Segment:
    """A stretch of a passage: its words, and where emendations touch it the number of the unit and its words."""

    text: str
    number: int = 0
    witness: str = ""
    lemma: str = ""
    entries: Sequence[Entry] = ()
    changed: bool = False


@dataclass(frozen=True, slots=True)
class Said:
    """A statement of a passage."""

    node: NamedNode
    slug: str
    kind: str
    name: str
    quote: str
    gloss: str
    form: NamedNode | None
    reading: str = ""
    """Where it stands in one reading of the text only: base or established."""


@dataclass(frozen=True, slots=True)
class Parallel:
    """A place of another book that stands beside words of the passage."""

    node: NamedNode
    words: str
    book: NamedNode | None
    locator: str
    there: str
    said: Sequence[str]


@dataclass(frozen=True, slots=True)
class Allusion:
    """Words that draw on another book."""

    node: NamedNode
    words: str
    book: NamedNode | None
    section: str
    quote: str
    locator: str
    said: Sequence[str]
    note: str


@cache
def reader(store: Store) -> Reader:
    """The reader of a store, made once a process."""
    return Reader(store)


def read_address(world: World, passage: NamedNode, language: str, fragment: str = "") -> str:
    """Where a passage is read; the page of its IRI for a passage of no treatise."""
    known = reader(world.doctrine.store)
    if passage not in known.places:
        return address(language, "/id/passage/" + passage.value.rpartition("/")[2])
    work, place = known.places[passage]
    return address(language, f"/read/{work.value.rpartition('/')[2]}/{place.ref}", fragment)


def library(world: World, language: str) -> Reply:
    """The treatises."""
    known = reader(world.doctrine.store)
    label = Labels(world.doctrine.store, language)
    rows = [
        (
            work,
            sum(1 for of, _ in known.places.values() if of == work),
            _makers(world.doctrine.store, work, label),
        )
        for work in known.works
    ]
    return page("library.html", language, "/read", works=rows, label=label)


def contents(world: World, slug: str, language: str) -> Reply:
    """The contents of a treatise: volumes, headings, passages."""
    known, store = reader(world.doctrine.store), world.doctrine.store
    work = _work(known, slug)
    volumes: dict[NamedNode, dict[NamedNode | None, list[Place]]] = {}
    for of, place in known.places.values():
        if of == work:
            volumes.setdefault(place.chapter, {}).setdefault(place.heading, []).append(place)
    label = Labels(store, language)
    makers = _makers(store, work, label)
    return page(
        "contents.html",
        language,
        f"/read/{slug}",
        work=work,
        slug=slug,
        volumes=volumes,
        label=label,
        makers=makers,
    )


def passage(world: World, slug: str, ref: str, mode: str, language: str) -> Reply:
    """A passage, in one of the three modes of the reader. Raises Refused (404), InputError."""
    store = world.doctrine.store
    known, label = reader(store), Labels(store, language)
    work = _work(known, slug)
    if mode not in list(Mode):
        raise InputError("mode", mode, ", ".join(Mode))
    order = [place for of, place in known.places.values() if of == work]
    here = next((number for number, place in enumerate(order) if place.ref == ref), None)
    if here is None:
        raise Refused(404, f"no passage of {slug} has the reference {ref}; /read/{slug} lists them")
    place = order[here]
    text = known.passages[place.node]
    return page(
        "passage.html",
        language,
        f"/read/{slug}/{ref}",
        {} if mode == Mode.established else {"mode": mode},
        work=work,
        slug=slug,
        place=place,
        mode=mode,
        modes=list(Mode),
        label=label,
        locator=value(store, place.node, "locator"),
        segments=segments(store, text, Mode(mode), label),
        slips=slips(store, place.node, label),
        statements=_statements(known, place.node, language),
        allusions=_allusions(store, place.node, label),
        parallels=_parallels(world, place.node, label),
        citation=known.citation(place.node, HALVES[language]),
        before=order[here - 1] if here else None,
        after=order[here + 1] if here + 1 < len(order) else None,
    )


def segments(store: Store, text: Passage, mode: Mode, label: Labels) -> list[Segment]:
    """A passage cut where emendations touch it.

    >>> from kg.findings import shared
    >>> from kg.server.pages_render import Labels
    >>> store = shared().store
    >>> text = reader(store).passages[thing("passage:xuantai-2")]
    >>> cut = segments(store, text, Mode.base, Labels(store, "en"))
    >>> "".join(part.text for part in cut) == text.base, [part.number for part in cut if part.number][:2]
    (True, [1, 2])
    """
    found: list[Segment] = []
    position = 0
    for number, unit in enumerate(units(text), 1):
        if unit.start > position:
            found.append(Segment(text.base[position : unit.start]))
        witness, lemma = unit.words(text), unit.words(text, unit.adopted)
        shown = witness if mode is Mode.base else lemma
        entries = [entry(store, thing(e.iri), label) for e in unit.emendations]
        found.append(Segment(shown, number, witness, lemma, entries, witness != lemma))
        position = unit.end
    if position < len(text.base):
        found.append(Segment(text.base[position:]))
    return found


def entry(store: Store, node: NamedNode, label: Labels) -> Entry:
    """An entry of the apparatus, in the words of a language."""
    said = [v for p in ("kind", "certainty", "status") for v in values(store, node, p)]
    return Entry(
        node.value,
        value(store, node, "base"),
        value(store, node, "proposed"),
        value(store, node, "status") == term("adopted").value,
        [label(v) for v in said if isinstance(v, NamedNode)],
        [label(agent) for agent in linked(store, node, "prov:wasAttributedTo")],
        value(store, node, "evidence"),
        [v.value for v in values(store, node, "parallel")],
        value(store, node, "parallelQuote"),
    )


def slips(store: Store, node: NamedNode, label: Labels) -> list[Entry]:
    """The slips of the commentary on a passage, which touch no word of its text."""
    about = store.quads_for_pattern(None, term("passage"), node)
    found = sorted({q.subject.value for q in about if isinstance(q.subject, NamedNode)})
    slip = thing("kind:slip")
    return [
        entry(store, NamedNode(iri), label) for iri in found if slip in values(store, NamedNode(iri), "kind")
    ]


def _statements(known: Reader, node: NamedNode, language: str) -> list[Said]:
    store = known.store
    rows = []
    quoting = (q.subject for q in store.quads_for_pattern(None, term("passage"), node))
    for found in sorted({s.value for s in quoting if isinstance(s, NamedNode)}):
        statement = NamedNode(found)
        kind = statement_class(store, statement)
        if not kind:
            continue
        forms, readings = linked(store, statement, "shi:form"), linked(store, statement, "shi:reading")
        said = Said(
            statement,
            found.rpartition("/")[2],
            kind,
            value(store, statement, "name"),
            value(store, statement, "quote"),
            texts(store, statement, "shi:gloss").get(HALVES[language], ""),
            forms[0] if forms else None,
            shorten(readings[0].value).partition(":")[2] if len(readings) == 1 else "",
        )
        rows.append((known.span(statement), found, said))
    return [row[2] for row in sorted(rows, key=lambda row: row[:2])]


def _of(store: Store, cls: str, node: NamedNode) -> list[NamedNode]:
    """The instances of a class or of those under it that have shi:passage to a passage, sorted."""
    below = {term(cls)} | {
        q.subject for q in store.quads_for_pattern(None, NamedNode(expand("rdfs:subClassOf")), term(cls))
    }
    found = (q.subject for q in store.quads_for_pattern(None, term("passage"), node))
    rows = {s for s in found if isinstance(s, NamedNode)}
    return sorted(
        (s for s in rows if any(q.object in below for q in store.quads_for_pattern(s, TYPE, None))),
        key=lambda s: s.value,
    )


def _allusions(store: Store, node: NamedNode, label: Labels) -> list[Allusion]:
    rows = []
    for found in _of(store, "Allusion", node):
        books = linked(store, found, "cito:hasCitedEntity")
        about = [
            *linked(store, found, "cito:hasCitationCharacterization"),
            *linked(store, found, "shi:certainty"),
        ]
        about += linked(store, found, "prov:wasAttributedTo")
        rows.append(
            Allusion(
                found,
                value(store, found, "allusiveWords"),
                books[0] if books else None,
                value(store, found, "section"),
                value(store, found, "targetQuote"),
                value(store, found, "kanripoLocator"),
                [label(n) for n in about],
                next(iter(texts(store, found, "skos:note").values()), ""),
            )
        )
    return rows


def _parallels(world: World, node: NamedNode, label: Labels) -> list[Parallel]:
    """What was collated with the judgments of a passage, and the reuse found for it in a collection."""
    rows, store = [], world.doctrine.store
    quoting = (q.subject for q in store.quads_for_pattern(None, term("passage"), node))
    for judgment in sorted({s.value for s in quoting if isinstance(s, NamedNode)}):
        collations = (q.subject for q in store.quads_for_pattern(None, term("collates"), NamedNode(judgment)))
        for found in sorted({s.value for s in collations if isinstance(s, NamedNode)}):
            parallel = NamedNode(found)
            books = linked(store, parallel, "shi:witness")
            said = [label(n) for n in linked(store, parallel, "shi:agreement")]
            ours, there = value(store, parallel, "baseName"), value(store, parallel, "witnessName")
            where = value(store, parallel, "locator")
            rows.append(Parallel(parallel, ours, books[0] if books else None, where, there, said))
    for reuse in _of(world.store, "Reuse", node):
        here, beside = NamedNode(f"{reuse.value}.here"), NamedNode(f"{reuse.value}.there")
        ours, theirs = (_exact(world.store, NamedNode(f"{end.value}.quote")) for end in (here, beside))
        books = linked(world.store, beside, "oa:hasSource")
        said = [label(n) for n in linked(world.store, reuse, "shi:reuseStatus")]
        where = value(world.store, beside, "locator")
        rows.append(Parallel(reuse, ours, books[0] if books else None, where, theirs, said))
    return rows


def _exact(store: Store, selector: NamedNode) -> str:
    return next(iter(texts(store, selector, "oa:exact").values()), "")


def _makers(store: Store, work: NamedNode, label: Labels) -> str:
    return "、".join(label(maker) for maker in linked(store, work, "dcterms:creator"))


def _work(known: Reader, slug: str) -> NamedNode:
    found = next((work for work in known.works if work.value.rpartition("/")[2] == slug), None)
    if found is None:
        names = ", ".join(work.value.rpartition("/")[2] for work in known.works)
        raise Refused(404, f"there is no treatise {slug}; there are {names}")
    return found
