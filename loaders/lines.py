"""Plain text: `locator<TAB>line`; or no TAB at all, and then the number of the line is its locator."""

from __future__ import annotations

from collections.abc import Iterator

from loaders.document import Document, Entry, by_line
from loaders.source import Source, StructureError, Tick


def read(source: Source, tick: Tick | None = None) -> Document:
    """The lines of a file, as they stand; blank lines are passed over.

    Whether lines have locators is settled by the first line with text. Raises StructureError at a line that
    has no TAB where others have one (or the reverse), two TABs, no locator before it or no text after it.
    """
    document = Document(())
    document.entries = _entries(source, tick, document)
    return document


def _entries(source: Source, tick: Tick | None, document: Document) -> Iterator[Entry]:
    located: bool | None = None
    for number, text in source.lines(tick):
        if not text.strip():
            continue
        locator, tab, rest = text.partition("\t")
        if located is None:
            located = bool(tab)
            if not located:
                document.remarks.append(f"{source.name}: no locators; lines are cited by file and number")
        if not located:
            if tab:
                message = (
                    "a TAB here, but none in the lines before; give locator<TAB>text in every line or in none"
                )
                raise StructureError(source.path, message, number, len(locator) + 1)
            yield Entry(by_line(source, number), text, number)
            continue
        if not tab:
            raise StructureError(source.path, "no TAB; give locator<TAB>text as in the lines before", number)
        if "\t" in rest:
            column = len(locator) + rest.index("\t") + 2
            raise StructureError(source.path, "a second TAB; give locator<TAB>text", number, column)
        if not locator.strip():
            raise StructureError(source.path, "no locator before the TAB", number, 1)
        if not rest.strip():
            raise StructureError(source.path, "no text after the TAB", number, len(locator) + 2)
        yield Entry(locator, rest, number)
