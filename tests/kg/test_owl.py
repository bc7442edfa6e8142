"""The fast engine against HermiT, over charts that between them show every judgment that can be shown.

Both run the rules of the graph; what only one of them concludes is a failure that names rule, judgment and chart.
"""

from __future__ import annotations

import csv
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from pyoxigraph import Literal, NamedNode, Quad

import kg
from kg.errors import DataError
from kg.facts import TYPE, facts, quads, term, thing
from kg.findings import Doctrine
from kg.hermit import consistent, infer
from kg.liuren_chart import LiurenChart, cast
from kg.owl import OWL, RDFS, Export, individual, instances_of
from kg.reasoner import Reasoner
from kg.store import doctrine as new_store
from kg.store import load
from ontology import HERE, shorten

if TYPE_CHECKING:
    from tests.conftest import Crowd

Found = set[tuple[str, str, str]]
"""(property, chart, judgment or caveat)."""

HEADS = ("exhibits", "caveated", "hollow")
TABLE = Path(kg.__file__).parent / "check-charts.csv"


def table() -> list[LiurenChart]:
    """The charts of the table that ships with the package."""
    charts = []
    with TABLE.open(encoding="utf-8", newline="") as lines:
        for row in csv.DictReader(lines):
            words = {key: text for key, text in row.items() if text}
            charts.append(cast({"reading": words.pop("reading")}, **words))  # type: ignore[arg-type]
    return charts


def by_sparql(doctrine: Doctrine, charts: Iterable[LiurenChart]) -> Found:
    """What the fast engine finds in some charts."""
    found: Found = set()
    for chart in charts:
        casting = doctrine.cast(chart)
        node = NamedNode(chart.iri)
        for quad in casting.quads:
            for head in HEADS:
                if (
                    quad.subject == node
                    and quad.predicate == term(head)
                    and isinstance(quad.object, NamedNode)
                ):
                    found.add((head, chart.iri, quad.object.value))
    return found


def by_hermit(reasoner: Reasoner, charts: Iterable[LiurenChart], folder: Path) -> Found:
    """What HermiT finds in some charts, under the rules of a reasoner."""
    export = Export(reasoner)
    for chart in charts:
        export.add_chart(quads(facts(chart)))
    return infer(export.n_triples(), folder)


def disagreements(doctrine: Doctrine, fast: Found, slow: Found) -> list[str]:
    """Rule, judgment and chart of what only one engine finds."""
    rules = {rule.form: rule.name for rule in doctrine.reasoner.rules if rule.form}
    said = []
    for head, chart, judgment in sorted(fast ^ slow):
        forms = [q.object for q in doctrine.store.quads_for_pattern(NamedNode(judgment), term("form"), None)]
        rule = rules[shorten(forms[0].value)] if isinstance(forms[0], NamedNode) else "?"  # type: ignore[union-attr]
        only = "SPARQL" if (head, chart, judgment) in fast else "HermiT"
        said.append(f"{rule}: {shorten(judgment)} {head} {chart.rpartition('/')[2]} by {only} only")
    return said


# The engines agree


def representatives(doctrine: Doctrine, charts: Iterable[LiurenChart]) -> list[LiurenChart]:
    """Charts out of some that between them hit every rule with every relation that all of them hit.

    HermiT takes a second a chart; each rule with each relation is an Imp of its own, so these exercise every Imp.
    """
    by_iri = {chart.iri: chart for chart in charts}
    hit = {
        iri: {
            (f.hit.rule.name, f.hit.bindings.get("RELATION"), f.hollow) for f in doctrine.cast(chart).findings
        }
        for iri, chart in by_iri.items()
    }
    wanted = set().union(*hit.values())
    chosen: list[LiurenChart] = []
    while wanted:
        best = max(hit, key=lambda iri: len(hit[iri] & wanted))
        wanted -= hit[best]
        chosen.append(by_iri[best])
    return chosen


def test_both_engines_find_the_same(doctrine: Doctrine, tmp_path: Path) -> None:
    """Charts of the table that show every rule with every relation, and the other schools at four moments."""
    charts = representatives(doctrine, table())
    assert len(charts) > 20
    options = {"void": "lin", "stages": "element", "noble": "yangniu", "jiyue": "eighteen", "shehai": "depth"}
    for moment, reading in (
        ("2025-04-10T12:00", "base"),
        ("2025-04-20T12:00", "base"),
        ("2025-04-20T12:00", "established"),
        ("2024-09-03T04:30", "established"),
    ):
        charts.append(cast(options | {"reading": reading}, instant=moment, tz="Asia/Shanghai"))
    fast, slow = by_sparql(doctrine, charts), by_hermit(doctrine.reasoner, charts, tmp_path)
    assert {head for head, _, _ in slow} == set(HEADS)
    assert not disagreements(doctrine, fast, slow)
    assert fast == slow


def test_the_charts_of_the_table_show_what_the_720_lessons_show(doctrine: Doctrine, crowd: Crowd) -> None:
    shown = {judgment for head, _, judgment in by_sparql(doctrine, table()) if head == "exhibits"}
    missing = set().union(*crowd.exhibits.values()) - shown
    assert not sorted(map(shorten, missing))


# A fault is found


CORRUPTED = {
    "rule:initial-to-lodge": ("RELATION(?b, ?l)", "RELATION(?l, ?b)"),
    "rule:general-at-palace": ("over(?t, ?u)", "over(?u, ?t)"),
    "rule:kin-void": ("VoidPlace(?t)", "transmits(?c, ?t)"),
}
"""Rules with one of their atoms, and what it is corrupted to: turned about, or weakened."""


def test_a_corrupted_rule_is_caught_by_name(doctrine: Doctrine, tmp_path: Path) -> None:
    store = new_store()
    for rule, (right, wrong) in CORRUPTED.items():
        (quad,) = store.quads_for_pattern(thing(rule), term("body"), None)
        assert isinstance(quad.object, Literal)
        assert quad.object.value.count(right) == 1
        store.remove(quad)
        store.add(Quad(quad.subject, quad.predicate, Literal(quad.object.value.replace(right, wrong))))
    charts = [cast(day="甲戌", hour="午", general="酉"), cast(day="庚寅", hour="辰", general="巳")]
    said = disagreements(doctrine, by_sparql(doctrine, charts), by_hermit(Reasoner(store), charts, tmp_path))
    names = [chart.iri.rpartition("/")[2] for chart in charts]
    # 申 punishes 寅, not 寅 申; 辰 lies over 卯, not 卯 over it; 辰 generates 庚 and is not void.
    assert f"rule:initial-to-lodge: judgment:xingshang-initial exhibits {names[0]} by SPARQL only" in said
    assert f"rule:general-at-palace: judgment:jiaohe-mao-rushi exhibits {names[1]} by SPARQL only" in said
    assert f"rule:kin-void: judgment:guai-initial exhibits {names[1]} by HermiT only" in said
    assert {line.partition(": ")[0] for line in said} == set(CORRUPTED)


# The ontology is consistent


def test_ontology_and_doctrine_are_consistent(doctrine: Doctrine, tmp_path: Path) -> None:
    assert consistent(doctrine.store, tmp_path) > 5000


SUBCLASS = NamedNode(RDFS + "subClassOf")
CLASS = NamedNode(OWL + "Class")


@pytest.mark.parametrize(
    ("triples", "reason"),
    [
        ([(thing("branch:01-zi"), TYPE, term("Stem"))], "inconsistent"),
        ([(thing("branch:01-zi"), term("element"), thing("element:02-fire"))], "inconsistent"),
        ([(thing("branch:01-zi"), term("clashes"), thing("branch:01-zi"))], "inconsistent"),
        ([(thing("element:01-wood"), term("controls"), thing("element:02-fire"))], "inconsistent"),
        (
            [
                (thing("branch:03-yin"), term(kind), thing("branch:06-si"))
                for kind in ("punishesByPower", "punishesUngratefully")
            ],
            "inconsistent",
        ),
        ([(thing("judgment:x"), TYPE, term(kind)) for kind in ("Judgment", "Caveat")], "inconsistent"),
        (
            [(term("X"), TYPE, CLASS), *((term("X"), SUBCLASS, term(kind)) for kind in ("Stem", "Branch"))],
            "can have no member",
        ),
    ],
    ids=[
        "a branch that is a stem",
        "two elements",
        "clash with itself",
        "to control what one generates",
        "a punishment of two kinds",
        "a judgment that is a caveat",
        "empty class",
    ],
)
def test_a_contradiction_is_found(
    tmp_path: Path, triples: list[tuple[NamedNode, NamedNode, NamedNode]], reason: str
) -> None:
    store = load([HERE / "cosmos.ttl", HERE / "sanshi.ttl"])
    store.extend([Quad(*triple) for triple in triples])
    with pytest.raises(DataError, match=reason):
        consistent(store, tmp_path)


# The export


def test_a_rule_with_a_relation_is_written_once_for_each(doctrine: Doctrine) -> None:
    rules = {rule.name: rule for rule in doctrine.reasoner.rules}

    def relations(name: str) -> list[str]:
        bound = instances_of(rules[name], doctrine.store)
        return sorted(shorten(row["RELATION"].value) for row in bound)

    assert relations("rule:chain-forward") == [
        "shi:controlledBy",
        "shi:controls",
        "shi:generatedBy",
        "shi:generates",
    ]
    assert relations("rule:links-backward") == ["shi:punishes"]
    assert relations("rule:month-initial") == ["shi:afflicts", "shi:favours"]
    assert list(instances_of(rules["rule:series"], doctrine.store)) == [{}]
    mutual = [(row["RELATION"], row["MUTUAL"]) for row in instances_of(rules["rule:uppers"], doctrine.store)]
    assert (term("punishes"), term("punishedBy")) in mutual
    assert (term("punishes"), term("punishes")) in mutual


def test_a_property_named_as_a_thing_gets_an_individual_of_its_own() -> None:
    assert individual(term("generates")) == thing("relation:generates")
    assert individual(thing("stage:01-changsheng")) == thing("relation:stage-01-changsheng")
    assert individual(thing("branch:01-zi")) == thing("branch:01-zi")


def test_a_document_of_which_nothing_is_read_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="read no class"):
        infer("", tmp_path)
