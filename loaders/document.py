"""What every reader of a format gives: a document of entries; and how a document becomes triples.

The IRI of a line is made of its work, its locator, and its place among the lines of that locator, so that the
same line of the same work is the same node wherever it is loaded.
"""

from __future__ import annotations

import functools
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from urllib.parse import quote

from pyoxigraph import Literal, NamedNode, Quad

from kg.errors import InputError
from kg.facts import TYPE, term, thing
from loaders.source import Source, StructureError
from ontology import expand

SLUG = re.compile(r"[A-Za-z0-9]+(-[A-Za-z0-9]+)*")
TRANSLATION_LANGUAGE = "ko"
LABEL = NamedNode(expand("rdfs:label"))
VALUE = NamedNode(expand("rdf:value"))
SOURCE = NamedNode(expand("dcterms:source"))
FORMAT = NamedNode(expand("dcterms:format"))
LANGUAGE = NamedNode(expand("dcterms:language"))
IDENTIFIER = NamedNode(expand("dcterms:identifier"))


@dataclass(frozen=True, slots=True)
class Entry:
    """A line of text at a place of its work; `line` is where it stands in the file."""

    locator: str
    text: str
    line: int
    language: str | None = None
    title: str | None = None
    notes: tuple[str, ...] = ()
    translation: str | None = None


@dataclass(frozen=True, slots=True)
class Rendering:
    """A paragraph of a translation and the passages it renders."""

    text: str
    passages: tuple[str, ...]
    line: int
    title: str | None = None


@dataclass(slots=True)
class Document:
    """A file as its reader gives it: what it says of itself, and its entries, read as they are asked for.

    `remarks` grows while the entries are read.
    """

    entries: Iterable[Entry | Rendering]
    titles: Mapping[str, str] = field(default_factory=dict)
    """The title of the work as the file states it, by language; under "" where it states none."""
    label: str | None = None
    """The title of the part that the file holds."""
    label_language: str | None = None
    identifier: str | None = None
    edition: str | None = None
    remarks: list[str] = field(default_factory=list)


@dataclass(slots=True)
class Count:
    """How much of a file went into the graph."""

    lines: int = 0
    translations: int = 0
    passages: int = 0


def work_node(slug: str) -> NamedNode:
    """The node of a work. Raises InputError for a slug that is not of ASCII letters, digits and hyphens.

    >>> work_node("kr3g0031").value
    'https://w3id.org/sanshi/id/work/kr3g0031'
    """
    if not SLUG.fullmatch(slug):
        raise InputError(
            "work", slug, "a slug of ASCII letters, digits and single hyphens, such as liuren-daquan"
        )
    return thing(f"work:{slug}")


def file_node(work: NamedNode, name: str) -> NamedNode:
    """The node of a file of a work, by the name of the file.

    >>> file_node(work_node("miji"), "08 juan.txt").value.rpartition("/id/")[2]
    'work/miji/file/08%20juan.txt'
    """
    return NamedNode(f"{work.value}/file/{quote(name, safe='')}")


def line_node(work: NamedNode, locator: str, number: int) -> NamedNode:
    """The node of the n-th line at a locator of a work.

    >>> line_node(work_node("kr3g0031"), "KR3g0031_WYG_001-1a", 2).value.rpartition("/")[2]
    'kr3g0031.KR3g0031_WYG_001-1a.2'
    """
    return NamedNode(f"{_before_number(work, locator)}{number}")


@functools.lru_cache(maxsize=1024)
def _before_number(work: NamedNode, locator: str) -> str:
    slug = work.value.rpartition("/")[2]
    return f"{expand('passage:')}{slug}.{quote(locator, safe='')}."


def by_line(source: Source, line: int) -> str:
    """The locator of text that has none of its own: the name of the file without its ending, and the line."""
    return f"{source.path.stem}:{line}"


def quads(
    document: Document,
    source: Source,
    work: NamedNode,
    language: str,
    count: Count,
    claim: Callable[[Source, str, int], None],
) -> Iterator[Quad]:
    """The triples of the entries of a document; `count` is kept as they are read.

    `claim` is told each locator once, with the line where it is met. Raises StructureError where the document
    has no text at all, and what its reader and `claim` raise.
    """
    file = file_node(work, source.name)
    at: Counter[str] = Counter()
    rendered: dict[str, list[str]] = {}
    for entry in document.entries:
        if isinstance(entry, Rendering):
            count.translations += 1
            node = NamedNode(f"{file.value}/translation/{count.translations}")
            yield Quad(node, TYPE, term("Translation"))
            yield Quad(node, term("partOf"), file)
            yield Quad(node, term("ordinal"), Literal(count.translations))
            yield Quad(node, VALUE, Literal(entry.text, language=TRANSLATION_LANGUAGE))
            if entry.title is not None:
                yield Quad(node, term("title"), Literal(entry.title))
            for passage in entry.passages:
                yield Quad(node, term("translates"), NamedNode(passage))
                rendered.setdefault(passage, []).append(entry.text)
            continue
        count.lines += 1
        at[entry.locator] += 1
        if at[entry.locator] == 1:
            claim(source, entry.locator, entry.line)
        yield from _line(
            entry, line_node(work, entry.locator, at[entry.locator]), file, count.lines, language
        )
        if entry.translation is not None:
            count.translations += 1
    for passage, texts in rendered.items():
        yield joined(NamedNode(passage), texts)
    count.passages = len(rendered)
    if not count.lines and not count.translations:
        raise StructureError(source.path, "the file has no text")


def joined(passage: NamedNode, texts: list[str]) -> Quad:
    """The translation of a passage, of the paragraphs that render it in order."""
    return Quad(passage, term("translation"), Literal("\n\n".join(texts), language=TRANSLATION_LANGUAGE))


def _line(entry: Entry, node: NamedNode, file: NamedNode, ordinal: int, language: str) -> Iterator[Quad]:
    own = entry.language or language
    yield Quad(node, TYPE, term("Line"))
    yield Quad(node, term("partOf"), file)
    yield Quad(node, term("ordinal"), Literal(ordinal))
    yield Quad(node, term("locator"), Literal(entry.locator))
    yield Quad(node, term("baseText"), Literal(entry.text, language=own))
    if entry.title is not None:
        yield Quad(node, term("title"), Literal(entry.title))
    for note in entry.notes:
        yield Quad(node, term("note"), Literal(note, language=own))
    if entry.translation is not None:
        yield Quad(node, term("translation"), Literal(entry.translation, language=TRANSLATION_LANGUAGE))


def file_quads(
    document: Document, source: Source, work: NamedNode, format: str, language: str
) -> Iterator[Quad]:
    """The triples of the file itself."""
    file = file_node(work, source.name)
    label_language = document.label_language or language
    yield Quad(file, TYPE, term("File"))
    yield Quad(file, term("partOf"), work)
    yield Quad(file, term("digest"), Literal(source.digest))
    yield Quad(file, SOURCE, Literal(source.name))
    yield Quad(file, FORMAT, Literal(format))
    yield Quad(file, LANGUAGE, Literal(language))
    if document.label:
        yield Quad(file, LABEL, Literal(document.label, language=label_language))
    else:
        yield Quad(file, LABEL, Literal(source.name))
    if document.identifier:
        yield Quad(file, IDENTIFIER, Literal(document.identifier))
    if document.edition:
        yield Quad(file, term("edition"), Literal(document.edition))
