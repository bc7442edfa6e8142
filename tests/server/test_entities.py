"""A page for every IRI of ours, in every form, and a clear no for what is none."""

from __future__ import annotations

import re

import httpx
import pytest
from pyoxigraph import NamedNode, RdfFormat, Store, Triple, parse

from kg.casting_graph import triples
from kg.chart_json import casting_json
from kg.facts import Chart
from kg.findings import Doctrine
from kg.recast import CHARTS, recast
from kg.server.describe import INCOMING, describe
from kg.server.entities import SUFFIXES, thing_page
from kg.server.world import World
from kg.topics import judged
from ontology import BASE, TERMS

ZI = "/id/branch/01-zi"
CHART = "/id/chart/liuren-57-gengshen-h.zi-g.hai"
FORMATS = {
    "ttl": RdfFormat.TURTLE,
    "nt": RdfFormat.N_TRIPLES,
    "jsonld": RdfFormat.JSON_LD,
    "rdf": RdfFormat.RDF_XML,
}


def _triples(response: httpx.Response, suffix: str) -> set[Triple]:
    assert response.status_code == 200, response.text
    return {quad.triple for quad in parse(response.content, format=FORMATS[suffix])}


def test_every_iri_of_ours_has_a_page(here: World) -> None:
    subjects = {q.subject for q in here.store if isinstance(q.subject, NamedNode)}
    ours = sorted(node.value for node in subjects if node.value.startswith(BASE))
    things = [iri for iri in ours if not iri.startswith(TERMS)]
    assert len(things) > 2000
    for iri in things:
        reply = thing_page(here, "/" + iri.removeprefix(BASE), "application/n-triples", "*/*", "en")
        assert f"<{iri}>".encode() in reply.content
    rooms = {iri.removeprefix(BASE).partition("/")[0] for iri in things}
    assert rooms <= {"id", "ontology", "mappings", "dataset"}, "each is routed"


@pytest.mark.parametrize("suffix", FORMATS)
def test_by_suffix_all_forms_say_the_same(live: httpx.Client, suffix: str) -> None:
    found = _triples(live.get(f"{ZI}.{suffix}"), suffix)
    assert found == _triples(live.get(f"{ZI}.nt"), "nt")
    assert any(t.subject.value == BASE + ZI[1:] for t in found if isinstance(t.subject, NamedNode))


@pytest.mark.parametrize(
    ("accept", "suffix"),
    [
        ("*/*", "ttl"),
        ("text/turtle", "ttl"),
        ("application/ld+json", "jsonld"),
        ("application/n-triples", "nt"),
        ("application/rdf+xml", "rdf"),
        ("text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8", "html"),
    ],
)
def test_by_accept_the_same_as_by_suffix(live: httpx.Client, accept: str, suffix: str) -> None:
    response = live.get(ZI, headers={"Accept": accept})
    assert response.status_code == 200
    assert response.headers["Content-Location"] == f"{ZI}.{suffix}"
    assert "Accept" in response.headers["Vary"]
    assert response.text == live.get(f"{ZI}.{suffix}").text
    others = re.findall(r'<([^>]+)>; rel="alternate"; type="([^"]+)"', response.headers["Link"])
    assert {href for href, _ in others} == {f"{ZI}.{s}" for s in SUFFIXES.values() if s != suffix}
    assert all(live.get(href).headers["Content-Type"].startswith(kind) for href, kind in others)


@pytest.mark.parametrize(("lang", "label"), [("en", "Zi"), ("ko", "자"), ("zh", "子")])
def test_html_in_three_languages(live: httpx.Client, lang: str, label: str) -> None:
    by_parameter = live.get(f"{ZI}.html", params={"lang": lang})
    by_header = live.get(f"{ZI}.html", headers={"Accept-Language": lang})
    assert label in by_parameter.text
    assert "Accept-Language" in by_header.headers["Vary"]
    assert re.search(r'<html[^>]* lang="' + lang, by_header.text)


def test_what_points_at_a_thing_is_given_to_a_bound(here: World) -> None:
    kinds = describe(here.store, TERMS + "Judgment", {})
    assert kinds is not None
    pointing = {q.subject for q in here.store.quads_for_pattern(None, None, NamedNode(TERMS + "Judgment"))}
    assert len(kinds.incoming) == INCOMING
    assert len(kinds.incoming) + kinds.more == len([n for n in pointing if isinstance(n, NamedNode)])


def test_blank_nodes_are_followed(here: World) -> None:
    store = Store()
    store.update("INSERT DATA { <urn:a> <urn:p> [ <urn:q> [ <urn:r> 'deep' ] ] . <urn:b> <urn:p> <urn:a> }")
    found = describe(store, "urn:a", {})
    assert found is not None
    assert "deep" in {getattr(q.object, "value", "") for q in found.quads}
    assert [(link.predicate.value, link.text("en")) for link in found.incoming] == [("urn:p", "urn:b")]


def test_the_ontology_is_one_document_with_its_terms_as_fragments(live: httpx.Client, here: World) -> None:
    found = _triples(live.get("/ontology", headers={"Accept": "application/n-triples"}), "nt")
    subjects = {t.subject.value for t in found if isinstance(t.subject, NamedNode)}
    known = {q.subject.value for q in here.store if isinstance(q.subject, NamedNode)}
    assert {iri for iri in known if iri.startswith(TERMS)} <= subjects
    html = live.get("/ontology.html").text
    assert 'id="generates"' in html
    assert live.get("/ontology/liuren").status_code == 200
    assert live.get("/ontology.xyz").status_code == 404


def test_the_dataset(live: httpx.Client) -> None:
    whole = _triples(live.get("/.well-known/void", headers={"Accept": "application/n-triples"}), "nt")
    own = _triples(live.get("/dataset.nt"), "nt")
    assert own < whole
    subjects = {t.subject.value for t in whole if isinstance(t.subject, NamedNode)}
    part = next(iri for iri in sorted(subjects) if iri.endswith("/turtle"))
    assert _triples(live.get("/" + part.removeprefix(BASE) + ".nt"), "nt") < whole
    assert live.get("/.well-known/void", headers={"Accept": "text/html"}).status_code == 406


def _as_triples(chart: Chart, doctrine: Doctrine) -> set[Triple]:
    return set(triples(judged(doctrine, chart)))


@pytest.mark.parametrize("key", ["liuren-57-gengshen-h.zi-g.hai", "qimen-yang1-h.03-bingyin-b.57-gengshen"])
def test_a_chart_is_cast_from_its_iri(live: httpx.Client, doctrine: Doctrine, key: str) -> None:
    chart = recast(CHARTS + key)
    assert chart is not None
    assert _triples(live.get(f"/id/chart/{key}.nt"), "nt") == _as_triples(chart, doctrine)
    told = live.get(f"/id/chart/{key}.json", params={"lang": "ko"})
    assert told.json() == casting_json(judged(doctrine, chart), "ko")
    assert (
        live.get(f"/id/chart/{key}", headers={"Accept": "application/json"})
        .headers["Content-Location"]
        .endswith(".json")
    )
    assert live.get(f"/id/chart/{key}.html").status_code == 200


def test_the_parts_and_findings_of_a_chart_have_pages(live: httpx.Client, doctrine: Doctrine) -> None:
    chart = recast(BASE + CHART[1:])
    assert chart is not None
    whole = _as_triples(chart, doctrine)
    parts = {t.subject.value for t in whole if isinstance(t.subject, NamedNode)} - {chart.iri}
    assert any("/finding/" in iri for iri in parts)
    for iri in sorted(parts)[::5]:
        found = _triples(live.get("/" + iri.removeprefix(BASE) + ".nt"), "nt")
        assert found < whole
        assert any(t.subject == NamedNode(iri) for t in found)
    assert live.get(f"{CHART}/place/13-none").status_code == 404
    assert live.get(f"{CHART}/place/01-zi.json").status_code == 404
    assert live.get(f"{CHART}/place/01-zi.html").status_code == 200


@pytest.mark.parametrize(
    ("path", "line"),
    [
        ("/id/branch/01-zu", "did you mean branch:01-zi"),
        ("/id/nothing/at-all", "there is no id/nothing/at-all"),
        ("/id/chart/liuren-57-gengshen", "POST /cast/liuren"),
        ("/id/", "there is no"),
        ("/id/branch/01-zi.exe", "there is no"),
        ("/id/branch/%E5%AD%90", "there is no"),
        ("/nowhere", "nothing is at /nowhere"),
    ],
)
def test_what_there_is_not_is_404_with_a_hint(live: httpx.Client, path: str, line: str) -> None:
    response = live.get(path)
    assert response.status_code == 404
    assert line in response.json()["error"]
    page = live.get(path, headers={"Accept": "text/html"})
    assert page.status_code == 404
    assert page.headers["Content-Type"] == "text/html; charset=utf-8"


def test_a_language_that_there_is_not(live: httpx.Client) -> None:
    response = live.get(f"{ZI}.html", params={"lang": "fr"})
    assert response.status_code == 400
    assert "en, ko, zh" in response.text
