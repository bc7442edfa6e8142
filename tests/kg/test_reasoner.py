"""The fast engine: what it concludes of one chart and of many, and what it leaves in the store."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from pyoxigraph import NamedNode, Quad, RdfFormat, Store

from kg.facts import facts, quads, term, thing
from kg.findings import Doctrine
from kg.liuren_chart import LiurenChart, cast_pillars
from kg.reasoner import Reasoner
from ontology import prefixes

if TYPE_CHECKING:
    from tests.conftest import Crowd

CHART = cast_pillars("甲戌", "午", "酉", month="辰", year="寅")


def forget(store: Store, chart: LiurenChart) -> None:
    for subject in {quad.subject for quad in quads(facts(chart))}:
        for quad in list(store.quads_for_pattern(subject, None, None)):
            store.remove(quad)


def test_a_conclusion_is_what_it_adds_to_the_store(doctrine: Doctrine) -> None:
    node = NamedNode(CHART.iri)
    store = doctrine.store
    try:
        store.extend(quads(facts(CHART)))
        size = len(store)
        conclusion = doctrine.reasoner.conclude("liuren", node)
        assert len(store) == size + len(set(conclusion.quads))
        for predicate, expected in (
            ("exhibits", {hit.judgment for hit in conclusion.hits}),
            ("caveated", {hit.judgment for hit in conclusion.caveats}),
            ("hollow", conclusion.hollow),
        ):
            assert {q.object for q in store.quads_for_pattern(node, term(predicate), None)} == expected
            assert expected
    finally:
        forget(store, CHART)


def test_a_judgment_found_in_two_ways_is_hit_once_by_the_first(doctrine: Doctrine) -> None:
    """子 is both month general and month branch: 時泰 holds by either, and is said by 月建."""
    chart = cast_pillars("乙丑", "丑", "子", month="子")
    node = NamedNode(chart.iri)
    (rule,) = [r for r in doctrine.reasoner.rules if r.name == "rule:month-initial"]
    try:
        doctrine.store.extend(quads(facts(chart)))
        doctrine.reasoner.derive("liuren", node)
        marks = [row["m"] for row in doctrine.reasoner.ask(rule, node)]
        assert set(marks) == {thing("mark:yuejian"), thing("mark:yuejiang")}
        hits = doctrine.reasoner.hits("liuren", "judge", "exhibits", node)
        assert [h.bindings["m"] for h in hits if h.rule == rule] == [thing("mark:yuejian")]
        assert [h.judgment.value for h in hits] == sorted({h.judgment.value for h in hits})
    finally:
        forget(doctrine.store, chart)


def test_one_chart_is_judged_alone_among_many(doctrine: Doctrine) -> None:
    other = cast_pillars("庚寅", "辰", "巳", month="巳", year="辰")
    alone = {finding.clause.iri for finding in doctrine.cast(CHART).findings}
    try:
        doctrine.store.extend(quads(facts(other)))
        assert {finding.clause.iri for finding in doctrine.cast(CHART).findings} == alone
        assert not any(doctrine.store.quads_for_pattern(NamedNode(other.iri), term("exhibits"), None))
    finally:
        forget(doctrine.store, other)


def test_judged_together_the_lessons_are_judged_as_alone(crowd: Crowd, doctrine: Doctrine) -> None:
    for iri in list(crowd.charts)[::24]:
        alone = doctrine.cast(crowd.charts[iri])
        assert crowd.exhibits[iri] == {hit.judgment.value for hit in crowd.hits[iri]}
        assert crowd.exhibits[iri] == {finding.clause.iri for finding in alone.findings}
        assert crowd.hollow.get(iri, set()) == {f.clause.iri for f in alone.findings if f.hollow}


def test_what_is_derived_of_a_chart(doctrine: Doctrine) -> None:
    """Twelve places: each has its kin, its stage, its strength; two are void; one is the horse."""
    casting = doctrine.cast(CHART)
    count = {
        name: len({q.subject for q in casting.quads if q.predicate == term(name)})
        for name in ("placeKin", "placeStage", "placeStrength")
    }
    assert count == {"placeKin": 12, "placeStage": 12, "placeStrength": 12}
    marks = [q for q in casting.quads if q.predicate == term("mark")]
    assert sorted(q.object.value.rpartition("/")[2] for q in marks) == sorted(
        ["kong", "kong", "ma", "taisui", "yuejian", "yuejiang"]
    )


def test_no_month_no_strength_and_no_season(doctrine: Doctrine) -> None:
    casting = doctrine.cast(cast_pillars("甲戌", "午", "酉"))
    assert not [
        q for q in casting.quads if q.predicate in (term("placeStrength"), term("season"), term("inCommand"))
    ]


@pytest.mark.parametrize("bound", [True, False])
def test_a_rule_asked_of_one_chart_or_of_all(bound: bool) -> None:
    store = Store()
    header = "".join(f"@prefix {name}: <{iri}> ." for name, iri in prefixes().items())
    store.load(
        (
            header
            + """
            shi:step a <urn:P> . shi:reach a <urn:P> .
            rule:one a shi:Rule ; shi:stratum shi:derive ;
                shi:body "step(?c, ?a)" ; shi:head "reach(?c, ?a)" .
            <urn:1> shi:step <urn:a> . <urn:2> shi:step <urn:a> , <urn:b> ."""
        ).encode(),
        format=RdfFormat.TURTLE,
    )
    derived = Reasoner(store).derive("liuren", NamedNode("urn:2") if bound else None)
    subjects = sorted(quad.subject.value for quad in derived)
    assert subjects == (["urn:2", "urn:2"] if bound else ["urn:1", "urn:2", "urn:2"])
    assert Quad(NamedNode("urn:2"), term("reach"), NamedNode("urn:b")) in store


def test_a_rule_of_one_art_does_not_run_for_the_other(doctrine: Doctrine) -> None:
    of_liuren, of_qimen = (set(doctrine.reasoner.of("judge", art)) for art in ("liuren", "qimen"))
    assert of_liuren
    assert not {r.name for r in of_liuren} & {r.name for r in of_qimen}


def test_a_chart_that_is_not_there_has_no_hits(doctrine: Doctrine) -> None:
    assert doctrine.reasoner.hits("liuren", "judge", "exhibits", thing("chart:nowhere")) == []
