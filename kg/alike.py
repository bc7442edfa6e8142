"""Judge many charts at once: charts that are alike in all that a rule reads are judged by it once.

A rule reads, through the rules that derive what it needs, some facts of a chart and not others: what 初傳生干 says
hangs on the initial and the day stem alone. So the charts fall into few classes for it (112 among 17,280), the rule is
run over one chart of each class, and what it finds holds for all. Rules that read the same facts are run together, all
new classes at once, in a store beside the doctrine that holds those facts and no others. What was found of a class is
kept, so that a census gets cheaper as it goes on.

The places of a chart, which most of its facts are about, are shared too: charts with the same facts of places, asserted
and derived, are given the same places (a *ground*).
"""

from __future__ import annotations

from collections.abc import Collection, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from operator import itemgetter

from pyoxigraph import NamedNode, Quad, QuerySolutions, RdfFormat, Store

from kg.errors import DataError
from kg.facts import TYPE, Chart, term, thing
from kg.features import GROUND, SELF, Features, asserted, features, read_by
from kg.reasoner import Reasoner, answers
from kg.rules import Atom, Rule, header, pattern, where
from kg.store import instances

_DOCTRINE = NamedNode("urn:sanshi:doctrine")
_GRAPH = NamedNode("urn:sanshi:facts:")
_CHART, _PARTS = "urn:sanshi:chart:", "urn:sanshi:parts:"
"""What the names begin with under which facts of charts are asserted."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """What is found in one chart: the judgments it exhibits and those of them that are hollow."""

    exhibits: set[str] = field(default_factory=set)
    hollow: set[str] = field(default_factory=set)


def reads(rule: Rule, reasoner: Reasoner, art: str) -> tuple[frozenset[str], frozenset[str]]:
    """The names of the facts that a rule reads, through all rules that derive what it needs; and these rules.

    Where an atom says that a thing is of a class of the doctrine, such as `MonthMark(?m)`, a rule that concludes
    of another thing is none of those needed.

    >>> from kg.findings import shared
    >>> reasoner = shared().reasoner
    >>> rule = next(rule for rule in reasoner.rules if rule.name == "rule:kin-void")
    >>> names, needed = reads(rule, reasoner, "liuren")
    >>> "chose void" in names, "chose stages" in names, "rule:void-itself" in needed
    (True, False, True)
    """
    rules = _deriving(reasoner, art)
    derived = {other.head.predicate for other in rules}
    names, needed, waiting = set[str](), set[str](), [rule]
    while waiting:
        reader = waiting.pop()
        names |= {name for atom in (*reader.body, *reader.unless) for name in read_by(atom, art)}
        if reader.form and not reader.of_conditions:
            names.add("chose reading")
        for other in rules:
            if other.name in needed:
                continue
            for atom in (*reader.body, *reader.unless):
                if answers(other.head, atom) and _fits(other.head, atom, reader, derived, reasoner.store):
                    needed.add(other.name)
                    waiting.append(other)
                    break
    return frozenset(names), frozenset(needed)


def _deriving(reasoner: Reasoner, art: str) -> list[Rule]:
    """The rules that conclude what others read, in order."""
    return [*reasoner.of("derive", art), *reasoner.leading(art)]


def _fits(head: Atom, atom: Atom, reader: Rule, derived: Collection[str], store: Store) -> bool:
    """Whether the things that a head names are of the classes that the reader asks of them."""
    for ours, theirs in zip(head.arguments, atom.arguments, strict=True):
        if ours.startswith("?") or ours.isupper() or not theirs.startswith("?"):
            continue
        for other in reader.body:
            is_class = (
                other.arguments == (theirs,) and not other.is_variable and other.predicate not in derived
            )
            if is_class and Quad(thing(ours), TYPE, term(other.predicate)) not in store:
                return False
    return True


@dataclass(frozen=True, slots=True)
class _Group:
    """Rules that read the same facts of a chart: what derives these further, what is asked, and what was found.

    What was found of a class of charts, judgments and caveats, stands under the values of the features named. Without
    those wanted no rule of the group holds; those that are shaping are read where something is derived of the parts
    of a chart.
    """

    names: tuple[str, ...]
    wanted: tuple[str, ...]
    shaping: tuple[str, ...]
    derive: tuple[str, ...]
    ask: tuple[tuple[str, bool], ...]
    known: dict[Hashable, tuple[frozenset[str], frozenset[str]]] = field(default_factory=dict)


class Judge:
    """The rules of an art sorted by what they read, ready for many charts. The store of the reasoner is only read."""

    def __init__(self, reasoner: Reasoner, art: str = "liuren") -> None:
        self._store, self._batches = Store(), 0
        self._store.bulk_extend(
            Quad(quad.subject, quad.predicate, quad.object, _DOCTRINE)
            for quad in reasoner.store
            if isinstance(quad.object, NamedNode)
        )
        self._art = art
        self._derive = _deriving(reasoner, art)
        self._shaping = {
            rule.name: reads(rule, reasoner, art)[0] if rule.head.arguments[0] != "?c" else frozenset()
            for rule in self._derive
        }
        qualify = reasoner.of("qualify", art)
        caveats = [rule for rule in qualify if rule.head.predicate == "caveated"]
        judging = [rule for rule in reasoner.of("judge", art) if rule.head.predicate == "exhibits"]
        self._read = [(rule, *reads(rule, reasoner, art)) for rule in (*judging, *caveats)]
        self._hollowed = self._hollows([rule for rule in qualify if rule.head.predicate == "hollow"])
        self._grouped: dict[frozenset[str], list[_Group]] = {}
        self._texts: dict[tuple[str, Hashable], tuple[str, str]] = {}

    def __call__(self, charts: Iterable[Chart]) -> dict[str, Verdict]:
        """The verdict on each chart, by its IRI."""
        rows = [(chart, features(chart)) for chart in charts]
        if not rows:
            return {}
        names = frozenset(name for _, found in rows for name in found)
        rows = [
            (chart, found if len(found) == len(names) else {**dict.fromkeys(names), **found})
            for chart, found in rows
        ]
        verdicts = [Verdict() for _ in rows]
        met: list[frozenset[str]] = [frozenset()] * len(rows)
        for group in self._groups(names):
            key_of = itemgetter(*group.names)
            keys = [key_of(found) for _, found in rows]
            new = {key: row for key, row in zip(keys, rows, strict=True) if key not in group.known}
            if new:
                self._judge(group, new)
            for number, key in enumerate(keys):
                judgments, caveats = group.known[key]
                if judgments:
                    verdicts[number].exhibits.update(judgments)
                if caveats:
                    met[number] |= caveats
        for verdict, caveats in zip(verdicts, met, strict=True):
            for caveat in caveats:
                verdict.hollow.update(verdict.exhibits & self._hollowed.get(caveat, frozenset()))
        return {chart.iri: verdict for (chart, _), verdict in zip(rows, verdicts, strict=True)}

    def _groups(self, asserted: frozenset[str]) -> list[_Group]:
        """The rules grouped by which of the asserted properties and classes they read."""
        if asserted not in self._grouped:
            together: dict[frozenset[str], list[tuple[Rule, frozenset[str]]]] = {}
            for rule, names, needed in self._read:
                together.setdefault(names & asserted, []).append((rule, needed))
            self._grouped[asserted] = [self._group(names, rules) for names, rules in together.items()]
        return self._grouped[asserted]

    def _group(self, names: frozenset[str], rules: Sequence[tuple[Rule, frozenset[str]]]) -> _Group:
        derive = [rule for rule in self._derive if any(rule.name in needed for _, needed in rules)]
        shaping = {name for rule in derive for name in self._shaping[rule.name]} & names
        bodies = [
            {name for atom in rule.body if atom.arguments[0] == "?c" for name in read_by(atom, self._art)}
            for rule, _ in rules
        ]
        return _Group(
            tuple(sorted(names)),
            tuple(sorted(names.intersection(*bodies))),
            tuple(sorted(shaping)),
            tuple(_insert(rule) for rule in derive),
            tuple((_select(rule), rule.head.predicate == "caveated") for rule, _ in rules),
        )

    def _judge(self, group: _Group, classes: Mapping[Hashable, tuple[Chart, Features]]) -> None:
        """Find what the rules of a group find in one chart of each class."""
        found: list[tuple[set[str], set[str]]] = [(set(), set()) for _ in classes]
        graph = self._assert(self._facts(group, classes.values()))
        for update in group.derive:
            self._store.update(update.replace(_GRAPH.value, graph.value))
        for query, caveated in group.ask:
            for number, node in self._ask(query, graph):
                found[number][caveated].add(node)
        for key, (judgments, caveats) in zip(classes, found, strict=True):
            group.known[key] = frozenset(judgments), frozenset(caveats)

    def _facts(self, group: _Group, rows: Iterable[tuple[Chart, Features]]) -> Iterator[str]:
        """The facts of charts that a group reads; those of parts that charts share are given once."""
        grounds: dict[Hashable, str] = {}
        for number, (chart, found) in enumerate(rows):
            if any(self._text(name, chart, found) == ("", "") for name in group.wanted):
                continue
            texts = [self._text(name, chart, found) for name in group.names]
            parts = "".join(text for _, text in texts)
            key = parts, *(found[name] for name in group.shaping)
            ground = grounds.get(key)
            if ground is None:
                ground = grounds[key] = f"{_PARTS}{self._batches}-{len(grounds)}/"
                yield parts.replace(GROUND, ground)
            own = "".join(text for text, _ in texts)
            yield own.replace(SELF, f"{_CHART}{self._batches}-{number}").replace(GROUND, ground)

    def _text(self, name: str, chart: Chart, found: Features) -> tuple[str, str]:
        """The facts of a chart under a property or class, those of its own and those of its parts."""
        key = name, found[name]
        if key not in self._texts:
            written = asserted(chart)
            self._texts |= {(other, found[other]): written.get(other, ("", "")) for other in found}
        return self._texts[key]

    def _assert(self, lines: Iterable[str]) -> NamedNode:
        """A new graph of the store with facts of charts. It stays: the store would not let go of what is taken out."""
        graph = NamedNode(f"{_GRAPH.value}{self._batches}")
        self._store.load("".join(lines).encode(), RdfFormat.N_TRIPLES, to_graph=graph)
        self._batches += 1
        return graph

    def _ask(self, query: str, graph: NamedNode) -> Iterator[tuple[int, str]]:
        """The numbers of charts, and what is found in each."""
        solutions = self._store.query(query, default_graph=[_DOCTRINE, graph])
        assert isinstance(solutions, QuerySolutions)
        for chart, node in solutions:
            assert isinstance(chart, NamedNode) and isinstance(node, NamedNode)
            yield int(chart.value.rpartition("-")[2]), node.value

    def _hollows(self, rules: Sequence[Rule]) -> dict[str, frozenset[str]]:
        """What each caveat hollows: a rule that hollows reads one judgment and one caveat, so that each pair is asked."""
        for rule in rules:
            read = sorted(atom.predicate for atom in rule.body if "?c" in atom.arguments)
            if read != ["caveated", "exhibits"] or rule.unless:
                raise DataError(
                    f"{rule.name}: to judge many charts, it may read one judgment and one caveat alone"
                )
        caveats = instances(self._store, "Caveat")
        every = "".join(f"<{SELF}> {term('exhibits')} {j} .\n" for j in instances(self._store, "Judgment"))
        text = [
            (every + f"<{SELF}> {term('caveated')} {caveat} .\n").replace(
                SELF, f"{_CHART}{self._batches}-{number}"
            )
            for number, caveat in enumerate(caveats)
        ]
        hollow: list[set[str]] = [set() for _ in caveats]
        graph = self._assert(text)
        for rule in rules:
            for number, judgment in self._ask(_select(rule), graph):
                hollow[number].add(judgment)
        return {caveat.value: frozenset(found) for caveat, found in zip(caveats, hollow, strict=True)}


def _insert(rule: Rule) -> str:
    """A rule as an update that adds what it concludes to the facts of the charts."""
    group, head = where(rule), pattern(rule.head)
    return (
        f"{header(group, head)}INSERT {{ GRAPH {_GRAPH} {{ {head} }} }} "
        f"USING {_DOCTRINE} USING {_GRAPH} WHERE {group}"
    )


def _select(rule: Rule) -> str:
    """A rule as a question: in which charts does what hold?"""
    group = where(rule)
    return f"{header(group)}SELECT DISTINCT ?c ?j WHERE {group}"
