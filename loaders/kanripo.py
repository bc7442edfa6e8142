"""Kanripo's text format (mandoku): a header of `#+` lines, page anchors `<pb:…>`, ¶ at the end of a line.

The locator of a line is the anchor of its page. Notes in round brackets stay in the line and are given as
notes as well; a note may run over the end of a line. Headings of the outline (`* …`) become the title of the
line after them. Passed over: comments (`#`), drawers (`:…:`), running heads (`@fw`), and `<md:…>`, the page
breaks of another edition.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from loaders.document import Document, Entry
from loaders.source import MarkupError, Source, StructureError, Tick

_TITLE = re.compile(r"#\+TITLE:\s*(.*?)\s*")
_PROPERTY = re.compile(r"#\+PROPERTY:\s+(\S+)\s+(.*?)\s*")
_HEADING = re.compile(r"\*+\s+(.*)")
_DRAWER = re.compile(r":[A-Za-z_-]+:(\s.*)?")
_TAG = re.compile(r"<(pb|md):([^<>\s]+)>")


def read(source: Source, tick: Tick | None = None) -> Document:
    """The lines of a file of Kanripo.

    Of a header line given twice the first counts. Raises MarkupError for a tag that is neither page anchor
    nor milestone and for brackets that do not pair; StructureError for text before the first page anchor.
    """
    lines = source.lines(tick)
    header: dict[str, str] = {}
    first: list[tuple[int, str]] = []
    for number, text in lines:
        if text and not text.startswith("#"):
            first.append((number, text))
            break
        if found := _TITLE.fullmatch(text):
            header.setdefault("TITLE", found[1])
        elif found := _PROPERTY.fullmatch(text):
            header.setdefault(found[1], found[2])
    return Document(
        _entries(source, iter(first), lines),
        titles={"": header["TITLE"]} if header.get("TITLE") else {},
        label=header.get("JUAN"),
        identifier=header.get("ID"),
        edition=header.get("BASEEDITION"),
    )


class _Notes:
    """The round brackets of a file, followed over its lines."""

    def __init__(self, source: Source) -> None:
        self.source = source
        self.opened: tuple[int, int] | None = None

    def of(self, text: str, number: int, column: int) -> tuple[str, ...]:
        """The notes in a piece of text that stands at a line and column. Raises MarkupError."""
        found = [""] if self.opened else []
        for offset, char in enumerate(text):
            if char == "(":
                if self.opened:
                    message = "a note opens inside the note that opens at line {}, column {}".format(
                        *self.opened
                    )
                    raise MarkupError(self.source.path, message, number, column + offset)
                self.opened = number, column + offset
                found.append("")
            elif char == ")":
                if not self.opened:
                    raise MarkupError(
                        self.source.path, "a note closes that was not opened", number, column + offset
                    )
                self.opened = None
            elif self.opened:
                found[-1] += char
        return tuple(note for note in found if note.strip())

    def close(self) -> None:
        """Raises MarkupError where a note is still open."""
        if self.opened:
            raise MarkupError(self.source.path, "a note opens that is never closed", *self.opened)


def _entries(source: Source, *parts: Iterator[tuple[int, str]]) -> Iterator[Entry]:
    page: str | None = None
    title: str | None = None
    notes = _Notes(source)
    for number, line in (pair for part in parts for pair in part):
        if line.startswith(("#", "@fw")) or _DRAWER.fullmatch(line):
            continue
        if heading := _HEADING.fullmatch(line):
            title = _TAG.sub("", heading[1]).replace("¶", "").strip() or None
            continue
        for column, piece, anchor in _pieces(source, number, line):
            if piece.strip():
                if page is None:
                    message = "text before the first page anchor; give <pb:…> first"
                    raise StructureError(source.path, message, number, column)
                yield Entry(page, piece, number, title=title, notes=notes.of(piece, number, column))
                title = None
            page = anchor or page
    notes.close()


def _pieces(source: Source, number: int, line: str) -> Iterator[tuple[int, str, str | None]]:
    """The stretches of a line that end at ¶, at a page anchor or with it: column, text, anchor."""
    start, text = 1, ""
    position = 0
    while position < len(line):
        char = line[position]
        if char == "<":
            tag = _TAG.match(line, position)
            if tag is None:
                shown = line[position : position + 12]
                message = f"{shown!r} is no page anchor <pb:…> nor milestone <md:…>"
                raise MarkupError(source.path, message, number, position + 1)
            position = tag.end()
            if tag[1] == "pb":
                yield start, text, tag[2]
                start, text = position + 1, ""
        elif char == "¶":
            yield start, text, None
            position += 1
            start, text = position + 1, ""
        else:
            text += char
            position += 1
    yield start, text, None
