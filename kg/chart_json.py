"""The stable JSON of a casting: keys in English, values the Chinese terms. Others parse it; it only grows."""

from __future__ import annotations

from typing import Any

from kg.clauses import Clause
from kg.cosmos import BRANCHES, GENERALS, STEMS
from kg.facts import Chart
from kg.findings import Casting, Finding, Omission
from kg.liuren_chart import LiurenChart


def casting_json(casting: Casting[Chart], language: str = "zh") -> dict[str, Any]:
    """`{"chart": …, "findings": […], "omitted": […]}`; the sentences of `because` are in the language named.

    >>> from kg.findings import shared
    >>> from kg.liuren_chart import cast_pillars
    >>> found = casting_json(shared().cast(cast_pillars("庚申", "子", "亥", month="寅", year="巳")))
    >>> found["chart"]["transmissions"][0]["branch"], found["findings"][0]["heading"]
    ('酉', '印綬')
    """
    chart = casting.chart
    of_topics: dict[str, Any] = {}
    if isinstance(chart, LiurenChart):
        board = liuren_json(chart, casting)
    else:
        from kg import topics
        from kg.qimen_json import qimen_json

        board, natal = qimen_json(casting), casting.natal
        of_topics = {
            "natal": None if natal is None else qimen_json(natal),
            "notes": topics.notes(casting, language),
        }
    return {
        "chart": board,
        "findings": [_finding(finding, casting, language) for finding in casting.findings],
        "omitted": [_omission(omission, casting, language) for omission in casting.omitted],
        **of_topics,
    }


def _omission(omission: Omission, casting: Casting[Chart], language: str) -> dict[str, Any]:
    return {
        "heading": omission.heading,
        "judgments": omission.judgments,
        "needs": omission.needs,
        "how": omission.how,
        "partly": omission.partly,
        "sentence": casting.withheld(omission, language),
    }


def liuren_json(chart: LiurenChart, casting: Casting[Chart]) -> dict[str, Any]:
    """The chart of the JSON: what it was cast from and the board."""
    plate = chart.plate
    lessons = [
        {"upper": BRANCHES[upper], "lower": BRANCHES[lower], "general": GENERALS[plate.generals[upper]]}
        for upper, lower in plate.lessons
    ]
    lessons[0]["lower"] = STEMS[plate.day % 10]
    transmissions = []
    for role, branch in zip(("initial", "middle", "final"), plate.transmissions, strict=True):
        hidden = plate.hidden[branch]
        stars = casting.places[role]
        transmissions.append(
            {
                "branch": BRANCHES[branch],
                "general": GENERALS[plate.generals[branch]],
                "palace": BRANCHES[plate.seat(branch)],
                "kin": stars["kin"],
                "hidden_stem": None if hidden is None else STEMS[hidden],
                "void": stars["void"],
            }
        )
    return {
        "iri": chart.iri,
        "art": chart.art,
        "instant": None if chart.moment is None else chart.moment.instant.isoformat(),
        "pillars": dict(chart.pillars),
        "void": [BRANCHES[b] for b in plate.void],
        "options": dict(chart.options),
        "longitude": chart.longitude,
        "latitude": chart.latitude,
        "general": BRANCHES[plate.general],
        "month": None if chart.month is None else BRANCHES[chart.month],
        "year": None if chart.year is None else BRANCHES[chart.year],
        "daytime": plate.daytime,
        "plate": [
            {
                "earth": BRANCHES[earth],
                "heaven": BRANCHES[plate.heaven(earth)],
                "general": GENERALS[plate.generals[plate.heaven(earth)]],
            }
            for earth in range(12)
        ],
        "lessons": lessons,
        "method": plate.method,
        "subtype": plate.subtype,
        "transmissions": transmissions,
    }


def _clause(clause: Clause) -> dict[str, Any]:
    return {
        "heading": clause.heading,
        "name": clause.name,
        "quote": clause.quote,
        "text": {"lzh": clause.quote, "en": clause.glosses["en"], "ko": clause.glosses["ko"]},
        "passage": clause.passage,
        "locator": clause.locator,
    }


def _finding(finding: Finding, casting: Casting[Chart], language: str) -> dict[str, Any]:
    return {
        "iri": finding.iri,
        "judgment": finding.clause.iri,
        **_clause(finding.clause),
        "hollow": finding.hollow,
        "hollowed_by": [_clause(clause) for clause in finding.hollowed_by],
        "because": casting.because(finding, language),
        "facets": {role: dict(facets) for role, facets in finding.facets.items()},
        "readings": [dict(reading) for reading in finding.clause.readings],
        **(_beside(finding, casting, language) if casting.chart.art == "qimen" else {}),
    }


def _beside(finding: Finding, casting: Casting[Chart], language: str) -> dict[str, Any]:
    """How a finding about a topic stands to the others, what it presupposes, and of which chart it is."""
    clause = finding.clause
    return {
        "contradicts": list(finding.contradicts),
        "overrides": list(finding.overrides),
        "overridden_by": list(finding.overridden_by),
        "precedence": clause.precedence,
        "proviso": clause.proviso,
        "flying": clause.flying,
        "remarks": casting.remarks(finding, language),
        "chart": finding.hit.chart.value,
    }
