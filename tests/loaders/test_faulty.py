"""Files with a fault: each is refused with one line that names the place, and leaves the store as it was."""

from __future__ import annotations

from pathlib import Path

import pytest
from pyoxigraph import Store

from loaders import load
from loaders.source import EncodingError, FileError, MarkupError, StructureError

Place = tuple[int | None, int | None]

FAULTS: dict[str, tuple[type[FileError], Place, str]] = {
    "bilingual-korean-first.txt": (StructureError, (1, None), "without a Chinese one before"),
    "bilingual-no-character.txt": (StructureError, (5, None), "without a single character"),
    "bilingual-one-paragraph.txt": (StructureError, (2, None), "put a blank line between"),
    "bilingual-translated-twice.txt": (StructureError, (5, None), "the one at line 1 has its translation"),
    "bilingual-untranslated-end.txt": (StructureError, (5, None), "the file ends"),
    "bilingual-untranslated.txt": (StructureError, (3, None), "another Chinese paragraph begins at line 5"),
    "chart-art.json": (StructureError, (4, None), "'taiyi' cannot be read"),
    "chart-board.json": (StructureError, (117, None), 'is "賊尅", but its inputs give "八專"'),
    "chart-comma.json": (MarkupError, (3, 1), "not JSON"),
    "chart-hour.json": (StructureError, (2, None), "give 子 or 丙子"),
    "chart-iri.json": (
        StructureError,
        (3, None),
        "its inputs give https://w3id.org/sanshi/id/chart/liuren-57-gengshen",
    ),
    "chart-list.json": (StructureError, (None, None), "no chart"),
    "chart-longitude.json": (StructureError, (27, None), "give degrees or null"),
    "chart-no-day.json": (StructureError, (6, None), "chart.pillars.day is missing"),
    "chart-option.json": (StructureError, (2, None), "shehai: 'deep'"),
    "chart-transmission.json": (StructureError, (119, None), "chart.transmissions[1]"),
    "chart-twice.json": (StructureError, (None, None), "'art' stands twice"),
    "kanripo-closed-note.txt": (MarkupError, (4, 7), "that was not opened"),
    "kanripo-no-anchor.txt": (StructureError, (3, 1), "before the first page anchor"),
    "kanripo-note-in-note.txt": (MarkupError, (5, 2), "opens at line 4, column 3"),
    "kanripo-open-note.txt": (MarkupError, (4, 3), "never closed"),
    "kanripo-tag.txt": (MarkupError, (4, 3), "no page anchor"),
    "lines-big5.txt": (EncodingError, (1, 8), "Big5"),
    "lines-control.txt": (EncodingError, (2, 10), "U+000B"),
    "lines-cut.txt": (EncodingError, (2, 10), "byte 0xE4 is not UTF-8"),
    "lines-empty.txt": (StructureError, (None, None), "no text"),
    "lines-gb18030.txt": (EncodingError, (1, 8), "GB18030"),
    "lines-late-tab.txt": (StructureError, (2, 6), "in every line or in none"),
    "lines-lossy.txt": (EncodingError, (2, 11), "U+FFFD"),
    "lines-no-locator.txt": (StructureError, (2, 1), "no locator"),
    "lines-no-tab.txt": (StructureError, (3, None), "no TAB"),
    "lines-no-text.txt": (StructureError, (2, 8), "no text after"),
    "lines-two-tabs.txt": (StructureError, (2, 10), "a second TAB"),
    "lines-utf16-unmarked.txt": (EncodingError, (1, 1), "UTF-16BE"),
    "lines-utf16.txt": (EncodingError, (1, 1), "UTF-16LE"),
    "tei-bare-text.xml": (StructureError, (4, None), "三傳亥寅巳"),
    "tei-declared-gbk.xml": (EncodingError, (1, 31), "GBK"),
    "tei-expanding-entity.xml": (MarkupError, (1, 5), "amplification"),
    "tei-external-entity.xml": (MarkupError, (5, 21), "external ones are not read"),
    "tei-language.xml": (StructureError, (4, None), "lzh_Hant"),
    "tei-no-lemma.xml": (StructureError, (5, None), "without <lem>"),
    "tei-no-namespace.xml": (StructureError, (1, None), "TEI of no namespace"),
    "tei-no-reference.xml": (StructureError, (8, None), "gives nothing"),
    "tei-no-text.xml": (StructureError, (1, None), "no element <text>"),
    "tei-pattern.xml": (StructureError, (4, None), "#xpath"),
    "tei-tags.xml": (MarkupError, (5, 12), "tag mismatch"),
    "tei-xpath.xml": (StructureError, (4, None), "cannot be evaluated"),
}


def test_every_faulty_sample_is_expected(samples: Path) -> None:
    assert sorted(FAULTS) == sorted(path.name for path in (samples / "faulty").iterdir())


@pytest.mark.parametrize("name", FAULTS)
def test_a_fault_is_named_and_nothing_is_loaded(name: str, samples: Path, store: Store) -> None:
    load(store, samples / "lines.txt", format="lines", work="sound", title="本")
    before = set(store)
    kind, place, words = FAULTS[name]
    path = samples / "faulty" / name
    format = name.partition("-")[0]
    work = {} if format == "chart" else {"work": "mine", "title": "本"}
    with pytest.raises(kind) as caught:
        load(store, path, format=format, **work)  # type: ignore[arg-type]
    message = str(caught.value)
    assert (caught.value.line, caught.value.column) == place
    assert words in message
    assert message.startswith(str(path))
    assert "\n" not in message
    assert set(store) == before


def test_one_bad_file_keeps_out_the_good_ones(samples: Path, tmp_path: Path) -> None:
    on_disk = Store(str(tmp_path / "store"))
    files = [samples / "kanripo.txt", samples / "faulty" / "kanripo-open-note.txt"]
    with pytest.raises(MarkupError):
        load(on_disk, files, format="kanripo", work="mine")
    assert len(on_disk) == 0


def test_a_fault_far_into_a_large_file_leaves_nothing(tmp_path: Path) -> None:
    path = tmp_path / "large.txt"
    lines = [f"{page}a\t凡占人占事以隱匿懷胎、繼先傳後論\n" for page in range(30000)]
    path.write_text("".join([*lines, "no locator\n"]), encoding="utf-8")
    on_disk = Store(str(tmp_path / "store"))
    with pytest.raises(StructureError, match="line 30001"):
        load(on_disk, path, format="lines", work="large", title="大")
    assert len(on_disk) == 0
