"""The Qimen board drawn in the terminal: nine palaces in the order of the Luo Shu, south above, and what they form."""

from __future__ import annotations

from itertools import groupby

from rich import box
from rich.cells import cell_len
from rich.console import Console, RenderableType
from rich.table import Table
from rich.text import Text

from kg.board import chosen, flow, print_findings
from kg.cosmos import BRANCHES, STEMS
from kg.facts import Chart, thing
from kg.findings import Casting
from kg.palaces import DOORS, PALACES, SPIRITS, STARS
from kg.qimen_chart import QimenChart
from kg.qimen_json import formats
from kg.topics import notes

_LUO_SHU = ((4, 9, 2), (3, 5, 7), (8, 1, 6))
_WORDS = {
    "zh": {
        "void": "空亡",
        "horse": "馬",
        "hour": "時",
        "day": "日",
        "birth": "年命",
        "host": "中五寄",
        "formats": "格",
        "chart": "全盤",
        "idle": "不計",
        "intercalary": "閏",
        "topics": "占題",
        "used": "用",
    },
    "ko": {
        "void": "공망",
        "horse": "마",
        "hour": "시",
        "day": "일",
        "birth": "연명",
        "host": "중오궁 기궁",
        "formats": "격",
        "chart": "국 전체",
        "idle": "세지 않음",
        "intercalary": "윤",
        "topics": "점제",
        "used": "쓰는 절기",
    },
    "en": {
        "void": "void",
        "horse": "post horse",
        "hour": "hour",
        "day": "day",
        "birth": "birth",
        "host": "palace 5 lodges in",
        "formats": "formats",
        "chart": "whole chart",
        "idle": "does not count",
        "intercalary": "intercalary",
        "topics": "topics",
        "used": "by",
    },
}


def board(chart: QimenChart) -> RenderableType:
    """The nine palaces: spirit and marks, stars, door, and to their right the heaven stems over the earth stems.

    空 marks a void palace, 馬 that of the hour's post horse, 符 and 使 the chief star and the chief door.
    """
    grid = Table(box=box.SQUARE, show_header=False, show_lines=True, padding=(0, 1))
    for row in _LUO_SHU:
        grid.add_row(*(_palace(chart, number) for number in row))
    return grid


def _palace(chart: QimenChart, number: int) -> Text:
    plate = chart.plate
    marks = plate.day_marks if chart.options["void"] == "day" else plate.marks
    signs = "".join(
        sign
        for sign, there in (
            ("空", marks is not None and number in marks.void_palaces),
            ("馬", number == plate.marks.horse_palace),
            ("符", number == plate.chief_star.palace),
            ("使", number == plate.chief_door.palace),
        )
        if there
    )
    stars = "".join(STARS[star].sign if n else STARS[star].name for n, star in enumerate(plate.stars[number]))
    rows = (
        (SPIRITS[plate.spirits[number]].name if plate.spirits[number] else "", signs),
        (stars, "".join(STEMS[stem] for stem in plate.heaven[number])),
        (
            DOORS[plate.doors[number]].name if plate.doors[number] else "",
            "".join(STEMS[stem] for stem in plate.earth[number]),
        ),
        ("", f"{PALACES[number].sign}{number}"),
    )
    return Text("\n".join(_wide(left, 8) + _wide(right, 8) for left, right in rows))


def _wide(text: str, width: int) -> str:
    """A text filled with blanks to a width in columns of the terminal.

    >>> _wide("天芮禽", 8) + "|"
    '天芮禽  |'
    """
    return text + " " * (width - cell_len(text))


def _head(chart: QimenChart, words: dict[str, str]) -> list[Text]:
    plate, ju = chart.plate, chart.ju
    pillars = " ".join(
        f"{text}{unit}" for text, unit in zip(chart.pillars.values(), "年月日時", strict=True) if text
    )
    layout = f"{plate.dun}遁{plate.ju}局"
    if ju is not None:
        layout += f" {ju.yuan}元 {ju.term}"
        if ju.term_used != ju.term or ju.intercalary:
            layout += (
                f"（{words['used']} {ju.term_used}{'·' + words['intercalary'] if ju.intercalary else ''}）"
            )
        layout += f" {ju.method}"
    star, door = plate.chief_star, plate.chief_door
    of = [(words["hour"], plate.marks), (words["day"], plate.day_marks)]
    void = [f"{name} {''.join(BRANCHES[b] for b in marks.void)}" for name, marks in of if marks is not None]
    horse = [f"{name} {BRANCHES[marks.horse]}{marks.horse_palace}" for name, marks in of if marks is not None]
    hung = [f"{words[what]} {' '.join(each)}" for what, each in (("void", void), ("horse", horse))]
    chiefs = [
        f"{name} {symbol.name} {PALACES[chief.palace].sign}{chief.palace}"
        + (f"（{PALACES[chief.raw].sign}{chief.raw}）" if chief.raw != chief.palace else "")
        for name, symbol, chief in (("值符", STARS[star.number], star), ("值使", DOORS[door.number], door))
    ]
    lines = [Text(f"{pillars}  {layout}", style="bold"), Text("  ".join((*chiefs, *hung)))]
    if chart.birth is not None:
        born = (getattr(chart.birth, name) for name in ("year", "month", "day", "hour"))
        lines.append(Text(f"{words['birth']} {' '.join(text for text in born if text)}"))
    if plate.plate == "turning":
        host = plate.host_palace
        lines.append(Text(f"{words['host']} {PALACES[host].sign}{host}", style="dim"))
    if chart.moment is not None:
        lines.append(Text(chart.moment.instant.isoformat(), style="dim"))
    return lines


def _formats(casting: Casting[Chart], language: str) -> list[Text]:
    """The formats, palace by palace, each with its luck; in brackets those that 庚 hinders from counting."""
    words, verbaliser = _WORDS[language], casting.doctrine.verbaliser(language)
    lines = []
    for number, rows in groupby(formats(casting), key=lambda row: row["palace"]):
        where = f"{PALACES[number].sign}{number}" if number else words["chart"]
        line = Text(f"{words['formats']} {where}  ", style="dim")
        for row in rows:
            name = row["name"]
            if language != "zh":
                name += f" {verbaliser.label(thing(row['id']))}"
            style = {"吉": "green", "凶": "red", "平": ""}[row["luck"]]
            text = f"{name}·{row['luck']}"
            line.append(text if row["counts"] else f"（{text}·{words['idle']}）", style=style)
            line.append("  ")
        lines.append(line)
    return lines


def draw(
    casting: Casting[QimenChart], language: str, console: Console, topics: list[str] | None = None
) -> None:
    """Print the board, the formats and the findings; and the topics that can be asked, where none was."""
    chart = casting.chart
    for line in _head(chart, _WORDS[language]):
        console.print(line)
    console.print(chosen(chart, console))
    console.print(board(chart))
    for line in _formats(casting, language):
        console.print(line)
    print_findings(casting, language, console)
    for note in notes(casting, language):
        console.print(Text(note, style="dim"))
    if topics:
        console.print()
        listed = [f"{_WORDS[language]['topics']} (--topic): {topics[0]}", *topics[1:]]
        console.print(Text(flow(listed, console.width, "、" if language == "zh" else ", "), style="dim"))
