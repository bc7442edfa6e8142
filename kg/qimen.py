"""Qi Men Dun Jia (奇門遁甲), hour charts: from 遁, 局 number and hour to the plate of nine palaces.

The engine is arithmetic on the Luo Shu. A plate at rest has every star, door and stem at home; an hour moves
the stars by one arc and the doors by another. On a turning plate (轉盤) both go rigidly round the ring of
eight palaces, and what belongs to the fifth rides with its host; on a flying plate (飛盤) both are laid in
number order through all nine.

Sources: 奇門遁甲秘笈大全 總序 and 卷一 (煙波釣叟歌, 奇門總要訣), whose conventions are the defaults; 遁甲演義
卷一 for the host of palace 5; 卷九 (天芮落離宮、中五) and 卷二十九 for the flying plate.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from operator import itemgetter
from typing import Any, NamedTuple

from kg.cosmos import HORSE, void
from kg.errors import InputError
from kg.palaces import BRANCH_PALACE, DOOR_HOME, HOME_DOOR, INSTRUMENTS, LAYING_ORDER, OPPOSITE, RING, SEATS

DUNS = {"陽": 1, "陰": -1, 1: 1, -1: -1}
PLATES = ("turning", "flying")
HOSTS = {"kun": {1: 2, -1: 2}, "kun-gen": {1: 2, -1: 8}, "gen-kun": {1: 8, -1: 2}}
SPIRIT_NAMES = ("seat", "tiger")


class Chief(NamedTuple):
    """The chief star or door: its number, its home, and the palace it comes to, raw and after hosting."""

    number: int
    home: int
    raw: int
    palace: int


class Marks(NamedTuple):
    """What hangs on a pair alone: head and instrument of its decade, its void and its post horse."""

    head: int
    instrument: int
    void: tuple[int, int]
    void_palaces: tuple[int, ...]
    horse: int
    horse_palace: int


@dataclass(frozen=True, slots=True)
class Plate:
    """A chart of nine palaces. Tuples of palaces are indexed by palace number 1–9; place 0 is empty.

    Stems are 0–9, stars, doors and spirits the numbers of `kg.palaces`, 0 where a palace has none. `earth`
    holds the stem laid in each palace, and on a turning plate the stem of palace 5 once more, second, in its
    host; `heaven` and `stars` hold what has come to each palace, guests second. `host_palace` is where palace
    5 lodges. `marks` are those of the hour, `day_marks` those of the day where one was given: this treatise
    takes the post horse from the day (卷一), most others from the hour. `star_turn` and `door_turn` count the
    steps stars and doors have moved, of 8 round the ring or of 9 through the palaces.

    >>> from kg.cosmos import STEMS, sexagenary
    >>> from kg.palaces import DOORS, SPIRITS, STARS
    >>> plate = cast("陽", 1, sexagenary("丙寅"))
    >>> STARS[plate.chief_star.number].name, plate.chief_star.palace, DOORS[plate.chief_door.number].name
    ('天蓬', 8, '休門')
    >>> [STEMS[stem] for stem in plate.heaven[7]], [STARS[star].sign for star in plate.stars[7]]
    (['己', '壬'], ['芮', '禽'])
    >>> SPIRITS[plate.spirits[8]].name, plate.chief_door.palace
    ('值符', 3)
    """

    dun: str
    ju: int
    hour: int
    day: int | None
    plate: str
    host: str
    spirit_names: str
    host_palace: int
    earth: tuple[tuple[int, ...], ...]
    heaven: tuple[tuple[int, ...], ...]
    stars: tuple[tuple[int, ...], ...]
    doors: tuple[int, ...]
    spirits: tuple[int, ...]
    chief_star: Chief
    chief_door: Chief
    star_turn: int
    door_turn: int
    marks: Marks
    day_marks: Marks | None

    @property
    def star_moan(self) -> str | None:
        """伏吟 where the stars are at home, 反吟 where they are opposite, else None.

        A flying plate turns no ring: there the chief star alone decides, by the song's 天蓬若到天英上 (卷一).

        >>> cast("陽", 1, 0).star_moan, cast("陽", 1, 1).star_moan
        ('伏吟', '反吟')
        """
        home = self.chief_star.home
        lodged = self.host_palace if home == 5 and self.plate == "turning" else home
        return _moan(lodged, self.chief_star.palace)

    @property
    def door_moan(self) -> str | None:
        """伏吟 where the doors are at home, 反吟 where they are opposite, else None."""
        return _moan(DOOR_HOME[self.chief_door.number], self.chief_door.palace)


def cast(
    dun: str | int,
    ju: int,
    hour: int,
    *,
    plate: str = "turning",
    host: str = "kun",
    spirits: str = "seat",
    day: int | None = None,
) -> Plate:
    """The plate of an hour.

    Args:
        dun: 陽 or 陰, or 1 or -1.
        ju: the 局 number, 1–9.
        hour: the pair of the hour, 0–59.
        plate: `turning` (轉盤) or `flying` (飛盤).
        host: where palace 5 lodges. `kun`: in 坤2 (總序 寄西南; 遁甲演義 卷一); `kun-gen`: in 坤2 in 陽遁,
            in 艮8 in 陰遁; `gen-kun`: the reverse. On a flying plate nothing lodges; but palace 5 has no
            door, so when 天禽 leads, the door of the host leads with it, from where it has flown to.
        spirits: `seat`: 勾陳 and 朱雀 in 陽遁, 白虎 and 玄武 in 陰遁 (卷二十九); `tiger`: the second pair
            in both.
        day: the pair of the day, 0–59, for the day's own void and post horse.

    The earth plate is laid from the palace of `ju`, up in 陽遁 and down in 陰遁. The star at home over the
    instrument of the hour's decade leads (值符) and comes to the hour stem's palace; the door at home there
    leads (值使) and walks one palace an hour from it, through 5 (卷一 值符常遣加時干，值使順逆遁宮去).

    Raises InputError for any other value.

    >>> from kg.cosmos import sexagenary
    >>> cast("陰", 5, sexagenary("甲午"), plate="flying").chief_star
    Chief(number=2, home=2, raw=2, palace=2)
    >>> cast("陽", 10, 0)
    Traceback (most recent call last):
    kg.errors.InputError: ju: '10' is not accepted; give a number from 1 to 9
    """
    step = DUNS.get(dun)
    if step is None:
        raise InputError("dun", dun, "陽 or 陰")
    if ju not in _JU_NUMBERS:
        raise InputError("ju", ju, "a number from 1 to 9")
    if plate not in PLATES:
        raise InputError("plate", plate, " or ".join(PLATES))
    if host not in HOSTS:
        raise InputError("host", host, ", ".join(HOSTS))
    if spirits not in SPIRIT_NAMES:
        raise InputError("spirits", spirits, " or ".join(SPIRIT_NAMES))
    marks = _MARKS[_pair("hour", hour)]
    turning = plate == "turning"
    host_palace = HOSTS[host][step]

    earth, seats = _earth(step, ju, host_palace if turning else 0)
    stem = hour % 10
    home = seats[marks.instrument]
    lodged = host_palace if home == 5 else home
    star_raw = seats[stem or marks.instrument]
    door_raw = (home - 1 + step * stem) % 9 + 1
    if turning:
        star_palace = host_palace if star_raw == 5 else star_raw
        door_palace = host_palace if door_raw == 5 else door_raw
        star_turn = (_PLACE[star_palace] - _PLACE[lodged]) % 8
        door_turn = (_PLACE[door_palace] - _PLACE[lodged]) % 8
        moves = _TURNS
    else:
        star_turn = (star_raw - home) % 9
        door_turn = (door_raw - home) % 9
        star_palace = star_raw
        door_palace = (lodged - 1 + door_turn) % 9 + 1
        moves = _FLIGHTS
    moved = moves[star_turn]
    return Plate(
        dun="陽" if step == 1 else "陰",
        ju=ju,
        hour=hour,
        day=day,
        plate=plate,
        host=host,
        spirit_names=spirits,
        host_palace=host_palace,
        earth=earth,
        heaven=moved(earth),
        stars=moved(_STARS_AT_REST[host_palace if turning else 0]),
        doors=moves[door_turn](HOME_DOOR),
        spirits=_spirits(step, star_palace, turning, step if spirits == "seat" else -1),
        chief_star=Chief(home, home, star_raw, star_palace),
        chief_door=Chief(HOME_DOOR[lodged], home, door_raw, door_palace),
        star_turn=star_turn,
        door_turn=door_turn,
        marks=marks,
        day_marks=None if day is None else _MARKS[_pair("day", day)],
    )


def drawn(pair: int) -> int:
    """The stem on the plate for that of a pair, 0–59: for 甲, which is never drawn, an instrument.

    It is the instrument of the pair's own decade, not always 戊 (卷一 甲子戊、甲戌己、甲申庚…).
    Raises InputError where `pair` is out of range.

    >>> from kg.cosmos import STEMS, sexagenary
    >>> STEMS[drawn(sexagenary("甲申"))], STEMS[drawn(sexagenary("乙酉"))]
    ('庚', '乙')
    """
    stem = _pair("pair", pair) % 10
    return INSTRUMENTS[pair // 10] if stem == 0 else stem


def _moan(home: int, palace: int) -> str | None:
    return "伏吟" if palace == home else "反吟" if palace == OPPOSITE[home] else None


def _pair(field: str, value: int) -> int:
    if value in _PAIRS:
        return value
    raise InputError(field, value, "the number of a pair, 0 (甲子) to 59 (癸亥)")


@cache
def _earth(step: int, ju: int, host: int) -> tuple[tuple[tuple[int, ...], ...], tuple[int, ...]]:
    """The earth plate of a 局, the stem of 5 again in `host` unless that is 0; the palace of each stem."""
    palaces = [(ju - 1 + step * count) % 9 + 1 for count in range(9)]
    laid = dict(zip(palaces, LAYING_ORDER, strict=True))
    earth = ((laid[p], laid[5]) if p == host else (laid[p],) for p in range(1, 10))
    seats = dict(zip(LAYING_ORDER, palaces, strict=True))
    return ((), *earth), tuple(seats.get(stem, 0) for stem in range(10))


@cache
def _spirits(step: int, start: int, turning: bool, names: int) -> tuple[int, ...]:
    """The spirit of each palace, in seat order from `start`: round the ring without seat 6, or all nine."""
    order = [spirit for seat, spirit in enumerate(SEATS[names]) if seat and not (turning and seat == 6)]
    where = (
        [RING[(_PLACE[start] + step * count) % 8] for count in range(8)]
        if turning
        else [(start - 1 + step * count) % 9 + 1 for count in range(9)]
    )
    placed = dict(zip(where, order, strict=True))
    return tuple(placed.get(palace, 0) for palace in range(10))


def _marks(pair: int) -> Marks:
    branches = void(pair)
    palaces = tuple(sorted({BRANCH_PALACE[branch] for branch in branches}))
    horse = HORSE[pair % 12]
    return Marks(pair - pair % 10, INSTRUMENTS[pair // 10], branches, palaces, horse, BRANCH_PALACE[horse])


_Move = Callable[[Sequence[Any]], tuple[Any, ...]]
"""What takes a plate at rest, as a tuple by palace, to the plate where everything has moved on."""


def _turn(steps: int) -> _Move:
    sources = [0] * 10
    for place, palace in enumerate(RING):
        sources[RING[(place + steps) % 8]] = palace
    return itemgetter(*sources)


def _flight(steps: int) -> _Move:
    return itemgetter(0, *((palace - 1 - steps) % 9 + 1 for palace in range(1, 10)))


def _stars_at_rest(host: int) -> tuple[tuple[int, ...], ...]:
    return (), *((star, 5) if star == host else (star,) for star in range(1, 10))


_JU_NUMBERS = range(1, 10)
_PAIRS = range(60)
_PLACE = {palace: place for place, palace in enumerate(RING)}
_TURNS = tuple(_turn(steps) for steps in range(8))
_FLIGHTS = tuple(_flight(steps) for steps in range(9))
_STARS_AT_REST = {host: _stars_at_rest(host) for host in (0, 2, 8)}
_MARKS = tuple(_marks(pair) for pair in _PAIRS)
