"""`sanshi census`: every chart there is, with its findings, as a store on disk or as N-Quads."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from kg.cli.app import app

census_app = typer.Typer(no_args_is_help=True, help="Cast every chart there is and keep what is found.")
app.add_typer(census_app, name="census")


@census_app.command(context_settings={"allow_extra_args": True, "ignore_unknown_options": True})
def liuren(
    context: typer.Context,
    out: Annotated[
        Path, typer.Option(help="Folder for the parts and the collection; given again, it goes on.")
    ],
    months: Annotated[str, typer.Option(help="Month branches.")] = "寅辰",
    years: Annotated[str, typer.Option(help="Year branches; none, unless given.")] = "",
    readings: Annotated[
        str, typer.Option(help="States of the text, such as established,base.")
    ] = "established",
    nquads: Annotated[bool, typer.Option("--nquads", help="One file of N-Quads instead of a store.")] = False,
    processes: Annotated[int, typer.Option(min=1, help="How many processes.")] = 2,
    dask: Annotated[
        str | None, typer.Option(help="Address of a Dask scheduler, instead of processes.")
    ] = None,
) -> None:
    """All 8,640 charts of day, hour and month general in each month. School options are given as --OPTION VALUE."""
    import time

    from rich.console import Console
    from rich.progress import Progress

    from kg import census
    from kg.cli.cast import school_options
    from kg.store import doctrine

    given = school_options(context.args)
    planned = census.plan(tuple(months), tuple(years), tuple(readings.split(",")), given)
    console = Console(stderr=True)
    start = time.perf_counter()
    with Progress(console=console, transient=True) as progress:
        task = progress.add_task("days", total=60)
        parts = census.write_parts(
            out / "parts",
            planned,
            processes=processes,
            dask=dask,
            progress=lambda done, total: progress.update(task, completed=done, total=total),
        )
    target = out / ("census.nq" if nquads else "store")
    if not target.exists():
        if nquads:
            census.gather(parts, target)
        else:
            census.store(parts, target, doctrine())
    charts = 60 * 144 * len(planned.months) * max(1, len(planned.years)) * len(planned.readings)
    console.print(f"{charts} charts in {time.perf_counter() - start:.1f} s")
    typer.echo(target)
