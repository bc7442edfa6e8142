"""`sanshi cast`: a chart from an instant or from bare pillars, drawn or as data, with what the doctrine finds in it."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated

import typer

from kg.cli.app import Language, app

cast_app = typer.Typer(no_args_is_help=True, help="Cast a chart and say what applies to it.")
app.add_typer(cast_app, name="cast")


class Format(StrEnum):
    """What is printed."""

    text = "text"
    json = "json"
    turtle = "turtle"
    jsonld = "jsonld"


def school_options(extra: list[str]) -> dict[str, str]:
    """The school options among the words that no declared option took: `--noble yangniu` or `--noble=yangniu`.

    Raises InputError for a word that is no option or an option without its value.
    """
    from kg.errors import InputError

    word, given = instant_and_options(None, extra)
    if word is not None:
        raise InputError("argument", word, "options alone")
    return given


def instant_and_options(first: str | None, extra: list[str]) -> tuple[str | None, dict[str, str]]:
    """The instant, if there is one, and the school options, wherever among the words they stand.

    Of the words that no declared option took, typer gives the first to the argument, though it be `--noble`, and
    leaves the others in `extra`. Raises InputError for a second instant or an option without its value.

    >>> instant_and_options("--noble", ["yangniu", "2025-02-19T23:42", "--void=lin"])
    ('2025-02-19T23:42', {'noble': 'yangniu', 'void': 'lin'})
    """
    from kg.errors import InputError

    instant: str | None = None
    given: dict[str, str] = {}
    words = [*([] if first is None else [first]), *extra]
    while words:
        word = words.pop(0)
        if word.startswith("-") and not word.startswith("--"):
            raise InputError("option", word, "school options in full, as --noble yangniu")
        if not word.startswith("--"):
            if instant is not None:
                raise InputError("argument", word, f"one instant, not one more after {instant}, and options")
            instant = word
            continue
        key, equals, value = word[2:].partition("=")
        if not equals:
            if not words or words[0].startswith("--"):
                raise InputError(word, "", "a value after it")
            value = words.pop(0)
        given[key] = value
    return instant, given


@cast_app.command(context_settings={"allow_extra_args": True, "ignore_unknown_options": True})
def liuren(
    context: typer.Context,
    instant: Annotated[
        str | None, typer.Argument(help="Such as 2025-02-19T23:42, with --tz or an offset.")
    ] = None,
    tz: Annotated[str | None, typer.Option(help="IANA zone or offset of the instant.")] = None,
    day: Annotated[str | None, typer.Option(help="Day pair, such as 庚申, instead of an instant.")] = None,
    hour: Annotated[str | None, typer.Option(help="Hour branch.")] = None,
    general: Annotated[str | None, typer.Option(help="Month general (月將), a branch.")] = None,
    month: Annotated[str | None, typer.Option(help="Month branch (月建).")] = None,
    year: Annotated[str | None, typer.Option(help="Year branch or pair.")] = None,
    longitude: Annotated[
        float | None, typer.Option(help="Degrees east, for --clock solar and --daylight sun.")
    ] = None,
    latitude: Annotated[float | None, typer.Option(help="Degrees north, for --daylight sun.")] = None,
    format: Annotated[Format, typer.Option(help="What to print.")] = Format.text,
    lang: Annotated[Language, typer.Option(help="Language of words and reasons.")] = Language.zh,
) -> None:
    """Cast a chart of 大六壬. School options (`sanshi schools liuren`) are given as --OPTION VALUE."""
    from kg import liuren_chart
    from kg.findings import shared

    moment, given = instant_and_options(instant, context.args)
    chart = liuren_chart.cast(
        given,
        instant=moment,
        tz=tz,
        day=day,
        hour=hour,
        general=general,
        month=month,
        year=year,
        longitude=longitude,
        latitude=latitude,
    )
    casting = shared().cast(chart)
    if format is Format.text:
        from rich.console import Console

        from kg.board import draw

        draw(casting, lang.value, Console(highlight=False, soft_wrap=True))
    elif format is Format.json:
        import json

        from kg.chart_json import casting_json

        typer.echo(json.dumps(casting_json(casting, lang.value), ensure_ascii=False, indent=2))
    else:
        from kg.casting_graph import serialize

        typer.echo(serialize(casting, format.value), nl=False)


@app.command()
def schools(art: Annotated[str, typer.Argument(help="liuren or qimen")] = "liuren") -> None:
    """List the options on which the schools differ, their values (default first) and their authority."""
    from rich.console import Console
    from rich.table import Column, Table

    from kg.errors import InputError
    from kg.facts import thing
    from kg.findings import shared
    from kg.schools import options
    from kg.store import value

    known = options(art)
    if not known:
        raise InputError("art", art, "liuren or qimen")
    said = (Column(name, overflow="fold") for name in ("", "", "authority"))
    table = Table("option", "value", *said)
    doctrine = shared()
    for key, option in known.items():
        ordered = sorted(option.values.items(), key=lambda pair: pair[0] != option.default)
        for position, (notation, node) in enumerate(ordered):
            labels = [doctrine.verbaliser(language).label(thing(node)) for language in ("zh", "en")]
            table.add_row(
                f"--{key}" if position == 0 else "",
                notation,
                *labels,
                value(doctrine.store, thing(node), "authority"),
            )
    Console().print(table)
