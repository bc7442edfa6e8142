"""Allusions and the collation: every row of the tables is a node, tied to the statements it concerns."""

import csv
from collections import Counter
from pathlib import Path

import pytest
from pyoxigraph import Literal, NamedNode, Quad, RdfFormat, Store

from kg.asking import ask
from kg.facts import TYPE, term, thing
from kg.reader import Reader, linked
from kg.store import TREATISES, doctrine, instances, value, values
from ontology import expand, shorten
from queries import get

DATA = Path(__file__).parents[1] / "data"
NO_ONE_SOURCE = {"allusion:rensheng-3-1"}
"""鰲頭獨立 is a set phrase of the examinations: it has no cited work."""


@pytest.fixture(scope="module")
def store() -> Store:
    store = doctrine()
    store.bulk_load(path=str(TREATISES / "works.ttl"), format=RdfFormat.TURTLE)
    return store


@pytest.fixture(scope="module")
def allusions(store: Store) -> list[NamedNode]:
    return instances(store, "Allusion", "CommentaryAllusion")


def _table(name: str) -> list[dict[str, str]]:
    with (DATA / name).open(encoding="utf-8") as file:
        return list(csv.DictReader(file))


def _names(store: Store, node: NamedNode) -> set[str]:
    labels = [NamedNode(expand(p)) for p in ("rdfs:label", "skos:altLabel")]
    return {q.object.value for p in labels for q in store.quads_for_pattern(node, p, None)}


def test_every_row_of_the_table_is_one_node(store: Store, allusions: list[NamedNode]) -> None:
    rows = _table("allusions.csv")
    assert len(rows) == len(allusions) == 84

    def kind(node: NamedNode) -> str:
        return "commentary" if term("CommentaryAllusion") in _types(store, node) else "text"

    def treatise(node: NamedNode) -> str:
        chapter = values(store, values(store, node, "passage")[0], "partOf")[0]
        return shorten(values(store, chapter, "partOf")[0].value).partition(":")[2]

    ours = Counter(
        (treatise(n), kind(n), value(store, n, "kanripoLocator"), value(store, n, "ctextUrn"))
        for n in allusions
    )
    assert ours == Counter((r["treatise"], r["voice"], r["locator"], r["urn"]) for r in rows)


def test_the_words_of_each_row_are_in_an_allusion_to_its_work(
    store: Store, allusions: list[NamedNode]
) -> None:
    emended = {"衢仙曰": "臞仙曰", "充不陳": "充下陳", "趙衛家長": "趙魏家長", "惟薄丑聲": "帷薄醜聲"}
    for row in _table("allusions.csv"):
        if row["voice"] == "commentary":
            continue
        words = emended.get(row["words"], row["words"])
        found = [n for n in allusions if value(store, n, "allusiveWords") == words]
        works = {w for n in found for w in linked(store, n, "cito:hasCitedEntity")}
        names = {name for work in works for name in _names(store, work)}
        assert any(name in row["work"] for name in names) or found[0] == thing(*NO_ONE_SOURCE), row


def test_an_allusion_cites_from_its_passage_and_from_just_the_statements_that_hold_its_words(
    store: Store, allusions: list[NamedNode]
) -> None:
    reader = Reader(store)
    for node in allusions:
        passage = values(store, node, "passage")[0]
        assert isinstance(passage, NamedNode)
        held = reader.holding(passage, value(store, node, "allusiveWords"))
        citing = set(linked(store, node, "cito:hasCitingEntity"))
        assert citing == {passage, *held}, shorten(node.value)
        assert held, f"{shorten(node.value)}: no statement holds its words"


def test_an_allusion_says_what_how_and_how_surely_it_cites(store: Store, allusions: list[NamedNode]) -> None:
    cites = NamedNode(expand("cito:cites"))
    for node in allusions:
        name = shorten(node.value)
        cited = linked(store, node, "cito:hasCitedEntity")
        assert bool(cited) != (name in NO_ONE_SOURCE), name
        assert all(len(_names(store, work)) >= 3 for work in cited), name
        how = linked(store, node, "cito:hasCitationCharacterization")
        assert len(how) == 1, name
        assert cites in linked(store, how[0], "rdfs:subPropertyOf"), name
        assert term("Certainty") in _types(store, values(store, node, "certainty")[0]), name
        assert any(store.quads_for_pattern(node, NamedNode(expand("skos:note")), None)), name
        urn, work_urns = value(store, node, "ctextUrn"), {value(store, work, "ctextUrn") for work in cited}
        assert not urn or any(urn.startswith(whole) for whole in work_urns if whole), name
        page = value(store, node, "kanripoLocator").partition(":")[0]
        via = linked(store, node, "shi:quotedIn")
        assert not page or page in {value(store, work, "kanripo") for work in [*cited, *via]}, name


def test_what_only_the_commentary_says_is_marked_and_points_at_what_it_explains(
    store: Store, allusions: list[NamedNode]
) -> None:
    inside = [n for n in allusions if term("CommentaryAllusion") in _types(store, n)]
    named = [n for n in inside if thing("agent:commentary") in linked(store, n, "prov:wasAttributedTo")]
    assert (len(inside), len(named)) == (17, 14)
    for node in inside:
        for other in linked(store, node, "shi:explains"):
            assert term("Allusion") in _types(store, other)
            assert values(store, other, "passage") == values(store, node, "passage")
            ours, theirs = value(store, node, "allusiveWords"), value(store, other, "allusiveWords")
            assert ours in theirs or theirs in ours
    for node in set(allusions) - set(inside):
        assert linked(store, node, "prov:wasAttributedTo") == [thing("agent:editors")]


def test_from_a_work_to_the_judgments_and_back(store: Store) -> None:
    rows = ask(store, get("drawing-on-work"), {"work": "周易"}).plain()
    assert {row["words"] for row in rows if row["voice"] == "allusion"} == {
        *(
            "羝羊觸藩",
            "革故鼎新",
            "待時而動",
            "就燥",
            "時泰",
            "反目",
            "飛天",
            "咥人",
            "脫桎梏",
            "窺戶",
            "折足",
            "君子之貞",
        ),
    }
    for row in rows:
        back = ask(store, get("allusions-of-judgment"), {"judgment": row["statement"]}).plain()
        assert ("周易", row["section"]) in {(b["work"], b["section"]) for b in back}


def test_the_qimen_treatise_draws_on_the_classics_too(store: Store) -> None:
    rows = ask(store, get("drawing-on-work"), {"work": "孟子"}).plain()
    assert {row["words"] for row in rows if row["where"].startswith("卷九")} == {
        "老後鰥獨",
        "好辯之人",
        "無告窮民",
    }


def test_direct_citations_follow_from_the_nodes(store: Store) -> None:
    triples = ask(store, get("construct-citations")).triples
    said = {(shorten(t.subject.value), shorten(t.predicate.value), shorten(t.object.value)) for t in triples}
    assert ("judgment:xuantai-shun-qiu", "shi:alludesTo", "work:shijing") in said
    assert ("statement:bingjixiong-quxian", "cito:citesAsAuthority", "agent:quxian") in said


def test_words_that_are_not_in_the_passage_are_a_violation(store: Store) -> None:
    assert ask(store, get("allusive-words-violation")).plain() == []
    broken = doctrine()
    broken.bulk_load(path=str(TREATISES / "works.ttl"), format=RdfFormat.TURTLE)
    for quad in list(broken.quads_for_pattern(thing("allusion:muju-2-4"), term("allusiveWords"), None)):
        broken.remove(quad)
        broken.add(Quad(quad.subject, quad.predicate, Literal("待時不動", language="lzh-hant")))
    for quad in list(broken.quads_for_pattern(thing("work:fayan"), NamedNode(expand("rdfs:label")), None)):
        broken.remove(quad)
    assert [tuple(row.values()) for row in ask(broken, get("allusive-words-violation")).plain()] == [
        ("allusion:muju-2-4", "words not in the passage"),
        ("allusion:xiqing-1-2", "cites what has no label"),
    ]


AGREEMENT = {
    "same": "sameWords",
    "differs": "otherWords",
    "missing in seed": "lackingInBase",
    "twice in seed": "twiceInBase",
}
MISREAD = ("勾陳", "卯")
"""The table brackets 臨門 here and calls it different; the page has 臨門在卯, the same name."""


def test_every_cell_of_the_collation_is_one_node(store: Store) -> None:
    rows = _table("tianjiang-collation.csv")
    assert len(rows) == len(instances(store, "Collation")) == 144
    cells = {}
    for node in instances(store, "Collation"):
        general, branch = (linked(store, node, p)[0] for p in ("shi:general", "shi:palace"))
        cells[_zh(store, general), _notation(store, branch)] = node
    for row in rows:
        key = row["general"], row["branch"]
        node = cells[key]
        assert {v.value for v in values(store, node, "baseName")} == set(
            filter(None, row["base"].split("/"))
        ), key
        assert value(store, node, "witnessName") == row["witness"].strip("()"), key
        assert value(store, node, "locator") == row["locator"]
        expected = "sameWords" if key == MISREAD else AGREEMENT[row["status"]]
        assert values(store, node, "agreement") == [term(expected)], key


def test_a_cell_collates_all_judgments_of_its_general_over_its_branch(store: Store) -> None:
    judged: dict[tuple[NamedNode, NamedNode], set[NamedNode]] = {}
    for judgment in instances(store, "Judgment"):
        if thing("form:general-at-palace") in values(store, judgment, "form"):
            for general in linked(store, judgment, "shi:general"):
                for palace in linked(store, judgment, "shi:palace"):
                    judged.setdefault((general, palace), set()).add(judgment)
    for node in instances(store, "Collation"):
        (general,), (palace,) = linked(store, node, "shi:general"), linked(store, node, "shi:palace")
        assert set(linked(store, node, "shi:collates")) == judged[general, palace], shorten(node.value)
        assert judged[general, palace], shorten(node.value)


def test_a_gap_or_doubling_of_the_base_text_is_settled_by_an_adopted_emendation(store: Store) -> None:
    for node in instances(store, "Collation"):
        settled = linked(store, node, "shi:settledBy")
        odd = values(store, node, "agreement")[0] in (term("lackingInBase"), term("twiceInBase"))
        assert bool(settled) == odd, shorten(node.value)
        for emendation in settled:
            assert values(store, emendation, "status") == [term("adopted")]


def test_the_collation_report_shows_both_books(store: Store) -> None:
    rows = {(r["general"], r["branch"]): r for r in ask(store, get("collation-report")).plain()}
    assert len(rows) == 144
    assert rows["螣蛇", "戌"] == {
        "general": "螣蛇",
        "branch": "戌",
        "base": "",
        "established": "入冢",
        "witness": "入冢",
        "agreement": "lacking in the base text",
        "page": "KR3g0031:002-35b",
        "settled": "emendation:kongju-1-4",
    }


def test_from_a_judgment_to_its_parallels_and_back(store: Store) -> None:
    rows = ask(store, get("parallels-of-judgment"), {"judgment": "judgment:wenshu-si-zhouxiang"}).plain()
    assert {(row["by"], row["there"]) for row in rows} == {
        ("parallel:zhuque-si", "晝翔"),
        ("emendation:wenshu-1-1", "音書至都縁晝翔在巳"),
    }
    back = ask(store, get("judgments-beside-page"), {"page": "KR3g0031:002-39a"}).plain()
    assert "judgment:wenshu-si-zhouxiang" in {row["judgment"] for row in back}
    assert all(row["at"].startswith("KR3g0031:002-39a") for row in back)


def _types(store: Store, node: object) -> set[object]:
    return {q.object for q in store.quads_for_pattern(node, TYPE, None)}  # type: ignore[arg-type]


def _zh(store: Store, node: NamedNode) -> str:
    labels = store.quads_for_pattern(node, NamedNode(expand("rdfs:label")), None)
    return next(q.object.value for q in labels if q.object.language == "zh-hant")


def _notation(store: Store, node: NamedNode) -> str:
    return next(
        q.object.value for q in store.quads_for_pattern(node, NamedNode(expand("skos:notation")), None)
    )
