"""Rules asked of one chart by look-ups, atom by atom in the order in which they are written.

The same join that `kg.rules` compiles to SPARQL for a collection, and with the same answers; for one chart the
overhead of a query is most of its time, so that this is several times faster. The facts of the chart stand in an
index of their own, what else a rule reads is looked up in the store once a chart.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from pyoxigraph import NamedNode, Quad, Store

from kg.facts import TYPE, term, thing
from kg.rules import Atom, Rule

_Row = list[int]


class Look:
    """What can be looked up for one chart: its own facts, and the store for the rest. Nodes are small integers.

    A node belongs to the chart when its IRI is that of the chart or begins with it and a slash.
    """

    def __init__(self, store: Store, chart: NamedNode) -> None:
        self._store = store
        self._nodes: list[NamedNode] = []
        self._numbers: dict[NamedNode, int] = {}
        self._objects: dict[tuple[int, int], list[int]] = {}
        self._subjects: dict[tuple[int, int], list[int]] = {}
        self._predicates: dict[tuple[int, int], list[int]] = {}
        self._own: set[int] = set()
        self._prefix = chart.value + "/"
        self.chart = self.number(chart)
        self._own.add(self.chart)
        pending = [chart]
        while pending:
            facts = list(store.quads_for_pattern(pending.pop(), None, None))
            for quad in facts:
                value = quad.object
                if isinstance(value, NamedNode) and value not in self._numbers:
                    self.number(value)
                    if value.value.startswith(self._prefix):
                        pending.append(value)
            self.add(facts)

    def number(self, node: NamedNode) -> int:
        """The number of a node."""
        found = self._numbers.get(node)
        if found is None:
            found = self._numbers[node] = len(self._nodes)
            self._nodes.append(node)
            if node.value.startswith(self._prefix):
                self._own.add(found)
        return found

    def node(self, number: int) -> NamedNode:
        """The node of a number."""
        return self._nodes[number]

    def add(self, quads: Iterable[Quad]) -> None:
        """Take in facts that the store now holds."""
        numbers, own = self._numbers, self._own
        for quad in quads:
            if not isinstance(quad.object, NamedNode) or not isinstance(quad.subject, NamedNode):
                continue
            s = numbers.get(quad.subject) or self.number(quad.subject)
            p = numbers.get(quad.predicate) or self.number(quad.predicate)
            o = numbers.get(quad.object) or self.number(quad.object)
            if s not in own:
                self._objects.pop((s, p), None)
                self._predicates.pop((s, o), None)
                self._subjects.pop((p, o), None)
                continue
            objects = self._objects.setdefault((s, p), [])
            if o not in objects:
                objects.append(o)
                if o in own:
                    self._subjects.setdefault((p, o), []).append(s)
                elif (p, o) in self._subjects and s not in self._subjects[p, o]:
                    self._subjects[p, o].append(s)

    def objects(self, s: int, p: int) -> Sequence[int]:
        """What a thing has under a predicate."""
        found = self._objects.get((s, p))
        if found is None:
            if s in self._own:
                return ()
            found = self._objects[s, p] = [self.number(value) for _, _, value in self._facts(s, p, None)]
        return found

    def subjects(self, p: int, o: int) -> Sequence[int]:
        """What has a thing under a predicate."""
        found = self._subjects.get((p, o))
        if found is None:
            if o in self._own:
                return ()
            found = self._subjects[p, o] = [self.number(subject) for subject, _, _ in self._facts(None, p, o)]
        return found

    def predicates(self, s: int, o: int) -> Sequence[int]:
        """The predicates that join two things."""
        found = self._predicates.get((s, o))
        if found is None:
            found = [self.number(predicate) for _, predicate, _ in self._facts(s, None, o)]
            if s not in self._own:
                self._predicates[s, o] = found
        return found

    def search(self, s: int | None, p: int | None, o: int | None) -> list[tuple[int, int, int]]:
        """The facts of the store, whatever of them is left open."""
        number = self.number
        return [(number(one), number(two), number(three)) for one, two, three in self._facts(s, p, o)]

    def _facts(
        self, s: int | None, p: int | None, o: int | None
    ) -> Iterator[tuple[NamedNode, NamedNode, NamedNode]]:
        subject, predicate, value = (None if n is None else self._nodes[n] for n in (s, p, o))
        for quad in self._store.quads_for_pattern(subject, predicate, value):
            if isinstance(quad.subject, NamedNode) and isinstance(quad.object, NamedNode):
                yield quad.subject, quad.predicate, quad.object


class Walk:
    """A rule made ready to be walked: its atoms as steps that know what is bound before them."""

    def __init__(self, rule: Rule, atoms: Sequence[Atom] | None = None, known: Sequence[str] = ()) -> None:
        """The walk of a rule, or of some of its `atoms` where the values of the `known` variables are given each time."""
        self._places: dict[str | NamedNode, int] = {"?c": 0}
        bound = {"?c", *(self._named(name) for name in known)}
        for name in known:
            self._place(self._named(name))
        self._steps = [self._step(atom, bound) for atom in (rule.atoms() if atoms is None else atoms)]
        self._unless = [self._step(atom, bound) for atom in rule.unless]
        self._head = tuple(self._place(part) for part in _triple(rule.head))
        self._things = [(place, part) for part, place in self._places.items() if isinstance(part, NamedNode)]
        names = dict.fromkeys(rule.variables() + rule.head.variables())
        self._asked = [(name, self._places.get("?" + name, self._places.get(name, 0))) for name in names]

    @staticmethod
    def _named(name: str) -> str:
        return name if name.isupper() else "?" + name

    def _place(self, part: str | NamedNode) -> int:
        """The place of a variable or a thing in a row."""
        return self._places.setdefault(part, len(self._places))

    def _step(self, atom: Atom, bound: set[str]) -> tuple[int, int, int, int]:
        """An atom as what is to be done and the places of its terms; its variables are bound from here on.

        Where it has to be searched for, three bits on top of that say which of its terms are open.
        """
        if atom.predicate == "differentFrom":
            one, other = (self._place(_part(argument)) for argument in atom.arguments)
            return _DIFFER, one, 0, other
        triple = _triple(atom)
        free = [isinstance(part, str) and part not in bound for part in triple]
        opened = [part for part, is_free in zip(triple, free, strict=True) if is_free]
        bound.update(part for part in opened if isinstance(part, str))
        subject, predicate, value = (self._place(part) for part in triple)
        bits = sum(is_free << n for n, is_free in enumerate(free))
        return _KINDS.get(bits, _SEARCH + bits), subject, predicate, value

    def rows(
        self, look: Look, given: Iterable[Sequence[NamedNode]] = ((),)
    ) -> Iterator[dict[str, NamedNode]]:
        """Every way in which the rule holds: its variables, without marks, and what they stand for.

        `given` are the values that the known variables may have.
        """
        for row in self._solutions(look, given):
            yield {name: look.node(row[place]) for name, place in self._asked}

    def quads(self, look: Look) -> list[Quad]:
        """What the head says wherever the rule holds."""
        subject, predicate, value = self._head
        node = look.node
        return [
            Quad(node(row[subject]), node(row[predicate]), node(row[value])) for row in self._solutions(look)
        ]

    def _solutions(self, look: Look, given: Iterable[Sequence[NamedNode]] = ((),)) -> list[_Row]:
        row = [0] * len(self._places)
        row[0] = look.chart
        for place, thing_ in self._things:
            row[place] = look.number(thing_)
        found: list[_Row] = []
        for values in given:
            for place, node in enumerate(values, 1):
                row[place] = look.number(node)
            self._walk(look, row, 0, found)
        return found

    def _walk(self, look: Look, row: _Row, at: int, found: list[_Row]) -> None:
        """Take the step `at` in every way that there is, then those after it; a row that passes all is found."""
        for step in range(at, len(self._steps)):
            kind, s, p, o = self._steps[step]
            if kind == _OBJECTS:
                place, values = o, look.objects(row[s], row[p])
            elif kind == _CHECK:
                if row[o] in look.objects(row[s], row[p]):
                    continue
                return
            elif kind == _SUBJECTS:
                place, values = s, look.subjects(row[p], row[o])
            elif kind == _PREDICATES:
                place, values = p, look.predicates(row[s], row[o])
            elif kind == _DIFFER:
                if row[s] != row[o]:
                    continue
                return
            else:
                return self._search(look, row, step, found)
            if not values:
                return
            for value in values[1:]:
                row[place] = value
                self._walk(look, row, step + 1, found)
            row[place] = values[0]
        if not any(row[o] in look.objects(row[s], row[p]) for _, s, p, o in self._unless):
            found.append(row.copy())

    def _search(self, look: Look, row: _Row, at: int, found: list[_Row]) -> None:
        """The step of an atom of which more than one term is open."""
        kind, *places = self._steps[at]
        asked = [None if (kind - _SEARCH) >> n & 1 else row[place] for n, place in enumerate(places)]
        for fact in look.search(*asked):
            if len(set(zip(places, fact, strict=True))) == len(set(places)):  # a variable twice is one thing
                for place, part in zip(places, fact, strict=True):
                    row[place] = part
                self._walk(look, row, at + 1, found)


_CHECK, _OBJECTS, _SUBJECTS, _PREDICATES, _DIFFER, _SEARCH = range(6)
_KINDS = {0b000: _CHECK, 0b100: _OBJECTS, 0b001: _SUBJECTS, 0b010: _PREDICATES}
"""What is to be done for an atom, by which of its terms are open: object, predicate, subject."""


def _part(argument: str) -> str | NamedNode:
    return argument if argument.startswith("?") or argument.isupper() else thing(argument)


def _triple(atom: Atom) -> tuple[str | NamedNode, str | NamedNode, str | NamedNode]:
    """An atom as subject, predicate and object, variables by their names."""
    subject, *rest = (_part(argument) for argument in atom.arguments)
    predicate = atom.predicate if atom.is_variable else term(atom.predicate)
    return (subject, predicate, rest[0]) if rest else (subject, TYPE, predicate)
