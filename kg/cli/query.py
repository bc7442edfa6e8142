"""`sanshi query` lists and runs the named queries; `sanshi sparql` runs any query over the doctrine or a collection."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from kg.cli.app import app

if TYPE_CHECKING:
    from kg.asking import Answer
    from kg.graph import Graph


class Output(StrEnum):
    """How an answer is printed."""

    table = "table"
    csv = "csv"
    json = "json"
    turtle = "turtle"


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
    opened = graph.Graph(shared().store, shared())
    for chart in charts or []:
        from loaders.charts import read_chart
        from loaders.source import Source

        opened.add(opened.doctrine.cast(read_chart(Source(chart))[0]))
    return opened


def _print(answer: Answer, output: Output) -> None:
    from kg.asking import show, write

    if output is not Output.table:
        typer.echo(write(answer, output.value), nl=False)
        return
    if not answer.columns:
        typer.echo(write(answer, "turtle"), nl=False)
        return
    from rich.console import Console
    from rich.table import Table

    table = Table(*answer.columns)
    for row in answer.rows:
        table.add_row(*(show(value) for value in row))
    console = Console()
    console.print(table)
    console.print(f"{len(answer.rows)} rows", style="dim")


@app.command(context_settings={"allow_extra_args": True, "ignore_unknown_options": True})
def query(
    context: typer.Context,
    name: Annotated[str | None, typer.Argument(help="The query; without it, all are listed.")] = None,
    store: StoreOption = None,
    charts: ChartOption = None,
    format: Annotated[Output, typer.Option(help="How the answer is printed.")] = Output.table,
) -> None:
    """Run a named query: `sanshi query judgments-of-heading --heading 印綬`."""
    import queries

    if name is None:
        from rich.console import Console
        from rich.table import Table

        table = Table("query", "question", "parameters")
        for entry in queries.named().values():
            parameters = "\n".join(f"--{p.name} {p.example or p.type}" for p in entry.parameters)
            table.add_row(entry.name, entry.question, parameters)
        Console().print(table)
        return
    from kg.cli.cast import school_options

    entry = queries.get(name)
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
