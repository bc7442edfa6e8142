"""A warm cast of a Qi Men chart, from instant to explanations, under one topic and under all.

    python benchmarks/warm_topics.py [--rounds 20]

Prints milliseconds of processor time (median of the rounds) and the ratio to the baseline, which is the same rules
over the same facts asked in SPARQL, rule by rule, of the store that holds the chart. The two must find the same
judgments, or the script exits with 1.
"""

from __future__ import annotations

import argparse
import statistics
import sys
import time

from pyoxigraph import NamedNode

from kg.conclusions import conclude
from kg.facts import facts, quads
from kg.findings import Doctrine
from kg.qimen_chart import QimenChart, cast
from kg.topics import ask, find_topics, topics

INSTANT, ZONE, BIRTH = "2026-02-18T22:59", "Asia/Shanghai", "1980"
ONE, ALL = 15.0, 60.0
"""What is aimed at, in milliseconds: one topic, all topics."""


def ours(doctrine: Doctrine, asked: list[NamedNode], rounds: int) -> tuple[float, set[str]]:
    """Median milliseconds with explanations in Chinese, and the judgments found."""
    times: list[float] = []
    found: set[str] = set()
    for _ in range(rounds + 2):
        start = time.thread_time()
        casting = ask(doctrine, cast(instant=INSTANT, tz=ZONE, birth=BIRTH), asked)
        for finding in casting.findings:
            casting.because(finding, "zh")
        times.append((time.thread_time() - start) * 1e3)
        found = {finding.clause.iri for finding in casting.findings}
    return statistics.median(times[2:]), found


def by_sparql(chart: QimenChart) -> tuple[float, dict[str, set[str]]]:
    """Milliseconds that the rules take as queries, and the judgments found, by topic."""
    doctrine = Doctrine()
    store, reasoner, node = doctrine.store, doctrine.reasoner, NamedNode(chart.iri)
    store.extend(quads(facts(chart)))
    found: set[NamedNode] = set()
    start = time.thread_time()
    for stratum in ("derive", "judge"):
        for rule in reasoner.of(stratum, chart.art):
            concluded = {conclude(rule, row) for row in reasoner.ask(rule, node)}
            store.extend(concluded)
            if rule.head.predicate == "exhibits":
                found |= {quad.object for quad in concluded if isinstance(quad.object, NamedNode)}
    spent = (time.thread_time() - start) * 1e3
    judged: dict[str, set[str]] = {}
    for judgment in found:
        clause = doctrine.clause(judgment, False)
        judged.setdefault(clause.heading, set()).add(clause.iri)
    return spent, judged


def main() -> int:
    """Run both and print the figures."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--rounds", type=int, default=20, help="warm casts to take the median of")
    rounds = parser.parse_args().rounds
    doctrine = Doctrine()
    slow, theirs = by_sparql(cast(instant=INSTANT, tz=ZONE, birth=BIRTH))
    lifetime = "占人生貴賤"  # judged on the chart of a birth, which this chart does not have
    rows = [
        (topic.names["zh"], *ours(doctrine, [topic.node], rounds))
        for topic in topics(doctrine)
        if topic.names["zh"] != lifetime
    ]
    everything, found = ours(doctrine, find_topics(doctrine, "all"), rounds)
    slowest = max(rows, key=lambda row: row[1])
    middle = statistics.median(row[1] for row in rows)
    print(f"chart {INSTANT} {ZONE}, born {BIRTH}, one core, Python {sys.version.split()[0]}")
    print(f"{'asked':34} {'ms a chart':>12} {'x SPARQL':>10}")
    print(f"{'SPARQL, the rules alone (baseline)':34} {slow:12.1f} {1:10.1f}")
    print(f"{'one topic, median of topics':34} {middle:12.1f} {slow / middle:10.1f}   aim {ONE:.0f}")
    print(f"{'one topic, the slowest':34} {slowest[1]:12.1f} {slow / slowest[1]:10.1f}   {slowest[0]}")
    print(f"{'all topics':34} {everything:12.1f} {slow / everything:10.1f}   aim {ALL:.0f}")
    differ = [name for name, _, judged in rows if judged != theirs.get(name, set())]
    expected = set().union(*(judged for name, judged in theirs.items() if name != lifetime))
    if differ or found != expected:
        print(f"the engines differ: {', '.join(differ) or 'all topics'}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
