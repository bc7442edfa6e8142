"""The page of a chart and the forms that cast one: every finding with its clause, its reasons and its place."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable
from typing import Any
from urllib.parse import parse_qs, urlsplit

import httpx
import pytest

from kg.errors import InputError
from kg.schools import options
from kg.server import pages_cast, pages_read, svg, words
from kg.server.pages_forms import NEEDED, PILLARS, cleaned, form
from kg.server.world import World
from kg.text import is_character
from kg.topics import notes

LANGUAGES = pytest.mark.parametrize("language", words.LANGUAGES)
HTML = {"Accept": "text/html"}
LIUREN = (("day", "庚申"), ("hour", "子"), ("general", "亥"), ("month", "寅"), ("year", "巳"))
Seen = Callable[[bytes | str], Any]


def test_a_chart_page_has_every_finding_with_its_clause_and_its_reasons(here: World, seen: Seen) -> None:
    casting = pages_cast.cast(here, "liuren", dict(LIUREN))
    page = seen(pages_cast.chart(here, "liuren", LIUREN, "ko").content)
    assert casting.findings
    for finding in casting.findings:
        assert finding.clause.quote in page.text
        assert finding.clause.glosses["ko"] in page.text
        for sentence in casting.because(finding, "ko"):
            assert sentence in page.text
    for reading in (r for finding in casting.findings for r in finding.clause.readings):
        assert reading["evidence"] in page.text
    assert "關隔" in page.text, "what could not be asked is named"


def test_many_findings_are_folded_by_topic_each_with_its_count_and_the_first_open(
    here: World, seen: Seen
) -> None:
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
        summary = seen(re.findall("<summary>(.*?)</summary>", group, re.DOTALL)[0]).text
        assert heading in summary and summary.endswith(f" {count} finding{'s' * (count > 1)}")
        assert group.count("<article") == count
    topic = pages_cast.chart(here, "qimen", (*given, ("topic", "占狀詞")), "en").content.decode()
    assert topic.count('<details class="group" open>') == topic.count('<details class="group"') == 1


@LANGUAGES
def test_a_page_says_how_findings_stand_to_each_other_and_of_which_chart_they_are(
    here: World, language: str, seen: Seen
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
            assert remark in seen(article).text
    assert any(finding.contradicts for finding in casting.findings)
    assert any(finding.overridden_by for finding in casting.findings)
    assert any(casting.remarks(finding, language) for finding in casting.findings)
    assert page.count("<svg") == 2
    for note in notes(casting, language):
        assert note in seen(page).text


@LANGUAGES
def test_what_was_not_asked_is_said_in_the_language_of_the_page(
    here: World, language: str, seen: Seen
) -> None:
    given = (("instant", "2026-02-18T22:59"), ("tz", "Asia/Shanghai"))
    page = seen(pages_cast.chart(here, "qimen", given, language).content).text
    needs = {"zh": "年命", "ko": "연명", "en": "the querent's birth"}
    assert needs[language] in page[page.index(words.words(language).omitted_note) :]


def test_a_link_of_a_finding_leads_to_its_statement(here: World, seen: Seen) -> None:
    page = seen(pages_cast.chart(here, "liuren", LIUREN, "en").content)
    leading = [link for link in page.links if "#s-" in link]
    assert leading
    for link in leading:
        path, _, fragment = link.partition("#")
        _, _, book, ref = urlsplit(path).path.split("/")
        assert fragment in seen(pages_read.passage(here, book, ref, "established", "en").content).ids


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
