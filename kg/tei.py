"""A work as a critical edition in TEI P5: text, apparatus, and statements as stand-off notes.

The apparatus is parallel segmentation. One `<app>` is a stretch of the base text that some emendation
touches: its `<lem>` has the established words, its `<rdg wit="#base">` the base words (the lemma is the
witness's own where none is adopted), one more `<rdg>` each proposal that is noted or rejected; a `<note>`
argues for each emendation. Emendations that overlap share one `<app>` over their union, since elements
cannot cross: there each reading is written out over the whole stretch, and the note of each emendation
keeps its own words. Each statement is a `<note>` that points at two anchors in the text. What the header
says is in `kg.tei_header`.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby

from lxml import etree
from pyoxigraph import NamedNode, Store

from kg.edition import (
    Place,
    Unit,
    bcp47,
    contents,
    heading_type,
    label,
    labels,
    read,
    span,
    statement_class,
    statements,
    texts,
    units,
)
from kg.facts import term, thing
from kg.store import CLASSICAL, value, values
from kg.tei_header import (
    CERTAINTY,
    TEI,
    agents,
    append,
    element,
    header,
    pointer,
    set_out,
    xml_id,
)
from kg.text import Passage


def edition(store: Store, work: NamedNode, places: Sequence[Place] | None = None) -> etree._Element:
    """The edition of a work, or of some of its passages, as the root of a TEI document.

    Raises DataError where the apparatus does not fit the text.

    >>> from kg.findings import shared
    >>> root = edition(shared().store, thing("work:liuren-jingwei"))
    >>> passage = root.find(".//{*}p[@{http://www.w3.org/XML/1998/namespace}id='passage.posun-1']")
    >>> len(reading(passage)) > 100
    True
    """
    whole = contents(store, work)
    chosen = whole if places is None else tuple(places)
    by_node = read(store, chosen)
    body = element("body")
    notes: list[etree._Element] = []
    for chapter, in_chapter in groupby(chosen, key=lambda place: place.chapter):
        division = _division(store, chapter, "chapter")
        body.append(division)
        for heading, run in groupby(in_chapter, key=lambda place: place.heading):
            parent = division
            annotated = []
            for place in run:
                if heading is not None and parent is division:
                    parent = _division(store, heading, heading_type(store, heading), place)
                    division.append(parent)
                division.set("n", place.numbers[0])
                paragraph, said = _passage(store, place, by_node[place.node])
                parent.append(paragraph)
                annotated += said
            if annotated:
                title = element("head", label(store, heading or chapter), lang="zh-Hant")
                notes.append(
                    element("listAnnotation", title, *annotated, corresp=f"#{xml_id(heading or chapter)}")
                )
    stand_off = [element("standOff", *notes)] if notes else []
    text = element("text", body, lang="lzh-Hant")
    root = element("TEI", header(store, work, whole), *stand_off, text, lang="en")
    set_out(root)
    return root


def serialise(root: etree._Element) -> bytes:
    """A TEI document as UTF-8, with declaration and final newline.

    >>> serialise(element("p", "初")).decode().splitlines()[1]
    '<p xmlns="http://www.tei-c.org/ns/1.0">初</p>'
    """
    return etree.tostring(root, xml_declaration=True, encoding="UTF-8") + b"\n"


def reading(passage: etree._Element, base: bool = False) -> str:
    """The text of a passage's element: established, from the lemmas, or as the base text has it.

    >>> app = element("app", element("lem", "生"), element("rdg", "作", wit="#base"))
    >>> paragraph = element("p", "末", app, "干")
    >>> reading(paragraph), reading(paragraph, base=True)
    ('末生干', '末作干')
    """
    out = [passage.text or ""]
    for child in passage:
        if child.tag == f"{{{TEI}}}app":
            witnessed = [r for r in child if "#base" in (r.get("wit") or "").split()]
            out.append(reading(witnessed[0] if base else child[0], base))
        elif child.tag != f"{{{TEI}}}note":
            out.append(reading(child, base))
        out.append(child.tail or "")
    return "".join(out)


def _division(store: Store, node: NamedNode, kind: str, place: Place | None = None) -> etree._Element:
    """A chapter or heading with its heads: the name, what the witness calls it, the translations."""
    names = labels(store, node) or {"": label(store, node)}
    own = "zh-hant" if "zh-hant" in names else next(iter(names))
    name: etree._Element | str = names.pop(own)
    if place is not None and value(store, place.node, "restoredHeading"):
        name = element("supplied", name, reason="omitted", resp="#agent.editors")
    heads = [element("head", name, lang=bcp47(own))]
    heads += [
        element("head", other, type="witnessed", lang="lzh-Hant")
        for tag, other in texts(store, node, "skos:altLabel").items()
        if tag == "lzh-hant"
    ]
    heads += [element("head", other, type="translation", lang=bcp47(tag)) for tag, other in names.items()]
    number = place.numbers[1] if place is not None else None
    return element("div", *heads, type=kind, n=number, id=xml_id(node), corresp=pointer(node))


def _passage(store: Store, place: Place, passage: Passage) -> tuple[etree._Element, list[etree._Element]]:
    """A passage as a paragraph with apparatus and anchors, and the notes on it."""
    name = xml_id(place.node)
    cut = units(passage)
    rows = []
    marks: dict[int, str] = {}
    base_marks: dict[int, str] = {}
    for node in statements(store, place.node):
        start, end, base = span(store, passage, node)
        ends = []
        for offset in (start, end):
            inside = _in_established(passage, cut, offset) if base else offset
            if inside is None:
                ends.append(base_marks.setdefault(offset, f"{name}.b{offset}"))
            else:
                ends.append(marks.setdefault(inside, f"{name}.{inside}"))
        rows.append((start, end, _statement(store, node, ends)))
    tag = bcp47(next(iter(texts(store, place.node, "shi:baseText"))).replace(CLASSICAL, ""))
    paragraph = element("p", id=name, n=place.numbers[-1], corresp=pointer(place.node), lang=tag)
    if place.heading is None and (locator := value(store, place.node, "locator")):
        paragraph.append(element("milestone", unit="locator", n=locator))
    position = offset = 0
    for unit in cut:
        offset = _write(paragraph, passage.base[position : unit.start], offset, marks)
        app = element("app")
        paragraph.append(app)
        offset = _readings(store, app, passage, unit, offset, marks, base_marks)
        app.extend(_emendation(store, thing(e.iri)) for e in unit.emendations)
        position = unit.end
    _write(paragraph, passage.base[position:], offset, marks)
    notes = [note for _, _, note in sorted(rows, key=lambda row: row[:2])]
    slips = {q.subject for q in store.quads_for_pattern(None, term("passage"), place.node)}
    slips &= {q.subject for q in store.quads_for_pattern(None, term("kind"), thing("kind:slip"))}
    for slip in sorted((s for s in slips if isinstance(s, NamedNode)), key=lambda node: node.value):
        note = _emendation(store, slip)
        note.set("target", f"#{name}")
        notes.append(note)
    return paragraph, notes


def _readings(
    store: Store,
    app: etree._Element,
    passage: Passage,
    unit: Unit,
    offset: int,
    marks: dict[int, str],
    base_marks: dict[int, str],
) -> int:
    """Put lemma and readings of a unit into its `<app>`; the offset in the established text behind it."""

    def attributes(iris: Sequence[str]) -> dict[str, str]:
        nodes = [thing(iri) for iri in iris]
        degrees = {value(store, n, "certainty").rpartition("#")[2] for n in nodes}
        return {
            "corresp": " ".join(f"#{xml_id(n)}" for n in nodes),
            "resp": " ".join(dict.fromkeys(f"#{xml_id(a)}" for n in nodes for a in agents(store, n))),
            "cert": CERTAINTY.get(degrees.pop(), "") if len(degrees) == 1 else "",
        }

    adopted = unit.adopted
    lemma = element("lem", **(attributes([e.iri for e in adopted]) if adopted else {"wit": "#base"}))
    app.append(lemma)
    after = _write(lemma, unit.words(passage, adopted), offset, marks, inner=True)
    if adopted:
        app.append(element("rdg", wit="#base"))
        _write(app[-1], unit.words(passage), unit.start, base_marks, inner=True)
    for emendation in unit.emendations:
        if not emendation.adopted:
            status = value(store, thing(emendation.iri), "status").rpartition("#")[2]
            app.append(
                element(
                    "rdg", unit.proposal(passage, emendation), type=status, **attributes([emendation.iri])
                )
            )
    return after


def _write(
    parent: etree._Element, words: str, offset: int, marks: dict[int, str], inner: bool = False
) -> int:
    """Add words that begin at an offset, with the anchors due in them; the offset behind them.

    Anchors at either end of a reading (`inner`) stay outside its `<app>`.
    """
    done = 0
    for index in range(1 if inner else 0, len(words) + (0 if inner else 1)):
        if name := marks.pop(offset + index, None):
            append(parent, words[done:index])
            parent.append(element("anchor", id=name))
            done = index
    append(parent, words[done:])
    return offset + len(words)


def _in_established(passage: Passage, cut: Sequence[Unit], offset: int) -> int | None:
    """Where a place of the base text is in the established text; None inside a stretch that was emended."""
    shift = 0
    for unit in cut:
        if offset <= unit.start:
            break
        if offset < unit.end:
            return None if unit.adopted else offset + shift
        shift += len(unit.words(passage, unit.adopted)) - (unit.end - unit.start)
    return offset + shift


def _statement(store: Store, node: NamedNode, ends: Sequence[str]) -> etree._Element:
    """A statement as a note on the text between two anchors."""
    name, readings = value(store, node, "name"), values(store, node, "reading")
    analysis = [v for p in ("form", "matter") for v in values(store, node, p) if isinstance(v, NamedNode)]
    return element(
        "note",
        element("label", name, lang="lzh-Hant") if name else None,
        element("quote", value(store, node, "quote"), lang="lzh-Hant"),
        *(
            element("note", g, type="gloss", lang=bcp47(t))
            for t, g in texts(store, node, "shi:gloss").items()
        ),
        type=statement_class(store, node).lower(),
        subtype=readings[0].value.rpartition("/")[2] if len(readings) == 1 else None,
        id=xml_id(node),
        target=f"#{ends[0]}",
        targetEnd=f"#{ends[1]}",
        ana=" ".join(pointer(v) for v in analysis),
        corresp=pointer(node),
    )


def _emendation(store: Store, node: NamedNode) -> etree._Element:
    """An emendation as a note: kind, status, certainty, agents, its own words, evidence, parallels."""
    kind, status, certainty = (
        next((v for v in values(store, node, p) if isinstance(v, NamedNode)), None)
        for p in ("kind", "status", "certainty")
    )
    by = agents(store, node)
    base, proposed = (
        {bcp47(t): w for t, w in texts(store, node, p).items()} for p in ("shi:base", "shi:proposed")
    )
    terms = [f"{label(store, kind, 'en')} ({label(store, kind)})"] if kind is not None else []
    terms += [label(store, degree, "en") for degree in (status, certainty) if degree is not None]
    parallels = [element("bibl", v.value) for v in values(store, node, "parallel")]
    quotes = [element("quote", v.value, lang="lzh-Hant") for v in values(store, node, "parallelQuote")]
    cited = element("cit", *quotes, *parallels) if quotes and parallels else None
    return element(
        "note",
        f"{', '.join(terms)}; {', '.join(label(store, agent, 'en') for agent in by)}: for ",
        *(element("mentioned", words, lang=tag) for tag, words in base.items()),
        " read ",
        *(element("mentioned", words, lang=tag) for tag, words in proposed.items()),
        f". {' '.join(texts(store, node, 'shi:evidence').values())} ".rstrip(),
        *([cited] if cited is not None else [*quotes, *parallels]),
        type="emendation",
        subtype=status.value.rpartition("#")[2] if status is not None else None,
        id=xml_id(node),
        resp=" ".join(f"#{xml_id(agent)}" for agent in by),
        cert=CERTAINTY.get(certainty.value.rpartition("#")[2]) if certainty is not None else None,
        ana=f"#{xml_id(kind)}" if kind is not None else None,
        corresp=pointer(node),
        lang="en",
    )
