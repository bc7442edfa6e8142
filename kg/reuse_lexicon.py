"""Text reuse, third layer: allusions of two or three characters, by a lexicon that says where to look.

Words so short are shared by chance more often than not: what is found has a low score and waits for a reader.
"""

from __future__ import annotations

import csv
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from kg.errors import DataError
from kg.folding import key
from kg.reuse_text import Candidate, Layer, Status, Text, occurrences

LEXICON = Path(__file__).parent / "treatises" / "lexicon.tsv"
_HEADER = ["words", "book", "place", "reason"]


@dataclass(frozen=True, slots=True)
class Entry:
    """Words of a treatise, and the words to look for in a book, by its Kanripo number."""

    words: str
    book: str
    place: str
    reason: str


def lexicon() -> list[Entry]:
    """The lexicon of short allusions.

    Raises DataError, with the line, where a row is not words, book, place and reason.

    >>> next(entry.place for entry in lexicon() if entry.words == "咥人")
    '履虎尾咥人'
    """
    entries: list[Entry] = []
    with LEXICON.open(encoding="utf-8", newline="") as lines:
        for number, row in enumerate(csv.reader(lines, delimiter="\t", quoting=csv.QUOTE_NONE), 1):
            if row == _HEADER or row[0].startswith("#"):
                continue
            if len(row) != len(_HEADER) or not all(row):
                raise DataError(f"{LEXICON.name}, line {number}: a row is {' TAB '.join(_HEADER)}")
            entries.append(Entry(*row))
    return entries


def alluded(treatise: Text, others: Text) -> Iterator[Candidate]:
    """The places that a passage may allude to, in those books of the lexicon that are given; each once."""
    for entry in lexicon():
        if entry.book not in others.sources:
            continue
        words, place = key(entry.words), key(entry.place)
        book = others.sources.index(entry.book)
        first, after = others.span(book)
        shared = np.array([ord(char) for char in words if char in place], dtype=np.int64)
        score = round(float(others.bits(book, shared).sum()), 1)
        for there in occurrences(others.key[first:after], place):
            found = others.words(first + there, first + there + len(place) - 1)
            passages: set[int] = set()
            for here in occurrences(treatise.key, words):
                if (passage := int(treatise.books[here])) not in passages:
                    passages.add(passage)
                    own = treatise.words(here, here + len(words) - 1)
                    yield Candidate(Layer.lexicon, Status.candidate, score, own, found)
