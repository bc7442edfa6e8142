"""The tables of the Qi Men board as small integers, read once from `ontology/qimen.ttl`.

A symbol's number is the number of its IRI: palaces 1–9 (Luo Shu), stars 1–9 (by home palace), doors 1–8 (休
生 傷 杜 景 死 驚 開), spirits 1–11, terms 1–24 from 立春. Tables indexed by such a number have an empty place
0. Stems are 0–9 and branches 0–11, as in `kg.cosmos`. Only the properties the engine counts with are kept, so
that this costs milliseconds.
"""

from __future__ import annotations

from typing import NamedTuple

from pyoxigraph import Literal, NamedNode, RdfFormat, parse

from ontology import HERE, THINGS


class Symbol(NamedTuple):
    """A palace, star, door or spirit: its prefixed name, its Chinese label and its single character."""

    id: str
    name: str
    sign: str


class Layout(NamedTuple):
    """How a term counts: +1 in 陽遁 or -1 in 陰遁, and the 局 numbers of its upper, middle and lower 元."""

    step: int
    ju: tuple[int, int, int]


_KEPT = frozenset(
    "branch dun home instrument juLower juMiddle juUpper label layingOrder nextClockwise notation "
    "oppositePalace seat serves".split()
)


def _read() -> dict[tuple[str, str], dict[int, list[str]]]:
    """{(kind, property): {number: values}}; of an IRI only the local name is kept, as `2-kun`."""
    rows: dict[tuple[str, str], dict[int, list[str]]] = {}
    for quad in parse(path=str(HERE / "qimen.ttl"), format=RdfFormat.TURTLE):
        prop = quad.predicate.value.replace("#", "/").rpartition("/")[2]
        if prop not in _KEPT or not isinstance(quad.subject, NamedNode):
            continue
        kind, _, local = quad.subject.value.removeprefix(THINGS).partition("/")
        value = quad.object
        if not local[:1].isdigit() or (isinstance(value, Literal) and value.language in ("ko", "en")):
            continue
        text = value.value if isinstance(value, Literal) else getattr(value, "value", "").rpartition("/")[2]
        rows.setdefault((kind, prop), {}).setdefault(_number(local), []).append(text)
        rows.setdefault((kind, "id"), {})[_number(local)] = [f"{kind}:{local}"]
    return rows


def _number(local: str) -> int:
    return int(local.partition("-")[0])


def _symbols(kind: str) -> tuple[Symbol, ...]:
    ids, names, signs = (_ROWS[kind, prop] for prop in ("id", "label", "notation"))
    return Symbol("", "", ""), *(Symbol(ids[n][0], names[n][0], signs[n][0]) for n in sorted(ids))


def _column(kind: str, prop: str, length: int) -> tuple[int, ...]:
    """A property as a tuple by number, 0 where a symbol has none; values are numbers or numbered IRIs."""
    rows = _ROWS[kind, prop]
    return tuple(_number(rows[n][0]) if n in rows else 0 for n in range(length))


def _ring() -> tuple[int, ...]:
    following, ring = _column("palace", "nextClockwise", 10), [1]
    while following[ring[-1]] != 1:
        ring.append(following[ring[-1]])
    return tuple(ring)


def _branch_palaces() -> tuple[int, ...]:
    rows = _ROWS["palace", "branch"]
    by_branch = {_number(branch) - 1: palace for palace, branches in rows.items() for branch in branches}
    return tuple(by_branch[branch] for branch in range(12))


def _spirit_seats(dun: str) -> tuple[int, ...]:
    """The spirit of each seat 1–9 where the names that serve `dun` (yang or yin) are the ones in use."""
    serves = _ROWS["spirit", "serves"]
    seats = {
        int(seat[0]): spirit
        for spirit, seat in _ROWS["spirit", "seat"].items()
        if serves.get(spirit, [dun])[0] == dun
    }
    return 0, *(seats[n] for n in range(1, 10))


def _layouts() -> tuple[Layout, ...]:
    duns = _ROWS["term", "dun"]
    upper, middle, lower = (_column("term", "ju" + third, 25) for third in ("Upper", "Middle", "Lower"))
    rows = (
        Layout(1 if duns[n][0] == "yang" else -1, (upper[n], middle[n], lower[n]))
        for n in range(1, len(duns) + 1)
    )
    return Layout(0, (0, 0, 0)), *rows


_ROWS = _read()

PALACES, STARS, DOORS, SPIRITS = (_symbols(kind) for kind in ("palace", "star", "door", "spirit"))

RING = _ring()
"""The eight outer palaces clockwise from 坎: 1 8 3 4 9 2 7 6."""

OPPOSITE = _column("palace", "oppositePalace", 10)
"""The palace across the centre; 0 for the centre itself."""

BRANCH_PALACE = _branch_palaces()
"""The palace of each branch."""

DOOR_HOME = _column("door", "home", len(DOORS))
"""The palace where each door is at home."""

HOME_DOOR = tuple(DOOR_HOME.index(palace) if palace in DOOR_HOME[1:] else 0 for palace in range(10))
"""The door at home in each palace; none (0) in palace 5."""

SEATS = {+1: _spirit_seats("yang"), -1: _spirit_seats("yin")}
"""The spirit of each seat 1–9 by 遁: 勾陳, 朱雀 in 陽遁 and 白虎, 玄武 in 陰遁 name two seats; 6 is 太常."""

_ORDER = _column("stem", "layingOrder", 11)
LAYING_ORDER = tuple(_ORDER.index(place) - 1 for place in range(1, 10))
"""The stems in the order in which the earth plate is laid: 戊己庚辛壬癸丁丙乙."""

INSTRUMENTS = tuple(number - 1 for number in _column("decade", "instrument", 7)[1:])
"""The instrument of each decade from 甲子: 戊己庚辛壬癸."""

LAYOUTS = _layouts()
"""How each term counts, by its number."""
