"""`sanshi compare`: which findings change between the values of a school option, for one chart or over all lessons."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Annotated

import typer

from kg.cli.app import app

if TYPE_CHECKING:
    from kg.liuren_chart import LiurenChart

Keys = Annotated[
    list[str] | None, typer.Option("--option", help="An option to compare; all of them, if none is named.")
]


@app.command(context_settings={"allow_extra_args": True, "ignore_unknown_options": True})
def compare(
    context: typer.Context,
    instant: Annotated[
        str | None, typer.Argument(help="Such as 2025-02-19T23:42; without a chart, all 720 lessons.")
    ] = None,
    tz: Annotated[str | None, typer.Option(help="IANA zone or offset of the instant.")] = None,
    day: Annotated[str | None, typer.Option(help="Day pair, instead of an instant.")] = None,
    hour: Annotated[str | None, typer.Option(help="Hour branch.")] = None,
    general: Annotated[str | None, typer.Option(help="Month general (月將).")] = None,
    month: Annotated[str | None, typer.Option(help="Month branch; 寅 for the 720 lessons.")] = None,
    year: Annotated[str | None, typer.Option(help="Year branch; 子 for the 720 lessons.")] = None,
    option: Keys = None,
) -> None:
    """Compare the schools of 大六壬. Without a chart: how often each option matters over the 720 lessons."""
    from rich.console import Console
    from rich.table import Table

    from kg import liuren_chart
    from kg.cli.cast import instant_and_options
    from kg.compare import differences, weights
    from kg.errors import InputError
    from kg.findings import shared
    from kg.schools import options

    known = options("liuren")
    for key in option or []:
        if key not in known:
            raise InputError("--option", key, f"one of {', '.join(known)}")
    keys = option or list(known)
    moment, given = instant_and_options(instant, context.args)
    doctrine, console = shared(), Console(highlight=False, soft_wrap=True)
    if not any((moment, tz, day, hour, general)):
        table = Table("option", "value", "other", "lessons", "transmissions change", "findings change")
        for weight in weights(doctrine, keys, month or "寅", year or "子", given):
            table.add_row(
                weight.option,
                weight.value,
                weight.other,
                *map(str, (weight.charts, weight.transmissions, weight.findings)),
            )
        console.print(table)
        return
    from pyoxigraph import NamedNode

    def cast(values: Mapping[str, str]) -> LiurenChart:
        return liuren_chart.cast(
            values, instant=moment, tz=tz, day=day, hour=hour, general=general, month=month, year=year
        )

    rows = differences(doctrine, cast, given, keys)
    for row in rows:
        console.print(
            f"[bold]{row.option}[/bold] {row.value} → {row.other}  {row.transmissions[0]} → {row.transmissions[1]}"
        )
        for sign, judgments in (("-", row.only), ("+", row.only_other)):
            for judgment in judgments:
                clause = doctrine.clause(NamedNode(judgment))
                name = f" · {clause.name}" if clause.name else ""
                console.print(f"  {sign} {clause.heading}{name}  「{clause.quote}」")
    if not rows:
        console.print(f"no value of {', '.join(keys)} changes this chart or its findings")
