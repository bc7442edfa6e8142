"""The nine methods (九宗門) by which the three transmissions of Da Liu Ren are drawn from the four lessons.

Sources: 六壬經緯 卷一 三傳, and 六壬大全 卷一 入手法, which names the methods and, where 經緯 lists only results, gives the
rule behind them. Each method gives None where it does not apply; the first that does decides.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from kg.cosmos import BRANCH_ELEMENT, HORSE, LODGE, PUNISHES, STEM_ELEMENT, controls


class Outcome(NamedTuple):
    """What a method yields: its name, the form it took, and initial, middle and final transmission."""

    method: str
    subtype: str
    transmissions: tuple[int, int, int]


class Board(NamedTuple):
    """A day under an offset: g1 g2 z1 z2 are the uppers of lessons 1 to 4; g1 is 干上, z1 支上."""

    stem: int
    branch: int
    offset: int
    shehai: str
    g1: int
    g2: int
    z1: int
    z2: int

    @property
    def yang(self) -> bool:
        """Whether the day stem is yang."""
        return self.stem % 2 == 0

    @property
    def lessons(self) -> tuple[tuple[int, int], ...]:
        """The four lessons (四課), upper and lower of each; the lower of the first is the lodge of the stem."""
        lodge = LODGE[self.stem]
        return (self.g1, lodge), (self.g2, self.g1), (self.z1, self.branch), (self.z2, self.z1)

    def strife(self) -> tuple[list[int], bool]:
        """克: uppers controlled by their lower (下賊上, True); where none is, those that control it (False).

        The lower of lesson 1 is the stem, not its lodge.
        """
        below = [STEM_ELEMENT[self.stem], *(BRANCH_ELEMENT[lower] for _, lower in self.lessons[1:])]
        pairs = [(upper, element) for (upper, _), element in zip(self.lessons, below, strict=True)]
        victims = [upper for upper, element in pairs if controls(element, BRANCH_ELEMENT[upper])]
        victors = [upper for upper, element in pairs if controls(BRANCH_ELEMENT[upper], element)]
        return victims or victors, bool(victims)

    def up(self, earth: int) -> int:
        """The branch of the heaven plate that stands over a branch of the earth plate."""
        return (earth + self.offset) % 12

    def seat(self, heaven: int) -> int:
        """The branch of the earth plate over which a branch of the heaven plate stands."""
        return (heaven - self.offset) % 12

    def chain(self, initial: int) -> tuple[int, int, int]:
        """Middle and final each stand over the one before (六壬經緯 卷一 三傳)."""
        return initial, self.up(initial), self.up(self.up(initial))


def _biyong(board: Board, candidates: Sequence[int], suffers: bool) -> tuple[int, str]:
    """One initial out of several, and how it was found: "" (it was alone), 比用 or a form of 涉害.

    六壬經緯 卷一 三傳: the polarity of the stem decides; where all or none have it, 涉害. `suffers` says
    whether the candidates are controlled or control.
    """
    distinct = list(dict.fromkeys(candidates))
    if len(distinct) == 1:
        return distinct[0], ""
    alike = [c for c in distinct if c % 2 == board.stem % 2]
    if len(alike) == 1:
        return alike[0], "比用"
    return _shehai(board, alike or distinct, suffers)


def _shehai(board: Board, tied: list[int], suffers: bool) -> tuple[int, str]:
    """涉害: by depth where the school counts it, then by the seat, 孟 before 仲, last by what is seen first.

    六壬經緯 卷一 三傳 goes straight to the seat; 六壬大全 卷一 涉害法: 渉害行来本家止
    路逢多尅為用取孟深仲淺季當休復等柔辰剛日宜. Of the 720 only 戊辰 and 戊戌 lessons come to the last step.
    """
    if board.shehai != "mengzhong":
        depths = {c: _depth(board, c, suffers) for c in tied}
        tied = [c for c in tied if depths[c] == max(depths.values())]
        if len(tied) == 1:
            return tied[0], "涉害"
    for remainder, name in ((2, "見機"), (0, "察微")):  # 寅巳申亥, then 子卯午酉
        seated = [c for c in tied if board.seat(c) % 3 == remainder]
        if len(seated) == 1:
            return seated[0], f"涉害({name})"
        if seated:
            tied = seated
            break
    by_stem, by_branch = (board.g1, board.g2), (board.z1, board.z2)
    seen = by_stem + by_branch if board.yang else by_branch + by_stem
    return next(u for u in seen if u in tied), "涉害(綴瑕)"


def _depth(board: Board, candidate: int, suffers: bool) -> int:
    """Controls met from seat to home, in branches and the stems lodged in them (六壬大全 卷五 涉害課).

    Its 亥 over 丑 meets five: 辰, 戊 in 巳, 未 and the 己 in it, 戌.
    """
    element, seat = BRANCH_ELEMENT[candidate], board.seat(candidate)
    way = range(0 if board.shehai == "depth-seat" else 1, board.offset)
    met: list[int] = []
    for earth in ((seat + step) % 12 for step in way):
        met += [BRANCH_ELEMENT[earth], *(STEM_ELEMENT[s] for s in range(10) if LODGE[s] == earth)]
    return sum(controls(other, element) if suffers else controls(element, other) for other in met)


def _fuyin(board: Board) -> Outcome | None:
    """伏吟, each branch at home: a 克 (乙 and 癸 days), else 干上 (自任) or 支上 (自信), then punishments.

    A self-punishing initial passes to the other of the two (杜傳); where punishment turns back, a clash
    ends it.
    六壬經緯 卷一 三傳 lists the results, 六壬大全 卷一 伏吟法 the rule.
    """
    if board.offset != 0:
        return None
    beset, _ = board.strife()
    if beset:
        initial, name = beset[0], "有克"
    elif board.yang:
        initial, name = board.g1, "自任"
    else:
        initial, name = board.z1, "自信"
    middle = PUNISHES[initial]
    if middle == initial:
        name += "·杜傳"
        middle = board.z1 if initial == board.g1 else board.g1
    final = PUNISHES[middle]
    if final in (middle, initial):
        final = (middle + 6) % 12
    return Outcome("伏吟", name, (initial, middle, final))


def _fanyin(board: Board) -> Outcome | None:
    """返吟, each branch facing its own place: a 克 as usual (無依), else 驛馬, 支上, 干上 (井欄射).

    六壬經緯 卷一 三傳 lists the six days without 克; 六壬大全 卷一 返吟法.
    """
    if board.offset != 6:
        return None
    found = _zeike(board)
    if found:
        return Outcome("返吟", f"無依·{found.subtype}", found.transmissions)
    return Outcome("返吟", "井欄射", (HORSE[board.branch], board.z1, board.g1))


def _zeike(board: Board) -> Outcome | None:
    """賊克, 比用 and 涉害: a lower controlling its upper comes before an upper controlling its lower.

    六壬經緯 卷一 三傳; 六壬大全 卷一 賊尅法 (一下尅上曰重審, 一上尅下曰元首), 比用法, 涉害法.
    """
    candidates, suffers = board.strife()
    if not candidates:
        return None
    initial, how = _biyong(board, candidates, suffers)
    subtype = how or ("重審" if suffers else "元首")
    return Outcome(how[:2] or "賊克", subtype, board.chain(initial))


def _bazhuan(board: Board) -> Outcome | None:
    """八專, stem and branch in one palace, no 克: third on from 干上, on a yin day third back from lesson 4.

    It asks no 克 from afar (不論遙). 六壬經緯 卷一 三傳; 六壬大全 卷一 八專法. All three alike is 獨足.
    """
    if LODGE[board.stem] != board.branch:
        return None
    initial = (board.g1 + 2) % 12 if board.yang else (board.z2 - 2) % 12
    subtype = "獨足" if initial == board.g1 else "八專"
    return Outcome("八專", subtype, (initial, board.g1, board.g1))


def _yaoke(board: Board) -> Outcome | None:
    """遙克: of lessons 2 to 4 an upper that controls the stem (蒿矢), else one the stem controls (彈射).

    六壬經緯 卷一 三傳; 六壬大全 卷一 遙尅法.
    """
    stem, far = STEM_ELEMENT[board.stem], (board.g2, board.z1, board.z2)
    arrows = [u for u in far if controls(BRANCH_ELEMENT[u], stem)]
    candidates = arrows or [u for u in far if controls(stem, BRANCH_ELEMENT[u])]
    if not candidates:
        return None
    initial, how = _biyong(board, candidates, not arrows)
    subtype = "·".join(filter(None, ("蒿矢" if arrows else "彈射", how)))
    return Outcome("遙克", subtype, board.chain(initial))


def _bieze(board: Board) -> Outcome | None:
    """別責, three lessons and no 克: over the lodge of the stem's partner, or the next of the branch's trine.

    On a yin day that branch itself (六壬經緯 卷一 三傳: 辛丑日取巳為初傳), though 六壬大全 卷一 別責法 can
    be read of what stands over it (皆以天上作初傳).
    """
    if len(set(board.lessons)) != 3:
        return None
    initial = board.up(LODGE[(board.stem + 5) % 10]) if board.yang else (board.branch + 4) % 12
    return Outcome("別責", "別責", (initial, board.g1, board.g1))


def _maoxing(board: Board) -> Outcome:
    """昴星, four lessons and no 克 near or far: a yang day looks up at 酉 (虎視), a yin day down (冬蛇掩目).

    六壬經緯 卷一 三傳; 六壬大全 卷一 昴星法.
    """
    if board.yang:
        return Outcome("昴星", "虎視", (board.up(9), board.z1, board.g1))
    return Outcome("昴星", "冬蛇掩目", (board.seat(9), board.g1, board.z1))


def transmit(board: Board) -> Outcome:
    """What the first method that applies makes of the lessons (六壬經緯 卷一 三傳).

    >>> from kg.liuren import cast
    >>> cast(56, 0, 11).method  # 庚申 day, 子 hour, 亥 as month general
    '八專'
    """
    methods = (_fuyin, _fanyin, _zeike, _bazhuan, _yaoke, _bieze, _maoxing)
    return next(found for method in methods if (found := method(board)))
