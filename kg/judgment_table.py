"""The judgments as a table for spreadsheets: one row a judgment or caveat, in the order of the text."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Iterator

from pyoxigraph import NamedNode, Store

from kg.edition import (
    Place,
    contents,
    heading_of,
    label,
    labels,
    read,
    span,
    statement_class,
    statements,
    texts,
    works,
)
from kg.store import value, values
from ontology import TERMS, shorten

COLUMNS = (
    *("iri", "treatise", "heading", "ordinal", "name", "quote", "locator", "ref", "form", "parameters"),
    *("gloss_en", "gloss_ko", "matters", "reading", "kind"),
)
_APART = frozenset(
    (
        "passage",
        "pattern",
        "topic",
        "hollows",
        "form",
        "matter",
        "reading",
        "overrides",
        "contradicts",
        "wants",
    )
)
"""The properties of a judgment that have a column of their own, or are no part of its condition."""


def judgments(store: Store, work: NamedNode | None = None) -> Iterator[dict[str, str]]:
    """The judgments and caveats of the works, or of one, as rows in the order of the text.

    `heading` is the pattern or topic, `ordinal` counts the clauses of a heading, `ref` is the passage by
    numbers (volume, heading, paragraph), `form` names the form, or those of the conditions, `parameters`
    and `matters` have labels in Chinese, `reading` is empty where the clause stands in both, `kind` is
    judgment or caveat.

    >>> from kg.facts import thing
    >>> from kg.findings import shared
    >>> row = next(judgments(shared().store, thing("work:liuren-jingwei")))
    >>> row["heading"], row["ref"], row["name"], row["parameters"], row["matters"]
    ('懸胎', '3.1.1', '順懸胎', 'series=順懸胎', '胎產')
    """
    for one in works(store) if work is None else [work]:
        count: dict[NamedNode | None, int] = {}
        places = contents(store, one)
        by_node = read(store, places)
        for place in places:
            found = []
            for node in statements(store, place.node):
                if (kind := statement_class(store, node)) in ("Judgment", "Caveat"):
                    start, end, base = span(store, by_node[place.node], node)
                    found.append((start, end, base, node.value, node, kind.lower()))
            for *_, node, kind in sorted(found, key=lambda row: row[:4]):
                heading = heading_of(store, node)
                count[heading] = count.get(heading, 0) + 1
                yield _row(store, one, place, node, kind, count[heading])


def _row(
    store: Store, work: NamedNode, place: Place, node: NamedNode, kind: str, ordinal: int
) -> dict[str, str]:
    heading, glosses = heading_of(store, node), texts(store, node, "shi:gloss")
    readings = values(store, node, "reading")
    fields = (
        node.value,
        label(store, work),
        label(store, heading) if heading is not None else "",
        str(ordinal),
        value(store, node, "name"),
        value(store, node, "quote"),
        value(store, place.node, "locator"),
        place.ref,
        ", ".join(forms(store, node)),
        parameters(store, node),
        glosses.get("en", ""),
        glosses.get("ko", ""),
        ", ".join(label(store, v) for v in values(store, node, "matter") if isinstance(v, NamedNode)),
        readings[0].value.rpartition("/")[2] if len(readings) == 1 else "",
        kind,
    )
    return dict(zip(COLUMNS, fields, strict=True))


def forms(store: Store, node: NamedNode) -> list[str]:
    """The names of the forms of a judgment or condition: its own, else those of its conditions."""
    found = values(store, node, "form")
    if not found:
        conditions = [c for n in range(1, 5) for c in values(store, node, f"condition{n}")]
        found = [form for c in conditions if isinstance(c, NamedNode) for form in values(store, c, "form")]
    return list(dict.fromkeys(form.value.rpartition("/")[2] for form in found))


def parameters(store: Store, node: NamedNode) -> str:
    """What fills the form of a judgment or condition: each property with the labels of its values.

    A condition has no label; it is written out in braces, its form first.

    >>> from kg.facts import thing
    >>> from kg.findings import shared
    >>> parameters(shared().store, thing("judgment:xuantai-shun-chun"))
    'season=春; series=順懸胎'
    """
    found: dict[str, list[NamedNode]] = {}
    for quad in store.quads_for_pattern(node, None, None):
        name = quad.predicate.value.removeprefix(TERMS)
        if isinstance(quad.object, NamedNode) and name != quad.predicate.value and name not in _APART:
            found.setdefault(name, []).append(quad.object)
    return "; ".join(
        f"{name}={', '.join(_named(store, o) for o in sorted(objects, key=lambda o: o.value))}"
        for name, objects in sorted(found.items())
    )


def _named(store: Store, node: NamedNode) -> str:
    if labels(store, node):
        return label(store, node)
    own = forms(store, node)
    return "{" + "; ".join([*own, parameters(store, node)]) + "}" if own else shorten(node.value)


def table(rows: Iterable[dict[str, str]]) -> bytes:
    """Rows of judgments as CSV (RFC 4180), in UTF-8 with the byte order mark by which spreadsheets know it.

    >>> table([])[:6]
    b'\\xef\\xbb\\xbfiri'
    """
    text = io.StringIO(newline="")
    writer = csv.DictWriter(text, COLUMNS)
    writer.writeheader()
    writer.writerows(rows)
    return text.getvalue().encode("utf-8-sig")
