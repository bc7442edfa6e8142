"""Whether HermiT draws from an export exactly the facts that are claimed, by two tests of consistency.

To list what a reasoner infers it must be asked for every property and every individual; whether it infers some facts
and no others is two questions. That it infers no others: each subject is said to have under a property the values
claimed and none else, which an inference beyond them contradicts. That it infers all: the claims are strung on a
chain along which a class passes from each claim that is met to the next, and its end is denied; if all are met, that
is a contradiction.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable
from pathlib import Path

from pyoxigraph import BlankNode, NamedNode, Triple

from kg.errors import DataError
from kg.facts import TYPE, term
from kg.owl import OWL, RDF, SWRL, Export, cohere, individual
from ontology import THINGS

Claim = tuple[str, str, str]
"""(property by its local name, subject, object)."""

_CLAIM = THINGS + "claim/"


def infers_no_other(
    export: Export, claims: Iterable[Claim], subjects: Collection[str], workspace: Path
) -> bool:
    """Whether of the properties of the claims HermiT infers for these subjects no value beyond those claimed."""
    values: dict[tuple[str, str], list[NamedNode]] = defaultdict(list)
    properties = set()
    for name, subject, value in claims:
        values[subject, name].append(individual(NamedNode(value)))
        properties.add(name)
    extra: list[Triple] = []
    for subject in sorted(subjects):
        for name in sorted(properties):
            restriction, claimed = BlankNode(), values.get((subject, name))
            extra += [
                Triple(NamedNode(subject), TYPE, restriction),
                Triple(restriction, TYPE, NamedNode(OWL + "Restriction")),
                Triple(restriction, NamedNode(OWL + "onProperty"), term(name)),
            ]
            if claimed:
                enumerated = BlankNode()
                cells, head = _list(claimed)
                extra += [
                    Triple(restriction, NamedNode(OWL + "allValuesFrom"), enumerated),
                    Triple(enumerated, TYPE, NamedNode(OWL + "Class")),
                    Triple(enumerated, NamedNode(OWL + "oneOf"), head),
                    *cells,
                ]
            else:
                extra.append(
                    Triple(restriction, NamedNode(OWL + "allValuesFrom"), NamedNode(OWL + "Nothing"))
                )
    return _consistent(export, extra, workspace)


def infers_all(export: Export, claims: Iterable[Claim], workspace: Path) -> bool:
    """Whether HermiT infers every fact that is claimed."""
    ordered = sorted(set(claims))
    about, of, following = (NamedNode(_CLAIM + name) for name in ("about", "of", "following"))
    met, so_far = NamedNode(_CLAIM + "Met"), NamedNode(_CLAIM + "MetSoFar")
    kinds = {name: NamedNode(f"{_CLAIM}On-{name}") for name, _, _ in ordered}
    extra = [Triple(node, TYPE, NamedNode(OWL + "ObjectProperty")) for node in (about, of, following)]
    extra += [Triple(node, TYPE, NamedNode(OWL + "Class")) for node in (met, so_far, *kinds.values())]
    nodes = [NamedNode(f"{_CLAIM}{number}") for number in range(len(ordered) + 1)]
    extra += [Triple(node, TYPE, NamedNode(OWL + "NamedIndividual")) for node in nodes]
    extra.append(Triple(nodes[0], TYPE, so_far))
    for before, node, (name, subject, value) in zip(nodes, nodes[1:], ordered, strict=False):
        extra += [
            Triple(node, TYPE, kinds[name]),
            Triple(node, about, NamedNode(subject)),
            Triple(node, of, individual(NamedNode(value))),
            Triple(before, following, node),
        ]
    for name, kind in kinds.items():
        body = [
            _class(kind, "e"),
            _property(about, "e", "s"),
            _property(of, "e", "v"),
            _property(term(name), "s", "v"),
        ]
        extra += _imp(body, _class(met, "e"))
    extra += _imp(
        [_class(so_far, "a"), _property(following, "a", "b"), _class(met, "b")], _class(so_far, "b")
    )
    denied = BlankNode()
    extra += [
        Triple(denied, TYPE, NamedNode(OWL + "Class")),
        Triple(denied, NamedNode(OWL + "complementOf"), so_far),
        Triple(nodes[-1], TYPE, denied),
    ]
    return not _consistent(export, extra, workspace)


def _consistent(export: Export, extra: list[Triple], workspace: Path) -> bool:
    kept = export.triples
    export.triples = kept + extra
    try:
        cohere(export.n_triples(), workspace)
    except DataError as error:
        if "inconsistent" not in str(error):
            raise
        return False
    finally:
        export.triples = kept
    return True


_Atom = tuple[BlankNode, list[Triple]]


def _variable(name: str) -> NamedNode:
    return NamedNode("urn:swrl:var#" + name)


def _class(cls: NamedNode, name: str) -> _Atom:
    node = BlankNode()
    return node, [
        Triple(_variable(name), TYPE, NamedNode(SWRL + "Variable")),
        Triple(node, TYPE, NamedNode(SWRL + "ClassAtom")),
        Triple(node, NamedNode(SWRL + "classPredicate"), cls),
        Triple(node, NamedNode(SWRL + "argument1"), _variable(name)),
    ]


def _property(predicate: NamedNode, one: str, other: str) -> _Atom:
    node = BlankNode()
    return node, [
        *(Triple(_variable(name), TYPE, NamedNode(SWRL + "Variable")) for name in (one, other)),
        Triple(node, TYPE, NamedNode(SWRL + "IndividualPropertyAtom")),
        Triple(node, NamedNode(SWRL + "propertyPredicate"), predicate),
        Triple(node, NamedNode(SWRL + "argument1"), _variable(one)),
        Triple(node, NamedNode(SWRL + "argument2"), _variable(other)),
    ]


def _imp(body: list[_Atom], head: _Atom) -> list[Triple]:
    node = BlankNode()
    out = [Triple(node, TYPE, NamedNode(SWRL + "Imp"))]
    for part, atoms in (("body", body), ("head", [head])):
        cells, first = _list([atom for atom, _ in atoms])
        typed = [
            Triple(t.subject, TYPE, NamedNode(SWRL + "AtomList")) for t in cells if t.predicate == _FIRST
        ]
        out += [Triple(node, NamedNode(SWRL + part), first), *cells, *typed]
        out += [triple for _, triples in atoms for triple in triples]
    return out


_FIRST, _REST = NamedNode(RDF + "first"), NamedNode(RDF + "rest")


def _list(items: Iterable[NamedNode | BlankNode]) -> tuple[list[Triple], BlankNode | NamedNode]:
    """An RDF list: its triples and its head."""
    head: BlankNode | NamedNode = NamedNode(RDF + "nil")
    out = []
    for item in reversed(list(items)):
        cell = BlankNode()
        out += [Triple(cell, _FIRST, item), Triple(cell, _REST, head)]
        head = cell
    return out, head
