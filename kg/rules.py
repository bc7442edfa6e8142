"""Rules as data: read from the graph, parsed from SWRL's human-readable syntax, compiled to SPARQL.

A body is a list of atoms. `initial(?c, ?t)` is a property atom, `VoidPlace(?t)` a class atom, `differentFrom(?a, ?b)`
says that two things differ; a name in capitals (`RELATION(?b, ?d)`, `relation(?j, RELATION)`) stands for a property that
the data names. Atoms are compiled in the order in which they are written: the chart's facts first, then relations,
and last the judgment, since the store's optimiser keeps no statistics. A form may be one of conditions (`?k`), which
several judgments share; what a chart satisfies is then concluded on the way to them.

Rules are positive. What must be absent is asserted: by the chart, which is complete, or by a rule with `shi:unless`,
whose head says in so many words that its body holds and none of the atoms named there does.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from graphlib import CycleError, TopologicalSorter

from pyoxigraph import NamedNode, Store

from kg.errors import DataError
from kg.facts import TYPE
from ontology import TERMS, expand, prefixes, shorten

STRATA = ("cosmic", "derive", "judge", "qualify")

_ATOM = re.compile(r"\s*([A-Za-z][\w]*)\(\s*([^(),]+?)\s*(?:,\s*([^(),]+?)\s*)?\)\s*(,|$)")
_TERM = re.compile(r"\?[a-z]\w*|[A-Z]+|[a-z]\w*:[\w.-]+")


@dataclass(frozen=True, slots=True)
class Atom:
    """One atom: a predicate and its one or two arguments, as written."""

    predicate: str
    arguments: tuple[str, ...]

    @property
    def is_variable(self) -> bool:
        """Whether the predicate is a variable in capitals."""
        return self.predicate.isupper()

    def variables(self) -> list[str]:
        """The variables of the atom, predicate first, without marks."""
        names = [self.predicate] if self.is_variable else []
        return names + [a.removeprefix("?") for a in self.arguments if a.startswith("?") or a.isupper()]


@dataclass(frozen=True, slots=True)
class Rule:
    """A rule of the graph. `form` is the form it implements, `art` the art whose charts it reads, if only one does.

    `unless` are atoms none of which may hold; only a rule that asserts an absence has them.
    """

    name: str
    stratum: str
    body: tuple[Atom, ...]
    head: Atom
    form: str | None = None
    art: str | None = None
    unless: tuple[Atom, ...] = ()

    @property
    def of_conditions(self) -> bool:
        """Whether its form is one of conditions (?k), which judgments share, and not of judgments (?j)."""
        return self.form is not None and "k" in self.head.variables()

    def atoms(self, topic: bool = False) -> tuple[Atom, ...]:
        """The body with the atoms that bind it to the judgments, or the conditions, of its form.

        Judgments are bound last. Conditions are bound first where the body begins with them, since those of one form
        are fewer than the things in a chart. With `topic`, only the judgments of ?topic are asked.
        """
        if self.form is not None and self.of_conditions:
            bound = Atom("form", ("?k", self.form))
            return (bound, *self.body) if "?k" in self.body[0].arguments else (*self.body, bound)
        atoms = list(self.body)
        if self.form is not None:
            atoms += [Atom("form", ("?j", self.form)), Atom("reading", ("?j", "?reading"))]
            atoms.append(Atom("chose", ("?c", "?reading")))
        if topic and "j" in self.head.variables():
            atoms.append(Atom("topic", ("?j", "?topic")))
        return tuple(atoms)

    def variables(self) -> list[str]:
        """The variables of the body, each once, in order of appearance."""
        return list(dict.fromkeys(v for atom in self.body for v in atom.variables()))


def parse_atoms(text: str, where: str) -> tuple[Atom, ...]:
    """The atoms of a body or head; `where` names the rule in errors. Raises DataError.

    >>> parse_atoms("initial(?c, ?t), VoidPlace(?t)", "doc")[1]
    Atom(predicate='VoidPlace', arguments=('?t',))
    """
    atoms: list[Atom] = []
    text, position = text.strip(), 0
    while position < len(text):
        match = _ATOM.match(text, position)
        if not match:
            raise DataError(f"{where}: cannot read an atom at {text[position : position + 30]!r}")
        arguments = tuple(a for a in match.group(2, 3) if a)
        for argument in arguments:
            if not _TERM.fullmatch(argument):
                raise DataError(
                    f"{where}: {argument!r} is neither a ?variable, a RELATION nor a prefixed name"
                )
        atoms.append(Atom(match.group(1), arguments))
        position = match.end()
    if not atoms:
        raise DataError(f"{where}: no atoms")
    if text.endswith(","):
        raise DataError(f"{where}: no atom after the last comma")
    return tuple(atoms)


def read_rules(store: Store) -> tuple[Rule, ...]:
    """All rules of a store, ordered so that what a rule needs is derived before it.

    Raises DataError, naming the rule, where one is incomplete or written twice, where it names a term or a thing
    that the ontology does not declare, where its head is not bound, and where rules of a stratum need each other.
    """
    shi = {key: NamedNode(TERMS + key) for key in ("stratum", "body", "head", "form", "art", "unless")}
    found: list[Rule] = []
    declared = store.quads_for_pattern(None, TYPE, NamedNode(TERMS + "Rule"))
    written = store.quads_for_pattern(None, shi["body"], None)
    for subject in {quad.subject for quad in (*declared, *written)}:
        if not isinstance(subject, NamedNode):
            continue
        name = shorten(subject.value)
        values: dict[str, str | None] = {}
        for key, node in shi.items():
            given = [q.object.value for q in store.quads_for_pattern(subject, node, None)]  # type: ignore[union-attr]
            if len(given) > 1:
                raise DataError(f"{name}: two rules have this name; shi:{key} is given {len(given)} times")
            values[key] = given[0] if given else None
        if values["stratum"] is None or values["head"] is None or values["body"] is None:
            raise DataError(f"{name}: a rule needs shi:stratum, shi:body and shi:head")
        head = parse_atoms(values["head"], name)
        if len(head) != 1:
            raise DataError(f"{name}: a head is one atom")
        form = shorten(values["form"]) if values["form"] else None
        stratum = values["stratum"].removeprefix(TERMS)
        art = values["art"].removeprefix(TERMS) if values["art"] else None
        unless = parse_atoms(values["unless"], name) if values["unless"] else ()
        found.append(Rule(name, stratum, parse_atoms(values["body"], name), head[0], form, art, unless))
    for rule in found:
        _check(rule, store)
    return _ordered(sorted(found, key=lambda rule: rule.name))


def _check(rule: Rule, store: Store) -> None:
    """Raises DataError where a rule cannot mean what it says."""
    if rule.stratum not in STRATA:
        raise DataError(f"{rule.name}: shi:{rule.stratum} is no stratum; give one of {', '.join(STRATA)}")
    for atom in (*rule.body, *rule.unless, rule.head):
        names = [a for a in atom.arguments if not a.startswith("?") and not a.isupper()]
        if not atom.is_variable and atom.predicate != "differentFrom":
            names.append(f"shi:{atom.predicate}")
        for name in names:
            known = name.partition(":")[0] in prefixes()
            if not known or not any(store.quads_for_pattern(NamedNode(expand(name)), None, None)):
                raise DataError(f"{rule.name}: {name} is not declared in the ontology")
    bound = {*rule.variables(), "j"} if rule.form else {*rule.variables()}
    loose = [name for name in rule.head.variables() if name not in bound]
    if loose:
        raise DataError(f"{rule.name}: no atom of the body binds {', '.join(loose)} of the head")
    unbound = [name for atom in rule.unless for name in atom.variables() if name not in bound]
    if unbound:
        raise DataError(f"{rule.name}: no atom of the body binds {', '.join(unbound)} of shi:unless")
    if rule.unless and rule.stratum == "cosmic":
        raise DataError(f"{rule.name}: a cosmic rule, which may run again, cannot say shi:unless")


def _ordered(rules: list[Rule]) -> tuple[Rule, ...]:
    """By stratum; within one, each rule after those whose heads its body uses. Raises DataError for a circle."""
    ordered: list[Rule] = []
    for stratum in STRATA:
        members = {rule.name: rule for rule in rules if rule.stratum == stratum}
        if stratum == "cosmic":  # recursive: run to a fixed point instead
            ordered += members.values()
            continue
        makers: dict[str, list[Rule]] = {}
        for rule in members.values():
            makers.setdefault(rule.head.predicate, []).append(rule)
        sorter: TopologicalSorter[str] = TopologicalSorter()
        for rule in members.values():
            needed = [
                maker.name
                for atom in (*rule.body, *rule.unless)
                for maker in makers.get(atom.predicate, ())
                if answers(maker.head, atom)
            ]
            sorter.add(rule.name, *needed)
        try:
            ordered += [members[name] for name in sorter.static_order()]
        except CycleError as error:
            circle = ", ".join(dict.fromkeys(error.args[1]))
            raise DataError(f"{circle}: only cosmic rules may need themselves or each other") from None
    return tuple(ordered)


def answers(head: Atom, atom: Atom) -> bool:
    """Whether what a head concludes can be what an atom asks: one predicate, and no constants that differ.

    >>> answers(Atom("mark", ("?t", "mark:ma")), Atom("mark", ("?p", "mark:kong")))
    False
    >>> answers(Atom("placeStage", ("?t", "STAGE")), Atom("placeStage", ("?p", "stage:09-mu")))
    True
    """
    if head.predicate != atom.predicate or len(head.arguments) != len(atom.arguments):
        return False
    pairs = zip(head.arguments, atom.arguments, strict=True)
    return all(ours == theirs or _is_open(ours) or _is_open(theirs) for ours, theirs in pairs)


def _is_open(argument: str) -> bool:
    """Whether an argument is a variable or a RELATION."""
    return argument.startswith("?") or argument.isupper()


def _node(argument: str) -> str:
    return argument if argument.startswith("?") else f"?{argument}" if argument.isupper() else argument


def pattern(atom: Atom) -> str:
    """One atom as a line of a SPARQL group.

    >>> pattern(Atom("initial", ("?c", "?t")))
    '?c shi:initial ?t .'
    """
    if atom.predicate == "differentFrom":
        return "FILTER({} != {})".format(*map(_node, atom.arguments))
    predicate = f"?{atom.predicate}" if atom.is_variable else f"shi:{atom.predicate}"
    if len(atom.arguments) == 1:
        return f"{_node(atom.arguments[0])} a {predicate} ."
    return f"{_node(atom.arguments[0])} {predicate} {_node(atom.arguments[1])} ."


def where(rule: Rule) -> str:
    """The atoms of a rule, with what must be absent, as a SPARQL group."""
    return group(rule.atoms(), rule.unless)


def group(atoms: Sequence[Atom], unless: Sequence[Atom] = ()) -> str:
    """Atoms as a SPARQL group, joined in the order in which they are written.

    LATERAL (SEP-0006) is what holds the order: left to itself the optimiser, which has no statistics, takes
    a chain of lookups for a product and scans the store instead.
    """
    lines = [pattern(atom) for atom in atoms]
    lines += [f"FILTER NOT EXISTS {{ {pattern(atom)} }}" for atom in unless]
    first, *rest = lines
    return " ".join(
        [f"{{ {first}", *(p if p.startswith("FILTER") else f"LATERAL {{ {p} }}" for p in rest), "}"]
    )


def header(*texts: str) -> str:
    """The PREFIX lines for the prefixed names that occur in the texts."""
    used = {name for text in texts for name in re.findall(r"(?<![\w<?])([a-z]\w*):(?=[\w])", text)}
    return "".join(f"PREFIX {name}: <{expand(name + ':')}>\n" for name in sorted(used & prefixes().keys()))


def select(rule: Rule) -> str:
    """The rule asked as a question: SELECT of every variable of its body and head."""
    return _select(where(rule), dict.fromkeys(rule.variables() + rule.head.variables()))


def select_parameters(rule: Rule, concluded: Collection[str]) -> tuple[list[Atom], list[str], str]:
    """What a rule of conditions asks of the data of a condition alone: atoms, variables, and the question for them.

    `concluded` are the predicates that other rules conclude of a chart.
    """
    known = ["k"]
    atoms: list[Atom] = []
    for atom in sorted(rule.atoms(), key=lambda atom: atom.predicate != "form"):
        names = atom.variables()
        if not atom.is_variable and atom.predicate not in concluded and names[:1] and names[0] in known:
            atoms.append(atom)
            known += [name for name in names if name not in known]
    return atoms, known, _select(group(atoms), known)


def _select(group: str, names: Iterable[str]) -> str:
    return f"{header(group)}SELECT {' '.join('?' + n for n in names)} WHERE {group}"
