"""A chart as facts: whole, positive, and nothing that was not given."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pyoxigraph import NamedNode, Quad, Store
from rdflib import XSD
from rdflib import Literal as Rdflib

from kg.calendar import parse_instant
from kg.cosmos import BRANCHES, GENERALS, LODGE, names, pair
from kg.facts import TYPE, date_time, facts, phases, place_branch, quads, term, thing
from kg.findings import Doctrine
from kg.liuren_chart import LiurenChart, cast_instant, cast_pillars
from ontology import TERMS, shorten


def said(chart: LiurenChart, predicate: str, subject: str = "") -> list[str]:
    """The objects of a property of the chart, or of a thing of its own, as short names."""
    node = NamedNode(chart.iri + subject)
    return [
        shorten(t.object.value).removeprefix(chart.iri)
        for t in facts(chart)
        if (t.subject, t.predicate) == (node, term(predicate))
    ]


charts = st.builds(
    lambda day, hour, general, month, year: cast_pillars(
        pair(day), BRANCHES[hour], BRANCHES[general], month=BRANCHES[month], year=BRANCHES[year]
    ),
    st.integers(0, 59),
    *[st.integers(0, 11)] * 4,
)


def test_the_facts_of_jiaxu() -> None:
    """Lessons 巳甲 申巳 丑戌 辰丑, transmissions 申亥寅, 貴人 on 丑 over 戌, 戊 hidden in 寅."""
    chart = cast_pillars("甲戌", "午", "酉", month="辰", year="寅")
    assert said(chart, "dayPair") == ["pair:11-jiaxu"]
    assert said(chart, "dayStem") == ["stem:01-jia"]
    assert said(chart, "dayBranch") == ["branch:11-xu"]
    assert said(chart, "hourBranch") == ["branch:07-wu"]
    assert said(chart, "monthGeneral") == ["branch:10-you"]
    assert said(chart, "monthBranch") == ["branch:05-chen"]
    assert said(chart, "yearBranch") == ["branch:03-yin"]
    places = {role: said(chart, role) for role in ("initial", "middle", "final", "stemPlace", "branchPlace")}
    assert places == {
        "initial": ["/place/09-shen"],
        "middle": ["/place/12-hai"],
        "final": ["/place/03-yin"],
        "stemPlace": ["/place/03-yin"],
        "branchPlace": ["/place/11-xu"],
    }
    assert said(chart, "uponStem") == ["/place/06-si"]
    assert said(chart, "uponBranch") == ["/place/02-chou"]
    uppers = [
        said(chart, "upper", f"/lesson/{n}") + said(chart, "lower", f"/lesson/{n}") for n in (1, 2, 3, 4)
    ]
    assert uppers == [
        ["/place/06-si", "/place/03-yin"],
        ["/place/09-shen", "/place/06-si"],
        ["/place/02-chou", "/place/11-xu"],
        ["/place/05-chen", "/place/02-chou"],
    ]
    assert said(chart, "rides", "/place/02-chou") == ["general:01-guiren"]
    assert said(chart, "over", "/place/02-chou") == ["/place/11-xu"]
    assert said(chart, "hiddenStem", "/place/03-yin") == ["stem:05-wu"]
    assert said(chart, "hiddenStem", "/place/09-shen") == []


def test_what_is_not_given_is_not_said() -> None:
    chart = cast_pillars("甲戌", "午", "酉")
    for predicate in ("monthBranch", "yearBranch", "phase", "instant"):
        assert said(chart, predicate) == []
    assert not [t for t in facts(chart) if t.object in (term("LateDays"), term("EarlyDays"))]


def test_an_instant_says_the_moon_and_the_days_of_earth() -> None:
    chart = cast_instant(parse_instant("2024-09-03T04:30", "Asia/Shanghai"))
    assert said(chart, "phase") == ["phase:shuo"]
    kinds = {t.object for t in facts(chart) if t.predicate == TYPE and t.subject == NamedNode(chart.iri)}
    assert kinds == {term("Chart"), term("LiurenChart"), term("EarlyDays")}
    (instant,) = [t.object for t in facts(chart) if t.predicate == term("instant")]
    assert (instant.value, shorten(instant.datatype.value)) == ("2024-09-03T04:30:00+08:00", "xsd:dateTime")
    assert [t.object.value for t in facts(chart) if t.predicate == term("method")] == [chart.plate.method]
    late = cast_instant(parse_instant("2025-04-20T12:00", "Asia/Shanghai"))
    assert term("LateDays") in {t.object for t in facts(late)}


@given(st.datetimes(datetime(1901, 1, 2), datetime(2099, 12, 30), timezones=st.timezones()))
def test_an_instant_is_written_as_a_store_keeps_it(instant: datetime) -> None:
    """Once an offset with seconds was written, which is no xsd:dateTime, and UTC as +00:00, which a store makes Z."""
    if instant.astimezone(UTC).astimezone(instant.tzinfo) != instant:
        return  # skipped by the clock of the zone
    literal = date_time(instant)
    store = Store()
    store.add(Quad(thing("chart:x"), term("instant"), literal))
    (kept,) = store
    assert kept.object == literal
    assert Rdflib(literal.value, datatype=XSD.dateTime).toPython() == instant


@pytest.mark.parametrize("length", [29, 30])
def test_the_phases_of_a_month(length: int) -> None:
    named = {day: phases(day, length) for day in range(1, length + 1) if phases(day, length)}
    assert named == {
        1: ["phase:shuo"],
        7: ["phase:xian"],
        8: ["phase:xian"],
        15: ["phase:wang"],
        16: ["phase:wang"],
        22: ["phase:xian"],
        23: ["phase:xian"],
        length: ["phase:hui"],
    }


@settings(max_examples=60, deadline=None)
@given(charts)
def test_every_chart_is_whole(chart: LiurenChart) -> None:
    node = NamedNode(chart.iri)
    triples = facts(chart)
    assert len(set(triples)) == len(triples)
    places = {t.object for t in triples if (t.subject, t.predicate) == (node, term("hasPlace"))}
    by = {
        name: {t.subject: t.object for t in triples if t.predicate == term(name)}
        for name in ("branch", "over", "rides")
    }
    assert {shorten(b.value) for b in by["branch"].values()} == set(names("branch"))
    assert set(by["over"]) == set(by["over"].values()) == places
    assert {shorten(g.value) for g in by["rides"].values()} == set(names("general"))
    assert len(GENERALS) == len(set(by["rides"].values())) == 12
    assert all(place_branch(place) == by["branch"][place] for place in places)
    transmitted = {
        t.object for t in triples if t.predicate in (term("initial"), term("middle"), term("final"))
    }
    absent = {t.object for t in triples if t.predicate == term("transmitsNot")}
    assert transmitted | absent == places
    assert not transmitted & absent
    assert len([t for t in triples if t.predicate == term("hiddenStem")]) == 10
    lodge = NamedNode(f"{chart.iri}/place/{names('branch')[LODGE[chart.plate.day % 10]].partition(':')[2]}")
    assert [t.object for t in triples if t.predicate == term("stemPlace")] == [lodge]


def test_every_option_that_was_chosen_is_said() -> None:
    chart = cast_pillars("甲戌", "午", "酉", given={"noble": "yangniu", "void": "lin", "reading": "base"})
    assert sorted(said(chart, "chose")) == [
        "reading:base",
        "school:boundary-23",
        "school:clock-standard",
        "school:daylight-hours",
        "school:jiyue-month",
        "school:noble-yangniu",
        "school:shehai-mengzhong",
        "school:stages-jingwei",
        "school:void-lin",
    ]


def test_every_property_of_a_fact_is_declared(doctrine: Doctrine) -> None:
    chart = cast_instant(parse_instant("2024-09-03T04:30", "Asia/Shanghai"))
    used = {t.predicate for t in facts(chart) if t.predicate.value.startswith(TERMS)}
    used |= {t.object for t in facts(chart) if t.predicate == TYPE}
    assert not [
        shorten(node.value) for node in used if not any(doctrine.store.quads_for_pattern(node, TYPE, None))
    ]
    assert len(quads(facts(chart))) == len(facts(chart))
    assert thing("branch:01-zi").value.endswith("/id/branch/01-zi")
