"""The violation queries, one by one: a graph that each must name, and the same graph mended; then the whole doctrine."""

from __future__ import annotations

import re

import pytest
from pyoxigraph import RdfFormat, Store

from kg.asking import ask
from kg.findings import shared
from kg.store import TREATISES
from ontology import HERE, prefixes
from queries import get, named

HEADER = "".join(f"@prefix {name}: <{namespace}> .\n" for name, namespace in prefixes().items())

CASES: dict[str, list[tuple[str, str, str, list[str]]]] = {
    # query: graph at fault, the words at fault, the words that mend it, the row it gives
    "quote": [
        (
            """
            passage:p shi:baseText "末作畫干"@lzh-hant ; shi:establishedText "末生干"@lzh-hant .
            judgment:j shi:passage passage:p ; shi:quote "末作"@lzh-hant ; shi:reading reading:established .
            """,
            "reading:established",
            "reading:base",
            ["judgment:j", "passage:p", "末作"],
        ),
        (
            """
            passage:p shi:baseText "末作畫干"@lzh-hant ; shi:establishedText "末生干"@lzh-hant .
            judgment:j shi:passage passage:p ; shi:quote "末生"@lzh-hant ; shi:reading reading:base .
            """,
            "reading:base",
            "reading:base , reading:established",
            ["judgment:j", "passage:p", "末生"],
        ),
    ],
    "occurrence": [
        (
            """
            passage:p shi:baseText "子午"@lzh-hant ; shi:establishedText "子午子"@lzh-hant .
            judgment:j shi:passage passage:p ; shi:quote "子"@lzh-hant ; shi:reading reading:established .
            """,
            "reading:established .",
            "reading:established ; shi:occurrence 2 .",
            ["judgment:j", "passage:p", "子"],
        ),
        (
            """
            passage:p shi:baseText "子午子"@lzh-hant .
            emendation:e shi:passage passage:p ; shi:base "子"@lzh-hant ; shi:kind kind:cuozi .
            """,
            "kind:cuozi .",
            "kind:cuozi ; shi:occurrence 1 .",
            ["emendation:e", "passage:p", "子"],
        ),
    ],
    "emendation": [
        (
            """
            passage:p shi:baseText "子午"@lzh-hant .
            emendation:e shi:passage passage:p ; shi:base "卯"@lzh-hant ; shi:proposed "酉"@lzh-hant ; shi:kind kind:cuozi .
            """,
            '"卯"',
            '"午"',
            ["emendation:e", "the base words are not in the base text"],
        ),
        (
            """emendation:e shi:base "卯"@lzh-hant ; shi:proposed "卯"@lzh-hant .""",
            'proposed "卯"',
            'proposed "酉"',
            ["emendation:e", "the proposed words are the base words"],
        ),
        (
            "emendation:e shi:status shi:adopted .",
            "shi:adopted .",
            'shi:adopted ; shi:evidence "The parallel."@en .',
            ["emendation:e", "adopted without evidence"],
        ),
        (
            """emendation:e shi:status shi:adopted ; shi:certainty shi:open ; shi:evidence "A guess."@en .""",
            "shi:open",
            "shi:probable",
            ["emendation:e", "adopted though neither certain nor probable"],
        ),
        (
            """emendation:e shi:status shi:adopted ; shi:kind kind:slip ; shi:evidence "A slip."@en .""",
            "shi:adopted",
            "shi:noted",
            ["emendation:e", "a slip of the commentary cannot change the text"],
        ),
    ],
    "form": [
        (
            "form:f a shi:Form . judgment:j shi:form form:f .",
            "judgment:j shi:form form:f .",
            "judgment:j shi:form form:f . rule:r a shi:Rule ; shi:form form:f .",
            ["form:f", "no rule"],
        ),
        (
            "form:f a shi:Form . rule:r a shi:Rule ; shi:form form:f .",
            "form:f a shi:Form .",
            "form:f a shi:Form . caveat:v shi:form form:f .",
            ["form:f", "nothing fills it"],
        ),
    ],
    "rule-form": [
        (
            "judgment:j shi:form form:f .",
            "form:f .",
            "form:f . form:f a shi:Form .",
            ["judgment:j", "form:f"],
        )
    ],
    "parameter": [
        (
            """
            rule:r a shi:Rule ; shi:form form:f ; shi:body "initial(?c, ?t), rides(?t, ?g), general(?j, ?g)" .
            judgment:j shi:form form:f ; shi:quote "貴"@lzh-hant .
            """,
            '"貴"@lzh-hant',
            '"貴"@lzh-hant ; shi:general general:01-guiren',
            ["judgment:j", "form:f", "shi:general", "missing"],
        ),
        (
            """
            rule:r a shi:Rule ; shi:form form:f ; shi:body "season(?c, ?s), general(?j, ?g)" .
            judgment:j shi:form form:f ; shi:quote "貴"@lzh-hant ; shi:general general:01-guiren ; shi:season season:01-spring .
            """,
            "general(?j, ?g)",
            "general(?j, ?g), season(?j, ?s)",
            ["judgment:j", "form:f", "shi:season", "no rule reads it"],
        ),
    ],
    "input": [
        (
            """form:f a shi:Form . rule:r a shi:Rule ; shi:form form:f ; shi:body "season(?c, ?s), season(?j, ?s)" .""",
            "a shi:Form",
            "a shi:Form ; shi:needs shi:needsMonth",
            ["form:f", "shi:needsMonth", "read but not named"],
        ),
        (
            """form:f shi:needs shi:needsYear . rule:r a shi:Rule ; shi:form form:f ; shi:body "initial(?c, ?t)" .""",
            "initial(?c, ?t)",
            "initial(?c, ?t), mark(?t, mark:taisui)",
            ["form:f", "shi:needsYear", "named but not read"],
        ),
    ],
    "label": [
        (
            """pattern:p rdfs:label "懸胎"@zh-hant , "현태"@ko .""",
            '"현태"@ko',
            '"현태"@ko , "Suspended Womb"@en',
            ["pattern:p", "rdfs:label", "en"],
        ),
        (
            """matter:m skos:prefLabel "疾病"@zh-hant , "illness"@en .""",
            '"illness"@en',
            '"illness"@en , "질병"@ko',
            ["matter:m", "skos:prefLabel", "ko"],
        ),
    ],
    "term": [
        (
            """shi:x a owl:Class ; rdfs:label "甲"@zh-hant , "갑"@ko , "x"@en ; rdfs:comment "An x."@en .""",
            '"An x."@en',
            '"An x."@en ; dcterms:source "Sanshi"',
            ["shi:x", "no source"],
        ),
        (
            """shi:x a owl:Class ; rdfs:label "甲"@zh-hant , "갑"@ko ; rdfs:comment "An x."@en ; dcterms:source "Sanshi" .""",
            '"갑"@ko',
            '"갑"@ko , "x"@en',
            ["shi:x", "no label in en"],
        ),
        (
            """shi:x a owl:Class ; rdfs:label "甲"@zh-hant , "갑"@ko , "x"@en ; dcterms:source "Sanshi" .""",
            '"Sanshi"',
            '"Sanshi" ; rdfs:comment "An x."@en',
            ["shi:x", "no comment in en"],
        ),
    ],
    "symbol": [
        (
            """noble:x a shi:Noble ; rdfs:comment "丑 by day."@en ; dcterms:source "六壬經緯 卷一" ;
            rdfs:label "貴人"@zh-hant , "귀인"@ko .""",
            '"귀인"@ko',
            '"귀인"@ko , "noble"@en',
            ["noble:x", "no label in en"],
        ),
        (
            """stem:x a shi:Stem ; rdfs:label "甲"@zh-hant , "갑"@ko , "Jia"@en ; dcterms:source "五行大義 卷一" .""",
            "dcterms:source",
            'rdfs:comment "First."@en ; dcterms:source',
            ["stem:x", "no comment in en"],
        ),
        (
            """term:x a shi:Node ; rdfs:label "立春"@zh-hant , "입춘"@ko , "x"@en ; rdfs:comment "A term."@en .""",
            '"A term."@en',
            '"A term."@en ; dcterms:source "淮南子 天文訓"',
            ["term:x", "no source"],
        ),
    ],
    "declared": [
        ("stem:01-jia shi:elemnt element:01-wood .", "shi:elemnt", "rdf:type", ["shi:elemnt"]),
        (
            "judgment:j rdf:value shi:generates .",
            ".",
            ". shi:generates a owl:ObjectProperty .",
            ["shi:generates"],
        ),
    ],
    "dangling": [
        (
            "judgment:j a shi:Judgment ; shi:matter matter:weather .",
            "matter:weather .",
            "matter:weather . matter:weather a skos:Concept .",
            ["matter:weather", "shi:matter", "judgment:j"],
        )
    ],
    "iri": [
        (
            "<https://w3id.org/sanshi/id/branch/子> a shi:Branch .",
            "子",
            "01-zi",
            ["branch:子"],
        )
    ],
    "language": [
        ('stem:01-jia rdfs:label "甲"@zh .', "@zh", "@zh-hant", ["stem:01-jia", "rdfs:label", "zh"]),
    ],
    "ordinal": [
        (
            """
            passage:a shi:partOf chapter:c ; shi:ordinal 1 . passage:b shi:partOf chapter:c ; shi:ordinal 3 .
            passage:d shi:partOf chapter:d ; shi:ordinal 1 .
            """,
            "shi:ordinal 3",
            "shi:ordinal 2",
            ["passage:b", "chapter:c", "3", "the number before is missing"],
        ),
    ],
    "heading": [
        (
            """
            passage:p shi:pattern pattern:a . pattern:a shi:treatise work:w .
            statement:s shi:passage passage:p ; shi:quote "子"@lzh-hant ; shi:pattern pattern:b .
            """,
            "pattern:b",
            "pattern:a",
            ["statement:s", "pattern:b", "the passage is of another heading"],
        ),
        (
            """
            passage:p shi:pattern pattern:a . pattern:a shi:treatise work:w . topic:b shi:treatise work:v .
            caveat:s shi:passage passage:p ; shi:quote "子"@lzh-hant ; shi:hollows topic:b .
            """,
            "work:v",
            "work:w",
            ["caveat:s", "topic:b", "it hollows a heading of another treatise"],
        ),
        (
            "pattern:a shi:treatise work:w ; shi:ordinal 1 .",
            "shi:ordinal 1 .",
            'shi:ordinal 1 . passage:p shi:pattern pattern:a ; shi:baseText "子"@lzh-hant .',
            ["pattern:a", "pattern:a", "no passage"],
        ),
    ],
    "reading": [
        (
            "judgment:j-base a shi:Judgment ; shi:passage passage:p ; shi:reading reading:base .",
            "reading:base .",
            "reading:base . emendation:e shi:passage passage:p ; shi:status shi:adopted .",
            ["judgment:j-base", "nothing is emended in the passage"],
        ),
        (
            """
            judgment:j a shi:Judgment ; shi:passage passage:p ; shi:reading reading:base .
            emendation:e shi:passage passage:p ; shi:status shi:adopted .
            """,
            "judgment:j a",
            "judgment:j-base a",
            ["judgment:j", "a base reading is not named so"],
        ),
        (
            "judgment:j-base a shi:Judgment ; shi:passage passage:p ; shi:reading reading:base , reading:established .",
            "j-base",
            "j",
            ["judgment:j-base", "a name for a base reading, but it stands in the established text"],
        ),
    ],
    "twice": [
        (
            """judgment:j shi:quote "子"@lzh-hant , "午"@lzh-hant .""",
            """ , "午"@lzh-hant""",
            "",
            ["judgment:j", "two quotes"],
        ),
        (
            """
            judgment:j a shi:Judgment ; shi:passage passage:p ; shi:quote "子"@lzh-hant ; shi:form form:f ; shi:general general:01-guiren .
            judgment:k a shi:Judgment ; shi:passage passage:p ; shi:quote "子"@lzh-hant ; shi:form form:f ; shi:general general:01-guiren .
            """,
            "form:f ; shi:general general:01-guiren .\n            judgment:k",
            "form:f ; shi:general general:02-tengshe .\n            judgment:k",
            ["judgment:j", "the same judgment as https://w3id.org/sanshi/id/judgment/k"],
        ),
    ],
}


def rows(query: str, turtle: str) -> list[list[str]]:
    """What a violation query finds in a graph."""
    store = Store()
    store.load((HEADER + turtle).encode(), format=RdfFormat.TURTLE)
    return [list(row.values()) for row in ask(store, get(f"{query}-violation")).plain()]


@pytest.mark.parametrize(
    ("query", "bad", "fault", "mended", "row"),
    [
        pytest.param(query, *case, id=f"{query}-{n}")
        for query, cases in CASES.items()
        for n, case in enumerate(cases, 1)
    ],
)
def test_fault_is_named_and_its_mending_is_not(
    query: str, bad: str, fault: str, mended: str, row: list[str]
) -> None:
    assert fault in bad
    assert rows(query, bad) == [row]
    assert rows(query, bad.replace(fault, mended, 1)) == []


def test_two_passages_of_one_number() -> None:
    twice = (
        "passage:a shi:partOf chapter:c ; shi:ordinal 1 . passage:b shi:partOf chapter:c ; shi:ordinal 1 ."
    )
    assert [row[0] for row in rows("ordinal", twice)] == ["passage:a", "passage:b"]
    assert (
        rows("ordinal", twice.replace("passage:b shi:partOf chapter:c", "passage:b shi:partOf chapter:d"))
        == []
    )


def test_every_query_of_this_room_has_its_case() -> None:
    elsewhere = {"general-palaces", "allusive-words"}  # tests/kg/test_reader.py, tests/kg/test_allusions.py
    all_of_them = {name.removesuffix("-violation") for name, query in named().items() if query.is_violation}
    assert all_of_them - elsewhere == set(CASES)


@pytest.mark.parametrize("query", [name for name, query in named().items() if query.is_violation])
def test_doctrine_has_no_violation(query: str) -> None:
    assert ask(shared().store, get(query)).plain() == []


def test_sources_write_language_tags_in_lower_case() -> None:
    # a store folds the tags, so that no query could see it
    shouting = re.compile(r'"@[a-z-]*[A-Z][A-Za-z-]*')
    found = {
        p.name
        for p in [*HERE.glob("*.ttl"), *TREATISES.rglob("*.ttl")]
        if shouting.search(p.read_text("utf-8"))
    }
    assert found == set()
