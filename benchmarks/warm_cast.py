"""A warm cast from instant to findings with explanations, beside the same rules asked of rdflib.

    python benchmarks/warm_cast.py [--rounds 200]

Prints milliseconds a chart (median) and the ratio to the baseline, which is rdflib's own SPARQL engine over the
same facts with the same rules; of one chart cast again and again, and of charts that all differ, an hour and a month
general each. The two must find the same judgments, or the script exits with 1.
"""

from __future__ import annotations

import argparse
import statistics
import sys
import time
from datetime import datetime, timedelta

from pyoxigraph import RdfFormat, serialize
from rdflib import Graph, URIRef

from kg.calendar import parse_instant
from kg.facts import facts, quads
from kg.findings import Doctrine
from kg.liuren_chart import LiurenChart, cast_instant
from kg.rules import header, pattern
from ontology import TERMS

INSTANT = "2025-02-19T23:42"
WARMING = 3
"""How many casts are not counted."""


def several(number: int) -> list[str]:
    """Instants whose charts all differ: each is 53 hours after the last."""
    first = datetime.fromisoformat(INSTANT)
    return [(first + timedelta(hours=53 * step)).isoformat() for step in range(number)]


def ours(doctrine: Doctrine, instants: list[str]) -> tuple[list[float], set[str]]:
    """Milliseconds of each cast with explanations in Chinese, and the judgments found in the last."""
    times = []
    for instant in instants:
        start = time.perf_counter()
        casting = doctrine.cast(cast_instant(parse_instant(instant, "Asia/Shanghai")))
        for finding in casting.findings:
            casting.because(finding, "zh")
        times.append((time.perf_counter() - start) * 1e3)
    return times[WARMING:], {f.clause.iri for f in casting.findings}


def rdflib_engine(doctrine: Doctrine, chart: LiurenChart) -> tuple[float, set[str]]:
    """Milliseconds that rdflib takes for the rules over one chart, and the judgments it finds."""
    graph = Graph()
    triples = [q.triple for q in doctrine.store] + [q.triple for q in quads(facts(chart))]
    graph.parse(data=serialize(triples, format=RdfFormat.N_TRIPLES).decode(), format="nt")
    node = URIRef(chart.iri)
    found: set[str] = set()
    start = time.perf_counter()
    for rule in doctrine.reasoner.rules:
        if rule.stratum not in ("derive", "judge"):
            continue
        atoms = [pattern(atom) for atom in rule.body]
        if rule.form:
            atoms += [f"?j shi:form {rule.form} .", "?j shi:reading ?reading .", "?c shi:chose ?reading ."]
        head = pattern(rule.head)
        body = " ".join(atoms)
        text = f"{header(head, body)}CONSTRUCT {{ {head} }} WHERE {{ {body} }}"
        result = graph.query(text, initBindings={"c": node}).graph
        for subject, predicate, value in result or ():
            graph.add((subject, predicate, value))
            if str(predicate) == TERMS + "exhibits":
                found.add(str(value))
    return (time.perf_counter() - start) * 1e3, found


def main() -> int:
    """Run both and print the figures."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--rounds", type=int, default=200, help="warm casts to take the median of")
    rounds = parser.parse_args().rounds
    doctrine = Doctrine()
    chart = cast_instant(parse_instant(INSTANT, "Asia/Shanghai"))
    slow, theirs = rdflib_engine(doctrine, chart)
    one, found = ours(doctrine, [INSTANT] * (rounds + WARMING))
    many, _ = ours(doctrine, several(rounds + WARMING))
    print(f"chart {INSTANT} Asia/Shanghai, {len(found)} findings")
    print(f"{'engine':34} {'ms a chart':>12} {'x rdflib':>10}")
    print(f"{'rdflib, the rules alone (baseline)':34} {slow:12.1f} {1:10.1f}")
    for name, times in (("this chart", one), (f"{rounds} that differ", many)):
        median = statistics.median(times)
        print(
            f"{f'sanshi, to explanations, {name}':34} {median:12.1f} {slow / median:10.1f}   slowest {max(times):.1f}"
        )
    if found != theirs:
        print(f"the engines differ: {sorted(found ^ theirs)}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
