"""Bilingual text: each translation goes to the passages that its Chinese paragraph holds."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pyoxigraph import Literal, Store

from kg.facts import term, thing
from kg.store import values
from kg.text import is_character
from loaders import load
from loaders.bilingual import doctrine_passages, held
from loaders.document import file_node, work_node
from loaders.source import StructureError

Reader = Callable[[Store, str, str], list[dict[str, str]]]

PASSAGES = sorted(doctrine_passages().items())


def translation(store: Store, passage: str) -> list[str]:
    return [value.value for value in values(store, thing(passage), "translation")]


def test_the_korean_stands_beside_each_passage(samples: Path, store: Store) -> None:
    load(store, samples / "bilingual.txt", format="bilingual", work="mine", title="本")
    assert translation(store, "passage:xuantai-1") == ["세 전이 모두 맹신이면 현태라 한다."]
    both = ["목욕살에 현무가 타면 결기요, 관대살에 백호가 타면 흉복이다."]
    assert translation(store, "passage:jieji-1") == translation(store, "passage:xiongfu-1") == both
    assert {
        quad.object.language
        for quad in store.quads_for_pattern(None, term("translation"), None)
        if isinstance(quad.object, Literal)
    } == {"ko"}


def test_blanks_punctuation_and_broken_lines_do_not_matter(samples: Path, store: Store) -> None:
    load(store, samples / "bilingual.txt", format="bilingual", work="mine", title="本")
    expected = "순현태와 역현태를 계절로 나눈다. 셋 가운데 비는 것이 있으면 이 이름으로 논하지 않는다."
    assert translation(store, "passage:xuantai-2") == [expected]


def test_the_paragraphs_of_one_passage_are_joined_in_order(samples: Path, store: Store) -> None:
    load(store, samples / "bilingual.txt", format="bilingual", work="mine", title="本")
    expected = "갑오신은 죄인이고 개문은 심문하는 관리다.\n\n두 궁이 같으면 죄가 가볍고 충극하면 무겁다."
    assert translation(store, "passage:wenzui-1") == [expected]


def test_what_no_passage_answers_becomes_a_line(samples: Path, store: Store, lines_of: Reader) -> None:
    loaded = load(store, samples / "bilingual.txt", format="bilingual", work="mine", title="本")[0]
    (line,) = lines_of(store, "mine", "bilingual.txt")
    assert (line["locator"], line["baseText"]) == ("bilingual:30", "道可道，非常道。名可名，非常名。")
    assert (line["translation"], line["translation@"]) == ("말할 수 있는 도는 늘 그러한 도가 아니다.", "ko")
    assert (loaded.count.lines, loaded.count.translations, loaded.count.passages) == (1, 6, 5)


def test_titles_go_before_what_they_head(samples: Path, store: Store) -> None:
    load(store, samples / "bilingual.txt", format="bilingual", work="mine", title="本")
    file = file_node(work_node("mine"), "bilingual.txt")
    label = thing("rdfs:label")
    assert [quad.object for quad in store.quads_for_pattern(file, label, None)] == [
        Literal("견본(見本)", language="ko")
    ]
    titles = {
        quad.object.value
        for quad in store.quads_for_pattern(None, term("title"), None)
        if isinstance(quad.object, Literal)
    }
    assert titles == {"결기와 흉복", "기문"}


def test_with_the_slug_of_a_treatise_the_rest_is_reported(samples: Path, store: Store) -> None:
    loaded = load(store, samples / "bilingual.txt", format="bilingual", work="liuren-jingwei")[0]
    assert (loaded.count.lines, loaded.count.passages) == (0, 5)
    assert loaded.remarks == [
        "bilingual.txt, line 30: no passage has '道可道，非常道。名可名，非常名。'; not loaded"
    ]
    assert not list(store.quads_for_pattern(None, None, term("Line")))


def test_words_beyond_the_passages_are_reported(store: Store, tmp_path: Path) -> None:
    path = tmp_path / "beyond.txt"
    base = doctrine_passages()[thing("passage:jieji-1").value].base
    path.write_text(f"{base}此句不在書中。\n\n목욕살에 현무가 탄다.\n", encoding="utf-8")
    loaded = load(store, path, format="bilingual", work="liuren-jingwei")[0]
    assert loaded.remarks == [
        "beyond.txt, line 1: the translation is given, but no passage has '此句不在書中'"
    ]
    assert translation(store, "passage:jieji-1") == ["목욕살에 현무가 탄다."]


def test_a_file_that_answers_nothing_of_the_treatises_is_refused(store: Store, tmp_path: Path) -> None:
    path = tmp_path / "laozi.txt"
    path.write_text("道可道，非常道。\n\n말할 수 있는 도는 도가 아니다.\n", encoding="utf-8")
    with pytest.raises(StructureError, match="line 1: no Chinese paragraph in it"):
        load(store, path, format="bilingual", work="liuren-jingwei")
    assert len(store) == 0


def test_a_translation_of_another_treatise_is_refused_by_name(store: Store, tmp_path: Path) -> None:
    """Once the file of one treatise was taken for the other's."""
    path = tmp_path / "shuidao.txt"
    base = doctrine_passages()[thing("passage:shuidao-1").value].base
    path.write_text(f"{base}\n\n물길에 관한 글이다.\n", encoding="utf-8")
    with pytest.raises(StructureError, match="is of liuren-jingwei; there are some of qimen-miji"):
        load(store, path, format="bilingual", work="liuren-jingwei")
    assert len(store) == 0
    assert load(store, path, format="bilingual", work="qimen-miji")[0].status == "new"


@pytest.mark.parametrize("iri", [iri for iri, _ in PASSAGES])
def test_every_passage_is_found_in_both_readings(iri: str) -> None:
    passage = doctrine_passages()[iri]
    assert held(passage.base) == ([iri], "")
    assert held(passage.established) == ([iri], "")


@settings(max_examples=40, deadline=None)
@given(
    chosen=st.lists(st.sampled_from(PASSAGES), min_size=1, max_size=4, unique_by=lambda pair: pair[0]),
    blanks=st.lists(st.sampled_from(["", " ", "　", "\n", "，"]), min_size=7, max_size=7),
)
def test_a_paragraph_of_several_passages_holds_each_in_order(
    chosen: Sequence[tuple[str, object]], blanks: list[str]
) -> None:
    text = " ".join(doctrine_passages()[iri].base for iri, _ in chosen)
    spaced = "".join(char + blanks[number % 7] for number, char in enumerate(text))
    assert held(spaced) == ([iri for iri, _ in chosen], "")
    assert any(map(is_character, spaced))
