"""The text of a passage in its two readings, and the way from one to the other."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kg.errors import DataError
from kg.findings import Doctrine
from kg.store import instances, passages, value, values
from kg.text import Emendation, Passage, find, is_character


def passage(base: str, *changes: tuple[str, str], adopted: bool = True, occurrence: int = 1) -> Passage:
    edits = [
        Emendation(f"emendation:{n}", old, new, occurrence, adopted) for n, (old, new) in enumerate(changes)
    ]
    return Passage("passage:p", base, tuple(edits))


def test_without_emendations_both_readings_are_one() -> None:
    text = passage("初傳生干，曰印綬")
    assert text.established == text.base
    assert text.to_base(2, 4) == (2, 4)
    assert text.bearing(0, 8) == []


@pytest.mark.parametrize(
    ("base", "change", "established", "quote", "witnessed"),
    [
        ("末作畫干，皆曰", ("末作畫干", "末生干"), "末生干，皆曰", "末生干", "末作畫干"),
        ("人相相傷。", ("相相傷", "相傷"), "人相傷。", "人相傷", "人相相傷"),
        ("支上相刑", ("上", "上神"), "支上神相刑", "神相刑", "相刑"),
        ("曰，凡占", ("曰，凡", "曰朝天，凡"), "曰朝天，凡占", "曰朝天", "曰"),
        ("曰，凡占", ("曰，凡", "曰朝天，凡"), "曰朝天，凡占", "凡占", "凡占"),
        ("子丑寅", ("丑", "卯"), "子卯寅", "子卯", "子丑"),
    ],
)
def test_a_quote_of_the_edition_and_what_the_witness_has(
    base: str, change: tuple[str, str], established: str, quote: str, witnessed: str
) -> None:
    text = passage(base, change)
    assert text.established == established
    assert text.base_words(quote) == witnessed


def test_only_adopted_emendations_enter_the_text_but_all_bear_on_it() -> None:
    text = passage("春亢毓有始", ("亢", "元"), adopted=False)
    assert text.established == text.base
    assert [e.iri for e in text.bearing(0, 3)] == ["emendation:0"]
    assert text.bearing(2, 5) == []


def test_words_that_were_supplied_have_their_emendation() -> None:
    """Once a quote that lies wholly in supplied words, and answers to nothing in the witness, showed no
    apparatus.
    """
    text = passage("臨曰有音", ("臨", "臨巳晝翔"))
    start = find(text.established, "晝翔")
    span = text.to_base(start, start + 2)
    assert text.base[slice(*span)] == ""
    assert [e.iri for e in text.bearing(*span)] == ["emendation:0"]
    assert text.bearing(2, 4) == []


def test_the_occurrence_that_is_meant() -> None:
    assert [find("子午子午子", "子", n) for n in (1, 2, 3)] == [0, 2, 4]
    assert find("亥亥亥", "亥亥", 2) == 1
    with pytest.raises(ValueError, match="substring not found"):
        find("子午", "子", 2)
    assert passage("臨辰，臨辰", ("辰", "戌"), occurrence=2).established == "臨辰，臨戌"


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ([("丑寅", "卯"), ("寅卯", "辰")], "emendation:1: overlaps another adopted emendation"),
        ([("未", "申")], "emendation:0: '未' does not stand in passage:p"),
        ([("子丑", "丑子"), ("子丑", "丑")], "overlaps"),
    ],
)
def test_an_apparatus_that_cannot_be_applied_is_refused_by_name(
    changes: list[tuple[str, str]], reason: str
) -> None:
    with pytest.raises(DataError) as error:
        _ = passage("子丑寅卯", *changes).established
    assert reason in str(error.value)


@pytest.mark.parametrize(
    ("char", "expected"), [("初", True), ("卷", True), ("，", False), (" ", False), ("《", False)]
)
def test_what_counts_as_a_character(char: str, expected: bool) -> None:
    assert is_character(char) is expected


# Stretches of text, kept or emended by turns; each stretch has letters of its own, so that it is found where
# it is.
stretches = st.lists(
    st.tuples(st.integers(0, 3), st.integers(1, 3), st.integers(1, 4)), min_size=1, max_size=5
)


def build(shape: list[tuple[int, int, int]]) -> tuple[Passage, list[tuple[int, int, int]], str]:
    """A passage of some shape: the kept stretches as (place in base, place in established, length), and the
    edition.
    """
    letters = (chr(code) for code in range(0x4E00, 0x9000))
    base, edition, kept, changes = "", "", [], []
    for keep, old, new in shape:
        same = "".join(next(letters) for _ in range(keep))
        kept.append((len(base), len(edition), keep))
        before, after = ("".join(next(letters) for _ in range(n)) for n in (old, new))
        changes.append((before, after))
        base, edition = base + same + before, edition + same + after
    return passage(base, *changes), kept, edition


@given(stretches)
def test_the_edition_is_the_witness_emended(shape: list[tuple[int, int, int]]) -> None:
    text, kept, edition = build(shape)
    assert text.established == edition
    assert text.to_base(0, len(edition)) == (0, len(text.base))
    for in_base, in_edition, length in kept:
        if length:
            assert text.to_base(in_edition, in_edition + length) == (in_base, in_base + length)


@given(stretches, st.data())
def test_a_longer_quote_answers_to_no_less_of_the_witness(
    shape: list[tuple[int, int, int]], data: st.DataObject
) -> None:
    text, _, edition = build(shape)
    outer = sorted(data.draw(st.lists(st.integers(0, len(edition)), min_size=4, max_size=4)))
    inner_start, inner_end = text.to_base(outer[1], outer[2])
    start, end = text.to_base(outer[0], outer[3])
    if outer[1] < outer[2]:
        assert 0 <= start <= inner_start <= inner_end <= end <= len(text.base)


def test_each_quote_of_the_treatise_answers_to_words_of_the_witness(doctrine: Doctrine) -> None:
    store = doctrine.store
    texts = passages(store)
    wrong = []
    for node in instances(store, "Judgment", "Caveat", "Definition", "Method", "Remark"):
        (where,) = values(store, node, "passage")
        if value(store, node, "baseQuote") not in texts[where].base:
            wrong.append(node.value)
    assert not wrong


def test_yinshou_is_read_through_its_corruption(doctrine: Doctrine) -> None:
    (text,) = [p for p in passages(doctrine.store).values() if "末作畫干" in p.base]
    assert "末作畫干" not in text.established
    assert text.base_words("中生末、末生干，末生中、中生初、初生干，連連引進助我") == (
        "中生末、末作畫干，末生中、中生初、初生干，連連引進助我"
    )
