"""Search over texts, judgments and labels: folded and exact, in both readings, and from the terminal."""

from __future__ import annotations

import json
import time
import unicodedata
from pathlib import Path

import pytest
from pyoxigraph import Literal, Quad, RdfFormat, Store
from typer.testing import CliRunner

from kg.cli import search as command
from kg.cli.app import app
from kg.errors import InputError, MissingInput
from kg.facts import term, thing
from kg.loaded import user_store
from kg.search import Hit, Scope, search, texts
from kg.store import collection, opened
from loaders import load

PREFIXES = """
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
@prefix skos: <http://www.w3.org/2004/02/skos/core#> .
@prefix shi: <https://w3id.org/sanshi/ontology#> .
@prefix chapter: <https://w3id.org/sanshi/id/chapter/> .
@prefix passage: <https://w3id.org/sanshi/id/passage/> .
@prefix emendation: <https://w3id.org/sanshi/id/emendation/> .
@prefix judgment: <https://w3id.org/sanshi/id/judgment/> .
@prefix reading: <https://w3id.org/sanshi/id/reading/> .
@prefix pattern: <https://w3id.org/sanshi/id/pattern/> .
@prefix topic: <https://w3id.org/sanshi/id/topic/> .
"""
SAMPLE = """
pattern:ganfu a shi:Pattern ; rdfs:label "干婦"@zh-hant , "간부"@ko , "Seeking a Woman"@en ;
    skos:altLabel "干妇人"@lzh-hant .
topic:bing a shi:Topic ; rdfs:label "占病"@zh-hant , "점병"@ko , "Illness"@en .
passage:b a shi:Passage ; shi:partOf chapter:x ; shi:ordinal 10 ; shi:topic topic:bing ;
    shi:locator "卷八·2" ;
    shi:baseText "落乾為腿足。乾、兌二宮，庚衝螣蛇"@lzh-hant .
passage:a a shi:Passage ; shi:partOf chapter:x ; shi:ordinal 9 ; shi:pattern pattern:ganfu ;
    shi:locator "卷三·1" ;
    shi:baseText "臨子曰偷窺，臨未曰沐浴，臨子曰守閨"@lzh-hant .
emendation:a-1 a shi:Emendation ; shi:passage passage:a ; shi:base "臨子曰偷窺"@lzh-hant ;
    shi:proposed "臨丑曰偷窺"@lzh-hant ; shi:status shi:adopted .
judgment:a a shi:Judgment ; shi:passage passage:a ; shi:pattern pattern:ganfu ; shi:name "偷窺"@lzh-hant ;
    shi:reading reading:established ; shi:quote "臨丑曰偷窺"@lzh-hant .
judgment:a-base a shi:Judgment ; shi:passage passage:a ; shi:pattern pattern:ganfu ;
    shi:reading reading:base ; shi:name "偷窺"@lzh-hant ; shi:quote "臨子曰偷窺"@lzh-hant .
judgment:b a shi:Judgment ; shi:passage passage:b ; shi:topic topic:bing ; shi:quote "乾、兌二宮"@lzh-hant .
"""


@pytest.fixture(scope="module")
def sample() -> Store:
    store = Store()
    store.load(PREFIXES + SAMPLE, format=RdfFormat.TURTLE)
    return store


def found(hits: list[Hit]) -> list[tuple[str, str, str | None]]:
    return [(hit.node, hit.match, hit.reading) for hit in hits]


def test_a_hit_that_both_readings_share_is_one(sample: Store) -> None:
    hits = search(sample, "沐浴", scopes=[Scope.passages])
    assert found(hits) == [("passage:a", "沐浴", "both")]
    assert (hits[0].before, hits[0].after) == ("臨丑曰偷窺，臨未曰", "，臨子曰守閨")
    assert (hits[0].heading, hits[0].locator) == ("pattern:ganfu", "卷三·1")


def test_what_only_one_reading_has_is_marked(sample: Store) -> None:
    assert found(search(sample, "臨丑曰偷窺", scopes=[Scope.passages])) == [
        ("passage:a", "臨丑曰偷窺", "established")
    ]
    assert found(search(sample, "臨子曰", scopes=[Scope.passages])) == [
        ("passage:a", "臨子曰", "base"),
        ("passage:a", "臨子曰", "both"),
    ]


def test_variants_and_simplified_forms_are_shown_as_they_stand(sample: Store) -> None:
    assert found(search(sample, "冲腾蛇", scopes=[Scope.passages])) == [("passage:b", "衝螣蛇", "both")]
    assert found(search(sample, "腿足乾", scopes=[Scope.passages])) == [("passage:b", "腿足。乾", "both")]


def test_the_palace_is_not_the_stem(sample: Store) -> None:
    assert {hit.node for hit in search(sample, "干")} == {"pattern:ganfu"}
    assert {hit.node for hit in search(sample, "乾")} == {"passage:b", "judgment:b"}


def test_exact_takes_every_character_as_typed(sample: Store) -> None:
    assert not search(sample, "腿足乾", exact=True)
    assert not search(sample, "冲", exact=True)
    assert found(search(sample, "足。乾", exact=True)) == [("passage:b", "足。乾", "both")]
    assert not search(sample, "woman", exact=True)


def test_a_judgment_hit_names_its_heading_and_reading(sample: Store) -> None:
    hits = search(sample, "偷窥", scopes=[Scope.judgments])
    assert [(hit.node, hit.field, hit.heading, hit.reading) for hit in hits] == [
        ("judgment:a", "quote", "pattern:ganfu", "established"),
        ("judgment:a", "name", "pattern:ganfu", "established"),
        ("judgment:a-base", "quote", "pattern:ganfu", "base"),
        ("judgment:a-base", "name", "pattern:ganfu", "base"),
    ]
    assert [hit.heading for hit in search(sample, "兌二", scopes=[Scope.judgments])] == ["topic:bing"]


def test_passages_come_in_their_order(sample: Store) -> None:
    assert [hit.node for hit in search(sample, "曰", scopes=[Scope.passages])] == ["passage:a"] * 3
    assert [hit.node for hit in search(sample, "子", scopes=[Scope.passages])] == ["passage:a"] * 2
    nodes = [hit.node for hit in search(sample, "二", scopes=[Scope.passages, Scope.judgments])]
    assert nodes == ["passage:b", "judgment:b"]


@pytest.mark.parametrize(
    ("words", "match"),
    [
        ("seeking a WOMAN", "Seeking a Woman"),
        ("간부", "간부"),
        ("干妇", "干婦"),
        (unicodedata.normalize("NFD", "간부"), "간부"),
    ],
)
def test_labels_of_every_language_are_searched(sample: Store, words: str, match: str) -> None:
    hits = search(sample, words, scopes=[Scope.labels])
    assert (hits[0].node, hits[0].match) == ("pattern:ganfu", match)


def test_closest_label_comes_first(sample: Store) -> None:
    assert [hit.field for hit in search(sample, "干婦", scopes=[Scope.labels])] == ["label", "altLabel"]


@pytest.mark.parametrize(("words", "exact"), [("", False), ("，。", False), ("", True)])
def test_nothing_to_look_for_is_an_error(sample: Store, words: str, exact: bool) -> None:
    with pytest.raises(InputError, match="TEXT"):
        search(sample, words, exact=exact)


def test_search_of_the_doctrine_is_stable_and_quick() -> None:
    store = texts()
    search(store, "卯")
    start = time.process_time()  # of this process alone, however busy the machine
    hits = search(store, "青龙")
    assert time.process_time() - start < 0.2
    assert hits == search(texts(), "青龙")
    assert {hit.scope for hit in hits} == set(Scope) - {Scope.loaded}
    assert all(hit.heading and hit.locator for hit in hits if hit.scope is not Scope.labels)


@pytest.fixture(autouse=True)
def nothing_loaded(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Whoever runs the tests may have texts of their own."""
    monkeypatch.delenv("SANSHI_STORE", raising=False)
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))


def run(*words: str) -> tuple[int, str, str]:
    result = CliRunner().invoke(app, [command.search.__name__, *words])
    return result.exit_code, result.stdout, result.stderr


def test_the_terminal_shows_the_match_in_its_context() -> None:
    code, out, _ = run("青龙返首", "--lang", "ko")
    assert code == 0
    assert any(
        "青龍返首" in line and "format:qinglong-fanshou" in line and "청룡반수" in line
        for line in out.splitlines()
    )


def test_the_terminal_says_when_nothing_is_found() -> None:
    code, out, err = run("無此語也")
    assert (code, out) == (1, "")
    assert err == "無此語也: nothing found\n"


def test_json_is_data_and_empty_where_nothing_is_found() -> None:
    code, out, _ = run("玄胎", "--in", "passages", "--format", "json")
    (hit,) = json.loads(out)
    assert code == 0
    assert (hit["scope"], hit["node"], hit["match"]) == ("passages", "passage:xuantai-2", "玄胎")
    assert run("無此語也", "--format", "json")[:2] == (1, "[]\n")


def test_loaded_texts_and_translations_are_searched_too(tmp_path: Path) -> None:
    lines = tmp_path / "mine.txt"
    lines.write_text("一\t青龍返首，萬事皆吉。\n二\t白虎猖狂。\n", encoding="utf-8")
    store = Store()
    load(store, lines, format="lines", work="mine", title="某書")
    (hit,) = search(store, "青龙返首")
    assert (hit.scope, hit.match, hit.after, hit.locator) == ("loaded", "青龍返首", "，萬事皆吉。", "一")
    store.add(Quad(thing("passage:shuidao-1"), term("translation"), Literal("물길을 내는 일", language="ko")))
    (hit,) = search(store, "물길")
    assert (hit.field, hit.node, hit.language) == ("translation", "passage:shuidao-1", "ko")
    assert search(store, "물길", scopes=[Scope.passages, Scope.judgments, Scope.labels]) == []


@pytest.fixture
def translated(tmp_path: Path) -> Path:
    """A store with a translation, where `sanshi load` puts one that no option names."""
    directory = user_store()
    store = collection(directory)
    samples = Path(__file__).parents[1] / "data" / "samples"
    load(store, samples / "bilingual.txt", format="bilingual", work="liuren-jingwei")
    load(store, samples / "lines.txt", format="lines", work="mine", title="某書")
    return directory


def test_a_hit_in_a_translation_says_where_it_is_and_whose(translated: Path) -> None:
    """Once the hit said no more than the name of a node, as if the words were the treatise's own."""
    (hit,) = search(opened(translated), "맹신이면", scopes=[Scope.loaded])
    assert (hit.node, hit.heading, hit.locator) == ("passage:xuantai-1", "pattern:xuantai", "卷三·懸胎·1")
    assert (hit.field, hit.source) == ("translation", "견본(見本), bilingual.txt")
    code, out, _ = run("맹신이면")
    assert (code, out.splitlines()[0]) == (0, "loaded (1)")
    line = out.splitlines()[1]
    assert line.index("맹신이면") < line.index("懸胎  卷三·懸胎·1  passage:xuantai-1")
    assert line.endswith("[translation: 견본(見本), bilingual.txt]")


def test_a_hit_in_a_loaded_text_names_its_book(translated: Path) -> None:
    hits = search(opened(translated), "三傳", scopes=[Scope.loaded])
    assert {hit.source for hit in hits if hit.field == "text"} == {"某書"}


def test_two_translations_of_a_passage_are_told_apart(translated: Path, tmp_path: Path) -> None:
    other = tmp_path / "other.txt"
    text = (Path(__file__).parents[1] / "data" / "samples" / "bilingual.txt").read_text(encoding="utf-8")
    other.write_text(text.replace("맹신이면", "맹신이라면"), encoding="utf-8")
    load(collection(translated), other, format="bilingual", work="liuren-jingwei")
    store = opened(translated)
    assert [hit.source for hit in search(store, "맹신이면")] == ["견본(見本), bilingual.txt"]
    assert [hit.source for hit in search(store, "맹신이라면")] == ["견본(見本), other.txt"]
    assert len(search(store, "현태라", scopes=[Scope.loaded])) == 2


def test_only_what_is_asked_for_is_searched(translated: Path) -> None:
    assert run("맹신이면", "--in", "passages", "--in", "labels")[0] == 1
    assert run("맹신이면", "--in", "loaded")[0] == 0


def test_without_a_store_there_is_nothing_loaded_to_search() -> None:
    with pytest.raises(MissingInput, match="--in loaded needs a store"):
        CliRunner().invoke(app, ["search", "맹신이면", "--in", "loaded"], catch_exceptions=False)
