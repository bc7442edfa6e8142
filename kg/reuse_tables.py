"""Text reuse, second layer: the tables of the generals, matched by their structure.

A treatise of Liuren names each general over each branch. Other books write these tables as verse or as lists
(掩目在亥, 子上墜水): a cell is sought under the heading of its general, as its name with its branch beside.
"""

from __future__ import annotations

import math
import re
from bisect import bisect_left
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from pyoxigraph import Literal, NamedNode, Store

from kg.cosmos import BRANCHES
from kg.folding import fold, key
from kg.reuse_text import Candidate, Layer, Status, Text, occurrences
from kg.search import LABELS
from kg.store import instances, passages, value, values
from kg.text import find
from ontology import shorten

SCRIBAL = {"己": "巳", "已": "巳", "戍": "戌"}
"""What copies write for a branch, in a place where only a branch can stand."""
_ROW = f"([{BRANCHES}{''.join(SCRIBAL)}]{{1,4}})"
_NAMED_IN = re.compile(fold(f"[兮也]?[在臨加於]{_ROW}"))
_BRANCH_FIRST = re.compile(fold(f"([在臨加於]?){_ROW}([上也兮曰名為則作]{{0,2}})$"))
_NAME_FIRST = re.compile(fold(f"兮?{_ROW}"))
_NOTE = re.compile(r"[(（].*?[)）]")
_BRANCH_BITS = math.log2(len(BRANCHES))


@dataclass(frozen=True, slots=True)
class Cell:
    """What a passage of a treatise calls a general over a branch or two, and where in the passage."""

    passage: str
    general: str
    name: str
    start: int
    branches: str


def cells(store: Store, wanted: Sequence[str], reading: str) -> list[Cell]:
    """The cells of the generals' tables in some passages, as one reading of it has them, in order."""
    other = "reading:established" if reading == "base" else "reading:base"
    texts = passages(store)
    found: dict[tuple[str, str, str, int], set[str]] = {}
    for node in instances(store, "Judgment"):
        (passage,) = values(store, node, "passage")
        names, generals = values(store, node, "name"), values(store, node, "general")
        readings = [shorten(r.value) for r in values(store, node, "reading")]
        branches = {
            _branch(palace.value) for palace in values(store, node, "palace") if "/branch/" in palace.value
        }
        if (
            not (names and generals and branches)
            or shorten(passage.value) not in wanted
            or readings == [other]
        ):
            continue
        assert isinstance(passage, NamedNode)
        text, quote = texts[passage], value(store, node, "quote")
        own_base = readings == ["reading:base"]
        written = text.base if own_base else text.established
        start = find(written, quote, int(value(store, node, "occurrence", "1")))
        for name in names:
            if name.value in quote:
                first = start + quote.index(name.value)
                span, source = (first, first + len(name.value)), written
                if reading == "base" and not own_base:
                    span, source = text.to_base(*span), text.base
                cell = shorten(passage.value), shorten(generals[0].value), source[slice(*span)], span[0]
                found.setdefault(cell, set()).update(branches)
    rows = [Cell(*cell, "".join(sorted(branches, key=BRANCHES.index))) for cell, branches in found.items()]
    return sorted(rows, key=lambda cell: (wanted.index(cell.passage), cell.start))


def matched(store: Store, treatise: Text, others: Text, reading: str) -> Iterator[Candidate]:
    """The cells of a treatise that tables of other books have too: the same general, branch and name."""
    sections = _sections(others, _headings(store))
    names: dict[str, set[str]] = {}
    for known in ("base", "established"):
        for cell in cells(store, treatise.sources, known):
            names.setdefault(cell.general, set()).add(key(cell.name))
    for cell in cells(store, treatise.sources, reading):
        name = key(cell.name)
        place = treatise.bounds[treatise.sources.index(cell.passage)] + cell.start
        own = int(np.searchsorted(treatise.places, place))
        words = treatise.words(own, own + len(name) - 1)
        for start, end in sections.get(cell.general, ()):
            section = others.key[start:end]
            for at in occurrences(section, name):
                row = _beside(section, at, at + len(name), names[cell.general])
                if row is not None and set(cell.branches) & set(row[2]):
                    codes = others.codes[start + at : start + at + len(name)]
                    bits = float(others.bits(int(others.books[start]), codes).sum()) + _BRANCH_BITS
                    found = others.words(start + row[0], start + row[1] - 1)
                    yield Candidate(Layer.table, Status.candidate, round(bits, 1), words, found)


def _headings(store: Store) -> dict[str, str]:
    """The folded names of the generals, with the general each names."""
    return {
        key(quad.object.value): shorten(node.value)
        for node in instances(store, "General")
        for predicate in LABELS.values()
        for quad in store.quads_for_pattern(node, predicate, None)
        if isinstance(quad.object, Literal) and (quad.object.language or "").startswith("zh")
    }


def _sections(text: Text, headings: dict[str, str]) -> dict[str, list[tuple[int, int]]]:
    """The stretches of a text under the name of each general, which stands alone on its line but for a note.

    A section ends at the next such heading, or with the volume (KR3g0031:002) that its locators name.
    """
    starts = np.searchsorted(text.places, text.starts).tolist()
    volumes = [locator.rpartition("-")[0] for locator in text.locators]
    lines: list[tuple[int, str]] = []
    for heading, general in headings.items():
        for place in occurrences(text.key, heading):
            line = bisect_left(starts, place)
            if (
                line < len(starts)
                and starts[line] == place
                and key(_NOTE.sub("", text.piece(line))) == heading
            ):
                lines.append((line, general))
    lines.sort()
    found: dict[str, list[tuple[int, int]]] = {}
    for (line, general), (follower, _) in pairwise([*lines, (len(starts), "")]):
        after = line + 1
        while after < follower and volumes[after] == volumes[line]:
            after += 1
        bounds = [*starts, len(text.key)]
        found.setdefault(general, []).append((bounds[line + 1], bounds[after]))
    return found


def _beside(section: str, start: int, end: int, names: Collection[str]) -> tuple[int, int, str] | None:
    """The branches that a table puts beside the name at a place, with the span of name and branches.

    In 乘霧在午飛空在巳 the first branch is that of 乘霧, a name too; in 稽遲在申趨戶在亥 either may be meant.
    """
    first = max(0, start - 6)
    before = _BRANCH_FIRST.search(section[first:start])
    if before and before[1] and not before[3] and section[: first + before.start()].endswith(tuple(names)):
        before = None
    after = _NAMED_IN.match(section, end) or (None if before else _NAME_FIRST.match(section, end))
    if not before and not after:
        return None
    return (
        first + before.start() if before else start,
        after.end() if after else end,
        _branches((before[2] if before else "") + (after[1] if after else "")),
    )


def _branches(row: str) -> str:
    return "".join(SCRIBAL.get(char, char) for char in row)


def _branch(iri: str) -> str:
    return BRANCHES[int(iri.rpartition("/")[2][:2]) - 1]
