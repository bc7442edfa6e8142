"""Text reuse, first layer: stretches that a treatise shares with other books, found by chained n-grams.

A seed is four shared characters in a row, or four of five. Seeds that follow one another closely in both
texts make a chain. Its score is the information of the shared characters in bits, reckoned with their
frequency in the other book; formulas and names of the art count for nothing, so they alone make no score.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator

import numpy as np
from numpy.typing import NDArray

from kg.reuse_text import BARRIER, Candidate, Layer, Numbers, Status, Text, occurrences

ROW, *BROKEN = (0, 1, 2, 3), (0, 2, 3, 4), (0, 1, 3, 4), (0, 1, 2, 4)
"""Places of the four characters of a seed: in a row, or with one other character among them."""
SEEDS = [(ROW, ROW), *((p, p) for p in BROKEN), *((ROW, p) for p in BROKEN), *((p, ROW) for p in BROKEN)]
"""How a seed stands in the treatise and in the other book: alike, or one of them with a character more."""
GAP = 12
"""How many characters may stand between two runs of one chain, in either text."""
GAP_COST = 1.0
"""Bits lost for each character skipped within a chain."""


def shared(treatise: Text, others: Text, formulas: Iterable[str], *, least: float) -> list[Candidate]:
    """The stretches of a treatise that stand in other books, in the order of the treatise.

    A stretch whose score is below `least` has the status formula. The formulas are folded already.
    """
    alphabet = np.unique(treatise.codes[treatise.codes != BARRIER])
    own, foreign = _dense(treatise.codes, alphabet), _dense(others.codes, alphabet)
    counted = ~masked(treatise.key, formulas)
    runs, bits = [], []
    for i, j, length in _runs(*_pairs(own, foreign, treatise, others)).tolist():
        worth = others.bits(int(others.books[j]), treatise.codes[i : i + length]) @ counted[i : i + length]
        runs.append((i, j, length))
        bits.append(float(worth))
    found: list[tuple[tuple[int, int], Candidate]] = []
    for chain, score in _chains(runs, bits, treatise, others):
        i, j, length = runs[chain[0]]
        opening = _trimmed(counted[i : i + length], treatise.places[i : i + length])
        last, other_last, length = runs[chain[-1]]
        closing = (
            length
            - 1
            - _trimmed(counted[last : last + length][::-1], treatise.places[last : last + length][::-1])
        )
        words = treatise.words(i + opening, last + closing)
        place = others.words(j + opening, other_last + closing)
        score = round(score, 1)
        status = Status.candidate if score >= least else Status.formula
        found.append(((i, j), Candidate(Layer.ngram, status, score, words, place)))
    return [candidate for _, candidate in sorted(found, key=lambda pair: pair[0])]


def _trimmed(counted: NDArray[np.bool_], places: Numbers) -> int:
    """How many characters of no weight to cut from the edge of a run: those behind a punctuation mark."""
    edge = int(np.argmax(counted))
    while edge and abs(int(places[edge] - places[edge - 1])) == 1:
        edge -= 1
    return edge


def masked(text: str, words: Iterable[str]) -> NDArray[np.bool_]:
    """Which characters of a text stand within one of the words."""
    mask = np.zeros(len(text), dtype=bool)
    for word in words:
        for start in occurrences(text, word):
            mask[start : start + len(word)] = True
    return mask


def _dense(codes: Numbers, alphabet: Numbers) -> Numbers:
    """Characters of the alphabet numbered from 1; every other, and the barrier, 0."""
    table = np.zeros(max(int(codes.max()), int(alphabet[-1])) + 1, dtype=np.int64)
    table[alphabet] = np.arange(1, len(alphabet) + 1)
    return table[codes]


def _keys(ids: Numbers, text: Text, pattern: tuple[int, ...], base: int) -> tuple[Numbers, Numbers]:
    """The seeds of a text as numbers, sorted, and where each begins; none reaches into the next book."""
    count = max(0, len(ids) - pattern[-1])
    keys = np.zeros(count, dtype=np.int64)
    whole = text.books[:count] == text.books[pattern[-1] :]
    for place in pattern:
        keys = keys * base + ids[place : place + count]
        whole &= ids[place : place + count] > 0
    starts = np.flatnonzero(whole)
    order = np.argsort(keys[starts], kind="stable")
    return keys[starts][order], starts[order]


def _pairs(own: Numbers, foreign: Numbers, treatise: Text, others: Text) -> tuple[Numbers, Numbers]:
    """The pairs of places, one in each text, whose characters some seed shares; each pair once."""
    base = int(own.max()) + 1
    sought = {pattern: _keys(own, treatise, pattern, base) for pattern in (ROW, *BROKEN)}
    given = {pattern: _keys(foreign, others, pattern, base) for pattern in (ROW, *BROKEN)}
    found: list[Numbers] = []
    for pattern, other in SEEDS:
        keys, starts = sought[pattern]
        wanted, places = given[other]
        low = np.searchsorted(keys, wanted, "left")
        counts = np.searchsorted(keys, wanted, "right") - low
        hit = counts > 0
        low, counts, places = low[hit], counts[hit], places[hit]
        nth = np.arange(int(counts.sum())) - np.repeat(np.cumsum(counts) - counts, counts)
        first, second = starts[np.repeat(low, counts) + nth], np.repeat(places, counts)
        found += [(first + i) * len(foreign) + second + j for i, j in zip(pattern, other, strict=True)]
    pairs = np.unique(np.concatenate(found))
    return pairs // len(foreign), pairs % len(foreign)


def _runs(first: Numbers, second: Numbers) -> Numbers:
    """Pairs that follow one another in both texts, as rows: first place, second place, length."""
    shift = second - first
    order = np.lexsort((first, shift))
    first, second, shift = first[order], second[order], shift[order]
    opens = np.ones(len(first), dtype=bool)
    opens[1:] = (np.diff(shift) != 0) | (np.diff(first) != 1)
    starts = np.flatnonzero(opens)
    lengths = np.diff(np.append(starts, len(first)))
    runs = np.column_stack((first[starts], second[starts], lengths))
    return runs[np.lexsort((runs[:, 0], runs[:, 1]))]


def _chains(
    runs: list[tuple[int, int, int]], bits: list[float], treatise: Text, others: Text
) -> Iterator[tuple[list[int], float]]:
    """The best chains of runs, each run in one chain; only those that share four characters or more."""
    passages = [int(treatise.books[i]) for i, _, _ in runs]
    books = [int(others.books[j]) for _, j, _ in runs]
    longest = max((length for _, _, length in runs), default=0)
    scores, before = list(bits), [-1] * len(runs)
    recent: deque[int] = deque()
    for here, (i, j, _) in enumerate(runs):
        while recent and runs[recent[0]][1] + longest + GAP < j:
            recent.popleft()
        for there in recent:
            other_i, other_j, length = runs[there]
            skipped = max(i - other_i, j - other_j) - length
            follows = other_i + length <= i and other_j + length <= j and skipped <= GAP
            if follows and passages[there] == passages[here] and books[there] == books[here]:
                score = scores[there] + bits[here] - GAP_COST * skipped
                if score > scores[here]:
                    scores[here], before[here] = score, there
        recent.append(here)
    used = [False] * len(runs)
    for last in sorted(range(len(runs)), key=lambda run: (-scores[run], run)):
        chain, at = [], last
        while at >= 0 and not used[at]:
            chain.append(at)
            at = before[at]
        score = scores[last] - (scores[at] if at >= 0 else 0.0)
        for run in chain:
            used[run] = True
        if sum(runs[run][2] for run in chain) >= len(ROW):
            yield chain[::-1], score
