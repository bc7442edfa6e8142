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


CommandError: type[Exception] = typer.BadParameter.__mro__[2]
"""What is raised for words that the command cannot read: click's ClickException, which typer may carry within it."""


def complaint(error: Exception) -> str:
    """An error as one line for stderr; the help of a command that was given no words, as it stands.

    >>> complaint(typer.BadParameter("'xml' is not one of 'text', 'json'.", param_hint="'--format'"))
    "sanshi: Invalid value for '--format': 'xml' is not one of 'text', 'json'"
    """
    if not isinstance(error, CommandError):
        return f"sanshi: {error}"
    said: str = error.format_message()  # type: ignore[attr-defined]
    if not said.strip() or "\n" in said:
        return said
    where = getattr(error, "ctx", None)
    hint = (
        "" if isinstance(error, typer.BadParameter) or where is None else f"; see {where.command_path} --help"
    )
    return f"sanshi: {said.replace('Value error, ', '').rstrip('.')}{hint}"


class Language(StrEnum):
    """The language of labels, glosses and reasons."""

    en = "en"
    ko = "ko"
    zh = "zh"


def _print_version(wanted: bool) -> None:
    if wanted:
        from importlib.metadata import version as installed

        typer.echo(installed("sanshi"))
        raise typer.Exit


@app.callback()
def version_option(
    version: bool = typer.Option(
        False, "--version", help="Print the version and stop.", callback=_print_version, is_eager=True
    ),
) -> None:
    """Options of the command itself."""
