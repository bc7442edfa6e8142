"""The HTML of what is data first: things, tables of solutions, refusals. Plain; every visible word is escaped."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from kg.facts import Chart
    from kg.findings import Casting
    from kg.server.describe import Description, Link


def page(title: str, body: str, language: str = "en") -> str:
    """A whole page; the body is HTML already.

    >>> "<title>a &lt; b</title>" in page("a < b", "")
    True
    """
    head = f'<meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>{escape(title)}</title>'
    return f'<!DOCTYPE html>\n<html lang="{language}"><head>{head}</head>\n<body>\n{body}\n</body></html>\n'


def table(names: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Solutions as a page with a table.

    >>> "<td>子</td>" in table(["name"], [["子"]])
    True
    """
    head = "".join(f'<th scope="col">{escape(name)}</th>' for name in names)
    lines = "\n".join("<tr>" + "".join(f"<td>{escape(cell)}</td>" for cell in row) + "</tr>" for row in rows)
    body = f"<table>\n<thead><tr>{head}</tr></thead>\n<tbody>\n{lines}\n</tbody></table>"
    return page("Sanshi", f"<h1>Sanshi</h1>\n<p>{len(rows)} rows</p>\n{body}")


def message(status: int, line: str) -> str:
    """A refusal as a page.

    >>> "<p>no &lt;b&gt;</p>" in message(404, "no <b>")
    True
    """
    return page(f"{status}", f"<h1>{status}</h1>\n<p>{escape(line)}</p>")


def front(services: Mapping[str, str]) -> str:
    """The first page: what there is, by path, with a word on each."""
    items = "\n".join(
        f'<li><a href="{escape(path)}">{escape(about)}</a></li>' for path, about in services.items()
    )
    return page("Sanshi", f"<h1>Sanshi 三式</h1>\n<ul>\n{items}\n</ul>")


def editor() -> str:
    """The page of the endpoint when it is asked no query: a form that asks one."""
    box = '<textarea id="query" name="query" rows="12" cols="80">SELECT * { ?s ?p ?o } LIMIT 10</textarea>'
    form = f'<form action="/sparql" method="get"><p><label for="query">Query</label><br>{box}</p>'
    return page("SPARQL", f"<h1>SPARQL</h1>\n{form}\n<p><button>Ask</button></p></form>")


def thing(of: Description, language: str) -> str:
    """A thing: its label, what is said of it, and what points at it."""
    types = "".join(
        f'<link rel="alternate" type="{kind}" href="{path}">' for kind, path in of.alternates.items()
    )
    said = _list(of.outgoing, language)
    back = _list(of.incoming, language)
    more = f"<p>and {of.more} more</p>" if of.more else ""
    parts = [f"{types}<h1>{escape(of.label(language))}</h1>", f"<p><code>{escape(of.iri)}</code></p>", said]
    if back:
        parts += ["<h2>Referred to by</h2>", back, more]
    return page(of.label(language), "\n".join(parts), language)


def chart(casting: Casting[Chart], of: Description, language: str) -> str:
    """A chart: what it was cast from, and its findings with their clauses."""
    findings = "\n".join(
        f'<li><b>{escape(f.clause.heading)}</b> <q lang="lzh-Hant">{escape(f.clause.quote)}</q></li>'
        for f in casting.findings
    )
    title = of.label(language)
    return page(title, f"<h1>{escape(title)}</h1>\n<ul>\n{findings}\n</ul>", language)


def vocabulary(terms: Sequence[Description], language: str) -> str:
    """All terms of the ontology, each under the fragment that its IRI has."""
    parts = [
        f'<section id="{escape(term.iri.partition("#")[2])}"><h2>{escape(term.label(language))}</h2>\n'
        f"<p><code>{escape(term.iri)}</code></p>\n{_list(term.outgoing, language)}</section>"
        for term in terms
    ]
    return page("Ontology", "<h1>Ontology</h1>\n" + "\n".join(parts), language)


def _list(links: Sequence[Link], language: str) -> str:
    rows = []
    for link in links:
        shown = escape(link.text(language))
        target = f'<a href="{escape(link.href)}">{shown}</a>' if link.href else shown
        lang = f' lang="{escape(link.tag)}"' if link.tag else ""
        rows.append(f"<dt>{escape(link.property_label(language))}</dt><dd{lang}>{target}</dd>")
    return f"<dl>\n{chr(10).join(rows)}\n</dl>" if rows else ""
