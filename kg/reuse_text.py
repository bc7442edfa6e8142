"""The texts that are compared for reuse, as arrays of folded characters, and a place that two texts share."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from pyoxigraph import QuerySolutions, Store

from kg.errors import DataError, StoreError
from kg.folding import fold_character
from kg.text import is_character
from ontology import TERMS

Numbers = NDArray[np.int64]

CONTEXT = 12
"""How many characters are quoted before and after a shared stretch."""
SMOOTHING = 1000.0
"""The frequencies of a book are smoothed by so many characters spread as in all books together."""
PRIOR, DISTINCT = 20_000, 4_000
"""The frequencies of all books are smoothed by so many characters, spread over so many distinct ones."""
BARRIER = ord("\n")
"""Stands between two books, so that nothing is found across them."""


_LINES = f"""PREFIX shi: <{TERMS}>
SELECT ?work ?locator ?text WHERE {{
    ?line a shi:Line ; shi:partOf ?file ; shi:ordinal ?ordinal ; shi:locator ?locator ; shi:baseText ?text .
    ?file shi:partOf ?work .
}} ORDER BY ?work ?file ?ordinal"""


class Layer(StrEnum):
    """By what a candidate was found."""

    ngram = "ngram"
    table = "table"
    lexicon = "lexicon"


class Status(StrEnum):
    """What is held of a candidate: found by the machine, or judged by a reader."""

    candidate = "candidate"
    confirmed = "confirmed"
    formula = "formula"
    rejected = "rejected"


@dataclass(frozen=True, slots=True)
class Words:
    """A stretch of a text as it stands, with what is before and after it."""

    source: str
    locator: str
    exact: str
    prefix: str
    suffix: str


@dataclass(frozen=True, slots=True)
class Candidate:
    """Words of a passage beside words of another book that may be the same; the score is in bits."""

    layer: Layer
    status: Status
    score: float
    passage: Words
    place: Words


class Text:
    """Books, each a sequence of pieces with locators, joined: a match may run from a piece into the next.

    >>> text = Text({"KR3g0031": [("KR3g0031:008-37a", "始勤終"), ("KR3g0031:008-37b", "怠之形")]})
    >>> text.words(1, 4)
    Words(source='KR3g0031', locator='KR3g0031:008-37a', exact='勤終怠之', prefix='始', suffix='形')
    """

    def __init__(self, books: Mapping[str, Iterable[tuple[str, str]]]) -> None:
        chunks: list[str] = []
        starts: list[int] = []
        bounds = [0]
        position = 0
        self.sources = tuple(books)
        self.locators: list[str] = []
        for pieces in books.values():
            for locator, piece in pieces:
                starts.append(position)
                self.locators.append(locator)
                chunks.append(piece)
                position += len(piece)
            chunks.append("\n")
            position += 1
            bounds.append(position)
        self.text = "".join(chunks)
        self.starts = np.array(starts, dtype=np.int64)
        self.bounds = np.array(bounds, dtype=np.int64)

    @cached_property
    def _folded(self) -> tuple[Numbers, Numbers]:
        codes = np.frombuffer(self.text.encode("utf-32-le"), dtype="<u4")
        table = np.zeros(int(codes.max(initial=BARRIER)) + 1, dtype=np.int64)
        for code in np.flatnonzero(np.bincount(codes)).tolist():
            char = chr(code)
            table[code] = ord(fold_character(char)) if is_character(char) else 0
        table[BARRIER] = BARRIER
        folded = table[codes]
        places = np.flatnonzero(folded)
        return folded[places], places

    @property
    def codes(self) -> Numbers:
        """The folded characters of the text, without punctuation; `BARRIER` after each book."""
        return self._folded[0]

    @property
    def places(self) -> Numbers:
        """Where in the text each folded character stands."""
        return self._folded[1]

    @cached_property
    def key(self) -> str:
        """The folded characters as a string, for what is looked for by name."""
        return self.codes.astype("<u4").tobytes().decode("utf-32-le")

    @cached_property
    def books(self) -> Numbers:
        """The number of the book of each folded character."""
        return np.searchsorted(self.bounds[1:], self.places, side="right").astype(np.int64)

    def span(self, book: int) -> tuple[int, int]:
        """The folded characters of a book: the first, and the barrier after the last."""
        first, after = np.searchsorted(self.places, self.bounds[book : book + 2]).tolist()
        return first, after - 1

    @cached_property
    def _information(self) -> tuple[Numbers, NDArray[np.float64]]:
        table = np.zeros(int(self.codes.max()) + 1, dtype=np.int64)
        table[self.codes] = 1
        alphabet = np.flatnonzero(table)
        table[alphabet] = np.arange(len(alphabet))
        size, books = len(alphabet), len(self.sources)
        cells = np.bincount(self.books * size + table[self.codes], minlength=size * books)
        counts = cells.reshape(books, size).astype(np.float64)
        counts = np.column_stack((counts, np.zeros(books)))  # the last column: characters that stand nowhere
        overall = (counts.sum(axis=0) + PRIOR / DISTINCT) / (counts.sum() + PRIOR)
        shares = (counts + SMOOTHING * overall) / (counts.sum(axis=1, keepdims=True) + SMOOTHING)
        return alphabet, -np.log2(shares)

    def bits(self, book: int, codes: Numbers) -> NDArray[np.float64]:
        """The information of one occurrence of folded characters in a book, in bits: rare ones have more."""
        alphabet, bits = self._information
        columns = np.searchsorted(alphabet, codes)
        known = alphabet[np.minimum(columns, len(alphabet) - 1)] == codes
        found: NDArray[np.float64] = bits[book, np.where(known, columns, len(alphabet))]
        return found

    def piece(self, number: int) -> str:
        """A piece of the text, as it stands."""
        start = int(self.starts[number])
        end = int(self.starts[number + 1]) if number + 1 < len(self.starts) else len(self.text)
        return self.text[start:end].rstrip("\n")

    def words(self, first: int, last: int) -> Words:
        """What stands between two folded characters, both included; its context stays in the book."""
        start, end = int(self.places[first]), int(self.places[last]) + 1
        piece = int(np.searchsorted(self.starts, start, side="right")) - 1
        book = int(self.books[first])
        return Words(
            self.sources[book],
            self.locators[piece],
            self.text[start:end],
            self.text[max(int(self.bounds[book]), start - CONTEXT) : start],
            self.text[end : min(int(self.bounds[book + 1]) - 1, end + CONTEXT)],
        )


def occurrences(text: str, words: str) -> Iterator[int]:
    """Where words begin in a text; places may overlap.

    >>> list(occurrences("子子子午", "子子"))
    [0, 1]
    """
    start = text.find(words)
    while start >= 0:
        yield start
        start = text.find(words, start + 1)


def read(paths: Iterable[Path]) -> Text:
    """The books of some files, a book a file, each line `locator TAB text`, or text alone in every line.

    A locator of Kanripo such as KR3g0031_WYG_008-37a is given as KR3g0031:008-37a; a line without one is
    cited by the name of its file and its number. Raises DataError, with file and line, where a file is not
    UTF-8 or only some of its lines have a locator, and where two files have one name.
    """
    books: dict[str, list[tuple[str, str]]] = {}
    for path in paths:
        if path.stem in books:
            raise DataError(f"{path}: a book named {path.stem} is already given")
        books[path.stem] = list(_lines(path))
    return Text(books)


def _lines(path: Path) -> Iterator[tuple[str, str]]:
    try:
        lines = path.read_bytes().splitlines()
    except OSError as error:
        raise DataError(f"{path}: cannot be read ({error.strerror})") from None
    located = b"\t" in lines[0] if lines else True
    for number, raw in enumerate(lines, 1):
        try:
            line = raw.decode("utf-8-sig" if number == 1 else "utf-8")
        except UnicodeDecodeError as error:
            raise DataError(
                f"{path}, line {number}: not UTF-8 (byte {error.start + 1} of the line)"
            ) from None
        locator, tab, text = line.partition("\t")
        if located != bool(tab) or (located and not locator):
            raise DataError(f"{path}, line {number}: give locator, TAB and text in every line or in none")
        yield (short(locator), text) if located else (f"{path.stem}:{number}", line)


def loaded(store: Store) -> Text:
    """The books that were loaded into a store as lines, a book a work, in the order of their files.

    A work is named by the Kanripo number that its locators begin with, else by its slug. Raises StoreError where
    the store holds no lines.
    """
    books: dict[str, list[tuple[str, str]]] = {}
    found = store.query(_LINES)
    for work, locator, line in found if isinstance(found, QuerySolutions) else ():
        slug, _, edition = locator.value.partition("_")
        book = slug if edition and slug.startswith("KR") else work.value.rpartition("/")[2]
        books.setdefault(book, []).append((short(locator.value), line.value))
    if not books:
        raise StoreError("the store holds no loaded text; load one with sanshi load")
    return Text(books)


def short(locator: str) -> str:
    """A locator of Kanripo without the siglum of its edition; any other as it is.

    >>> short("KR3g0031_WYG_008-37a"), short("卷三·懸胎·1")
    ('KR3g0031:008-37a', '卷三·懸胎·1')
    """
    parts = locator.split("_")
    return f"{parts[0]}:{parts[2]}" if len(parts) == 3 and parts[0].startswith("KR") else locator
