"""Draws `frequency.svg`: in how many charts of the census each pattern is found, from `headings-by-frequency.csv`.

Run as `python docs/census/draw.py`; the same table gives the same picture.
"""

from __future__ import annotations

import csv
from html import escape
from pathlib import Path

HERE = Path(__file__).parent
ROW, LEFT, WIDTH = 18, 60, 560
STYLE = (
    "text{font:13px 'Noto Serif CJK TC',serif;fill:#222}rect{fill:#9c2b21}"
    "@media(prefers-color-scheme:dark){text{fill:#eee}rect{fill:#d9705f}}"
)


def picture(rows: list[dict[str, str]], charts: int) -> str:
    """The table as bars, one a pattern, as long as its share of the charts."""
    bars = []
    for number, row in enumerate(rows):
        share = int(row["charts"]) / charts
        y = number * ROW
        bars.append(
            f'<text x="{LEFT - 8}" y="{y + 13}" text-anchor="end">{escape(row["heading"])}</text>'
            f'<rect x="{LEFT}" y="{y + 3}" width="{share * WIDTH:.1f}" height="{ROW - 6}"/>'
            f'<text x="{LEFT + share * WIDTH + 6:.1f}" y="{y + 13}">{share:.1%}</text>'
        )
    size = f'width="{LEFT + WIDTH}" height="{len(rows) * ROW + 4}"'
    title = f"Share of {charts} charts in which each pattern is found"
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" {size} role="img"><title>{title}</title>'
        f"<style>{STYLE}</style>\n" + "\n".join(bars) + "\n</svg>\n"
    )


def table(name: str) -> list[dict[str, str]]:
    """The rows of a table of this folder."""
    with (HERE / f"{name}.csv").open(encoding="utf-8", newline="") as lines:
        return list(csv.DictReader(lines))


if __name__ == "__main__":
    total = sum(int(row["charts"]) for row in table("methods-by-frequency"))
    (HERE / "frequency.svg").write_text(picture(table("headings-by-frequency"), total), encoding="utf-8")
