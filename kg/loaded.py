"""What a user has loaded beside the treatises: the translations of a passage, and the names of files and works."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from pyoxigraph import NamedNode, Quad, Store

from kg.edition import bcp47, texts
from kg.facts import TYPE, term
from kg.reader import linked
from kg.store import value


@dataclass(frozen=True, slots=True)
class Rendering:
    """What a loaded file has as the translation of a passage."""

    file: NamedNode
    language: str
    paragraphs: Sequence[str]


def user_store() -> Path:
    """Where the user's own texts are kept unless told otherwise, in the data directory of the user."""
    base = os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share"
    return Path(base) / "sanshi" / "store"


def at_hand(given: Path | None) -> Path | None:
    """The store to be read: the one given, else the user's own where something has been loaded into it."""
    if given is not None:
        return given
    own = user_store()
    return own if (own / "CURRENT").is_file() else None


def translations(store: Store, passage: NamedNode) -> list[Rendering]:
    """The translations of a passage that a user has loaded, file by file, their paragraphs in order."""
    found: dict[tuple[NamedNode, str], list[tuple[int, str]]] = {}
    for quad in store.quads_for_pattern(None, term("translates"), passage):
        node = quad.subject
        if not isinstance(node, NamedNode):
            continue
        (file,), ordinal = linked(store, node, "shi:partOf"), int(value(store, node, "ordinal"))
        for language, text in texts(store, node, "rdf:value").items():
            found.setdefault((file, language), []).append((ordinal, text))
    return [
        Rendering(file, bcp47(language), [text for _, text in sorted(rows)])
        for (file, language), rows in sorted(found.items(), key=lambda item: (item[0][0].value, item[0][1]))
    ]


def title(store: Store, node: NamedNode) -> str:
    """What a loaded file or work is called: by its title, a file by its name as well where that is another.

    >>> from pyoxigraph import Literal, Quad
    >>> from ontology import expand
    >>> file, said = NamedNode("urn:file"), {"rdfs:label": "懸胎", "dcterms:source": "mine.txt"}
    >>> store = Store()
    >>> store.extend(Quad(file, NamedNode(expand(name)), Literal(text)) for name, text in said.items())
    >>> title(store, file)
    '懸胎, mine.txt'
    """
    names = [next(iter(texts(store, node, name).values()), "") for name in ("rdfs:label", "dcterms:source")]
    return ", ".join(dict.fromkeys(name for name in names if name))


def source(store: Store, node: NamedNode, words: str | None = None) -> str:
    """Whose loaded words are: the work that a line is of, or, of `words`, the files that have them in a translation."""
    files = linked(store, node, "shi:partOf")
    if words is None:
        return "; ".join(title(store, work) for file in files for work in linked(store, file, "shi:partOf"))
    if Quad(node, TYPE, term("Line")) not in store:
        files = [r.file for r in translations(store, node) if words in "\n\n".join(r.paragraphs)]
    return "; ".join(dict.fromkeys(title(store, file) for file in files))
