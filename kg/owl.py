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

_FIRST, _REST, _NIL = (NamedNode(RDF + name) for name in ("first", "rest", "nil"))
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
        store = self.store
        for quad in store.quads_for_pattern(None, NamedNode(OWL + "distinctMembers"), None):
            members, cell = [], quad.object
            while isinstance(cell, BlankNode):
                (item,) = (q.object for q in store.quads_for_pattern(cell, _FIRST, None))
                (following,) = (q.object for q in store.quads_for_pattern(cell, _REST, None))
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

    def _imp(self, rule: Rule, bound: dict[str, NamedNode]) -> None:
        head = self._joined(rule.head, bound)
        body = [self._joined(atom, bound) for atom in rule.atoms()]
        self._write(body if rule.stratum == "derive" else self._folded(body, head), head)

    def _joined(self, atom: Atom, bound: dict[str, NamedNode]) -> Joined:
        predicate = bound[atom.predicate] if atom.is_variable else term(atom.predicate)
        return predicate, tuple(self._argument(argument, bound) for argument in atom.arguments)

    def _folded(self, body: Iterable[Joined], head: Joined) -> list[Joined]:
        """A body in which two atoms that a variable joins, which joins nothing else, are one of a property of their own.

        HermiT is lost in long bodies: it joins any two facts of a chart before it looks at what they have in common.
        """
        atoms = list(dict.fromkeys(body))
        while found := _chained(atoms, head):
            shared, one, other = found
            ends = [next(a for a in atom[1] if a != shared) for atom in (one, other)]
            key = (one[0], one[1].index(shared), other[0], other[1].index(shared))
            if key not in self._joins:
                self._joins[key] = NamedNode(f"{THINGS}join/{len(self._joins) + 1}")
                self._write([one, other], (self._joins[key], (ends[0], ends[1])))
            atoms = [atom for atom in atoms if atom not in (one, other)]
            atoms.append((self._joins[key], (ends[0], ends[1])))
        return atoms

    def _write(self, body: Collection[Joined], head: Joined) -> None:
        for predicate, arguments in (*body, head):
            if predicate != DIFFERENT:
                (self._classes if len(arguments) == 1 else self._predicates).add(predicate)
        self.triples += imp(body, head)

    def _argument(self, argument: str, bound: dict[str, NamedNode]) -> NamedNode:
        if argument.isupper():
            return individual(bound[argument])
        if argument.startswith("?"):
            self._variables.add(variable(argument[1:]))
            return variable(argument[1:])
        return individual(thing(argument))


def variable(name: str) -> NamedNode:
    """The variable of a name in the rules of a document."""
    return NamedNode(_VARIABLE + name)


def imp(body: Iterable[Joined], head: Joined) -> list[Triple]:
    """A rule as `swrl:Imp`; its variables, properties and classes are declared elsewhere."""
    node = BlankNode()
    out = [Triple(node, TYPE, NamedNode(SWRL + "Imp"))]
    for part, atoms in (("body", body), ("head", [head])):
        nodes = []
        for atom in atoms:
            nodes.append(BlankNode())
            out += _atom(nodes[-1], atom)
        cells, first = listed(nodes)
        typed = [
            Triple(t.subject, TYPE, NamedNode(SWRL + "AtomList")) for t in cells if t.predicate == _FIRST
        ]
        out += [Triple(node, NamedNode(SWRL + part), first), *cells, *typed]
    return out


def listed(items: Iterable[NamedNode | BlankNode]) -> tuple[list[Triple], BlankNode | NamedNode]:
    """An RDF list: its triples and its head."""
    head: BlankNode | NamedNode = _NIL
    out = []
    for item in reversed(list(items)):
        cell = BlankNode()
        out += [Triple(cell, _FIRST, item), Triple(cell, _REST, head)]
        head = cell
    return out, head


def _atom(node: BlankNode, atom: Joined) -> list[Triple]:
    predicate, arguments = atom
    if len(arguments) == 1:
        kind, extra = "ClassAtom", "classPredicate"
    elif predicate == DIFFERENT:
        kind, extra = "DifferentIndividualsAtom", ""
    else:
        kind, extra = "IndividualPropertyAtom", "propertyPredicate"
    out = [Triple(node, TYPE, NamedNode(SWRL + kind))]
    if extra:
        out.append(Triple(node, NamedNode(SWRL + extra), predicate))
    return out + [
        Triple(node, NamedNode(f"{SWRL}argument{number}"), argument)
        for number, argument in enumerate(arguments, 1)
    ]


def _chained(atoms: Sequence[Joined], head: Joined) -> tuple[NamedNode, Joined, Joined] | None:
    """A variable that joins two atoms of properties and stands in no other, nor in the head; and these."""
    for shared in dict.fromkeys(a for _, arguments in atoms for a in arguments):
        readers = [atom for atom in atoms if shared in atom[1]]
        if len(readers) == 2 and shared.value.startswith(_VARIABLE) and shared not in head[1]:
            ends = {a for _, arguments in readers for a in arguments} - {shared}
            binary = all(len(arguments) == 2 and predicate != DIFFERENT for predicate, arguments in readers)
            if binary and len(ends) == 2 and all(end.value.startswith(_VARIABLE) for end in ends):
                return shared, readers[0], readers[1]
    return None
