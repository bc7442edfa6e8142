"""What a worker may not do: open a file or a connection while it runs a query, or take more memory than its share."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

MEMORY = 1 << 30
"""How many bytes a worker may take beyond those that it begins with."""


@contextmanager
def sealed() -> Iterator[None]:
    """While it lasts, this process can open neither a file nor a connection; what is open stays so.

    Where the system has no such limit (Windows) only the words of the query are looked at, by `kg.query_text`.

    >>> with sealed():
    ...     open(__file__)
    Traceback (most recent call last):
    OSError: [Errno 24] Too many open files
    """
    if sys.platform == "win32":
        yield
        return
    import resource

    before = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (0, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, before)


def bound_memory() -> None:
    """Let this process take `MEMORY` more than it has now, and leave no core behind if it ends for want of more."""
    if sys.platform == "linux":
        import resource

        pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[0])
        most = pages * resource.getpagesize() + MEMORY
        resource.setrlimit(resource.RLIMIT_AS, (most, most))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def peak() -> int:
    """The most memory, in bytes, that this process has taken so far; 0 where the system does not say."""
    if sys.platform == "win32":
        return 0
    import resource

    taken = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return taken if sys.platform == "darwin" else taken * 1024
