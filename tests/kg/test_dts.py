"""The answers of Distributed Text Services against what its specification, version 1.0, asks of each.

The tables of required properties are those of the specification; so are the cases of parameters and errors.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from functools import cache
from typing import Any
from urllib.parse import parse_qsl, urlsplit

import pytest
from lxml import etree
from pyoxigraph import RdfFormat, Store

from kg import dts
from kg.dts import MEDIA_TYPES, collection, document, entry, navigation
from kg.dts_tree import DtsError
from kg.edition import contents, work, works
from kg.store import complete, doctrine, value
from kg.tei import TEI, edition, reading, serialise

BASE = "https://example.org/api/dts"
LIUREN = "https://w3id.org/sanshi/id/work/liuren-jingwei"
QIMEN = "https://w3id.org/sanshi/id/work/qimen-miji"
ROOT = "https://w3id.org/sanshi/dataset"
ID = "{http://www.w3.org/XML/1998/namespace}id"
WRAPPER = "{https://w3id.org/api/dts#}wrapper"
TEMPLATE = r"https://example\.org/api/dts/{}(\?[a-z]+=[^{{}}]+)?\{{[?&][A-Za-z,]+\}}"

REQUIRED: dict[str, dict[str, type | tuple[type, ...]]] = {
    "EntryPoint": {"@id": str, "dtsVersion": str, "collection": str, "navigation": str, "document": str},
    "Collection": {"@id": str, "title": str, "totalParents": int, "totalChildren": int, "collection": str},
    "Resource": {
        **{"@id": str, "title": str, "totalParents": int, "collection": str, "navigation": str},
        **{"document": str, "citationTrees": list},
    },
    "Navigation": {"@id": str, "dtsVersion": str, "resource": dict},
    "CitationTree": {},
    "CiteStructure": {"citeType": str},
    "CitableUnit": {"identifier": str, "level": int, "parent": (str, type(None))},
    "Pagination": {name: (str, type(None)) for name in ("@id", "first", "previous", "next", "last")},
}

LOADED = """
@prefix : <https://w3id.org/sanshi/ontology#> .
@prefix id: <https://w3id.org/sanshi/id/> .
id:work\\/w a <http://iflastandards.info/ns/lrm/lrmoo/F1_Work> .
<https://w3id.org/sanshi/id/work/w/file/1.txt> a :File ; :partOf id:work\\/w .
<https://w3id.org/sanshi/id/work/w/file/1.txt/translation/1> a :Translation ; :ordinal 1 ;
    :partOf <https://w3id.org/sanshi/id/work/w/file/1.txt> .
id:passage\\/w.1 a :Line ; :partOf <https://w3id.org/sanshi/id/work/w/file/1.txt> ;
    :ordinal 1 ; :locator "1a" ; :baseText "天地玄黃"@lzh .
id:passage\\/w.2 a :Line ; :partOf <https://w3id.org/sanshi/id/work/w/file/1.txt> ;
    :ordinal 2 ; :locator "1b" ; :baseText "宇宙洪荒"@lzh-hant .
"""


@cache
def store() -> Store:
    return doctrine()


@cache
def loaded() -> Store:
    made = Store()
    made.load(LOADED, format=RdfFormat.TURTLE)
    complete(made)
    return made


def ask(**parameters: str | int) -> dict[str, Any]:
    return navigation(store(), BASE, parameters)


def fetch(**parameters: str) -> dts.Document:
    return document(store(), BASE, parameters)


def tei(**parameters: str) -> etree._Element:
    return etree.fromstring(fetch(**parameters).content)


def members(answer: Mapping[str, Any]) -> list[str]:
    return [member["identifier"] for member in answer["member"]]


def check(found: Any) -> None:
    """Every object in an answer has the properties that the specification requires, of their types."""
    if isinstance(found, list):
        for part in found:
            check(part)
    if not isinstance(found, dict):
        return
    for name, kind in REQUIRED.get(found.get("@type", ""), {}).items():
        assert name in found, (found["@type"], name)
        assert isinstance(found[name], kind), (found["@type"], name, found[name])
    for name in ("collection", "navigation", "document"):
        if isinstance(found.get(name), str):
            assert re.fullmatch(TEMPLATE.format(name), found[name]), found[name]
    for name, part in found.items():
        if name in ("dublinCore", "extensions"):
            metadata(part)
        else:
            check(part)


def metadata(found: dict[str, Any]) -> None:
    """A MetadataObject: a literal, a URI, a list of URIs or words, or of words with their languages."""
    for values in found.values():
        assert isinstance(values, str | int | list)
        for one in values if isinstance(values, list) else []:
            assert isinstance(one, str) or set(one) == {"lang", "value"}


ANSWERS: dict[str, tuple[Any, dict[str, str]]] = {
    "root": (collection, {}),
    "work": (collection, {"id": LIUREN}),
    "parents": (collection, {"id": QIMEN, "nav": "parents"}),
    "page": (collection, {"page": "1"}),
    "unit": (navigation, {"resource": LIUREN, "ref": "3.1"}),
    "siblings": (navigation, {"resource": QIMEN, "ref": "9.13", "down": "0"}),
    "tree": (navigation, {"resource": QIMEN, "down": "-1"}),
    "range": (navigation, {"resource": QIMEN, "start": "8.1", "end": "8.3", "down": "1"}),
    "by id": (navigation, {"resource": QIMEN, "down": "1", "tree": "id"}),
}


@pytest.mark.parametrize("name", ANSWERS)
def test_every_answer_has_what_the_specification_requires(name: str) -> None:
    endpoint, parameters = ANSWERS[name]
    answer = endpoint(store(), BASE, parameters)
    assert answer["@context"] == "https://dtsapi.org/context/v1.0.json"
    assert answer["dtsVersion"] == "1.0"
    check(answer)
    assert json.loads(json.dumps(answer)) == answer


def test_the_entry_names_the_endpoints_by_templates_with_their_parameters() -> None:
    assert entry(BASE + "/") == {
        "@context": "https://dtsapi.org/context/v1.0.json",
        "dtsVersion": "1.0",
        "@id": BASE,
        "@type": "EntryPoint",
        "collection": BASE + "/collection{?id,page,nav}",
        "navigation": BASE + "/navigation{?resource,ref,start,end,down,tree,page}",
        "document": BASE + "/document{?resource,ref,start,end,tree,mediaType}",
    }


def test_the_root_collection_has_the_works_as_resources() -> None:
    root = collection(store(), BASE, {})
    assert root == collection(store(), BASE, {"id": ROOT})
    assert (root["@type"], root["totalParents"], root["totalChildren"]) == ("Collection", 0, 2)
    assert [(m["@id"], m["@type"], m["totalParents"]) for m in root["member"]] == [
        (LIUREN, "Resource", 1),
        (QIMEN, "Resource", 1),
    ]


def test_a_work_has_titles_makers_source_licence_and_two_citation_trees() -> None:
    found = collection(store(), BASE, {"id": LIUREN})
    assert found["title"] == "六壬經緯"
    core = found["dublinCore"]
    assert {t["lang"]: t["value"] for t in core["title"]}["ko"] == "육임경위"
    assert {"lang": "zh-Hant", "value": "毛志道"} in core["creator"]
    assert core["license"] == ["https://creativecommons.org/licenses/by/4.0/"]
    assert core["created"] == "1725"
    default, by_id = found["citationTrees"]
    assert "identifier" not in default
    assert by_id["identifier"] == "id"
    level, kinds = default["citeStructure"], []
    while level:
        kinds.append(level[0]["citeType"])
        level = level[0].get("citeStructure")
    assert kinds == ["chapter", "pattern", "passage"]
    assert found["mediaTypes"] == ["application/tei+xml", "text/plain"]
    assert "member" not in found


def test_the_topics_of_qimen_are_a_level_of_its_own_kind() -> None:
    tree = collection(store(), BASE, {"id": QIMEN})["citationTrees"][0]
    assert tree["citeStructure"][0]["citeStructure"][0]["citeType"] == "topic"


def test_parents_of_a_work_and_of_the_root() -> None:
    parents = collection(store(), BASE, {"id": QIMEN, "nav": "parents"})
    assert [(m["@id"], m["@type"]) for m in parents["member"]] == [(ROOT, "Collection")]
    assert collection(store(), BASE, {"nav": "parents"})["member"] == []


def test_the_tree_has_every_passage_in_document_order_with_its_iri_and_locator() -> None:
    for slug, iri in (("liuren-jingwei", LIUREN), ("qimen-miji", QIMEN)):
        units = ask(resource=iri, down=-1)["member"]
        places = contents(store(), work(store(), slug))
        passages = [u for u in units if u["citeType"] == "passage"]
        assert [u["identifier"] for u in passages] == [p.ref for p in places]
        assert [u["@id"] for u in passages] == [p.node.value for p in places]
        assert [u["dublinCore"]["identifier"] for u in passages] == [
            value(store(), p.node, "locator") for p in places
        ]
        identifiers = [u["identifier"] for u in units]
        assert len(set(identifiers)) == len(identifiers)
        seen: set[str | None] = {None}
        for unit in units:
            assert unit["parent"] in seen
            assert unit["level"] == unit["identifier"].count(".") + 1
            seen.add(unit["identifier"])


def test_down_and_ref() -> None:
    assert members(ask(resource=QIMEN, down=1)) == ["8", "9"]
    assert members(ask(resource=QIMEN, ref="8", down=1)) == ["8", *(f"8.{n}" for n in range(1, 13))]
    assert members(ask(resource=LIUREN, ref="3.1", down=1)) == ["3.1", "3.1.1", "3.1.2"]
    assert members(ask(resource=LIUREN, ref="3.1", down=-1)) == members(
        ask(resource=LIUREN, ref="3.1", down=7)
    )
    assert set(members(ask(resource=LIUREN, down=2))) < set(members(ask(resource=LIUREN, down=3)))


def test_ref_alone_gives_the_unit_without_members() -> None:
    found = ask(resource=LIUREN, ref="3.49")
    assert "member" not in found
    assert found["ref"]["@id"] == "https://w3id.org/sanshi/id/pattern/xiqing"
    assert {"lang": "zh-Hant", "value": "喜慶"} in found["ref"]["dublinCore"]["title"]
    assert (found["ref"]["parent"], found["ref"]["level"]) == ("3", 2)


def test_down_0_gives_the_siblings_and_the_unit_itself() -> None:
    assert members(ask(resource=LIUREN, ref="3.1.2", down=0)) == ["3.1.1", "3.1.2"]
    assert members(ask(resource=QIMEN, ref="9", down=0)) == ["8", "9"]


def test_a_unit_without_descendants_gives_itself() -> None:
    assert members(ask(resource=LIUREN, ref="3.1.2", down=2)) == ["3.1.2"]


def test_a_range_goes_from_start_through_the_descendants_of_end() -> None:
    found = ask(resource=QIMEN, start="8.1", end="8.2", down=1)
    assert (found["start"]["identifier"], found["end"]["identifier"]) == ("8.1", "8.2")
    assert "ref" not in found
    assert members(found) == ["8.1", "8.1.1", "8.2", "8.2.1"]
    assert "member" not in ask(resource=QIMEN, start="8.1", end="8.2")
    assert members(ask(resource=QIMEN, start="8.12.1", end="9.13", down=-1))[:4] == [
        "8.12.1",
        "9",
        "9.13",
        "9.13.1",
    ]


def test_the_depth_of_a_range_counts_from_its_deeper_end() -> None:
    across = ask(resource=LIUREN, start="3.1.2", end="3.3", down=1)
    assert members(across)[0] == "3.1.2"
    assert {m["level"] for m in across["member"]} == {2, 3}


def test_the_second_tree_cites_passages_by_their_xml_id() -> None:
    found = ask(resource=LIUREN, tree="id", ref="passage.xuantai-2")
    assert (found["ref"]["level"], found["ref"]["parent"], found["ref"]["citeType"]) == (1, None, "passage")
    assert len(members(ask(resource=LIUREN, tree="id", down=1))) == len(
        contents(store(), work(store(), "liuren-jingwei"))
    )


def test_the_id_of_an_answer_is_the_request() -> None:
    split = urlsplit(ask(resource=QIMEN, ref="8.1", down=1)["@id"])
    assert f"{split.scheme}://{split.netloc}{split.path}" == BASE + "/navigation"
    assert parse_qsl(split.query) == [("resource", QIMEN), ("ref", "8.1"), ("down", "1")]


def test_a_work_without_headings_is_chapter_and_passage() -> None:
    iri = "https://w3id.org/sanshi/id/work/w"
    found = navigation(loaded(), BASE, {"resource": iri, "down": -1})
    check(found)
    assert "license" not in found["resource"]["dublinCore"]
    assert members(found) == ["1", "1.1", "1.2"]
    assert found["resource"]["citationTrees"][0]["citeStructure"][0]["citeStructure"] == [
        {"@type": "CiteStructure", "citeType": "passage"}
    ]
    (line,) = etree.fromstring(document(loaded(), BASE, {"resource": iri, "ref": "1.1"}).content).iter(
        WRAPPER
    )
    assert line[0].get(f"{{{ID[1:].partition('}')[0]}}}lang") == "lzh"
    assert [(m.get("unit"), m.get("n")) for m in line[0]] == [("locator", "1a")]
    text = document(loaded(), BASE, {"resource": iri, "ref": "1.2", "mediaType": "text/plain"})
    assert text.content.decode() == "宇宙洪荒\n"


def test_pages(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(dts, "PAGE", 5)
    whole = members(ask(resource=QIMEN, ref="8", down=1))
    pages = [ask(resource=QIMEN, ref="8", down=1, page=n) for n in (1, 2, 3)]
    assert [identifier for page in pages for identifier in members(page)] == [
        "8",
        *(f"8.{n}" for n in range(1, 13)),
    ]
    assert whole == members(pages[0])
    check(pages)
    numbers = [
        {
            name: dict(parse_qsl(urlsplit(link).query)).get("page") if link else None
            for name, link in page["view"].items()
        }
        for page in pages
    ]
    kept = ("@id", "first", "previous", "next", "last")
    assert [tuple(n[k] for k in kept) for n in numbers] == [
        ("1", "1", None, "2", "3"),
        ("2", "1", "1", "3", "3"),
        ("3", "1", "2", None, "3"),
    ]
    with pytest.raises(DtsError) as raised:
        ask(resource=QIMEN, ref="8", down=1, page=4)
    assert raised.value.status == 404


@pytest.mark.parametrize(
    ("endpoint", "parameters", "status"),
    [
        (navigation, {}, 400),
        (navigation, {"ref": "3"}, 400),
        (navigation, {"resource": LIUREN}, 400),
        (navigation, {"resource": LIUREN, "down": "0"}, 400),
        (navigation, {"resource": LIUREN, "start": "3.1", "end": "3.2", "down": "0"}, 400),
        (navigation, {"resource": LIUREN, "ref": "3.1", "start": "3.1", "end": "3.2"}, 400),
        (navigation, {"resource": LIUREN, "ref": "3.1", "end": "3.2"}, 400),
        (navigation, {"resource": LIUREN, "start": "3.1"}, 400),
        (navigation, {"resource": LIUREN, "end": "3.1"}, 400),
        (navigation, {"resource": LIUREN, "start": "3.2", "end": "3.1"}, 400),
        (navigation, {"resource": LIUREN, "down": "all"}, 400),
        (navigation, {"resource": LIUREN, "down": "-2"}, 400),
        (navigation, {"resource": LIUREN, "down": "1", "page": "0"}, 400),
        (navigation, {"resource": LIUREN, "ref": "3.1", "level": "1"}, 400),
        (navigation, {"resource": LIUREN, "ref": "4"}, 404),
        (navigation, {"resource": LIUREN, "start": "3.1", "end": "3.99"}, 404),
        (navigation, {"resource": LIUREN, "ref": "3.1", "tree": "pages"}, 404),
        (navigation, {"resource": LIUREN, "ref": "3.1", "tree": "id"}, 404),
        (navigation, {"resource": LIUREN + "x", "down": "1"}, 404),
        (collection, {"id": "https://example.org/none"}, 404),
        (collection, {"page": "2"}, 404),
        (collection, {"page": "one"}, 400),
        (collection, {"nav": "siblings"}, 400),
        (document, {}, 400),
        (document, {"resource": LIUREN, "ref": "3.1", "start": "3.1", "end": "3.2"}, 400),
        (document, {"resource": LIUREN, "start": "3.1"}, 400),
        (document, {"resource": LIUREN, "ref": "3.99"}, 404),
        (document, {"resource": LIUREN, "ref": "3.1", "tree": "pages"}, 404),
        (document, {"resource": "https://example.org/none"}, 404),
        (document, {"resource": LIUREN, "mediaType": "application/pdf"}, 404),
    ],
)
def test_what_cannot_be_answered_has_the_status_of_the_specification(
    endpoint: Any, parameters: dict[str, str], status: int
) -> None:
    with pytest.raises(DtsError) as raised:
        endpoint(store(), BASE, parameters)
    assert raised.value.status == status
    assert "\n" not in str(raised.value)


def test_a_whole_work_is_its_edition() -> None:
    found = fetch(resource=LIUREN)
    assert found.content == serialise(edition(store(), work(store(), "liuren-jingwei")))
    assert found.headers == {
        "Content-Type": "application/tei+xml",
        "Link": f'<{BASE}/collection?id={LIUREN}>; rel="collection"',
    }
    assert fetch(resource=LIUREN, tree="pages").content == found.content


def test_a_passage_stands_alone_in_the_wrapper_within_its_divisions() -> None:
    root = tei(resource=LIUREN, ref="3.1.2")
    (wrapper,) = root.iter(WRAPPER)
    assert [node.get(ID) for node in wrapper] == ["passage.xuantai-2"]
    assert [node.get("type") for node in wrapper.iterancestors(f"{{{TEI}}}div")] == ["pattern", "chapter"]
    assert len(list(root.iter(f"{{{TEI}}}p"))) - len(root.findall(f".//{{{TEI}}}teiHeader//{{{TEI}}}p")) == 1
    assert root.xpath(wrapper.get("ref"))[0] is wrapper[0]
    assert root.tag == f"{{{TEI}}}TEI"
    assert root[0].tag == f"{{{TEI}}}teiHeader"


def test_the_notes_of_a_part_are_those_of_its_passages() -> None:
    notes = tei(resource=LIUREN, ref="3.1.2").findall(f".//{{{TEI}}}standOff//{{{TEI}}}note[@target]")
    assert notes
    assert all(note.get("target").startswith("#passage.xuantai-2") for note in notes)


@pytest.mark.parametrize(
    ("start", "end", "inside"),
    [
        ("3.1.1", "3.1.2", ["passage.xuantai-1", "passage.xuantai-2"]),
        ("3.1.2", "3.2", ["pattern.xuantai", "pattern.guange"]),
        ("3.1", "3.3.1", ["pattern.xuantai", "pattern.guange", "pattern.jiase"]),
    ],
)
def test_a_range_is_wrapped_in_the_innermost_element_that_holds_it(
    start: str, end: str, inside: list[str]
) -> None:
    root = tei(resource=LIUREN, start=start, end=end)
    (wrapper,) = root.iter(WRAPPER)
    assert [node.get(ID) for node in wrapper] == inside
    (first,), (last,) = root.xpath(wrapper.get("start")), root.xpath(wrapper.get("end"))
    assert wrapper in first.iterancestors()
    assert wrapper in last.iterancestors()


def test_a_range_across_volumes_leaves_out_what_is_before_and_after() -> None:
    root = tei(resource=QIMEN, start="8.12.1", end="9.13.1")
    (wrapper,) = root.iter(WRAPPER)
    assert [node.get("n") for node in wrapper] == ["8", "9"]
    assert [(p.getparent().get("n"), p.get("n")) for p in wrapper.iter(f"{{{TEI}}}p")] == [
        ("12", "1"),
        ("13", "1"),
    ]


def test_the_same_passage_by_either_tree() -> None:
    by_number, by_id = (
        tei(resource=LIUREN, ref="3.1.2"),
        tei(resource=LIUREN, tree="id", ref="passage.xuantai-2"),
    )
    assert etree.tostring(by_number) == etree.tostring(by_id)


def test_unwrapped_a_part_is_the_edition_of_its_passages() -> None:
    root = tei(resource=QIMEN, ref="8.3")
    (wrapper,) = root.iter(WRAPPER)
    holder, at = wrapper.getparent(), wrapper.getparent().index(wrapper)
    holder[at : at + 1] = list(wrapper)
    places = [p for p in contents(store(), work(store(), "qimen-miji")) if p.ref.startswith("8.3.")]
    whole = etree.fromstring(serialise(edition(store(), work(store(), "qimen-miji"), places)))
    assert [e.tag for e in root.iter()] == [e.tag for e in whole.iter()]


def test_plain_text_is_the_established_text_a_passage_a_line() -> None:
    found = fetch(resource=LIUREN, ref="3.1", mediaType="text/plain")
    assert found.headers["Content-Type"] == "text/plain; charset=utf-8"
    assert found.content.decode().splitlines() == [
        value(store(), place.node, "establishedText")
        for place in contents(store(), work(store(), "liuren-jingwei"))
        if place.ref.startswith("3.1.")
    ]


def test_every_unit_of_the_tree_can_be_had() -> None:
    for unit in ask(resource=QIMEN, down=-1)["member"]:
        lines = (
            fetch(resource=QIMEN, ref=unit["identifier"], mediaType="text/plain")
            .content.decode()
            .splitlines()
        )
        assert lines
        if unit["citeType"] == "passage":
            assert len(lines) == 1


def test_the_media_types_offered_are_those_that_are_had() -> None:
    for resource in collection(store(), BASE, {})["member"]:
        assert resource["mediaTypes"] == list(MEDIA_TYPES)
        for media_type in resource["mediaTypes"]:
            assert (
                fetch(resource=resource["@id"], mediaType=media_type)
                .headers["Content-Type"]
                .startswith(media_type)
            )


def test_reading_ignores_the_wrapper() -> None:
    (wrapper,) = tei(resource=LIUREN, ref="3.1.1").iter(WRAPPER)
    assert reading(wrapper[0]) == value(
        store(), contents(store(), works(store())[0])[0].node, "establishedText"
    )
