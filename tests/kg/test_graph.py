"""The Python entrance: cast, find, explain, ask, search, keep; and what a notebook shows."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pandas
import polars
import pytest
from lxml import html
from pyoxigraph import Store
from rdflib import Literal as RdfLiteral

import kg
from kg.asking import Answer
from kg.errors import InputError, InstantError, MissingInput, QueryError, StoreError
from kg.graph import Graph, Result, ToldCasting
from ontology import shorten

PILLARS = {"day": "庚申", "hour": "子", "general": "亥", "month": "寅"}
CHART = "chart:liuren-57-gengshen-h.zi-g.hai-m.yin"


@pytest.fixture(scope="module")
def graph() -> Graph:
    return kg.open()


@pytest.fixture(scope="module")
def collection(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A collection on disk: the doctrine and one casting."""
    path = tmp_path_factory.mktemp("collection") / "store"
    source = kg.open()
    source.add(source.cast(**PILLARS))
    assert isinstance(source.store, Store)
    store = Store(str(path))
    store.extend(source.store)
    store.flush()
    return path


# ---- cast, find, explain


def test_pillars_are_cast_and_judged(graph: Graph) -> None:
    casting = graph.cast(**PILLARS)
    found = [(f.clause.heading, f.clause.name) for f in casting.findings]
    assert found[-1] == ("闇昧", "被察")
    assert len(found) == 8
    assert graph.cast(**PILLARS, options={"void": "lin"}).chart.options["void"] == "lin"


def test_an_instant_is_cast_in_either_art(graph: Graph) -> None:
    for art, stem in (("liuren", "liuren-20250219T234200p0800"), ("qimen", "qimen-20250219T234200p0800")):
        casting = graph.cast("2025-02-19T23:42", tz="Asia/Shanghai", art=art)
        assert casting.chart.art == art
        assert casting.chart.iri.rpartition("/")[2] == stem


def test_qimen_is_asked_about_one_topic_or_about_all(graph: Graph) -> None:
    """時干 丙 has come to 震, over 庚: a lost thing of 震 is a cart, a boat, of wood, or an ass."""
    board = {"art": "qimen", "dun": "陽", "ju": 1, "hour": "丙寅", "day": "甲子"}
    lost = graph.cast(**board, topic="Lost property")
    assert {finding.clause.heading for finding in lost.findings} == {"占失物"}
    assert {finding.clause.quote for finding in lost.findings} >= {
        "震為車、船、木器、碧色衣服之物",
        "又為驢、騾",
    }
    every = graph.cast(**board)
    assert {f.clause.iri for f in lost.findings} < {f.clause.iri for f in every.findings}
    assert "占人生貴賤" in {omission.heading for omission in every.omitted}, "no birth is given"


def test_what_is_found_in_the_chart_of_a_birth_is_kept_too() -> None:
    graph = kg.open()
    casting = graph.cast("2026-02-18T22:59", art="qimen", tz="Asia/Shanghai", birth="1980-05-05T10:00")
    assert casting.natal is not None
    graph.add(casting)
    found = graph.query("findings-of-chart", chart=casting.natal.chart.iri)
    assert {row["heading"] for row in found} == {"占人生貴賤"}
    assert "1980-05-05" in shown(casting).text_content()


def test_a_finding_says_why_in_three_languages(graph: Graph) -> None:
    finding = graph.cast(**PILLARS).findings[2]  # 初傳比干
    assert finding.because("zh") == ["初傳酉金比日干庚金"] == graph.cast(**PILLARS).because(finding, "zh")
    assert all("日" not in sentence for sentence in finding.because("ko"))
    assert finding.because() == finding.because("en") != finding.because("ko")


def test_a_casting_about_some_headings_is_still_shown(graph: Graph) -> None:
    part = graph.cast(**PILLARS).about("闇昧")
    assert isinstance(part, ToldCasting)
    assert [finding.clause.heading for finding in part.findings] == ["闇昧", "闇昧"]


@pytest.mark.parametrize(
    ("call", "error", "problem"),
    [
        (
            lambda graph: graph.cast(art="taiyi"),
            InputError,
            "art: 'taiyi' is not accepted; give liuren or qimen",
        ),
        (lambda graph: graph.cast(**PILLARS, topic="占失物"), InputError, "topic: '占失物' is not accepted"),
        (
            lambda graph: graph.cast(art="qimen", dun="陽", ju=1, hour="丙寅", topic="占失牛"),
            QueryError,
            "占失物",
        ),
        (lambda graph: graph.cast(day="庚申"), MissingInput, "an instant, or day, hour and general"),
        (lambda graph: graph.cast(day="庚鼠", hour="子", general="亥"), InputError, "庚鼠"),
        (lambda graph: graph.cast("2025-02-19T23:42"), InstantError, "2025"),
        (lambda graph: graph.cast(**PILLARS, options={"shehai": "deep"}), InputError, "shehai"),
        (lambda graph: graph.query("no-such-query"), QueryError, "no query called"),
        (lambda graph: graph.query("judgments-of-heading"), QueryError, "--heading is needed"),
        (lambda graph: graph.sparql("SELECT"), QueryError, "not a SPARQL query"),
        (lambda graph: graph.search("印綬", scope="titles"), InputError, "passages, judgments, labels"),
    ],
)
def test_what_is_wrong_is_said_in_one_line(
    graph: Graph, call: Callable[[Graph], object], error: type[Exception], problem: str
) -> None:
    with pytest.raises(error, match=problem) as caught:
        call(graph)
    assert "\n" not in str(caught.value)


# ---- ask and search


def test_rows_are_text_by_column(graph: Graph) -> None:
    result = graph.query("headings-on-matter", matter="父母")
    assert len(result) == 4
    assert next(iter(result)) == {"treatise": "六壬經緯", "heading": "印綬", "clauses": "1"}


def test_rows_become_data_frames(graph: Graph) -> None:
    result = graph.query("headings-on-matter", matter="父母")
    for frame in (result.to_pandas(), result.to_polars()):
        assert list(frame.columns) == ["treatise", "heading", "clauses"]
        assert list(frame["heading"]) == ["印綬", "妻財", "孤哀", "占人生貴賤"]
    assert isinstance(result.to_pandas(), pandas.DataFrame)
    assert isinstance(result.to_polars(), polars.DataFrame)


def test_no_rows_are_a_frame_with_its_columns() -> None:
    empty = Result(Answer(("a", "b"), ()))
    assert list(empty.to_pandas().columns) == list(empty.to_polars().columns) == ["a", "b"]
    assert len(empty) == len(empty.to_pandas()) == len(empty.to_polars()) == 0


def test_a_graph_becomes_an_rdflib_graph(graph: Graph) -> None:
    result = graph.query("construct-heading", heading="前程")
    made = result.to_rdflib()
    assert len(made) == len(result) > 0
    assert any(isinstance(o, RdfLiteral) and str(o).startswith("前程 馬煞") for o in made.objects())


def test_search_finds_folded_and_exact(graph: Graph) -> None:
    assert {hit.match for hit in graph.search("驛馬", scope="passages")} <= {"驛馬"}
    assert graph.search("四牡", exact=True)
    assert {hit.scope for hit in graph.search("印绶")} >= {"labels"}


# ---- keep


def test_a_casting_that_is_kept_is_seen_by_queries() -> None:
    graph = kg.open()
    before = len(graph)
    with pytest.raises(StoreError, match="is asked of charts that a store keeps"):
        graph.query("charts-with-heading", heading="印綬")
    casting = graph.cast(**PILLARS)
    assert len(graph) == before, "to cast changes nothing"
    graph.add(casting)
    assert {row["chart"] for row in graph.query("charts-with-heading", heading="印綬")} == {CHART}
    assert len(graph.query("findings-of-chart", chart=CHART)) == 8
    after = len(graph)
    graph.add(casting)
    assert len(graph) == after > before, "the same chart is the same node"


def test_two_graphs_are_two_doctrines() -> None:
    one, two = kg.open(), kg.open()
    one.add(one.cast(**PILLARS))
    assert len(one) > len(two)


def test_a_chart_that_is_not_kept_is_cast_for_a_query_that_names_it() -> None:
    graph = kg.open()
    before = len(graph)
    assert len(graph.query("findings-of-chart", chart=CHART)) == 8
    qimen = "chart:qimen-yang1-h.03-bingyin-d.01-jiazi"
    found = {row["judgment"] for row in graph.query("findings-of-chart", chart=qimen)}
    cast = graph.cast(art="qimen", dun="陽", ju=1, hour="丙寅", day="甲子")
    assert found == {shorten(finding.clause.iri) for finding in cast.findings}
    assert len(graph) == before


def test_what_names_no_chart_is_refused() -> None:
    with pytest.raises(QueryError, match="chart:none is no chart here, nor a name to cast one by"):
        kg.open().query("findings-of-chart", chart="chart:none")


def test_a_collection_on_disk_is_asked(collection: Path) -> None:
    for where in (collection, str(collection)):
        graph = kg.open(where)
        assert len(graph.query("findings-of-chart", chart=CHART)) == 8
        assert next(iter(graph.query("headings-on-matter", matter="父母")))["heading"] == "印綬"
        assert graph.cast(**PILLARS).findings


def test_two_may_read_one_collection(collection: Path) -> None:
    one, two = kg.open(collection), kg.open(collection)
    assert len(one) == len(two)


def test_a_collection_on_disk_is_only_read(collection: Path) -> None:
    graph = kg.open(collection)
    before = len(graph)
    with pytest.raises(StoreError, match="only read"):
        graph.add(graph.cast(day="甲子", hour="子", general="子"))
    assert len(kg.open(collection)) == before


def test_what_is_no_store_is_refused(tmp_path: Path) -> None:
    with pytest.raises(StoreError, match="is no store; give the folder"):
        kg.open(tmp_path / "nowhere")
    with pytest.raises(StoreError, match="cannot be opened as a store"):
        kg.open(tmp_path)
    (tmp_path / "CURRENT").write_text("what is no store of ours")
    with pytest.raises(StoreError, match="cannot be opened as a store") as caught:
        kg.open(tmp_path)
    assert "\n" not in str(caught.value)


def test_to_import_the_package_loads_nothing_heavy() -> None:
    heavy = "{'rdflib', 'pyoxigraph', 'kg.graph', 'pandas', 'rich'} & set(sys.modules)"
    code = f"import sys, kg; print({heavy} or 'none'); kg.open; print('kg.graph' in sys.modules)"
    out = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    assert out.split() == ["none", "True"]
    with pytest.raises(AttributeError, match="no attribute 'shut'"):
        kg.shut  # noqa: B018


# ---- what a notebook shows


def shown(thing: object) -> html.HtmlElement:
    """The HTML of a thing, which must be one element, closed as it was opened."""
    text = thing._repr_html_()  # type: ignore[attr-defined]
    return html.fragment_fromstring(text)


def readable(part: html.HtmlElement) -> None:
    """Every table has a caption or named columns, no header is empty, and Chinese is marked as Chinese."""
    for table in part.iter("table"):
        assert table.find("caption") is not None or table.findall(".//th[@scope='col']")
    for header in part.iter("th"):
        assert header.get("scope") in ("col", "row")
        assert header.text_content().strip()
    for quote in part.iter("q"):
        assert quote.get("lang") == "lzh-Hant"


def test_a_liuren_chart_is_shown_with_plate_findings_and_reasons(graph: Graph) -> None:
    page = shown(graph.cast(**PILLARS))
    readable(page)
    plate, lessons, transmissions = page.findall("table")
    seats = {cell.text_content() for cell in plate.iter("td") if cell.text_content()}
    assert len(seats) == 12
    assert "貴人 未申" in seats, "未 with the noble, over 申"
    assert [cell.text for cell in lessons.findall("tr")[2].findall("td")][-1] == "庚"
    assert [cell.text for cell in transmissions.iter("td")][:6] == ["初傳", "酉", "太陰", "兄弟", "戌", "no"]
    assert len(page.findall("article")) == 8
    assert "庚申日" in page.find("h3").text_content()
    assert "8 findings" in [title.text_content() for title in page.findall("h4")]


def test_a_qimen_chart_is_shown_with_nine_palaces_and_formats(graph: Graph) -> None:
    page = shown(graph.cast(art="qimen", dun="陽", ju=1, hour="丙寅"))
    readable(page)
    palaces, formats = page.findall("table")
    cells = [[cell.text_content() for cell in row.iter("td")] for row in palaces.iter("tr")]
    assert [len(row) for row in cells] == [3, 3, 3]
    assert "天蓬 戊" in cells[2][0], "戊 with the chief star has come to 艮, over 丙"
    assert [cell.text for cell in formats.iter("td")][-4:] == ["六儀擊刑", "凶", "9", "yes"]


def test_a_finding_is_shown_with_clause_gloss_and_what_hollows_it(graph: Graph) -> None:
    casting = graph.cast(day="甲戌", hour="子", general="子", month="寅")
    page = shown(casting.findings[0])
    readable(page)
    assert [quote.text for quote in page.iter("q")][1] == "三將或空一二，勿以此名實論"
    assert "(hollow)" in page.find("h5").text_content()
    assert [li.text for li in page.iter("li")] == casting.findings[0].because("en")
    assert casting.findings[0].clause.glosses["en"] in page.text_content()


def test_rows_are_shown_as_a_table_and_a_graph_by_its_size(graph: Graph) -> None:
    page = shown(graph.query("headings-on-matter", matter="父母"))
    readable(page)
    assert len(page.findall(".//tr")) == 5
    assert shown(graph.query("construct-heading", heading="前程")).text.endswith(" triples")


def test_what_is_shown_cannot_break_out_of_its_cell() -> None:
    from pyoxigraph import Literal

    page = shown(Result(Answer(("<a>",), ((Literal("</td><script>x</script>"),),))))
    assert page.find(".//td").text == "</td><script>x</script>"
    assert page.find(".//th").text == "<a>"
