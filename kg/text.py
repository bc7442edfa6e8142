"""The text of a passage: base reading, apparatus, established reading, and the places of quotes in them.

Only the base text and the emendations are written down. The established text is the base text with the adopted
emendations applied; a quote of the established text is mapped back to what the witness has in its place.
"""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass
from functools import cached_property

from kg.errors import DataError


def is_character(char: str) -> bool:
    """Whether a character is one of the text proper: not punctuation, not blank.

    >>> [c for c in "初傳乘貴人，曰" if not is_character(c)]
    ['，']
    """
    return unicodedata.category(char)[0] in "LN"


def find(text: str, words: str, occurrence: int = 1) -> int:
    """Where words stand in a text for the n-th time. Raises ValueError where they do not.

    >>> find("子午卯酉子", "子", 2)
    4
    """
    start = -1
    for _ in range(occurrence):
        start = text.index(words, start + 1)
    return start


@dataclass(frozen=True, slots=True)
class Emendation:
    """One entry of the apparatus, as far as the text needs it."""

    iri: str
    base: str
    proposed: str
    occurrence: int
    adopted: bool


@dataclass(frozen=True)
class Passage:
    """A passage as witnessed, with its apparatus.

    >>> p = Passage("p", "末作畫干，皆", (Emendation("e", "末作畫干", "末生干", 1, True),))
    >>> p.established
    '末生干，皆'
    >>> p.to_base(0, 3)
    (0, 4)
    """

    iri: str
    base: str
    emendations: tuple[Emendation, ...] = ()

    @cached_property
    def segments(self) -> tuple[tuple[int, int, str, Emendation | None], ...]:
        """The base text cut at the adopted emendations: start, end, established words, emendation.

        Raises DataError where an emendation is not in the text or two adopted ones overlap.
        """
        out: list[tuple[int, int, str, Emendation | None]] = []
        position = 0
        for start, emendation in sorted(
            ((self.place(e)[0], e) for e in self.emendations if e.adopted), key=lambda pair: pair[0]
        ):
            if start < position:
                raise DataError(f"{emendation.iri}: overlaps another adopted emendation")
            if start > position:
                out.append((position, start, self.base[position:start], None))
            position = start + len(emendation.base)
            out.append((start, position, emendation.proposed, emendation))
        if position < len(self.base):
            out.append((position, len(self.base), self.base[position:], None))
        return tuple(out)

    def place(self, emendation: Emendation) -> tuple[int, int]:
        """Start and end of an emendation in the base text. Raises DataError."""
        try:
            start = find(self.base, emendation.base, emendation.occurrence)
        except ValueError:
            raise DataError(f"{emendation.iri}: {emendation.base!r} does not stand in {self.iri}") from None
        return start, start + len(emendation.base)

    @cached_property
    def established(self) -> str:
        """The base text with the adopted emendations."""
        return "".join(words for _, _, words, _ in self.segments)

    def to_base(self, start: int, end: int) -> tuple[int, int]:
        """The span of the base text that a span of the established text stands for.

        An end that falls inside an emended stretch takes the whole stretch, except where the emended words
        share their beginning or end with the base words: there the mapping goes character by character.
        """
        position = 0
        first = last = None
        for base_start, base_end, words, emendation in self.segments:
            stop = position + len(words)
            if first is None and start < stop:
                first = _inside(self.base[base_start:base_end], words, start - position, True)
                first = base_start + first if emendation else base_start + start - position
            if last is None and end <= stop:
                inner = _inside(self.base[base_start:base_end], words, end - position, False)
                last = base_start + inner if emendation else base_start + end - position
                break
            position = stop
        return (first if first is not None else len(self.base)), (
            last if last is not None else len(self.base)
        )

    def base_words(self, quote: str, occurrence: int = 1) -> str:
        """What the witness has where the established text has the quote."""
        start = find(self.established, quote, occurrence)
        first, last = self.to_base(start, start + len(quote))
        return self.base[first:last]

    def bearing(self, start: int, end: int) -> list[Emendation]:
        """The emendations, adopted or not, that touch a span of the base text.

        An empty span is where words were supplied: what ends or begins there touches it.
        """
        touching = []
        for emendation in self.emendations:
            first, last = self.place(emendation)
            if (first < end and start < last) or (start == end and first <= start <= last):
                touching.append(emendation)
        return touching


def _inside(base: str, words: str, offset: int, opening: bool) -> int:
    """The offset in the base words that answers an offset in the emended words."""
    head = 0
    while head < min(len(base), len(words)) and base[head] == words[head]:
        head += 1
    tail = 0
    while tail < min(len(base), len(words)) - head and base[-1 - tail] == words[-1 - tail]:
        tail += 1
    if offset <= head:
        return offset
    if len(words) - offset <= tail:
        return len(base) - (len(words) - offset)
    return head if opening else len(base) - tail
