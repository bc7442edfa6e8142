"""What can be looked up for one chart: its own facts, and beneath them the doctrine, which is looked up once for all.

Nodes are small integers. Those of the doctrine keep theirs from chart to chart, with all that was ever looked up of
them; those of a chart are numbered from `OWN` on and are forgotten with it. What is concluded of a chart is added to
its own facts, so that a store need not hold it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence

from pyoxigraph import NamedNode, Quad, Store

from ontology import THINGS

OWN = 1 << 32
"""The first number of what belongs to a chart."""
CHARTS = THINGS + "chart/"

Fact = tuple[int, int, int]


class Answers(dict[tuple[int, int], Sequence[int]]):
    """What is found for two terms of a fact, found when it is first asked for and kept."""

    def __init__(self, find: Callable[[int, int], Sequence[int]]) -> None:
        super().__init__()
        self._find = find

    def __missing__(self, key: tuple[int, int]) -> Sequence[int]:
        found = self[key] = self._find(*key)
        return found


class Ground:
    """The doctrine of a store as it was when first looked up, without what belongs to charts."""

    def __init__(self, store: Store, charts: str = CHARTS, beside: Ground | None = None) -> None:
        """`charts` is how the IRIs begin that belong to charts; one ground may share the numbers of another."""
        self.store, self.charts = store, charts
        self.nodes: list[NamedNode] = [] if beside is None else beside.nodes
        self.numbers: dict[NamedNode, int] = {} if beside is None else beside.numbers
        self.objects = Answers(lambda s, p: tuple(fact[2] for fact in self.facts(s, p, None)))
        """What a thing has under a predicate."""
        self.subjects = Answers(lambda p, o: tuple(fact[0] for fact in self.facts(None, p, o)))
        """What has a thing under a predicate."""
        self.predicates = Answers(lambda s, o: tuple(fact[1] for fact in self.facts(s, None, o)))
        """The predicates that join two things."""
        self._searched: dict[tuple[int | None, int | None, int | None], list[Fact]] = {}

    def number(self, node: NamedNode) -> int:
        """The number of a node."""
        found = self.numbers.get(node)
        if found is None:
            found = self.numbers[node] = len(self.nodes)
            self.nodes.append(node)
        return found

    def search(self, s: int | None, p: int | None, o: int | None) -> list[Fact]:
        """The facts of the store, whatever of them is left open."""
        found = self._searched.get((s, p, o))
        if found is None:
            found = self._searched[s, p, o] = list(self.facts(s, p, o))
        return found

    def facts(self, s: int | None, p: int | None, o: int | None) -> Iterator[Fact]:
        """The same, looked up in the store."""
        parts = (None if n is None else self.nodes[n] for n in (s, p, o))
        for quad in self.store.quads_for_pattern(*parts):
            subject, value = quad.subject, quad.object
            if not isinstance(subject, NamedNode) or not isinstance(value, NamedNode):
                continue
            if not subject.value.startswith(self.charts):
                yield self.number(subject), self.number(quad.predicate), self.number(value)


class Look:
    """The facts of one chart, and the ground.

    A node belongs to the chart when its IRI is that of the chart or begins with it and a slash.
    """

    def __init__(self, ground: Ground, chart: NamedNode, facts: Iterable[Quad] | None = None) -> None:
        """The facts of the chart are those of the store, if none are given."""
        if not chart.value.startswith(ground.charts):
            ground = Ground(ground.store, chart.value, ground)
        self.ground = ground
        self._mine: dict[NamedNode, int] = {}
        self._nodes: list[NamedNode] = []
        self._said: dict[int, list[Fact]] = {}
        self._used: set[int] = set()
        self.objects = Answers(lambda s, p: () if s >= OWN else ground.objects[s, p])
        """What a thing has under a predicate: a list where the chart says so, which grows with what it says."""
        self.subjects = Answers(lambda p, o: () if o >= OWN else ground.subjects[p, o])
        """What has a thing under a predicate."""
        self._prefix = chart.value + "/"
        self._iri = chart.value
        self.chart = self.number(chart)
        self.add(self._held(chart) if facts is None else facts)

    def _held(self, chart: NamedNode) -> list[Quad]:
        """What the store says of the chart and of what belongs to it."""
        pending, held, seen = [chart], list[Quad](), {chart}
        while pending:
            for quad in self.ground.store.quads_for_pattern(pending.pop(), None, None):
                held.append(quad)
                value = quad.object
                if isinstance(value, NamedNode) and value not in seen:
                    seen.add(value)
                    if value.value.startswith(self._prefix):
                        pending.append(value)
        return held

    def number(self, node: NamedNode) -> int:
        """The number of a node."""
        found = self._mine.get(node)
        if found is None:
            if node.value != self._iri and not node.value.startswith(self._prefix):
                return self.ground.number(node)
            found = self._mine[node] = OWN + len(self._nodes)
            self._nodes.append(node)
        return found

    def known(self, node: NamedNode) -> int | None:
        """The number of a node, if it has one."""
        found = self._mine.get(node)
        return self.ground.numbers.get(node) if found is None else found

    def node(self, number: int) -> NamedNode:
        """The node of a number."""
        return self.ground.nodes[number] if number < OWN else self._nodes[number - OWN]

    def add(self, quads: Iterable[Quad]) -> None:
        """Take in facts of the chart."""
        numbers, mine, number = self.ground.numbers, self._mine, self.number
        facts = []
        for quad in quads:
            subject, predicate, value = quad.subject, quad.predicate, quad.object
            if isinstance(subject, NamedNode) and isinstance(value, NamedNode):
                s = mine.get(subject) or number(subject)
                p = numbers.get(predicate) or number(predicate)
                o = mine.get(value) or numbers.get(value)
                facts.append((s, p, number(value) if o is None else o))
        self.take(facts)

    def take(self, facts: Iterable[Fact]) -> list[Fact]:
        """Take in facts, and give back those that are new."""
        said, used, ground, new = self._said, self._used, self.ground, []
        objects, subjects = self.objects, self.subjects
        for fact in facts:
            s, p, o = fact
            values = objects.get((s, p))
            if type(values) is not list:
                values = objects[s, p] = [] if s >= OWN else list(ground.objects[s, p])
            if o in values:
                continue
            values.append(o)
            values = subjects.get((p, o))
            if type(values) is not list:
                values = subjects[p, o] = [] if o >= OWN else list(ground.subjects[p, o])
            values.append(s)
            of_subject = said.get(s)
            if of_subject is None:
                of_subject = said[s] = []
            of_subject.append(fact)
            used.add(p)
            new.append(fact)
        return new

    def quads(self, facts: Iterable[Fact]) -> list[Quad]:
        """Facts as quads of the default graph."""
        node = self.node
        return [Quad(node(s), node(p), node(o)) for s, p, o in facts]

    def predicates(self, pair: tuple[int, int]) -> Sequence[int]:
        """The predicates that join two things."""
        s, o = pair
        found = [p for _, p, value in self._said.get(s, ()) if value == o]
        return found if s >= OWN or o >= OWN else [*found, *self.ground.predicates[pair]]

    def search(self, s: int | None, p: int | None, o: int | None) -> list[Fact]:
        """The facts of chart and ground, whatever of them is left open."""
        found: list[Fact] = []
        if p is None or p in self._used:
            groups = self._said.values() if s is None else [self._said.get(s, [])]
            found = [
                fact
                for facts in groups
                for fact in facts
                if (p is None or p == fact[1]) and (o is None or o == fact[2])
            ]
        if all(n is None or n < OWN for n in (s, p, o)):
            found += self.ground.search(s, p, o)
        return found
