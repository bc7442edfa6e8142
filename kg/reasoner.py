"""The fast engine: rules run over pyoxigraph, stratum by stratum.

A collection is asked in SPARQL with `?c` free, so that each rule runs once over all its charts. One chart is walked by
look-ups (`kg.walk`), which find the same; it can be asked in SPARQL too, with `?c` bound. What a judge rule bound
is kept: it is the explanation of the finding.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import replace
from functools import cached_property

from pyoxigraph import BlankNode, Literal, NamedNode, Quad, QuerySolutions, Store, Triple, Variable

from kg.conclusions import Bindings, Conclusion, Hit, Steps, conclude, first, row_key
from kg.facts import term
from kg.look import Ground, Look
from kg.rules import Rule, read_rules, select, select_parameters
from kg.rules import answers as answers
from kg.walk import Walk

_CHART = Variable("c")


class Reasoner:
    """The rules of a store, compiled once; one chart is asked of the doctrine as it was when first looked up."""

    def __init__(self, store: Store) -> None:
        self.store = store
        self.rules = read_rules(store)
        self._walks: dict[str, Walk] = {}
        self._ground = Ground(store)
        self._strata: dict[tuple[str, str | None], list[Rule]] = {}
        self._unfolding = {q.subject for q in store.quads_for_pattern(None, term("unfolds"), None)}

    def of(self, stratum: str, art: str | None = None) -> list[Rule]:
        """The rules of a stratum, in the order in which they run; those of an art, and those that serve both."""
        if (stratum, art) not in self._strata:
            found = [rule for rule in self.rules if rule.stratum == stratum and rule.art in (None, art)]
            self._strata[stratum, art] = found
        return self._strata[stratum, art]

    def ask(self, rule: Rule, chart: NamedNode | None) -> Iterator[dict[str, NamedNode]]:
        """Every way in which the body of a rule holds, in one chart or in all, asked in SPARQL."""
        solutions = self.store.query(select(rule), substitutions=_bound(chart))
        assert isinstance(solutions, QuerySolutions)
        names = [variable.value for variable in solutions.variables]
        for solution in solutions:
            row = {
                name: node for name, node in zip(names, solution, strict=True) if isinstance(node, NamedNode)
            }
            if chart is not None:
                row["c"] = chart
            yield row

    def close_cosmos(self) -> None:
        """Run the cosmic stratum to its fixed point and add what follows to the store.

        A rule runs again only when another, or itself, has added a relation that its body reads.
        """
        rules = self.of("cosmic")
        waiting = {rule.name: rule for rule in rules}
        while waiting:
            rule = waiting.pop(next(iter(waiting)))
            concluded = {conclude(rule, row) for row in self.ask(rule, None)}
            new = [
                quad for quad in concluded if quad not in self.store
            ]  # to count the store would take longer
            self.store.extend(new)
            if new:
                waiting |= {reader.name: reader for reader in rules if _reads(reader, rule)}

    def needed(self, rules: Iterable[Rule], art: str) -> list[Rule]:
        """The derive rules of an art on which some rules rest, directly or through others, in order."""
        wanted = [atom for rule in rules for atom in rule.body]
        found = []
        for rule in reversed(self.of("derive", art)):  # each stands after those it rests on
            if any(answers(rule.head, atom) for atom in wanted):
                found.append(rule)
                wanted += rule.body
        return found[::-1]

    def derive(self, art: str, chart: NamedNode | None = None) -> list[Quad]:
        """Derive the facts of a chart (or of all charts) of an art, add them to the store and return them."""
        if chart is not None:
            quads = self._derive(art, self.look(chart))
            self.store.extend(quads)
            return quads
        derived: list[Quad] = []
        for rule in self.of("derive", art):
            quads = [conclude(rule, row) for row in self.ask(rule, None)]
            self.store.extend(quads)
            derived += quads
        return derived

    def _derive(self, art: str, look: Look, steps: Steps | None = None) -> list[Quad]:
        derived: list[Quad] = []
        for rule in self.of("derive", art):
            if steps is not None and term(rule.head.predicate) in self._unfolding:
                derived += self._note(rule, look, steps)
            else:
                derived += look.quads(look.take(self._walk(rule).facts(look)))
        return derived

    def _note(self, rule: Rule, look: Look, steps: Steps, topic: NamedNode | None = None) -> list[Quad]:
        """What a rule concludes, taken into the look; how, into the steps."""
        walk, given = self._walked(rule, look, topic)
        ways = walk.ways(look, given)
        steps.note(rule, walk, ways)
        return look.quads(look.take(ways))

    def look(self, chart: NamedNode, facts: Iterable[Quad] | None = None) -> Look:
        """What can be looked up for a chart, of which the facts are those of the store, if none are given."""
        return Look(self._ground, chart, facts)

    def leading(self, art: str) -> list[Rule]:
        """The judge rules that conclude no judgment yet but what judgments rest on, such as conditions, in order."""
        return [rule for rule in self.of("judge", art) if rule.head.predicate != "exhibits"]

    def walk(self, rule: Rule, look: Look, topic: NamedNode | None = None) -> Iterator[dict[str, NamedNode]]:
        """Every way in which the body of a rule holds in the chart that is looked at, for a topic if one is named.

        The data of conditions are taken as they were when first walked.
        """
        walk, given = self._walked(rule, look, topic)
        return walk.rows(look, given)

    def _walked(
        self, rule: Rule, look: Look, topic: NamedNode | None
    ) -> tuple[Walk, Iterable[Sequence[int]]]:
        """The walk of a rule, and the numbers of what its known variables may stand for."""
        if rule.of_conditions:
            walk, table = self._conditions[rule.name]
            return walk, table.get(topic, ())
        if topic is not None and rule.name in self._topical:
            return self._topical[rule.name], [(look.number(topic),)]
        return self._walk(rule), ((),)

    def _walk(self, rule: Rule) -> Walk:
        """The walk of a rule, made when it is first wanted: a chart wants those of its art alone."""
        if rule.name not in self._walks:
            self._walks[rule.name] = Walk(rule)
        return self._walks[rule.name]

    @cached_property
    def _topical(self) -> dict[str, Walk]:
        """The walks of the rules that conclude judgments, for the judgments of a topic."""
        found = [rule for rule in self.of("judge") if rule.head.predicate == "exhibits"]
        return {rule.name: Walk(rule, rule.atoms(topic=True), ["topic"]) for rule in found}

    @cached_property
    def _conditions(self) -> dict[str, tuple[Walk, dict[NamedNode | None, list[Sequence[int]]]]]:
        """The walks of the rules of conditions with the data of these: those of each topic, and all under None."""
        concluded = {rule.head.predicate for rule in self.rules if rule.stratum in ("derive", "judge")}
        found: dict[str, tuple[Walk, dict[NamedNode | None, list[Sequence[int]]]]] = {}
        for rule in self.rules:
            if not rule.of_conditions:
                continue
            atoms, names, query = select_parameters(rule, concluded)
            solutions = self.store.query(query)
            assert isinstance(solutions, QuerySolutions)
            table: dict[NamedNode | None, list[Sequence[int]]] = {None: []}
            for solution in solutions:
                values = [node for node in solution if isinstance(node, NamedNode)]
                numbers = [self._ground.number(node) for node in values]
                for topic in (None, *self._objects(values[0], "servesTopic")):
                    table.setdefault(topic, []).append(numbers)
            rest = [atom for atom in rule.atoms() if atom not in atoms]
            found[rule.name] = Walk(rule, rest, names), table
        return found

    def _objects(self, node: NamedNode, predicate: str) -> set[NamedNode]:
        found = self.store.quads_for_pattern(node, term(predicate), None)
        return {quad.object for quad in found if isinstance(quad.object, NamedNode)}

    def hits(
        self,
        art: str,
        stratum: str,
        head: str,
        chart: NamedNode | None = None,
        look: Look | None = None,
        topic: NamedNode | None = None,
    ) -> list[Hit]:
        """The judgments (head `exhibits`) or caveats (head `caveated`) that the rules of a stratum find.

        Of one chart, at which one may be looking already, for a topic if one is named; or of all charts. A judgment
        found in several ways is given once, by the first rule and bindings in order.
        """
        if chart is not None and look is None:
            look = self.look(chart)
        found: dict[tuple[NamedNode, NamedNode], Hit] = {}
        for rule in self.of(stratum, art):
            if rule.head.predicate != head:
                continue
            for row in self._first(rule, look, topic):
                key = row["c"], row["j"]
                if key not in found:
                    found[key] = Hit(*key, rule, row)
        return sorted(found.values(), key=lambda hit: (hit.chart.value, hit.judgment.value))

    def _first(self, rule: Rule, look: Look | None, topic: NamedNode | None) -> Iterable[Bindings]:
        """What a rule binds wherever it holds; of several ways to one conclusion the first in order comes first."""
        if look is None:
            return sorted(self.ask(rule, None), key=row_key)
        walk, given = self._walked(rule, look, topic)
        return [first(walk, look, rows) for rows in walk.ways(look, given).values()]

    def conclude_all(self, art: str) -> tuple[dict[str, set[str]], dict[str, set[str]]]:
        """Run every stratum over all charts of an art in the store at once; what they exhibit, and what of it is hollow.

        Both by IRI of the chart; every chart that exhibits something is there. The store keeps what was derived.
        """
        self.derive(art)
        for rule in self.leading(art):
            self.store.extend([conclude(rule, row) for row in self.ask(rule, None)])
        found: dict[str, dict[str, set[str]]] = {"exhibits": {}, "caveated": {}, "hollow": {}}
        for stratum, head in (("judge", "exhibits"), ("qualify", "caveated"), ("qualify", "hollow")):
            for rule in self.of(stratum, art):
                if rule.head.predicate != head:
                    continue
                pairs = {(row["c"], row["j"]) for row in self.ask(rule, None)}
                self.store.extend([Quad(chart, term(head), judgment) for chart, judgment in pairs])
                for chart, judgment in pairs:
                    found[head].setdefault(chart.value, set()).add(judgment.value)
        return found["exhibits"], found["hollow"]

    def conclude(
        self,
        art: str,
        chart: NamedNode,
        topics: Collection[NamedNode] | None = None,
        facts: Iterable[Quad] | None = None,
    ) -> Conclusion:
        """Derive, judge and qualify one chart of an art.

        Its facts are given, or else are in the store, which then takes up what is concluded. With `topics` only the
        judgments of these are asked, and none where it is empty.
        """
        look = self.look(chart, facts)
        steps = Steps(look)
        quads = self._derive(art, look, steps)

        def keep(predicate: str, found: list[NamedNode]) -> None:
            new = [Quad(chart, term(predicate), node) for node in found]
            look.add(new)
            quads.extend(new)

        hits: list[Hit] = []
        if topics is None or topics:
            topic = next(iter(topics)) if topics is not None and len(topics) == 1 else None
            for rule in self.leading(art):
                quads += self._note(rule, look, steps, topic)
            hits = [
                replace(hit, steps=steps) for hit in self.hits(art, "judge", "exhibits", chart, look, topic)
            ]
        if topics is not None:
            hits = [hit for hit in hits if self._objects(hit.judgment, "topic").intersection(topics)]
        keep("exhibits", [hit.judgment for hit in hits])
        caveats = self.hits(art, "qualify", "caveated", chart, look)
        keep("caveated", [hit.judgment for hit in caveats])
        hollow = (
            {hit.judgment for hit in self.hits(art, "qualify", "hollow", chart, look)} if caveats else set()
        )
        keep("hollow", sorted(hollow, key=lambda node: node.value))
        if facts is None:
            self.store.extend(quads)
        return Conclusion(tuple(hits), tuple(caveats), frozenset(hollow), tuple(quads))


def _bound(chart: NamedNode | None) -> dict[Variable, NamedNode | BlankNode | Literal | Triple]:
    """What a query is asked with: the chart, or nothing where it is asked of all."""
    return {} if chart is None else {_CHART: chart}


def _reads(reader: Rule, writer: Rule) -> bool:
    """Whether the body of one rule may use what the head of another concludes."""
    head = writer.head
    return any(
        head.is_variable if atom.is_variable else atom.predicate == head.predicate for atom in reader.body
    )
