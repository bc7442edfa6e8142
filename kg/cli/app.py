"""The typer application on which the modules of this package register their commands, and what they share."""

from __future__ import annotations

from enum import StrEnum

import typer

app = typer.Typer(
    name="sanshi",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,  # the rich help costs a tenth of a second
    help="三式: cast a chart of 大六壬 or 奇門遁甲, and ask the doctrine what applies to it and why.",
    epilog="Output goes to stdout, errors to stderr. Exit code 1: what was asked does not hold; 2: it cannot be run.",
)


class Language(StrEnum):
    """The language of labels, glosses and reasons."""

    en = "en"
    ko = "ko"
    zh = "zh"


def _print_version(asked: bool) -> None:
    if asked:
        from importlib.metadata import version as installed

        typer.echo(installed("sanshi"))
        raise typer.Exit


@app.callback()
def options(
    version: bool = typer.Option(
        False, "--version", help="Print the version and stop.", is_eager=True, callback=_print_version
    ),
) -> None:
    """Options of the command itself."""
