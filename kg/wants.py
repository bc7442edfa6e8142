"""What a chart lacks of what a topic asks: the judgments that could not be asked, and the input each needs.

A condition cannot be asked when its form needs an input that was not given, or when none of its subjects, or of its
objects, can be found without one; if some can, it is asked of these alone. A judgment with a condition that cannot be
asked cannot be asked itself.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection
from functools import lru_cache

from pyoxigraph import NamedNode

from kg.facts import term, thing
from kg.findings import GIVING, Doctrine, Omission
from kg.qimen_chart import QimenChart
from kg.schools import chosen
from kg.store import instances, values

_PILLARS = frozenset(term(name) for name in ("needsDay", "needsMonth", "needsYear"))
_BY_THE_MONTH = thing("form:vigour")
_BY_THE_PALACE = thing("school:strength-palace")

Ways = list[frozenset[NamedNode]]
"""The ways in which a sign can be found, each with the inputs it needs."""


class Wants:
    """The inputs that judgments of topics want, under some schools."""

    def __init__(self, doctrine: Doctrine, schools: Collection[NamedNode]) -> None:
        self._doctrine, self._store, self._schools = doctrine, doctrine.store, schools

    def lacking(
        self, topic: NamedNode, reading: NamedNode, missing: frozenset[NamedNode]
    ) -> tuple[Counter[NamedNode], Counter[NamedNode]]:
        """How many judgments of a topic, in a reading of the text, cannot be asked for want of each missing input,
        and how many can only be asked of some of their signs.
        """
        out, partly = Counter[NamedNode](), Counter[NamedNode]()
        for judgment in self._judgments(topic, reading):
            blocked, narrowed = self._condition(judgment, missing)
            if blocked:
                out.update(blocked)
            else:
                partly.update(narrowed)
        return out, partly

    def judgments(self, topic: NamedNode, reading: NamedNode) -> int:
        """How many judgments a topic has in a reading of the text."""
        return len(self._judgments(topic, reading))

    def _judgments(self, topic: NamedNode, reading: NamedNode) -> list[NamedNode]:
        asked = {quad.subject for quad in self._store.quads_for_pattern(None, term("topic"), topic)}
        judged = instances(self._store, "Judgment")
        return [node for node in judged if node in asked and reading in self._nodes(node, "reading")]

    def _condition(
        self, node: NamedNode, missing: frozenset[NamedNode]
    ) -> tuple[set[NamedNode], set[NamedNode]]:
        """Of a condition, or of all those of a judgment: the inputs that block it, and those that narrow it."""
        blocked: set[NamedNode] = set()
        narrowed: set[NamedNode] = set()
        for form in self._nodes(node, "form"):
            if form != _BY_THE_MONTH or _BY_THE_PALACE not in self._schools:
                blocked |= missing.intersection(self._nodes(form, "needs"))
        for name in ("subject", "object", "aid"):
            ways = [way for sign in self._nodes(node, name) for way in self._ways(sign)]
            barred = [way for way in ways if way & missing]
            if barred:
                (narrowed if len(barred) < len(ways) else blocked).update(*(way & missing for way in barred))
        if self._nodes(node, "bane"):
            narrowed |= _PILLARS & missing  # of some pillar a format that 庚 or 丙 forms is not seen
        for part in self._nodes(node, "condition"):
            found = self._condition(part, missing)
            blocked |= found[0]
            narrowed |= found[1]
        return blocked, narrowed

    def _ways(self, sign: NamedNode) -> Ways:
        for name, taken in (("sign:querent", "querentSign"), ("sign:patient-stem", "patientSign")):
            if sign == thing(name):
                signs = [found for school in self._schools for found in self._nodes(school, taken)]
                if taken == "patientSign":
                    signs.append(thing("sign:day-stem"))
                return [way for found in signs for way in self._ways(found)]
        if sign == thing("sign:censured") and thing("school:target-querent") in self._schools:
            return self._ways(thing("sign:querent"))
        members = self._nodes(sign, "includes")
        if members:
            return [way for member in members for way in self._ways(member)]
        return [frozenset(self._nodes(sign, "requires"))]

    def _nodes(self, node: NamedNode, predicate: str) -> list[NamedNode]:
        return [found for found in values(self._store, node, predicate) if isinstance(found, NamedNode)]


def omissions(doctrine: Doctrine, chart: QimenChart, topics: Collection[NamedNode]) -> tuple[Omission, ...]:
    """What of some topics could not be asked of a chart, by topic and input; then what was asked in part."""
    missing = frozenset(term(name) for name, given in chart.inputs.items() if not given)
    if not missing:
        return ()
    schools = tuple(chosen("qimen", chart.options))
    found = [_lacking(doctrine, topic, schools, missing) for topic in topics]
    return tuple(omission for part in (0, 1) for omitted in found for omission in omitted[part])


def unasked(doctrine: Doctrine, chart: QimenChart, topic: NamedNode, need: str) -> Omission:
    """A whole topic that could not be asked, for want of one input."""
    schools = [thing(school) for school in chosen("qimen", chart.options)]
    count = Wants(doctrine, schools).judgments(topic, thing(f"reading:{chart.options['reading']}"))
    return _omission(doctrine, topic, term(need), count, False)


@lru_cache(maxsize=512)
def _lacking(
    doctrine: Doctrine, topic: NamedNode, schools: tuple[str, ...], missing: frozenset[NamedNode]
) -> tuple[tuple[Omission, ...], tuple[Omission, ...]]:
    wants = Wants(doctrine, [thing(school) for school in schools])
    (reading,) = (thing(school) for school in schools if school.startswith("reading:"))
    whole, part = (
        tuple(
            _omission(doctrine, topic, need, count, partly)
            for need, count in sorted(counted.items(), key=lambda item: item[0].value)
        )
        for partly, counted in enumerate(wants.lacking(topic, reading, missing))
    )
    return whole, part


def _omission(
    doctrine: Doctrine, topic: NamedNode, need: NamedNode, count: int, partly: bool | int
) -> Omission:
    words = doctrine.verbaliser("en")
    heading = doctrine.verbaliser("zh").label(topic)
    return Omission(heading, count, words.label(need), words.text(need, GIVING), need.value, bool(partly))
