"""`sanshi cast qimen`: a chart from an instant or from 遁, 局 and pillars, drawn or as data, asked about one topic."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from kg.cli.app import Language
from kg.cli.cast import Format, cast_app, instant_and_options

if TYPE_CHECKING:
    from pyoxigraph import NamedNode

    from kg.findings import Doctrine


def topics(doctrine: Doctrine) -> list[NamedNode]:
    """The topics of 奇門遁甲秘笈大全 that the doctrine has, in the order of the book."""
    from kg.store import instances, value

    found = instances(doctrine.store, "Topic")
    return sorted(found, key=lambda node: int(value(doctrine.store, node, "ordinal", "0")))


def topic_of(doctrine: Doctrine, name: str) -> NamedNode:
    """The topic called so in Chinese, Korean or English, or by its slug. Raises InputError.

    >>> from kg.findings import shared
    >>> topic_of(shared(), "shiwu") == topic_of(shared(), "占失物")
    True
    """
    from kg.errors import InputError

    known = topics(doctrine)
    slug = name.removeprefix("topic:").casefold()
    for node in known:
        labels = {doctrine.verbaliser(language).label(node).casefold() for language in ("zh", "ko", "en")}
        if slug in labels or slug == node.value.rpartition("/")[2]:
            return node
    zh = doctrine.verbaliser("zh")
    raise InputError("topic", name, f"one of {'、'.join(zh.label(node) for node in known) or 'none so far'}")


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
    topic: Annotated[str | None, typer.Option(help="What is asked, such as 占失物; any language.")] = None,
    longitude: Annotated[float | None, typer.Option(help="Degrees east, for --clock solar.")] = None,
    format: Annotated[Format, typer.Option(help="What to print.")] = Format.text,
    lang: Annotated[Language, typer.Option(help="Language of words and reasons.")] = Language.zh,
) -> None:
    """Cast a chart of 奇門遁甲. School options (`sanshi schools qimen`) are given as --OPTION VALUE."""
    from kg import qimen_chart
    from kg.findings import shared

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
    asked = None if topic is None else topic_of(doctrine, topic)
    casting = doctrine.cast(chart)
    casting = casting.about(*([] if asked is None else [doctrine.verbaliser("zh").label(asked)]))
    if format is Format.text:
        from rich.console import Console

        from kg.qimen_board import draw

        listed = (
            [] if asked is not None else [doctrine.verbaliser(lang.value).label(t) for t in topics(doctrine)]
        )
        draw(casting, lang.value, Console(highlight=False, soft_wrap=True), listed)
    elif format is Format.json:
        import json

        from kg.chart_json import casting_json

        found = casting_json(casting, lang.value)
        if asked is None:
            found["topics"] = [doctrine.verbaliser("zh").label(node) for node in topics(doctrine)]
        typer.echo(json.dumps(found, ensure_ascii=False, indent=2))
    else:
        from kg.casting_graph import serialize

        typer.echo(serialize(casting, format.value), nl=False)
