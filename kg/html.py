"""Castings, findings and answers as plain HTML that needs no style sheet: what a notebook shows.

Boards are tables with a caption, findings articles with the clause, its gloss and the reasons. Chinese is marked as
such, so that it is read aloud and set rightly. The pages of the server are another matter: they have their own templates.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from html import escape
from typing import Any

from kg.chart_json import casting_json
from kg.facts import Chart
from kg.findings import Casting, Finding

_RING = ("巳午未申", "辰  酉", "卯  戌", "寅丑子亥")
_SQUARE = ((4, 9, 2), (3, 5, 7), (8, 1, 6))
_UNITS = {"year": "年", "month": "月", "day": "日", "hour": "時"}


def table(columns: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """Rows under the names of their columns.

    >>> table(["a"], [["<b>"]])
    '<table><thead><tr><th scope="col">a</th></tr></thead><tbody><tr><td>&lt;b&gt;</td></tr></tbody></table>'
    """
    head = "".join(f'<th scope="col">{escape(column)}</th>' for column in columns)
    body = "".join("<tr>" + "".join(f"<td>{escape(cell)}</td>" for cell in row) + "</tr>" for row in rows)
    return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"


def casting_html(casting: Casting[Chart]) -> str:
    """The board of a casting, what is found in it and why, and what could not be asked.

    >>> from kg.findings import shared
    >>> from kg.liuren_chart import cast_pillars
    >>> casting_html(shared().cast(cast_pillars("庚申", "子", "亥"))).count("<article>")
    6
    """
    told = casting_json(casting, "en")
    chart = told["chart"]
    board = _liuren(chart) if chart["art"] == "liuren" else _qimen(chart)
    found = "".join(finding_html(f, casting.because(f, "en")) for f in casting.findings)
    notes = "".join(f"<p>{escape(note)}</p>" for note in told.get("notes", ()))
    omitted = "".join(f"<li>{_zh(o['heading'])}: {escape(o['sentence'])}</li>" for o in told["omitted"])
    return (
        f"<section><h3>{_zh(_title(chart))}</h3>{board}<h4>{len(casting.findings)} findings</h4>{notes}{found}"
        + (f"<h4>Not asked, or in part</h4><ul>{omitted}</ul>" if omitted else "")
        + "</section>"
    )


def finding_html(finding: Finding, because: Sequence[str]) -> str:
    """A finding: its heading and name, the clause, the gloss, the reasons, and what makes it hollow."""
    clause = finding.clause
    title = _zh(clause.heading) + (f" · {_zh(clause.name)}" if clause.name else "")
    hollow = " (hollow)" if finding.hollow else ""
    reasons = "".join(f"<li>{escape(sentence)}</li>" for sentence in because)
    by = "".join(f"<p>hollow by {_quote(caveat.quote)}</p>" for caveat in finding.hollowed_by)
    return (
        f"<article><h5>{title}{hollow}</h5><blockquote>{_quote(clause.quote)}"
        f" <cite>{_zh(clause.locator)}</cite></blockquote><p>{escape(clause.glosses['en'])}</p>"
        f"<ul>{reasons}</ul>{by}</article>"
    )


def _title(chart: Mapping[str, Any]) -> str:
    pillars = " ".join(
        f"{chart['pillars'][name]}{unit}" for name, unit in _UNITS.items() if chart["pillars"][name]
    )
    if chart["art"] == "liuren":
        return f"{pillars} {chart['general']}將 空{''.join(chart['void'])}"
    return f"{pillars} {chart['dun']}遁{chart['ju']}局 空{''.join(chart['void'])}"


def _liuren(chart: Mapping[str, Any]) -> str:
    """The plate, south above, its lessons read from the right, and the transmissions."""
    places = {place["earth"]: place for place in chart["plate"]}
    rows = []
    for ring in _RING:
        cells = [_seat(places[earth]) for earth in ring if earth != " "]
        if " " in ring:
            cells.insert(1, '<td colspan="2"></td>')
        rows.append(f"<tr>{''.join(cells)}</tr>")
    lessons = chart["lessons"][::-1]
    moved = [
        [role, t["branch"], t["general"], t["kin"], t["palace"], "yes" if t["void"] else "no"]
        for role, t in zip(("初傳", "中傳", "末傳"), chart["transmissions"], strict=True)
    ]
    return (
        f'<table lang="zh-Hant"><caption lang="en">Heaven plate over the twelve palaces</caption>{"".join(rows)}</table>'
        '<table lang="zh-Hant"><caption lang="en">Lessons, read from the right</caption>'
        + "".join(
            f'<tr>{"".join(f"<td>{escape(lesson[part])}</td>" for lesson in lessons)}<th scope="row">{part}</th></tr>'
            for part in ("general", "upper", "lower")
        )
        + "</table>"
        + table(["transmission", "branch", "general", "kin", "over", "void"], moved)
    )


def _seat(place: Mapping[str, str]) -> str:
    return f"<td>{escape(place['general'])} <b>{escape(place['heaven'])}</b><br><small>{escape(place['earth'])}</small></td>"


def _qimen(chart: Mapping[str, Any]) -> str:
    """The nine palaces, south above, and the formats in them."""
    palaces = {palace["number"]: palace for palace in chart["palaces"]}
    rows = "".join(f"<tr>{''.join(_palace(palaces[number]) for number in row)}</tr>" for row in _SQUARE)
    formats = [
        [f["name"], f["luck"], str(f["palace"] or ""), "yes" if f["counts"] else "no"]
        for f in chart["formats"]
    ]
    star, door = chart["chief_star"], chart["chief_door"]
    return (
        f'<table lang="zh-Hant"><caption lang="en">The nine palaces</caption>{rows}</table>'
        f"<p>chief star {_zh(star['name'])} in palace {star['palace']}, chief door {_zh(door['name'])} in palace"
        f" {door['palace']}</p>{table(['format', 'luck', 'palace', 'counts'], formats)}"
    )


def _palace(palace: Mapping[str, Any]) -> str:
    lines = [
        f"{palace['name']}{palace['number']}" + ("（空）" if palace["void"] else ""),
        palace["spirit"] or "",
        " ".join([*palace["star"], *palace["heaven"]]),
        " ".join([palace["door"] or "", *palace["earth"]]).strip(),
    ]
    return f"<td>{'<br>'.join(escape(line) for line in lines)}</td>"


def _zh(text: str) -> str:
    return f'<span lang="zh-Hant">{escape(text)}</span>'


def _quote(text: str) -> str:
    return f'<q lang="lzh-Hant">{escape(text)}</q>'
