"""The pages without a browser: whole, in their language, and nothing that is given to them is believed."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any
from urllib.parse import parse_qs, urlsplit

import httpx
import pytest

import queries
from kg.server import pages_ask, pages_browse, pages_cast, pages_read, words
from kg.server.pages import STATIC
from kg.server.pages_render import environment
from kg.server.world import World

LANGUAGES = pytest.mark.parametrize("language", words.LANGUAGES)
HTML = {"Accept": "text/html"}
LIUREN = (("day", "庚申"), ("hour", "子"), ("general", "亥"), ("month", "寅"), ("year", "巳"))
Seen = Callable[[bytes | str], Any]


def test_every_word_has_three_languages_and_is_used() -> None:
    told = words.table()
    assert not [name for name, row in told.items() if len(row) != 3 or not all(row)]
    sources = [
        environment().loader.get_source(environment(), name)[0] for name in environment().list_templates()
    ]
    sources += [path.read_text(encoding="utf-8") for path in STATIC.parent.glob("*.py")]
    said = "\n".join(sources)
    built = ("field_", "form_pillars_", "pillar_", "mode_", "browse_", "find_", "legend_", "ask_")
    unused = [n for n in told if not re.search(rf"\b{n}\b", said) and not n.startswith(built)]
    roles = {"initial", "middle", "final", "upon_stem", "upon_branch"}
    assert not set(unused) - roles


def test_every_word_a_template_names_is_there() -> None:
    for name in environment().list_templates():
        source = environment().loader.get_source(environment(), name)[0]
        missing = set(re.findall(r"\bt\.([a-z_]+)", source)) - set(words.table())
        assert not missing, name


@LANGUAGES
def test_pages_are_whole_and_in_their_language(here: World, language: str, seen: Seen) -> None:
    replies = [
        pages_cast.home(here, language),
        pages_cast.chart(here, "liuren", LIUREN, language),
        pages_cast.chart(here, "qimen", (("dun", "陽"), ("ju", "1"), ("hour", "甲子")), language),
        pages_read.library(here, language),
        pages_read.contents(here, "qimen-miji", language),
        pages_read.passage(here, "liuren-jingwei", "3.1.2", "apparatus", language),
        *(pages_browse.browse(here, room, language) for room in ("", *pages_browse.ROOMS)),
        pages_browse.find(here, "螣蛇", "", False, language),
        pages_ask.editor(here, "headings", language),
        pages_ask.named(here, "judgments-of-heading", (("heading", "印綬"),), language),
    ]
    for reply in replies:
        page = seen(reply.content)
        assert reply.status == 200
        assert not page.open, page.text[:80]
        assert len(page.ids) == len(set(page.ids)), [i for i in page.ids if page.ids.count(i) > 1]
        assert f'lang="{words.HTML_TAGS[language]}"' in reply.content.decode()[:60]
        inner = [link for link in page.links if link.startswith("/") and "lang=" in link]
        mine = [link for link in inner if parse_qs(urlsplit(link).query)["lang"] == [language]]
        assert len(inner) - len(mine) == 4, "only the two other languages, in the head and in the menu"
        assert "style" not in page.tags


@pytest.mark.parametrize(
    ("path", "status", "said"),
    [
        ("/chart/taiyi", 404, "/chart/liuren and /chart/qimen"),
        ("/chart/liuren?day=庚申", 400, "an instant, or day, hour and general"),
        ("/chart/liuren?day=庚申&hour=子&general=亥&shehai=deep", 400, "mengzhong, depth, depth-seat"),
        ("/chart/qimen?dun=陽&ju=one&hour=甲子", 400, "a number"),
        ("/chart/qimen?dun=陽&ju=1&hour=甲子&topic=占天氣", 400, "占失物"),
        ("/chart/liuren?moon=full", 400, "moon"),
        ("/read/no-such-book", 404, "liuren-jingwei"),
        ("/read/liuren-jingwei/9.9.9", 404, "9.9.9"),
        ("/read/liuren-jingwei/3.1.2?mode=upside-down", 400, "base, established, apparatus"),
        ("/browse/cellar", 404, "headings, forms"),
        ("/find?q=，", 400, "one letter or character at least"),
        ("/find?q=子&in=cellar", 400, "cellar"),
        ("/ask?query=SELECT", 400, "not a SPARQL query"),
        ("/ask?query=SELECT * { SERVICE <http://example.org/> { ?s ?p ?o } }", 403, "SERVICE"),
        ("/ask?load=no-such-query", 400, "no query called"),
        ("/ask/no-such-query", 404, "no-such-query"),
        ("/ask/judgments-of-heading?heading=印受", 400, "did you mean 印綬"),
        ("/ask/judgments-of-heading?moon=full", 400, "moon"),
        ("/?lang=fr", 400, "en, ko, zh"),
        ("/static/../pages.py", 404, "nothing"),
    ],
)
def test_what_cannot_be_shown_is_refused_with_a_page_that_says_why(
    live: httpx.Client, path: str, status: int, said: str, seen: Seen
) -> None:
    response = live.get(path, headers=HTML)
    assert response.status_code == status
    page = seen(response.text)
    assert said in page.text
    assert "main" in page.tags


@pytest.mark.parametrize("path", ["/id/branch/13-mao.html", "/id/chart/no-such.html", "/dataset/moon.html"])
def test_a_page_that_is_not_there_is_refused_with_a_page(live: httpx.Client, path: str) -> None:
    browser = "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8"
    kinds = {"text/html": [browser, "*/*", "text/html"], "application/json": ["application/json, */*;q=0.1"]}
    for kind, ranges in kinds.items():
        for accept in ranges:
            response = live.get(path, headers={"Accept": accept})
            assert response.status_code == 404
            assert response.headers["Content-Type"].partition(";")[0] == kind, accept
            assert path.removesuffix(".html").rpartition("/")[2] in response.text
    other = live.get(path.replace(".html", ".ttl"), headers={"Accept": "*/*"})
    assert (other.status_code, other.headers["Content-Type"]) == (404, "application/json")


@pytest.mark.parametrize(
    "path",
    [
        "/find?q={}",
        "/ask?query={}",
        "/ask/judgments-of-heading?heading={}",
        "/chart/liuren?day={}",
        "/browse/{}",
        "/read/{}",
    ],
)
def test_what_is_given_comes_back_as_text_alone(live: httpx.Client, path: str) -> None:
    hostile = '"><script>alert(1)</script><b x="'
    page = live.get(path.format(hostile.replace("/", "%2F")), headers=HTML).text
    assert "<script>alert" not in page
    assert "<b x=" not in page


def test_a_query_that_does_not_end_is_stopped_and_its_text_kept(live: httpx.Client, seen: Seen) -> None:
    query = "SELECT (COUNT(*) AS ?n) { ?a ?b ?c . ?d ?e ?f . ?g ?h ?i }"
    response = live.get("/ask", params={"query": query, "lang": "en"})
    assert response.status_code == 504
    assert query in seen(response.text).text
    assert "it had not ended" in seen(response.text).text


def test_an_answer_that_was_cut_says_so(live: httpx.Client, seen: Seen) -> None:
    page = seen(live.get("/ask", params={"query": "SELECT * { ?s ?p ?o }", "lang": "en"}).text)
    assert "200 rows" in page.text
    assert "cut, since there are more" in page.text


def test_a_named_query_of_a_chart_is_answered(live: httpx.Client, seen: Seen) -> None:
    chart = "chart:liuren-57-gengshen-h.zi-g.hai-m.yin"
    page = seen(live.get("/ask/findings-of-chart", params={"chart": chart, "lang": "en"}).text)
    assert "支上生支，干上生干，彼我各自有助" in page.text


def test_no_page_asks_another_host_for_anything(live: httpx.Client) -> None:
    for path in ("/", "/ask", "/read/liuren-jingwei/3.1.2", "/chart/liuren"):
        page = live.get(path, headers=HTML).text
        assert not re.findall(r'(?:src|action)="(?:https?:)?//', page)
        assert not re.findall(r'<link[^>]*rel="(?:stylesheet|icon)"[^>]*href="(?!/static/)', page)
        assert not re.findall(r"\son\w+=|<style|style=", page)
    for path in STATIC.rglob("*.css"):
        assert not re.search(r"@import|url\(\s*['\"]?(?:https?:)?//", path.read_text(encoding="utf-8")), (
            path.name
        )


def _chosen(page: bytes) -> list[str]:
    return re.findall(r'<option value="([^"]*)" selected>', page.decode())


def test_the_menu_names_the_query_that_the_editor_holds_and_else_none(here: World) -> None:
    assert _chosen(pages_ask.editor(here, "", "en").content) == []
    assert _chosen(pages_ask.editor(here, "headings", "en").content) == ["headings"]
    text = queries.get("headings").text.replace("\n", "\r\n")  # as a form sends it
    assert _chosen(pages_ask.free(here, text, "en").content) == ["headings"]
    assert _chosen(pages_ask.free(here, "ASK {}", "en").content) == []


@pytest.mark.parametrize("language", ["zh", "ko"])
def test_questions_are_in_the_language_of_the_page(here: World, language: str, seen: Seen) -> None:
    asked = [query for query in queries.named().values() if not query.is_violation]
    page = seen(pages_ask.editor(here, "", language).content).text
    for query in asked:
        assert {tag for tag, said in query.said if said} == {"zh", "ko"}, query.name
        assert query.asks(language) != query.question
        assert query.name == "federated-wikidata" or query.asks(language) in page
    named = pages_ask.named(here, "judgments-of-heading", (("heading", "印綬"),), language).content.decode()
    assert f"<h1>{queries.get('judgments-of-heading').asks(language)}</h1>" in named


def test_what_is_asked_of_charts_is_set_apart_where_none_are_kept(here: World) -> None:
    of_charts = {query.name for query in queries.named().values() if query.asked_of}
    assert of_charts
    page = pages_ask.editor(here, "", "en").content.decode()
    menu = page[page.index("<select") : page.index("</select>")]
    assert not of_charts & set(re.findall(r'<option value="([^"]*)"', menu))
    apart = page[page.index('id="ask_elsewhere"') : page.index('id="ask_checks"')]
    assert set(re.findall(r'href="/ask/([^?"]+)', apart)) == of_charts
