"""What rules conclude: facts with the step that led to them, judgments that hold, and all that is found in a chart."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from pyoxigraph import NamedNode, Quad

from kg.facts import TYPE, term, thing
from kg.look import Look
from kg.rules import Rule
from kg.walk import Row, Walk

Bindings = Mapping[str, NamedNode]

Fact = tuple[NamedNode, ...]
"""A fact by its predicate, its subject and, where it has one, its object."""


@dataclass(frozen=True, slots=True)
class Step:
    """How a fact was concluded: by which rule, and what the rule bound."""

    rule: Rule
    bindings: Bindings = field(hash=False)


class Steps:
    """How the facts of one chart on which explanations rest were concluded.

    What a rule bound is kept in numbers, and put into words for the few facts of which an explanation tells.
    """

    def __init__(self, look: Look) -> None:
        self._look = look
        self._ways: dict[tuple[int | None, ...], tuple[Rule, Walk, list[Row]]] = {}
        self._predicates: set[int | None] = set()

    def note(self, rule: Rule, walk: Walk, ways: Mapping[tuple[int, int, int], list[Row]]) -> None:
        """Note what a rule concludes and in which ways; what an earlier rule has concluded stays its own."""
        for fact, rows in ways.items():
            self._ways.setdefault(fact, (rule, walk, rows))
            self._predicates.add(fact[1])

    def get(self, fact: Fact) -> Step | None:
        """The step that led to a fact: of several ways the first by bindings in order."""
        predicate, subject, value = fact if len(fact) == 3 else (TYPE, fact[1], fact[0])
        known = self._look.known
        p = known(predicate)
        if p not in self._predicates:
            return None
        found = self._ways.get((known(subject), p, known(value)))
        return None if found is None else Step(found[0], first(found[1], self._look, found[2]))


def first(walk: Walk, look: Look, rows: list[Row]) -> Bindings:
    """What a rule bound in the first of the rows in which it holds, by the IRIs in order."""
    if len(rows) == 1:
        return walk.bindings(look, rows[0])
    return min((walk.bindings(look, row) for row in rows), key=row_key)


@dataclass(frozen=True, slots=True)
class Hit:
    """A judgment (or caveat) that holds in a chart: by which rule, and what the rule bound."""

    chart: NamedNode
    judgment: NamedNode
    rule: Rule
    bindings: Bindings = field(hash=False)
    steps: Steps | None = field(default=None, hash=False, compare=False, repr=False)
    """What other rules concluded on the way to it, of the whole chart."""


@dataclass(frozen=True, slots=True)
class Conclusion:
    """What the rules find in a chart: judgments in order of IRI, the hollow ones, and the caveats met."""

    hits: tuple[Hit, ...]
    caveats: tuple[Hit, ...]
    hollow: frozenset[NamedNode]
    quads: tuple[Quad, ...]


def row_key(row: Bindings) -> tuple[str, ...]:
    """By what the ways in which a rule holds are put in order: the IRIs that it bound."""
    return tuple(row[name].value for name in sorted(row))


def conclude(rule: Rule, row: Bindings) -> Quad:
    """The head of a rule under bindings, as a quad of the default graph."""
    head = rule.head
    subject, *rest = (_value(argument, row) for argument in head.arguments)
    if not rest:
        return Quad(subject, TYPE, term(head.predicate))
    return Quad(subject, row[head.predicate] if head.is_variable else term(head.predicate), rest[0])


def _value(argument: str, row: Bindings) -> NamedNode:
    if argument.startswith("?"):
        return row[argument[1:]]
    return row[argument] if argument.isupper() else thing(argument)
