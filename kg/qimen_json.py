"""The chart of a Qimen casting as JSON: what it was cast from, the board of nine palaces, the formats found.

Keys in English, values the Chinese terms. Others parse it; it only grows.
"""

from __future__ import annotations

from typing import Any

from pyoxigraph import NamedNode

from kg import qimen
from kg.cosmos import BRANCHES, STEMS
from kg.facts import Chart, term
from kg.findings import Casting
from kg.palaces import DOORS, PALACES, SPIRITS, STARS
from kg.qimen_chart import Birth, QimenChart
from ontology import shorten

OUTER = range(1, 10)


def qimen_json(casting: Casting[Chart]) -> dict[str, Any]:
    """The chart of the JSON.

    >>> from kg.findings import shared
    >>> from kg.qimen_chart import cast
    >>> found = qimen_json(shared().cast(cast(dun="陽", ju=1, hour="丙寅")))
    >>> found["chief_star"], found["palaces"][7]["heaven"]
    ({'name': '天蓬', 'raw': 8, 'palace': 8}, ['戊'])
    >>> [f for f in found["formats"] if f["palace"] == 8][0]
    {'id': 'format:qinglong-fanshou', 'name': '青龍返首', 'palace': 8, 'luck': '吉', 'counts': True}
    """
    chart = casting.chart
    assert isinstance(chart, QimenChart)
    plate, ju, birth = chart.plate, chart.ju, chart.birth
    marks = plate.day_marks if chart.options["void"] == "day" else plate.marks
    assert marks is not None
    star, door, day = plate.chief_star, plate.chief_door, plate.day_marks
    return {
        "iri": chart.iri,
        "art": chart.art,
        "instant": None if chart.moment is None else chart.moment.instant.isoformat(),
        "pillars": dict(chart.pillars),
        "void": [BRANCHES[branch] for branch in marks.void],
        "options": dict(chart.options),
        "longitude": chart.longitude,
        "birth": None if birth is None else _birth(birth),
        "dun": plate.dun,
        "ju": plate.ju,
        "yuan": None if ju is None else ju.yuan,
        "term": None if ju is None else ju.term,
        "term_used": None if ju is None else ju.term_used,
        "intercalary": None if ju is None else ju.intercalary,
        "method": None if ju is None else ju.method,
        "palaces": [_palace(plate, number, number in marks.void_palaces) for number in OUTER],
        "chief_star": {"name": STARS[star.number].name, "raw": star.raw, "palace": star.palace},
        "chief_door": {"name": DOORS[door.number].name, "raw": door.raw, "palace": door.palace},
        "horse": BRANCHES[plate.marks.horse],
        "horse_palace": plate.marks.horse_palace,
        "day_horse": None if day is None else BRANCHES[day.horse],
        "day_horse_palace": None if day is None else day.horse_palace,
        "formats": formats(casting),
    }


def _birth(birth: Birth) -> dict[str, str | None]:
    """The pillars of a birth, null where they are not known, and its instant, from which all of them follow."""
    pillars = {name: getattr(birth, name) for name in ("year", "month", "day", "hour")}
    return {**pillars, "instant": None if birth.instant is None else birth.instant.isoformat()}


def _palace(plate: qimen.Plate, number: int, void: bool) -> dict[str, Any]:
    door, spirit = plate.doors[number], plate.spirits[number]
    return {
        "number": number,
        "name": PALACES[number].sign,
        "earth": [STEMS[stem] for stem in plate.earth[number]],
        "heaven": [STEMS[stem] for stem in plate.heaven[number]],
        "star": [STARS[star].name for star in plate.stars[number]],
        "door": DOORS[door].name if door else None,
        "spirit": SPIRITS[spirit].name if spirit else None,
        "void": void,
    }


def formats(casting: Casting[Chart]) -> list[dict[str, Any]]:
    """The formats of a chart by palace, those of the whole chart first; `counts` is false where 庚 hinders it.

    Luck is 吉, 平 or 凶 in itself (奇門遁甲秘笈大全 卷十五, 卷十).
    """
    zh, store = casting.doctrine.verbaliser("zh"), casting.doctrine.store
    counting = {term("formsAt"): False, term("standsAt"): True}
    found: dict[tuple[int, NamedNode], bool] = {}
    of_chart = []
    for quad in casting.quads:
        value = quad.object
        if not isinstance(value, NamedNode) or not isinstance(quad.subject, NamedNode):
            continue
        if quad.predicate in counting:
            key = int(quad.subject.value.rpartition("/")[2][0]), value
            found[key] = found.get(key, False) or counting[quad.predicate]
        elif quad.predicate == term("hasFormat"):
            of_chart.append(value)
    seated = {node for _, node in found}
    found |= {(0, node): True for node in of_chart if node not in seated}
    rows = []
    for (number, node), counts in sorted(found.items(), key=lambda item: (item[0][0], item[0][1].value)):
        (luck,) = (q.object for q in store.quads_for_pattern(node, term("luck"), None))
        assert isinstance(luck, NamedNode)
        rows.append(
            {
                "id": shorten(node.value),
                "name": zh.label(node),
                "palace": number or None,
                "luck": zh.label(luck),
                "counts": counts,
            }
        )
    return rows
