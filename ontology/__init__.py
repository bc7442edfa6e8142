"""What exists, as OWL: the cosmos, the two arts, the forms and rules, the schools, the shapes.

Only Turtle lives here, and this loader. One entrance: `files()` names the modules to load; `PREFIXES`,
`expand` and `shorten` go between `shi:generates` and its IRI.
"""

from __future__ import annotations

import functools
from pathlib import Path

from pyoxigraph import RdfFormat, parse

HERE = Path(__file__).parent

BASE = "https://w3id.org/sanshi/"
TERMS = BASE + "ontology#"
THINGS = BASE + "id/"


def files() -> list[Path]:
    """The Turtle modules of the ontology, sorted; the SHACL shapes and the prefixes are not among them.

    >>> "cosmos.ttl" in {path.name for path in files()}
    True
    """
    return sorted(path for path in HERE.glob("*.ttl") if path.name not in ("prefixes.ttl", "shapes.ttl"))


@functools.cache
def prefixes() -> dict[str, str]:
    """The prefixes of `prefixes.ttl`, by name.

    >>> prefixes()["shi"]
    'https://w3id.org/sanshi/ontology#'
    """
    parser = parse(path=str(HERE / "prefixes.ttl"), format=RdfFormat.TURTLE)
    list(parser)
    return dict(parser.prefixes)


def expand(curie: str) -> str:
    """The IRI of a prefixed name; a full IRI is returned as it is.

    Raises KeyError where the prefix is not declared in `prefixes.ttl`.

    >>> expand("branch:01-zi")
    'https://w3id.org/sanshi/id/branch/01-zi'
    """
    prefix, colon, local = curie.partition(":")
    if not colon or local.startswith("//"):
        return curie
    return prefixes()[prefix] + local


@functools.cache
def _names() -> dict[str, str]:
    return {namespace: name for name, namespace in prefixes().items()}


def shorten(iri: str) -> str:
    """The prefixed name of an IRI, or the IRI itself where no prefix fits.

    >>> shorten("https://w3id.org/sanshi/id/branch/01-zi")
    'branch:01-zi'
    """
    cut = max(iri.rfind("#"), iri.rfind("/")) + 1
    name = _names().get(iri[:cut])
    return f"{name}:{iri[cut:]}" if name else iri
