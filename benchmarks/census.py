"""A census of Liuren from nothing to a store that can be asked, beside the same rules as SQL over tables in DuckDB.

    python benchmarks/census.py [--days 60] [--processes 2]

DuckDB is given the facts of the same charts, one wide table with a row a chart and narrow ones for what a place has
several of, and runs the rules as they are written, each as one join: that step is the lower bound, for it reads no
calendar, casts nothing, writes no text and no index. Prints seconds, and what each is of the census. Both must find the
same judgments in the same charts, and the same of them hollow, or the script exits with 1.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterable
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import duckdb
import pyarrow
from pyoxigraph import NamedNode, Store

from kg import census
from kg.census_plan import DAYS, Plan, plan
from kg.facts import TYPE, facts, term
from kg.findings import Doctrine, shared
from kg.rules import Atom, Rule
from ontology import TERMS, expand


def table(predicate: str) -> str:
    """The name of the table of a property or class; SQL does not tell Element and element apart."""
    return f"is {predicate}" if predicate[0].isupper() else predicate


Numbers = list[int]
Pairs = set[tuple[str, str]]


class Tables:
    """The charts of a plan and the doctrine as tables of numbers in DuckDB."""

    def __init__(self, planned: Plan, doctrine: Doctrine) -> None:
        self.base = duckdb.connect(config={"threads": 2})
        self.number: dict[str, int] = {}
        self._known: set[str] = set()
        columns: dict[str, tuple[Numbers, Numbers]] = {}
        triples: tuple[Numbers, Numbers, Numbers] = [], [], []
        charts: Numbers = []

        def say(subject: NamedNode, predicate: NamedNode, value: NamedNode) -> None:
            name = value.value if predicate == TYPE else predicate.value
            if name.startswith(TERMS):
                subjects, values = columns.setdefault(table(name.removeprefix(TERMS)), ([], []))
                subjects.append(self.of(subject.value))
                values.append(self.of(value.value))

        for quad in doctrine.store:
            if isinstance(quad.subject, NamedNode) and isinstance(quad.object, NamedNode):
                say(quad.subject, quad.predicate, quad.object)
                for column, node in zip(triples, (quad.predicate, quad.subject, quad.object), strict=True):
                    column.append(self.of(node.value))
        cosmic = {name: set(subjects) for name, (subjects, _) in columns.items()}
        for part in planned.parts:
            for chart in planned.charts(part):
                charts.append(self.of(chart.iri))
                for triple in facts(chart):
                    if isinstance(triple.subject, NamedNode) and isinstance(triple.object, NamedNode):
                        say(triple.subject, triple.predicate, triple.object)
        self.wide = [
            name
            for name, (subjects, _) in columns.items()
            if name not in cosmic and max(Counter(subjects).values()) == 1 and set(subjects) <= set(charts)
        ]
        self._table("cosmos", {"p": triples[0], "s": triples[1], "o": triples[2]})
        for name, (subjects, values) in columns.items():
            self._table(name, {"s": subjects, "o": values})
        self._table("charts", {"s": charts})
        joined = " ".join(f'LEFT JOIN "{name}" USING (s)' for name in self.wide)
        chosen = ", ".join(f'"{name}".o AS "{name}"' for name in self.wide)
        self.base.execute(f"CREATE TABLE wide AS SELECT charts.s AS c, {chosen} FROM charts {joined}")

    def of(self, iri: str) -> int:
        """The number of a node."""
        return self.number.setdefault(iri, len(self.number))

    def _table(self, name: str, columns: dict[str, Numbers]) -> None:
        given = pyarrow.table({column: pyarrow.array(values, "int32") for column, values in columns.items()})
        self.base.register("given", given)
        self.base.execute(f'CREATE TABLE "{name}" AS SELECT * FROM given')
        self.base.unregister("given")
        self._known.add(name)

    def run(self, rules: Iterable[Rule]) -> None:
        """Run rules in their order; what they conclude is added to the tables of their heads."""
        for rule in rules:
            for atom in (*rule.atoms(), *rule.unless, rule.head):
                if not atom.is_variable and table(atom.predicate) not in self._known | {"differentFrom"}:
                    self._table(table(atom.predicate), {"s": [], "o": []})
            self.base.execute(self._insert(rule))

    def _insert(self, rule: Rule) -> str:
        """A rule as one SQL statement: its atoms joined, its head added."""
        bound: dict[str, str] = {}
        sources, conditions = ["wide w"], []
        bound["c"] = "w.c"

        def equal(argument: str, column: str) -> None:
            name = argument.removeprefix("?")
            if not argument.startswith("?") and not argument.isupper():
                conditions.append(f"{column} = {self.of(expand(argument))}")
            elif name in bound:
                conditions.append(f"{column} = {bound[name]}")
            else:
                bound[name] = column

        def arguments(atom: Atom) -> Iterable[tuple[str, str]]:
            return zip(atom.arguments, ("s", "o"), strict=False)

        for place, atom in enumerate(rule.atoms()):
            alias = f"a{place}"
            if atom.predicate == "differentFrom":
                conditions.append("{} <> {}".format(*(self._term(a, bound) for a in atom.arguments)))
            elif atom.predicate in self.wide and atom.arguments[0] == "?c":
                equal(atom.arguments[1], f'w."{atom.predicate}"')
                conditions.append(f'w."{atom.predicate}" IS NOT NULL')
            else:
                sources.append(f'"{"cosmos" if atom.is_variable else table(atom.predicate)}" {alias}')
                if atom.is_variable:
                    equal(atom.predicate, f"{alias}.p")
                for argument, column in arguments(atom):
                    equal(argument, f"{alias}.{column}")
        for atom in rule.unless:
            same = " AND ".join(f"n.{column} = {self._term(a, bound)}" for a, column in arguments(atom))
            conditions.append(f'NOT EXISTS (SELECT 1 FROM "{table(atom.predicate)}" n WHERE {same})')
        head = [self._term(argument, bound) for argument in rule.head.arguments]
        head += [str(self.of(TERMS + rule.head.predicate))] * (2 - len(head))
        return (
            f'INSERT INTO "{table(rule.head.predicate)}" SELECT DISTINCT {", ".join(head)} '
            f"FROM {', '.join(sources)} WHERE {' AND '.join(conditions) or 'true'}"
        )

    def _term(self, argument: str, bound: dict[str, str]) -> str:
        is_open = argument.startswith("?") or argument.isupper()
        return bound[argument.removeprefix("?")] if is_open else str(self.of(expand(argument)))

    def pairs(self, predicate: str) -> Pairs:
        """Which charts have which values of a property."""
        names = list(self.number)
        rows = self.base.execute(f'SELECT DISTINCT s, o FROM "{predicate}"').fetchall()
        return {(names[subject], names[value]) for subject, value in rows}


def found(store: Store, predicate: str) -> Pairs:
    """The same of a store."""
    rows: Iterable[Any] = store.quads_for_pattern(None, term(predicate), None)
    return {(quad.subject.value, quad.object.value) for quad in rows}


def main() -> int:
    """Run both and print the figures."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--days", type=int, default=len(DAYS), help="how many of the sixty days")
    parser.add_argument("--processes", type=int, default=2, help="of the census; DuckDB has two threads")
    given = parser.parse_args()
    planned = plan(days=DAYS[: given.days])
    doctrine, seconds = shared(), dict[str, float]()

    @contextmanager
    def timed(name: str) -> Any:
        start = time.perf_counter()
        yield
        seconds[name] = time.perf_counter() - start

    with tempfile.TemporaryDirectory() as room:
        with timed("sanshi, from nothing to a store (baseline)"):
            path = census.take(Path(room), planned, processes=given.processes)
        store = Store.read_only(str(path))
        ours = {predicate: found(store, predicate) for predicate in ("exhibits", "hollow")}
    with timed("DuckDB: charts cast, facts as tables"):
        tables = Tables(planned, doctrine)
    strata = {"derive": "what is derived", "judge": "what applies", "qualify": "what is hollow"}
    for stratum, name in strata.items():
        with timed(f"DuckDB: {name}"):
            tables.run(doctrine.reasoner.of(stratum, "liuren"))
    seconds["DuckDB: the rules together, the lower bound"] = sum(
        seconds[f"DuckDB: {name}"] for name in strata.values()
    )
    charts = planned.size * len(planned.parts)
    print(f"{charts} charts, {len(ours['exhibits'])} findings, {len(ours['hollow'])} of them hollow")
    whole = next(iter(seconds.values()))
    for name, taken in seconds.items():
        print(f"{name:46} {taken:8.2f} s {taken / whole:7.2f} x {charts / taken:10.0f} charts/s")
    for predicate, pairs in ours.items():
        theirs = tables.pairs(predicate)
        if pairs != theirs:
            differ = sorted(pairs ^ theirs)
            print(f"{predicate}: the two differ in {len(differ)}, as {differ[0]}", file=sys.stderr)
            return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
