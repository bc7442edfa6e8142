"""Text reuse: stretches, tables and allusions found in a sample, what readers hold of them, and the graph they make."""

from __future__ import annotations

import csv
import json
from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pyoxigraph import BlankNode, DefaultGraph, Quad, RdfFormat, Store, parse
from typer.testing import CliRunner

from kg.cli import reuse as command
from kg.cli.app import app
from kg.errors import DataError, InputError, StoreError
from kg.facts import term, thing
from kg.folding import key
from kg.reuse import VERDICTS, Verdict, find, formulas, judged, text, verdicts
from kg.reuse_graph import node, triples, turtle
from kg.reuse_lexicon import lexicon
from kg.reuse_tables import cells
from kg.reuse_text import Candidate, Layer, Status, Text, loaded, read
from kg.search import texts
from kg.store import opened, passages

DATA = Path(__file__).parents[1] / "data"
SAMPLE = DATA / "reuse-sample.txt"
LABELS = DATA / "reuse-labels.csv"
LIUREN = "liuren-jingwei"


@pytest.fixture(scope="module")
def doctrine() -> Store:
    return texts()


@pytest.fixture(scope="module")
def treatise(doctrine: Store) -> Text:
    return text(doctrine, LIUREN, "base")


def reused(doctrine: Store, *layers: Layer, **books: list[tuple[str, str]]) -> list[Candidate]:
    return find(doctrine, LIUREN, Text(books), layers=layers)


def shown(candidates: list[Candidate]) -> list[tuple[str, str, str]]:
    return [(c.passage.source, c.place.locator, c.place.exact) for c in candidates]


# ---- texts


def test_a_match_runs_over_lines_and_keeps_the_locator_of_its_beginning() -> None:
    book = Text({"a": [("1", "天地，"), ("2", "玄黃")], "b": [("3", "宇宙")]})
    words = book.words(1, 3)
    assert (words.locator, words.exact, words.prefix, words.suffix) == ("1", "地，玄黃", "天", "")
    assert [book.span(n) for n in (0, 1)] == [(0, 4), (5, 7)]


def test_rare_characters_say_more_than_frequent_ones_and_unknown_ones_most() -> None:
    book = Text({"a": [("1", "之" * 90 + "霧" * 2)]})
    codes = Text({"x": [("1", "之霧鬱")]}).codes[:3]
    common, rare, unknown = book.bits(0, codes)
    assert 0 < common < rare < unknown


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"1\t\xe5\xad\x90\n2 \xe4\xb8\x91\n", "line 2: give locator, TAB and text"),
        ("子午\n1\t卯酉\n".encode(), "line 2: give locator, TAB and text"),
        (b"1\t\xe5\xad\x90\n2\t\xff\n", "line 2: not UTF-8"),
        ("\t子\n".encode(), "line 1: give locator, TAB and text"),
    ],
)
def test_a_bad_file_is_named_with_its_line(tmp_path: Path, content: bytes, said: str) -> None:
    path = tmp_path / "book.txt"
    path.write_bytes(content)
    with pytest.raises(DataError, match=said):
        read([path])


def test_two_files_of_one_name_and_a_missing_file_are_refused(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="already given"):
        read([SAMPLE, SAMPLE])
    with pytest.raises(DataError, match="cannot be read"):
        read([tmp_path / "none.txt"])


def test_lines_without_locators_are_cited_by_number(tmp_path: Path) -> None:
    path = tmp_path / "book.txt"
    path.write_text("子午\n卯酉\n", encoding="utf-8")
    assert read([path]).words(2, 3).locator == "book:2"


def test_loaded_lines_are_books_too(tmp_path: Path) -> None:
    from loaders.loading import load

    store = Store()
    file = tmp_path / "one.txt"
    file.write_text("KR3g0031_WYG_001-1a\t子午\nKR3g0031_WYG_001-1a\t卯酉\n", encoding="utf-8")
    load(store, file, format="lines", work="daquan", title="六壬大全")
    book = loaded(store)
    assert (book.sources, book.text, book.locators[0]) == (("KR3g0031",), "子午卯酉\n", "KR3g0031:001-1a")
    with pytest.raises(StoreError, match="no loaded text"):
        loaded(Store())


# ---- first layer


def test_a_stretch_is_found_over_lines_in_variants_and_with_words_between(doctrine: Store) -> None:
    (found,) = [
        c for c in find(doctrine, LIUREN, read([SAMPLE]), layers=[Layer.ngram]) if c.status == "candidate"
    ]
    assert found.passage.source == "passage:jiase-2"
    assert found.passage.exact == "稼穡而生長以時，夏遊子而漂流不定，秋地角據一隅而忘天下"
    assert found.place.locator == "sample_X_001-1b"
    assert found.place.exact == "稼穡而生長以時夏曰逰子而漂流不定秋曰地角據一隅而忘天下"


def test_formulas_of_the_art_are_formulas(doctrine: Store) -> None:
    found = [
        c
        for c in find(doctrine, LIUREN, read([SAMPLE]), layers=[Layer.ngram])
        if c.place.locator.endswith("1a")
    ]
    assert {c.status for c in found if c.place.locator == "sample_X_001-1a"} == {Status.formula}
    assert "定其吉凶" in {c.place.exact[-4:] for c in found}


@pytest.mark.parametrize("place", ["冬曰五墓舎朝市而守邱墟", "五墓舍於朝市而守丘墟", "五墓舍朝而守丘墟"])
def test_one_character_other_more_or_less_does_not_hide_a_stretch(doctrine: Store, place: str) -> None:
    found = reused(doctrine, Layer.ngram, book=[("1", place)])
    assert [c.passage.source for c in found if c.status == "candidate"] == ["passage:jiase-2"]
    assert found[0].place.exact.endswith(place[-1])


@settings(deadline=None, max_examples=40)
@given(st.data())
def test_any_long_stretch_is_found_where_it_was_planted(
    doctrine: Store, treatise: Text, data: st.DataObject
) -> None:
    number = data.draw(st.integers(0, len(treatise.sources) - 1))
    words = key(treatise.piece(number))
    start = data.draw(st.integers(0, len(words) - 12))
    planted = words[start : start + 12]
    noise = "鯤鵬鷗鷺蘭蕙"
    book = {"book": [("a", noise), ("b", planted[:5]), ("c", planted[5:] + noise)]}
    found = find(doctrine, LIUREN, Text(book), layers=[Layer.ngram], least=0)
    here = [key(c.place.exact) for c in found if c.passage.source == treatise.sources[number]]
    assert here
    assert all(words in planted for words in here)


def test_nothing_is_found_across_two_books_or_two_passages(doctrine: Store) -> None:
    assert not reused(doctrine, Layer.ngram, a=[("1", "漂流")], b=[("2", "不定")])
    assert not reused(doctrine, Layer.ngram, a=[("1", "凶關隔三")])


def test_an_empty_book_has_nothing(doctrine: Store) -> None:
    assert reused(doctrine, *Layer, empty=[]) == []


def test_least_is_the_border_between_candidate_and_formula(doctrine: Store) -> None:
    book = Text({"book": [("1", "漂流不定")]})
    (found,) = find(doctrine, LIUREN, book, layers=[Layer.ngram])
    for least, status in ((found.score, Status.candidate), (found.score + 0.1, Status.formula)):
        (again,) = find(doctrine, LIUREN, book, layers=[Layer.ngram], least=least)
        assert again.status == status


def test_formulas_hold_what_is_listed_and_the_names_of_the_art(doctrine: Store) -> None:
    known = formulas(doctrine)
    assert {key(words) for words in ("定其吉凶", "之", "青龍", "子", "值符")} <= known
    assert "" not in known


# ---- second layer


def test_the_tables_of_the_treatise_have_a_cell_for_every_general(doctrine: Store, treatise: Text) -> None:
    found = cells(doctrine, treatise.sources, "base")
    assert len({cell.general for cell in found}) == 12
    texts = {source: treatise.piece(n) for n, source in enumerate(treatise.sources)}
    assert all(texts[cell.passage][cell.start :].startswith(cell.name) for cell in found)


def test_each_reading_has_its_own_cells(doctrine: Store) -> None:
    both = {
        reading: {
            (cell.name, cell.branches)
            for cell in cells(doctrine, text(doctrine, LIUREN, reading).sources, reading)
            if cell.passage in ("passage:kongju-1", "passage:zhengsong-1")
        }
        for reading in ("base", "established")
    }
    assert {("入冢", "辰"), ("受越", "丑")} <= both["base"] - both["established"]
    assert {("入冢", "戌"), ("受鉞", "丑")} <= both["established"] - both["base"]


def test_a_cell_is_found_by_general_branch_and_name(doctrine: Store) -> None:
    found = find(doctrine, LIUREN, read([SAMPLE]), layers=[Layer.table])
    assert [(c.passage.exact, c.place.exact) for c in found if c.passage.source == "passage:kongju-1"] == [
        ("掩目", "掩目在子"),
        ("蟠龜", "盤龜在丑"),
        ("乘霧", "乗霧在己"),
        ("入林", "入林兮在未"),
    ]


@pytest.mark.parametrize(
    ("line", "found"),
    [
        ("在丑名掩目在亥", True),
        ("丑上掩目", True),
        ("掩目兮丑", True),
        ("在丑掩目", True),
        ("安巢在丑掩目在亥", False),
        ("掩目在亥", False),
        ("掩目", False),
    ],
)
def test_which_branch_a_name_has(doctrine: Store, line: str, found: bool) -> None:
    hits = reused(doctrine, Layer.table, book=[("1", "朱雀"), ("2", line)])
    assert [c.passage.source for c in hits] == ["passage:wenshu-1"] * found


def test_a_table_ends_at_the_next_heading_and_with_its_volume(doctrine: Store) -> None:
    found = shown(find(doctrine, LIUREN, read([SAMPLE]), layers=[Layer.table]))
    assert not [place for passage, place, _ in found if passage == "passage:wenshu-1"]
    inside = reused(doctrine, Layer.table, book=[("1", "朱雀"), ("1", "掩目在丑")])
    assert shown(inside) == [("passage:wenshu-1", "1", "掩目在丑")]
    assert not reused(doctrine, Layer.table, book=[("1", "論朱雀"), ("1", "掩目在丑")])


# ---- third layer


def test_allusions_are_sought_in_their_book_only(doctrine: Store) -> None:
    line = [("1", "履虎尾不咥人亨"), ("2", "履虎尾咥人凶")]
    assert shown(reused(doctrine, Layer.lexicon, KR1a0001=line)) == [("passage:zaisang-1", "2", "履虎尾咥人")]
    assert not reused(doctrine, Layer.lexicon, KR1c0001=line)


def test_every_entry_of_the_lexicon_stands_in_a_treatise(doctrine: Store) -> None:
    written = [key(words) for p in passages(doctrine).values() for words in (p.base, p.established)]
    assert [e.words for e in lexicon() if not any(key(e.words) in words for words in written)] == []


# ---- works, verdicts


def test_an_unknown_work_or_reading_is_refused(doctrine: Store) -> None:
    with pytest.raises(InputError, match="liuren-jingwei"):
        find(doctrine, "liuren", Text({}))
    with pytest.raises(InputError, match="base or established"):
        find(doctrine, LIUREN, Text({}), reading="corrected")


def test_a_verdict_is_on_the_words_it_names(doctrine: Store) -> None:
    found = find(doctrine, LIUREN, read([SAMPLE]), layers=[Layer.table])
    given = [
        Verdict("passage:kongju-1", "sample_X_001-2a", key("掩目"), Status.confirmed),
        Verdict("passage:kongju-1", "sample_X_001-2b", key("乘霧"), Status.rejected),
        Verdict("passage:wenshu-1", "sample_X_001-2a", key("蟠龜"), Status.rejected),
    ]
    assert [c.status.value for c in judged(found, given)] == [
        "confirmed",
        "candidate",
        "rejected",
        "candidate",
    ]


@pytest.mark.parametrize(
    ("rows", "said"),
    [
        ("passage,locator,verdict\n", "line 1: no column words"),
        ("passage,locator,words,verdict\np,l,w,confirmed\np,l,w,true\n", "line 3: a verdict is"),
    ],
)
def test_bad_verdicts_are_named(tmp_path: Path, rows: str, said: str) -> None:
    path = tmp_path / "verdicts.csv"
    path.write_text(rows, encoding="utf-8")
    with pytest.raises(DataError, match=said):
        verdicts(path)


def test_the_labelled_sample_is_sound(doctrine: Store) -> None:
    written = {p.iri: (key(p.base), key(p.established)) for p in passages(doctrine).values()}
    with LABELS.open(encoding="utf-8", newline="") as lines:
        rows = list(csv.DictReader(lines))
    for row in rows:
        words = key(row["words"])
        assert any(words in reading for reading in written[row["passage"]]), row
        assert len(row["words"]) <= 8
        assert row["verdict"] in VERDICTS
        assert row["ground"] in ("apparatus", "collation", "reading", "run")
    assert len({tuple(row.values()) for row in rows}) == len(rows)


# ---- graph and terminal


def test_candidates_are_annotations_without_blank_nodes(doctrine: Store) -> None:
    found = reused(doctrine, Layer.ngram, Layer.lexicon, KR1a0001=[("KR1a0001:034-9a", "羝羊觸藩羸其角")])
    made = triples(found, doctrine)
    assert not [part for triple in made for part in triple if isinstance(part, BlankNode)]
    store = Store()
    store.extend(Quad(*triple) for triple in made)
    rows = store.query(
        """PREFIX shi: <https://w3id.org/sanshi/ontology#> PREFIX oa: <http://www.w3.org/ns/oa#>
        SELECT ?status ?source ?locator ?here ?there { ?reuse a shi:Reuse ; shi:reuseStatus ?status ;
          oa:hasTarget/oa:hasSelector/oa:exact ?here ; oa:hasBody ?body . ?body oa:hasSource ?source ;
          shi:locator ?locator ; oa:hasSelector/oa:exact ?there }"""
    )
    (row,) = [[value.value for value in solution] for solution in rows]  # type: ignore[union-attr]
    assert row == [
        "https://w3id.org/sanshi/ontology#candidate",
        thing("work:zhouyi").value,
        "KR1a0001:034-9a",
        "羝羊觸藩",
        "羝羊觸藩",
    ]


def test_a_candidate_is_one_node_whatever_is_held_of_it(doctrine: Store) -> None:
    first, second, *_ = find(doctrine, LIUREN, read([SAMPLE]), layers=[Layer.table])
    assert node(first) == node(replace(first, status=Status.confirmed, score=1.0))
    assert node(first) != node(second)


def test_turtle_is_what_the_triples_say(doctrine: Store) -> None:
    found = find(doctrine, LIUREN, read([SAMPLE]))
    read_back = {quad.triple for quad in parse(turtle(found, doctrine), format=RdfFormat.TURTLE)}
    assert read_back == set(triples(found, doctrine))


def test_the_vocabulary_is_declared(doctrine: Store) -> None:
    declared = {quad.subject.value for quad in doctrine.quads_for_pattern(None, None, None)}  # type: ignore[union-attr]
    for triple in triples(find(doctrine, LIUREN, read([SAMPLE])), doctrine):
        assert triple.predicate.value in declared or triple.predicate == thing("rdf:type")
        if triple.predicate == thing("rdf:type"):
            assert triple.object.value in declared  # type: ignore[union-attr]


def run(*words: str) -> tuple[int, str, str]:
    result = CliRunner().invoke(app, [command.parallels.__name__, *words])
    return result.exit_code, result.stdout, result.stderr


def test_the_terminal_sets_the_shared_words_under_one_another() -> None:
    code, out, _ = run(str(SAMPLE), "--work", LIUREN, "--layer", "ngram")
    about, passage, place = out.splitlines()
    assert code == 0
    assert about.startswith("passage:jiase-2 卷三·稼穡·2 ⇄ sample_X_001-1b")
    assert about.endswith("bits · candidate")
    columns = [
        sum(2 if ord(char) > 0x2000 else 1 for char in line[: line.index("稼穡而")])
        for line in (passage, place)
    ]
    assert columns[0] == columns[1]


def test_the_terminal_gives_data_and_statuses(tmp_path: Path) -> None:
    labels = tmp_path / "verdicts.csv"
    labels.write_text(
        "passage,locator,words,verdict\npassage:kongju-1,sample_X_001-2a,掩目,rejected\n", encoding="utf-8"
    )
    options = ["--work", LIUREN, "--layer", "table", "--verdicts", str(labels), "--format", "json"]
    code, out, _ = run(str(SAMPLE), *options, "--status", "rejected")
    (found,) = json.loads(out)
    assert code == 0
    assert (found["status"], found["passage"]["exact"], found["place"]["exact"]) == (
        "rejected",
        "掩目",
        "掩目在子",
    )
    code, out, err = run(str(SAMPLE), *options, "--status", "confirmed")
    assert (code, json.loads(out), err) == (1, [], "liuren-jingwei: no shared place found\n")


def test_what_is_found_is_kept_in_a_store_and_a_verdict_replaces_the_first_standing(tmp_path: Path) -> None:
    labels, directory = tmp_path / "verdicts.csv", tmp_path / "store"
    labels.write_text(
        "passage,locator,words,verdict\npassage:kongju-1,sample_X_001-2a,掩目,rejected\n", encoding="utf-8"
    )
    words = [str(SAMPLE), "--work", LIUREN, "--layer", "table", "--keep", str(directory)]

    def standings() -> Counter[str]:
        quads = opened(directory).quads_for_pattern(None, term("reuseStatus"), None, DefaultGraph())
        return Counter(quad.object.value.partition("#")[2] for quad in quads)  # type: ignore[union-attr]

    assert run(*words)[0] == 0
    first = standings()
    assert set(first) == {"candidate"}
    assert run(*words)[0] == 0
    assert standings() == first
    assert run(*words, "--verdicts", str(labels))[0] == 0
    assert standings() == {"candidate": first["candidate"] - 1, "rejected": 1}


def test_the_terminal_needs_books_from_one_side() -> None:
    from kg.errors import MissingInput

    for words, error in (([], MissingInput), ([str(SAMPLE), "--store", "somewhere"], InputError)):
        result = CliRunner().invoke(app, ["parallels", *words, "--work", LIUREN])
        assert isinstance(result.exception, error)


def test_words_too_long_for_the_terminal_show_their_ends() -> None:
    assert command._short("甲乙丙丁戊己庚辛壬癸", 12) == "甲乙…壬癸"
    assert command._short("甲乙丙丁戊己庚辛壬癸", 20) == "甲乙丙丁戊己庚辛壬癸"
