"""How a reason calls the signs of a topic: by their role, by what they are, and by the symbol that shows them.

In 占失物 the day stem is the loser, and on a day of 辛未 it is 辛: a reason says 失主日干辛金. Where several signs can
play one part (年命日干; 景、驚二門), it says which does. The words are those of the treatise and the ontology; here
is only the choice among them.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cached_property

from pyoxigraph import NamedNode, Quad, Store

from kg.facts import term
from kg.store import instances, values


class Phrase(str):
    """A name in full, which knows the short form that stands for it once it has been said."""

    short: str

    def __new__(cls, text: str, short: str | None = None) -> Phrase:
        """A phrase; without `short` it is its own short form."""
        made = super().__new__(cls, text)
        made.short = text if short is None else short
        return made


class Shown:
    """By what the signs of one chart are shown: placements, their symbols and their seats."""

    def __init__(self, quads: Iterable[Quad]) -> None:
        facts: dict[NamedNode, dict[NamedNode, list[NamedNode]]] = {
            term(name): {} for name in ("standsFor", "fallsIn", "symbol")
        }
        for quad in quads:
            if quad.predicate in facts and isinstance(quad.subject, NamedNode):
                assert isinstance(quad.object, NamedNode)
                facts[quad.predicate].setdefault(quad.subject, []).append(quad.object)
        self.signs = facts[term("standsFor")]
        self.symbols = {placement: symbols[0] for placement, symbols in facts[term("symbol")].items()}
        seats = facts[term("fallsIn")]
        self._placements = {
            (sign, seat): placement
            for placement in sorted(self.signs, key=lambda node: node.value, reverse=True)
            for sign in self.signs[placement]
            for seat in (None, *seats[placement])
        }

    def placement(self, sign: NamedNode, seat: NamedNode | None = None) -> NamedNode | None:
        """The placement that shows a sign in a seat, or anywhere; of several the first by IRI."""
        return self._placements.get((sign, seat))


NOTHING = Shown(())
"""What is shown where no chart is looked at."""


class Roles:
    """The signs that topics speak of, and the parts that they play there."""

    def __init__(self, store: Store) -> None:
        self._store = store

    def role(self, topic: NamedNode | None, sign: NamedNode) -> NamedNode | None:
        """The part that a sign plays in a topic; of several the first by IRI."""
        return self._roles.get((topic, sign))

    def playing(self, topic: NamedNode | None) -> frozenset[NamedNode]:
        """The signs that play a part in a topic."""
        return frozenset(sign for asked, sign in self._roles if asked == topic)

    @cached_property
    def _roles(self) -> Mapping[tuple[NamedNode | None, NamedNode], NamedNode]:
        found: dict[tuple[NamedNode | None, NamedNode], NamedNode] = {}
        for role in instances(self._store, "Role"):
            for topic in values(self._store, role, "topic"):
                for sign in values(self._store, role, "sign"):
                    if isinstance(topic, NamedNode) and isinstance(sign, NamedNode):
                        found.setdefault((topic, sign), role)
        return found

    @cached_property
    def groups(self) -> frozenset[NamedNode]:
        """The signs that name several things at once, of which a reason names the one it found."""
        return frozenset(instances(self._store, "SignGroup", "SignPair"))

    @cached_property
    def signs(self) -> frozenset[NamedNode]:
        """The signs that are no symbols of the board."""
        return self.groups | frozenset(instances(self._store, "Sign"))

    def told_as(self, sign: NamedNode, shown: Iterable[NamedNode]) -> NamedNode | None:
        """The sign by whose name a reason calls one, given all that its placement shows; none for a mere group."""
        plainer = [node for node in values(self._store, sign, "calledAfter") if isinstance(node, NamedNode)]
        known = set(shown)
        return next((node for node in plainer if node in known), None if sign in self.groups else sign)
