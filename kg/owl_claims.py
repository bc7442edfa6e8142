"""Whether HermiT draws from an export exactly the facts that are claimed, by two tests of consistency.

To list what a reasoner infers it must be asked for every property and every individual; whether it infers some facts
and no others is two questions. That it infers no others: every other value is denied to each subject, which an inference
beyond them contradicts. That it infers all: the claims are strung on a chain along which a class passes from each claim
that is met to the next, and its end is denied; if all are met, that is a contradiction.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable
from pathlib import Path

from pyoxigraph import BlankNode, NamedNode, Triple

from kg.errors import DataError
from kg.facts import TYPE, term
from kg.hermit import cohere
from kg.owl import OWL, SWRL, Export, Joined, imp, individual, variable
from ontology import THINGS

Claim = tuple[str, str, str]
"""(property by its local name, subject, object)."""

_CLAIM = THINGS + "claim/"


def infers_no_other(
    export: Export, claims: Iterable[Claim], subjects: Collection[str], workspace: Path
) -> bool:
    """Whether of the properties of the claims HermiT infers for these subjects no value beyond those claimed.

    The values asked about are all things of the export that are of a kind with those claimed under the property.
    """
    claimed = {(name, NamedNode(subject), individual(NamedNode(value))) for name, subject, value in claims}
    kinds: dict[str, set[str]] = defaultdict(set)
    for name, _, value in claimed:
        kinds[name].add(_kind(value))
    things = {
        end
        for triple in export.triples
        for end in (triple.subject, triple.object)
        if isinstance(end, NamedNode) and end.value.startswith(THINGS)
    }
    extra: list[Triple] = []
    for name, of in sorted(kinds.items()):
        denied = NamedNode(f"{_CLAIM}denied-{name}")
        extra.append(Triple(denied, TYPE, NamedNode(OWL + "ObjectProperty")))
        extra += _said(
            [_of(term(name), "s", "v"), _of(denied, "s", "v")],
            _of(NamedNode(OWL + "Nothing"), "s"),
        )
        values = sorted({v for v in things if _kind(v) in of}, key=str)
        extra += [
            Triple(NamedNode(subject), denied, value)
            for subject in sorted(subjects)
            for value in values
            if (name, NamedNode(subject), value) not in claimed
        ]
    return _consistent(export, extra, workspace)


def _kind(node: NamedNode) -> str:
    return node.value.removeprefix(THINGS).partition("/")[0]


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
            _of(kind, "e"),
            _of(about, "e", "s"),
            _of(of, "e", "v"),
            _of(term(name), "s", "v"),
        ]
        extra += _said(body, _of(met, "e"))
    extra += _said([_of(so_far, "a"), _of(following, "a", "b"), _of(met, "b")], _of(so_far, "b"))
    denied = BlankNode()
    extra += [
        Triple(denied, TYPE, NamedNode(OWL + "Class")),
        Triple(denied, NamedNode(OWL + "complementOf"), so_far),
        Triple(nodes[-1], TYPE, denied),
    ]
    return not _consistent(export, extra, workspace)


def _consistent(export: Export, extra: list[Triple], workspace: Path) -> bool:
    try:
        cohere(export.n_triples(extra), workspace)
    except DataError as error:
        if "inconsistent" not in str(error):
            raise
        return False
    return True


def _of(predicate: NamedNode, *names: str) -> Joined:
    return predicate, tuple(variable(name) for name in names)


def _said(body: list[Joined], head: Joined) -> list[Triple]:
    """A rule, and that its variables are such."""
    names = {argument for _, arguments in (*body, head) for argument in arguments}
    return [*(Triple(name, TYPE, NamedNode(SWRL + "Variable")) for name in names), *imp(body, head)]
