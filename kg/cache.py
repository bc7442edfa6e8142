"""The doctrine as it was last built, kept in the user's cache so that a command answers at once.

To read the Turtle and to draw from it all that follows takes longer than to cast a chart. What is kept is named by a digest
of the package, so that it is never older than the code and the data by which it was made.
"""

from __future__ import annotations

import hashlib
import os
import uuid
from collections.abc import Callable
from contextlib import suppress
from functools import cache
from pathlib import Path

import pyoxigraph
from pyoxigraph import DefaultGraph, RdfFormat, Store

import kg
import ontology

KEPT = 4
"""How many are kept: a user may have several versions at work."""
_FORMAT = RdfFormat.N_TRIPLES


def directory() -> Path:
    """Where it is kept: `sanshi` in the user's cache directory."""
    base = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    return Path(base) / "sanshi"


@cache
def digest() -> str:
    """A digest of all code and data on which the doctrine hangs, and of the version of the store."""
    text = hashlib.sha256(pyoxigraph.__version__.encode())
    for package in (kg, ontology):
        root = Path(package.__path__[0])
        for path in sorted(p for p in root.rglob("*") if p.suffix in (".py", ".ttl", ".tsv", ".csv", ".txt")):
            text.update(path.relative_to(root).as_posix().encode() + b"\0")
            text.update(path.read_bytes())
    return text.hexdigest()


def kept(build: Callable[[], Store]) -> Store:
    """A store as it was built before by the same code from the same data, or else built now, and kept.

    A cache that cannot be read or written is as none.
    """
    path = directory() / f"doctrine-{digest()}.nt"
    store = Store()
    try:
        store.bulk_load(path=str(path), format=_FORMAT, lenient=True)  # lenient, since it is our own
        return store
    except (OSError, SyntaxError):
        store = build()
    unfinished = path.with_name(f"{path.name}.{uuid.uuid4()}")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        store.dump(str(unfinished), _FORMAT, from_graph=DefaultGraph())
        unfinished.replace(path)
        for older in sorted(path.parent.glob("doctrine-*"), key=lambda one: one.stat().st_mtime)[:-KEPT]:
            older.unlink(missing_ok=True)
    except OSError:
        with suppress(OSError):
            unfinished.unlink(missing_ok=True)
    return store
