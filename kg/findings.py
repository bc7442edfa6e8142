"""Findings: what the doctrine says of one chart, each with its clause, its reasons, its facets and its apparatus."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field, replace
from functools import cache, cached_property
from itertools import product
from typing import Any, Generic, TypeVar

from pyoxigraph import NamedNode, Quad, Store

from kg.clauses import Clause, Clauses
from kg.conclusions import Hit
from kg.explain import LANGUAGES, Verbaliser
from kg.facts import TYPE, Chart, facts, quads, term
from kg.naming import Shown
from kg.reasoner import Reasoner
from kg.store import doctrine, instances, value, values
from ontology import TERMS, shorten

GIVING = TERMS + "giving"
"""The property by which an input says how it is given."""
STARS = ("placeKin", "placeStage", "placeStrength", "toDay", "mark")
"""The properties whose values are the stars that a branch is (所屬何煞, 六壬經緯 卷四)."""
PLACES = {
    "initial": ("initial",),
    "middle": ("middle",),
    "final": ("final",),
    "uponStem": ("upon_stem",),
    "uponBranch": ("upon_branch",),
    "runs": ("initial", "middle", "final"),
    "transmitsTrine": ("initial", "middle", "final"),
    "joinsTrine": ("initial", "middle", "final"),
}
"""The places whose facets a finding gives, by the predicate through which its rule reads the chart."""
_ROLES = {term(name): PLACES[name][0] for name in ("initial", "middle", "final", "uponStem", "uponBranch")}


@dataclass(frozen=True, slots=True)
class Finding:
    """A judgment that holds in a chart."""

    iri: str
    clause: Clause
    hit: Hit = field(repr=False)
    hollow: bool
    hollowed_by: tuple[Clause, ...]
    facets: Mapping[str, Mapping[str, Any]]
    contradicts: tuple[str, ...] = ()
    """The findings of the same casting that say the contrary, by IRI."""
    overrides: tuple[str, ...] = ()
    overridden_by: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Omission:
    """Judgments of a heading that could not be asked, or only of some of their signs (`partly`), for want of an input."""

    heading: str
    judgments: int
    needs: str
    how: str
    input: str = ""
    """The IRI of the input."""
    partly: bool = False


C = TypeVar("C", bound=Chart)
Cast = TypeVar("Cast", bound=Chart, covariant=True)


@dataclass(frozen=True)
class Casting(Generic[Cast]):
    """A chart, all that was derived of it, and what the doctrine finds in it."""

    chart: Cast
    places: Mapping[str, Mapping[str, Any]]
    findings: tuple[Finding, ...]
    omitted: tuple[Omission, ...]
    quads: tuple[Quad, ...] = field(repr=False)
    doctrine: Doctrine = field(repr=False)

    natal: Casting[Cast] | None = None
    """The casting of the birth, on which a question about a whole life is judged; its findings are among ours."""

    def because(self, finding: Finding, language: str) -> list[str]:
        """The sentences that say why a finding holds."""
        if self.natal is not None and finding.hit.chart.value == self.natal.chart.iri:
            return self.natal.because(finding, language)
        return self.doctrine.verbaliser(language).because(finding.hit, self.shown)

    def remarks(self, finding: Finding, language: str) -> list[str]:
        """What is to be said beside the reasons: what the clause presupposes, what its letter needs."""
        words = self.doctrine.verbaliser(language)
        clause = finding.clause
        said = [words.wording("proviso", clause.proviso)] if clause.proviso else []
        return said + ([words.wording("FlyingPlateMatter")] if clause.flying else [])

    def withheld(self, omission: Omission, language: str) -> str:
        """What could not be asked, and what is to be given, in a sentence."""
        words, need = self.doctrine.verbaliser(language), NamedNode(omission.input)
        name = "narrowed" if omission.partly else "withheld"
        giving = words.text(need, GIVING)
        return words.wording(name, omission.heading, str(omission.judgments), words.label(need), giving)

    @cached_property
    def shown(self) -> Shown:
        """By what the signs of the chart are shown."""
        return Shown(self.quads)

    @property
    def said(self) -> tuple[Quad, ...]:
        """All that was asserted and derived, of the chart of the birth too."""
        natal = () if self.natal is None else self.natal.quads
        return tuple(dict.fromkeys((*self.quads, *natal)))

    def about(self, *headings: str) -> Casting[Cast]:
        """The casting with the findings and omissions of some headings alone."""
        findings = tuple(f for f in self.findings if f.clause.heading in headings)
        return replace(
            self, findings=findings, omitted=tuple(o for o in self.omitted if o.heading in headings)
        )


class Doctrine:
    """The doctrine ready to be asked: its store, its rules, its clauses. Not for use by several threads at once."""

    def __init__(self, store: Store | None = None) -> None:
        self.store = store if store is not None else doctrine()
        self.reasoner = Reasoner(self.store)
        self._verbalisers = {
            language: Verbaliser(self.store, language, self.reasoner.rules) for language in LANGUAGES
        }
        self.clause = Clauses(self.store, self._verbalisers)

    def verbaliser(self, language: str) -> Verbaliser:
        """The verbaliser of a language: zh, ko or en."""
        return self._verbalisers[language]

    @cached_property
    def _needs(self) -> dict[tuple[NamedNode, bool, str, str], Counter[str]]:
        """The headings with the number of judgments that need an input, by the input, whether they need it for some
        of their signs alone, reading of the text, and art.
        """
        counted: dict[tuple[NamedNode, bool, str, str], Counter[str]] = {}
        zh = self._verbalisers["zh"]
        for node in instances(self.store, "Judgment"):
            patterns = [h for h in values(self.store, node, "pattern") if isinstance(h, NamedNode)]
            headings = [zh.label(pattern) for pattern in patterns]
            works = [w for pattern in patterns for w in values(self.store, pattern, "treatise")]
            arts = {
                value(self.store, w, "art").removeprefix(TERMS) for w in works if isinstance(w, NamedNode)
            }
            readings = [
                shorten(reading.value).partition(":")[2] for reading in values(self.store, node, "reading")
            ]
            forms = [form for form in values(self.store, node, "form") if isinstance(form, NamedNode)]
            needs = {
                (need, partly)
                for form in forms
                for partly, predicate in enumerate(("needs", "needsPartly"))
                for need in values(self.store, form, predicate)
                if isinstance(need, NamedNode)
            }
            for (need, partly), reading, art in product(needs, readings, arts):
                counted.setdefault((need, bool(partly), reading, art), Counter()).update(headings)
        return counted

    def cast(self, chart: C, topics: Collection[NamedNode] | None = None) -> Casting[C]:
        """Assert a chart, run the rules, gather the findings; the store is left as it was.

        Of a Qimen chart only the judgments of `topics`, if given (`kg.topics.ask` also sees to what a topic needs).
        A chart that the store held before stays in it, with what is now derived of it.
        """
        node = NamedNode(chart.iri)
        asserted = quads(facts(chart))
        conclusion = self.reasoner.conclude(chart.art, node, topics, asserted)
        added = [*asserted, *conclusion.quads]
        places = self._places(node, added)
        if any(self.store.quads_for_pattern(node, TYPE, term("Chart"))):
            self.store.extend(added)
        base = chart.options["reading"] == "base"
        met = {hit.judgment: hit for hit in conclusion.caveats}
        findings = []
        for hit in conclusion.hits:
            clause = self.clause(hit.judgment, base)
            hollow = hit.judgment in conclusion.hollow
            hollowed = [self.clause(c, base) for c in met] if hollow else []
            findings.append(
                Finding(
                    f"{chart.iri}/finding/{hit.judgment.value.rpartition('/')[2]}",
                    clause,
                    hit,
                    hollow,
                    tuple(c for c in hollowed if c.heading == clause.heading),
                    {role: places[role]["facets"] for role in _concerned(hit)},
                )
            )
        findings.sort(key=lambda f: (f.clause.place, f.iri))
        return Casting(chart, places, _related(findings), self._omissions(chart), tuple(added), self)

    def _places(self, chart: NamedNode, said: list[Quad]) -> dict[str, dict[str, Any]]:
        """The transmissions and uppers of a chart, with what is said of each."""
        roles = {
            quad.predicate: quad.object
            for quad in said
            if quad.subject == chart and quad.predicate in _ROLES and isinstance(quad.object, NamedNode)
        }
        if not roles:
            return {}
        held = Store()
        held.extend(said)
        return {_ROLES[role]: self._place(held, roles[role]) for role in _ROLES if role in roles}

    def _place(self, held: Store, place: NamedNode) -> dict[str, Any]:
        """What is derived of a place: its kin, whether it is void, its facets."""
        return {
            "kin": self._first(held, place, "placeKin"),
            "void": any(held.quads_for_pattern(place, TYPE, term("VoidPlace"))),
            "facets": self._facets(held, place),
        }

    def _facets(self, held: Store, place: NamedNode) -> dict[str, Any]:
        """所乘 所屬 所臨 of a place: its general, its stars, the branch beneath and the stars of that."""
        (beneath,) = values(held, place, "over")
        assert isinstance(beneath, NamedNode)
        return {
            "branch": self._first(held, place, "branch"),
            "general": self._first(held, place, "rides"),
            "stars": self._stars(held, place),
            "palace": self._first(held, beneath, "branch"),
            "palace_stars": self._stars(held, beneath),
        }

    def _first(self, held: Store, node: NamedNode, predicate: str) -> str:
        found = values(held, node, predicate)[0]
        assert isinstance(found, NamedNode)
        return self._verbalisers["zh"].label(found)

    def _stars(self, held: Store, place: NamedNode) -> list[str]:
        zh = self._verbalisers["zh"]
        return [zh.label(v) for p in STARS for v in values(held, place, p) if isinstance(v, NamedNode)]

    def _omissions(self, chart: Chart) -> tuple[Omission, ...]:
        en, missing = (
            self._verbalisers["en"],
            [term(name) for name, given in chart.inputs.items() if not given],
        )
        return tuple(
            Omission(heading, count, en.label(need), en.text(need, GIVING), need.value, partly)
            for partly, need in product((False, True), missing)
            for heading, count in self._needs.get(
                (need, partly, chart.options["reading"], chart.art), Counter()
            ).items()
        )


def _related(findings: list[Finding]) -> tuple[Finding, ...]:
    """The findings, each with those beside it that say the contrary, or that set it or are set by it aside."""
    iris = {finding.clause.iri: finding.iri for finding in findings}
    against: dict[str, set[str]] = {iri: set() for iri in iris.values()}
    above: dict[str, list[str]] = {iri: [] for iri in iris.values()}
    below: dict[str, list[str]] = {iri: [] for iri in iris.values()}
    for finding in findings:
        for other in sorted(iris[iri] for iri in finding.clause.contradicts & iris.keys()):
            against[finding.iri].add(other)
            against[other].add(finding.iri)
        for other in sorted(iris[iri] for iri in finding.clause.overrides & iris.keys()):
            below[finding.iri].append(other)
            above[other].append(finding.iri)
    return tuple(
        replace(
            finding,
            contradicts=tuple(sorted(against[finding.iri])),
            overrides=tuple(below[finding.iri]),
            overridden_by=tuple(sorted(above[finding.iri])),
        )
        if against[finding.iri] or above[finding.iri] or below[finding.iri]
        else finding
        for finding in findings
    )


def _concerned(hit: Hit) -> list[str]:
    """The roles whose facets a finding gives, in the order in which its rule reads the chart."""
    return list(dict.fromkeys(role for atom in hit.rule.body for role in PLACES.get(atom.predicate, ())))


@cache
def shared() -> Doctrine:
    """The doctrine of this process, built at the first call."""
    return Doctrine()
