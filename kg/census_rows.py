"""How a chart of a census is written: as lines of N-Quads, or as rows of a table in Parquet, one a finding.

A chart is written with its inputs, method, transmissions and findings; all else about it follows from casting it again.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from kg.alike import Verdict
from kg.cosmos import BRANCHES, names, pair
from kg.facts import TYPE, XSD, Chart, given
from ontology import TERMS, THINGS, expand, shorten

if TYPE_CHECKING:
    import pyarrow

Written = Iterable[tuple[Chart, Verdict]]


def _branch_of(pillar: str | None) -> int | None:
    return BRANCHES.index(pillar[-1]) if pillar else None


@dataclass(frozen=True, slots=True)
class Column:
    """What is written of a chart besides its findings: a property, and the kind and number of a symbol, or a text."""

    name: str
    predicate: str
    kind: str
    value: Callable[[Any], int | str | None]


COLUMNS: Mapping[str, tuple[Column, ...]] = {
    "liuren": (
        Column("day", "dayPair", "pair", lambda chart: chart.plate.day),
        Column("hour", "hourBranch", "branch", lambda chart: chart.plate.hour),
        Column("general", "monthGeneral", "branch", lambda chart: chart.plate.general),
        Column("month", "monthBranch", "branch", lambda chart: chart.month),
        Column("year", "yearBranch", "branch", lambda chart: chart.year),
        Column("reading", "chose", "reading", lambda chart: chart.options["reading"]),
        Column("method", "method", "text", lambda chart: chart.plate.method),
        Column("initial", "firstTransmitted", "branch", lambda chart: chart.plate.transmissions[0]),
        Column("middle", "secondTransmitted", "branch", lambda chart: chart.plate.transmissions[1]),
        Column("final", "thirdTransmitted", "branch", lambda chart: chart.plate.transmissions[2]),
    ),
    "qimen": (
        Column("dun", "dun", "polarity", lambda chart: "yang" if chart.plate.dun == "陽" else "yin"),
        Column("ju", "ju", "number", lambda chart: chart.plate.ju),
        Column("hour", "hourPair", "pair", lambda chart: chart.plate.hour),
        Column("day", "dayPair", "pair", lambda chart: chart.plate.day),
        Column("month", "monthBranch", "branch", lambda chart: chart.month),
        Column("year", "yearBranch", "branch", lambda chart: _branch_of(chart.pillars["year"])),
        Column("reading", "chose", "reading", lambda chart: chart.options["reading"]),
    ),
}
"""The columns of each art, in the order in which they are written."""

_GIVEN, _EXHIBITS, _HOLLOW = (f" <{TERMS}{name}> <" for name in ("given", "exhibits", "hollow"))
_END = "> .\n"


@cache
def _fact(column: Column, value: int | str) -> str:
    """What is said of a chart by a column, without the chart."""
    if column.kind == "text":
        node = f'"{value}"@zh-hant'
    elif column.kind == "number":
        node = f'"{value}"^^<{XSD}integer>'
    else:
        node = (
            f"<{expand(f'{column.kind}:{value}' if isinstance(value, str) else names(column.kind)[value])}>"
        )
    return f" <{TERMS}{column.predicate}> {node} .\n"


def _shown(column: Column, value: int | str | None) -> str | None:
    """A value as the table has it, in Chinese."""
    if column.kind == "number" or not isinstance(value, int):
        return value if value is None else str(value)
    return pair(value) if column.kind == "pair" else BRANCHES[value]


def lines(chart: Chart, verdict: Verdict) -> Iterator[str]:
    """A chart of the census as lines of N-Quads.

    >>> from kg.liuren_chart import cast_pillars
    >>> written = lines(cast_pillars("庚申", "子", "亥"), Verdict({"http://example.org/j"}))
    >>> [line.split()[2] for line in written][-1]
    '<http://example.org/j>'
    """
    subject = f"<{chart.iri}>"
    yield f"{subject} {TYPE} <{TERMS}{chart.art.title()}Chart> .\n"
    for column in COLUMNS[chart.art]:
        value = column.value(chart)
        if value is not None:
            yield subject + _fact(column, value)
    for need in given(chart):
        yield subject + _GIVEN + need.value + _END
    for judgment in sorted(verdict.exhibits):
        yield subject + _EXHIBITS + judgment + _END
    for judgment in sorted(verdict.hollow):
        yield subject + _HOLLOW + judgment + _END


class QuadsWriter:
    """Charts written to a file of N-Quads."""

    def __init__(self, path: Path) -> None:
        self._file = path.open("w", encoding="utf-8")

    def write(self, charts: Written) -> None:
        """Write some charts."""
        for chart, verdict in charts:
            self._file.write("".join(lines(chart, verdict)))

    def close(self) -> None:
        """Write the rest, to the disk."""
        self._file.flush()
        os.fsync(self._file.fileno())
        self._file.close()


def schema(art: str) -> pyarrow.Schema:
    """The columns of the table of an art: those of the chart, then the judgment, its heading, and whether it is hollow."""
    import pyarrow

    word = pyarrow.dictionary(pyarrow.int32(), pyarrow.string())
    return pyarrow.schema(
        [
            ("chart", pyarrow.string()),
            *((column.name, word) for column in COLUMNS[art]),
            ("judgment", word),
            ("heading", word),
            ("hollow", pyarrow.bool_()),
        ]
    )


class TableWriter:
    """Charts written to a table in Parquet, one row a finding; a chart without findings has none."""

    def __init__(self, path: Path, art: str, headings: Mapping[str, str]) -> None:
        from pyarrow import parquet

        self._art, self._headings, self._schema = art, headings, schema(art)
        self._file = parquet.ParquetWriter(path, self._schema, compression="zstd")

    def write(self, charts: Written) -> None:
        """Write some charts, as a group of rows."""
        import pyarrow

        table: dict[str, list[Any]] = {name: [] for name in self._schema.names}
        for chart, verdict in charts:
            judgments = sorted(verdict.exhibits)
            table["chart"] += [chart.iri.removeprefix(f"{THINGS}chart/")] * len(judgments)
            for column in COLUMNS[self._art]:
                table[column.name] += [_shown(column, column.value(chart))] * len(judgments)
            table["judgment"] += [shorten(judgment) for judgment in judgments]
            table["heading"] += [self._headings[judgment] for judgment in judgments]
            table["hollow"] += [judgment in verdict.hollow for judgment in judgments]
        self._file.write_table(pyarrow.table(table, self._schema))

    def close(self) -> None:
        """Write the rest."""
        self._file.close()
