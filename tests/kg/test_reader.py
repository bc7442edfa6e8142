"""Passages found by address, read in three ways, cited; the apparatus against the table of corrupt places."""

import csv
from pathlib import Path

import pytest
from pyoxigraph import NamedNode, Quad, RdfFormat, Store

from kg.asking import ask
from kg.edition import label
from kg.errors import InputError
from kg.facts import TYPE, quads, term, thing
from kg.reader import Mode, Reader, linked, lrmoo_triples
from kg.store import doctrine, instances, load, passages, value, values
from kg.text import Passage
from ontology import expand, files, shorten
from queries import get

TABLE = Path(__file__).parents[1] / "data" / "emendations.csv"


@pytest.fixture(scope="module")
def store() -> Store:
    store = doctrine()
    store.extend(quads(lrmoo_triples(store)))
    return store


@pytest.fixture(scope="module")
def reader(store: Store) -> Reader:
    return Reader(store)


def test_every_passage_has_one_address_and_is_found_by_it(reader: Reader) -> None:
    addresses = set()
    for node, (work, place) in reader.places.items():
        title = next(q.object.value for q in reader.store.quads_for_pattern(work, _label(), None))
        volume, *chapter, ordinal = place.numbers
        address = (title, int(volume), chapter[0], int(ordinal))
        addresses.add(address)
        assert reader.at(*address) == place
        assert reader.find(node.value) == reader.find(shorten(node.value)) == place
        assert reader.find(f"{title} {place.ref}") == place
    assert len(addresses) == len(instances(reader.store, "Passage"))


def test_the_locator_of_a_passage_says_its_address(reader: Reader) -> None:
    for node, (_, place) in reader.places.items():
        assert place.heading is not None
        volume, heading, ordinal = value(reader.store, node, "locator").split("·")
        assert heading in {
            q.object.value for q in reader.store.quads_for_pattern(place.heading, _label(), None)
        }
        assert ordinal == place.numbers[-1]
        assert volume == "卷" + "〇一二三四五六七八九"[int(place.numbers[0])]


def test_a_heading_is_found_by_its_witnessed_name_too(reader: Reader) -> None:
    assert reader.at("liuren-jingwei", 3, "重慶", 1) == reader.at("六壬經緯", 3, "喜慶", 1)
    assert reader.at("육임경위", 3, 49, 1) == reader.at("六壬經緯", 3, "희경", 1)


@pytest.mark.parametrize(
    ("address", "said"),
    [
        (("六壬經", 3, "懸胎", 1), "book: '六壬經' is not accepted; give one of 六壬經緯"),
        (("六壬經緯", 4, "懸胎", 1), "volume: '4' is not accepted; give one of 3"),
        (("六壬經緯", 3, "懸", 1), "chapter: '懸' is not accepted; give a heading from 懸胎 to 干婦"),
        (("六壬經緯", 3, "懸胎", 3), "ordinal: '3' is not accepted; give 1 to 2"),
    ],
)
def test_a_wrong_address_says_what_there_is(
    reader: Reader, address: tuple[str, int, str, int], said: str
) -> None:
    with pytest.raises(InputError) as caught:
        reader.at(*address)
    assert str(caught.value).startswith(said)


def test_a_wrong_reference_language_or_word_is_refused(reader: Reader) -> None:
    node = thing("passage:xuantai-1")
    for reference in (
        "passage:nowhere",
        "judgment:xuantai-shun",
        "六壬經緯 3.1.9",
        "https://example.org/",
        "懸胎",
    ):
        with pytest.raises(InputError):
            reader.find(reference)
    with pytest.raises(InputError, match="language"):
        reader.citation(node, "fr")
    with pytest.raises(InputError, match="language"):
        reader.text(node, Mode.apparatus, "zh")
    with pytest.raises(InputError, match="words"):
        reader.holding(node, "巳申寅")
    with pytest.raises(InputError, match="passage"):
        reader.text(thing("passage:nowhere"))


def test_the_three_texts_of_a_passage(reader: Reader) -> None:
    node = thing("passage:jiaohe-1")
    assert "臨卯曰違理，臨辰曰亡羞" in reader.text(node, Mode.base)
    assert "臨辰曰違禮，臨戌曰亡羞" in reader.text(node)
    assert (
        "臨辰曰違禮，臨戌曰亡羞〔底本「臨卯曰違理，臨辰曰亡羞」；三式編者（錯字，確，從）〕，因妄冒"
        in reader.text(node, Mode.apparatus)
    )
    assert "臨卯曰入室〔韓文今註「臨戌曰入室」（錯字，確，不從）〕" in reader.text(node, Mode.apparatus)
    assert (
        "臨卯曰入室〔modern Korean commentary 「臨戌曰入室」(wrong character, certain, rejected)〕"
        in reader.text(node, Mode.apparatus, "en")
    )


def test_without_its_notes_the_text_with_apparatus_is_the_established_one(reader: Reader) -> None:
    for node, passage in reader.passages.items():
        text, depth, out = reader.text(node, Mode.apparatus), 0, []
        for char in text.replace("〔原註〕", ""):
            depth += char == "〔"
            if not depth:
                out.append(char)
            depth -= char == "〕"
        assert "".join(out) == passage.established.replace("〔原註〕", ""), passage.iri


def test_citations_in_three_languages(reader: Reader) -> None:
    node = thing("passage:xuantai-2")
    iri = "https://w3id.org/sanshi/id/passage/xuantai-2"
    assert reader.citation(node) == (
        f"Mao Zhidao, Warp and Weft of the Six Ren (六壬經緯), vol. 3, Suspended Womb (懸胎) 2, {iri}"
    )
    assert reader.citation(node, "ko") == f"모지도, 『육임경위 (六壬經緯)』 권3 〈현태〉 2, {iri}"


def test_words_lead_to_statements_in_either_reading(reader: Reader) -> None:
    found = [shorten(n.value) for n in reader.holding(thing("passage:jiaohe-1"), "臨戌曰亡羞")]
    assert found == [
        "judgment:jiaohe-chen-weili",
        "judgment:jiaohe-chen-weili-base",
        "judgment:jiaohe-xu-wangxiu",
        "judgment:jiaohe-xu-wangxiu-base",
    ]


def test_work_expression_chapter_and_passage_are_one_chain_in_lrmoo(store: Store) -> None:
    f2, component = NamedNode(expand("lrmoo:F2_Expression")), "lrmoo:R5_has_component"
    for work in Reader(store).works:
        reached = set()
        for wording in linked(store, work, "lrmoo:R3_is_realised_in"):
            for chapter in linked(store, wording, component):
                assert any(store.quads_for_pattern(chapter, TYPE, f2))
                reached |= set(linked(store, chapter, component))
        assert reached == {node for node, (of, _) in Reader(store).places.items() if of == work}
        assert all(any(store.quads_for_pattern(node, TYPE, f2)) for node in reached)


def test_passages_of_work_lists_them_in_order(store: Store) -> None:
    rows = ask(store, get("passages-of-work"), {"work": "六壬經緯"}).plain()
    assert [row["ordinal"] for row in rows] == [str(n) for n in range(1, 63)]
    assert rows[1]["where"] == "卷三·懸胎·2"


def _rows() -> list[dict[str, str]]:
    with TABLE.open(encoding="utf-8") as file:
        return list(csv.DictReader(file))


def _answering(row: dict[str, str], texts: dict[NamedNode, Passage], store: Store) -> list[str]:
    """The emendations that do to the base text of a passage just what the row says."""
    found = []
    for node, passage in texts.items():
        if not values(store, node, "partOf")[0].value.rpartition("/")[2].startswith(row["treatise"]):
            continue
        start = passage.base.find(row["base"])
        while start >= 0:
            wanted = passage.base[:start] + row["proposed"] + passage.base[start + len(row["base"]) :]
            for emendation in passage.emendations:
                first, last = passage.place(emendation)
                if passage.base[:first] + emendation.proposed + passage.base[last:] == wanted:
                    found.append(emendation.iri)
            start = passage.base.find(row["base"], start + 1)
    return found


def test_the_table_has_all_its_rows() -> None:
    assert {int(row["row"]) for row in _rows()} == set(range(1, 102))


@pytest.mark.parametrize("treatise", ["liuren-jingwei", "qimen-miji"])
def test_every_place_of_the_table_is_in_the_apparatus(store: Store, treatise: str) -> None:
    texts, missing = passages(store), []
    slips = [n for n in instances(store, "Emendation") if thing("kind:slip") in values(store, n, "kind")]
    for row in _rows():
        if row["treatise"] != treatise:
            continue
        found = _answering(row, texts, store)
        if not found:
            found = [
                shorten(n.value)
                for n in slips
                if (value(store, n, "base"), value(store, n, "proposed")) == (row["base"], row["proposed"])
            ]
        if len(found) != int(row["places"]):
            missing.append(
                f"row {row['row']}: {row['base']} → {row['proposed']}: {len(found)} of {row['places']}"
            )
        for iri in found:
            certainty = value(store, thing(iri), "certainty").partition("#")[2]
            if row["certainty"] and certainty != row["certainty"]:
                missing.append(f"row {row['row']}: {iri} is {certainty}, the table has {row['certainty']}")
        nodes = [thing(iri) for iri in found]
        kinds = {label(store, kind) for node in nodes for kind in linked(store, node, "shi:kind")}
        agents = {shorten(a.value) for node in nodes for a in linked(store, node, "prov:wasAttributedTo")}
        where = {v.value for node in nodes for v in values(store, node, "parallel")}
        said = {
            "kind": " ".join(sorted(kinds)),
            "agents": " ".join(sorted(agents)),
            "parallels": "; ".join(sorted(where)),
        }
        missing += [
            f"row {row['row']}: {name} {told!r}, the table has {row[name]!r}"
            for name, told in said.items()
            if told != row[name]
        ]
    assert not missing, "\n".join(missing)


def test_emendations_say_whose_they_are_why_and_of_what_kind(store: Store) -> None:
    for node in instances(store, "Emendation"):
        name = shorten(node.value)
        assert linked(store, node, "prov:wasAttributedTo"), name
        for needed in ("kind", "status", "certainty", "evidence"):
            assert value(store, node, needed), f"{name}: {needed}"
        if term("adopted") in values(store, node, "status"):
            assert values(store, node, "certainty")[0] in (term("certain"), term("probable")), name


def test_where_the_commentary_is_rejected_both_sides_stand(store: Store) -> None:
    rows = ask(store, get("commentary-contradicted-report")).plain()
    assert {(row["commentary"], row["adopted"]) for row in rows} == {
        ("臨戌曰象龍", "臨戌曰入冢"),
        ("臨戌曰入室", "臨辰曰違禮，臨戌曰亡羞"),
    }


def test_the_apparatus_is_listed_by_heading(store: Store) -> None:
    rows = ask(store, get("apparatus-of-heading"), {"heading": "交合"}).plain()
    assert [(row["base"], row["status"], row["agents"]) for row in rows] == [
        ("臨卯曰違理，臨辰曰亡羞", "adopted", "editors of Sanshi"),
        ("臨卯曰入室", "rejected", "modern Korean commentary"),
        ("不明之囚地", "noted", "editors of Sanshi"),
    ]


def test_twelve_palaces_a_general_in_both_readings(store: Store) -> None:
    assert ask(store, get("general-palaces-violation")).plain() == []


@pytest.mark.parametrize(
    ("gone", "added", "fault"),
    [
        ("parallel:zhuque-si shi:settledBy emendation:wenshu-1-1", "", "03-zhuque 06-si base 0"),
        ("judgment:ganfu-zi-shougui shi:palace branch:01-zi", "", "12-tianhou 01-zi established 0"),
        ("judgment:kongju-wei-rulin shi:general general:02-tengshe", "", "02-tengshe 08-wei base 0"),
        ("", "judgment:kongju-wei-rulin shi:palace branch:06-si", "02-tengshe 06-si established 2"),
    ],
)
def test_a_gap_or_doubling_that_nothing_explains_is_a_violation(gone: str, added: str, fault: str) -> None:
    store = doctrine()
    for said, change in ((gone, store.remove), (added, store.add)):
        if said:
            subject, predicate, target = (NamedNode(expand(name)) for name in said.split())
            change(Quad(subject, predicate, target))
    rows = ask(store, get("general-palaces-violation")).plain()
    assert fault in {" ".join(cell.rpartition(":")[2] for cell in row.values()) for row in rows}


def test_lrmoo_follows_for_any_work_that_has_chapters() -> None:
    store = load(files())
    store.bulk_load(
        b"""@prefix shi: <https://w3id.org/sanshi/ontology#> .
        @prefix lrmoo: <http://iflastandards.info/ns/lrm/lrmoo/> .
        @prefix w: <https://w3id.org/sanshi/id/work/> . @prefix p: <https://w3id.org/sanshi/id/passage/> .
        w:book a lrmoo:F1_Work ; lrmoo:R3_is_realised_in w:copy . w:part shi:partOf w:book ; shi:volume 1 .
        p:one a shi:Passage ; shi:partOf w:part ; shi:ordinal 1 .""",
        format=RdfFormat.TURTLE,
    )
    said = {
        (shorten(t.subject.value), shorten(t.object.value))
        for t in lrmoo_triples(store)
        if t.predicate != TYPE
    }
    assert said == {("work:copy", "work:part"), ("work:part", "passage:one")}


def _label() -> NamedNode:
    return NamedNode(expand("rdfs:label"))
