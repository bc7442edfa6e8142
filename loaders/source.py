"""A file to be loaded: its lines in strict UTF-8, its digest, and errors that name file, line and column."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Iterator
from pathlib import Path

from kg.errors import DataError, InputError

Tick = Callable[[int], None]
"""Told how many bytes of a file have been read."""

FORBIDDEN = re.compile("[\x00-\x08\x0a-\x1f\x7f-\x9f\ufeff\ufffd\ufffe\uffff]")
"""Characters that no text has: controls other than TAB, byte order marks, what a lossy conversion leaves."""

_NAMES = {
    "\ufeff": "a byte order mark",
    "\ufffd": "U+FFFD, left by a lossy conversion",
    "\r": "a carriage return",
}
_FREQUENT = frozenset(
    "之不以也而其為者有人於一子無大天王曰所中事公下上十月年日三二此得太將行可則自故"
    "为于无将时门国来见东长马说的是在我了他们这个"
)
_BLOCK = 1 << 20


class FileError(DataError):
    """What keeps a file from being loaded; names the file, and line and column where known."""

    def __init__(self, path: Path, message: str, line: int | None = None, column: int | None = None) -> None:
        self.path, self.line, self.column = path, line, column
        place = "" if line is None else f", line {line}" + ("" if column is None else f", column {column}")
        super().__init__(f"{path}{place}: {message}")


class EncodingError(FileError):
    """The file is not UTF-8, or has characters that no text has."""


class MarkupError(FileError):
    """The markup of the file is not well formed."""


class StructureError(FileError):
    """The file is well formed but not built as its format is."""


class Source:
    """A file given by the user.

    Raises InputError where it cannot be read.
    """

    def __init__(self, path: Path | str) -> None:
        self.path = Path(path)
        try:
            with self.path.open("rb") as stream:
                digest = hashlib.sha256()
                self._head = b""
                while block := stream.read(_BLOCK):
                    self._head = self._head or block[:400]
                    digest.update(block)
                self.size = stream.tell()
        except OSError as error:
            reason = error.strerror or "cannot be read"
            raise InputError("file", f"{self.path} ({reason})", "a file that can be read") from None
        self.digest = digest.hexdigest()
        self.name = self.path.name

    def lines(self, tick: Tick | None = None) -> Iterator[tuple[int, str]]:
        """The lines with their numbers, blank ones too, without line ends and byte order mark.

        Raises EncodingError at the first line that is not UTF-8 or has a forbidden character.
        """
        self._refuse_wide()
        with self.path.open("rb") as stream:
            for number, raw in enumerate(stream, 1):
                if number == 1:
                    raw = raw.removeprefix(b"\xef\xbb\xbf")
                yield number, self._decode(number, raw)
                if tick is not None:
                    tick(len(raw))

    def read(self, tick: Tick | None = None) -> bytes:
        """The whole file, checked like `lines`, without its byte order mark."""
        return "\n".join(text for _, text in self.lines(tick)).encode()

    def _decode(self, number: int, raw: bytes) -> str:
        try:
            text = raw.decode()
        except UnicodeDecodeError as error:
            column = len(raw[: error.start].decode()) + 1
            found = f"byte 0x{raw[error.start]:02X} is not UTF-8"
            raise EncodingError(self.path, f"{found}; {self._guess()}", number, column) from None
        text = text.removesuffix("\n").removesuffix("\r")
        if bad := FORBIDDEN.search(text):
            char = bad.group()
            what = _NAMES.get(char, f"the control character U+{ord(char):04X}")
            message = f"{what} inside the text; give plain UTF-8 with lines that end in LF or CRLF"
            raise EncodingError(self.path, message, number, bad.start() + 1)
        return text

    def _refuse_wide(self) -> None:
        """UTF-16 is known by its mark, or by the zero bytes of its blanks and line ends."""
        marks = {b"\xff\xfe": "UTF-16LE", b"\xfe\xff": "UTF-16BE"}
        if (name := marks.get(self._head[:2])) is None and b"\x00" in self._head:
            guess = "UTF-16LE" if self._head.find(b"\x00") % 2 else "UTF-16BE"
            name = guess if self._reads_as(guess) else None
        if name is not None:
            raise EncodingError(self.path, f"the file is {name}, not UTF-8; {_convert(name)}", 1, 1)

    def _reads_as(self, encoding: str) -> bool:
        """Whether the beginning of the file is text in an encoding, and not bytes of another kind."""
        try:
            text = self._head[: len(self._head) // 2 * 2].decode(encoding)
        except UnicodeDecodeError as error:
            text = self._head[: error.start].decode(encoding) if error.start >= len(self._head) - 4 else "\0"
        return not FORBIDDEN.search(text.replace("\n", "").replace("\r", ""))

    def _guess(self) -> str:
        """Which encoding the file seems to be in: the one that reads it as the most frequent characters."""
        sample = self.path.read_bytes()[:_BLOCK]
        score: dict[str, int] = {}
        for name in ("GB18030", "BIG5-HKSCS"):
            try:
                text = sample.decode(name)
            except UnicodeDecodeError as error:
                # A sample may end within a character.
                if error.start < len(sample) - 4 or len(sample) < _BLOCK:
                    continue
                text = sample[: error.start].decode(name)
            score[name] = sum(char in _FREQUENT for char in text)
        best = max(score, key=lambda name: score[name], default=None)
        if best is None or not score[best]:
            return "give the file in UTF-8"
        shown = best.partition("-")[0].replace("BIG", "Big")
        return f"the file looks like {shown}; {_convert(shown)}"


def _convert(name: str) -> str:
    return f"convert it first (iconv -f {name} -t UTF-8)"
