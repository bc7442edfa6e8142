"""A Qimen chart as facts: the triples that assert it, positive and complete.

A chart has nine *seats*, each a palace with what is laid on its earth plate and what has come to it. Every stem of
the heaven plate, star, door and spirit is also a *placement*, so that what is derived of it (strength, tomb, the
signs it stands for) is said once. Only what the board gives is asserted; the rest is for `ontology/qimen-rules.ttl`.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

from pyoxigraph import Literal, NamedNode, Triple

from kg import qimen
from kg.cosmos import BRANCHES, STEMS, names, sexagenary, table
from kg.facts import TYPE, date_time, given, term, thing
from kg.palaces import BRANCH_PALACE, DOORS, OPPOSITE, PALACES, SPIRITS, STARS
from kg.qimen_chart import QimenChart
from kg.schools import chosen

_MOANS = {"伏吟": "format:fuyin", "反吟": "format:fanyin"}
_BIRTH_SIGNS = {
    "year": "sign:life-stem",
    "month": "sign:birth-month-stem",
    "day": "sign:birth-day-stem",
    "hour": "sign:birth-hour-stem",
}
_CLASSES = {
    "stem": ("Placement", "PlainPlacement"),
    "star": ("Placement", "BodyPlacement"),
    "door": ("Placement", "BodyPlacement", "PlainPlacement"),
    "spirit": ("Placement", "BodyPlacement", "PlainPlacement"),
}


@dataclass(frozen=True, slots=True)
class _Tables:
    """The nodes of the symbols of a board by their numbers, and of elements by symbol, local names by symbol."""

    stem: tuple[NamedNode, ...]
    branch: tuple[NamedNode, ...]
    pair: tuple[NamedNode, ...]
    palace: tuple[NamedNode, ...]
    star: tuple[NamedNode, ...]
    door: tuple[NamedNode, ...]
    spirit: tuple[NamedNode, ...]
    element: dict[NamedNode, NamedNode]
    local: dict[NamedNode, str]
    term: dict[str, NamedNode]


@cache
def _tables() -> _Tables:
    nobody = NamedNode("urn:sanshi:none")  # the place 0 of tables that are counted from 1
    boards = {"palace": PALACES, "star": STARS, "door": DOORS, "spirit": SPIRITS}
    kinds = {kind: tuple(thing(name) for name in names(kind)) for kind in ("stem", "branch", "pair")}
    for kind, symbols in boards.items():
        kinds[kind] = (nobody, *(thing(symbol.id) for symbol in symbols[1:]))
    rows = table("cosmos.ttl") | table("qimen.ttl")
    rows |= {name: row | rows[name] for name, row in table("cosmos.ttl").items() if name.startswith("stem:")}
    element = {
        thing(name): thing(row["shi:element"][0]) for name, row in rows.items() if "shi:element" in row
    }
    local = {
        node: f"{kind}.{node.value.rpartition('/')[2]}"
        for kind in ("stem", "star", "door", "spirit")
        for node in kinds[kind]
        if node != nobody
    }
    terms = {
        row["rdfs:label"][0]: thing(name) for name, row in table("cosmos.ttl").items() if name[:5] == "term:"
    }
    return _Tables(**kinds, element=element, local=local, term=terms)


def qimen_facts(chart: QimenChart) -> list[Triple]:
    """The triples of a chart (奇門遁甲秘笈大全 卷一; the earth plate's spirits: 遁甲演義 卷二 地下直符).

    >>> from kg.qimen_chart import cast
    >>> triples = qimen_facts(cast(dun="陽", ju=1, hour="甲子"))
    >>> sum(1 for t in triples if t.predicate == term("hasSeat"))
    9
    """
    tables, node = _tables(), NamedNode(chart.iri)
    seats = [NamedNode(f"{chart.iri}/seat/{palace.id.partition(':')[2]}") for palace in PALACES]
    placements = {symbol: NamedNode(f"{chart.iri}/fall/{local}") for symbol, local in tables.local.items()}
    out = _of_chart(chart, node)
    for number in range(1, 10):
        out += _earth(chart.plate, number, node, seats, placements)
        out += _heaven(chart.plate, number, node, seats[number], placements)
    plate = chart.plate
    out.append(Triple(node, term("chiefStar"), placements[tables.star[plate.chief_star.number]]))
    out.append(Triple(node, term("chiefDoor"), placements[tables.door[plate.chief_door.number]]))
    out.append(Triple(node, term("chiefStarRaw"), seats[plate.chief_star.raw]))
    out.append(Triple(node, term("chiefDoorRaw"), seats[plate.chief_door.raw]))
    out.append(Triple(node, term("centreSeat"), seats[5]))
    return out


def _earth(
    plate: qimen.Plate,
    number: int,
    node: NamedNode,
    seats: list[NamedNode],
    placements: dict[NamedNode, NamedNode],
) -> list[Triple]:
    """A seat: its palace, what is laid in it, and what is at home there, as the plate at rest shows."""
    tables, seat, palace = _tables(), seats[number], _tables().palace[number]
    rest = _at_rest(plate.dun, plate.ju, plate.marks.head, plate.plate, plate.host, plate.spirit_names)
    said = [
        (seat, TYPE, term("Seat")),
        (node, term("hasSeat"), seat),
        (seat, term("seatPalace"), palace),
        (seat, term("seatElement"), tables.element[palace]),
        (seat, term("ownStem"), tables.stem[plate.earth[number][0]]),
        *((seat, term("earthStem"), tables.stem[stem]) for stem in plate.earth[number]),
        *((seat, term("seatBranch"), tables.branch[b]) for b, p in enumerate(BRANCH_PALACE) if p == number),
    ]
    if OPPOSITE[number]:
        said.append((seat, term("oppositeSeat"), seats[OPPOSITE[number]]))
    if rest.spirits[number]:
        said.append((seat, term("earthSpirit"), tables.spirit[rest.spirits[number]]))
    at_home = [tables.star[star] for star in rest.stars[number]]
    if rest.doors[number]:
        at_home.append(tables.door[rest.doors[number]])
    for symbol in at_home:
        said.append((seat, term("homeHolds"), symbol))
        said.append((seat, term("homeOf"), placements[symbol]))
    return [Triple(*words) for words in said]


@cache
def _at_rest(dun: str, ju: int, head: int, plate: str, host: str, spirits: str) -> qimen.Plate:
    """The plate of the hour that begins a decade: all at home, and the spirits laid from the chief star's home."""
    return qimen.cast(dun, ju, head, plate=plate, host=host, spirits=spirits)


def _heaven(
    plate: qimen.Plate, number: int, node: NamedNode, seat: NamedNode, placements: dict[NamedNode, NamedNode]
) -> list[Triple]:
    """What has come to a seat, each thing as a placement."""
    tables = _tables()
    come = [("stem", "heavenStem", tables.stem[stem]) for stem in plate.heaven[number]]
    come += [("star", "star", tables.star[star]) for star in plate.stars[number]]
    if plate.doors[number]:
        come.append(("door", "door", tables.door[plate.doors[number]]))
    if plate.spirits[number]:
        come.append(("spirit", "spirit", tables.spirit[plate.spirits[number]]))
    out: list[Triple] = []
    for kind, predicate, symbol in come:
        placement = placements[symbol]
        element = tables.element.get(symbol) or tables.element[tables.palace[number]]
        out += [Triple(placement, TYPE, term(cls)) for cls in _CLASSES[kind]]
        out.append(Triple(node, term("hasPlacement"), placement))
        if kind in ("stem", "star"):
            out.append(Triple(node, term(f"places{kind.title()}"), placement))
        out.append(Triple(placement, term("symbol"), symbol))
        out.append(Triple(placement, term("standsFor"), symbol))
        out.append(Triple(placement, term("elementHere"), element))
        out.append(Triple(placement, term("fallsIn"), seat))
        out.append(Triple(seat, term(predicate), symbol))
    return out


def _of_chart(chart: QimenChart, node: NamedNode) -> list[Triple]:
    """What is said of the chart itself: what it was cast from, its schools and its pillars."""
    plate, tables = chart.plate, _tables()
    out = [Triple(node, TYPE, term("Chart")), Triple(node, TYPE, term("QimenChart"))]

    def say(predicate: str, value: NamedNode | Literal) -> None:
        out.append(Triple(node, term(predicate), value))

    for value in chosen("qimen", chart.options):
        say("chose", thing(value))
    for need in given(chart):
        say("given", need)
    say("dun", thing("polarity:yang" if plate.dun == "陽" else "polarity:yin"))
    say("ju", Literal(plate.ju))
    say("hostPalace", tables.palace[plate.host_palace])
    say("hourPair", tables.pair[plate.hour])
    say("leadPair", tables.pair[plate.marks.head])
    if plate.day is not None:
        say("dayPair", tables.pair[plate.day])
    if chart.month is not None:
        say("monthBranch", tables.branch[chart.month])
    if year := chart.pillars["year"]:
        say("yearBranch", tables.branch[BRANCHES.index(year[-1])])
    for predicate, moan in (("starMoan", plate.star_moan), ("doorMoan", plate.door_moan)):
        if moan is not None:
            say(predicate, thing(_MOANS[moan]))
    if chart.moment is not None and chart.ju is not None:
        at = chart.moment
        say("instant", date_time(at.instant))
        say("termInForce", tables.term[chart.ju.term])
        say("termUsed", tables.term[chart.ju.term_used])
        say("monthGeneral", tables.branch[at.month_general])
        # 月將加時: with the month general on the hour, 卯 is as far from the hour (卷十六 太沖天馬方)
        say("taichongBranch", tables.branch[(at.hour_branch + BRANCHES.index("卯") - at.month_general) % 12])
    pillars = [(name, text, f"sign:{name}-stem") for name, text in chart.pillars.items()]
    if chart.birth is not None:
        pillars += [
            (f"birth-{name}", getattr(chart.birth, name), sign) for name, sign in _BIRTH_SIGNS.items()
        ]
    for name, text, sign in pillars:
        if text is not None and text[0] in STEMS:
            pillar = NamedNode(f"{chart.iri}/pillar/{name}")
            out.append(Triple(pillar, TYPE, term("Pillar")))
            say("hasPillar", pillar)
            out.append(Triple(pillar, term("pillarPair"), tables.pair[sexagenary(text)]))
            out.append(Triple(pillar, term("pillarSign"), thing(sign)))
    return out
