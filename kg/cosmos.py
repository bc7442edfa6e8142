"""The tables of the cosmos as tuples of small integers, read once from `ontology/cosmos.ttl`.

The chart engines count with these; nothing here is typed twice. Stems 甲…癸 are 0–9, branches 子…亥 0–11,
elements 木火土金水 0–4 (each generates the next and controls the one after), pairs 甲子…癸亥 0–59.
"""

from __future__ import annotations

from functools import cache

from pyoxigraph import Literal, NamedNode, RdfFormat, parse

from kg.errors import InputError
from ontology import HERE, shorten

STEMS = "甲乙丙丁戊己庚辛壬癸"
BRANCHES = "子丑寅卯辰巳午未申酉戌亥"
ELEMENTS = "木火土金水"


@cache
def table(module: str) -> dict[str, dict[str, list[str]]]:
    """A module of the ontology as {subject: {property: [objects]}} in prefixed names.

    >>> table("cosmos.ttl")["stem:01-jia"]["shi:lodge"]
    ['branch:03-yin']
    """
    rows: dict[str, dict[str, list[str]]] = {}
    for quad in parse(path=str(HERE / module), format=RdfFormat.TURTLE):
        if not isinstance(quad.subject, NamedNode):
            continue
        value = (
            quad.object.value
            if isinstance(quad.object, Literal)
            else shorten(getattr(quad.object, "value", ""))
        )
        rows.setdefault(shorten(quad.subject.value), {}).setdefault(shorten(quad.predicate.value), []).append(
            value
        )
    return rows


def number(name: str) -> int:
    """The place of a numbered symbol in its cycle, from 0: `branch:03-yin` is 2."""
    return int(name.partition(":")[2][:2]) - 1


@cache
def names(kind: str) -> tuple[str, ...]:
    """The prefixed names of the numbered symbols of a kind, in their order.

    >>> names("branch")[0]
    'branch:01-zi'
    """
    return tuple(sorted(name for name in (*_COSMOS, *_LIUREN) if name.startswith(f"{kind}:")))


def _column(prefix: str, length: int, prop: str) -> tuple[int, ...]:
    by_number = {
        number(s): number(row[prop][0]) for s, row in _COSMOS.items() if s.startswith(prefix) and prop in row
    }
    return tuple(by_number[i] for i in range(length))


def _seats(prop: str) -> tuple[int, int, int]:
    """The first, middle and last branch of a season, counted from its first month."""
    first = number(_COSMOS[prop]["shi:firstMonth"][0])
    return first, (first + 1) % 12, (first + 2) % 12


_COSMOS = table("cosmos.ttl")
_LIUREN = table("liuren.ttl")
_TRINES = [row for name, row in sorted(_COSMOS.items()) if name.startswith("trine:")]

STEM_ELEMENT = _column("stem:", 10, "shi:element")
BRANCH_ELEMENT = _column("branch:", 12, "shi:element")
LODGE = _column("stem:", 10, "shi:lodge")
"""Branch where each stem lodges (寄宮, 六壬經緯 卷一)."""


def _trine_table(value_of: str) -> tuple[int, ...]:
    """For each branch what its trine gives it: the post horse, or the branch it punishes (五行大義 卷二)."""
    values = [0] * 12
    for row in _TRINES:
        birth = number(row["shi:birth"][0])
        quarter = _seats(row["shi:punishesQuarter"][0])
        for member in range(3):
            values[(birth + 4 * member) % 12] = (birth + 6) % 12 if value_of == "horse" else quarter[member]
    return tuple(values)


PUNISHES = _trine_table("punishes")
"""Branch that each branch punishes (刑): member by member, a trine punishes a quarter of the sky."""
HORSE = _trine_table("horse")
"""Post horse (驛馬) of each branch: the branch that clashes with the birth of its trine."""

GENERALS = tuple(_LIUREN[name]["skos:notation"][0] for name in names("general"))
"""The twelve generals in their order from 貴人 (六壬經緯 卷一)."""


def _nobles() -> dict[str, tuple[tuple[int, int], ...]]:
    tables: dict[str, list[tuple[int, int]]] = {}
    for name in names("noble"):
        row = _LIUREN[name]
        school = row["shi:ofSchool"][0].partition("noble-")[2]
        tables.setdefault(school, [(0, 0)] * 10)[number(row["shi:forStem"][0])] = (
            number(row["shi:dayNoble"][0]),
            number(row["shi:nightNoble"][0]),
        )
    return {school: tuple(rows) for school, rows in tables.items()}


NOBLES = _nobles()
"""Day and night noble (天乙貴人) of each stem, by school."""


def generates(a: int, b: int) -> bool:
    """Whether element a generates element b (生).

    >>> generates(ELEMENTS.index("木"), ELEMENTS.index("火"))
    True
    """
    return (a + 1) % 5 == b


def controls(a: int, b: int) -> bool:
    """Whether element a controls element b (克).

    >>> controls(ELEMENTS.index("木"), ELEMENTS.index("土"))
    True
    """
    return (a + 2) % 5 == b


def stem(text: str) -> int:
    """The number of a stem. Raises InputError where the text is none."""
    if len(text) == 1 and text in STEMS:
        return STEMS.index(text)
    raise InputError("stem", text, f"one of {STEMS}")


def branch(text: str, field: str = "branch") -> int:
    """The number of a branch; `field` names the input in the error. Raises InputError.

    >>> branch("寅")
    2
    """
    if len(text) == 1 and text in BRANCHES:
        return BRANCHES.index(text)
    raise InputError(field, text, f"one of {BRANCHES}")


def sexagenary(text: str, field: str = "pair") -> int:
    """The number 0–59 of a pair of stem and branch. Raises InputError where there is no such pair.

    >>> sexagenary("庚申")
    56
    >>> sexagenary("甲丑")
    Traceback (most recent call last):
    kg.errors.InputError: pair: '甲丑' is not accepted; give one of the sixty pairs 甲子 … 癸亥
    """
    if len(text) == 2 and text[0] in STEMS and text[1] in BRANCHES:
        s, b = STEMS.index(text[0]), BRANCHES.index(text[1])
        if (s - b) % 2 == 0:
            return (6 * s - 5 * b) % 60
    raise InputError(field, text, "one of the sixty pairs 甲子 … 癸亥")


def pair(index: int) -> str:
    """The two characters of a pair.

    >>> pair(56)
    '庚申'
    """
    return STEMS[index % 10] + BRANCHES[index % 12]


def with_stem(text: str, field: str, first: int) -> str:
    """The pair of a branch whose cycle begins at 子 (hours) or, shifted, 寅 (months) with the stem `first`.

    五鼠遁 and 五虎遁 (三命通會 卷二): the stem of the first follows from that of the day or year. A pair is
    checked against it. Raises InputError; `field`, hour or month, names the input.

    >>> with_stem("子", "hour", 2)
    '丙子'
    """
    number = branch(text[1] if len(text) == 2 else text, field)
    steps = number if field == "hour" else (number - 2) % 12
    full = STEMS[(first + steps) % 10] + BRANCHES[number]
    if len(text) == 2 and text != full:
        raise InputError(field, text, f"{full[1]} or {full}")
    return full


def void(index: int) -> tuple[int, int]:
    """The two branches that the decade of a pair leaves out (空亡, 六壬經緯 卷四).

    >>> [BRANCHES[b] for b in void(sexagenary("庚申"))]
    ['子', '丑']
    """
    head = (index - index % 10) % 12
    return (head - 2) % 12, (head - 1) % 12
