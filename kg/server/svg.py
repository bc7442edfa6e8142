"""The boards as SVG: the Liuren plate, its lessons and transmissions; the nine palaces of Qimen.

Drawn from the stable JSON of a chart. Colours, fonts and strokes are in the style sheet, by class, so that a
board follows light and dark. Each has a title and a description; the page has the same as a table.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from html import escape
from typing import Any

from markupsafe import Markup

from kg.cosmos import BRANCHES
from kg.server.words import Words

CELL = 120
"""The side of a palace of the Liuren plate."""
SEATS = dict(
    zip(
        "巳午未申辰酉卯戌寅丑子亥",
        ((0, 0), (1, 0), (2, 0), (3, 0), (0, 1), (3, 1), (0, 2), (3, 2), (0, 3), (1, 3), (2, 3), (3, 3)),
        strict=True,
    )
)
"""Column and row of each earth branch, south above as boards have it."""
PALACE = 168
"""The side of a palace of Qimen."""
LUO = {4: (0, 0), 9: (1, 0), 2: (2, 0), 3: (0, 1), 5: (1, 1), 7: (2, 1), 8: (0, 2), 1: (1, 2), 6: (2, 2)}
"""Column and row of each palace, south above."""

Chart = Mapping[str, Any]


def plate(chart: Chart, words: Words) -> Markup:
    """The heaven plate over the twelve palaces, and the pillars in the middle.

    >>> from kg.findings import shared
    >>> from kg.chart_json import casting_json
    >>> from kg.liuren_chart import cast_pillars
    >>> from kg.server.words import words
    >>> drawn = plate(casting_json(shared().cast(cast_pillars("庚申", "子", "亥")))["chart"], words("en"))
    >>> drawn.count('class="seat'), '<text x="50" y="68" class="big">辰</text>' in drawn
    (12, True)
    """
    names = [words.initial, words.middle, words.final]
    badges: dict[str, list[str]] = {}
    for sign, transmission in zip("初中末", chart["transmissions"], strict=True):
        badges.setdefault(transmission["branch"], []).append(sign)
    drawn: list[str] = []
    for place in chart["plate"]:
        column, row = SEATS[place["earth"]]
        heaven = place["heaven"]
        marks = badges.get(heaven, [])
        void = heaven in chart["void"]
        drawn.append(f'<g transform="translate({column * CELL} {row * CELL})">')
        drawn.append(_box(CELL, CELL, "seat moving" if marks else "seat"))
        if void:
            drawn.append('<circle cx="50" cy="52" r="27" class="void"/>')
        drawn.append(_text(50, 68, "big", heaven))
        drawn.append(_text(50, 104, "name", place["general"]))
        drawn.append(_text(102, 108, "ground", place["earth"]))
        drawn += [_badge(CELL - 30, 6 + 27 * n, mark) for n, mark in enumerate(marks)]
        drawn.append("</g>")
    drawn += _pillars(chart, words)
    moved = ", ".join(
        f"{name} {transmission['branch']} ({transmission['general']})"
        for name, transmission in zip(names, chart["transmissions"], strict=True)
    )
    seats = ", ".join(f"{p['heaven']} / {p['earth']}" for p in chart["plate"])
    about = f"{words.heaven} / {words.earth}: {seats}. {moved}. {words.void}: {''.join(chart['void'])}."
    return _svg("plate", 4 * CELL, 4 * CELL, words.chart_plate, about, drawn)


def _pillars(chart: Chart, words: Words) -> list[str]:
    """The four pillars from the right, month general and voids, in the middle of the plate."""
    drawn = [f'<g transform="translate({CELL} {CELL})">']
    for number, name in enumerate(("year", "month", "day", "hour")):
        pillar = chart["pillars"][name] or "—"
        x = 204 - 56 * number
        drawn.append(_text(x, 36, "tiny", words[f"pillar_{name}"]))
        signs = pillar if len(pillar) == 2 else f" {pillar}"
        for line, sign in enumerate(signs):
            drawn.append(_text(x, 76 + 38 * line, "pillar day" if name == "day" else "pillar", sign))
    noble = {True: words.day_noble, False: words.night_noble}[chart["daytime"]]
    drawn.append(_text(120, 150, "note", f"{words.field_general} {chart['general']}"))
    drawn.append(_text(120, 175, "note", noble))
    drawn.append(_text(120, 200, "note", f"{words.void} {''.join(chart['void'])}"))
    method = chart["method"] + ("" if chart["subtype"] == chart["method"] else f"·{chart['subtype']}")
    drawn.append(_text(120, 225, "note", method))
    drawn.append("</g>")
    return drawn


def lessons(chart: Chart, words: Words) -> Markup:
    """The four lessons, read from the right, over the three transmissions."""
    drawn: list[str] = []
    told: list[str] = []
    for number, lesson in enumerate(chart["lessons"]):
        x = 420 - 120 * number
        drawn.append(_text(x, 26, "note", f"{number + 1}"))
        drawn.append(_text(x, 58, "name", lesson["general"]))
        drawn.append(_text(x, 106, "big", lesson["upper"]))
        drawn.append(_text(x, 154, "pillar day" if number == 0 else "pillar", lesson["lower"]))
        told.append(
            f"{words.lesson} {number + 1}: {lesson['upper']} / {lesson['lower']} ({lesson['general']})"
        )
    drawn.append('<path d="M20 180H460" class="rule"/>')
    names = (words.initial, words.middle, words.final)
    for row, (name, sign, given) in enumerate(zip(names, "初中末", chart["transmissions"], strict=True)):
        y = 232 + 64 * row
        if given["void"]:
            drawn.append(f'<circle cx="262" cy="{y - 16}" r="27" class="void"/>')
        drawn.append(_badge(36, y - 30, sign))
        drawn.append(_text(130, y - 6, "name", given["kin"]))
        drawn.append(_text(206, y - 4, "pillar", given["hidden_stem"] or "○"))
        drawn.append(_text(262, y, "big", given["branch"]))
        drawn.append(_text(346, y - 6, "name", given["general"]))
        drawn.append(_text(430, y - 4, "ground", given["palace"]))
        void = f", {words.void}" if given["void"] else ""
        told.append(f"{name}: {given['branch']} ({given['kin']}, {given['general']}{void})")
    return _svg("lessons", 480, 384, words.chart_lessons, "; ".join(told) + ".", drawn)


def palaces(chart: Chart, words: Words, *, natal: bool = False) -> Markup:
    """The nine palaces: spirit above, star with heaven stems, door with earth stems, and the marks.

    >>> from kg.findings import shared
    >>> from kg.chart_json import casting_json
    >>> from kg.qimen_chart import cast
    >>> from kg.server.words import words
    >>> drawn = palaces(casting_json(shared().cast(cast(dun="陽", ju=1, hour="丙寅")))["chart"], words("ko"))
    >>> drawn.count('class="seat'), "값" in drawn, "천반" in drawn
    (9, False, True)
    """
    drawn: list[str] = []
    told: list[str] = []
    for place in chart["palaces"]:
        number = place["number"]
        column, row = LUO[number]
        drawn.append(f'<g transform="translate({column * PALACE} {row * PALACE})">')
        chief = number in (chart["chief_star"]["palace"], chart["chief_door"]["palace"])
        drawn.append(_box(PALACE, PALACE, "seat moving" if chief else "seat"))
        drawn.append(_text(20, 27, "ground", place["name"]))
        drawn.append(_text(40, 26, "note", str(number)))
        marks = qimen_marks(chart, place)
        drawn += [_badge(PALACE - 30 - 26 * n, 6, mark) for n, mark in enumerate(reversed(marks))]
        middle = PALACE / 2
        if place["spirit"]:
            drawn.append(_text(middle, 60, "name", place["spirit"]))
        drawn.append(_text(50, 106, "name", " ".join(star[1:] for star in place["star"])))
        drawn.append(_text(118, 110, "pillar day", "".join(place["heaven"])))
        drawn.append(_text(50, 146, "name", place["door"] or ""))
        drawn.append(_text(118, 150, "pillar", "".join(place["earth"])))
        drawn.append("</g>")
        parts = [place["spirit"], *place["star"], place["door"]]
        told.append(
            f"{place['name']} {number}: {' '.join(part for part in parts if part)} "
            f"{words.heaven} {''.join(place['heaven']) or '—'}, {words.earth} {''.join(place['earth']) or '—'}"
            + (f" ({''.join(marks)})" if marks else "")
        )
    name, title = ("natal", words.chart_natal) if natal else ("palaces", words.chart_palaces)
    return _svg(name, 3 * PALACE, 3 * PALACE, title, "; ".join(told) + ".", drawn)


def qimen_marks(chart: Chart, place: Chart) -> list[str]:
    """The marks of a palace: 符 and 使 where the chief star and door stand, 空 void, 馬 the horse."""
    number = place["number"]
    marks = {
        "符": chart["chief_star"]["palace"] == number,
        "使": chart["chief_door"]["palace"] == number,
        "空": place["void"],
        "馬": chart["horse_palace"] == number,
    }
    return [mark for mark, stands in marks.items() if stands]


def liuren_marks(chart: Chart, heaven: str) -> list[str]:
    """The marks of a branch of the heaven plate: 初 中 末 where it is a transmission, 空 where void.

    >>> liuren_marks({"transmissions": [{"branch": b} for b in "酉未未"], "void": ["未"]}, "未")
    ['中', '末', '空']
    """
    assert heaven in BRANCHES
    signs = [sign for sign, t in zip("初中末", chart["transmissions"], strict=True) if t["branch"] == heaven]
    return signs + (["空"] if heaven in chart["void"] else [])


def _svg(name: str, width: int, height: int, title: str, about: str, drawn: Iterable[str]) -> Markup:
    head = (
        f'<svg class="board {name}" viewBox="-2 -2 {width + 4} {height + 4}" role="img" '
        f'aria-labelledby="{name}-title {name}-about" xmlns="http://www.w3.org/2000/svg">'
        f'<title id="{name}-title">{escape(title)}</title><desc id="{name}-about">{escape(about)}</desc>'
    )
    return Markup(head + "".join(drawn) + "</svg>")


def _text(x: float, y: float, cls: str, text: str) -> str:
    return f'<text x="{x:g}" y="{y:g}" class="{cls}">{escape(text)}</text>'


def _box(width: int, height: int, cls: str) -> str:
    return f'<rect width="{width}" height="{height}" class="{cls}"/>'


def _badge(x: float, y: float, sign: str) -> str:
    cls = {"空": "badge hollow", "馬": "badge faint"}.get(sign, "badge")
    return (
        f'<rect x="{x:g}" y="{y:g}" width="24" height="24" rx="4" class="{cls}"/>'
        f'<text x="{x + 12:g}" y="{y + 18:g}" class="sign {cls.partition(" ")[2]}">{escape(sign)}</text>'
    )
