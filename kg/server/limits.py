"""What a worker may not do: open a file or a connection while it runs a query, or take more memory than its share."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

MEMORY = 1 << 30
"""How many bytes a worker may take beyond those that it begins with."""

_TOKEN = re.compile(
    r"""<(?:[^<>"{}|^`\\\x00-\x20]|\\u[0-9A-Fa-f]{4}|\\U[0-9A-Fa-f]{8})*>"""
    r"""|"{3}(?:[^"\\]|\\.|"{1,2}(?!"))*"{3}|'{3}(?:[^'\\]|\\.|'{1,2}(?!'))*'{3}"""
    r"""|"(?:[^"\\\n\r]|\\.)*"|'(?:[^'\\\n\r]|\\.)*\'"""
    r"""|\#[^\n\r]*|[?$]\w+|(?:\w|[.-]|\\.)*:(?:\w|[.:%-]|\\.)*|\\.|(\w+)""",
    re.DOTALL,
)


def calls_service(query: str) -> bool:
    """Whether a SPARQL query asks another endpoint: whether SERVICE stands in it as a word of the language.

    >>> calls_service("SELECT * { SERVICE <http://example.org/sparql> { ?s ?p ?o } }")
    True
    >>> calls_service("SELECT ?service { ?service service:of <urn:service> # SERVICE <urn:a>\\n, 'SERVICE' }")
    False
    """
    return any((match.group(1) or "").casefold() == "service" for match in _TOKEN.finditer(query))


@contextmanager
def sealed() -> Iterator[None]:
    """While it lasts, this process can open neither a file nor a connection; what is open stays so.

    Where the system has no such limit (Windows) only the words of the query are looked at, by `calls_service`.

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
