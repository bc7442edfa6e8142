"""`sanshi read`: passages of a treatise in one of three readings, with what has been loaded as their translation."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from kg.cli.app import Language, app

if TYPE_CHECKING:
    from pyoxigraph import Store

    from kg.edition import Place
    from kg.reader import Reader

TAGS = {"zh": "zh-hant", "ko": "ko", "en": "en"}


class Reading(StrEnum):
    """How the text is read."""

    established = "established"
    base = "base"
    apparatus = "apparatus"


class Format(StrEnum):
    """What is printed."""

    text = "text"
    json = "json"


@app.command()
def read(
    reference: Annotated[
        list[str],
        typer.Argument(
            help="A heading (懸胎), a locator (卷三·懸胎·1), book and numbers (六壬經緯 3.1.1), or an IRI."
        ),
    ],
    mode: Annotated[
        Reading, typer.Option(help="established, base (as witnessed), or apparatus (set into the text).")
    ] = Reading.established,
    lang: Annotated[Language, typer.Option(help="Language of headings, notes and citation.")] = Language.zh,
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
    """Read a passage, or all under a heading; a translation that was loaded stands beneath its passage."""
    from kg.loaded import at_hand
    from kg.reader import Reader
    from kg.store import doctrine, opened

    directory = at_hand(collection)
    loaded = None if directory is None else opened(directory)
    reader, words = Reader(doctrine()), " ".join(reference)
    places = reader.under(words) or [reader.find(words)]
    told = [_told(reader, loaded, place, mode, TAGS[lang.value]) for place in places]
    if format is Format.json:
        import json

        typer.echo(json.dumps(told, ensure_ascii=False, indent=1))
    else:
        _print(told)


def _told(reader: Reader, loaded: Store | None, place: Place, mode: Reading, tag: str) -> dict[str, Any]:
    """A passage as data: where it is, its text, its translations, how it is cited."""
    from kg.edition import label
    from kg.loaded import title, translations
    from kg.reader import Mode
    from kg.store import value
    from ontology import shorten

    return {
        "passage": shorten(place.node.value),
        "heading": label(reader.store, place.heading or place.chapter, tag),
        "locator": value(reader.store, place.node, "locator"),
        "ref": place.ref,
        "mode": mode.value,
        "text": reader.text(place.node, Mode(mode.value), tag),
        "translations": [
            {
                "source": title(store, found.file),
                "lang": found.language,
                "text": "\n\n".join(found.paragraphs),
            }
            for store in ([] if loaded is None else [loaded])
            for found in translations(store, place.node)
        ],
        "citation": reader.citation(place.node, tag),
    }


def _print(told: list[dict[str, Any]]) -> None:
    """Passage by passage, a blank line between; where a line is too long, the terminal breaks it."""
    from rich.console import Console
    from rich.text import Text

    console = Console(highlight=False, soft_wrap=True)
    for number, passage in enumerate(told):
        if number:
            console.print()
        console.print(Text(f"{passage['heading']}  {passage['locator']}  {passage['ref']}", style="bold"))
        console.print(Text(passage["text"]))
        for translation in passage["translations"]:
            console.print(Text(f"{translation['source']} ({translation['lang']})", style="italic"))
            console.print(Text(translation["text"]))
        console.print(Text(passage["citation"], style="dim"))
