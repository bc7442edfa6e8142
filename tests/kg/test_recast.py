"""Charts of both arts, cast at random, named by their IRI, and cast again from it."""

from __future__ import annotations

from datetime import datetime, timedelta, timezone
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kg import liuren_chart, qimen_chart
from kg.cosmos import BRANCHES, pair
from kg.errors import SanshiError
from kg.facts import Chart, facts
from kg.recast import CHARTS, recast
from kg.schools import options

instants = st.builds(
    lambda naive, minutes: naive.replace(tzinfo=timezone(timedelta(minutes=minutes))),
    st.datetimes(datetime(1901, 1, 1), datetime(2099, 12, 31)).map(lambda d: d.replace(microsecond=0)),
    st.integers(-720, 840),
)
pairs = st.integers(0, 59).map(pair)
branches = st.sampled_from(BRANCHES)
degrees = st.integers(-1_799_999, 1_799_999).map(lambda n: n / 10_000)


def schools(art: str) -> st.SearchStrategy[dict[str, str]]:
    """One option or two, any value."""
    known = options(art)
    one = st.sampled_from(sorted(known)).flatmap(
        lambda key: st.tuples(st.just(key), st.sampled_from(sorted(known[key].values)))
    )
    return st.lists(one, max_size=2).map(dict)


def _same(chart: Chart) -> None:
    again = recast(chart.iri)
    assert again is not None, chart.iri
    assert again.options == chart.options
    assert set(map(str, facts(again))) == set(map(str, facts(chart)))


def _cast(way: Any, *args: Any, **words: Any) -> Chart | None:
    """The chart, or none where the inputs do not go together."""
    try:
        chart: Chart = way(*args, **words)
    except SanshiError:
        return None
    return chart


@settings(max_examples=60, deadline=None)
@given(instants, schools("liuren"), st.none() | degrees, st.none() | degrees.map(lambda d: d / 2))
def test_liuren_of_an_instant(
    instant: datetime, given: dict[str, str], longitude: float | None, latitude: float | None
) -> None:
    chart = _cast(liuren_chart.cast_instant, instant, given, longitude=longitude, latitude=latitude)
    if chart is not None:
        _same(chart)


@settings(max_examples=60, deadline=None)
@given(
    pairs, branches, branches, st.none() | branches | pairs, st.none() | branches | pairs, schools("liuren")
)
def test_liuren_of_pillars(
    day: str, hour: str, general: str, month: str | None, year: str | None, given: dict[str, str]
) -> None:
    chart = _cast(liuren_chart.cast_pillars, day, hour, general, month=month, year=year, given=given)
    if chart is not None:
        _same(chart)


@settings(max_examples=60, deadline=None)
@given(instants, schools("qimen"), st.none() | pairs | instants.map(datetime.isoformat), st.none() | degrees)
def test_qimen_of_an_instant(
    instant: datetime, given: dict[str, str], birth: str | None, longitude: float | None
) -> None:
    chart = _cast(qimen_chart.cast_instant, instant, given, birth=birth, longitude=longitude)
    if chart is not None:
        _same(chart)


@settings(max_examples=60, deadline=None)
@given(
    st.sampled_from("陽陰"),
    st.integers(1, 9),
    pairs | branches,
    st.none() | pairs,
    st.none() | branches,
    st.none() | branches | pairs,
    st.none() | pairs,
    schools("qimen"),
)
def test_qimen_of_pillars(
    dun: str,
    ju: int,
    hour: str,
    day: str | None,
    month: str | None,
    year: str | None,
    birth: str | None,
    given: dict[str, str],
) -> None:
    words = {"day": day, "month": month, "year": year, "birth": birth, "given": given}
    chart = _cast(qimen_chart.cast_pillars, dun, ju, hour, **words)
    if chart is not None:
        _same(chart)


@pytest.mark.parametrize(
    "key",
    [
        "",
        "liuren-",
        "liuren-57-gengshen-h.zi-g.hai/place/01-zi",
        "liuren-57-gengshen-h.zi-g.hai.shehai-mengzhong",  # a default is never said
        "liuren-57-gengshen-h.zi-g.hai.noble-nobody",
        "liuren-56-gengshen-h.zi-g.hai",
        "liuren-57-gengshen-h.01-zi-g.hai",  # with its number, but not as it is written
        "liuren-20250231T000000p0800",
        "liuren-99990101T000000p0800",
        "liuren-20250219T234200p9900",
        "qimen-yang1-h.01-jiazi-d.02-yichou",  # the day does not have that hour
        "qimen-yang0-h.01-jiazi",
        "qimen-yang1-h.01-jiazi-b.19800505",
    ],
)
def test_what_names_no_chart(key: str) -> None:
    assert recast(CHARTS + key) is None
    assert recast("https://example.org/" + key) is None
