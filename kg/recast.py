"""A chart from its IRI: the IRI is made of all that the chart was cast from, so it can be read back and cast again.

What is cast is believed only if it has the very IRI that was asked for.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from datetime import datetime
from functools import cache

from pyoxigraph import NamedNode, Store

from kg import liuren_chart, qimen_chart
from kg.cosmos import BRANCHES, names, pair
from kg.errors import QueryError, SanshiError
from kg.facts import Chart
from kg.findings import Doctrine
from kg.schools import options
from kg.topics import judged
from ontology import THINGS, shorten

CHARTS = THINGS + "chart/"

_SLUG = r"((?:\d\d-)?[a-z]+)"
_WHEN = r"(\d{8}T\d{6}(?:\.\d{1,6})?[pm]\d{4}(?:\d\d)?)"
_SCHOOLS = r"((?:\.[A-Za-z][A-Za-z0-9-]*)*)"
_PLACE = r"(?:\.lon(-?\d+\.\d{4}))?(?:\.lat(-?\d+\.\d{4}))?"
_BIRTH = rf"(?:-b\.(?:{_WHEN}|{_SLUG}))?"
_KEYS = {
    "liuren instant": re.compile(rf"liuren-{_WHEN}{_PLACE}{_SCHOOLS}", re.ASCII),
    "liuren pillars": re.compile(
        rf"liuren-{_SLUG}-h\.{_SLUG}-g\.{_SLUG}(?:-m\.{_SLUG})?(?:-y\.{_SLUG})?{_SCHOOLS}", re.ASCII
    ),
    "qimen instant": re.compile(rf"qimen-{_WHEN}{_PLACE}{_BIRTH}{_SCHOOLS}", re.ASCII),
    "qimen pillars": re.compile(
        rf"qimen-(yang|yin)([1-9])-h\.{_SLUG}(?:-d\.{_SLUG})?(?:-m\.{_SLUG})?(?:-y\.{_SLUG})?{_BIRTH}{_SCHOOLS}",
        re.ASCII,
    ),
}


def recast(iri: str) -> Chart | None:
    """The chart that an IRI names, cast; None where it names none. A part of a chart is no chart.

    >>> chart = recast(CHARTS + "liuren-57-gengshen-h.zi-g.hai-y.si.shehai-depth")
    >>> chart.iri.rpartition("/")[2], chart.options["shehai"]
    ('liuren-57-gengshen-h.zi-g.hai-y.si.shehai-depth', 'depth')
    >>> recast(CHARTS + "liuren-57-gengshen-h.zi") is None
    True
    """
    if not iri.startswith(CHARTS):
        return None
    key = iri.removeprefix(CHARTS)
    for kind, pattern in _KEYS.items():
        match = pattern.fullmatch(key)
        if match is None:
            continue
        try:
            chart = _cast(kind, match.groups())
        except (SanshiError, KeyError, ValueError):
            return None
        return chart if chart.iri == iri else None
    return None


@contextmanager
def with_charts(store: Store, doctrine: Doctrine, named: Iterable[object]) -> Iterator[Store]:
    """A store in which all charts that a query names can be asked: the store that has them, or else the doctrine with
    those that it has not, cast for as long as this lasts.

    Raises QueryError for a chart that the store has not and whose IRI does not say how it is cast.
    """
    cast: list[Chart] = []
    for node in named:
        if not isinstance(node, NamedNode) or not node.value.startswith(CHARTS):
            continue
        if any(store.quads_for_pattern(node, None, None)):
            continue
        chart = recast(node.value)
        if chart is None:
            example = "chart:liuren-57-gengshen-h.zi-g.hai"
            raise QueryError(
                f"{shorten(node.value)} is no chart here, nor a name to cast one by, as {example} is"
            )
        cast.append(chart)
    if not cast:
        yield store
        return
    own = doctrine.store
    added = [quad for chart in cast for quad in judged(doctrine, chart).said if quad not in own]
    own.extend(added)
    try:
        yield own
    finally:
        for quad in added:
            own.remove(quad)


def _cast(kind: str, parts: tuple[str | None, ...]) -> Chart:
    art, _, way = kind.partition(" ")
    *inputs, schools = parts
    given = _given(art, schools or "")
    if kind == "liuren instant":
        when, longitude, latitude = inputs
        return liuren_chart.cast_instant(
            _instant(when), given, longitude=_degrees(longitude), latitude=_degrees(latitude)
        )
    if kind == "liuren pillars":
        day, hour, general, month, year = (_chinese(slug) for slug in inputs)
        assert day is not None
        assert hour is not None
        assert general is not None
        return liuren_chart.cast_pillars(day, hour, general, month=month, year=year, given=given)
    if way == "instant":
        when, longitude, _, born, born_pair = inputs
        birth = _instant(born).isoformat() if born else _chinese(born_pair)
        return qimen_chart.cast_instant(_instant(when), given, birth=birth, longitude=_degrees(longitude))
    dun, number, *slugs, born, born_pair = inputs
    hour, day, month, year = (_chinese(slug) for slug in slugs)
    birth = _instant(born).isoformat() if born else _chinese(born_pair)
    assert hour is not None
    return qimen_chart.cast_pillars(
        {"yang": "陽", "yin": "陰"}[dun or ""],
        int(number or 0),
        hour,
        day=day,
        month=month,
        year=year,
        birth=birth,
        given=given,
    )


def _instant(text: str | None) -> datetime:
    """An aware instant as it stands in an IRI. Raises ValueError."""
    assert text is not None
    date, time = text[:9], text[9:].replace("p", "+").replace("m", "-")
    return datetime.strptime(date + time, "%Y%m%dT%H%M%S.%f%z" if "." in text else "%Y%m%dT%H%M%S%z")


def _degrees(text: str | None) -> float | None:
    return None if text is None else float(text)


def _chinese(slug: str | None) -> str | None:
    """The pair or branch of a slug. Raises KeyError."""
    return None if slug is None else _symbols()[slug]


@cache
def _symbols() -> Mapping[str, str]:
    """Pairs and branches by their slugs, branches also without the number."""
    found = {name.partition(":")[2]: pair(number) for number, name in enumerate(names("pair"))}
    for number, name in enumerate(names("branch")):
        slug = name.partition(":")[2]
        found[slug] = found[slug[3:]] = BRANCHES[number]
    return found


def _given(art: str, schools: str) -> dict[str, str]:
    """The school options that the end of an IRI names. Raises KeyError."""
    return dict(_schools(art)[name] for name in schools.split(".")[1:])


@cache
def _schools(art: str) -> Mapping[str, tuple[str, str]]:
    """Option and value by the local name of the value."""
    return {
        node.partition(":")[2]: (key, notation)
        for key, option in options(art).items()
        for notation, node in option.values.items()
    }
