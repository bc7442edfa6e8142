"""The Python entrance: `kg.open()` gives a graph to cast charts in, to ask and to search; made for notebooks.

>>> import kg
>>> graph = kg.open()
>>> casting = graph.cast(day="庚申", hour="子", general="亥", month="寅")
>>> [finding.clause.heading for finding in casting.findings][:2]
['印綬', '印綬']
>>> graph.query("judgments-of-heading", heading="印綬").columns
('judgment', 'name', 'quote', 'gloss', 'reading')
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pyoxigraph import RdfFormat, Store

import queries
from kg.asking import Answer, bind, check, show, sparql
from kg.endpoint import Endpoint
from kg.errors import InputError, StoreError
from kg.explain import Verbaliser
from kg.facts import Chart
from kg.findings import Casting, Doctrine, Finding, shared
from kg.html import casting_html, finding_html, table
from kg.rdf import write
from kg.recast import with_charts
from kg.search import Hit, Scope, search
from kg.store import doctrine

if TYPE_CHECKING:
    import pandas
    import polars
    import rdflib


class Result:
    """The answer to a query: rows to go through, or a graph; `answer` has it as RDF terms."""

    def __init__(self, answer: Answer) -> None:
        self.answer = answer

    @property
    def columns(self) -> tuple[str, ...]:
        """The names of the columns; none for a graph."""
        return self.answer.columns

    def __len__(self) -> int:
        return len(self.answer.rows) or len(self.answer.triples)

    def __iter__(self) -> Iterator[dict[str, str]]:
        """The rows as text, things of ours by their prefixed names."""
        return iter(self.answer.plain())

    def to_rdflib(self) -> rdflib.Graph:
        """The answer of a CONSTRUCT or DESCRIBE as an `rdflib.Graph`."""
        import rdflib

        data = write(self.answer.triples, RdfFormat.N_TRIPLES)
        return rdflib.Graph().parse(data=data, format="nt")

    def to_pandas(self) -> pandas.DataFrame:
        """The rows as a pandas data frame, where pandas is installed."""
        import pandas

        return pandas.DataFrame(self.answer.plain(), columns=list(self.columns))

    def to_polars(self) -> polars.DataFrame:
        """The rows as a polars data frame, where polars is installed."""
        import polars

        return polars.DataFrame(self.answer.plain(), schema=dict.fromkeys(self.columns, polars.String))

    def _repr_html_(self) -> str:
        if not self.columns:
            return f"<p>{len(self)} triples</p>"
        return table(self.columns, ([show(value) for value in row] for row in self.answer.rows))


@dataclass(frozen=True, slots=True)
class ToldFinding(Finding):
    """A finding that can say why it holds, and that a notebook shows."""

    speaker: Callable[[str], Verbaliser] = field(repr=False, kw_only=True)

    def because(self, language: str = "en") -> list[str]:
        """The sentences that say why it holds, in `en`, `ko` or `zh`."""
        return self.speaker(language).because(self.hit)

    def _repr_html_(self) -> str:
        return finding_html(self, self.because())


class ToldCasting(Casting[Chart]):
    """A casting that a notebook shows: the board, the findings with clause, gloss and reasons, and what is omitted."""

    def _repr_html_(self) -> str:
        return casting_html(self)


def _told(casting: Casting[Chart]) -> ToldCasting:
    """A casting with its findings, as a notebook wants them."""

    def tell(finding: Finding) -> ToldFinding:
        parts = {part.name: getattr(finding, part.name) for part in fields(finding)}
        return ToldFinding(**parts, speaker=casting.doctrine.verbaliser)

    parts = {part.name: getattr(casting, part.name) for part in fields(casting)}
    return ToldCasting(**{**parts, "findings": tuple(tell(finding) for finding in casting.findings)})


class Graph:
    """A graph to work with: the doctrine, and where a collection or an endpoint is given, that to be asked."""

    def __init__(self, store: Store | Endpoint, doctrine: Doctrine) -> None:
        self.store = store
        self.doctrine = doctrine

    def cast(
        self,
        instant: str | None = None,
        *,
        art: str = "liuren",
        topic: str | None = None,
        options: dict[str, str] | None = None,
        **inputs: Any,
    ) -> ToldCasting:
        """Cast a chart and find what applies to it.

        `instant` is text such as 2025-02-19T23:42 with `tz` an IANA zone; or give the pillars: for `liuren` day,
        hour, general, month, year; for `qimen` dun, ju, hour, day, month, year, and `birth`. `topic` is what is asked
        of a chart of `qimen`, such as 占失物; every topic, if none is named. `options` names schools.
        Raises InputError, InstantError, MissingInput, QueryError.
        """
        if art == "liuren":
            if topic is not None:
                raise InputError("topic", topic, "it only with art='qimen'")
            from kg.liuren_chart import cast as cast_liuren

            return _told(self.doctrine.cast(cast_liuren(options, instant=instant, **inputs)))
        if art == "qimen":
            from kg.qimen_chart import cast as cast_qimen
            from kg.topics import judged

            return _told(judged(self.doctrine, cast_qimen(options, instant=instant, **inputs), topic))
        raise InputError("art", art, "liuren or qimen")

    def query(self, query: str, **parameters: str) -> Result:
        """The answer to a named query with its parameters. A chart that it names is cast for it, if it is not kept here.

        Raises QueryError, and StoreError for a store that has not what the query is asked of.
        """
        named = queries.get(query)
        bound = bind(self.doctrine.store, named, parameters)
        if isinstance(self.store, Endpoint):
            answer = self._sparql(named.text, bound)
        else:
            check(self.store, named)
            with with_charts(self.store, self.doctrine, bound.values()) as store:
                answer = sparql(store, named.text, bound)
        return Result(answer.only(named.columns) if answer.columns else answer)

    def sparql(self, text: str) -> Result:
        """The answer to any SPARQL query; our prefixes are known. Raises QueryError, StoreError."""
        return Result(self._sparql(text))

    def _sparql(self, text: str, bound: Any = None) -> Answer:
        if isinstance(self.store, Endpoint):
            return self.store.sparql(text, bound)
        return sparql(self.store, text, bound)

    def search(self, words: str, *, exact: bool = False, scope: str | None = None) -> list[Hit]:
        """Where words stand in passages, judgments and labels, exact or folded. Raises InputError."""
        if scope is not None and scope not in set(Scope):
            raise InputError("scope", scope, ", ".join(Scope))
        scopes = tuple(Scope) if scope is None else (Scope(scope),)
        return search(self.doctrine.store, words, exact=exact, scopes=scopes)

    def add(self, casting: Casting[Chart]) -> None:
        """Keep a casting in the graph, so that queries see it; into an endpoint it goes whole or not at all.

        Raises StoreError: a collection on disk is only read.
        """
        if isinstance(self.store, Endpoint):
            self.store.load(casting.said)
            return
        try:
            self.store.extend(casting.said)
        except (OSError, RuntimeError):
            raise StoreError(
                "a collection on disk is only read; add the casting to a graph in memory"
            ) from None

    def __len__(self) -> int:
        (row,) = self._sparql("SELECT (COUNT(*) AS ?n) WHERE { ?s ?p ?o }").rows
        return int(show(row[0]))


def open(
    where: str | Path | None = None,
    *,
    treatises: Iterable[Path | str] = (),
    update: str | None = None,
    timeout: float = 30,
) -> Graph:
    """A graph: the doctrine in memory, a collection on disk (its path), or a SPARQL endpoint (its address).

    A collection on disk is opened to be read. `treatises` are Turtle files whose doctrine is added to ours. `update`
    is the endpoint's address for updates, `timeout` its limit in seconds. Raises StoreError where a path is no store.
    """
    if where is None:
        own = Doctrine(doctrine(*treatises))
        return Graph(own.store, own)
    known = Doctrine(doctrine(*treatises)) if treatises else shared()
    if str(where).startswith(("http://", "https://")):
        return Graph(Endpoint(str(where), update, timeout=timeout), known)
    if not Path(where).is_dir():
        raise StoreError(
            f"{where} is no store; give the folder of a collection, or the address of an endpoint"
        )
    try:
        return Graph(Store.read_only(str(where)), known)
    except (OSError, RuntimeError) as error:
        raise StoreError(f"{where} cannot be opened as a store: {' '.join(str(error).split())}") from None
