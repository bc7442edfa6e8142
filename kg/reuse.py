"""Text reuse: where a treatise shares its words with other books, found in three layers, judged by readers.

Chained n-grams find whole stretches, the structure of the generals' tables finds their cells, a lexicon
finds short allusions. It is a candidate until a reader's verdict makes it confirmed, formula or rejected.
Needs numpy: install `sanshi[reuse]`.
"""

from __future__ import annotations

import csv
from collections.abc import Collection, Iterable
from dataclasses import dataclass, replace
from pathlib import Path

from pyoxigraph import Literal, Store

from kg import edition, reuse_lexicon, reuse_ngrams, reuse_tables
from kg.errors import DataError, InputError
from kg.folding import key
from kg.reuse_text import Candidate, Layer, Status, Text
from kg.search import LABELS
from kg.store import instances, passages, value
from ontology import shorten

FORMULAS = Path(__file__).parent / "treatises" / "formulas.txt"
LEAST = 20.0
"""Bits that a stretch must share, formulas not counted, to be a candidate: two rare characters or three."""
READINGS = ("base", "established")
NAMED = ("Branch", "Door", "Element", "Format", "General", "Kin", "Season", "Spirit", "Star", "Stem")
"""The classes whose members any book of the art names."""
VERDICTS = {status.value: status for status in Status if status is not Status.candidate}


@dataclass(frozen=True, slots=True)
class Verdict:
    """What a reader holds of the words of a passage at a place of another book."""

    passage: str
    locator: str
    words: str
    status: Status


def find(
    store: Store,
    work: str,
    others: Text,
    *,
    reading: str = "base",
    layers: Collection[Layer] = tuple(Layer),
    least: float = LEAST,
) -> list[Candidate]:
    """The candidates between a treatise, such as liuren-jingwei, and other books: by layer, then by passage.

    The base reading is the default: some emendations were made after these books and must not prove
    themselves. Stretches with a score below `least` are given too, with the status formula. Raises InputError
    for a work of which the store has no passage, and for a reading that is neither base nor established.
    """
    treatise = text(store, work, reading)
    found: list[Candidate] = []
    if Layer.ngram in layers:
        found += reuse_ngrams.shared(treatise, others, formulas(store), least=least)
    if Layer.table in layers:
        found += reuse_tables.matched(store, treatise, others, reading)
    if Layer.lexicon in layers:
        found += reuse_lexicon.alluded(treatise, others)
    return found


def text(store: Store, work: str, reading: str) -> Text:
    """The passages of a treatise in their order, each a book of its own. Raises InputError."""
    if reading not in READINGS:
        raise InputError("reading", reading, "base or established")
    whole = edition.work(store, work).value
    chapters = {
        node.value: int(value(store, node, "volume", "0"))
        for node in instances(store, "Chapter")
        if value(store, node, "partOf") == whole
    }
    rows = []
    for node, passage in passages(store).items():
        chapter = value(store, node, "partOf")
        if chapter in chapters:
            words = passage.base if reading == "base" else passage.established
            order = chapters[chapter], int(value(store, node, "ordinal"))
            rows.append((order, shorten(node.value), value(store, node, "locator"), words))
    if not rows:
        treatises = (node.value.rpartition("/")[2] for node in instances(store, "Treatise"))
        raise InputError("work", work, f"one of {', '.join(treatises)}")
    return Text({name: [(locator, words)] for _, name, locator, words in sorted(rows)})


def formulas(store: Store) -> frozenset[str]:
    """What counts for nothing, folded: the lines of `formulas.txt`, and the names of the symbols of the art.

    Raises DataError, with the line, where words stand before the first heading of the file.
    """
    found: set[str] = set()
    section = ""
    for number, line in enumerate(FORMULAS.read_text(encoding="utf-8").splitlines(), 1):
        if line.startswith("["):
            section = line
        elif line and not line.startswith("#"):
            if section not in ("[characters]", "[phrases]"):
                raise DataError(
                    f"{FORMULAS.name}, line {number}: want [characters] or [phrases] before {line}"
                )
            found.update(key(line) if section == "[characters]" else [key(line)])
    for node in instances(store, *NAMED):
        for predicate in LABELS.values():
            for quad in store.quads_for_pattern(node, predicate, None):
                if isinstance(quad.object, Literal) and (quad.object.language or "").startswith("zh"):
                    found.add(key(quad.object.value))
    return frozenset(found)


def verdicts(path: Path) -> list[Verdict]:
    """The verdicts of a CSV file with the columns passage, locator, words and verdict, and perhaps others.

    Raises DataError, with the line, where a column is missing or a verdict is none of the three.
    """
    found: list[Verdict] = []
    with path.open(encoding="utf-8", newline="") as lines:
        rows = csv.DictReader(lines)
        if missing := {"passage", "locator", "words", "verdict"} - set(rows.fieldnames or ()):
            raise DataError(f"{path}, line 1: no column {', '.join(sorted(missing))}")
        for row in rows:
            if row["verdict"] not in VERDICTS:
                raise DataError(f"{path}, line {rows.line_num}: a verdict is {', '.join(VERDICTS)}")
            status = VERDICTS[row["verdict"]]
            found.append(Verdict(row["passage"], row["locator"], key(row["words"]), status))
    return found


def judged(candidates: Iterable[Candidate], by: Iterable[Verdict]) -> list[Candidate]:
    """The candidates with the status that a reader gave them; those that none judged stay as they are.

    A verdict is on a candidate if it names its passage and locator and one has the other's words.
    """
    given: dict[tuple[str, str], list[Verdict]] = {}
    for verdict in by:
        given.setdefault((verdict.passage, verdict.locator), []).append(verdict)
    found: list[Candidate] = []
    for candidate in candidates:
        words = key(candidate.passage.exact)
        here = given.get((candidate.passage.source, candidate.place.locator), ())
        fitting = [verdict for verdict in here if verdict.words in words or words in verdict.words]
        found.append(replace(candidate, status=fitting[0].status) if fitting else candidate)
    return found
