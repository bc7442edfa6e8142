"""The tables and the picture of a census: named queries asked of its store, and what each school changes."""

from __future__ import annotations

import csv
from collections.abc import Iterable, Sequence
from dataclasses import astuple, fields
from html import escape
from io import StringIO
from pathlib import Path

from pyoxigraph import Store

from kg.asking import Answer, ask, show, sparql, write
from kg.compare import Weight, weights
from kg.errors import StoreError
from kg.findings import shared
from kg.schools import options
from queries import get

TABLES = (
    "headings-by-frequency",
    "headings-by-lift",
    "judgments-by-frequency",
    "judgments-never-found",
    "methods-by-frequency",
    "sequences-never-found",
)
"""The named queries whose answers are kept; those with an answer, since a census of Qimen has no methods."""
MONTH, YEAR = "寅", "子"
"""In which the 720 lessons are cast to weigh the schools; either changes a few findings, and no transmission."""

ROW, LEFT, WIDTH = 18, 84, 560
STYLE = (
    "text{font:13px 'Noto Serif CJK TC',serif;fill:#222}rect{fill:#9c2b21}"
    "@media(prefers-color-scheme:dark){text{fill:#eee}rect{fill:#d9705f}}"
)


def picture(shares: Iterable[tuple[str, int]], charts: int) -> str:
    """Headings with the number of charts that show them as bars in SVG, each as long as its share of all charts.

    >>> picture([("印綬", 50)], 100).count("50.0%")
    1
    """
    bars = []
    for number, (heading, shown) in enumerate(shares):
        share = shown / charts
        y = number * ROW
        bars.append(
            f'<text x="{LEFT - 8}" y="{y + 13}" text-anchor="end">{escape(heading)}</text>'
            f'<rect x="{LEFT}" y="{y + 3}" width="{share * WIDTH:.1f}" height="{ROW - 6}"/>'
            f'<text x="{LEFT + share * WIDTH + 6:.1f}" y="{y + 13}">{share:.1%}</text>'
        )
    size = f'width="{LEFT + WIDTH + 60}" height="{len(bars) * ROW + 4}"'
    title = f"Share of {charts} charts in which each heading is found"
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" {size} role="img"><title>{title}</title>'
        f"<style>{STYLE}</style>\n" + "\n".join(bars) + "\n</svg>\n"
    )


def report(store: Store, folder: Path) -> list[Path]:
    """Write the tables as CSV and the picture of a census into a folder; the paths.

    Raises StoreError where the store has no charts.
    """
    counted = "SELECT (COUNT(*) AS ?n) WHERE { VALUES ?art { shi:LiurenChart shi:QimenChart } ?chart a ?art }"
    charts = int(show(sparql(store, counted).rows[0][0]))
    if not charts:
        raise StoreError("the store has no charts; give that of a census")
    folder.mkdir(parents=True, exist_ok=True)
    written = []

    def put(name: str, text: str) -> None:
        written.append(folder / name)
        written[-1].write_text(text.replace("\r\n", "\n"), encoding="utf-8", newline="")

    for name in TABLES:
        answer = ask(store, get(name)).only(get(name).columns)
        if answer.rows:
            put(f"{name}.csv", write(answer, "csv"))
        if name == "headings-by-frequency":
            put("frequency.svg", picture(_shares(answer), charts))
    if sparql(store, "SELECT ?chart WHERE { ?chart a shi:LiurenChart } LIMIT 1").rows:
        put("schools.csv", _table(weights(shared(), list(options("liuren")), MONTH, YEAR)))
    return written


def _shares(answer: Answer) -> list[tuple[str, int]]:
    return [(row["heading"], int(row["charts"])) for row in answer.plain()]


def _table(rows: Sequence[Weight]) -> str:
    out = StringIO()
    writer = csv.writer(out)
    writer.writerow(field.name for field in fields(Weight))
    writer.writerows(map(astuple, rows))
    return out.getvalue()
