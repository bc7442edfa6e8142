"""`sanshi parallels`: where a treatise shares its words with other books, each place as two aligned lines."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from kg.cli.app import app

if TYPE_CHECKING:
    from kg.reuse_text import Candidate


class Method(StrEnum):
    """A layer of comparison."""

    ngram = "ngram"
    table = "table"
    lexicon = "lexicon"


class Standing(StrEnum):
    """What is held of a place."""

    candidate = "candidate"
    confirmed = "confirmed"
    formula = "formula"
    rejected = "rejected"


class Reading(StrEnum):
    """A reading of the treatise."""

    base = "base"
    established = "established"


class Format(StrEnum):
    """What is printed."""

    text = "text"
    json = "json"
    turtle = "turtle"


@app.command()
def parallels(
    work: Annotated[str, typer.Option(help="The treatise: liuren-jingwei or qimen-miji.")],
    corpus: Annotated[
        list[Path] | None,
        typer.Argument(help="Books, a file each, every line locator TAB text, or text alone."),
    ] = None,
    loaded: Annotated[
        Path | None, typer.Option("--store", help="A store of loaded texts, instead of files.")
    ] = None,
    reading: Annotated[Reading, typer.Option(help="Its text as witnessed or as established.")] = Reading.base,
    layer: Annotated[
        list[Method] | None,
        typer.Option(help="By chained n-grams, generals' tables, lexicon; all if not given."),
    ] = None,
    status: Annotated[
        list[Standing] | None, typer.Option(help="What to show; candidate and confirmed if not given.")
    ] = None,
    least: Annotated[
        float | None, typer.Option(min=0, help="Bits that a stretch must share to be a candidate.")
    ] = None,
    verdicts: Annotated[
        Path | None, typer.Option(help="CSV of a reader: passage, locator, words, verdict.")
    ] = None,
    into: Annotated[
        Path | None,
        typer.Option(
            "--keep",
            help="Directory of a store, made if need be, for what is shown and what a reader rejects.",
        ),
    ] = None,
    format: Annotated[Format, typer.Option(help="What to print.")] = Format.text,
) -> None:
    """Find the places of other books that share words with a treatise."""
    from kg.errors import InputError, MissingInput

    if not corpus and loaded is None:
        raise MissingInput("sanshi parallels", "books: files, or --store with a store of loaded texts")
    if corpus and loaded is not None:
        raise InputError("--store", loaded, "either a store or files, not both")
    try:
        import numpy  # noqa: F401
    except ModuleNotFoundError:
        raise MissingInput("sanshi parallels", "numpy; install sanshi[reuse]") from None
    from kg import reuse
    from kg.reuse_graph import keep, turtle
    from kg.reuse_text import Layer, read
    from kg.reuse_text import loaded as books
    from kg.search import texts
    from kg.store import collection, opened

    store = texts()
    found = reuse.find(
        store,
        work,
        read(corpus or ()) if loaded is None else books(opened(loaded)),
        reading=reading.value,
        layers=[Layer(method.value) for method in layer or Method],
        least=reuse.LEAST if least is None else least,
    )
    if verdicts is not None:
        found = reuse.judged(found, reuse.verdicts(verdicts))
    wanted = {standing.value for standing in status or (Standing.candidate, Standing.confirmed)}
    shown = [candidate for candidate in found if candidate.status in wanted]
    if into is not None:
        kept = [candidate for candidate in found if candidate.status in wanted | {Standing.rejected.value}]
        keep(kept, store, collection(into))
    if format is Format.turtle:
        typer.echo(turtle(shown, store), nl=False)
    elif format is Format.json:
        import json
        from dataclasses import asdict

        typer.echo(json.dumps([asdict(candidate) for candidate in shown], ensure_ascii=False, indent=1))
    else:
        _print(shown)
    if not shown:
        typer.echo(f"{work}: no shared place found", err=True)
        raise typer.Exit(1)


def _print(candidates: list[Candidate]) -> None:
    """Three lines a candidate: what it is, the passage, the place; the shared words under one another."""
    from rich.cells import cell_len
    from rich.console import Console
    from rich.text import Text

    console = Console(highlight=False, soft_wrap=True)
    margin = 24  # twelve wide characters before the shared words
    room = max(20, console.width - 2 * margin - 6) if console.is_terminal else 10**6
    for candidate in candidates:
        passage, place = candidate.passage, candidate.place
        about = f"{candidate.layer} · {candidate.score:.1f} bits · {candidate.status}"
        console.print(
            Text(f"{passage.source} {passage.locator} ⇄ {place.locator}  ", style="bold").append(about, "dim")
        )
        lines = [(words, _short(words.exact, room)) for words in (passage, place)]
        width = max(cell_len(exact) for _, exact in lines)
        for words, exact in lines:
            line = Text(" " * (2 + margin - cell_len(words.prefix)) + words.prefix, style="dim")
            line.append(f" {exact}" + " " * (width - cell_len(exact) + 1), style="not dim bold")
            console.print(line.append(words.suffix))


def _short(words: str, room: int) -> str:
    """Words that fit into so many cells: their beginning and their end."""
    half = room // 4 - 1  # a character takes two cells
    return words if 2 * len(words) <= room else f"{words[:half]}…{words[-half:]}"
