"""Media ranges, suffixes and languages, and headers that were written to do harm."""

from __future__ import annotations

from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kg.server.negotiation import GRAPHS, HTML, ROWS, choose, graph_type, language, ranges, suffixed
from kg.server.reply import Refused

BROWSER = "text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,*/*;q=0.8"


@pytest.mark.parametrize(
    ("accept", "chosen"),
    [
        ("*/*", "application/sparql-results+json"),
        ("", "application/sparql-results+json"),
        ("text/csv", "text/csv"),
        ("TEXT/CSV", "text/csv"),
        ("text/*", "text/csv"),
        ("text/*;q=0.5, application/sparql-results+xml;q=0.6", "application/sparql-results+xml"),
        ("text/csv;q=0.1, text/tab-separated-values;q=0.2", "text/tab-separated-values"),
        ("text/csv;q=0, text/*", "text/tab-separated-values"),
        ("application/json", "application/json"),
        ("application/sparql-results+json;charset=utf-8", "application/sparql-results+json"),
        ("*/*;q=0.1, application/sparql-results+json;q=0", "application/json"),
        ("nonsense, text/csv;q=nan, text/tab-separated-values", "text/tab-separated-values"),
        ("text/csv;q=2", "application/sparql-results+json"),
    ],
)
def test_rows(accept: str, chosen: str) -> None:
    assert choose(accept, ROWS) == chosen


@pytest.mark.parametrize(
    ("accept", "chosen"),
    [
        ("*/*", "text/turtle"),
        ("application/ld+json, text/turtle;q=0.9", "application/ld+json"),
        ("application/x-turtle", "text/turtle"),
        ("application/xml", "application/rdf+xml"),
        (BROWSER, HTML),
    ],
)
def test_graphs(accept: str, chosen: str) -> None:
    assert graph_type(accept, also=[HTML]) == chosen


@pytest.mark.parametrize("accept", ["image/png", "*/*;q=0", "text/turtle;q=0.000, */*;q=0"])
def test_nothing_fits(accept: str) -> None:
    with pytest.raises(Refused, match="text/turtle") as refused:
        graph_type(accept)
    assert refused.value.status == 406


@given(st.text(st.characters(max_codepoint=255), max_size=300))
def test_any_header_is_answered_or_refused(accept: str) -> None:
    with suppress(Refused):
        assert choose(accept, ROWS) in ROWS
    assert language(accept) in ("en", "ko", "zh")


def test_a_header_of_many_ranges_is_read_to_a_bound() -> None:
    assert len(ranges(", ".join(["a/b"] * 10_000))) == 50
    assert len(ranges("," * 60_000)) == 1
    assert ranges("a/b" + ";q=0" * 20_000 + ";" * 20_000)


def test_suffixes() -> None:
    with_html = {**GRAPHS, HTML: "html"}
    assert suffixed("/id/branch/01-zi.html", with_html) == ("/id/branch/01-zi", HTML)
    assert suffixed("/id/branch/01-zi", with_html) == ("/id/branch/01-zi", None)
    assert suffixed("/id/chart/liuren-57-gengshen-h.zi-g.hai.nt", GRAPHS)[1] == "application/n-triples"


@pytest.mark.parametrize(
    ("accept", "chosen"),
    [
        ("", "en"),
        ("ko", "ko"),
        ("zh-CN,zh;q=0.9,en;q=0.8", "zh"),
        ("fr, ko;q=0.2, en;q=0.1", "ko"),
        ("ko;q=0", "en"),
    ],
)
def test_languages(accept: str, chosen: str) -> None:
    assert language(accept) == chosen
