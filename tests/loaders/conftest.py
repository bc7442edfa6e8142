"""What the tests of the loaders share: the samples, a store, and the lines of a store in order."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from pyoxigraph import Literal, NamedNode, Store

from kg.facts import TYPE, term
from ontology import expand

Line = dict[str, str]


@pytest.fixture(scope="session")
def samples() -> Path:
    return Path(__file__).parents[1] / "data" / "samples"


@pytest.fixture
def store() -> Store:
    return Store()


@pytest.fixture(scope="session")
def lines_of() -> Callable[[Store, str, str], list[Line]]:
    """The lines of a file of a work, in order: each as its properties by local name, and its IRI."""

    def read(store: Store, work: str, file: str) -> list[Line]:
        node = NamedNode(f"{expand('work:')}{work}/file/{file}")
        found: list[Line] = []
        for part in store.quads_for_pattern(None, term("partOf"), node):
            if not list(store.quads_for_pattern(part.subject, TYPE, term("Line"))):
                continue
            line: Line = {"iri": str(part.subject)[1:-1]}
            for quad in store.quads_for_pattern(part.subject, None, None):
                name = quad.predicate.value.rpartition("#")[2]
                if isinstance(quad.object, Literal):
                    line[name] = quad.object.value
                    line[f"{name}@"] = quad.object.language or ""
            found.append(line)
        return sorted(found, key=lambda line: int(line["ordinal"]))

    return read
