"""`sanshi search`: words in passages, judgments, labels and loaded texts, each match in its context (KWIC)."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from kg.cli.app import Language, app

if TYPE_CHECKING:
    from kg.search import Hit


class Where(StrEnum):
    """What is searched."""

    passages = "passages"
    judgments = "judgments"
    labels = "labels"
    loaded = "loaded"


class Format(StrEnum):
    """What is printed."""

    text = "text"
    json = "json"


@app.command()
def search(
    text: Annotated[str, typer.Argument(help="Words to look for, such as 青龍返首, 현태 or womb.")],
    exact: Annotated[
        bool, typer.Option("--exact", help="Every character as typed; no variants folded.")
    ] = False,
    within: Annotated[
        list[Where] | None, typer.Option("--in", help="Search only here; may be repeated.")
    ] = None,
    lang: Annotated[Language, typer.Option(help="Language of headings and labels.")] = Language.zh,
    collection: Annotated[
        Path | None,
        typer.Option(
            "--store",
            envvar="SANSHI_STORE",
            help="Directory of the store of loaded texts. Else: that of `sanshi load`, where there is one.",
        ),
    ] = None,
    format: Annotated[Format, typer.Option(help="What to print.")] = Format.text,
) -> None:
    """Find words in the treatises, the labels of everything, and loaded texts; variants and simplified forms match."""
    from kg.errors import MissingInput
    from kg.loaded import at_hand
    from kg.search import Scope, texts
    from kg.search import search as find

    store, directory = texts(), at_hand(collection)
    scopes = [Scope(w.value) for w in within or Where]
    hits = find(store, text, exact=exact, scopes=scopes)
    if Scope.loaded in scopes:
        if directory is not None:
            from kg.store import opened

            hits += find(opened(directory), text, exact=exact, scopes=[Scope.loaded])
        elif within is not None:
            raise MissingInput("--in loaded", "a store (--store DIRECTORY), for nothing has been loaded")
    if format is Format.json:
        import json
        from dataclasses import asdict

        typer.echo(json.dumps([asdict(hit) for hit in hits], ensure_ascii=False, indent=1))
    elif hits:
        from kg.explain import Verbaliser
        from kg.facts import thing

        names = Verbaliser(store, lang.value)
        _print(
            hits, {name: names.label(thing(name)) for hit in hits for name in (hit.heading, hit.node) if name}
        )
    if not hits:
        typer.echo(f"{text}: nothing found{' exactly so; try without --exact' if exact else ''}", err=True)
        raise typer.Exit(1)


def _print(hits: list[Hit], labels: dict[str, str]) -> None:
    """One line a hit: what stands before, the match, what stands after, and where that is."""
    from itertools import groupby

    from rich.cells import cell_len
    from rich.console import Console
    from rich.text import Text

    console = Console(highlight=False, soft_wrap=True)
    left = max(cell_len(hit.before) for hit in hits)
    width = max(cell_len(hit.match + hit.after) for hit in hits)
    for scope, group in groupby(hits, key=lambda hit: hit.scope):
        members = list(group)
        console.print(Text(f"{scope} ({len(members)})", style="bold"))
        for hit in members:
            if hit.locator:
                heading = f"{labels[hit.heading]}  " if hit.heading else ""
                place = f"{heading}{hit.locator}  {hit.node}"
            else:
                place = f"{labels[hit.node] or hit.match}  {hit.node}  {hit.language}"
            line = Text(" " * (2 + left - cell_len(hit.before)) + hit.before)
            line.append(hit.match, style="bold reverse" if console.is_terminal else "")
            line.append(hit.after + " " * (2 + width - cell_len(hit.match + hit.after)))
            line.append(place, style="dim")
            if hit.reading in ("base", "established"):
                line.append(f"  [{hit.reading}]", style="italic")
            if hit.source:
                line.append(f"  [{hit.field}: {hit.source}]", style="italic")
            console.print(line)
