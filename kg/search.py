"""Search: words in the passages, the judgments, the labels of everything, and the texts a user loaded, exact or folded.

A passage is searched as established and as witnessed; a place that both readings share is one hit. What is
shown is the text as it stands, never the folded key. Only texts and labels are read, no rule is run.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from pyoxigraph import Literal, NamedNode, Quad, Store

from kg import folding
from kg.errors import InputError
from kg.facts import TYPE, term
from kg.loaded import source
from kg.store import instances, load, passages, treatise_files, value, values
from kg.text import Passage
from ontology import files, shorten

LABELS = {
    "label": NamedNode("http://www.w3.org/2000/01/rdf-schema#label"),
    "altLabel": NamedNode("http://www.w3.org/2004/02/skos/core#altLabel"),
}
CONTEXT = 12
"""How many characters of a text are shown on each side of a match; labels are shown whole."""

Matcher = Callable[[str, str], Iterator[tuple[int, int]]]
"""The places where the words stand in a text, given the text and its language tag."""


class Scope(StrEnum):
    """Where to search."""

    passages = "passages"
    judgments = "judgments"
    labels = "labels"
    loaded = "loaded"


@dataclass(frozen=True, slots=True)
class Hit:
    """One place where the words stand.

    `reading` says in which reading of the treatise: established, base or both; a label has none, and neither
    heading nor locator. `field` is text, quote, name, label, altLabel or translation. `source` says whose loaded
    words are: the title of their work, or of the file that translates.
    """

    scope: Scope
    node: str
    field: str
    before: str
    match: str
    after: str
    language: str
    reading: str | None = None
    heading: str | None = None
    locator: str | None = None
    source: str | None = None


def texts() -> Store:
    """A store with what is searched: ontology and treatises as written, no rule run."""
    return load([*files(), *treatise_files()])


def search(
    store: Store, words: str, *, exact: bool = False, scopes: Collection[Scope] = tuple(Scope)
) -> list[Hit]:
    """The places where words stand: passages in their order, judgments in theirs, labels by closeness, loaded lines.

    Folded, variants of a character, simplified and traditional forms, case and Chinese punctuation make no
    difference; exact, every character does. Raises InputError where there is no character to look for.

    >>> [(hit.node, hit.match) for hit in search(texts(), "騰蛇", scopes=[Scope.labels])][:1]
    [('general:02-tengshe', '螣蛇')]
    """
    matcher = _matcher(words, exact)
    hits: list[Hit] = []
    if Scope.passages in scopes or Scope.judgments in scopes:
        written = passages(store)
        hits += _in_passages(store, written, matcher) if Scope.passages in scopes else []
        hits += _in_judgments(store, written, matcher) if Scope.judgments in scopes else []
    if Scope.labels in scopes:
        hits += _in_labels(store, matcher)
    if Scope.loaded in scopes:
        hits += _in_loaded(store, matcher)
    return hits


def _matcher(words: str, exact: bool) -> Matcher:
    """The function that finds the words in a text. Raises InputError."""
    if exact:
        if not words:
            raise InputError("TEXT", words, "one character or more")
        return lambda text, language: _places(text, words)
    words = unicodedata.normalize("NFC", words)
    in_chinese, in_others = folding.key(words), folding.fold(words).strip()
    if not in_chinese:
        raise InputError("TEXT", words, "one letter or character at least, or --exact")

    def matcher(text: str, language: str) -> Iterator[tuple[int, int]]:
        chinese = language.startswith(("zh", "lzh"))
        return folding.find(text, in_chinese if chinese else in_others, chinese=chinese)

    return matcher


def _places(text: str, words: str) -> Iterator[tuple[int, int]]:
    start = text.find(words)
    while start >= 0:
        yield start, start + len(words)
        start = text.find(words, start + 1)


def _hit(text: str, start: int, end: int, **about: Any) -> Hit:
    before, after = text[:start], text[end:]
    if about["scope"] is not Scope.labels:
        before, after = before[-CONTEXT:], after[:CONTEXT]
    return Hit(before=before, match=text[start:end], after=after, **about)


def _in_passages(store: Store, written: Mapping[NamedNode, Passage], matcher: Matcher) -> list[Hit]:
    found: list[tuple[tuple[str, int, int], Hit]] = []
    for node, passage in written.items():
        established, base = list(matcher(passage.established, "lzh")), list(matcher(passage.base, "lzh"))
        if not established and not base:
            continue
        order = _order(store, node)
        about = _place(store, node) | {"scope": Scope.passages, "node": shorten(node.value)}
        about |= {"field": "text", "language": "lzh-hant"}
        shared: set[tuple[int, int]] = set()
        for start, end in established:
            span = passage.to_base(start, end)
            reading = "established"
            if passage.base[slice(*span)] == passage.established[start:end]:
                reading = "both"
                shared.add(span)
            hit = _hit(passage.established, start, end, reading=reading, **about)
            found.append(((*order, span[0]), hit))
        for start, end in base:
            if (start, end) not in shared:
                found.append(((*order, start), _hit(passage.base, start, end, reading="base", **about)))
    return [hit for _, hit in sorted(found, key=lambda pair: pair[0])]


def _in_judgments(store: Store, written: Mapping[NamedNode, Passage], matcher: Matcher) -> list[Hit]:
    found: list[tuple[tuple[str, int, int, str, int], Hit]] = []
    judgments = set(instances(store, "Judgment"))
    for rank, field in enumerate(("quote", "name")):
        for quad in store.quads_for_pattern(None, term(field), None):
            node, words = quad.subject, quad.object
            if not isinstance(node, NamedNode) or node not in judgments or not isinstance(words, Literal):
                continue
            for start, end in matcher(words.value, "lzh"):
                (passage,) = values(store, node, "passage")
                assert isinstance(passage, NamedNode)
                readings = [shorten(r.value).partition(":")[2] for r in values(store, node, "reading")]
                reading = readings[0] if len(readings) == 1 else "both"
                text = written[passage].base if reading == "base" else written[passage].established
                place = text.find(value(store, node, "quote"))
                about = _place(store, passage) | _heading(store, node)
                about |= {"scope": Scope.judgments, "node": shorten(node.value), "field": field}
                hit = _hit(words.value, start, end, reading=reading, language="lzh-hant", **about)
                found.append(((*_order(store, passage), place, node.value, rank), hit))
    return [hit for _, hit in sorted(found, key=lambda pair: pair[0])]


def _in_labels(store: Store, matcher: Matcher) -> list[Hit]:
    found: list[tuple[tuple[int, str, str, str, int], Hit]] = []
    for field, predicate in LABELS.items():
        for quad in store.quads_for_pattern(None, predicate, None):
            if not isinstance(quad.object, Literal) or not isinstance(quad.subject, NamedNode):
                continue
            text, language = quad.object.value, quad.object.language or ""
            for start, end in matcher(text, language):
                node = shorten(quad.subject.value)
                hit = _hit(text, start, end, scope=Scope.labels, node=node, field=field, language=language)
                found.append(((len(text) - (end - start), node, language, text, start), hit))
    return [hit for _, hit in sorted(found, key=lambda pair: pair[0])]


def _in_loaded(store: Store, matcher: Matcher) -> list[Hit]:
    """Lines of loaded texts, file by file in their order, and the translations loaded for passages."""
    found: list[tuple[tuple[str, int, int], Hit]] = []
    for field, predicate in (("text", term("baseText")), ("translation", term("translation"))):
        for quad in store.quads_for_pattern(None, predicate, None):
            node, words = quad.subject, quad.object
            if not isinstance(node, NamedNode) or not isinstance(words, Literal):
                continue
            language = words.language or ""
            for start, end in matcher(words.value, language):
                if field == "text" and Quad(node, TYPE, term("Line")) not in store:
                    break  # a passage of a treatise, which is searched in all its readings
                about = _place(store, node) | {"scope": Scope.loaded, "node": shorten(node.value)}
                about["source"] = source(store, node, words.value if field == "translation" else None) or None
                hit = _hit(words.value, start, end, field=field, language=language, **about)
                found.append(((*_order(store, node), start), hit))
    return [hit for _, hit in sorted(found, key=lambda pair: pair[0])]


def _heading(store: Store, node: NamedNode) -> dict[str, Any]:
    """The pattern or topic of a passage or judgment."""
    found = [heading for name in ("pattern", "topic") for heading in values(store, node, name)]
    return {"heading": shorten(found[0].value)} if found else {}


def _place(store: Store, passage: NamedNode) -> dict[str, Any]:
    return {"locator": value(store, passage, "locator") or None, **_heading(store, passage)}


def _order(store: Store, passage: NamedNode) -> tuple[str, int]:
    return value(store, passage, "partOf"), int(value(store, passage, "ordinal", "0"))
