"""The pages of the treatises and of things: the text whole, names and not IRIs, what a reader wants first."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Any

import httpx
import pytest
from pyoxigraph import NamedNode

from kg.edition import contents, work
from kg.facts import TYPE, thing
from kg.server import pages_read, words
from kg.server.describe import called
from kg.server.entities import void_quads
from kg.server.world import World
from ontology import shorten

LANGUAGES = pytest.mark.parametrize("language", words.LANGUAGES)
HTML = {"Accept": "text/html"}
Seen = Callable[[bytes | str], Any]


def test_properties_and_classes_of_other_vocabularies_are_called_something_in_each_language(
    here: World,
) -> None:
    quads = [q for q in (*here.doctrine.store, *void_quads(here.store)) if isinstance(q.subject, NamedNode)]
    terms = {q.predicate for q in quads} | {q.object for q in quads if q.predicate == TYPE}
    nameless = {
        shorten(t.value) for t in terms if isinstance(t, NamedNode) and len(called(here.store, t)) != 3
    }
    assert not nameless
    assert all(set(row) == set(words.LANGUAGES) and all(row.values()) for row in words.vocabulary().values())


@pytest.mark.parametrize(
    ("path", "title"),
    [
        ("/id/emendation/xuantai-1-1", "巳申寅、申寅亥 → 巳申亥、申亥寅"),
        ("/id/judgment/yinshou-each-own", "인수 · 卷三·印綬·1"),
        ("/id/passage/xuantai-2", "『육임경위 (六壬經緯)』 권3 〈현태〉 2"),
        ("/dataset", "삼식: 대육임과 기문둔갑의 이론, 연결 데이터"),
        ("/mappings/ctext", "Sanshi to the Chinese Text Project"),
        ("/id/branch/01-zi", "자"),
    ],
)
def test_a_thing_and_what_is_said_of_it_are_called_by_names_and_not_by_iris(
    live: httpx.Client, path: str, title: str, seen: Seen
) -> None:
    page = live.get(path, params={"lang": "ko"}, headers=HTML).text
    (heading,) = re.findall(r"<h1>(.*?)</h1>", page)
    assert seen(heading).text.endswith(title)
    assert not [name for name in re.findall(r"<dt>(.*?)</dt>", page) if ":" in name]
    links = re.findall(r'<a href="([^"]*)">([^<]*)</a>', page[page.index("<dl") :])
    assert links
    assert not [text for _, text in links if text.startswith("https://w3id.org/sanshi")]


def passages(here: World) -> Iterator[tuple[str, str, str]]:
    """Book, reference and established text of every passage of both treatises."""
    known = pages_read.reader(here.doctrine.store)
    for slug in ("liuren-jingwei", "qimen-miji"):
        for place in contents(here.doctrine.store, work(here.doctrine.store, slug)):
            yield slug, place.ref, known.passages[place.node].established


def test_every_passage_is_shown_whole(here: World, seen: Seen) -> None:
    for slug, ref, established in passages(here):
        page = pages_read.passage(here, slug, ref, "established", "en").content.decode()
        shown = page[page.index('<p class="text"') :]
        shown = re.sub(r'<a class="mark".*?</a>', "", shown[: shown.index("</p>")])
        assert seen(shown).text == established, f"{slug} {ref}"


def test_base_and_established_differ_by_what_is_adopted(here: World, seen: Seen) -> None:
    def text(mode: str) -> str:
        page = pages_read.passage(here, "liuren-jingwei", "3.1.2", mode, "en").content.decode()
        return seen(page[page.index('<p class="text"') :].partition("</p>")[0]).text

    assert "始動終怠" in text("base")
    assert "始勤終怠" in text("established")
    assert "始動終怠始勤終怠" in text("apparatus")


def test_the_reader_shows_apparatus_allusions_parallels_and_slips(here: World, seen: Seen) -> None:
    page = seen(pages_read.passage(here, "liuren-jingwei", "3.1.2", "established", "zh").content)
    for said in ("校記", "始動終怠", "典故", "四牡騑騑周道倭遲豈不懷歸王事靡盬", "詩經"):
        assert said in page.text
    known = pages_read.reader(here.doctrine.store)
    collated = known.places[thing("passage:ganfu-1")][1].ref
    page = seen(pages_read.passage(here, "liuren-jingwei", collated, "established", "zh").content)
    assert "治事" in page.text and "KR3g0031:002-64b" in page.text


def test_the_page_of_a_form_has_its_reading_its_warrant_its_rule_and_its_judgments(
    live: httpx.Client,
    seen: Seen,
) -> None:
    page = seen(live.get("/id/form/initial-to-stem", params={"lang": "en"}, headers=HTML).text)
    for said in ("The kin patterns rest on the five elements.", "RELATION(?b, ?d)", "初傳生干起於扶助"):
        assert said in page.text


def test_the_page_of_a_pattern_has_its_clauses_in_the_order_of_the_book(
    live: httpx.Client, seen: Seen
) -> None:
    text = seen(live.get("/id/pattern/xuantai", params={"lang": "en"}, headers=HTML).text).text
    order = ["三傳亥寅巳、寅巳申", "順懸胎：春玄胎者", "秋占四牡驅馳不息", "三將或空一二，勿以此名實論"]
    assert [text.index(clause) for clause in order] == sorted(text.index(clause) for clause in order)


@pytest.mark.parametrize(
    ("language", "name"),
    [
        ("zh", "《六壬經緯》卷三·懸胎·2"),
        ("ko", "『육임경위 (六壬經緯)』 권3 〈현태〉 2"),
        ("en", "Warp and Weft of the Six Ren (六壬經緯), vol. 3, Suspended Womb (懸胎) 2"),
    ],
)
def test_a_passage_is_headed_as_it_is_cited(live: httpx.Client, language: str, name: str, seen: Seen) -> None:
    page = live.get("/id/passage/xuantai-2", params={"lang": language}, headers=HTML).text
    assert f"<h1>{name}</h1>" in page and f"<title>{name} · " in page
    assert name in seen(live.get("/read/liuren-jingwei/3.1.2", params={"lang": language}).text).text


def test_a_treatise_without_author_is_listed_by_its_passages_alone(here: World) -> None:
    page = pages_read.library(here, "en").content.decode()
    assert re.findall(r"</a><span>([^<]*?) ?\d+ Passages</span>", page) == ["Mao Zhidao ·", ""]
