"""`sanshi check`: every check of the whole, with seconds. `sanshi coverage`: what of a treatise is under a statement."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from kg.cli.app import app

SHOWN = 20
"""How many failures of one check are printed without --all."""


class Report(StrEnum):
    """How the coverage is printed."""

    text = "text"
    json = "json"
    csv = "csv"


@app.command()
def check(
    charts: Annotated[
        list[Path] | None,
        typer.Option(help="Table of charts for the two engines, instead of those of the package."),
    ] = None,
    only: Annotated[list[str] | None, typer.Option(help="Run this check alone; may be repeated.")] = None,
    all_failures: Annotated[
        bool, typer.Option("--all", help="Print every failure, not the first of each check.")
    ] = False,
) -> None:
    """Check ontology, doctrine and rules: shapes, violation queries, coverage, consistency, two engines. 1 if one fails."""
    from kg.check import chart_tables, checks
    from kg.errors import InputError

    for path in charts or ():
        if not path.is_file():
            raise InputError("--charts", path, "a table of charts (csv)")
    failed = 0
    ran = 0
    for run in checks(charts or chart_tables(), only or ()):
        outcome = run()
        ran += 1
        failed += bool(outcome.failures)
        state = f"{len(outcome.failures)} failures" if outcome.failures else "ok"
        typer.echo(f"{outcome.name:<28}{outcome.seconds:7.1f} s  {state}")
        shown = outcome.failures if all_failures else outcome.failures[:SHOWN]
        for failure in shown:
            typer.echo(f"    {failure}")
        if len(shown) < len(outcome.failures):
            typer.echo(f"    … and {len(outcome.failures) - len(shown)} more (--all)")
    typer.echo(f"{ran} checks, {failed} failed")
    if failed:
        raise typer.Exit(1)


@app.command()
def coverage(
    treatise: Annotated[
        str | None, typer.Option(help="One treatise, such as liuren-jingwei; all without it.")
    ] = None,
    format: Annotated[Report, typer.Option(help="What to print.")] = Report.text,
) -> None:
    """Report, heading by heading, how many characters belong to a statement. 1 below 100 %."""
    from kg.coverage import rows, total, write
    from kg.findings import shared

    found = rows(shared().store, treatise)
    if format is Report.text:
        from rich import box
        from rich.console import Console
        from rich.table import Column, Table

        from kg.coverage import NUMBERS

        numbers = (Column(name, justify="right", no_wrap=True) for name in (*NUMBERS, "%"))
        table = Table("", Column("heading", no_wrap=True), *numbers, box=box.SIMPLE_HEAD, padding=0)
        for row in [*found, total(found)]:
            cells = [str(getattr(row, column)) for column in NUMBERS]
            table.add_row(row.node.partition(":")[2], row.label, *cells, f"{row.percent:.2f}")
        console = Console(width=120, highlight=False)
        console.print(table)
        for gap in total(found).gaps:
            console.print(f"{gap.passage}: {gap.words}", markup=False)
    else:
        typer.echo(write(found, format.value), nl=False)
    if any(row.uncovered for row in found):
        raise typer.Exit(1)
