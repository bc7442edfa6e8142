"""Folding: what is joined, what must stay apart, and that no offset moves."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kg import folding
from kg.errors import DataError
from kg.folding import find, fold, fold_character, key, variants
from kg.text import is_character

JOINED = [
    "沖冲衝",
    "剋克尅",
    "值直値",
    "鉤勾鈎钩",
    "螣騰腾",
    "玄元𤣥",
    "龍龙",
    "門门",
    "卯夘邜",
    "陰隂阴",
    "凶㐫",
    "返反",
]
APART = ["己已巳", "戊戌戍", "乾干", "子予", "午牛", "申甲", "未末", "壬王", "辛幸"]

text = st.text(alphabet=st.characters(min_codepoint=0x20, max_codepoint=0x2FFFF, exclude_categories=["Cs"]))


@pytest.mark.parametrize("forms", JOINED)
def test_forms_of_one_word_have_one_key(forms: str) -> None:
    assert len(set(fold(forms))) == 1


@pytest.mark.parametrize("forms", APART)
def test_symbols_of_the_art_stay_apart(forms: str) -> None:
    assert len(set(fold(forms))) == len(forms)


def test_nothing_folds_into_a_branch_or_stem_that_scribes_confuse() -> None:
    every = (chr(code) for block in ((0x3400, 0xA000), (0x20000, 0x32000)) for code in range(*block))
    into = {char: fold_character(char) for char in every}
    for symbol in "己已巳戊戌戍乾":
        assert [char for char, folded in into.items() if folded == symbol] == [symbol]
    assert into["乾"] != into["干"]


@given(text)
def test_each_character_folds_to_one_character(words: str) -> None:
    assert len(fold(words)) == len(words)


@given(text)
def test_a_key_is_the_folded_text_without_punctuation(words: str) -> None:
    assert key(words) == "".join(fold_character(char) for char in words if is_character(char))


@given(text, st.data())
def test_any_stretch_is_found_where_it_stands(words: str, data: st.DataObject) -> None:
    places = [i for i, char in enumerate(words) if is_character(char)]
    if places:
        first, last = sorted(data.draw(st.tuples(st.sampled_from(places), st.sampled_from(places))))
        assert (first, last + 1) in list(find(words, key(words[first : last + 1])))


def test_folded_words_are_found_as_they_stand_across_punctuation() -> None:
    text = "春占陷井，騰蛇乘𤣥武。螣蛇"
    assert [text[start:end] for start, end in find(text, key("螣蛇"))] == ["騰蛇", "螣蛇"]
    assert [text[start:end] for start, end in find(text, key("井腾"))] == ["井，騰"]


def test_places_may_overlap_and_no_words_stand_nowhere() -> None:
    assert list(find("子子子", "子子")) == [(0, 2), (1, 3)]
    assert list(find("子午卯酉", "")) == []


def test_blanks_of_other_languages_are_part_of_the_words() -> None:
    assert list(find("Suspended Womb", fold("suspended womb"), chinese=False)) == [(0, 14)]
    assert not list(find("Suspended Womb", "suspendedwomb", chinese=False))


def test_each_variant_has_a_reason_and_each_folds_as_its_target() -> None:
    for form, folded in variants().items():
        assert fold_character(form) == fold_character(folded)


@pytest.mark.parametrize(
    ("rows", "said"),
    [
        ("衝\t沖\n", "line 1"),
        ("巳\t已\tlooks alike\n", "never folded"),
        ("衝\t沖\tone word\n衝\t冲\tone word\n", "line 2"),
        ("衝\t沖\tone word\n沖\t冲\tone word\n", "folds further"),
    ],
)
def test_a_bad_table_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, rows: str, said: str) -> None:
    table = tmp_path / "variants.tsv"
    table.write_text(rows, encoding="utf-8")
    monkeypatch.setattr(folding, "VARIANTS", table)
    variants.cache_clear()
    try:
        with pytest.raises(DataError, match=said):
            variants()
    finally:
        variants.cache_clear()
