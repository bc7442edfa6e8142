"""Which representation a client wants: media ranges of `Accept` (RFC 9110, 12.5.1), suffixes of paths, languages."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from kg.server.reply import Refused

JSON = "application/json"
HTML = "text/html"
GRAPHS: Mapping[str, str] = {
    "text/turtle": "ttl",
    "application/n-triples": "nt",
    "application/ld+json": "jsonld",
    "application/rdf+xml": "rdf",
}
"""The media types of a graph, the preferred first, with their suffixes."""
GRAPH_ALIASES: Mapping[str, str] = {
    "application/xml": "application/rdf+xml",
    "application/x-turtle": "text/turtle",
}
ROWS: tuple[str, ...] = (
    "application/sparql-results+json",
    JSON,
    "application/sparql-results+xml",
    "application/xml",
    "text/csv",
    "text/tab-separated-values",
)
"""The media types of a table of solutions, or of a yes or no, the preferred first."""

RANGES = 50
"""How many media ranges of one header are read; no client has need of more."""

_RANGE = re.compile(r"\s*([\w!#$%&'*+.^`|~-]+)/([\w!#$%&'*+.^`|~-]+)\s*((?:;[^,]*)?)", re.ASCII)
_QUALITY = re.compile(r";\s*q\s*=\s*(0(?:\.\d{0,3})?|1(?:\.0{0,3})?)\s*(?:;|$)", re.ASCII | re.IGNORECASE)
_LANGUAGE = re.compile(r"\s*([a-zA-Z]{1,8}|\*)(?:-[\w-]*)?\s*((?:;[^,]*)?)", re.ASCII)


@dataclass(frozen=True, slots=True)
class Range:
    """A media range with its quality from 0 to 1."""

    type: str
    subtype: str
    quality: float

    def covers(self, media_type: str) -> int:
        """How closely a media type is meant: 3 by name, 2 by its type, 1 as anything, 0 not at all."""
        kind, _, subtype = media_type.partition("/")
        if (self.type, self.subtype) == (kind, subtype):
            return 3
        if self.subtype != "*":
            return 0
        return {kind: 2, "*": 1}.get(self.type, 0)


def ranges(accept: str) -> list[Range]:
    """The media ranges of a header; what is not one is passed over, and a header without any accepts everything.

    >>> [(r.type, r.quality) for r in ranges("text/turtle;q=0.5, */*;q=0, nonsense")]
    [('text', 0.5), ('*', 0.0)]
    """
    found = []
    for part in accept.split(",", RANGES)[:RANGES]:
        match = _RANGE.fullmatch(part)
        if match is None:
            continue
        quality = _QUALITY.search(match.group(3))
        if quality is None and re.search(r";\s*q\s*=", match.group(3), re.IGNORECASE):
            continue  # a quality that is no quality
        weight = 1.0 if quality is None else float(quality.group(1))
        found.append(Range(match.group(1).lower(), match.group(2).lower(), weight))
    return found or [Range("*", "*", 1.0)]


def choose(accept: str, offered: Iterable[str]) -> str:
    """The media type, of those offered, that a client likes best; of equals the first.

    Raises Refused (406) where it likes none, naming what there is.

    >>> choose("application/ld+json;q=0.9, text/*;q=0.5", ["text/turtle", "application/ld+json"])
    'application/ld+json'
    """
    wanted = ranges(accept)
    best, best_quality = "", 0.0
    known = list(offered)
    for media_type in known:
        closeness, quality = max((r.covers(media_type), r.quality) for r in wanted)
        if closeness and quality > best_quality:
            best, best_quality = media_type, quality
    if not best:
        raise Refused(406, f"Accept asks for nothing that there is here; ask for {', '.join(known)}")
    return best


def graph_type(accept: str, also: Iterable[str] = ()) -> str:
    """The media type of a graph that a client likes best, or one of some others that are to be had as well.

    >>> graph_type("*/*"), graph_type("application/xml"), graph_type("text/html, */*;q=0.1", [HTML])
    ('text/turtle', 'application/rdf+xml', 'text/html')
    """
    chosen = choose(accept, [*GRAPHS, *also, *GRAPH_ALIASES])
    return GRAPH_ALIASES.get(chosen, chosen)


def suffixed(path: str, suffixes: Mapping[str, str]) -> tuple[str, str | None]:
    """A path without its suffix, and the media type that the suffix names; `suffixes` is by media type.

    >>> suffixed("branch/01-zi.ttl", GRAPHS), suffixed("chart/liuren-57-gengshen-h.zi-g.hai", GRAPHS)[1]
    (('branch/01-zi', 'text/turtle'), None)
    """
    for media_type, suffix in suffixes.items():
        if path.endswith("." + suffix):
            return path[: -len(suffix) - 1], media_type
    return path, None


def language(accept: str, among: Iterable[str] = ("en", "ko", "zh")) -> str:
    """The language, of some, that a client likes best (RFC 9110, 12.5.4); the first where it names none of them.

    >>> language("ko-KR,ko;q=0.9,en;q=0.8"), language("fr"), language("zh-Hant, en;q=0.1")
    ('ko', 'en', 'zh')
    """
    known = list(among)
    best, best_quality = known[0], 0.0
    for part in accept.split(",", RANGES)[:RANGES]:
        match = _LANGUAGE.fullmatch(part)
        if match is None:
            continue
        quality = _QUALITY.search(match.group(2))
        weight = 1.0 if quality is None else float(quality.group(1))
        if match.group(1).lower() in known and weight > best_quality:
            best, best_quality = match.group(1).lower(), weight
    return best
