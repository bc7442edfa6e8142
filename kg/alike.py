"""Judge many charts at once: charts that are alike in all that a rule reads are judged by it once.

A rule reads, through the rules that derive what it needs, some of the inputs of a chart and not others: what 初傳生干
says hangs on the day and the offset of the plates, not on the month. So each set of inputs has few classes of charts
(720 for day and offset among 17,280), the rule is run over one chart of each class, and what it finds holds for all.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache

from pyoxigraph import NamedNode, Quad

from kg.facts import facts, quads, term
from kg.liuren_chart import LiurenChart
from kg.reasoner import Reasoner, answers, conclude
from kg.rules import Atom, Rule

BOARD = "board"

KEYS: Mapping[str, Callable[[LiurenChart], Hashable]] = {
    BOARD: lambda chart: (
        chart.plate.day,
        chart.plate.offset,
        chart.plate.transmissions,
        *chart.options.items(),
    ),
    "generals": lambda chart: chart.plate.generals,
    "hour": lambda chart: chart.plate.hour,
    "sun": lambda chart: chart.plate.general,
    "month": lambda chart: chart.month,
    "year": lambda chart: chart.year,
    "moment": lambda chart: chart.moment,
}
"""The inputs of a chart and what of it they fix. The board is in every class: nothing is judged without it."""

INPUTS: Mapping[str, str] = {
    "rides": "generals",
    "hourBranch": "hour",
    "monthGeneral": "sun",
    "monthBranch": "month",
    "yearBranch": "year",
    "phase": "moment",
    "EarlyDays": "moment",
    "LateDays": "moment",
}
"""The asserted predicates of a chart that hang on more than the board, and the input on which they hang."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """What is found in one chart: the judgments it exhibits and those of them that are hollow."""

    exhibits: set[str] = field(default_factory=set)
    hollow: set[str] = field(default_factory=set)


def reads(rule: Rule, rules: Sequence[Rule]) -> frozenset[str]:
    """The inputs on which what a rule concludes hangs, through all the rules that derive what it reads.

    >>> from kg.findings import shared
    >>> reasoner = shared().reasoner
    >>> by_name = {rule.name: rule for rule in reasoner.rules}
    >>> sorted(reads(by_name["rule:initial-strength"], reasoner.of("derive", "liuren")))
    ['board', 'moment', 'month']
    """
    inputs, seen = {BOARD}, set[Atom]()
    waiting = list(rule.body)
    while waiting:
        atom = waiting.pop()
        if atom in seen:
            continue
        seen.add(atom)
        if atom.predicate in INPUTS:
            inputs.add(INPUTS[atom.predicate])
        for other in rules:
            if answers(other.head, atom):
                waiting += other.body
    return frozenset(inputs)


class Judge:
    """The rules of Liuren sorted by what they read, ready for many charts."""

    def __init__(self, reasoner: Reasoner) -> None:
        self._reasoner = reasoner
        derive = reasoner.of("derive", "liuren")
        self._groups: dict[frozenset[str], list[Rule]] = {}
        for rule in reasoner.of("judge", "liuren"):
            self._groups.setdefault(reads(rule, derive), []).append(rule)
        qualify = reasoner.of("qualify", "liuren")
        self._caveats = [rule for rule in qualify if rule.head.predicate == "caveated"]
        self._hollow = [rule for rule in qualify if rule.head.predicate == "hollow"]

    def __call__(self, charts: Iterable[LiurenChart]) -> dict[str, Verdict]:
        """The verdict on each chart, by its IRI. The store of the reasoner is left as it was."""
        known = {chart.iri: chart for chart in charts}
        verdicts = {iri: Verdict() for iri in known}
        asserted = cache(lambda iri: quads(facts(known[iri])))
        for inputs, rules in self._groups.items():
            classes: dict[Hashable, list[LiurenChart]] = {}
            for chart in known.values():
                classes.setdefault(tuple(KEYS[i](chart) for i in sorted(inputs)), []).append(chart)
            first = {alike[0].iri: alike for alike in classes.values()}
            for predicate, iri, judgment in self._conclude(
                [quad for one in first for quad in asserted(one)], rules
            ):
                for chart in first[iri]:
                    getattr(verdicts[chart.iri], predicate).add(judgment)
        return verdicts

    def _conclude(self, asserted: Sequence[Quad], rules: Sequence[Rule]) -> list[tuple[str, str, str]]:
        """What some judge rules find in the charts whose facts are given, and what of it the caveats hollow."""
        reasoner, store = self._reasoner, self._reasoner.store
        asked = (*reasoner.needed((*rules, *self._caveats), "liuren"), *rules, *self._caveats, *self._hollow)
        read = {term(name) for rule in asked for name in (*(atom.predicate for atom in rule.body), "chose")}
        added = [quad for quad in asserted if quad.predicate in read]
        store.extend(added)
        try:
            for rule in asked:
                new = [conclude(rule, row) for row in reasoner.ask(rule, None)]
                store.extend(new)
                added += new
        finally:
            for quad in added:
                store.remove(quad)
        kept = {term("exhibits"): "exhibits", term("hollow"): "hollow"}
        return [
            (kept[quad.predicate], quad.subject.value, quad.object.value)
            for quad in dict.fromkeys(added)
            if quad.predicate in kept
            and isinstance(quad.subject, NamedNode)
            and isinstance(quad.object, NamedNode)
        ]
