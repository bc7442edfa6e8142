"""A warm cast of a Qi Men chart, from instant to explanations, under each topic and under all.

    python benchmarks/warm_topics.py [--rounds 20]

Prints milliseconds of processor time (median of the rounds) and the ratio to the baseline, which is the same rules
over the same facts asked in SPARQL, rule by rule, of the store that holds the chart. The two must find the same
judgments, or the script exits with 1. A loop of plain Python, timed beside, tells how fast the machine ran meanwhile.
"""

from __future__ import annotations

import argparse
import statistics
import sys
import time

from pyoxigraph import NamedNode

from kg.conclusions import conclude
from kg.facts import facts, quads, thing
from kg.findings import Doctrine
from kg.qimen_chart import QimenChart, cast, natal
from kg.topics import LIFETIME, ask, find_topics, topics

INSTANT, ZONE, BIRTH = "2026-02-18T22:59", "Asia/Shanghai", "1980-05-05T10:00"
"""With the instant of a birth every topic can be asked, 占人生貴賤 too, which is judged on a second chart."""
ONE, ALL = 15.0, 60.0
"""What is aimed at, in milliseconds: one topic, all topics."""


def reference() -> float:
    """Milliseconds that a loop of plain Python takes."""
    start = time.thread_time()
    counts: dict[tuple[int, int], int] = {}
    for n in range(20_000):
        key = n & 1023, n & 7
        counts[key] = counts.get(key, 0) + 1
    return (time.thread_time() - start) * 1e3


def ours(doctrine: Doctrine, asked: list[NamedNode], rounds: int) -> tuple[float, float, set[str]]:
    """Median milliseconds with explanations in Chinese, those of the loop beside, and the judgments found."""
    times: list[float] = []
    beside: list[float] = []
    found: set[str] = set()
    for _ in range(rounds + 2):
        beside.append(reference())
        start = time.thread_time()
        casting = ask(doctrine, cast(instant=INSTANT, tz=ZONE, birth=BIRTH), asked)
        for finding in casting.findings:
            casting.because(finding, "zh")
        times.append((time.thread_time() - start) * 1e3)
        found = {finding.clause.iri for finding in casting.findings}
    return statistics.median(times[2:]), statistics.median(beside[2:]), found


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
    chart = cast(instant=INSTANT, tz=ZONE, birth=BIRTH)
    born = natal(chart)
    assert born is not None
    slow, theirs = by_sparql(chart)
    of_birth, judged_at_birth = by_sparql(born)
    known = topics(doctrine)
    lifetime = next(topic.names["zh"] for topic in known if topic.node == thing(LIFETIME))
    theirs[lifetime] = judged_at_birth[lifetime]
    rows = {topic.names["zh"]: ours(doctrine, [topic.node], rounds) for topic in known}
    everything, beside, found = ours(doctrine, find_topics(doctrine, "all"), rounds)
    slowest = max(rows, key=lambda name: rows[name][0])
    middle = statistics.median(row[0] for row in rows.values())
    paces = [row[1] for row in rows.values()]
    print(f"chart {INSTANT} {ZONE}, born {BIRTH}, one core, Python {sys.version.split()[0]}")
    print(f"{'asked':44} {'ms a chart':>12} {'x SPARQL':>10}")
    print(f"{'SPARQL, the rules alone (baseline)':44} {slow:12.1f} {1:10.1f}")
    print(f"{'one topic, median of topics':44} {middle:12.1f} {slow / middle:10.1f}   aim {ONE:.0f}")
    for name, which in (("the slowest", slowest), ("with the chart of the birth", lifetime)):
        spent, cost = rows[which][0], slow + of_birth if which == lifetime else slow
        print(f"{f'one topic, {name}':44} {spent:12.1f} {cost / spent:10.1f}   {which}")
    whole = slow + of_birth
    print(
        f"{'all topics, with the chart of the birth':44} {everything:12.1f} {whole / everything:10.1f}   aim {ALL:.0f}"
    )
    print(
        f"loop of plain Python beside: {min(paces):.1f} to {max(paces):.1f} ms, with all topics {beside:.1f}"
    )
    differ = [name for name, (_, _, judged) in rows.items() if judged != theirs.get(name, set())]
    if differ or found != set().union(*theirs.values()):
        print(f"the engines differ: {', '.join(differ) or 'all topics'}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
