"""Coverage: every character of every passage belongs to the heading or to the quote of some statement.

Measured is the established text; punctuation and blanks do not count (`kg.text.is_character`). A statement that
stands in the base text alone covers nothing here: its clause has a sister in the established text.
"""

from __future__ import annotations

import csv
import io
import json
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from pyoxigraph import Literal, NamedNode, Store

from kg.errors import DataError, InputError
from kg.facts import thing
from kg.store import instances, passages, value, values
from kg.text import Passage, find, is_character
from ontology import shorten

KINDS = {
    "judgments": "Judgment",
    "definitions": "Definition",
    "methods": "Method",
    "caveats": "Caveat",
    "remarks": "Remark",
}
"""The columns of the report, and the class of statement that each counts."""
_LABELS = [
    NamedNode("http://www.w3.org/2000/01/rdf-schema#label"),
    NamedNode("http://www.w3.org/2004/02/skos/core#altLabel"),
]


@dataclass(frozen=True, slots=True)
class Gap:
    """Words of a passage that no statement quotes."""

    passage: str
    words: str


@dataclass(frozen=True, slots=True)
class Row:
    """The coverage of one heading. A character may count under several kinds; `uncovered` are under none.

    `heading` counts the characters of the heading word where the passage has it.
    """

    treatise: str
    node: str
    label: str
    characters: int
    heading: int
    judgments: int
    definitions: int
    methods: int
    caveats: int
    remarks: int
    uncovered: int
    gaps: tuple[Gap, ...] = field(repr=False)

    @property
    def percent(self) -> float:
        """The part that is covered, 0 to 100."""
        return 100.0 if not self.characters else 100.0 * (1 - self.uncovered / self.characters)


NUMBERS = ("characters", "heading", *KINDS, "uncovered")
COLUMNS = ("treatise", "node", "label", *NUMBERS)
"""The columns of the table and of the csv, in order; the names are those of `Row`."""


def spans(text: str, wanted: Iterable[tuple[int, int]]) -> set[int]:
    """The places in a text, within some spans, where a character stands.

    >>> sorted(spans("印綬，吉", [(0, 3)]))
    [0, 1]
    """
    return {place for start, end in wanted for place in range(start, end) if is_character(text[place])}


def heading_span(text: str, names: Iterable[str]) -> tuple[int, int]:
    """Where the heading word stands: at the beginning of the passage and set off from what follows, or nowhere.

    >>> heading_span("懸胎 三傳亥寅巳", ["懸胎"]), heading_span("懸胎者，孕也", ["懸胎"])
    ((0, 2), (0, 0))
    """
    for name in sorted(names, key=len, reverse=True):
        if text.startswith(name) and not is_character(text[len(name) : len(name) + 1] or " "):
            return 0, len(name)
    return 0, 0


def rows(store: Store, treatise: str | None = None) -> list[Row]:
    """The coverage of each heading of the treatises (or of one, by its local name), in their order.

    Raises InputError for a treatise that the store has not, DataError where a quote is not in its passage.
    """
    works = {node.value.rpartition("/")[2]: node for node in instances(store, "Treatise")}
    if treatise is not None and treatise not in works:
        raise InputError("treatise", treatise, f"one of {', '.join(works)}")
    texts = passages(store)
    quoted = _quoted(store, texts)
    found = []
    for name, work in works.items():
        if treatise not in (None, name):
            continue
        headings = [h for h in instances(store, "Pattern", "Topic") if values(store, h, "treatise") == [work]]
        for heading in sorted(headings, key=lambda node: int(value(store, node, "ordinal", "0"))):
            found.append(_row(store, name, heading, texts, quoted))
    return found


def _quoted(
    store: Store, texts: dict[NamedNode, Passage]
) -> dict[NamedNode, dict[str, list[tuple[int, int]]]]:
    """The spans of the established text of each passage that the statements of each kind quote."""
    base_only = [thing("reading:base")]
    quoted: dict[NamedNode, dict[str, list[tuple[int, int]]]] = {}
    for kind, name in KINDS.items():
        for node in instances(store, name):
            if values(store, node, "reading") == base_only:
                continue
            (passage,) = values(store, node, "passage")
            if not isinstance(passage, NamedNode) or passage not in texts:
                raise DataError(f"{shorten(node.value)}: shi:passage names no passage")
            quote = value(store, node, "quote")
            try:
                start = find(texts[passage].established, quote, int(value(store, node, "occurrence", "1")))
            except ValueError:
                raise DataError(
                    f"{shorten(node.value)}: {quote!r} does not stand in {shorten(passage.value)}"
                ) from None
            quoted.setdefault(passage, {}).setdefault(kind, []).append((start, start + len(quote)))
    return quoted


def _row(
    store: Store,
    treatise: str,
    heading: NamedNode,
    texts: dict[NamedNode, Passage],
    quoted: dict[NamedNode, dict[str, list[tuple[int, int]]]],
) -> Row:
    names = [q.object for p in _LABELS for q in store.quads_for_pattern(heading, p, None)]
    chinese = [n for n in names if isinstance(n, Literal) and (n.language or "").startswith(("zh", "lzh"))]
    label = next(n.value for n in chinese if n.language == "zh-hant")
    count: Counter[str] = Counter()
    gaps: list[Gap] = []
    for passage in _passages_of(store, heading):
        text = texts[passage].established
        every = spans(text, [(0, len(text))])
        covered = spans(text, [heading_span(text, [n.value for n in chinese])])
        count["characters"] += len(every)
        count["heading"] += len(covered)
        for kind, wanted in quoted.get(passage, {}).items():
            places = spans(text, wanted)
            count[kind] += len(places)
            covered |= places
        count["uncovered"] += len(every - covered)
        gaps += [Gap(shorten(passage.value), words) for words in _runs(text, every - covered)]
    numbers = {column: count[column] for column in NUMBERS}
    return Row(treatise, shorten(heading.value), label, gaps=tuple(gaps), **numbers)


def _passages_of(store: Store, heading: NamedNode) -> list[NamedNode]:
    nodes = [
        n for n in instances(store, "Passage") for p in ("pattern", "topic") if heading in values(store, n, p)
    ]
    return sorted(nodes, key=lambda node: int(value(store, node, "ordinal", "0")))


def _runs(text: str, places: set[int]) -> list[str]:
    """The stretches of a text that some places make up, punctuation between them included.

    >>> _runs("子，丑寅卯", {0, 2, 4})
    ['子，丑', '卯']
    """
    out: list[str] = []
    last = None
    for place in sorted(places):
        joined = last is not None and not any(is_character(c) for c in text[last + 1 : place])
        if joined and last is not None:
            out[-1] += text[last + 1 : place + 1]
        else:
            out.append(text[place])
        last = place
    return out


def total(found: Sequence[Row]) -> Row:
    """The sum of some rows."""
    numbers = {column: sum(getattr(row, column) for row in found) for column in NUMBERS}
    return Row("", "", "total", gaps=tuple(gap for row in found for gap in row.gaps), **numbers)


def write(found: Sequence[Row], format: str) -> str:
    """The rows as `csv`, or as `json` with the words that are not covered."""
    table = [{column: getattr(row, column) for column in COLUMNS} for row in found]
    if format == "json":
        gaps = [[{"passage": gap.passage, "words": gap.words} for gap in row.gaps] for row in found]
        out = [
            entry | {"percent": round(row.percent, 2), "gaps": g}
            for entry, row, g in zip(table, found, gaps, strict=True)
        ]
        return json.dumps(out, ensure_ascii=False, indent=2) + "\n"
    text = io.StringIO()
    writer = csv.DictWriter(text, COLUMNS)
    writer.writeheader()
    writer.writerows(table)
    return text.getvalue()
