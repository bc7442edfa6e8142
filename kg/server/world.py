"""What the jobs of the server work on: the doctrine, to cast under, and the store that is served.

Without a collection the two are one store, in memory. A collection is served from a copy on disk that holds the
doctrine as well, and what the rules find in its charts; who loads more into the collection meanwhile disturbs no one.
"""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from pyoxigraph import Store

from kg.errors import StoreError
from kg.findings import Doctrine, shared
from kg.store import DOCTRINE


@dataclass(frozen=True, slots=True)
class Settings:
    """How a server is to run."""

    store: Path | None = None
    """A store on disk to which no one writes, as `served` makes one; without it the doctrine is served, from memory."""
    timeout: float = 10.0
    """After how many seconds a query is stopped."""
    limit: int = 10_000
    """After how many rows or triples an answer is cut."""
    workers: int = (os.cpu_count() or 1) + 1
    """How many processes answer; one more than the processors, for one of them takes no strangers' queries."""


@dataclass(frozen=True, slots=True, eq=False)
class World:
    """What a job is given; one a process, so that what is found in it may be cached by it."""

    doctrine: Doctrine
    store: Store
    limit: int


def world(directory: Path | None, limit: int) -> World:
    """The world of a worker; with a directory, the store there, which is only read."""
    doctrine = shared()
    return World(doctrine, doctrine.store if directory is None else Store.read_only(str(directory)), limit)


@contextmanager
def served(collection: Path | None) -> Iterator[Path | None]:
    """A directory with the copy of a collection that is served, for as long as it lasts; none for no collection.

    Raises StoreError where no store is, or where another process writes to it.
    """
    if collection is None:
        yield None
        return
    if not (collection / "CURRENT").is_file():
        raise StoreError(f"{collection}: no store is there; `sanshi load --store {collection}` makes one")
    with tempfile.TemporaryDirectory(prefix="sanshi-", ignore_cleanup_errors=True) as room:
        copy = Path(room) / "store"
        try:
            # opened to write, though nothing is: only so does the copy have what was written last
            Store(str(collection)).backup(str(copy))
        except (OSError, RuntimeError) as error:
            reason = " ".join(str(error).split())
            raise StoreError(f"{collection}: cannot be read, or another process has it ({reason})") from None
        store = Store(str(copy))
        store.remove_graph(DOCTRINE)  # it may be of another version, and stands by itself
        store.bulk_extend(shared().store)
        store.flush()
        del store
        yield copy
