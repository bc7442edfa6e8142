"""What stands in a store of loaded texts already, and how it is brought from one state to another."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from pyoxigraph import Literal, NamedNode, Quad, Store, Triple

from kg.errors import StoreError
from kg.facts import TYPE, term
from loaders.document import VALUE, joined

BULK = 1 << 20
"""From this size of files on, the bulk loader of the store is used; it is faster, and as atomic."""


def objects(store: Store, subject: NamedNode, predicate: NamedNode) -> list[str]:
    """The texts or IRIs that a property of a node has, sorted."""
    found = [quad.object for quad in store.quads_for_pattern(subject, predicate, None)]
    return sorted(value.value for value in found if isinstance(value, NamedNode | Literal))


def files(store: Store, work: NamedNode) -> Iterator[NamedNode]:
    """The files of a work."""
    for quad in store.quads_for_pattern(None, term("partOf"), work):
        node = quad.subject
        if isinstance(node, NamedNode) and Quad(node, TYPE, term("File")) in store:
            yield node


def owner(store: Store, line: NamedNode) -> NamedNode | None:
    """The file that a line is of, if it is in the store."""
    found = [quad.object for quad in store.quads_for_pattern(line, term("partOf"), None)]
    return next((node for node in found if isinstance(node, NamedNode)), None)


def asserted(store: Store, file: NamedNode) -> set[Quad]:
    """Every triple that a file gave."""
    out = set(store.quads_for_pattern(file, None, None))
    passages: set[NamedNode] = set()
    for part in list(store.quads_for_pattern(None, term("partOf"), file)):
        own = list(store.quads_for_pattern(part.subject, None, None))
        out.update(own)
        passages.update(
            q.object for q in own if q.predicate == term("translates") and isinstance(q.object, NamedNode)
        )
    out.update(_rendering(store, passage, file) for passage in passages)
    return out


def _rendering(store: Store, passage: NamedNode, file: NamedNode) -> Quad:
    """The translation of a passage that a file gave, put together again from its paragraphs."""
    paragraphs: list[tuple[int, str]] = []
    for quad in store.quads_for_pattern(None, term("translates"), passage):
        node = quad.subject
        if isinstance(node, NamedNode) and owner(store, node) == file:
            ordinal = int(objects(store, node, term("ordinal"))[0])
            paragraphs.append((ordinal, objects(store, node, VALUE)[0]))
    return joined(passage, [text for _, text in sorted(paragraphs)])


def elsewhere(store: Store, quad: Quad, file: NamedNode) -> bool:
    """Whether another file gave the same translation of a passage."""
    if quad.predicate != term("translation") or not isinstance(quad.subject, NamedNode):
        return False
    others = {
        other
        for said in store.quads_for_pattern(None, term("translates"), quad.subject)
        if isinstance(said.subject, NamedNode) and (other := owner(store, said.subject)) not in (None, file)
    }
    return any(_rendering(store, quad.subject, other) == quad for other in others if other is not None)


def add(store: Store, quads: Iterable[Quad], size: int) -> None:
    """Add triples that come from `size` bytes, all or none. Raises StoreError, and what the triples raise."""
    try:
        if size >= BULK:
            store.bulk_extend(quads)
        else:
            store.extend(quads)
        store.flush()
    except OSError as error:
        raise StoreError(f"the store cannot be written: {error}") from None


def change(store: Store, removed: set[Quad], added: set[Quad]) -> None:
    """Take triples away and add others in one transaction. Raises StoreError."""
    try:
        store.update(f"DELETE DATA {{ {_data(removed)} }} ; INSERT DATA {{ {_data(added)} }}")
        store.flush()
    except OSError as error:
        raise StoreError(f"the store cannot be written: {error}") from None


def _data(quads: set[Quad]) -> str:
    return "\n".join(f"{Triple(q.subject, q.predicate, q.object)} ." for q in quads)
