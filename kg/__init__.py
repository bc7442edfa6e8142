"""The graph: calendar, chart engines, facts, rules, findings, explanations, terminal and server.

One function to enter it: `kg.open()` gives a `Graph` over the doctrine, a collection on disk, or an endpoint.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from kg.graph import Graph, open

__all__ = ["Graph", "open"]


def __getattr__(name: str) -> Any:
    """`open` and `Graph` come from `kg.graph` when first asked for, so that `import kg` costs nothing."""
    if name in __all__:
        from kg import graph

        return getattr(graph, name)
    raise AttributeError(f"module 'kg' has no attribute {name!r}")
