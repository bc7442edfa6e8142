"""Reading a file: strict UTF-8, line ends, and which encoding a file that is not UTF-8 seems to have."""

from __future__ import annotations

from hashlib import sha256
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kg.errors import InputError
from loaders.source import FORBIDDEN, EncodingError, Source

PROSE = (
    "凡占人占事以隱匿懷胎、繼先傳後論。視三將所乘何神、所屬何煞、所臨何煞定其吉凶。\n不可以此名實論之也。\n"
)
SIMPLE = (
    "凡占人占事以隐匿怀胎、继先传后论。视三将所乘何神、所属何煞、所临何煞定其吉凶。\n不可以此名实论之也。\n"
)

texts = st.text(st.characters(exclude_categories=["Cs", "Cc"]), max_size=30).filter(
    lambda t: not FORBIDDEN.search(t)
)


def written(room: Path, data: bytes) -> Source:
    path = room / "file.txt"
    path.write_bytes(data)
    return Source(path)


@pytest.mark.parametrize("end", [b"\n", b"\r\n"])
@pytest.mark.parametrize("mark", [b"", b"\xef\xbb\xbf"])
def test_lines_lose_their_ends_and_the_file_its_mark(tmp_path: Path, end: bytes, mark: bytes) -> None:
    source = written(tmp_path, mark + end.join(["懸胎".encode(), b"", "三傳".encode()]))
    assert list(source.lines()) == [(1, "懸胎"), (2, ""), (3, "三傳")]


@settings(deadline=None)
@given(lines=st.lists(texts, max_size=6))
def test_what_is_written_is_read(tmp_path_factory: pytest.TempPathFactory, lines: list[str]) -> None:
    text = "\n".join(lines)
    source = written(tmp_path_factory.mktemp("source"), text.encode())
    assert source.read().decode() == text.removesuffix("\n")
    assert source.digest == sha256(text.encode()).hexdigest()


@pytest.mark.parametrize(
    ("text", "encoding", "shown"),
    [
        (PROSE, "big5", "looks like Big5"),
        (SIMPLE, "gb18030", "looks like GB18030"),
        (PROSE, "gb18030", "looks like GB18030"),
        (PROSE, "utf-16", "is UTF-16LE"),
        (PROSE, "utf-16-be", "is UTF-16BE"),
        (PROSE, "utf-16-le", "is UTF-16LE"),
    ],
)
def test_another_encoding_is_named(tmp_path: Path, text: str, encoding: str, shown: str) -> None:
    with pytest.raises(EncodingError, match=shown):
        list(written(tmp_path, text.encode(encoding)).lines())


def test_the_place_of_a_bad_byte_is_given_in_characters(tmp_path: Path) -> None:
    source = written(tmp_path, "懸胎\n三傳".encode() + b"\xff" + "亥".encode())
    with pytest.raises(EncodingError) as caught:
        list(source.lines())
    assert (caught.value.line, caught.value.column) == (2, 3)
    assert str(caught.value).startswith(f"{source.path}, line 2, column 3: byte 0xFF is not UTF-8")


@pytest.mark.parametrize("char", ["\ufffd", "\ufeff", "\x00", "\r", "\x85", "\ufffe"])
def test_what_no_text_has_is_refused(tmp_path: Path, char: str) -> None:
    # A text long enough that a lone zero byte at its end does not make it look like UTF-16.
    source = written(tmp_path, ("懸胎" * 80 + f"\n三{char}傳").encode())
    with pytest.raises(EncodingError) as caught:
        list(source.lines())
    assert (caught.value.line, caught.value.column) == (2, 2)


def test_bytes_of_no_text_are_not_taken_for_another_encoding(tmp_path: Path) -> None:
    """Once a picture, for its zero bytes, was said to be UTF-16."""
    picture = b"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR\x00\x00\x00\x10\x00\x00\x00\x10\x08\x06\x00\x00\x00"
    with pytest.raises(EncodingError, match="byte 0x89 is not UTF-8; give the file in UTF-8"):
        list(written(tmp_path, picture).lines())


@pytest.mark.parametrize("name", ["missing.txt", "."])
def test_a_file_that_cannot_be_read(tmp_path: Path, name: str) -> None:
    with pytest.raises(InputError, match="a file that can be read"):
        Source(tmp_path / name)


def test_progress_counts_every_byte(tmp_path: Path) -> None:
    source = written(tmp_path, PROSE.encode())
    seen: list[int] = []
    list(source.lines(seen.append))
    assert sum(seen) == source.size == len(PROSE.encode())
