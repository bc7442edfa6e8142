"""Da Liu Ren (大六壬): from day, hour and month general to the plate, four lessons and three transmissions.

The engine is arithmetic on branches 0..11 (子 = 0). What the symbols are (lodges, punishments, nobles) comes
from the cosmos; what this module states is how a chart is made of them. Lessons and transmissions hang on the
day and the offset of the two plates alone, so each of the 720 is worked out once for each school of 涉害.

The nine methods of the transmissions are in `kg.methods`. Source: 六壬經緯 卷一 (四課, 三傳, 貴神), which settles the
conventions.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

from kg.cosmos import LODGE, NOBLES, void
from kg.errors import InputError
from kg.methods import Board, Outcome, transmit

SHEHAI = ("mengzhong", "depth", "depth-seat")


@dataclass(frozen=True, slots=True)
class Plate:
    """A chart: branches are 0..11 from 子, stems 0..9 from 甲, generals 0..11 from 貴人.

    `generals` and `hidden` are indexed by branch of the heaven plate; the lower of lesson 1 is the lodge of
    the day stem; `method` and `subtype` are Chinese terms, the subtype naming how the method decided.

    >>> from kg.cosmos import BRANCHES, GENERALS
    >>> plate = cast(0, 0, 5)                                  # 甲子日 子時 巳將
    >>> plate.method, plate.subtype, "".join(BRANCHES[t] for t in plate.transmissions)
    ('比用', '比用', '子巳戌')
    >>> BRANCHES[plate.heaven(0)], BRANCHES[plate.seat(0)], GENERALS[plate.generals[0]]
    ('巳', '未', '青龍')
    """

    day: int
    hour: int
    general: int
    offset: int
    daytime: bool
    shehai: str
    noble: str
    lessons: tuple[tuple[int, int], ...]
    method: str
    subtype: str
    transmissions: tuple[int, int, int]
    generals: tuple[int, ...]
    hidden: tuple[int | None, ...]
    void: tuple[int, int]

    def heaven(self, earth: int) -> int:
        """The branch of the heaven plate that stands over an earth branch (六壬經緯 卷一 月將)."""
        return (earth + self.offset) % 12

    def seat(self, heaven: int) -> int:
        """The earth branch a branch of the heaven plate comes down on (所臨)."""
        return (heaven - self.offset) % 12


def cast(
    day: int,
    hour: int,
    general: int,
    *,
    shehai: str = "mengzhong",
    noble: str = "niuyang",
    daytime: bool | None = None,
) -> Plate:
    """Cast the chart of a day (0..59), a divination hour (0..11) and a month general (0..11).

    `shehai`: how 涉害 decides, `mengzhong` (六壬經緯 卷一: the seat, 孟 then 仲), `depth` (六壬大全 卷五:
    the controls met on the way home, the seat not counted) or `depth-seat` (the seat counted). `noble`: a
    table of the cosmos, `niuyang` (甲戊庚牛羊) or `yangniu` (甲羊戊庚牛). `daytime` chooses between the day
    and the night noble; None goes by the hour, day from 卯 to 申 (六壬經緯 卷一 貴神).

    Raises InputError for a number out of range or an option that is not one of these.

    >>> cast(46, 0, 11).transmissions                          # 庚戌日 子時 亥將
    (6, 5, 4)
    >>> cast(6, 0, 10).transmissions, cast(6, 0, 10, shehai="depth").transmissions
    ((6, 4, 2), (2, 0, 10))
    >>> cast(6, 0, 10, shehai="deep")
    Traceback (most recent call last):
    kg.errors.InputError: shehai: 'deep' is not accepted; give one of mengzhong, depth, depth-seat
    """
    for field, value, size in (("day", day, 60), ("hour", hour, 12), ("general", general, 12)):
        if value not in range(size):
            raise InputError(field, value, f"a number from 0 to {size - 1}")
    if shehai not in SHEHAI:
        raise InputError("shehai", shehai, "one of " + ", ".join(SHEHAI))
    if noble not in NOBLES:
        raise InputError("noble", noble, "one of " + ", ".join(NOBLES))
    if daytime is None:
        daytime = 3 <= hour <= 8  # 卯 to 申
    elif not isinstance(daytime, bool):
        raise InputError("daytime", daytime, "True, False or None (by the hour)")
    offset = (general - hour) % 12
    chosen = NOBLES[noble][day % 10][0 if daytime else 1]
    lessons, outcome = _course(day, offset, shehai)
    inputs = day, hour, general, offset, daytime, shehai, noble
    generals, hidden = _generals(chosen, (chosen - offset) % 12), _hidden(day // 10)
    return Plate(*inputs, lessons, *outcome, generals, hidden, void(day))


@cache
def _course(day: int, offset: int, shehai: str) -> tuple[tuple[tuple[int, int], ...], Outcome]:
    """The lessons (六壬經緯 卷一 四課) and what the first method that applies makes of them."""
    stem, branch = day % 10, day % 12
    g1, z1 = (LODGE[stem] + offset) % 12, (branch + offset) % 12
    board = Board(stem, branch, offset, shehai, g1, (g1 + offset) % 12, z1, (z1 + offset) % 12)
    return board.lessons, transmit(board)


@cache
def _generals(noble: int, seat: int) -> tuple[int, ...]:
    """The general on each heaven branch: forward if the noble sits in 亥..辰 (六壬經緯 卷一 貴神)."""
    step = 1 if (seat + 1) % 12 < 6 else -1
    return tuple((heaven - noble) * step % 12 for heaven in range(12))


@cache
def _hidden(decade: int) -> tuple[int | None, ...]:
    """The stem each branch bears in a decade (六壬大全 卷九: 遁旬内之丁); the two void branches bear none."""
    steps = ((branch - 10 * decade) % 12 for branch in range(12))
    return tuple(step if step < 10 else None for step in steps)
