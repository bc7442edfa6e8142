"""Text reuse measured: what is found, how much of what is known, how much of it holds, in what time and memory.

Precision is that of the candidates which `tests/data/reuse-labels.csv` judges, all read. Known are the rows of
that file which were not taken from a run, the cells that the collation in the graph calls the same, and the
allusions in the graph that have a locator. The formulas, the lexicon and the threshold were made with these books
in view; with other books expect less.

    python benchmarks/text_reuse.py CORPUS/KR*.txt
"""

from __future__ import annotations

import argparse
import csv
import resource
import time
from collections import Counter
from pathlib import Path

from pyoxigraph import NamedNode, Store

from kg.facts import term
from kg.folding import key
from kg.reuse import READINGS, find, judged, text, verdicts
from kg.reuse_text import Candidate, Layer, Status, Text, read
from kg.search import texts
from kg.store import instances, value, values
from ontology import shorten

LABELS = Path(__file__).parents[1] / "tests" / "data" / "reuse-labels.csv"
WORKS = ("liuren-jingwei", "qimen-miji")
DAQUAN = "KR3g0031"
LEVELS = (20, 30, 40, 60)
Places = set[tuple[str, str]]


def ratio(part: int, whole: int) -> str:
    return f"{part} of {whole} ({part / whole:.0%})" if whole else "none to find"


def places(candidates: list[Candidate], *layers: Layer) -> Places:
    """The passages and locators of the candidates of some layers."""
    return {(c.passage.source, c.place.locator) for c in candidates if c.layer in layers}


def known(candidates: list[Candidate]) -> None:
    """Recall on the places of 六壬大全 known from the apparatus, the collation and from reading both books."""
    with LABELS.open(encoding="utf-8", newline="") as lines:
        rows = [row for row in csv.DictReader(lines) if row["ground"] != "run"]
    there = {c.passage.source for c in candidates if c.layer is Layer.ngram and c.place.source == DAQUAN}
    passages = {row["passage"] for row in rows}
    print(
        f"    passages known to stand in 六壬大全, found by n-grams: {ratio(len(passages & there), len(passages))}"
    )
    for layers in ((Layer.ngram,), (Layer.ngram, Layer.table)):
        found = places(candidates, *layers)
        for grounds in (("apparatus", "collation"), ("apparatus", "collation", "reading")):
            wanted = [(row["passage"], row["locator"]) for row in rows if row["ground"] in grounds]
            hits = sum(place in found for place in wanted)
            print(
                f"    pages known by {', '.join(grounds)}, by {' and '.join(layers)}: {ratio(hits, len(wanted))}"
            )


def tables(store: Store, candidates: list[Candidate]) -> None:
    """Recall on the cells that the collation calls the same in both books."""
    found = {(c.passage.source, key(c.passage.exact)) for c in candidates if c.layer is Layer.table}
    same = [
        n for n in instances(store, "Collation") if value(store, n, "agreement") == term("sameWords").value
    ]
    hits = 0
    for node in same:
        judgment = values(store, node, "collates")[0]
        assert isinstance(judgment, NamedNode)
        hits += (shorten(value(store, judgment, "passage")), key(value(store, node, "baseName"))) in found
    print(f"    cells of the generals' tables that the collation calls the same: {ratio(hits, len(same))}")


def allusions(store: Store, work: str, candidates: list[Candidate], treatise: set[str]) -> None:
    """Recall on the allusions of the graph, by layer."""
    wanted = {
        (shorten(value(store, node, "passage")), value(store, node, "kanripoLocator"))
        for node in instances(store, "Allusion")
        if value(store, node, "kanripoLocator") and shorten(value(store, node, "passage")) in treatise
    }
    for layers in ((Layer.ngram,), (Layer.lexicon,), (Layer.ngram, Layer.lexicon)):
        hits = len(wanted & places(candidates, *layers))
        print(f"    allusions with a locator, by {' and '.join(layers)}: {ratio(hits, len(wanted))}")


def precision(candidates: list[Candidate]) -> None:
    """Precision on the candidates that were read, by layer and, for stretches, by score."""
    judgements = judged(candidates, verdicts(LABELS))
    for layer in Layer:
        pairs = [
            j
            for c, j in zip(candidates, judgements, strict=True)
            if c.layer is layer and c.status == "candidate"
        ]
        read_ones = [j for j in pairs if j.status is not Status.candidate]
        for level in LEVELS if layer is Layer.ngram else (0,):
            some = [j for j in read_ones if j.score >= level]
            good = sum(j.status is Status.confirmed for j in some)
            border = f" of {level} bits and more" if level else ""
            print(
                f"    {layer}{border}: {len(pairs)} candidates, {len(read_ones)} read; hold: {ratio(good, len(some))}"
            )


def measure(store: Store, work: str, reading: str, others: Text) -> None:
    start = time.perf_counter()
    found = find(store, work, others, reading=reading)
    seconds = time.perf_counter() - start
    candidates = [candidate for candidate in found if candidate.status is Status.candidate]
    count = Counter(candidate.layer.value for candidate in candidates)
    print(f"{work}, {reading} text: {seconds:.2f} s; {dict(count)}, {len(found) - len(candidates)} formulas")
    print("  recall")
    if work == "liuren-jingwei":
        known(candidates)
        tables(store, candidates)
    allusions(store, work, candidates, set(text(store, work, reading).sources))
    print("  precision")
    precision(candidates)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("corpus", nargs="+", type=Path)
    given = parser.parse_args()
    start = time.perf_counter()
    store = texts()
    others = read(given.corpus)
    characters = len(others.codes) - len(others.sources)
    print(
        f"{len(others.sources)} books, {characters} characters, read and folded in {time.perf_counter() - start:.2f} s"
    )
    for work in WORKS:
        for reading in READINGS:
            measure(store, work, reading, others)
    print(f"memory at most {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024:.0f} MB")


if __name__ == "__main__":
    main()
