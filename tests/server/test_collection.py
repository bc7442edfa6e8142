"""A collection on disk, served with the doctrine from a copy of its own."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from pathlib import Path

import httpx
import pytest
from lxml import html
from pyoxigraph import Literal, NamedNode, Quad, Store

from kg import qimen_chart
from kg.errors import StoreError
from kg.findings import Doctrine
from kg.liuren_chart import cast_pillars
from kg.server.world import Settings, served
from kg.topics import judged

CHART = "https://w3id.org/sanshi/id/chart/liuren-57-gengshen-h.zi-g.hai-m.yin-y.si"


@pytest.fixture(scope="module")
def own(
    serving: Callable[[Settings], AbstractContextManager[httpx.Client]], collection: Path
) -> Iterator[httpx.Client]:
    """A client of a server over the collection."""
    with served(collection) as copy, serving(Settings(copy, 5.0, 1000, 2)) as client:
        yield client


def _rows(client: httpx.Client, query: str) -> list[dict[str, dict[str, str]]]:
    response = client.get("/sparql", params={"query": query})
    assert response.status_code == 200, response.text
    rows: list[dict[str, dict[str, str]]] = response.json()["results"]["bindings"]
    return rows


def test_text_of_ones_own_and_doctrine_are_asked_together(own: httpx.Client) -> None:
    lines = _rows(own, "SELECT ?text { GRAPH ?g { ?line a shi:Line ; shi:baseText ?text } } ORDER BY ?text")
    lines = lines or _rows(own, "SELECT ?text { ?line a shi:Line ; shi:baseText ?text } ORDER BY ?text")
    assert [row["text"]["value"] for row in lines] == ["懸胎 三傳亥寅巳", "曰順懸胎"]
    assert (
        _rows(own, "SELECT ?l { pattern:xuantai rdfs:label ?l FILTER(LANG(?l) = 'ko') }")[0]["l"]["value"]
        == "현태"
    )


def test_its_works_are_had_by_their_iris_and_by_dts_and_found(own: httpx.Client) -> None:
    assert "樣書" in own.get("/id/work/sample.ttl").text
    members = [member["@id"] for member in own.get("/dts/collection").json()["member"]]
    assert "https://w3id.org/sanshi/id/work/sample" in members
    assert "https://w3id.org/sanshi/id/work/liuren-jingwei" in members
    labels = own.get("/search", params=[("q", "樣書"), ("in", "labels")]).json()
    assert [hit["node"] for hit in labels["hits"]] == ["work:sample"]
    line = own.get("/id/passage/sample.001-1b.1", headers={"Accept": "text/html"})
    assert "<h1>樣書 001-1b</h1>" in line.text


def test_what_is_asked_of_charts_is_offered_with_the_rest(own: httpx.Client) -> None:
    page = own.get("/ask", params={"lang": "en"}).text
    menu = page[page.index("<select") : page.index("</select>")]
    assert '<option value="charts-with-heading">' in menu
    runs = {told["name"]: told["runs"] for told in own.get("/query").json()}
    assert runs["charts-with-heading"] and not runs["headings-by-lift"], "no census was loaded"


def test_a_translation_stands_beside_its_passage(own: httpx.Client, live: httpx.Client) -> None:
    page = html.fromstring(own.get("/read/liuren-jingwei/3.1.2", params={"lang": "en"}).content)
    (section,) = page.xpath("//section[@aria-labelledby='translations']")
    assert section.xpath(".//p[@lang='ko']/text()") == [
        "순현태와 역현태를 계절로 나눈다. 셋 가운데 비는 것이 있으면 이 이름으로 논하지 않는다."
    ]
    (source,) = section.xpath(".//h3/a")
    assert source.text == "견본(見本), bilingual.txt"
    assert own.get(source.get("href")).status_code == 200
    bare = html.fromstring(live.get("/read/liuren-jingwei/3.1.2", params={"lang": "en"}).content)
    assert not bare.xpath("//section[@aria-labelledby='translations']")


def test_its_charts_are_judged(own: httpx.Client, doctrine: Doctrine) -> None:
    findings = doctrine.cast(cast_pillars("庚申", "子", "亥", month="寅", year="巳")).findings
    found = _rows(own, f"SELECT ?j {{ <{CHART}> shi:exhibits ?j }}")
    assert {row["j"]["value"] for row in found} == {finding.clause.iri for finding in findings}
    qimen = judged(doctrine, qimen_chart.cast(dun="陽", ju=1, hour="甲子", month="寅"))
    found = _rows(own, f"SELECT ?j {{ <{qimen.chart.iri}> shi:exhibits ?j }}")
    assert {row["j"]["value"] for row in found} == {finding.clause.iri for finding in qimen.findings}
    told = own.get("/query/charts-with-heading", params={"heading": findings[0].clause.heading})
    assert CHART in told.text


def test_a_chart_that_is_not_in_it_is_cast(own: httpx.Client) -> None:
    told = own.get("/query/findings-of-chart", params={"chart": "chart:liuren-01-jiazi-h.zi-g.hai"})
    assert told.status_code == 200
    assert len(told.json()["results"]["bindings"]) > 0
    assert own.post("/cast/liuren", json={"day": "甲子", "hour": "子", "general": "亥"}).status_code == 200


def test_queries_read_no_file_of_the_store_but_its_own(own: httpx.Client) -> None:
    refused = own.get("/sparql", params={"query": "SELECT * { SERVICE <http://127.0.0.1:1/> { ?s ?p ?o } }"})
    assert refused.status_code == 403
    assert int(_rows(own, "SELECT (COUNT(*) AS ?n) { ?s ?p ?o }")[0]["n"]["value"]) > 30_000


def test_more_may_be_loaded_while_it_is_served(own: httpx.Client, collection: Path) -> None:
    before = own.get("/health").json()["triples"]
    node = NamedNode("urn:later")
    store = Store(str(collection))
    store.add(Quad(node, node, Literal("later")))
    store.flush()
    del store
    assert own.get("/health").json()["triples"] == before
    with served(collection) as copy:
        assert copy is not None
        assert any(Store.read_only(str(copy)).quads_for_pattern(node, None, None)), "the next server has it"


def test_the_copy_goes_when_the_server_goes(collection: Path) -> None:
    with served(collection) as copy:
        assert copy is not None
        assert copy.is_dir()
    assert not copy.exists()


def test_what_was_written_last_is_served_though_it_was_not_flushed(tmp_path: Path) -> None:
    store = Store(str(tmp_path / "store"))
    node = NamedNode("urn:a")
    store.add(Quad(node, node, Literal("unflushed")))
    del store
    with served(tmp_path / "store") as copy:
        assert any(Store.read_only(str(copy)).quads_for_pattern(node, None, None))


def test_a_collection_that_another_writes_to(collection: Path) -> None:
    store = Store(str(collection))
    with pytest.raises(StoreError, match="another process"), served(collection):
        pass
    del store


def test_no_store_is_made_where_there_is_none(tmp_path: Path) -> None:
    with pytest.raises(StoreError, match="no store is there"), served(tmp_path):
        pass
    assert list(tmp_path.iterdir()) == []
    shutil.rmtree(tmp_path)
    with pytest.raises(StoreError, match="no store is there"), served(tmp_path):
        pass
    with served(None) as nothing:
        assert nothing is None
