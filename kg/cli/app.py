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


def usage(error: typer.TyperException) -> str:
    """What typer found wrong, as one line that says where to read on; the help where a group was given nothing.

    >>> usage(typer.BadParameter("'xml' is not one of 'text', 'json'.", param_hint="'--format'"))
    "sanshi: invalid value for '--format': 'xml' is not one of 'text', 'json'; see sanshi --help"
    """
    said = error.format_message()
    context = getattr(error, "ctx", None)
    if context is not None and said == context.get_help():
        return said
    path = "sanshi" if context is None else context.command_path
    line = " ".join(said.split()).replace("Value error, ", "").rstrip(".")
    return f"sanshi: {line[:1].lower()}{line[1:]}; see {path} --help"


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
