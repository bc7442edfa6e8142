"""The check that the fast engine is right: charts, doctrine and rules as OWL and SWRL, run by HermiT.

The export holds what the rules read (facts of the charts, relations of the cosmos, parameters of the judgments) and the
rules of the strata derive, judge and qualify as `swrl:Imp`, but for those that assert an absence (`shi:unless`): what
these conclude is taken for a fact of the chart. SWRL has no predicate variables: where a rule names one
(`RELATION`), one Imp is written for each property that the data can put in its place. A property that the data also
names as a thing (`relation(?j, RELATION)`) gets an individual of its own, so that nothing is punned.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence

from pyoxigraph import BlankNode, NamedNode, Quad, QuerySolutions, RdfFormat, Store, Triple

from kg.facts import TYPE, term, thing
from kg.rdf import write
from kg.reasoner import Reasoner
from kg.rules import Atom, Rule, header, pattern
from kg.store import instances, values
from ontology import BASE, TERMS, THINGS

SWRL = "http://www.w3.org/2003/11/swrl#"
RDF = "http://www.w3.org/1999/02/22-rdf-syntax-ns#"
RDFS = "http://www.w3.org/2000/01/rdf-schema#"
OWL = "http://www.w3.org/2002/07/owl#"
ELEMENTAL = {
    "liuren": ("stem", "branch", "trine", "element"),
    "qimen": ("stem", "element", "palace", "star", "door", "spirit"),
}
"""By art, the kinds whose individuals stand in the relations of elements that its rules ask for."""

DIFFERENT = term("differentFrom")

Joined = tuple[NamedNode, tuple[NamedNode, ...]]
"""An atom as it is written: a property or class, and what it is said of."""

_NIL = NamedNode(RDF + "nil")
_VARIABLE = "urn:swrl:var#"


def individual(node: NamedNode) -> NamedNode:
    """The individual that stands for a property where the data names it as a thing.

    >>> individual(term("generates")).value
    'https://w3id.org/sanshi/id/relation/generates'
    """
    if node.value.startswith(TERMS):
        return NamedNode(THINGS + "relation/" + node.value.removeprefix(TERMS))
    if node.value.startswith(THINGS + "stage/"):
        return NamedNode(node.value.replace("/stage/", "/relation/stage-"))
    return node


def instances_of(rule: Rule, store: Store) -> Iterator[dict[str, NamedNode]]:
    """The properties that the data can put in place of the predicate variables of a rule."""
    names = sorted({v for atom in rule.body for v in atom.variables() if v.isupper()})
    if not names:
        yield {}
        return
    schema = [a for a in rule.body if any(x.isupper() for x in a.arguments)]
    lines = [pattern(atom) for atom in schema]
    if rule.form:
        lines.append(f"?{'k' if rule.of_conditions else 'j'} shi:form {rule.form} .")
    group = " ".join(lines)
    query = f"{header(group, 'shi:x')}SELECT DISTINCT {' '.join('?' + n for n in names)} WHERE {{ {group} }}"
    solutions = store.query(query)
    assert isinstance(solutions, QuerySolutions)
    found = [
        {name: node for name, node in zip(names, row, strict=True) if isinstance(node, NamedNode)}
        for row in solutions
    ]
    yield from sorted(found, key=lambda row: [row[n].value for n in names])


class Export:
    """An OWL document in the making: rules, the data they read, and some charts."""

    def __init__(
        self, reasoner: Reasoner, art: str = "liuren", rules: Collection[Rule] | None = None
    ) -> None:
        """Write rules: those given, else all of the art."""
        self.store, self.art = reasoner.store, art
        self.triples: list[Triple] = []
        of_art = [r for r in reasoner.rules if r.stratum != "cosmic" and r.art in (None, art)]
        self.rules = of_art if rules is None else list(rules)
        self._predicates: set[NamedNode] = set()
        self._classes: set[NamedNode] = set()
        self._variables: set[NamedNode] = set()
        self._joins: dict[tuple[NamedNode, int, NamedNode, int], NamedNode] = {}
        self._blank = 0
        self._absences = {term(rule.head.predicate) for rule in self.rules if rule.unless}
        for rule in self.rules:
            if rule.unless:
                of_class = len(rule.head.arguments) == 1
                (self._classes if of_class else self._predicates).add(term(rule.head.predicate))
                continue
            for bound in instances_of(rule, self.store):
                self._imp(rule, bound)
        self._data()
        if any(atom.predicate == "differentFrom" for rule in self.rules for atom in rule.body):
            self._differences()

    def add_chart(self, quads: Iterable[Quad], derived: Iterable[Quad] = ()) -> None:
        """Add the asserted facts of a chart, and of those derived what asserts an absence."""
        for quad in quads:
            self._fact(quad)
        for quad in derived:
            if (quad.object if quad.predicate == TYPE else quad.predicate) in self._absences:
                self._fact(quad)

    def n_triples(self, extra: Iterable[Triple] = ()) -> str:
        """The document, and with it what else is said."""
        declared = [Triple(NamedNode(BASE + "check"), TYPE, NamedNode(OWL + "Ontology"))]
        for nodes, kind in ((self._predicates, "ObjectProperty"), (self._classes, "Class")):
            declared += [Triple(node, TYPE, NamedNode(OWL + kind)) for node in nodes]
        declared += [Triple(node, TYPE, NamedNode(SWRL + "Variable")) for node in self._variables]
        subjects = {t.subject for t in self.triples if t.predicate in self._predicates}
        objects = {t.object for t in self.triples if t.predicate in self._predicates}
        declared += [
            Triple(node, TYPE, NamedNode(OWL + "NamedIndividual"))
            for node in subjects | objects
            if isinstance(node, NamedNode)
        ]
        return write(dict.fromkeys([*declared, *self.triples, *extra]), RdfFormat.N_TRIPLES)

    def _fact(self, quad: Quad) -> None:
        subject, predicate, value = quad.subject, quad.predicate, quad.object
        if not isinstance(subject, NamedNode) or not isinstance(value, NamedNode):
            return
        if predicate == TYPE:
            if value in self._classes:
                self.triples.append(Triple(individual(subject), TYPE, value))
        elif predicate in self._predicates:
            self.triples.append(Triple(individual(subject), predicate, individual(value)))

    def _data(self) -> None:
        """The facts of the doctrine that some rule reads."""
        idle = self._idle()
        asked = tuple(f"{THINGS}{kind}/" for kind in ELEMENTAL[self.art])
        elemental = {term(n) for n in ("generates", "generatedBy", "controls", "controlledBy", "sameElement")}
        for predicate in self._predicates:
            for quad in self.store.quads_for_pattern(None, predicate, None):
                ends = [getattr(end, "value", "") for end in (quad.subject, quad.object)]
                if quad.subject in idle:
                    continue
                if predicate in elemental and not all(end.startswith(asked) for end in ends):
                    continue
                self._fact(quad)
        for cls in self._classes:
            for quad in self.store.quads_for_pattern(None, TYPE, cls):
                self._fact(quad)

    def _differences(self) -> None:
        """Which things the ontology says are all different; OWL does not take that from their names."""
        store, first, rest = self.store, NamedNode(RDF + "first"), NamedNode(RDF + "rest")
        for quad in store.quads_for_pattern(None, NamedNode(OWL + "distinctMembers"), None):
            members, cell = [], quad.object
            while isinstance(cell, BlankNode):
                (item,) = (q.object for q in store.quads_for_pattern(cell, first, None))
                (following,) = (q.object for q in store.quads_for_pattern(cell, rest, None))
                if isinstance(item, NamedNode):
                    members.append(individual(item))
                cell = following
            for place, one in enumerate(members):
                self.triples += [
                    Triple(one, NamedNode(OWL + "differentFrom"), other) for other in members[:place]
                ]

    def _idle(self) -> set[NamedNode | BlankNode | Triple]:
        """What no rule of the art judges: passages, definitions and the like, statements of the other art, rules."""
        store = self.store
        treatises = {q.subject for q in store.quads_for_pattern(None, term("art"), term(self.art))}
        headings = {
            quad.subject
            for quad in store.quads_for_pattern(None, term("treatise"), None)
            if quad.object in treatises
        }
        judged = {
            node
            for node in instances(store, "Judgment", "Caveat")
            for name in ("pattern", "topic", "hollows")
            if headings.intersection(values(store, node, name))
        }
        said = {
            quad.subject
            for name in ("passage", "baseText", "body")
            for quad in store.quads_for_pattern(None, term(name), None)
        }
        return said - judged

    def _new(self) -> BlankNode:
        self._blank += 1
        return BlankNode(f"r{self._blank}")

    def _imp(self, rule: Rule, bound: dict[str, NamedNode]) -> None:
        head = self._joined(rule.head, bound)
        body = [self._joined(atom, bound) for atom in rule.atoms()]
        if rule.stratum != "derive":
            body = self._folded(dict.fromkeys(body), head)
        self._write(body, head)

    def _joined(self, atom: Atom, bound: dict[str, NamedNode]) -> Joined:
        predicate = bound[atom.predicate] if atom.is_variable else term(atom.predicate)
        return predicate, tuple(self._argument(argument, bound) for argument in atom.arguments)

    def _folded(self, body: Iterable[Joined], head: Joined) -> list[Joined]:
        """A body in which two atoms that a variable joins, which joins nothing else, are one of a property of their own.

        HermiT is lost in long bodies: it joins any two facts of a chart before it looks at what they have in common.
        """
        atoms = list(body)
        while found := _chained(atoms, head):
            variable, one, other = found
            ends = [next(a for a in atom[1] if a != variable) for atom in (one, other)]
            key = (one[0], one[1].index(variable), other[0], other[1].index(variable))
            if key not in self._joins:
                self._joins[key] = NamedNode(f"{THINGS}join/{len(self._joins) + 1}")
                self._write([one, other], (self._joins[key], (ends[0], ends[1])))
            atoms = [atom for atom in atoms if atom not in (one, other)]
            atoms.append((self._joins[key], (ends[0], ends[1])))
        return atoms

    def _write(self, body: Iterable[Joined], head: Joined) -> None:
        node = self._new()
        self.triples.append(Triple(node, TYPE, NamedNode(SWRL + "Imp")))
        for part, atoms in (("body", body), ("head", [head])):
            self.triples.append(
                Triple(node, NamedNode(SWRL + part), self._list([self._atom(atom) for atom in atoms]))
            )

    def _list(self, items: list[BlankNode]) -> BlankNode | NamedNode:
        head: BlankNode | NamedNode = _NIL
        for item in reversed(items):
            cell = self._new()
            self.triples += [
                Triple(cell, TYPE, NamedNode(SWRL + "AtomList")),
                Triple(cell, NamedNode(RDF + "first"), item),
                Triple(cell, NamedNode(RDF + "rest"), head),
            ]
            head = cell
        return head

    def _atom(self, atom: Joined) -> BlankNode:
        node = self._new()
        predicate, arguments = atom
        if len(arguments) == 1:
            kind, extra = "ClassAtom", "classPredicate"
            self._classes.add(predicate)
        elif predicate == DIFFERENT:
            kind, extra = "DifferentIndividualsAtom", ""
        else:
            kind, extra = "IndividualPropertyAtom", "propertyPredicate"
            self._predicates.add(predicate)
        self.triples.append(Triple(node, TYPE, NamedNode(SWRL + kind)))
        if extra:
            self.triples.append(Triple(node, NamedNode(SWRL + extra), predicate))
        for number, argument in enumerate(arguments, 1):
            self.triples.append(Triple(node, NamedNode(f"{SWRL}argument{number}"), argument))
        return node

    def _argument(self, argument: str, bound: dict[str, NamedNode]) -> NamedNode:
        if argument.isupper():
            return individual(bound[argument])
        if argument.startswith("?"):
            variable = NamedNode(_VARIABLE + argument[1:])
            self._variables.add(variable)
            return variable
        return individual(thing(argument))


def _chained(atoms: Sequence[Joined], head: Joined) -> tuple[NamedNode, Joined, Joined] | None:
    """A variable that joins two atoms of properties and stands in no other, nor in the head; and these."""
    for variable in dict.fromkeys(a for _, arguments in atoms for a in arguments):
        readers = [atom for atom in atoms if variable in atom[1]]
        if len(readers) == 2 and variable.value.startswith(_VARIABLE) and variable not in head[1]:
            ends = {a for _, arguments in readers for a in arguments} - {variable}
            binary = all(len(arguments) == 2 and predicate != DIFFERENT for predicate, arguments in readers)
            if binary and len(ends) == 2 and all(end.value.startswith(_VARIABLE) for end in ends):
                return variable, readers[0], readers[1]
    return None
