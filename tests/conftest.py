"""What many tests share: the doctrine, built once, a short way to cast under it, and all 720 lessons judged
at once.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import pytest
from hypothesis import HealthCheck, settings

from kg.conclusions import Hit
from kg.cosmos import BRANCHES, pair
from kg.facts import facts, quads
from kg.findings import Casting, Doctrine, shared
from kg.liuren_chart import LiurenChart, cast, cast_pillars

settings.register_profile("sanshi", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("sanshi")  # a busy machine is no fault of the code


@pytest.fixture(scope="session")
def doctrine() -> Doctrine:
    """The doctrine that the commands use; whoever asserts a fact in its store takes it out again."""
    return shared()


@pytest.fixture(scope="session")
def casting(doctrine: Doctrine) -> Callable[..., Casting]:
    """Cast a chart as a user gives it, options among the words: `casting(day="庚申", void="lin", …)`."""
    inputs = {"instant", "tz", "day", "hour", "general", "month", "year", "longitude", "latitude"}

    def cast_chart(**words: object) -> Casting:
        options = {key: str(value) for key, value in words.items() if key not in inputs}
        given = {key: value for key, value in words.items() if key in inputs}
        return doctrine.cast(cast(options, **given))  # type: ignore[arg-type]

    return cast_chart


def lesson(number: int, reading: str = "established") -> LiurenChart:
    """One of the 720 lessons; hour, month and year go through their twelve branches by turns."""
    day, offset = divmod(number, 12)
    hour = (5 * day + 7 * offset) % 12
    month, year = BRANCHES[(day + offset + 3) % 12], BRANCHES[(7 * day + offset) % 12]
    general = BRANCHES[(hour + offset) % 12]
    return cast_pillars(
        pair(day), BRANCHES[hour], general, month=month, year=year, given={"reading": reading}
    )


@dataclass(frozen=True)
class Crowd:
    """Many charts judged together in one store; by IRI the charts, their hits, and what is hollow."""

    doctrine: Doctrine
    charts: Mapping[str, LiurenChart]
    hits: Mapping[str, list[Hit]]
    exhibits: Mapping[str, set[str]]
    hollow: Mapping[str, set[str]]


@pytest.fixture(scope="session")
def crowd() -> Crowd:
    """The 720 lessons, and every fifth once more under the text as witnessed, in a store of their own."""
    own = Doctrine()
    charts = [lesson(n) for n in range(720)] + [lesson(n, "base") for n in range(1, 720, 5)]
    for chart in charts:
        own.store.extend(quads(facts(chart)))
    exhibits, hollow = own.reasoner.conclude_all("liuren")
    hits: dict[str, list[Hit]] = {chart.iri: [] for chart in charts}
    for hit in own.reasoner.hits("liuren", "judge", "exhibits"):
        hits[hit.chart.value].append(hit)
    return Crowd(own, {chart.iri: chart for chart in charts}, hits, exhibits, hollow)
