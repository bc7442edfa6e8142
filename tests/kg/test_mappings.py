"""SSSOM TSV: what the specification asks is read, what it forbids is refused with its line; our tables."""

import csv
from pathlib import Path

import pytest
from pyoxigraph import Literal, NamedNode, RdfFormat, Store, Triple
from rdflib.plugins.sparql import prepareQuery

from kg.asking import ask
from kg.errors import DataError
from kg.facts import TYPE, quads, term, thing
from kg.mappings import MAPPINGS, mapping_triples, read, triples
from kg.store import TREATISES, doctrine
from ontology import THINGS, expand, shorten
from queries import get

DATA = Path(__file__).parents[1] / "data"
HEADER = """#curie_map:
#  a: https://example.org/a/
#  ext: https://example.org/ext#
#mapping_set_id: https://example.org/set
#license: https://creativecommons.org/licenses/by/4.0/
"""
TABLE = "subject_id\tpredicate_id\tobject_id\tmapping_justification\n"
ROW = "a:one\tskos:exactMatch\ta:two\tsemapv:ManualMappingCuration\n"


@pytest.fixture(scope="module")
def store() -> Store:
    store = doctrine()
    store.bulk_load(path=str(TREATISES / "works.ttl"), format=RdfFormat.TURTLE)
    store.extend(quads(mapping_triples()))
    return store


def _write(tmp_path: Path, text: str) -> Path:
    path = tmp_path / "some.sssom.tsv"
    path.write_text(text, encoding="utf-8", newline="")
    return path


def _said(path: Path) -> set[tuple[str, str, str]]:
    return {(t.subject.value, t.predicate.value, str(t.object)) for t in triples(read(path))}


def test_a_mapping_is_a_triple_and_an_axiom(tmp_path: Path) -> None:
    found = list(triples(read(_write(tmp_path, HEADER + TABLE + ROW))))
    one, two = NamedNode("https://example.org/a/one"), NamedNode("https://example.org/a/two")
    exact = NamedNode(expand("skos:exactMatch"))
    assert Triple(one, exact, two) in found
    axiom = next(t.subject for t in found if t.object == NamedNode(expand("owl:Axiom")))
    about = {(shorten(t.predicate.value), t.object) for t in found if t.subject == axiom}
    assert about == {
        (shorten(TYPE.value), NamedNode(expand("owl:Axiom"))),
        ("owl:annotatedSource", one),
        ("owl:annotatedProperty", exact),
        ("owl:annotatedTarget", two),
        ("sssom:mapping_justification", NamedNode("https://w3id.org/semapv/vocab/ManualMappingCuration")),
    }
    whole = NamedNode("https://example.org/set")
    assert Triple(whole, NamedNode("https://w3id.org/sssom/mappings"), axiom) in found
    licence = NamedNode("https://creativecommons.org/licenses/by/4.0/")
    assert Triple(whole, NamedNode(expand("dcterms:license")), licence) in found


def test_a_negated_or_absent_match_is_not_asserted(tmp_path: Path) -> None:
    table = TABLE.rstrip("\n") + "\tpredicate_modifier\n"
    rows = ROW.rstrip("\n") + "\tNot\n" + ROW.replace("a:two", "sssom:NoTermFound").rstrip("\n") + "\t\n"
    said = _said(_write(tmp_path, HEADER + table + rows))
    assert not {s for s in said if s[1] == expand("skos:exactMatch")}
    negated = "<https://w3id.org/sssom/NegatedPredicate>"
    assert {s[2] for s in said if s[1].endswith("predicate_modifier")} == {negated}
    assert sum(s[1] == TYPE.value and s[2].endswith("Axiom>") for s in said) == 2


def test_values_are_typed_split_quoted_and_propagated(tmp_path: Path) -> None:
    header = HEADER + "#mapping_date: 2026-01-02\n#subject_type: owl named individual\n#comment: of the set\n"
    table = TABLE.rstrip("\n") + "\tconfidence\tauthor_label\tcomment\n"
    row = ROW.rstrip("\n") + '\t0.9\tA|B\t"a ""quoted""\tword"\n'
    found = read(_write(tmp_path, header + table + row))
    (mapping,) = found.mappings
    assert mapping["author_label"] == ("A", "B")
    assert mapping["comment"] == ('a "quoted"\tword',)
    assert mapping["mapping_date"] == ("2026-01-02",)
    assert found.slots["comment"] == ("of the set",)
    assert "mapping_date" not in found.slots
    objects = {t.predicate.value.rpartition("/")[2]: t.object for t in triples(found)}
    xsd = "http://www.w3.org/2001/XMLSchema#"
    assert objects["confidence"] == Literal("0.9", datatype=NamedNode(xsd + "double"))
    assert objects["created"] == Literal("2026-01-02", datatype=NamedNode(xsd + "date"))
    assert objects["subject_type"] == NamedNode(expand("owl:NamedIndividual"))


def test_defined_extensions_are_kept_and_other_columns_dropped(tmp_path: Path) -> None:
    header = HEADER + "#extension_definitions:\n#  - slot_name: how\n#    property: ext:how\n"
    table = TABLE.rstrip("\n") + "\thow\tstray\n"
    said = _said(_write(tmp_path, header + table + ROW.rstrip("\n") + "\twell\tx\n"))
    assert {s[2] for s in said if s[1] == "https://example.org/ext#how"} == {'"well"'}
    assert not {s for s in said if "stray" in s[1] or s[2] == '"x"'}


def test_two_records_of_one_mapping_stay_apart_and_a_record_id_names_its_own(tmp_path: Path) -> None:
    twice = _said(_write(tmp_path, HEADER + TABLE + ROW + ROW))
    assert len({s[0] for s in twice if s[2].endswith("Axiom>")}) == 2
    named = HEADER + "record_id\t" + TABLE + "a:r1\t" + ROW
    assert {s[0] for s in _said(_write(tmp_path, named)) if s[2].endswith("Axiom>")} == {
        "https://example.org/a/r1"
    }


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        (TABLE + ROW, "line 1: must begin with a header"),
        (
            HEADER.replace("#mapping_set_id", "#set_id") + TABLE + ROW,
            "line 1: the header needs mapping_set_id",
        ),
        (
            HEADER.replace("#license: https://", "#license: ") + TABLE + ROW,
            "line 1: the header needs license",
        ),
        (
            HEADER + "#x: &a b\n" + TABLE + ROW,
            "line 6: anchors, aliases, tags and directives are not allowed",
        ),
        (HEADER + "#x: [\n" + TABLE + ROW, "the header is not YAML"),
        (
            HEADER.replace("#  a:", "#  skos: https://example.org/\n#  a:") + TABLE + ROW,
            "prefix skos must stand for",
        ),
        ("# " + HEADER[1:] + TABLE + ROW, "line 4: each line of the header must have 1 blanks"),
        (HEADER, "has no table"),
        (
            HEADER + TABLE.replace("object_id", "object") + ROW,
            "line 6: the table needs the columns object_id",
        ),
        (HEADER + TABLE.rstrip("\n") + "\tsubject_id\n" + ROW, "line 6: two columns have one name"),
        (HEADER + TABLE + "a:one\ta:two\n", "line 7: 2 cells where the table has 4 columns"),
        (
            HEADER + TABLE + ROW + ROW.replace("a:two", "b:two"),
            "line 8: object_id: prefix b is not in the curie_map",
        ),
        (HEADER + TABLE + ROW.replace("a:two", "https://example.org/a/two"), "line 7: object_id: 'https://"),
        (HEADER + TABLE + ROW.replace("a:one", ""), "line 7: a mapping needs subject_id"),
        (HEADER + TABLE + ROW.replace("a:one", '"a:one" x'), "line 7: not a table"),
        (
            HEADER + TABLE.rstrip("\n") + "\tconfidence\n" + ROW.rstrip("\n") + "\t1.5\n",
            "line 7: confidence: '1.5' must be a number from 0 to 1",
        ),
        (
            HEADER + TABLE.rstrip("\n") + "\tpredicate_modifier\n" + ROW.rstrip("\n") + "\tno\n",
            "line 7: predicate_modifier: 'no' must be Not",
        ),
    ],
)
def test_what_the_specification_forbids_is_refused_with_its_line(
    tmp_path: Path, text: str, fault: str
) -> None:
    with pytest.raises(DataError) as caught:
        read(_write(tmp_path, text))
    assert str(caught.value).startswith("some.sssom.tsv, line ")
    assert fault in str(caught.value)


def test_other_encodings_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "some.sssom.tsv"
    path.write_bytes(HEADER.encode() + "#title: 六".encode("big5"))
    with pytest.raises(DataError, match="not UTF-8"):
        read(path)
    path.write_bytes(b"\xef\xbb\xbf" + (HEADER + TABLE + ROW).encode())
    with pytest.raises(DataError, match="byte order mark"):
        read(path)


def test_every_subject_is_a_thing_of_ours_and_every_mapping_has_justification_and_source(
    store: Store,
) -> None:
    for path in sorted(MAPPINGS.glob("*.sssom.tsv")):
        found = read(path)
        assert found.mappings
        for mapping in found.mappings:
            subject = NamedNode(mapping["subject_id"][0])
            assert subject.value.startswith((THINGS, term("").value))
            assert any(store.quads_for_pattern(subject, TYPE, None)), f"{path.name}: {subject.value}"
            assert mapping["mapping_justification"][0].startswith("https://w3id.org/semapv/vocab/")
            assert mapping["source"][0].strip(), f"{path.name}: {subject.value} has no source"
            labels = {
                q.object.value
                for q in store.quads_for_pattern(subject, NamedNode(expand("rdfs:label")), None)
            }
            assert mapping["subject_label"][0] in labels, f"{path.name}: {mapping['subject_label'][0]}"


def test_wikidata_has_only_items_of_the_table_with_their_grades() -> None:
    with (DATA / "wikidata.csv").open(encoding="utf-8") as file:
        grades = {row["qid"]: row["grade"] for row in csv.DictReader(file)}
    found = read(MAPPINGS / "wikidata.sssom.tsv")
    ours = {m["object_id"][0].rpartition("/")[2]: m["grade"][0] for m in found.mappings}
    assert len(found.mappings) == len(ours) == 100
    assert ours.items() <= grades.items()
    assert set(ours.values()) == {"A", "B"}
    unmapped = {qid for qid, grade in grades.items() if grade != "C"} - set(ours)
    assert len(unmapped) == 19


def test_the_sixty_pairs_are_exact_and_an_animal_is_never_a_branch() -> None:
    found = read(MAPPINGS / "wikidata.sssom.tsv").mappings
    pairs = [m for m in found if "/id/pair/" in m["subject_id"][0]]
    assert len(pairs) == 60
    assert {m["predicate_id"][0] for m in pairs} == {expand("skos:exactMatch")}
    animals = [m for m in found if "(zodiac)" in m["object_label"][0]]
    assert len(animals) == 7
    assert {m["predicate_id"][0] for m in animals} == {expand("skos:relatedMatch")}


@pytest.mark.parametrize(("table", "property"), [("kanripo", "kanripo"), ("ctext", "ctextUrn")])
def test_catalogue_numbers_of_works_and_their_mappings_agree(store: Store, table: str, property: str) -> None:
    mapped = {
        (m["subject_id"][0], m["object_id"][0].rpartition("/")[2])
        for m in read(MAPPINGS / f"{table}.sssom.tsv").mappings
    }
    written = {
        (q.subject.value, q.object.value.removeprefix("ctp:"))
        for q in store.quads_for_pattern(None, term(property), None)
        if q.subject.value.startswith(THINGS + "work/")
    }
    assert mapped == written
    assert mapped


def test_the_report_shows_grade_and_source(store: Store) -> None:
    rows = ask(store, get("mappings-report")).plain()
    assert len(rows) == 100 + 15 + 11
    row = next(r for r in rows if r["other"].endswith("Q181937"))
    assert (row["thing"], row["match"], row["grade"]) == ("work:zhouyi", "skos:exactMatch", "A")
    assert "two" not in row["source"]
    assert row["source"]


def test_mappings_are_loaded_as_plain_matches(store: Store) -> None:
    item = NamedNode("http://www.wikidata.org/entity/Q1190890")
    assert any(store.quads_for_pattern(thing("pair:01-jiazi"), NamedNode(expand("skos:exactMatch")), item))


def test_the_federated_query_is_well_formed_and_says_that_it_needs_a_network() -> None:
    query = get("federated-wikidata")
    assert "# needs a network: SERVICE https://query.wikidata.org/sparql" in query.text
    algebra = str(prepareQuery(query.text).algebra)
    assert "ServiceGraphPattern" in algebra
    assert "https://query.wikidata.org/sparql" in algebra


def test_without_the_service_the_federated_query_names_the_mapped_items(store: Store) -> None:
    text = get("federated-wikidata").text
    start, end = text.index("  SERVICE"), text.index("ORDER BY")
    local = text[:start] + "}\n" + text[end:]
    rows = list(store.query(local))  # type: ignore[arg-type]
    matches = (expand("skos:exactMatch"), expand("skos:closeMatch"))
    mapped = [m for m in read(MAPPINGS / "wikidata.sssom.tsv").mappings if m["predicate_id"][0] in matches]
    assert len(rows) == len(mapped) == 90
