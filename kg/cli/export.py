"""`sanshi export`: the graph or a work of it as TEI, Turtle, N-Quads, JSON-LD or CSV; the dataset in VoID."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from kg.cli.app import app
from kg.errors import InputError, MissingInput

if TYPE_CHECKING:
    from pyoxigraph import Store


class Format(StrEnum):
    """What is written."""

    tei = "tei"
    turtle = "turtle"
    nquads = "nquads"
    jsonld = "jsonld"
    csv = "csv"
    void = "void"


@app.command()
def export(
    format: Annotated[
        Format, typer.Argument(help="tei: edition of a work; csv: judgments; void: description.")
    ],
    work: Annotated[
        str | None, typer.Option(help="One work, such as liuren-jingwei, instead of all.")
    ] = None,
    out: Annotated[Path | None, typer.Option(help="A file to write instead of stdout.")] = None,
    graph: Annotated[str | None, typer.Option(help="nquads: IRI of the graph the quads go into.")] = None,
    store: Annotated[
        Path | None, typer.Option(help="Directory of a store of loaded texts, instead of the doctrine.")
    ] = None,
) -> None:
    """Write the doctrine, with all that is computed of it, in a format others read; always in one order."""
    import sys

    if graph is not None and format is not Format.nquads:
        raise InputError("--graph", graph, "it only with nquads")
    if work is not None and format is Format.void:
        raise InputError("--work", work, "void without it, since the description covers every work")
    if store is not None and format is Format.void:
        raise InputError("--store", store, "void without it, since it is the doctrine that is described")
    from kg.store import doctrine, opened, own

    written = _written(format, doctrine() if store is None else own(opened(store)), work, graph)
    if out is None:
        sys.stdout.buffer.write(written)
        return
    try:
        out.write_bytes(written)
    except OSError as error:
        raise InputError("--out", f"{out} ({error.strerror})", "a file that can be written") from None


def _written(format: Format, store: Store, slug: str | None, graph: str | None) -> bytes:
    """What is to be written.

    Raises InputError for a work or graph that is none, MissingInput for TEI without a work.
    """
    from kg import edition, export

    work = edition.work(store, slug) if slug is not None else None
    match format:
        case Format.tei:
            from kg import tei

            if work is None:
                known = ", ".join(node.value.rpartition("/")[2] for node in edition.works(store))
                raise MissingInput("tei", f"--work, one of {known}")
            return tei.serialise(tei.edition(store, work))
        case Format.csv:
            from kg import judgment_table

            return judgment_table.table(judgment_table.judgments(store, work))
        case Format.void:
            from kg import dataset

            return export.turtle(export.ordered(dataset.describe(store)))
        case Format.turtle:
            return export.turtle(export.quads(store, work))
        case Format.jsonld:
            return export.jsonld(export.quads(store, work))
        case Format.nquads:
            try:
                return export.nquads(export.quads(store, work), graph)
            except ValueError:
                raise InputError("--graph", graph, "an absolute IRI") from None
