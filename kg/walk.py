"""Rules asked of one chart by look-ups, atom by atom in the order in which they are written; but schools come first.

The same join that `kg.rules` compiles to SPARQL for a collection, and with the same answers; for one chart the
overhead of a query is most of its time, so that this is many times faster. What is looked up is in `kg.look`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence

from pyoxigraph import NamedNode

from kg.facts import TYPE, term, thing
from kg.look import Fact, Look
from kg.rules import Atom, Rule

Row = list[int]
"""Numbers of what the variables of a rule stand for, at the places that its walk has given them."""


class Walk:
    """A rule made ready to be walked: its atoms as steps that know what is bound before them."""

    def __init__(self, rule: Rule, atoms: Sequence[Atom] | None = None, known: Sequence[str] = ()) -> None:
        """The walk of a rule, or of some of its `atoms` where the values of the `known` variables are given each time."""
        self._places: dict[str | NamedNode, int] = {"?c": 0}
        self._numbers: dict[NamedNode, int] | None = None
        self._row: Row = []
        bound = {"?c", *(self._named(name) for name in known)}
        for name in known:
            self._place(self._named(name))
        self._given = len(known)
        apart, rest = _apart(rule.atoms() if atoms is None else atoms, known)
        self._before = [self._step(atom, bound) for atom in apart]
        self._steps = [self._step(atom, bound) for atom in rest]
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

    def rows(self, look: Look, given: Iterable[Sequence[int]] = ((),)) -> Iterator[dict[str, NamedNode]]:
        """Every way in which the rule holds: its variables, without marks, and what they stand for.

        `given` are the numbers of what the known variables may stand for.
        """
        for row in self._solutions(look, given):
            yield self.bindings(look, row)

    def bindings(self, look: Look, row: Row) -> dict[str, NamedNode]:
        """The variables of a rule, without marks, and what they stand for in a row."""
        return {name: look.node(row[place]) for name, place in self._asked}

    def facts(self, look: Look) -> list[Fact]:
        """What the head says wherever the rule holds, each once."""
        subject, predicate, value = self._head
        rows = self._solutions(look)
        return list(dict.fromkeys((row[subject], row[predicate], row[value]) for row in rows))

    def ways(self, look: Look, given: Iterable[Sequence[int]] = ((),)) -> dict[Fact, list[Row]]:
        """What the head says wherever the rule holds, each with all the rows in which it does."""
        subject, predicate, value = self._head
        found: dict[Fact, list[Row]] = {}
        for row in self._solutions(look, given):
            found.setdefault((row[subject], row[predicate], row[value]), []).append(row)
        return found

    def _solutions(self, look: Look, given: Iterable[Sequence[int]] = ((),)) -> list[Row]:
        numbers = look.ground.numbers
        if numbers is not self._numbers:
            self._numbers, self._row = numbers, [0] * len(self._places)
            for place, thing_ in self._things:
                self._row[place] = look.number(thing_)
        rows = [[look.chart, *self._row[1:]]]
        if self._given:
            for step in self._before:
                rows = self._take(look, step, rows)
            start = self._given + 1
            rows = [[row[0], *values, *row[start:]] for row in rows for values in given]
        for step in self._steps:
            rows = self._take(look, step, rows)
            if not rows:
                return rows
        for step in self._unless:
            rows = [row for row in rows if not self._take(look, step, [row])]
        return rows

    @staticmethod
    def _take(look: Look, step: tuple[int, int, int, int], rows: list[Row]) -> list[Row]:
        """The rows that pass a step, each in every way in which it does."""
        kind, s, p, o = step
        if kind == _CHECK:
            objects = look.objects
            return [row for row in rows if row[o] in objects[row[s], row[p]]]
        if kind == _DIFFER:
            return [row for row in rows if row[s] != row[o]]
        found: list[Row] = []
        if kind >= _SEARCH:
            for row in rows:
                asked = [None if (kind - _SEARCH) >> n & 1 else row[part] for n, part in enumerate(step[1:])]
                for fact in look.search(*asked):
                    if len(set(zip(step[1:], fact, strict=True))) == len(set(step[1:])):
                        found.append(row.copy())  # a variable that stands twice is one thing
                        found[-1][s], found[-1][p], found[-1][o] = fact
            return found
        ways: Callable[[tuple[int, int]], Sequence[int]]
        if kind == _OBJECTS:
            place, one, other, ways = o, s, p, look.objects.__getitem__
        elif kind == _SUBJECTS:
            place, one, other, ways = s, p, o, look.subjects.__getitem__
        else:
            place, one, other, ways = p, s, o, look.predicates
        for row in rows:
            values = ways((row[one], row[other]))
            if not values:
                continue
            if len(values) > 1:
                for value in values[1:]:
                    fresh = row.copy()
                    fresh[place] = value
                    found.append(fresh)
            row[place] = values[0]
            found.append(row)
        return found


def _apart(atoms: Sequence[Atom], known: Sequence[str]) -> tuple[list[Atom], list[Atom]]:
    """The atoms that ask for a school and hang on no known variable, walked once for all its values; and the others.

    >>> from kg.rules import parse_atoms
    >>> atoms = parse_atoms("chose(?c, ?v), standsFor(?p, ?g), strengthBy(?v, MEASURE), MEASURE(?p, ?w)", "doc")
    >>> [atom.predicate for atom in _apart(atoms, ["g", "w"])[0]]
    ['chose', 'strengthBy']
    """
    if not known:
        return [], list(atoms)
    apart: list[Atom] = []
    rest: list[Atom] = []
    hanging = set(known)
    schools = {name for atom in atoms if atom.predicate == "chose" for name in atom.variables()} - {"c"}
    for atom in atoms:
        names = set(atom.variables()) - {"c"}
        if names & hanging or (names and not names & schools):
            hanging |= names
            rest.append(atom)
        else:
            apart.append(atom)
    return apart, rest


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
