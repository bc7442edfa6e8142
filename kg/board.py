"""The Liuren board drawn in the terminal: the heaven plate over the twelve palaces, lessons, transmissions, findings."""

from __future__ import annotations

from collections.abc import Iterable

from pyoxigraph import NamedNode
from rich.cells import cell_len
from rich.console import Console, Group, RenderableType
from rich.panel import Panel
from rich.table import Table
from rich.text import Text

from kg.cosmos import BRANCHES, GENERALS, STEMS
from kg.facts import Chart
from kg.findings import GIVING, Casting, Finding
from kg.liuren_chart import LiurenChart
from kg.store import values

_RING = ("巳午未申", "辰  酉", "卯  戌", "寅丑子亥")
"""The palaces as a board shows them, south above."""

_BESIDE = {
    "zh": ("相反", "所掩", "為之所掩", "註"),
    "ko": ("상반", "덮는 조", "덮이는 조", "주"),
    "en": ("against", "sets aside", "set aside by", "note"),
}
"""What a finding is called that says the contrary, is set aside, or sets aside; and a remark."""

_WORDS = {
    "zh": ("四課", "三傳", "空亡", "月將", "虛", "因", "校", "未問", "所乘", "所屬", "所臨", "未盡問"),
    "ko": (
        "사과",
        "삼전",
        "공망",
        "월장",
        "허",
        "까닭",
        "교감",
        "묻지 못함",
        "소승",
        "소속",
        "소임",
        "일부만 물음",
    ),
    "en": (
        "lessons",
        "transmissions",
        "void",
        "month general",
        "hollow",
        "because",
        "reading",
        "not asked",
        "rides",
        "is",
        "over",
        "asked in part",
    ),
}


def flow(words: Iterable[str], width: int, between: str = " ") -> str:
    """Words set in lines of a width in columns, none of them broken.

    >>> flow(["reading=established", "void=xun", "noble=yangniu"], 30)
    'reading=established void=xun\\nnoble=yangniu'
    """
    lines, tail = [""], between.rstrip()
    for word in words:
        longer = lines[-1] + between + word if lines[-1] else word
        if lines[-1] and cell_len(longer + tail) > width:
            lines[-1] += tail
            lines.append(word)
        else:
            lines[-1] = longer
    return "\n".join(lines)


def chosen(chart: Chart, console: Console) -> Text:
    """The schools under which a chart was cast, in the width of the terminal."""
    return Text(flow((f"{key}={value}" for key, value in chart.options.items()), console.width), style="dim")


def board(casting: Casting[LiurenChart]) -> RenderableType:
    """The plate: in each palace the general and heaven branch, and beneath them the earth branch."""
    plate = casting.chart.plate
    grid = Table.grid(padding=(0, 2))
    for row in _RING:
        cells = []
        for earth in row:
            if earth == " ":
                cells.append(Text(" " * 6))
                continue
            heaven = plate.heaven(BRANCHES.index(earth))
            style = "bold" if heaven in plate.transmissions else ""
            cells.append(
                Text(f"{GENERALS[plate.generals[heaven]]}{BRANCHES[heaven]}\n    {earth}", style=style)
            )
        grid.add_row(*cells)
    return Panel(grid, expand=False)


def lessons(casting: Casting[LiurenChart], language: str) -> RenderableType:
    """The four lessons, read from the right, over the three transmissions."""
    plate = casting.chart.plate
    words = _WORDS[language]
    table = Table.grid(padding=(0, 2))
    columns = list(plate.lessons)[::-1]
    table.add_row(Text(words[0], style="dim"), *(GENERALS[plate.generals[upper]] for upper, _ in columns))
    table.add_row("", *(BRANCHES[upper] for upper, _ in columns))
    lowers = [BRANCHES[lower] for _, lower in columns]
    lowers[3] = STEMS[plate.day % 10]
    table.add_row("", *lowers)
    sequence = Table.grid(padding=(0, 2))
    head = f"{words[1]} {plate.method}" + ("" if plate.subtype == plate.method else f"·{plate.subtype}")
    for role, number in zip(("initial", "middle", "final"), plate.transmissions, strict=True):
        hidden = plate.hidden[number]
        derived = casting.places[role]
        sequence.add_row(
            derived["kin"],
            ("　" if hidden is None else STEMS[hidden]) + BRANCHES[number],
            GENERALS[plate.generals[number]],
            "空" if derived["void"] else "",
        )
    return Group(table, Text(head, style="dim"), sequence)


def finding_text(finding: Finding, casting: Casting[Chart], language: str) -> RenderableType:
    """A finding of either art: its clause, its gloss, why it holds, what is around it, and what bears on its text."""
    words = _WORDS[language]
    clause = finding.clause
    title = Text(clause.heading, style="bold")
    if clause.name:
        title.append(f" · {clause.name}", style="bold cyan")
    if finding.hollow:
        title.append(f"  （{words[4]}）", style="yellow")
    title.append(f"  {clause.locator}", style="dim")
    lines = [title, Text(f"  「{clause.quote}」")]
    lines.append(Text(f"  {clause.glosses['ko' if language == 'ko' else 'en']}", style="italic"))
    for sentence in casting.because(finding, language):
        lines.append(Text(f"  {words[5]} {sentence}", style="green"))
    for by in finding.hollowed_by:
        lines.append(Text(f"  {words[4]} 「{by.quote}」", style="yellow"))
    lines += _beside(finding, casting, language)
    # two variables may stand for one sign, which is then described once
    described = dict.fromkeys(
        f"  {facets['branch']} {words[8]} {facets['general']} · {words[9]} {'、'.join(facets['stars'])}"
        f" · {words[10]} {facets['palace']}（{'、'.join(facets['palace_stars'])}）"
        for facets in finding.facets.values()
    )
    lines += [Text(line, style="dim") for line in described]
    for reading in clause.readings:
        judged = _judged(NamedNode(reading["iri"]), casting, language)
        lines.append(
            Text(f"  {words[6]} {reading['base']} → {reading['proposed']}（{judged}）", style="magenta")
        )
    return Group(*lines)


def _judged(emendation: NamedNode, casting: Casting[Chart], language: str) -> str:
    """Whether a reading is adopted and how sure it is, in a language."""
    doctrine = casting.doctrine
    said = [v for key in ("status", "certainty") for v in values(doctrine.store, emendation, key)]
    return "·".join(doctrine.verbaliser(language).label(v) for v in said if isinstance(v, NamedNode))


def _beside(finding: Finding, casting: Casting[Chart], language: str) -> list[Text]:
    """The findings that say the contrary, or set this one aside or are set aside by it, with its word; remarks."""
    against, below, above, note = _BESIDE[language]
    found = {other.iri: other for other in casting.findings}
    word = f"（{finding.clause.precedence}）" if finding.clause.precedence else ""
    lines = [Text(f"  {against} 「{found[iri].clause.quote}」", style="red") for iri in finding.contradicts]
    lines += [
        Text(f"  {below}{word} 「{found[iri].clause.quote}」", style="yellow") for iri in finding.overrides
    ]
    for iri in finding.overridden_by:
        other = found[iri].clause
        by = f"（{other.precedence}）" if other.precedence else ""
        lines.append(Text(f"  {above}{by} 「{other.quote}」", style="yellow"))
    return lines + [Text(f"  {note} {remark}", style="dim") for remark in casting.remarks(finding, language)]


def draw(casting: Casting[LiurenChart], language: str, console: Console) -> None:
    """Print the board and the findings."""
    chart = casting.chart
    words = _WORDS[language]
    plate = chart.plate
    pillars = " ".join(
        f"{text}{unit}" for text, unit in zip(chart.pillars.values(), "年月日時", strict=True) if text
    )
    head = f"{pillars}  {words[3]} {BRANCHES[plate.general]}  {words[2]} {''.join(BRANCHES[b] for b in plate.void)}"
    console.print(Text(head, style="bold"))
    if chart.moment is not None:
        console.print(Text(chart.moment.instant.isoformat(), style="dim"))
    console.print(chosen(chart, console))
    side = Table.grid(padding=(0, 3))
    side.add_row(board(casting), lessons(casting, language))
    console.print(side)
    print_findings(casting, language, console)


def print_findings(casting: Casting[Chart], language: str, console: Console) -> None:
    """Print the findings of a chart of either art, and what could not be asked."""
    for finding in casting.findings:
        console.print()
        console.print(finding_text(finding, casting, language))
    if casting.chart.art == "qimen":
        for omission in casting.omitted:
            console.print(Text(casting.withheld(omission, language), style="dim"))
    elif casting.omitted:
        console.print()
        words = casting.doctrine.verbaliser(language)
        for key in dict.fromkeys((o.partly, o.input) for o in casting.omitted):
            rows = [o for o in casting.omitted if (o.partly, o.input) == key]
            named, need = "、".join(f"{o.heading} {o.judgments}" for o in rows), NamedNode(rows[0].input)
            said = f"{_WORDS[language][11 if rows[0].partly else 7]}: {named}"
            giving = words.text(need, GIVING)
            console.print(Text(f"{said} — {words.label(need)}: {giving}", style="dim"))
