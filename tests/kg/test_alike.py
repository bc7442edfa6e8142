"""Many charts judged at once: the same verdicts as chart by chart, whatever they have in common."""

from __future__ import annotations

import random
from collections.abc import Iterable
from typing import Any

import pytest
from pyoxigraph import Literal, Quad

from kg.alike import Judge, Verdict, reads
from kg.cosmos import BRANCHES, pair
from kg.errors import DataError
from kg.facts import TYPE, Chart, term, thing
from kg.findings import Doctrine
from kg.liuren_chart import cast, cast_pillars
from kg.qimen_chart import cast as cast_qimen
from kg.reasoner import Reasoner
from kg.store import doctrine as new_store

OPTIONS = [
    {},
    {"reading": "base"},
    {"void": "lin"},
    {"stages": "element"},
    {"noble": "yangniu", "daylight": "day"},
    {"shehai": "depth", "void": "lin", "reading": "base"},
]


@pytest.fixture(scope="module")
def judge(doctrine: Doctrine) -> Judge:
    return Judge(doctrine.reasoner)


def one_by_one(doctrine: Doctrine, charts: Iterable[Chart]) -> dict[str, Verdict]:
    """What casting each chart by itself finds."""
    found = {}
    for chart in charts:
        findings = doctrine.cast(chart).findings
        hollow = {f.clause.iri for f in findings if f.hollow}
        found[chart.iri] = Verdict({f.clause.iri for f in findings}, hollow)
    return found


def some(number: int, seed: int) -> list[Chart]:
    """Charts of any day, hour and general, with month and year or without, under any of some schools."""
    chance = random.Random(seed)
    return [
        cast_pillars(
            pair(chance.randrange(60)),
            chance.choice(BRANCHES),
            chance.choice(BRANCHES),
            month=chance.choice([None, *BRANCHES]),
            year=chance.choice([None, *BRANCHES]),
            given=chance.choice(OPTIONS),
        )
        for _ in range(number)
    ]


def test_the_720_lessons_in_both_states_of_the_text(judge: Judge, crowd: Any) -> None:
    verdicts = judge(crowd.charts.values())
    assert len(verdicts) == len(crowd.charts)
    for iri, verdict in verdicts.items():
        assert verdict.exhibits == crowd.exhibits.get(iri, set()), iri
        assert verdict.hollow == crowd.hollow.get(iri, set()), iri


def test_charts_of_every_school_at_once(judge: Judge, doctrine: Doctrine) -> None:
    charts = some(60, seed=1)
    assert judge(charts) == one_by_one(doctrine, charts)


def test_what_was_found_of_a_class_does_not_leak_into_another(doctrine: Doctrine) -> None:
    """A judge that knows many classes says of a chart what a new one says."""
    charts = some(40, seed=2)
    known = Judge(doctrine.reasoner)
    known(charts)
    for chart in some(8, seed=3):
        assert known([chart]) == Judge(doctrine.reasoner)([chart]) == one_by_one(doctrine, [chart])


def test_the_order_of_charts_does_not_matter(doctrine: Doctrine) -> None:
    charts = some(40, seed=4)
    assert Judge(doctrine.reasoner)(charts) == Judge(doctrine.reasoner)(charts[::-1])


def test_instants_with_their_moon_and_their_days_of_earth(judge: Judge, doctrine: Doctrine) -> None:
    """New, full and last days of the moon; days before and within the last eighteen of a season."""
    days = ["2025-01-29", "2025-02-12", "2025-02-27", "2025-04-10", "2025-04-28", "2025-07-30", "2025-10-22"]
    charts: list[Chart] = [
        cast({"jiyue": way}, instant=f"{day}T{hour}:30", tz="Asia/Shanghai")
        for day in days
        for hour in ("05", "11", "19")
        for way in ("month", "eighteen")
    ]
    assert judge(charts) == one_by_one(doctrine, charts)


def test_instants_and_pillars_together(judge: Judge, doctrine: Doctrine) -> None:
    """Some charts have inputs that others lack; what needs them is found in those alone."""
    charts: list[Chart] = [
        cast(instant="2025-10-06T23:30", tz="Asia/Shanghai"),
        *some(10, seed=5),
        cast(instant="2025-10-07T11:30", tz="Asia/Shanghai"),
    ]
    assert judge(charts) == one_by_one(doctrine, charts)


def test_the_same_chart_twice_is_one_verdict(judge: Judge) -> None:
    (chart,) = some(1, seed=6)
    assert list(judge([chart, chart])) == [chart.iri]


def test_no_charts_have_no_verdicts(judge: Judge) -> None:
    assert judge([]) == {}


def test_the_store_of_the_doctrine_is_left_as_it_was(doctrine: Doctrine) -> None:
    before = set(doctrine.store)
    Judge(doctrine.reasoner)(some(20, seed=7))
    assert set(doctrine.store) == before


def test_qimen_charts(doctrine: Doctrine) -> None:
    charts: list[Chart] = [
        cast_qimen(dun="陽", ju=1, hour="丙寅"),
        cast_qimen(dun="陰", ju=9, hour="乙亥", day="甲子", month="丙寅", year="甲子"),
        cast_qimen(
            {"void": "day"}, dun="陽", ju=3, hour="子", day="庚申", month="寅", year="甲子", birth="1980"
        ),
        cast_qimen(instant="2026-02-18T22:59", tz="Asia/Shanghai", birth="1980"),
        cast_qimen({"plate": "flying"}, instant="2025-07-01T08:10", tz="Asia/Shanghai"),
    ]
    found = Judge(doctrine.reasoner, "qimen")(charts)
    assert found == one_by_one(doctrine, charts)
    assert any(verdict.exhibits for verdict in found.values())


# ---- what a rule reads


def test_a_rule_reads_only_what_it_needs(doctrine: Doctrine) -> None:
    reasoner = doctrine.reasoner
    by_form = {rule.form: rule for rule in reasoner.rules if rule.form and rule.stratum == "judge"}
    kin, _ = reads(by_form["form:initial-to-stem"], reasoner, "liuren")
    assert {"initial", "dayStem", "chose reading"} <= kin
    assert not {"rides", "monthBranch", "yearBranch", "hourBranch", "middle"} & kin
    general, _ = reads(by_form["form:general-at-palace"], reasoner, "liuren")
    assert {"initial", "rides", "over"} <= general
    assert not {"dayStem", "monthBranch"} & general


def test_a_rule_that_hollows_by_more_than_a_caveat_is_refused() -> None:
    """The verdicts of a class are put together from judgments and caveats, so hollowness may hang on these alone."""
    store = new_store()
    rule = thing("rule:hollow-by-initial")
    for name, value in {
        "body": "initial(?c, ?t), exhibits(?c, ?j)",
        "head": "hollow(?c, ?j)",
    }.items():
        store.add(Quad(rule, term(name), Literal(value)))
    store.add(Quad(rule, TYPE, term("Rule")))
    store.add(Quad(rule, term("stratum"), term("qualify")))
    store.add(Quad(rule, term("art"), term("liuren")))
    with pytest.raises(DataError, match="rule:hollow-by-initial: to judge many charts"):
        Judge(Reasoner(store))
