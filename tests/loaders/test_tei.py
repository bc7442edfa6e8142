"""TEI P5: what a block is cited by, what of it is read, and our own edition read back."""

from __future__ import annotations

from pathlib import Path
from xml.sax.saxutils import escape

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from lxml import etree
from pyoxigraph import Literal, Store

from kg.facts import thing
from kg.store import doctrine, passages
from kg.tei import edition
from loaders import load, tei
from loaders.document import LABEL, Entry, work_node
from loaders.source import Source
from loaders.tei_references import TEI, in_tei

HEADER = (
    "<teiHeader><fileDesc><titleStmt><title>本</title></titleStmt><publicationStmt><p/></publicationStmt>"
    "<sourceDesc><p/></sourceDesc></fileDesc>{}</teiHeader>"
)


def entries(path: Path) -> list[Entry]:
    return [entry for entry in tei.read(Source(path)).entries if isinstance(entry, Entry)]


def cited(path: Path) -> list[tuple[str, str]]:
    return [(entry.locator, entry.text) for entry in entries(path)]


def document(room: Path, body: str, encoding: str = "") -> Path:
    path = room / "text.xml"
    path.write_text(
        f'<TEI xmlns="{TEI}">{HEADER.format(encoding)}<text><body>{body}</body></text></TEI>',
        encoding="utf-8",
    )
    return path


def test_cite_structure(samples: Path) -> None:
    assert cited(samples / "tei-citestructure.xml") == [
        ("tei-citestructure:23", "卷八"),
        ("8.24", "占罪"),
        ("8.24:1", "以甲午辛為罪人，開門為問官。如開門落宮生甲午辛之落宮，問官憐憫不加罪。"),
        ("8.24:2", "以庚格決之。庚金所乘之宮來尅值符宮者，主原告被責(原告即值符)。"),
        ("8.25:1", "以開門為問官，值符為原告，乙奇為被告。"),
    ]


def test_notes_set_inline_are_kept_and_others_counted(samples: Path) -> None:
    read = tei.read(Source(samples / "tei-citestructure.xml"))
    notes = [entry.notes for entry in read.entries if isinstance(entry, Entry)]
    assert notes == [(), (), (), ("原告即值符",), ()]
    assert read.remarks == ["tei-citestructure.xml: 1 note not set inline passed over"]


def test_the_text_and_not_the_header_says_the_language(samples: Path) -> None:
    assert {entry.language for entry in entries(samples / "tei-citestructure.xml")} == {"lzh-hant"}
    assert {entry.language for entry in entries(samples / "tei-milestones.xml")} == {None}


def test_milestones(samples: Path) -> None:
    assert cited(samples / "tei-milestones.xml") == [
        ("3.1a.1", "潔己 沐浴煞乘玄武為初傳曰潔己，"),
        ("3.1a.2", "凡占人占事以去汙潔身論。"),
        ("3.1b.1", "詳所屬何煞、所臨何煞定其吉凶。"),
        ("xialing", "遐齡 長生煞乘青龍為初傳曰遐齡。"),
        ("1", "凡占人占事以攸遠年高論。"),
        ("3.1b.2", "詳所屬何煞"),
    ]


def test_patterns_are_read_backwards(samples: Path) -> None:
    assert cited(samples / "tei-cref.xml") == [
        ("39", "孤哀"),
        ("39.1", "初傳屬印煞空"),
        ("39.2", "三傳合局屬印煞空"),
    ]


def test_the_divisions_of_cbeta_are_read(samples: Path) -> None:
    """Once all that stands in <cb:div> was passed over, and the file was said to have no text."""
    read = tei.read(Source(samples / "tei-cbeta.xml"))
    assert [(e.locator, e.text) for e in read.entries if isinstance(e, Entry)] == [
        ("0001a01", "懸胎"),
        ("pX01p0001a0201", "三傳亥寅巳，曰順懸胎。亥申巳，曰逆懸胎(或作玄胎)。"),
        ("0001a03", "三將或空，勿以此論。"),
    ]
    assert read.remarks == []


def test_what_is_of_another_vocabulary_is_counted_and_what_is_of_tei_within_it_is_read(
    tmp_path: Path,
) -> None:
    strange = '<x:part xmlns:x="urn:x"><p>懸<x:mark>玄</x:mark>胎</p></x:part>'
    read = tei.read(Source(document(tmp_path, strange)))
    assert [e.text for e in read.entries if isinstance(e, Entry)] == ["懸胎"]
    assert read.remarks == ["text.xml: 2 elements of urn:x passed over"]


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ('<div n="3"><div n="2"><p n="1">懸</p><p>胎</p></div></div>', [("3.2.1", "懸"), ("3.2", "胎")]),
        ('<div xml:id="d"><p xml:id="x">懸</p><p>胎</p></div>', [("x", "懸"), ("d", "胎")]),
        ("<p>懸</p>\n<ab>胎</ab>", [("text:1", "懸"), ("text:2", "胎")]),
        ('<pb n="1a"/><p>懸<lb n="1a02"/>胎</p>', [("1a", "懸"), ("1a02", "胎")]),
        ('<pb n="1"/><cb n="a"/><p>懸<cb n="b"/>胎</p>', [("1.a", "懸"), ("1.b", "胎")]),
        ('<milestone unit="卷" n="三"/><p>懸<pb/>胎</p>', [("三", "懸胎")]),
        ('<lg n="5"><l>懸</l><l>胎</l></lg>', [("5", "懸"), ("5", "胎")]),
        ('<p n="1"><lg><l>懸</l><l n="2">胎</l></lg></p>', [("1", "懸"), ("1.2", "胎")]),
        ('<list n="1"><item>懸</item><item><p>胎</p></item></list>', [("1", "懸"), ("1", "胎")]),
    ],
)
def test_what_a_block_is_cited_by(body: str, expected: list[tuple[str, str]], tmp_path: Path) -> None:
    assert cited(document(tmp_path, body)) == expected


@pytest.mark.parametrize(
    ("inner", "expected"),
    [
        ("懸<app><lem>胎</lem><rdg>台</rdg></app>", "懸胎"),
        ('<anchor xml:id="b"/>懸<anchor xml:id="e"/>胎<app from="#b" to="#e"><lem>懸</lem></app>', "懸胎"),
        ('懸胎<app loc="1"><lem>懸</lem><rdg>玄</rdg></app>', "懸胎"),
        ("<app><lem><app><lem>懸</lem><rdg>玄</rdg></app></lem><rdg>元</rdg></app>胎", "懸胎"),
        ("懸<choice><sic>臺</sic><corr>胎</corr></choice>", "懸臺"),
        ("懸<choice><reg>胎</reg><orig>台</orig></choice>", "懸台"),
        ("懸<!-- x --><hi>胎</hi><?x y?>。", "懸胎。"),
        ('懸<gap quantity="2" unit="chars"/>胎<gap reason="lost"/>', "懸□□胎□"),
        ('懸<g ref="#a">胎</g><g ref="#b"/>', "懸胎〓"),
        ("懸<del>台</del><add>胎</add><fw>卷三</fw>", "懸胎"),
        ("懸\n     胎 三傳\n\n 亥", "懸胎 三傳亥"),
        ("Suspended\n   Womb", "Suspended Womb"),
        ('懸胎<note place="inline">三傳<note>x</note>皆孟</note>曰', "懸胎(三傳皆孟)曰"),
    ],
)
def test_what_is_read_of_a_block(inner: str, expected: str, tmp_path: Path) -> None:
    assert cited(document(tmp_path, f'<p n="1">{inner}</p>')) == [("1", expected)]


def test_declared_milestones_cut_even_what_is_numbered(tmp_path: Path) -> None:
    declared = '<encodingDesc><refsDecl><citeStructure match="//pb" use="@n"/></refsDecl></encodingDesc>'
    body = '<pb n="1a"/><p n="1">懸<pb n="1b"/>胎</p>'
    assert cited(document(tmp_path, body, declared)) == [("1a", "懸"), ("1b", "胎")]


def test_an_apparatus_around_paragraphs_gives_those_of_the_lemma(tmp_path: Path) -> None:
    body = '<app><lem><p n="1">懸胎</p></lem><rdg><p n="1">玄胎</p></rdg></app>'
    assert cited(document(tmp_path, body)) == [("1", "懸胎")]


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ("/TEI/text//div[head]/p[2]", "/tei:TEI/tei:text//tei:div[tei:head]/tei:p[2]"),
        ("div[position() mod 2 = 1]", "tei:div[position() mod 2=1]"),
        ("div[@n div 2 = 1 or @type='x y']", "tei:div[@n div 2=1 or @type='x y']"),
        ("ancestor::div/@xml:id", "ancestor::tei:div/@xml:id"),
        ("tei:div/*/attribute::n", "tei:div/*/attribute::n"),
        ("concat(@n, '.', ../head)", "concat(@n,'.',../tei:head)"),
        ("text()|lb", "text()|tei:lb"),
    ],
)
def test_bare_names_of_a_path_are_of_tei(path: str, expected: str) -> None:
    found = in_tei(path)
    assert found == expected
    etree.XPath(found, namespaces={"tei": TEI})


@settings(deadline=None)
@given(
    paragraphs=st.lists(
        st.text(st.sampled_from("懸胎三傳 。<>&\"'一Az"), min_size=1, max_size=12)
        .map(str.strip)
        .filter(bool),
        min_size=1,
        max_size=5,
    )
)
def test_round_trip(paragraphs: list[str], tmp_path_factory: pytest.TempPathFactory) -> None:
    body = "".join(f'<p n="{number}">{escape(text)}</p>' for number, text in enumerate(paragraphs))
    path = document(tmp_path_factory.mktemp("tei"), body)
    assert cited(path) == [(str(number), text) for number, text in enumerate(paragraphs)]


@pytest.mark.parametrize("work", ["liuren-jingwei", "qimen-miji"])
def test_our_own_edition_reads_back_as_the_established_text(work: str, tmp_path: Path) -> None:
    store = doctrine()
    root = edition(store, thing(f"work:{work}"))
    path = tmp_path / "edition.xml"
    path.write_bytes(etree.tostring(root, encoding="utf-8", xml_declaration=True))
    read = {entry.locator: entry.text for entry in entries(path)}
    texts = {p.iri.replace(":", "."): p.established for p in passages(store).values()}
    mine = {name for name in texts if name in read}
    assert len(mine) == len([name for name in read if name.startswith("passage.")]) > 40
    assert {name: read[name] for name in mine} == {name: texts[name] for name in mine}


def test_the_title_comes_from_the_header_in_the_language_wanted(tmp_path: Path) -> None:
    path = document(tmp_path, '<p n="1">懸胎</p>')
    titles = '<title xml:lang="en">Warp and Weft</title><title xml:lang="zh-Hant">六壬經緯</title>'
    path.write_text(path.read_text(encoding="utf-8").replace("<title>本</title>", titles), encoding="utf-8")
    for language, expected in (("zh-hant", "六壬經緯"), ("en", "Warp and Weft")):
        store = Store()
        load(store, path, format="tei", work="mine", title_lang=language)
        labels = [quad.object for quad in store.quads_for_pattern(work_node("mine"), LABEL, None)]
        assert labels == [Literal(expected, language=language)]
