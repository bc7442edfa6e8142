"""`sanshi cast qimen`: a chart from an instant or from 遁, 局 and pillars, drawn or as data, asked about one topic."""

from __future__ import annotations

from typing import Annotated

import typer

from kg.cli.app import Language
from kg.cli.cast import Format, cast_app, instant_and_options


@cast_app.command(context_settings={"allow_extra_args": True, "ignore_unknown_options": True})
def qimen(
    context: typer.Context,
    instant: Annotated[
        str | None, typer.Argument(help="Such as 2026-02-18T22:59, with --tz or an offset.")
    ] = None,
    tz: Annotated[
        str | None, typer.Option(help="IANA zone or offset of the instant, and of a birth.")
    ] = None,
    dun: Annotated[str | None, typer.Option(help="陽 or 陰, instead of an instant.")] = None,
    ju: Annotated[int | None, typer.Option(help="局 number, 1 to 9.")] = None,
    hour: Annotated[str | None, typer.Option(help="Hour pair, or its branch where the day is given.")] = None,
    day: Annotated[str | None, typer.Option(help="Day pair.")] = None,
    month: Annotated[str | None, typer.Option(help="Month pair, or its branch.")] = None,
    year: Annotated[str | None, typer.Option(help="Year pair, or its branch.")] = None,
    birth: Annotated[
        str | None, typer.Option(help="Birth of the one who asks: a year, a pair (庚申), or an instant.")
    ] = None,
    topic: Annotated[
        str | None, typer.Option(help="What is asked, such as 占失物, in any language; or all.")
    ] = None,
    longitude: Annotated[float | None, typer.Option(help="Degrees east, for --clock solar.")] = None,
    format: Annotated[Format, typer.Option(help="What to print.")] = Format.text,
    lang: Annotated[Language, typer.Option(help="Language of words and reasons.")] = Language.zh,
) -> None:
    """Cast a chart of 奇門遁甲. School options (`sanshi schools qimen`) are given as --OPTION VALUE."""
    from kg import qimen_chart
    from kg.findings import shared
    from kg.topics import ask, find_topics, topics

    moment, words = instant_and_options(instant, context.args)
    given = {key.replace("-", "_"): value for key, value in words.items()}
    chart = qimen_chart.cast(
        given,
        instant=moment,
        tz=tz,
        dun=dun,
        ju=ju,
        hour=hour,
        day=day,
        month=month,
        year=year,
        birth=birth,
        longitude=longitude,
    )
    doctrine = shared()
    casting = ask(doctrine, chart, [] if topic is None else find_topics(doctrine, topic))
    listed = [] if topic is not None else topics(doctrine)
    if format is Format.text:
        from rich.console import Console

        from kg.qimen_board import draw

        names = [known.names[lang.value] for known in listed]
        draw(casting, lang.value, Console(highlight=False, soft_wrap=True), names)
    elif format is Format.json:
        import json

        from kg.chart_json import casting_json

        found = casting_json(casting, lang.value)
        if topic is None:
            found["topics"] = [known.names["zh"] for known in listed]
        typer.echo(json.dumps(found, ensure_ascii=False, indent=2))
    else:
        from kg.casting_graph import serialize

        typer.echo(serialize(casting, format.value), nl=False)
