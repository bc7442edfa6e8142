"""The reader: contents of a treatise, and a passage with its apparatus, statements, allusions and parallels beside it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

from pyoxigraph import NamedNode, Store

from kg.edition import Place, statement_class, texts, units
from kg.errors import InputError
from kg.facts import term, thing
from kg.loaded import title, translations
from kg.reader import Mode, Reader, linked
from kg.server.pages_beside import Entry, allusions, entry, parallels, slips
from kg.server.pages_render import HALVES, Labels, address, page
from kg.server.reply import Refused, Reply
from kg.server.world import World
from kg.store import value
from kg.text import Passage
from ontology import shorten


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


def passage_name(world: World, node: NamedNode, language: str) -> str:
    """What a passage is called as it is cited; empty for what is no passage with a locator.

    >>> from kg.findings import shared
    >>> here = World(shared(), shared().store, 10)
    >>> passage_name(here, thing("passage:xuantai-2"), "zh"), passage_name(here, thing("branch:01-zi"), "zh")
    ('《六壬經緯》卷三·懸胎·2', '')
    """
    known = reader(world.doctrine.store)
    if node in known.places:
        return known.name(node, HALVES[language])
    locator, whole = value(world.store, node, "locator"), node
    if not locator:
        return ""
    while above := linked(world.store, whole, "shi:partOf"):
        whole = above[0]
    return f"{Labels(world.store, language)(whole)} {locator}"


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
        name=passage_name(world, place.node, language),
        segments=segments(store, text, Mode(mode), label),
        slips=slips(store, place.node, label),
        translations=[(r, title(world.store, r.file)) for r in translations(world.store, place.node)],
        statements=_statements(known, place.node, language),
        allusions=allusions(store, place.node, label),
        parallels=parallels(world, place.node, label),
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


def _makers(store: Store, work: NamedNode, label: Labels) -> str:
    return "、".join(label(maker) for maker in linked(store, work, "dcterms:creator"))


def _work(known: Reader, slug: str) -> NamedNode:
    found = next((work for work in known.works if work.value.rpartition("/")[2] == slug), None)
    if found is None:
        names = ", ".join(work.value.rpartition("/")[2] for work in known.works)
        raise Refused(404, f"there is no treatise {slug}; there are {names}")
    return found
