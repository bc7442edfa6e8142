"""Clauses: what is written of a judgment or caveat, apart from any chart: its words, its place, its apparatus."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from pyoxigraph import NamedNode, Store

from kg.explain import Verbaliser
from kg.facts import TYPE, term, thing
from kg.store import passages, value, values
from kg.text import find
from ontology import TERMS, shorten


@dataclass(frozen=True, slots=True)
class Clause:
    """What is written of a judgment or caveat, apart from any chart."""

    iri: str
    heading: str
    name: str | None
    quote: str
    glosses: Mapping[str, str]
    passage: str
    locator: str
    place: tuple[int, int, int]
    """Volume, ordinal of the passage in its chapter, and where in its base text the quote begins."""
    readings: tuple[Mapping[str, str], ...]
    precedence: str | None = None
    """The word by which the clause sets itself above or beside others: 雖, 縱, 亦."""
    proviso: str | None = None
    """What it presupposes of the question, such as 新病, which no chart can show."""
    contradicts: frozenset[str] = frozenset()
    overrides: frozenset[str] = frozenset()
    flying: bool = False
    """Whether to the letter only a flying plate can show it."""


class Clauses:
    """The clauses of a store, each read when it is first asked for."""

    def __init__(self, store: Store, words: Mapping[str, Verbaliser]) -> None:
        self._store, self._words = store, words
        self._read: dict[tuple[NamedNode, bool], Clause] = {}

    def __call__(self, node: NamedNode, base: bool = False) -> Clause:
        """What is written of a judgment or caveat; with `base`, as the witness has it."""
        key = node, base
        if key not in self._read:
            self._read[key] = self._clause(node, base)
        return self._read[key]

    @cached_property
    def _passages(self) -> Mapping[NamedNode, Any]:
        return passages(self._store)

    def _clause(self, node: NamedNode, base: bool) -> Clause:
        store, zh = self._store, self._words["zh"]
        passage = values(store, node, "passage")[0]
        assert isinstance(passage, NamedNode)
        heads = [h for p in ("pattern", "topic", "hollows") for h in values(store, node, p)]
        text = self._passages[passage]
        quote = value(store, node, "quote")
        occurrence = int(value(store, node, "occurrence", "1"))
        if values(store, node, "reading") == [thing("reading:base")]:
            start = find(text.base, quote, occurrence)
            span = start, start + len(quote)
        else:
            start = find(text.established, quote, occurrence)
            span = text.to_base(start, start + len(quote))
        chapter = values(store, passage, "partOf")[0]
        assert isinstance(chapter, NamedNode)
        return Clause(
            iri=node.value,
            heading=zh.label(heads[0]) if heads and isinstance(heads[0], NamedNode) else "",
            name=value(store, node, "name") or None,
            quote=value(store, node, "baseQuote") if base else quote,
            glosses={tag: self._words[tag].text(node, TERMS + "gloss") for tag in ("en", "ko")},
            passage=passage.value,
            locator=value(store, passage, "locator"),
            place=(int(value(store, chapter, "volume")), int(value(store, passage, "ordinal")), span[0]),
            readings=tuple(self._reading(thing(e.iri)) for e in text.bearing(*span)),
            precedence=value(store, node, "precedence") or None,
            proviso=value(store, node, "proviso") or None,
            contradicts=frozenset(v.value for v in values(store, node, "contradicts")),
            overrides=frozenset(v.value for v in values(store, node, "overrides")),
            flying=any(store.quads_for_pattern(node, TYPE, term("FlyingPlateMatter"))),
        )

    def _reading(self, node: NamedNode) -> Mapping[str, str]:
        store, zh = self._store, self._words["zh"]
        entry = {"iri": node.value}
        for key in ("base", "proposed", "evidence", "parallel"):
            entry[key] = value(store, node, key)
        for key in ("kind", "status", "certainty"):
            entry[key] = "、".join(zh.label(v) for v in values(store, node, key) if isinstance(v, NamedNode))
        attributed = NamedNode("http://www.w3.org/ns/prov#wasAttributedTo")
        agents = [q.object for q in store.quads_for_pattern(node, attributed, None)]
        entry["agent"] = ", ".join(
            sorted(shorten(a.value).partition(":")[2] for a in agents if isinstance(a, NamedNode))
        )
        return entry
