"""The words of the pages in three languages, read once from `words.toml`; an unknown word fails at once."""

from __future__ import annotations

import functools
import tomllib
from collections.abc import Mapping
from pathlib import Path

LANGUAGES = ("zh", "ko", "en")
"""The languages, in the order in which the table has them."""
NAMES: Mapping[str, str] = {"zh": "中文", "ko": "한국어", "en": "English"}
"""What each language calls itself."""
HTML_TAGS: Mapping[str, str] = {"zh": "zh-Hant", "ko": "ko", "en": "en"}
"""The tag of each language in HTML (BCP 47)."""


class Words:
    """The words of one language, by attribute.

    >>> words("ko").nav_read
    '읽기'
    """

    def __init__(self, known: Mapping[str, str]) -> None:
        self._known = known

    def __getattr__(self, name: str) -> str:
        """A word. Raises KeyError for one that the table does not have."""
        return self._known[name]

    def __getitem__(self, name: str) -> str:
        """A word by a name that is computed. Raises KeyError."""
        return self._known[name]


@functools.cache
def table() -> Mapping[str, tuple[str, ...]]:
    """All words: name to zh, ko, en."""
    read = tomllib.loads(Path(__file__).with_suffix(".toml").read_text(encoding="utf-8"))
    return {name: tuple(row) for name, row in read.items()}


@functools.cache
def vocabulary() -> Mapping[str, Mapping[str, str]]:
    """What the terms of other vocabularies are called, by prefixed name and by language.

    >>> vocabulary()["dcterms:source"]["ko"]
    '출전'
    """
    read = tomllib.loads(Path(__file__).with_name("vocabulary.toml").read_text(encoding="utf-8"))
    return {name: dict(zip(LANGUAGES, row, strict=True)) for name, row in read.items()}


@functools.cache
def words(language: str) -> Words:
    """The words of a language, zh, ko or en. Raises ValueError for another."""
    column = LANGUAGES.index(language)
    return Words({name: row[column] for name, row in table().items()})
