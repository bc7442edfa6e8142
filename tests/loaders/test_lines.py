"""Plain lines: what is written is read back from the store, in order, each line under its locator."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pyoxigraph import Store

from loaders import load
from loaders.source import FORBIDDEN

Line = dict[str, str]
Reader = Callable[[Store, str, str], list[Line]]

text = st.text(
    st.one_of(st.characters(exclude_categories=["Cs", "Cc"]), st.sampled_from("懸胎三傳亥寅巳 　()/&;")),
    min_size=1,
    max_size=20,
).filter(lambda t: bool(t.strip()) and not FORBIDDEN.search(t))
locators = st.one_of(st.sampled_from(["KR9g0001_WYG_003-1a", "卷三·懸胎·1", "a.1", "a.1.2", "a b"]), text)


def test_lines_with_locators(samples: Path, store: Store, lines_of: Reader) -> None:
    loaded = load(store, samples / "lines.txt", format="lines", work="mine", title="六壬經緯")[0]
    lines = lines_of(store, "mine", "lines.txt")
    assert (loaded.status, loaded.count.lines, loaded.remarks) == ("new", 4, [])
    assert [line["locator"] for line in lines] == ["003-1a", "003-1a", "003-1b", "003-1a"]
    assert [line["iri"].rpartition("/")[2] for line in lines] == [
        "mine.003-1a.1",
        "mine.003-1a.2",
        "mine.003-1b.1",
        "mine.003-1a.3",
    ]
    assert lines[2]["baseText"] == "凡占人占事以隱匿懷胎、繼先傳後論。"
    assert lines[2]["baseText@"] == "lzh-hant"


def test_lines_without_locators_are_cited_by_number(samples: Path, store: Store, lines_of: Reader) -> None:
    loaded = load(store, samples / "plain.txt", format="lines", work="mine", title="本", lang="lzh-Hans")[0]
    lines = lines_of(store, "mine", "plain.txt")
    assert [line["locator"] for line in lines] == ["plain:1", "plain:3", "plain:4"]
    assert lines[0]["baseText"] == "　　格局"
    assert lines[0]["baseText@"] == "lzh-hans"
    assert loaded.remarks == ["plain.txt: no locators; lines are cited by file and number"]


@settings(deadline=None)
@given(rows=st.lists(st.tuples(locators, text), min_size=1, max_size=12))
def test_round_trip(
    rows: list[tuple[str, str]], tmp_path_factory: pytest.TempPathFactory, lines_of: Reader
) -> None:
    path = tmp_path_factory.mktemp("lines") / "rows.txt"
    path.write_text(
        "".join(f"{locator}\t{words}\n" for locator, words in rows), encoding="utf-8", newline="\n"
    )
    store = Store()
    load(store, path, format="lines", work="mine", title="本")
    lines = lines_of(store, "mine", "rows.txt")
    assert [(line["locator"], line["baseText"]) for line in lines] == rows
    assert [line["ordinal"] for line in lines] == [str(number) for number in range(1, len(rows) + 1)]
    assert max(Counter(line["iri"] for line in lines).values()) == 1
