"""Bilingual plain text: a Chinese paragraph, then its Korean translation, and so on; blank lines between.

The translation goes to the passages whose text the Chinese paragraph holds. They are found by content:
characters alone are compared, in the base or the established reading, so that blanks and punctuation do not
matter. A paragraph may hold several passages, and a passage several paragraphs. A paragraph with Hangul is
Korean, one without is Chinese; a short paragraph of one line that ends no sentence and is no half of a pair
is a title.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from kg.text import Passage, is_character
from loaders.document import TRANSLATION_LANGUAGE, Document, Entry, Rendering, by_line
from loaders.source import Source, StructureError, Tick

_HANGUL = re.compile("[\u1100-\u11ff\u3130-\u318f\uac00-\ud7a3]")
_SENTENCE = re.compile("[。．！？；.!?;…」』”’]$|[。！？；]")
_TITLE_LENGTH = 60
_PART_LENGTH = 6
"""A paragraph shorter than this is not looked for inside a passage: it might stand in any."""


@dataclass(frozen=True, slots=True)
class Paragraph:
    """A run of lines without a blank line, and the line where it begins."""

    line: int
    text: str
    lines: int = 1

    @property
    def korean(self) -> bool:
        """Whether there is Hangul in it."""
        return bool(_HANGUL.search(self.text))

    @property
    def like_title(self) -> bool:
        """Whether it may be a title: one short line that ends no sentence."""
        return self.lines == 1 and len(self.text) <= _TITLE_LENGTH and not _SENTENCE.search(self.text)


@dataclass(frozen=True, slots=True)
class Pair:
    """A Chinese paragraph, its translation, and the title before them."""

    chinese: Paragraph
    korean: Paragraph
    title: str | None


@functools.cache
def treatise_passages() -> Mapping[str, Mapping[str, Passage]]:
    """The passages of the treatises that ship with Sanshi, by the slug of the treatise and by IRI."""
    from kg.store import load, passages, treatise_files

    rooms: dict[str, list[Path]] = {}
    for path in treatise_files():
        rooms.setdefault(path.parent.name, []).append(path)
    return {
        slug: {node.value: passage for node, passage in passages(load(paths)).items()}
        for slug, paths in rooms.items()
    }


def doctrine_passages() -> Mapping[str, Passage]:
    """The passages of all treatises that ship with Sanshi, by IRI."""
    return {iri: passage for found in treatise_passages().values() for iri, passage in found.items()}


def read(source: Source, tick: Tick | None = None, *, treatise: str | None = None) -> Document:
    """The translations of a file and the paragraphs that no passage answers, as lines.

    With the slug of a treatise no lines are kept. What is not kept, or has words beyond the passages it holds,
    is named with its line in the remarks. Raises StructureError where paragraphs do not alternate, and where
    none is of the treatise.
    """
    title, pairs = paired(source, paragraphs(source, tick))
    document = Document(())
    if title is not None:
        document.label = title.text
        document.label_language = TRANSLATION_LANGUAGE if title.korean else None
    document.entries = _entries(source, pairs, document, treatise)
    return document


def paragraphs(source: Source, tick: Tick | None = None) -> list[Paragraph]:
    """The paragraphs of a file.

    Raises StructureError for one that has neither Chinese nor Hangul, and for one that is Chinese first and
    Korean further down.
    """
    found: list[Paragraph] = []
    run: list[tuple[int, str]] = []
    for number, text in [*source.lines(tick), (0, "")]:
        if text.strip():
            run.append((number, text.strip()))
            continue
        if run:
            found.append(_paragraph(source, run))
            run = []
    return found


def _paragraph(source: Source, run: Sequence[tuple[int, str]]) -> Paragraph:
    line = run[0][0]
    korean = [bool(_HANGUL.search(text)) for _, text in run]
    if any(korean) and not korean[0]:
        number = run[korean.index(True)][0]
        message = (
            f"Korean in the paragraph that begins in Chinese at line {line}; put a blank line between them"
        )
        raise StructureError(source.path, message, number)
    text = (" " if any(korean) else "").join(text for _, text in run)
    if not any(map(is_character, text)):
        raise StructureError(source.path, "a paragraph without a single character", line)
    return Paragraph(line, text, len(run))


def paired(source: Source, found: Sequence[Paragraph]) -> tuple[Paragraph | None, list[Pair]]:
    """The title of the file, if it has one, and its pairs.

    Raises StructureError where paragraphs do not alternate.
    """
    heading: Paragraph | None = None
    title: Paragraph | None = None
    pairs: list[Pair] = []
    position = 0
    while position < len(found):
        first = found[position]
        after = found[position + 1] if position + 1 < len(found) else None
        position += 1
        if not first.korean and after is not None and after.korean:
            pairs.append(Pair(first, after, None if title is None else title.text))
            title = None
            position += 1
        elif first.like_title and after is not None:
            if not pairs and heading is None:
                heading = first
            else:
                title = first if title is None else Paragraph(title.line, f"{title.text} {first.text}")
        elif first.korean:
            message = "a Korean paragraph without a Chinese one before it"
            if pairs:
                message += f" (the one at line {pairs[-1].chinese.line} has its translation)"
            raise StructureError(source.path, message, first.line)
        else:
            follows = f"another Chinese paragraph begins at line {after.line}" if after else "the file ends"
            message = f"a Chinese paragraph without its translation: {follows}"
            raise StructureError(source.path, message, first.line)
    return heading, pairs


def _entries(
    source: Source, pairs: list[Pair], document: Document, treatise: str | None
) -> Iterator[Entry | Rendering]:
    answered: set[str] = set()
    for pair in pairs:
        passages, beyond = held(pair.chinese.text)
        answered.update(passages)
        where = f"{source.name}, line {pair.chinese.line}"
        if passages:
            yield Rendering(pair.korean.text, tuple(passages), pair.chinese.line, pair.title)
            if beyond:
                document.remarks.append(
                    f"{where}: the translation is given, but no passage has {_short(beyond)}"
                )
        elif treatise is None:
            locator = by_line(source, pair.chinese.line)
            yield Entry(
                locator, pair.chinese.text, pair.chinese.line, title=pair.title, translation=pair.korean.text
            )
        else:
            document.remarks.append(f"{where}: no passage has {_short(pair.chinese.text)}; not loaded")
    if pairs and treatise is not None and answered.isdisjoint(treatise_passages()[treatise]):
        others = [slug for slug, held in treatise_passages().items() if not answered.isdisjoint(held)]
        said = f"; there are some of {', '.join(others)}" if others else ""
        message = f"no Chinese paragraph in it is of {treatise}{said}"
        raise StructureError(source.path, message, pairs[0].chinese.line)


def held(chinese: str) -> tuple[list[str], str]:
    """The passages that a Chinese paragraph holds or is part of, in the order of its text; the words of none.

    >>> held("懸胎 三傳亥寅巳、寅巳申、巳申寅、申寅亥曰順懸胎")[0]
    ['https://w3id.org/sanshi/id/passage/xuantai-1']
    """
    whole = folded(chinese)
    covered = [False] * len(whole)
    found: list[tuple[int, str]] = []
    for iri, forms in _forms().items():
        places = [(whole.find(form), form) for form in forms if form in whole]
        if places:
            start, form = places[0]
            found.append((start, iri))
            covered[start : start + len(form)] = [True] * len(form)
    if found:
        return [iri for _, iri in sorted(found)], "".join(
            c for c, done in zip(whole, covered, strict=True) if not done
        )
    if len(whole) < _PART_LENGTH:
        return [], whole
    around = [iri for iri, forms in _forms().items() if any(whole in form for form in forms)]
    return (around, "") if len(around) == 1 else ([], whole)


@functools.cache
def _forms() -> Mapping[str, tuple[str, ...]]:
    """The characters of each passage, in its two readings."""
    return {
        iri: tuple(dict.fromkeys((folded(passage.base), folded(passage.established))))
        for iri, passage in doctrine_passages().items()
    }


def folded(text: str) -> str:
    """The characters of a text, without punctuation and blanks.

    >>> folded("懸胎 三傳亥寅巳、")
    '懸胎三傳亥寅巳'
    """
    return "".join(filter(is_character, text))


def _short(text: str) -> str:
    return repr(text if len(text) <= 20 else text[:20] + "…")
