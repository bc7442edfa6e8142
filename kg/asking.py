"""Run a named query, or any SPARQL query, over a store: typed parameters in, rows or a graph out.

Values are bound as terms; none is pasted into the text. A parameter whose type is a class takes a label in any
language, a local name, a prefixed name or an IRI, and an unknown one is an error that names what comes near.
"""

from __future__ import annotations

import csv
import difflib
import io
import json
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass

from pyoxigraph import (
    BlankNode,
    Literal,
    NamedNode,
    QueryBoolean,
    QuerySolutions,
    QueryTriples,
    RdfFormat,
    Store,
    Triple,
    Variable,
)

from kg.errors import QueryError, StoreError
from kg.facts import TYPE, term
from kg.query_text import fault
from kg.rdf import write as write_rdf
from kg.store import DOCTRINE
from ontology import expand, prefixes, shorten
from queries import NamedQuery, Parameter

Term = NamedNode | Literal | BlankNode | Triple

_RDFS = "http://www.w3.org/2000/01/rdf-schema#"
_SKOS = "http://www.w3.org/2004/02/skos/core#"
_LABELS = [NamedNode(_RDFS + "label"), term("key")]
_LABELS += [NamedNode(_SKOS + name) for name in ("prefLabel", "altLabel", "notation")]


@dataclass(frozen=True, slots=True)
class Answer:
    """The answer to a query: columns with rows, or triples, or a yes or no as one row."""

    columns: tuple[str, ...]
    rows: tuple[tuple[Term | None, ...], ...]
    triples: tuple[Triple, ...] = ()

    def plain(self) -> list[dict[str, str]]:
        """The rows as text, IRIs of ours as prefixed names."""
        return [{c: show(v) for c, v in zip(self.columns, row, strict=True)} for row in self.rows]

    def only(self, columns: Sequence[str]) -> Answer:
        """The answer with some of its columns, in the order given. Raises StoreError where it has not all of them."""
        if lacking := [column for column in columns if column not in self.columns]:
            raise StoreError(f"the store answered without the column {', '.join(lacking)}")
        order = [self.columns.index(column) for column in columns]
        return Answer(tuple(columns), tuple(tuple(row[i] for i in order) for row in self.rows), self.triples)


def show(value: Term | None) -> str:
    """A term as text: a prefixed name, the value of a literal, empty for nothing.

    >>> show(NamedNode("https://w3id.org/sanshi/id/branch/01-zi"))
    'branch:01-zi'
    """
    if value is None:
        return ""
    if isinstance(value, NamedNode):
        return shorten(value.value)
    return value.value if isinstance(value, Literal | BlankNode) else str(value)


def bind(store: Store, query: NamedQuery, given: Mapping[str, str]) -> dict[Variable, Term]:
    """The terms of the parameters of a query. Raises QueryError for one missing, unknown, or of the wrong type."""
    known = {parameter.name: parameter for parameter in query.parameters}
    for name in given:
        if name not in known:
            takes = ", ".join(known) or "no parameters"
            raise QueryError(f"{query.name}: no parameter {name!r}; it takes {takes}")
    bound: dict[Variable, Term] = {}
    for name, parameter in known.items():
        if name not in given:
            hint = f", such as {parameter.example}" if parameter.example else ""
            raise QueryError(f"{query.name}: --{name} is needed (a {parameter.type}{hint})")
        bound[Variable(name)] = _value(store, parameter, given[name])
    return bound


def check(store: Store, query: NamedQuery) -> None:
    """Raises StoreError for a store without what a query is asked of: the doctrine, charts, what a census counted."""
    if not (query.is_violation or _any(store, "Judgment")):
        raise StoreError(
            "the store has no doctrine to ask; `sanshi load` and `sanshi census` make one that has"
        )
    if not kept_for(store, query):
        made = (
            "sanshi census" if query.asked_of != "Chart" else "sanshi load --format chart` or `sanshi census"
        )
        raise StoreError(
            f"{query.name} is asked of charts that a store keeps, as `{made}` makes it; here are none"
        )


def kept_for(store: Store, query: NamedQuery) -> bool:
    """Whether a store keeps what a query is asked of; charts and counts are kept by a collection alone.

    >>> import queries
    >>> from kg.store import doctrine
    >>> [kept_for(doctrine(), queries.get(name)) for name in ("headings", "methods-by-frequency")]
    [True, False]
    """
    return not query.asked_of or _any(store, query.asked_of)


def _any(store: Store, cls: str) -> bool:
    return any(any(store.quads_for_pattern(None, TYPE, one)) for one in _classes(store, cls))


def _value(store: Store, parameter: Parameter, text: str) -> Term:
    if parameter.type == "text":
        return Literal(text)
    if parameter.type == "integer":
        try:
            return Literal(int(text))
        except ValueError:
            raise QueryError(f"--{parameter.name}: {text!r} is not a whole number") from None
    return resolve(store, parameter.type, text, f"--{parameter.name}")


def resolve(store: Store, cls: str, text: str, where: str) -> NamedNode:
    """The thing of a class that a text names: by label, by the local name of its IRI, by a prefixed name or an IRI.

    Raises QueryError where none or several are so called.

    >>> from kg.findings import shared
    >>> shorten(resolve(shared().store, "Heading", "印綬", "heading").value)
    'pattern:yinshou'
    """
    members = _members(store, cls)
    prefix, colon, _ = text.partition(":")
    if "://" in text or (colon and prefix in prefixes()):
        with suppress(ValueError):  # what is no IRI is nothing of ours either
            node = NamedNode(expand(text))
            if node in members or cls == "Chart":
                return node
        raise QueryError(f"{where}: {text} is no {cls} of this store")
    called: dict[str, set[NamedNode]] = {}
    for member in members:
        called.setdefault(member.value.rpartition("/")[2].casefold(), set()).add(member)
        for predicate in _LABELS:
            for quad in store.quads_for_pattern(member, predicate, None):
                if isinstance(quad.object, Literal):
                    called.setdefault(quad.object.value.casefold(), set()).add(member)
    found = called.get(text.casefold(), set())
    if len(found) == 1:
        return found.pop()
    if found:
        names = " or ".join(sorted(shorten(node.value) for node in found))
        raise QueryError(f"{where}: {text!r} may be {names}; give one of these")
    near = difflib.get_close_matches(text.casefold(), called, n=3, cutoff=0.3)
    hint = f"; did you mean {' or '.join(near)}?" if near else ""
    raise QueryError(f"{where}: no {cls} is called {text!r}{hint}")


def _classes(store: Store, cls: str) -> set[NamedNode]:
    """Some classes of ours (`Stem or Door`) with their subclasses; `Concept` is a concept of SKOS."""
    waiting = [NamedNode(_SKOS + name) if name == "Concept" else term(name) for name in cls.split(" or ")]
    classes = set(waiting)
    while waiting:
        for quad in store.quads_for_pattern(None, NamedNode(_RDFS + "subClassOf"), waiting.pop()):
            if isinstance(quad.subject, NamedNode) and quad.subject not in classes:
                classes.add(quad.subject)
                waiting.append(quad.subject)
    return classes


def _members(store: Store, cls: str) -> set[NamedNode]:
    """The instances of some classes or of their subclasses."""
    return {
        q.subject
        for c in _classes(store, cls)
        for q in store.quads_for_pattern(None, TYPE, c)
        if isinstance(q.subject, NamedNode)
    }


def ask(store: Store, query: NamedQuery, given: Mapping[str, str] | None = None) -> Answer:
    """The answer to a named query, its columns in the order of its header; a graph has none."""
    answer = sparql(store, query.text, bind(store, query, given or {}))
    return answer.only(query.columns) if answer.columns else answer


def sparql(store: Store, text: str, bound: Mapping[Variable, Term] | None = None) -> Answer:
    """The answer to a SPARQL query; the prefixes of the ontology may be used without declaring them.

    In a store that has the doctrine in a graph of its own, the query is asked of all graphs together.
    Raises QueryError where the text is no query.
    """
    try:
        found = store.query(
            text,
            prefixes=dict(prefixes()),
            substitutions=dict(bound or {}),
            use_default_graph_as_union=store.contains_named_graph(DOCTRINE),
        )
        return _answer(found)
    except SyntaxError as error:
        raise QueryError(f"not a SPARQL query: {fault(text, error)}") from None
    except (OSError, ValueError, RuntimeError) as error:
        raise QueryError(f"the query cannot be run: {' '.join(str(error).split())}") from None


def _answer(result: QuerySolutions | QueryBoolean | QueryTriples) -> Answer:
    """A result drawn to its end, which is where a store may still fail."""
    if isinstance(result, QuerySolutions):
        columns = tuple(v.value for v in result.variables)
        return Answer(columns, tuple(tuple(row) for row in result))
    if isinstance(result, QueryBoolean):
        return Answer(("answer",), ((Literal(bool(result)),),))
    return Answer((), (), tuple(result))


def write(answer: Answer, format: str) -> str:
    """An answer as `csv`, `json` (SPARQL results), or `turtle` (for a graph). Raises QueryError if it has no such form.

    >>> write(Answer(("a",), ((Literal("甲"),),)), "csv")
    'a\\r\\n甲\\r\\n'
    """
    if format == "turtle":
        if answer.columns:
            raise QueryError(
                "turtle is for a query that makes a graph (CONSTRUCT, DESCRIBE); give csv or json"
            )
        return write_rdf(answer.triples, RdfFormat.TURTLE)
    if not answer.columns:
        raise QueryError(f"{format} is for a query with rows; give turtle for CONSTRUCT and DESCRIBE")
    if format == "csv":
        out = io.StringIO()
        writer = csv.writer(out)
        writer.writerow(answer.columns)
        writer.writerows([show(value) for value in row] for row in answer.rows)
        return out.getvalue()
    return json.dumps(_results(answer.columns, answer.rows), ensure_ascii=False, indent=1) + "\n"


def _results(columns: Sequence[str], rows: Sequence[Sequence[Term | None]]) -> dict[str, object]:
    """SPARQL 1.1 Query Results JSON."""
    bindings = []
    for row in rows:
        entry: dict[str, dict[str, str]] = {}
        for column, value in zip(columns, row, strict=True):
            if isinstance(value, NamedNode):
                entry[column] = {"type": "uri", "value": value.value}
            elif isinstance(value, BlankNode):
                entry[column] = {"type": "bnode", "value": value.value}
            elif isinstance(value, Literal):
                entry[column] = {"type": "literal", "value": value.value}
                if value.language:
                    entry[column]["xml:lang"] = value.language
                elif value.datatype.value != "http://www.w3.org/2001/XMLSchema#string":
                    entry[column]["datatype"] = value.datatype.value
        bindings.append(entry)
    return {"head": {"vars": list(columns)}, "results": {"bindings": bindings}}
