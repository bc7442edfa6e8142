"""Folding: one key for the forms in which one word is written, so that 沖, 冲 and 衝 find one another.

A character is folded by our own table `variants.tsv`, by OpenCC's table from traditional to simplified,
and by case. Each folds to one character: an offset in a key is an offset in the text, and the matched form is
shown as it stands. 乾 (the palace) is never folded into 干 (the stem); 己, 已, 巳 and 戊, 戌, 戍 stay apart.
"""

from __future__ import annotations

import csv
import unicodedata
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from kg.errors import DataError
from kg.text import is_character

if TYPE_CHECKING:
    import opencc

VARIANTS = Path(__file__).with_name("variants.tsv")
EXEMPT = frozenset("乾干己已巳戊戌戍")
"""Symbols of the art that OpenCC or a scribe would merge: each folds to itself alone."""


@cache
def variants() -> dict[str, str]:
    """The table of variants: form to the form it is folded into.

    Raises DataError, with the line, where a row is not form, folded, reason; where a form is given twice, is
    folded into a form of the table, or is one of `EXEMPT`.

    >>> variants()["尅"], variants()["𤣥"]
    ('克', '元')
    """
    table: dict[str, str] = {}
    with VARIANTS.open(encoding="utf-8", newline="") as lines:
        for number, row in enumerate(csv.reader(lines, delimiter="\t", quoting=csv.QUOTE_NONE), 1):
            if row[0].startswith("#") or row == ["form", "folded", "reason"]:
                continue
            if len(row) != 3 or len(row[0]) != 1 or len(row[1]) != 1 or not row[2]:
                raise DataError(f"{VARIANTS.name}, line {number}: a row is form TAB folded form TAB reason")
            if row[0] in table or row[0] in EXEMPT or row[1] in EXEMPT:
                raise DataError(f"{VARIANTS.name}, line {number}: {row[0]} is there twice or never folded")
            table[row[0]] = row[1]
    for form, folded in table.items():
        if folded in table:
            raise DataError(f"{VARIANTS.name}: {form} folds into {folded}, which folds further")
    return table


@cache
def _converter() -> opencc.OpenCC:
    import opencc

    return opencc.OpenCC("t2s")


@cache
def _simplified_variants() -> dict[str, str]:
    """The table of variants in simplified characters, so that 钩 and 腾 fold as 鉤 and 騰 do."""
    convert = _converter().convert
    pairs = {convert(form): convert(folded) for form, folded in variants().items()}
    return {form: folded for form, folded in pairs.items() if form != folded and form not in EXEMPT}


@cache
def fold_character(char: str) -> str:
    """The one character that a character folds to.

    >>> [fold_character(c) for c in "衝冲沖乾干已巳A"]
    ['冲', '冲', '冲', '乾', '干', '已', '巳', 'a']
    """
    if char in EXEMPT:
        return char
    normal = unicodedata.normalize("NFKC", char).lower()
    if len(normal) != 1:
        return char
    simplified = _converter().convert(variants().get(normal, normal))
    folded = _simplified_variants().get(simplified, simplified)
    return folded if len(folded) == 1 else normal


class _Table(dict[int, str | None]):
    """What `str.translate` asks: each character is folded once, when it is first met."""

    def __init__(self, *, punctuation: bool) -> None:
        super().__init__()
        self._punctuation = punctuation

    def __missing__(self, code: int) -> str | None:
        char = chr(code)
        self[code] = fold_character(char) if self._punctuation or is_character(char) else None
        return self[code]


_WHOLE, _CHARACTERS = _Table(punctuation=True), _Table(punctuation=False)


def fold(text: str) -> str:
    """A text folded, character for character.

    >>> fold("騰蛇乘𤣥武尅干")
    '螣蛇乘元武克干'
    """
    return text.translate(_WHOLE)


def key(text: str) -> str:
    """A Chinese text folded without its punctuation and blanks, which are the editor's.

    >>> key("青龍。返首")
    '青龙反首'
    """
    return text.translate(_CHARACTERS)


def find(text: str, words: str, *, chinese: bool = True) -> Iterator[tuple[int, int]]:
    """Start and end of each place of a text that folds to the words; places may overlap.

    The words are folded already: by `key` if the text is Chinese, else by `fold`.

    >>> text = "青龍。返首"
    >>> [text[start:end] for start, end in find(text, key("青龙反首"))]
    ['青龍。返首']
    """
    folded = key(text) if chinese else fold(text)
    start = folded.find(words) if words else -1
    if start < 0:
        return
    places = [i for i, char in enumerate(text) if is_character(char)] if chinese else range(len(text))
    while start >= 0:
        yield places[start], places[start + len(words) - 1] + 1
        start = folded.find(words, start + 1)
