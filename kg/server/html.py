"""Solutions as a plain page with a table, for who asks the endpoint for HTML; every visible word is escaped."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape


def page(title: str, body: str, language: str = "en") -> str:
    """A whole page; the body is HTML already.

    >>> "<title>a &lt; b</title>" in page("a < b", "")
    True
    """
    head = f'<meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>{escape(title)}</title>'
    return f'<!DOCTYPE html>\n<html lang="{language}"><head>{head}</head>\n<body>\n{body}\n</body></html>\n'


def table(names: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Solutions as a page with a table.

    >>> "<td>子</td>" in table(["name"], [["子"]])
    True
    """
    head = "".join(f'<th scope="col">{escape(name)}</th>' for name in names)
    lines = "\n".join("<tr>" + "".join(f"<td>{escape(cell)}</td>" for cell in row) + "</tr>" for row in rows)
    body = f"<table>\n<thead><tr>{head}</tr></thead>\n<tbody>\n{lines}\n</tbody></table>"
    return page("Sanshi", f"<h1>Sanshi</h1>\n<p>{len(rows)} rows</p>\n{body}")
