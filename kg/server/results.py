"""Answers of SPARQL queries as bytes, cut at a number of rows or triples: JSON, XML, CSV, TSV, and graphs.

Solutions are written here and not by the engine, since the engine writes all of them or none.
"""

from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import islice
from typing import Any
from xml.sax.saxutils import escape, quoteattr

from pyoxigraph import (
    BlankNode,
    Literal,
    NamedNode,
    QueryBoolean,
    QuerySolutions,
    QueryTriples,
    RdfFormat,
    Triple,
    serialize,
)

from kg.facts import XSD
from kg.rdf import used_prefixes
from kg.server import html
from kg.server.negotiation import GRAPHS, HTML, JSON, ROWS, choose, graph_type
from kg.server.reply import Refused, Reply

Term = NamedNode | BlankNode | Literal | Triple
Row = Sequence[Term | None]

RDF_FORMATS: Mapping[str, RdfFormat] = {
    "text/turtle": RdfFormat.TURTLE,
    "application/n-triples": RdfFormat.N_TRIPLES,
    "application/ld+json": RdfFormat.JSON_LD,
    "application/rdf+xml": RdfFormat.RDF_XML,
}
CUT = "Sanshi-Truncated"
"""The header that says after how many rows or triples an answer was cut; absent from a whole answer."""

_ENDS = re.compile(r"^[ \t\n]+|[ \t\n]+\Z")
_NOT_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


Answered = QuerySolutions | QueryBoolean | QueryTriples


def answer(
    found: Answered,
    accept: str,
    limit: int,
    columns: Sequence[str] | None = None,
) -> Reply:
    """An answer in the form that a client likes best, after `limit` rows or triples cut.

    `columns` are those to show, in their order; without them, all. Raises Refused (406).
    """
    if isinstance(found, QueryTriples):
        media_type = graph_type(accept)
        triples = list(dict.fromkeys(islice(found, limit + 1)))
        return Reply(graph(triples[:limit], media_type), media_type, _cut(len(triples), limit))
    media_type = choose(accept, [*ROWS, HTML])
    if isinstance(found, QueryBoolean):
        return Reply(_boolean(bool(found), media_type), media_type)
    names = [variable.value for variable in found.variables]
    rows: list[Row] = [tuple(row) for row in islice(found, limit + 1)]
    if columns is not None:
        places = [names.index(name) if name in names else None for name in columns]
        rows = [tuple(None if p is None else row[p] for p in places) for row in rows]
        names = list(columns)
    writer = _WRITERS[media_type]
    return Reply(writer(names, rows[:limit]).encode(), media_type, _cut(len(rows), limit))


def _cut(count: int, limit: int) -> dict[str, str]:
    return {CUT: str(limit)} if count > limit else {}


def graph(triples: Iterable[Triple], media_type: str, named: Mapping[str, str] | None = None) -> bytes:
    """Triples as a graph of a media type, with some prefixes, or those that they use, where the syntax has them.

    Raises Refused (406) where the syntax cannot say a triple.
    """
    out, said = io.BytesIO(), list(triples)
    short = None
    if media_type in ("text/turtle", "application/rdf+xml"):
        short = dict(named or used_prefixes(said))
    try:
        serialize(said, out, RDF_FORMATS[media_type], prefixes=short)
    except (ValueError, OSError) as error:
        others = ", ".join(other for other in GRAPHS if other != media_type)
        raise Refused(406, f"this graph cannot be said as {media_type} ({error}); ask for {others}") from None
    return out.getvalue()


def _boolean(yes: bool, media_type: str) -> bytes:
    word = "true" if yes else "false"
    if media_type.endswith("json"):
        return b'{"head":{},"boolean":%s}\n' % word.encode()
    if media_type.endswith("xml"):
        return _xml("<head/>", f"<boolean>{word}</boolean>").encode()
    if media_type == HTML:
        return html.table(["answer"], [[word]]).encode()
    return word.encode() + b"\n"


def _json_term(term: Term) -> dict[str, Any]:
    if isinstance(term, NamedNode):
        return {"type": "uri", "value": term.value}
    if isinstance(term, BlankNode):
        return {"type": "bnode", "value": term.value}
    if isinstance(term, Literal):
        said = {"type": "literal", "value": term.value}
        if term.language is not None:
            return said | {"xml:lang": term.language}
        kind = term.datatype.value
        return said if kind == XSD + "string" else said | {"datatype": kind}
    parts = {"subject": term.subject, "predicate": term.predicate, "object": term.object}
    return {"type": "triple", "value": {name: _json_term(part) for name, part in parts.items()}}


def _json(names: Sequence[str], rows: Iterable[Row]) -> str:
    """SPARQL 1.1 Query Results JSON Format."""
    bindings = [
        {name: _json_term(term) for name, term in zip(names, row, strict=True) if term is not None}
        for row in rows
    ]
    return (
        json.dumps({"head": {"vars": list(names)}, "results": {"bindings": bindings}}, ensure_ascii=False)
        + "\n"
    )


def _text(value: str) -> str:
    """Text of an element. A character that XML cannot have becomes the one that stands for what is unknown; blanks
    at the ends are written by number, since many readers drop them.
    """
    known = escape(_NOT_XML.sub("\ufffd", value), {"\r": "&#13;"})
    return _ENDS.sub(lambda blanks: "".join(f"&#{ord(blank)};" for blank in blanks.group()), known)


def _xml_term(term: Term) -> str:
    if isinstance(term, NamedNode):
        return f"<uri>{_text(term.value)}</uri>"
    if isinstance(term, BlankNode):
        return f"<bnode>{_text(term.value)}</bnode>"
    if isinstance(term, Literal):
        about = ""
        if term.language is not None:
            about = f" xml:lang={quoteattr(term.language)}"
        elif term.datatype.value != XSD + "string":
            about = f" datatype={quoteattr(term.datatype.value)}"
        return f"<literal{about}>{_text(term.value)}</literal>"
    parts = {"subject": term.subject, "predicate": term.predicate, "object": term.object}
    return (
        f"<triple>{''.join(f'<{name}>{_xml_term(part)}</{name}>' for name, part in parts.items())}</triple>"
    )


def _xml(head: str, body: str) -> str:
    space = "http://www.w3.org/2005/sparql-results#"
    return f'<?xml version="1.0" encoding="UTF-8"?>\n<sparql xmlns="{space}">{head}{body}</sparql>\n'


def _xml_rows(names: Sequence[str], rows: Iterable[Row]) -> str:
    """SPARQL Query Results XML Format."""
    head = "".join(f"<variable name={quoteattr(name)}/>" for name in names)
    results = []
    for row in rows:
        bound = [(name, term) for name, term in zip(names, row, strict=True) if term is not None]
        cells = [f"<binding name={quoteattr(name)}>{_xml_term(term)}</binding>" for name, term in bound]
        results.append(f"<result>{''.join(cells)}</result>")
    return _xml(f"<head>{head}</head>", f"<results>{''.join(results)}</results>")


def plain(term: Term | None) -> str:
    """A term as CSV has it: its value alone.

    >>> plain(NamedNode("urn:a")), plain(Literal("子", language="zh-hant")), plain(None)
    ('urn:a', '子', '')
    """
    if term is None:
        return ""
    if isinstance(term, BlankNode):
        return f"_:{term.value}"
    return str(term) if isinstance(term, Triple) else term.value


def _csv(names: Sequence[str], rows: Iterable[Row]) -> str:
    """SPARQL 1.1 Query Results CSV Format: values alone."""
    out = io.StringIO()
    writer = csv.writer(out)
    writer.writerow(names)
    writer.writerows([plain(term) for term in row] for row in rows)
    return out.getvalue()


def _tsv(names: Sequence[str], rows: Iterable[Row]) -> str:
    """SPARQL 1.1 Query Results TSV Format: terms as Turtle writes them."""
    lines = ["\t".join(f"?{name}" for name in names)]
    for row in rows:
        # in N-Triples a tab may stand in a literal as it is
        lines.append(
            "\t".join("" if term is None else _turtle_term(term).replace("\t", "\\t") for term in row)
        )
    return "\n".join(lines) + "\n"


def _turtle_term(term: Term) -> str:
    if not isinstance(term, Triple):
        return str(term)
    return f"<<( {term.subject} {term.predicate} {_turtle_term(term.object)} )>>"


def _html(names: Sequence[str], rows: Iterable[Row]) -> str:
    return html.table(names, [[plain(term) for term in row] for row in rows])


_WRITERS: Mapping[str, Callable[[Sequence[str], Iterable[Row]], str]] = {
    "application/sparql-results+json": _json,
    JSON: _json,
    "application/sparql-results+xml": _xml_rows,
    "application/xml": _xml_rows,
    "text/csv": _csv,
    "text/tab-separated-values": _tsv,
    HTML: _html,
}
