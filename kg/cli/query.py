"""`sanshi query` lists and runs the named queries; `sanshi sparql` runs any query over the doctrine or a collection."""

from __future__ import annotations

from collections.abc import Iterator
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from kg.cli.app import app

if TYPE_CHECKING:
    from rich.console import Console, RenderableType

    from kg.asking import Answer
    from kg.graph import Graph
    from queries import NamedQuery


class Output(StrEnum):
    """How an answer is printed."""

    table = "table"
    csv = "csv"
    json = "json"
    turtle = "turtle"


_TEXT = 20
"""The width below which a column of text is hard to read."""

StoreOption = Annotated[
    str | None,
    typer.Option("--store", help="A collection on disk, or the address of an endpoint, to be asked instead."),
]
ChartOption = Annotated[
    list[Path] | None,
    typer.Option("--with", help="A chart as JSON to be cast into the doctrine first.", exists=True),
]


def _graph(where: str | None, charts: list[Path] | None) -> Graph:
    from kg import graph
    from kg.findings import shared

    if where is not None:
        if charts:
            from kg.errors import InputError

            raise InputError("--with", charts[0], "it only without --store")
        return graph.open(where)
    # a chart is added to a doctrine of its own: that of the process is not ours to change
    opened = graph.open() if charts else graph.Graph(shared().store, shared())
    for chart in charts or []:
        from kg.topics import judged
        from loaders.charts import read_chart
        from loaders.source import Source

        opened.add(judged(opened.doctrine, read_chart(Source(chart))))
    return opened


def _print(answer: Answer, output: Output) -> None:
    from kg.asking import write

    if output is not Output.table:
        typer.echo(write(answer, output.value), nl=False)
        return
    if not answer.columns:
        typer.echo(write(answer, "turtle"), nl=False)
        return
    from rich.console import Console

    console = Console(highlight=False)
    for part in _rows(answer, console.width):
        console.print(part)
    console.print(f"{len(answer.rows)} rows", style="dim")


def _rows(answer: Answer, width: int) -> Iterator[RenderableType]:
    """The rows as a table, or where that would be too narrow, one below the other; names of things are never cut."""
    from pyoxigraph import NamedNode
    from rich.cells import cell_len
    from rich.table import Table
    from rich.text import Text

    from kg.asking import show

    shown = [[Text(show(value)) for value in row] for row in answer.rows]
    named = [any(isinstance(row[n], NamedNode) for row in answer.rows) for n in range(len(answer.columns))]
    widths = [
        max([cell_len(column), *(min(row[n].cell_len, 999 if named[n] else _TEXT) for row in shown)])
        for n, column in enumerate(answer.columns)
    ]
    if sum(widths) + 3 * len(widths) + 1 <= width:
        table = Table()
        for column, name in zip(answer.columns, named, strict=True):
            table.add_column(column, no_wrap=name, overflow="fold")
        for row in shown:
            table.add_row(*row)
        yield table
        return
    for row in shown:
        below = Table.grid(padding=(0, 2))
        below.add_column(no_wrap=True, style="dim")
        below.add_column(overflow="fold")
        for column, cell in zip(answer.columns, row, strict=True):
            if cell:
                below.add_row(column, cell)
        yield below
        yield ""


def _list() -> None:
    """All queries: the name on a line of its own, below it the question and how the parameters are given."""
    from rich.console import Console
    from rich.text import Text

    import queries

    console = Console(highlight=False)
    entries = queries.named().values()
    checks = [entry for entry in entries if entry.is_violation]
    for entry in [*(entry for entry in entries if not entry.is_violation), *checks]:
        if checks and entry is checks[0]:
            console.print(Text("\nChecks: a row is a fault, and makes the exit code 1.\n", style="bold"))
        _tell(console, entry)


def _tell(console: Console, entry: NamedQuery) -> None:
    """A query: its name, the question, and an example of each parameter."""
    from rich.padding import Padding
    from rich.text import Text

    console.print(Text(entry.name, style="bold"), soft_wrap=True)
    console.print(Padding(Text(entry.question), (0, 0, 0, 4)))
    for parameter in entry.parameters:
        console.print(Padding(Text(f"--{parameter.name} {parameter.example}", style="dim"), (0, 0, 0, 4)))


@app.command(
    context_settings={"allow_extra_args": True, "ignore_unknown_options": True, "help_option_names": []}
)
def query(
    context: typer.Context,
    name: Annotated[str | None, typer.Argument(help="The query; without it, all are listed.")] = None,
    store: StoreOption = None,
    charts: ChartOption = None,
    format: Annotated[Output, typer.Option(help="How the answer is printed.")] = Output.table,
    help: Annotated[
        bool,
        typer.Option("--help", help="Show this message, or the question that a query answers, and exit."),
    ] = False,
) -> None:
    """Run a named query: `sanshi query judgments-of-heading --heading 印綬`."""
    if name is None:
        typer.echo(context.get_help()) if help else _list()
        return
    import queries
    from kg.cli.cast import school_options

    entry = queries.get(name)
    if help:
        from rich.console import Console

        _tell(Console(highlight=False), entry)
        return
    answer = _graph(store, charts).query(name, **school_options(context.args)).answer
    _print(answer, format)
    if entry.is_violation and answer.rows:
        raise typer.Exit(1)


@app.command()
def sparql(
    text: Annotated[str, typer.Argument(help="A SPARQL query, or @FILE to read one; prefixes are known.")],
    store: StoreOption = None,
    charts: ChartOption = None,
    format: Annotated[Output, typer.Option(help="How the answer is printed.")] = Output.table,
) -> None:
    """Run any SPARQL query over the doctrine, or over a collection on disk."""
    from kg.errors import InputError

    if text.startswith("@"):
        path = Path(text[1:])
        if not path.is_file():
            raise InputError("query file", text[1:], "the path of a file")
        text = path.read_text(encoding="utf-8")
    _print(_graph(store, charts).sparql(text).answer, format)
