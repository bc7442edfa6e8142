"""What rules conclude: facts with the step that led to them, judgments that hold, and all that is found in a chart."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from pyoxigraph import NamedNode, Quad

from kg.facts import TYPE, term, thing
from kg.rules import Rule

Bindings = Mapping[str, NamedNode]

Fact = tuple[NamedNode, ...]
"""A fact by its predicate, its subject and, where it has one, its object."""


@dataclass(frozen=True, slots=True)
class Step:
    """How a fact was concluded: by which rule, and what the rule bound."""

    rule: Rule
    bindings: Bindings = field(hash=False)


@dataclass(frozen=True, slots=True)
class Hit:
    """A judgment (or caveat) that holds in a chart: by which rule, and what the rule bound."""

    chart: NamedNode
    judgment: NamedNode
    rule: Rule
    bindings: Bindings = field(hash=False)
    steps: Mapping[Fact, Step] = field(default_factory=dict, hash=False, compare=False, repr=False)
    """What other rules concluded on the way to it, of the whole chart."""


@dataclass(frozen=True, slots=True)
class Conclusion:
    """What the rules find in a chart: judgments in order of IRI, the hollow ones, and the caveats met."""

    hits: tuple[Hit, ...]
    caveats: tuple[Hit, ...]
    hollow: frozenset[NamedNode]
    quads: tuple[Quad, ...]


def note(rule: Rule, rows: Iterable[Bindings], steps: dict[Fact, Step]) -> list[Quad]:
    """What a rule concludes, noted among the steps: of several ways the first by rule and bindings in order."""
    ways: dict[Quad, Bindings] = {}
    for row in rows:
        quad = conclude(rule, row)
        if quad not in ways or row_key(row) < row_key(ways[quad]):
            ways[quad] = row
    for quad, row in ways.items():
        steps.setdefault(_fact(quad), Step(rule, row))
    return list(ways)


def _fact(quad: Quad) -> Fact:
    """A quad as a fact: a class with its one member, a property with subject and object."""
    assert isinstance(quad.subject, NamedNode) and isinstance(quad.object, NamedNode)
    if quad.predicate == TYPE:
        return quad.object, quad.subject
    return quad.predicate, quad.subject, quad.object


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
