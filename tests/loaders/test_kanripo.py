"""Kanripo's format: header, page anchors, line ends, notes, outline."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pyoxigraph import Literal, Store

from kg.facts import term
from loaders import kanripo, load
from loaders.document import Entry, file_node, work_node
from loaders.source import Source

Reader = Callable[[Store, str, str], list[dict[str, str]]]

words = st.text(st.sampled_from("懸胎三傳亥寅巳，。　"), min_size=1, max_size=8).filter(str.strip)


def entries(path: Path) -> list[Entry]:
    return [entry for entry in kanripo.read(Source(path)).entries if isinstance(entry, Entry)]


def test_the_sample(samples: Path) -> None:
    page = "KR9g0001_WYG_003-1"
    assert [(e.line, e.locator, e.text) for e in entries(samples / "kanripo.txt")] == [
        (10, page + "a", "　懸胎(三傳皆孟/)"),
        (11, page + "a", "三傳亥寅巳、寅巳申曰順懸胎"),
        (13, page + "a", "亥申巳、申巳寅曰逆懸胎"),
        (15, page + "b", "凡占人占事以隱匿懷胎(視三將所乘/何神所屬)"),
        (16, page + "b", "&KR0008;繼先傳後論(何煞"),
        (17, page + "b", "所臨何煞)定其吉凶"),
        (18, page + "a", "順懸胎：春玄胎者生意已萌於中"),
        (23, page + "a", "夏勵陽者機關略見於外"),
    ]


def test_notes_run_over_line_ends(samples: Path) -> None:
    assert [e.notes for e in entries(samples / "kanripo.txt")[3:6]] == [
        ("視三將所乘/何神所屬",),
        ("何煞",),
        ("所臨何煞",),
    ]


def test_a_heading_is_the_title_of_the_line_after_it(samples: Path) -> None:
    assert [e.title for e in entries(samples / "kanripo.txt")[:2]] == ["1 格局", None]


def test_the_header_goes_to_work_and_file(samples: Path, store: Store) -> None:
    load(store, samples / "kanripo.txt", format="kanripo", work="kr9g0001")
    work = work_node("kr9g0001")
    file = file_node(work, "kanripo.txt")
    said = {quad.predicate.value: quad.object for quad in store.quads_for_pattern(file, None, None)}
    assert said["http://purl.org/dc/terms/identifier"] == Literal("KR9g0001")
    assert said[term("edition").value] == Literal("WYG")
    assert said["http://www.w3.org/2000/01/rdf-schema#label"] == Literal("卷三", language="lzh-hant")
    labels = [quad.object for quad in store.quads_for_pattern(work, None, None)]
    assert Literal("六壬經緯", language="zh-hant") in labels


@settings(deadline=None)
@given(pages=st.lists(st.lists(words, min_size=1, max_size=4), min_size=1, max_size=4), inline=st.booleans())
def test_pages_and_lines_come_back(
    pages: list[list[str]], inline: bool, tmp_path_factory: pytest.TempPathFactory
) -> None:
    text = "#+TITLE: 本\n"
    for number, lines in enumerate(pages):
        text += f"<pb:KR9g0001_WYG_001-{number}a>" + ("" if inline else "¶\n")
        text += "¶\n".join(lines) + ("" if inline else "¶\n")
    path = tmp_path_factory.mktemp("kanripo") / "file.txt"
    path.write_text(text, encoding="utf-8")
    expected = [(f"KR9g0001_WYG_001-{number}a", line) for number, lines in enumerate(pages) for line in lines]
    assert [(e.locator, e.text) for e in entries(path)] == expected
