"""What is exported says what the store says, in one order always; counts are those that SPARQL gives."""

from __future__ import annotations

import csv
import io
import json
from functools import cache
from pathlib import Path

import pytest
from pyoxigraph import BlankNode, Literal, NamedNode, Quad, QuerySolutions, RdfFormat, Store, parse
from typer.testing import CliRunner

from kg.cli import export as command
from kg.cli.app import app
from kg.dataset import DATASET, describe
from kg.edition import contents, work, works
from kg.errors import InputError, MissingInput, SanshiError, StoreError
from kg.export import jsonld, members, nquads, ordered, quads, to_rdflib, turtle
from kg.facts import TYPE, term, thing
from kg.judgment_table import COLUMNS, judgments, parameters, table
from kg.store import doctrine, instances, passages, value
from ontology import expand

FORMATS = {"turtle": turtle, "nquads": nquads, "jsonld": jsonld}
READERS = {"turtle": RdfFormat.TURTLE, "nquads": RdfFormat.N_QUADS, "jsonld": RdfFormat.JSON_LD}


@cache
def store() -> Store:
    return doctrine()


@cache
def whole() -> list[Quad]:
    return quads(store())


@cache
def description() -> Store:
    found = Store()
    found.extend(describe(store()))
    return found


def liuren() -> NamedNode:
    return work(store(), "liuren-jingwei")


def qimen() -> NamedNode:
    return work(store(), "qimen-miji")


def count(where: str, what: str = "*") -> int:
    found = store().query(f"SELECT (COUNT({what}) AS ?n) WHERE {{ {where} }}")
    assert isinstance(found, QuerySolutions)
    return int(next(found)["n"].value)


@pytest.mark.parametrize("name", FORMATS)
def test_two_stores_of_the_same_doctrine_give_the_same_bytes(name: str) -> None:
    assert FORMATS[name](whole()) == FORMATS[name](quads(doctrine()))


@pytest.mark.parametrize("name", FORMATS)
def test_what_is_written_is_what_is_read_back(name: str) -> None:
    back = ordered(parse(FORMATS[name](whole()), format=READERS[name]))
    missing, added = set(whole()) - set(back), set(back) - set(whole())
    assert (sorted(map(str, missing))[:3], sorted(map(str, added))[:3]) == ([], [])
    assert len(back) == len(store())


def test_rdflib_reads_the_json_ld_as_the_same_graph() -> None:
    from rdflib import Graph
    from rdflib.compare import isomorphic

    part = quads(store(), liuren())
    assert isomorphic(Graph().parse(data=jsonld(part), format="json-ld"), to_rdflib(part))


def test_json_ld_is_compact() -> None:
    document = json.loads(jsonld(whole()))
    assert set(document) == {"@context", "@graph"}
    (node,) = [n for n in document["@graph"] if n["@id"] == "pattern:xuantai"]
    assert node["@type"] == "shi:Pattern"
    assert node["shi:ordinal"] == 1
    assert node["shi:treatise"] == {"@id": "work:liuren-jingwei"}
    assert not [key for n in document["@graph"] for key in n if key.startswith("https://w3id.org/sanshi/")]
    assert list(document["@context"]) == sorted(document["@context"])


def test_turtle_is_sorted_by_prefix_and_subject() -> None:
    lines = turtle(quads(store(), liuren())).decode().splitlines()
    head = [line for line in lines if line.startswith("@prefix")]
    assert head == sorted(head) == lines[: len(head)]
    subjects = [q.subject.value for q in quads(store(), liuren()) if isinstance(q.subject, NamedNode)]
    assert subjects == sorted(subjects)


def test_quads_of_the_default_graph_go_into_the_graph_that_is_named() -> None:
    named = {
        str(q.graph_name) for q in parse(nquads(whole(), "https://example.org/g"), format=RdfFormat.N_QUADS)
    }
    assert named == {"<https://example.org/g>"}
    kept = Quad(thing("branch:01-zi"), TYPE, term("Branch"), NamedNode("https://example.org/own"))
    assert b"example.org/own" in nquads([kept], "https://example.org/g")


def test_blank_nodes_have_the_same_names_whatever_the_order_of_loading() -> None:
    a, b, p = BlankNode(), BlankNode(), term("relation")
    x, y = thing("branch:01-zi"), thing("branch:02-chou")
    rows = [Quad(a, p, x), Quad(b, p, y), Quad(x, p, b)]
    c, d = BlankNode(), BlankNode()
    assert ordered(rows) == ordered([Quad(x, p, d), Quad(d, p, y), Quad(c, p, x)])


def test_a_work_is_whole_and_alone() -> None:
    ours, theirs = members(store(), liuren()), members(store(), qimen())
    for name, (kind, mine) in {
        "passages": ("Passage", ours | theirs),
        "emendations": ("Emendation", ours | theirs),
        "judgments": ("Judgment", ours | theirs),
        "roles": ("Role", theirs),
        "conditions": ("Condition", theirs),
        "patterns": ("Pattern", ours),
        "series": ("Series", ours),
        "allusions": ("Allusion", ours | theirs),
    }.items():
        assert set(instances(store(), kind)) - mine == set(), name
    shared = {
        n.value.rpartition("/id/")[2].partition("/")[0] for n in ours & theirs if isinstance(n, NamedNode)
    }
    assert shared <= {"agent"}
    assert thing("branch:01-zi") not in ours | theirs


def test_what_a_work_points_at_has_a_label_in_the_file() -> None:
    part = quads(store(), qimen())
    subjects = {q.subject for q in part}
    pointed = {
        q.object
        for q in part
        if isinstance(q.object, NamedNode) and q.object.value.startswith(expand("shi:")[:25])
    }
    assert {node for node in pointed if "/id/" in node.value} <= subjects


def rows(of: NamedNode | None = None) -> list[dict[str, str]]:
    text = table(judgments(store(), of))
    assert text.startswith(b"\xef\xbb\xbfiri,treatise,heading,")
    return list(csv.DictReader(io.StringIO(text.decode("utf-8-sig"), newline="")))


def test_the_table_has_every_judgment_and_caveat_once_in_the_order_of_the_text() -> None:
    found = rows()
    expected = {n.value: "judgment" for n in instances(store(), "Judgment")}
    expected |= {n.value: "caveat" for n in instances(store(), "Caveat")}
    assert {row["iri"]: row["kind"] for row in found} == expected
    assert len(found) == len(expected)
    order = [place.ref for w in works(store()) for place in contents(store(), w)]
    places = [order.index(row["ref"]) for row in found]
    assert places == sorted(places)
    assert list(found[0]) == list(COLUMNS)


def test_a_row_says_what_the_graph_says_of_the_clause() -> None:
    by_iri = {row["iri"]: row for row in rows()}
    for node in instances(store(), "Judgment"):
        row = by_iri[node.value]
        assert row["quote"] == value(store(), node, "quote")
        assert row["gloss_en"]
        assert row["gloss_ko"]
        assert row["form"]
        assert row["heading"]
        assert row["locator"].startswith("卷")
    row = by_iri[expand("judgment:xuantai-shun-chun-base")]
    assert {k: row[k] for k in ("treatise", "heading", "name", "ref", "form", "parameters", "reading")} == {
        "treatise": "六壬經緯",
        "heading": "懸胎",
        "name": "玄胎",
        "ref": "3.1.2",
        "form": "series-season",
        "parameters": "season=春; series=順懸胎（底本）",
        "reading": "base",
    }


def test_the_conditions_of_qimen_are_written_out() -> None:
    found = parameters(store(), thing("judgment:wenzui-spared"))
    for part in ("condition1={palace-relation; ", "object=辛; relation=生; ", "subject=開門}"):
        assert part in found
    (row,) = [row for row in rows(qimen()) if row["iri"] == expand("judgment:wenzui-spared")]
    assert row["form"] == "palace-relation"


def test_clauses_are_counted_within_their_heading() -> None:
    counted: dict[tuple[str, str], list[int]] = {}
    for row in rows():
        counted.setdefault((row["treatise"], row["heading"]), []).append(int(row["ordinal"]))
    assert all(numbers == list(range(1, len(numbers) + 1)) for numbers in counted.values())
    assert len(counted) == len(instances(store(), "Pattern", "Topic"))


def said(node: NamedNode, predicate: str) -> list[str]:
    found = description().quads_for_pattern(node, NamedNode(expand(predicate)), None)
    return sorted(q.object.value for q in found if isinstance(q.object, NamedNode | Literal))


def test_the_counts_of_the_description_are_those_of_sparql() -> None:
    assert said(DATASET, "void:triples") == [str(count("?s ?p ?o"))]
    assert said(DATASET, "void:distinctSubjects") == [str(count("?s ?p ?o", "DISTINCT ?s"))]
    assert said(DATASET, "void:distinctObjects") == [str(count("?s ?p ?o", "DISTINCT ?o"))]
    assert said(DATASET, "void:properties") == [str(count("?s ?p ?o", "DISTINCT ?p"))]
    assert said(DATASET, "void:classes") == [str(count("?s a ?o", "DISTINCT ?o"))]
    assert said(DATASET, "void:entities") == [str(count("?s a ?c FILTER(isIRI(?s))", "DISTINCT ?s"))]


def test_every_class_and_property_has_its_partition() -> None:
    for kind, counted, where in (("class", "entities", "?s a <{}>"), ("property", "triples", "?s <{}> ?o")):
        nodes = said(DATASET, f"void:{kind}Partition")
        found = {
            said(NamedNode(n), f"void:{kind}")[0]: int(said(NamedNode(n), f"void:{counted}")[0])
            for n in nodes
        }
        assert len(found) == len(nodes)
        for iri, number in found.items():
            assert number == count(where.format(iri)), iri
        named = "?s a ?o FILTER(isIRI(?o))" if kind == "class" else "?s ?o ?v"
        assert len(found) == count(named, "DISTINCT ?o")


def test_the_description_names_licence_vocabularies_works_and_distributions() -> None:
    assert said(DATASET, "dcterms:license") == ["https://creativecommons.org/licenses/by/4.0/"]
    assert {expand(f"{p}:") for p in ("skos", "prov", "cito", "lrmoo", "shi")} <= set(
        said(DATASET, "void:vocabulary")
    )
    parts = said(DATASET, "dcterms:hasPart")
    assert [p.rpartition("/")[2] for p in parts] == ["liuren-jingwei", "qimen-miji"]
    for part in parts:
        distributions = said(NamedNode(part), "dcat:distribution")
        assert [d.rpartition("/")[2] for d in distributions] == ["csv", "jsonld", "nquads", "tei", "turtle"]
    for distribution in said(DATASET, "dcat:distribution"):
        node = NamedNode(distribution)
        assert said(node, "dcat:mediaType")
        assert said(node, "dcterms:license")
        assert said(node, "dcterms:description")[0].removeprefix("sanshi export ") in list(command.Format)
    assert not any(isinstance(q.subject, BlankNode) or isinstance(q.object, BlankNode) for q in description())


def test_links_to_other_datasets_are_counted_by_property_and_site() -> None:
    linked = Store()
    match = NamedNode(expand("skos:exactMatch"))
    linked.add(Quad(thing("element:01-wood"), match, NamedNode("http://www.wikidata.org/entity/Q1")))
    linked.add(Quad(thing("element:02-fire"), match, NamedNode("http://www.wikidata.org/entity/Q2")))
    linked.add(Quad(thing("element:02-fire"), match, thing("element:03-earth")))
    triples = NamedNode(expand("void:triples"))
    found = {q.subject.value: q.object.value for q in describe(linked) if q.predicate == triples}
    assert found[f"{DATASET.value}/links/www.wikidata.org/exactMatch"] == "2"


def run(*arguments: str) -> bytes:
    return CliRunner().invoke(app, ["export", *arguments], catch_exceptions=False).stdout_bytes


@pytest.mark.parametrize("name", FORMATS)
def test_the_command_writes_a_work(name: str) -> None:
    assert run(name, "--work", "qimen-miji") == FORMATS[name](quads(store(), qimen()))


def test_the_command_writes_a_loaded_text_from_its_store(tmp_path: Path) -> None:
    from loaders import load

    text = tmp_path / "qianziwen.txt"
    text.write_text("1a\t天地玄黃\n1b\t宇宙洪荒\n", encoding="utf-8")
    load(Store(str(tmp_path / "store")), [text], format="lines", work="qianziwen", title="千字文")
    edition = run("tei", "--work", "qianziwen", "--store", str(tmp_path / "store")).decode()
    assert "天地玄黃</p>" in edition
    assert "千字文" in edition
    assert "creativecommons" not in edition
    assert b"lzh-hant" in run("turtle", "--work", "qianziwen", "--store", str(tmp_path / "store"))


def test_the_command_writes_a_file(tmp_path: Path) -> None:
    out = tmp_path / "judgments.csv"
    assert run("csv", "--out", str(out)) == b""
    assert out.read_bytes() == table(judgments(store()))


@pytest.mark.parametrize(
    ("arguments", "error", "words"),
    [
        (("tei",), MissingInput, "--work, one of liuren-jingwei, qimen-miji"),
        (("turtle", "--work", "yijing"), InputError, "one of liuren-jingwei"),
        (("void", "--work", "qimen-miji"), InputError, "void without it"),
        (("void", "--store", "."), InputError, "void without it"),
        (("csv", "--graph", "https://example.org/g"), InputError, "only with nquads"),
        (("nquads", "--graph", "no iri"), InputError, "an absolute IRI"),
        (("csv", "--out", "/nowhere/at/all.csv"), InputError, "a file that can be written"),
        (("csv", "--store", "/nowhere/at/all"), StoreError, "no store can be read there"),
    ],
)
def test_what_cannot_be_written_is_refused_in_one_line(
    arguments: tuple[str, ...], error: type[SanshiError], words: str
) -> None:
    with pytest.raises(error) as raised:
        run(*arguments)
    assert words in str(raised.value)
    assert "\n" not in str(raised.value)


def test_the_quotes_of_the_table_stand_in_the_passage_that_the_row_names() -> None:
    texts = {
        place.ref: passages(store())[place.node] for w in works(store()) for place in contents(store(), w)
    }
    for row in rows():
        text = texts[row["ref"]].base if row["reading"] == "base" else texts[row["ref"]].established
        assert row["quote"] in text, row["iri"]
