"""`sanshi census`: every chart there is, with its findings, as a store on disk, as N-Quads or as a table; its report."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from kg.cli.app import app

if TYPE_CHECKING:
    from kg.census_plan import Census

census_app = typer.Typer(no_args_is_help=True, help="Cast every chart there is and keep what is found.")
app.add_typer(census_app, name="census")

Out = Annotated[Path, typer.Option(help="Folder for the parts and the collection; given again, it goes on.")]
Readings = Annotated[str, typer.Option(help="States of the text, such as established,base.")]
NQuads = Annotated[bool, typer.Option("--nquads", help="One file of N-Quads instead of a store.")]
Parquet = Annotated[bool, typer.Option("--parquet", help="One table in Parquet, a row a finding, instead.")]
Processes = Annotated[int, typer.Option(min=1, help="How many processes.")]
Dask = Annotated[str | None, typer.Option(help="Address of a Dask scheduler, instead of processes.")]


@census_app.command(context_settings={"allow_extra_args": True, "ignore_unknown_options": True})
def liuren(
    context: typer.Context,
    out: Out,
    months: Annotated[str, typer.Option(help="Month branches.")] = "寅辰",
    years: Annotated[str, typer.Option(help="Year branches; none, unless given.")] = "",
    days: Annotated[str, typer.Option(help="Day pairs, such as 甲子,乙丑; all sixty, unless given.")] = "",
    readings: Readings = "established",
    nquads: NQuads = False,
    parquet: Parquet = False,
    processes: Processes = 2,
    dask: Dask = None,
) -> None:
    """All 8,640 charts of day, hour and month general in each month. School options are given as --OPTION VALUE."""
    from kg.census_plan import DAYS, plan
    from kg.cli.cast import school_options

    planned = plan(
        tuple(months),
        tuple(years),
        tuple(readings.split(",")),
        school_options(context.args),
        tuple(days.split(",")) if days else DAYS,
    )
    _take(planned, out, nquads, parquet, processes, dask)


@census_app.command(context_settings={"allow_extra_args": True, "ignore_unknown_options": True})
def qimen(
    context: typer.Context,
    out: Out,
    pillars: Annotated[str, typer.Option(help="A set of pillars by name.")] = "seasons",
    ju: Annotated[str, typer.Option(help="局, such as 陽1,陰9; all eighteen, unless given.")] = "",
    readings: Readings = "established",
    nquads: NQuads = False,
    parquet: Parquet = False,
    processes: Processes = 2,
    dask: Dask = None,
) -> None:
    """All 1,080 plates of 局 and hour with a set of pillars. School options are given as --OPTION VALUE."""
    from kg.census_plan import JU, qimen_plan
    from kg.cli.cast import school_options

    given = school_options(context.args)
    planned = qimen_plan(pillars, tuple(readings.split(",")), given, tuple(ju.split(",")) if ju else JU)
    _take(planned, out, nquads, parquet, processes, dask)


@census_app.command()
def report(
    store: Annotated[Path, typer.Argument(help="The store of a census.")],
    out: Annotated[Path, typer.Option(help="Folder for the tables and the picture.")],
) -> None:
    """Tables of a census as CSV and a picture: how often, what together, what never, and what each school changes."""
    from kg.census_report import report as written
    from kg.store import opened

    for path in written(opened(store), out):
        typer.echo(path)


def _take(planned: Census, out: Path, nquads: bool, parquet: bool, processes: int, dask: str | None) -> None:
    import time

    from rich.console import Console
    from rich.progress import Progress

    from kg import census
    from kg.errors import InputError

    if nquads and parquet:
        raise InputError("--parquet", "--nquads", "one of them alone")
    form = "nquads" if nquads else "parquet" if parquet else "store"
    console = Console(stderr=True)
    start = time.perf_counter()
    with Progress(console=console, transient=True) as progress:
        task = progress.add_task(f"{planned.size * len(planned.parts)} charts", total=len(planned.parts))
        target = census.take(
            out,
            planned,
            form,
            processes=processes,
            dask=dask,
            progress=lambda done, total: progress.update(task, completed=done, total=total),
        )
    console.print(f"{planned.size * len(planned.parts)} charts in {time.perf_counter() - start:.1f} s")
    typer.echo(target)
