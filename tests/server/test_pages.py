"""The pages without a browser: their words, their forms, what each shows, and that nothing given is believed."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from html.parser import HTMLParser
from urllib.parse import parse_qs, urlsplit

import httpx
import pytest
from pyoxigraph import NamedNode

import queries
from kg.edition import contents, work
from kg.errors import InputError
from kg.facts import TYPE, thing
from kg.schools import options
from kg.server import pages_ask, pages_browse, pages_cast, pages_read, svg, words
from kg.server.describe import called
from kg.server.entities import void_quads
from kg.server.pages import STATIC
from kg.server.pages_forms import NEEDED, PILLARS, cleaned, form
from kg.server.pages_render import environment
from kg.server.world import World
from kg.text import is_character
from kg.topics import notes
from ontology import shorten

LANGUAGES = pytest.mark.parametrize("language", words.LANGUAGES)
HTML = {"Accept": "text/html"}
LIUREN = (("day", "庚申"), ("hour", "子"), ("general", "亥"), ("month", "寅"), ("year", "巳"))


class Reader(HTMLParser):
    """The text of a page, its links, and the names of its elements that stand open at the end."""

    def __init__(self, page: bytes | str) -> None:
        super().__init__()
        self.words: list[str] = []
        self.links: list[str] = []
        self.ids: list[str] = []
        self.open: list[str] = []
        self.tags: set[str] = set()
        self.feed(page if isinstance(page, str) else page.decode())

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)
        if tag not in ("meta", "link", "input", "br"):
            self.open.append(tag)
        for name, value in attributes:
            if name == "href" and value:
                self.links.append(value)
            if name == "id" and value:
                self.ids.append(value)

    def handle_endtag(self, tag: str) -> None:
        if self.open[-1] == tag:
            self.open.pop()

    def handle_startendtag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)

    def handle_data(self, data: str) -> None:
        self.words.append(data)

    @property
    def text(self) -> str:
        return "".join(self.words)


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
    live: httpx.Client, path: str, title: str
) -> None:
    page = live.get(path, params={"lang": "ko"}, headers=HTML).text
    (heading,) = re.findall(r"<h1>(.*?)</h1>", page)
    assert Reader(heading).text.endswith(title)
    assert not [name for name in re.findall(r"<dt>(.*?)</dt>", page) if ":" in name]
    links = re.findall(r'<a href="([^"]*)">([^<]*)</a>', page[page.index("<dl") :])
    assert links
    assert not [text for _, text in links if text.startswith("https://w3id.org/sanshi")]


def test_every_word_a_template_names_is_there() -> None:
    for name in environment().list_templates():
        source = environment().loader.get_source(environment(), name)[0]
        missing = set(re.findall(r"\bt\.([a-z_]+)", source)) - set(words.table())
        assert not missing, name


@LANGUAGES
def test_pages_are_whole_and_in_their_language(here: World, language: str) -> None:
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
        page = Reader(reply.content)
        assert reply.status == 200
        assert not page.open, page.text[:80]
        assert len(page.ids) == len(set(page.ids)), [i for i in page.ids if page.ids.count(i) > 1]
        assert f'lang="{words.HTML_TAGS[language]}"' in reply.content.decode()[:60]
        inner = [link for link in page.links if link.startswith("/") and "lang=" in link]
        mine = [link for link in inner if parse_qs(urlsplit(link).query)["lang"] == [language]]
        assert len(inner) - len(mine) == 4, "only the two other languages, in the head and in the menu"
        assert "style" not in page.tags


def test_a_chart_page_has_every_finding_with_its_clause_and_its_reasons(here: World) -> None:
    casting = pages_cast.cast(here, "liuren", dict(LIUREN))
    page = Reader(pages_cast.chart(here, "liuren", LIUREN, "ko").content)
    assert casting.findings
    for finding in casting.findings:
        assert finding.clause.quote in page.text
        assert finding.clause.glosses["ko"] in page.text
        for sentence in casting.because(finding, "ko"):
            assert sentence in page.text
    for reading in (r for finding in casting.findings for r in finding.clause.readings):
        assert reading["evidence"] in page.text
    assert "關隔" in page.text, "what could not be asked is named"


def test_many_findings_are_folded_by_topic_each_with_its_count_and_the_first_open(here: World) -> None:
    given = (("instant", "2026-02-18T22:59"), ("tz", "Asia/Shanghai"), ("birth", "1980"))
    page = pages_cast.chart(here, "qimen", given, "en").content.decode()
    groups = page.split('<details class="group"')[1:]
    counts = Counter(
        finding.clause.heading for finding in pages_cast.cast(here, "qimen", dict(given)).findings
    )
    assert counts.total() > pages_cast.UNFOLDED
    assert len(groups) == len(counts)
    assert [group.startswith(" open>") for group in groups] == [True] + [False] * (len(groups) - 1)
    for group, (heading, count) in zip(groups, counts.items(), strict=True):
        summary = Reader(re.findall("<summary>(.*?)</summary>", group, re.DOTALL)[0]).text
        assert heading in summary and summary.endswith(f" {count} finding{'s' * (count > 1)}")
        assert group.count("<article") == count
    topic = pages_cast.chart(here, "qimen", (*given, ("topic", "占狀詞")), "en").content.decode()
    assert topic.count('<details class="group" open>') == topic.count('<details class="group"') == 1


@LANGUAGES
def test_a_page_says_how_findings_stand_to_each_other_and_of_which_chart_they_are(
    here: World, language: str
) -> None:
    given = (("instant", "2026-02-18T22:59"), ("tz", "Asia/Shanghai"), ("birth", "1980-05-05T10:00"))
    casting = pages_cast.cast(here, "qimen", dict(given))
    page = pages_cast.chart(here, "qimen", given, language).content.decode()
    articles = dict(
        re.findall(r'<article class="finding[^"]*" id="(f-\d+)">(.*?)</article>', page, re.DOTALL)
    )
    assert len(articles) == len(casting.findings)
    places = {finding.iri: f"f-{number}" for number, finding in enumerate(casting.findings, 1)}
    natal = words.words(language).natal
    for finding in casting.findings:
        article = articles[places[finding.iri]]
        others = [*finding.contradicts, *finding.overrides, *finding.overridden_by]
        assert re.findall(r'href="#(f-\d+)"', article) == [places[iri] for iri in others]
        assert (natal in article) == (finding.hit.chart.value != casting.chart.iri)
        for remark in casting.remarks(finding, language):
            assert remark in Reader(article).text
    assert any(finding.contradicts for finding in casting.findings)
    assert any(finding.overridden_by for finding in casting.findings)
    assert any(casting.remarks(finding, language) for finding in casting.findings)
    assert page.count("<svg") == 2
    for note in notes(casting, language):
        assert note in Reader(page).text


@LANGUAGES
def test_what_was_not_asked_is_said_in_the_language_of_the_page(here: World, language: str) -> None:
    given = (("instant", "2026-02-18T22:59"), ("tz", "Asia/Shanghai"))
    page = Reader(pages_cast.chart(here, "qimen", given, language).content).text
    needs = {"zh": "年命", "ko": "연명", "en": "the querent's birth"}
    assert needs[language] in page[page.index(words.words(language).omitted_note) :]


def test_a_link_of_a_finding_leads_to_its_statement(here: World) -> None:
    page = Reader(pages_cast.chart(here, "liuren", LIUREN, "en").content)
    leading = [link for link in page.links if "#s-" in link]
    assert leading
    for link in leading:
        path, _, fragment = link.partition("#")
        _, _, book, ref = urlsplit(path).path.split("/")
        assert fragment in Reader(pages_read.passage(here, book, ref, "established", "en").content).ids


def test_the_page_of_a_chart_by_its_iri_is_the_same_board(live: httpx.Client) -> None:
    by_form = live.get("/chart/liuren", params=[*LIUREN, ("lang", "en")]).text
    by_iri = live.get(
        "/id/chart/liuren-57-gengshen-h.zi-g.hai-m.yin-y.si", params={"lang": "en"}, headers=HTML
    ).text
    board = re.compile(r"<svg.*?</svg>", re.DOTALL)
    assert board.findall(by_form) == board.findall(by_iri) != []


@pytest.mark.parametrize("art", ["liuren", "qimen"])
def test_a_form_offers_every_school_with_its_authority_and_begins_with_the_default(
    here: World, art: str
) -> None:
    made = form(here.doctrine.store, art, "en", words.words("en"), {})
    assert {field.name for field in made.schools} == set(options(art))
    for field in made.schools:
        assert {notation for notation, _ in field.choices} == set(options(art)[field.name].values)
        assert field.value == field.choices[0][0] == options(art)[field.name].default
        assert all(" — " in shown for _, shown in field.choices)
    assert NEEDED[art] <= set(PILLARS[art])


def test_a_form_keeps_a_value_that_it_does_not_offer(here: World) -> None:
    made = form(here.doctrine.store, "liuren", "en", words.words("en"), {"year": "乙巳"})
    (year,) = (field for field in made.pillars if field.name == "year")
    assert ("乙巳", "乙巳") in year.choices


def test_a_form_of_an_unknown_field_or_of_one_twice_is_refused() -> None:
    with pytest.raises(InputError, match="moon"):
        cleaned("liuren", [("moon", "full")])
    with pytest.raises(InputError, match="day"):
        cleaned("liuren", [("day", "甲子"), ("day", "乙丑")])


@LANGUAGES
def test_a_form_that_nothing_was_given_to_has_no_error_in_any_language(
    live: httpx.Client, language: str
) -> None:
    response = live.get("/chart/qimen", params={"lang": language})
    assert response.status_code == 200
    assert 'role="alert"' not in response.text


def test_what_a_form_leaves_empty_or_at_its_default_is_dropped_from_the_address(live: httpx.Client) -> None:
    sent = [("lang", "en"), ("instant", ""), ("noble", "niuyang"), ("shehai", "depth"), *LIUREN[:3]]
    response = live.get("/chart/liuren", params=sent)
    assert response.status_code == 303
    assert parse_qs(urlsplit(response.headers["Location"]).query) == {
        "lang": ["en"],
        "shehai": ["depth"],
        "day": ["庚申"],
        "hour": ["子"],
        "general": ["亥"],
    }
    assert live.get(response.headers["Location"]).status_code == 200


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
    live: httpx.Client, path: str, status: int, said: str
) -> None:
    response = live.get(path, headers=HTML)
    assert response.status_code == status
    page = Reader(response.text)
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


def test_a_query_that_does_not_end_is_stopped_and_its_text_kept(live: httpx.Client) -> None:
    query = "SELECT (COUNT(*) AS ?n) { ?a ?b ?c . ?d ?e ?f . ?g ?h ?i }"
    response = live.get("/ask", params={"query": query, "lang": "en"})
    assert response.status_code == 504
    assert query in Reader(response.text).text
    assert "it had not ended" in Reader(response.text).text


def test_an_answer_that_was_cut_says_so(live: httpx.Client) -> None:
    page = Reader(live.get("/ask", params={"query": "SELECT * { ?s ?p ?o }", "lang": "en"}).text)
    assert "200 rows" in page.text
    assert "cut, since there are more" in page.text


def test_a_named_query_of_a_chart_is_answered(live: httpx.Client) -> None:
    chart = "chart:liuren-57-gengshen-h.zi-g.hai-m.yin"
    page = Reader(live.get("/ask/findings-of-chart", params={"chart": chart, "lang": "en"}).text)
    assert "支上生支，干上生干，彼我各自有助" in page.text


def passages(here: World) -> Iterator[tuple[str, str, str]]:
    """Book, reference and established text of every passage of both treatises."""
    known = pages_read.reader(here.doctrine.store)
    for slug in ("liuren-jingwei", "qimen-miji"):
        for place in contents(here.doctrine.store, work(here.doctrine.store, slug)):
            yield slug, place.ref, known.passages[place.node].established


def test_every_passage_is_shown_whole(here: World) -> None:
    for slug, ref, established in passages(here):
        page = pages_read.passage(here, slug, ref, "established", "en").content.decode()
        shown = page[page.index('<p class="text"') :]
        shown = re.sub(r'<a class="mark".*?</a>', "", shown[: shown.index("</p>")])
        assert Reader(shown).text == established, f"{slug} {ref}"


def test_base_and_established_differ_by_what_is_adopted(here: World) -> None:
    def text(mode: str) -> str:
        page = pages_read.passage(here, "liuren-jingwei", "3.1.2", mode, "en").content.decode()
        return Reader(page[page.index('<p class="text"') :].partition("</p>")[0]).text

    assert "始動終怠" in text("base")
    assert "始勤終怠" in text("established")
    assert "始動終怠始勤終怠" in text("apparatus")


def test_the_reader_shows_apparatus_allusions_parallels_and_slips(here: World) -> None:
    page = Reader(pages_read.passage(here, "liuren-jingwei", "3.1.2", "established", "zh").content)
    for said in ("校記", "始動終怠", "典故", "四牡騑騑周道倭遲豈不懷歸王事靡盬", "詩經"):
        assert said in page.text
    known = pages_read.reader(here.doctrine.store)
    collated = known.places[thing("passage:ganfu-1")][1].ref
    page = Reader(pages_read.passage(here, "liuren-jingwei", collated, "established", "zh").content)
    assert "治事" in page.text and "KR3g0031:002-64b" in page.text


def test_the_page_of_a_form_has_its_reading_its_warrant_its_rule_and_its_judgments(
    live: httpx.Client,
) -> None:
    page = Reader(live.get("/id/form/initial-to-stem", params={"lang": "en"}, headers=HTML).text)
    for said in ("The kin patterns rest on the five elements.", "RELATION(?b, ?d)", "初傳生干起於扶助"):
        assert said in page.text


def test_the_page_of_a_pattern_has_its_clauses_in_the_order_of_the_book(live: httpx.Client) -> None:
    text = Reader(live.get("/id/pattern/xuantai", params={"lang": "en"}, headers=HTML).text).text
    order = ["三傳亥寅巳、寅巳申", "順懸胎：春玄胎者", "秋占四牡驅馳不息", "三將或空一二，勿以此名實論"]
    assert [text.index(clause) for clause in order] == sorted(text.index(clause) for clause in order)


def test_the_boards_show_what_the_chart_has(here: World) -> None:
    from kg.chart_json import casting_json

    for art, given in (("liuren", dict(LIUREN)), ("qimen", {"dun": "陰", "ju": "9", "hour": "乙丑"})):
        told = casting_json(pages_cast.cast(here, art, given))["chart"]
        drawn = (
            svg.plate(told, words.words("zh")) if art == "liuren" else svg.palaces(told, words.words("zh"))
        )
        shown = "".join(re.findall(r"<text[^>]*>([^<]*)</text>", drawn))
        for place in told["plate" if art == "liuren" else "palaces"]:
            said = [
                part for value in place.values() for part in (value if isinstance(value, list) else [value])
            ]
            for part in (part for part in said if isinstance(part, str) and not part.startswith("天")):
                assert part in shown, part
        assert all(is_character(sign) or sign in " ·—" for sign in shown)


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
def test_questions_are_in_the_language_of_the_page(here: World, language: str) -> None:
    asked = [query for query in queries.named().values() if not query.is_violation]
    page = Reader(pages_ask.editor(here, "", language).content).text
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


@pytest.mark.parametrize(
    ("language", "name"),
    [
        ("zh", "《六壬經緯》卷三·懸胎·2"),
        ("ko", "『육임경위 (六壬經緯)』 권3 〈현태〉 2"),
        ("en", "Warp and Weft of the Six Ren (六壬經緯), vol. 3, Suspended Womb (懸胎) 2"),
    ],
)
def test_a_passage_is_headed_as_it_is_cited(live: httpx.Client, language: str, name: str) -> None:
    page = live.get("/id/passage/xuantai-2", params={"lang": language}, headers=HTML).text
    assert f"<h1>{name}</h1>" in page and f"<title>{name} · " in page
    assert name in Reader(live.get("/read/liuren-jingwei/3.1.2", params={"lang": language}).text).text


def test_a_treatise_without_author_is_listed_by_its_passages_alone(here: World) -> None:
    page = pages_read.library(here, "en").content.decode()
    assert re.findall(r"</a><span>([^<]*?) ?\d+ Passages</span>", page) == ["Mao Zhidao ·", ""]
