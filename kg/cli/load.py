"""`sanshi load`: texts, translations and charts of one's own, into a store on disk."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from kg.cli.app import app

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from contextlib import AbstractContextManager

    from loaders import Loaded
    from loaders.source import Tick


class LoadFormat(StrEnum):
    """What kind of files are loaded."""

    bilingual = "bilingual"
    tei = "tei"
    kanripo = "kanripo"
    lines = "lines"
    chart = "chart"


@app.command()
def load(
    files: Annotated[list[Path], typer.Argument(help="Files of one format; all are loaded, or none.")],
    format: Annotated[
        LoadFormat,
        typer.Option(
            help="bilingual: Chinese and Korean paragraphs in turn; tei: TEI P5; kanripo: mandoku text; "
            "lines: LOCATOR<TAB>TEXT, or no locators at all; chart: what `sanshi cast --format json` prints."
        ),
    ],
    work: Annotated[
        str | None, typer.Option(help="Slug of the work that the files belong to (not for charts).")
    ] = None,
    title: Annotated[
        str | None, typer.Option(help="Title of the work; needed once, unless a file states it.")
    ] = None,
    title_lang: Annotated[str, typer.Option(help="Language of the title.")] = "zh-hant",
    lang: Annotated[
        str, typer.Option(help="Language of the text, where the file does not say.")
    ] = "lzh-hant",
    store: Annotated[
        Path | None,
        typer.Option(
            envvar="SANSHI_STORE",
            help="Directory of the store; made if need be. Else: sanshi/store in the user's data directory.",
        ),
    ] = None,
    replace: Annotated[
        bool,
        typer.Option("--replace", help="Put a file that has changed in the place of what it gave."),
    ] = False,
) -> None:
    """Load texts, translations or charts of your own into a store on disk, beside the doctrine.

    A second load changes nothing.
    """
    from kg.loaded import user_store
    from kg.store import collection
    from loaders import load as load_files

    directory = store or user_store()
    with _progress(files) as tick:
        done = load_files(
            collection(directory),
            files,
            format=format.value,
            work=work,
            title=title,
            title_lang=title_lang,
            lang=lang,
            replace=replace,
            tick=tick,
        )
    for loaded in done:
        typer.echo(f"{loaded.name}: {_said(loaded)}")
        for remark in loaded.remarks:
            typer.echo(f"  {remark}")
    typer.echo(f"store: {directory}")


def _progress(files: Sequence[Path]) -> AbstractContextManager[Tick | None]:
    """A bar of the bytes read, on stderr, and only where that is a terminal."""
    from contextlib import contextmanager

    from rich.console import Console
    from rich.progress import BarColumn, DownloadColumn, Progress, TextColumn, TimeRemainingColumn

    console = Console(stderr=True)

    @contextmanager
    def bar() -> Iterator[Tick | None]:
        if not console.is_terminal:
            yield None
            return
        columns = (TextColumn("loading"), BarColumn(), DownloadColumn(), TimeRemainingColumn())
        with Progress(*columns, console=console, transient=True) as progress:
            task = progress.add_task("", total=sum(file.stat().st_size for file in files if file.is_file()))
            yield lambda size: progress.advance(task, size)

    return bar()


def _said(loaded: Loaded) -> str:
    """What became of a file, in words.

    >>> from loaders import Loaded
    >>> _said(Loaded("a.txt", "unchanged", "https://w3id.org/sanshi/id/work/a/file/a.txt"))
    'unchanged'
    """
    count = loaded.count
    parts = [
        f"{number} {noun}{'s' * (number != 1)}"
        for number, noun in ((count.lines, "line"), (count.translations, "translation"))
        if number
    ]
    if count.passages:
        parts.append(f"for {count.passages} passage{'s' * (count.passages != 1)} of the treatises")
    if not parts and loaded.status != "unchanged":
        parts.append(loaded.iri)
    return ", ".join([loaded.status, *parts]) if loaded.status != "unchanged" else loaded.status
