"""One chart by look-ups: the same answers as SPARQL, rule by rule, in either art."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from pyoxigraph import NamedNode, Quad, RdfFormat, Store

from kg import liuren_chart, qimen_chart
from kg.facts import Chart, facts, quads, term
from kg.findings import Doctrine
from kg.reasoner import Reasoner
from kg.walk import Walk
from ontology import prefixes

CHARTS: list[Chart] = [
    liuren_chart.cast(day="庚申", hour="子", general="亥", month="寅", year="巳"),
    liuren_chart.cast({"void": "lin", "reading": "base"}, instant="2025-02-19T23:42", tz="Asia/Shanghai"),
    qimen_chart.cast(instant="2026-02-18T22:59", tz="Asia/Shanghai", birth="1980-05-05T10:00+08:00"),
    qimen_chart.cast(
        {"plate": "flying", "qmg": "any", "tomb": "element"}, dun="陽", ju=7, hour="子", day="乙卯"
    ),
]


@contextmanager
def held(doctrine: Doctrine, chart: Chart) -> Iterator[NamedNode]:
    """A chart in the store of the doctrine, with all that is derived of it, for as long as it is looked at."""
    node = NamedNode(chart.iri)
    asserted = quads(facts(chart))
    doctrine.store.extend(asserted)
    added = [*asserted, *doctrine.reasoner.conclude(chart.art, node).quads]
    try:
        yield node
    finally:
        for quad in added:
            doctrine.store.remove(quad)


@pytest.mark.parametrize("chart", CHARTS, ids=[chart.iri.rpartition("/")[2] for chart in CHARTS])
def test_look_ups_find_what_sparql_finds(doctrine: Doctrine, chart: Chart) -> None:
    reasoner = doctrine.reasoner
    wrong = []
    held_rows = 0
    with held(doctrine, chart) as node:
        look = reasoner.look(node)
        for rule in reasoner.rules:
            if rule.stratum == "cosmic" or rule.art not in (None, chart.art):
                continue
            walked = sorted(sorted((k, v.value) for k, v in row.items()) for row in reasoner.walk(rule, look))
            asked = sorted(sorted((k, v.value) for k, v in row.items()) for row in reasoner.ask(rule, node))
            held_rows += len(asked)
            if walked != asked:
                wrong.append(rule.name)
    assert held_rows > 50
    assert not wrong


def test_nothing_of_a_chart_stays_in_the_store(doctrine: Doctrine) -> None:
    size = len(doctrine.store)
    for chart in CHARTS:
        doctrine.cast(chart)
    assert len(doctrine.store) == size


# The steps, on a graph of a few facts


DATA = """
chart:one shi:next branch:01-zi , branch:02-chou ; shi:chose school:a .
branch:01-zi a shi:Yang ; shi:next branch:02-chou ; shi:clashes branch:07-wu .
branch:02-chou shi:next branch:02-chou .
chart:two shi:next branch:07-wu .
shi:next a <urn:P> . shi:clashes a <urn:P> . shi:chose a <urn:P> . shi:Yang a <urn:C> . shi:made a <urn:P> .
school:a shi:counts shi:clashes . shi:counts a <urn:P> . branch:07-wu a <urn:B> .
"""


def answers(body: str, unless: str = "") -> list[dict[str, str]]:
    """What a rule with this body finds of chart:one, by look-ups; SPARQL must find the same."""
    store = Store()
    header = "".join(f"@prefix {name}: <{iri}> ." for name, iri in prefixes().items())
    asserted = f' ; shi:unless "{unless}"' if unless else ""
    rule = f'rule:one a shi:Rule ; shi:stratum shi:derive ; shi:body "{body}" ; shi:head "made(?c, ?x)"{asserted} .'
    store.load((header + DATA + rule).encode(), format=RdfFormat.TURTLE)
    reasoner = Reasoner(store)
    (read,) = reasoner.rules
    node = NamedNode(prefixes()["chart"] + "one")

    def plain(rows: Iterator[dict[str, NamedNode]]) -> list[dict[str, str]]:
        found = [{k: v.value.replace("#", "/").rpartition("/")[2] for k, v in row.items()} for row in rows]
        return sorted(found, key=lambda row: sorted(row.items()))

    walked = plain(Walk(read).rows(reasoner.look(node)))
    assert walked == plain(reasoner.ask(read, node))
    return walked


@pytest.mark.parametrize(
    ("body", "found"),
    [
        ("next(?c, ?x)", ["01-zi", "02-chou"]),
        ("next(?c, ?x), Yang(?x)", ["01-zi"]),
        ("next(?c, ?x), differentFrom(?x, branch:01-zi)", ["02-chou"]),
        ("next(?c, ?x), next(?y, ?x), clashes(?y, branch:07-wu)", ["02-chou"]),
        ("next(?c, ?x), next(?x, ?x)", ["02-chou"]),
        ("chose(?c, school:a), next(?x, ?x)", ["02-chou"]),
        ("chose(?c, ?v), counts(?v, RELATION), next(?c, ?x), RELATION(?x, ?y)", ["01-zi"]),
        ("next(?c, ?x), RELATION(?x, branch:07-wu)", ["01-zi"]),
        ("chose(?c, school:a), Yang(?x)", ["01-zi"]),
        ("chose(?c, school:a), clashes(?x, ?y)", ["01-zi"]),
        ("next(?c, branch:07-wu), next(?c, ?x)", []),
    ],
)
def test_every_kind_of_step(body: str, found: list[str]) -> None:
    assert [row["x"] for row in answers(body)] == found


def test_an_absence_holds_where_nothing_it_names_does() -> None:
    assert [row["x"] for row in answers("next(?c, ?x)", unless="Yang(?x)")] == ["02-chou"]
    assert answers("next(?c, ?x)", unless="Yang(?x), next(?x, branch:02-chou)") == []


def test_facts_that_are_added_are_seen(doctrine: Doctrine) -> None:
    with held(doctrine, CHARTS[0]) as node:
        look = doctrine.reasoner.look(node)
        made, other = term("transmits"), NamedNode(node.value + "/place/new")
        p = look.number(made)
        before = set(look.objects[look.chart, p])
        look.add([Quad(node, made, other)])
        assert set(look.objects[look.chart, p]) - before == {look.number(other)}
        assert list(look.subjects[p, look.number(other)]) == [look.chart]
