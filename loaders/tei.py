"""TEI P5: each block of text (`p`, `l`, `ab`, `head` …) becomes a line, found by the best reference it has.

In this order: a reference that the header declares (`citeStructure`, `cRefPattern`); the block's own `n`,
after those of the divisions around it, or its `xml:id`; the milestones before it (`pb`, `lb`, `milestone` …),
at which the block is then cut; the `n` or `xml:id` of what is around it; the line of the file. Of an
apparatus set into the text the lemma is read, of one that stands apart nothing; of a `choice` what the
witness has. Nothing is fetched: no DTD, no external entity.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field

from lxml import etree

from loaders.document import Document, Entry, by_line
from loaders.source import Source, StructureError, Tick
from loaders.tei_references import TEI, XML_ID, Element, local, references
from loaders.tei_xml import parsed

STRUCTURE = frozenset(
    "TEI teiCorpus text group front body back floatingText div div1 div2 div3 div4 div5 div6 div7 lg".split()
)
BLOCKS = frozenset("p l ab head".split())
MILESTONES = frozenset("pb cb lb gb milestone".split())
UNREAD = frozenset("teiHeader facsimile standOff sourceDoc fw figDesc rdg witDetail listApp del mulu".split())
WITNESSED = ("sic", "orig", "abbr")
"""Of a choice, what stands in the witness."""

_LANG = "{http://www.w3.org/XML/1998/namespace}lang"
_TAG = re.compile("[A-Za-z]{1,8}(-[A-Za-z0-9]{1,8})*")
_BREAK = re.compile(r"[ \t]*\n[ \t\n]*")
_WIDE = re.compile("[\u2e80-\u9fff\uf900-\ufaff\ufe30-\ufe4f\uff00-\uffef\U00020000-\U0003ffff]")


def read(source: Source, tick: Tick | None = None) -> Document:
    """The blocks of a TEI document.

    Raises MarkupError where the XML is not well formed or names what is not in the file; StructureError where
    the root is not TEI P5, where text stands directly in a division, where an apparatus has no lemma, or
    where a reference declared in the header cannot be evaluated.
    """
    root = parsed(source, tick)
    if root.tag not in (f"{{{TEI}}}TEI", f"{{{TEI}}}teiCorpus"):
        name = etree.QName(root)
        space = name.namespace or "no namespace"
        message = f"the root element is {name.localname} of {space}; give TEI of {TEI}"
        raise StructureError(source.path, message, root.sourceline)
    if root.find(f".//{{{TEI}}}text") is None:
        raise StructureError(source.path, "no element <text>", root.sourceline)
    document = Document((), titles=_titles(root))
    document.entries = _Reader(source, document, references(root, source)).entries(root)
    return document


def _titles(root: Element) -> dict[str, str]:
    """The titles of the header by language; the first of each counts."""
    found: dict[str, str] = {}
    for title in root.iterfind(f"{{{TEI}}}teiHeader/{{{TEI}}}fileDesc/{{{TEI}}}titleStmt/{{{TEI}}}title"):
        if text := " ".join("".join(title.itertext()).split()):
            found.setdefault((title.get(_LANG) or "").lower(), text)
    return found


@dataclass(slots=True)
class _Piece:
    """Text up to a milestone, with the notes set within it."""

    locator: str | None
    line: int
    text: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)


class _Reader:
    """One document being read: where its milestones are, and what was passed over."""

    def __init__(self, source: Source, document: Document, cited: dict[Element, str]) -> None:
        self.source, self.document, self.cited = source, document, cited
        self.by_milestones = any(local(element) in MILESTONES for element in cited)
        self.marks: dict[str, str] = {}
        self.pieces: list[_Piece] = []
        self.skipped = 0
        self.foreign: Counter[str] = Counter()

    def entries(self, root: Element) -> Iterator[Entry]:
        """The entries of all texts of the document."""
        yield from self._walk(root)
        if self.skipped:
            what = f"{self.skipped} note{'s' * (self.skipped > 1)} not set inline"
            self.document.remarks.append(f"{self.source.name}: {what} passed over")
        for space, number in sorted(self.foreign.items()):
            what = f"{number} element{'s' * (number > 1)} of {space}"
            self.document.remarks.append(f"{self.source.name}: {what} passed over")

    def _walk(self, element: Element) -> Iterator[Entry]:
        name = local(element)
        if name in MILESTONES:
            self._pass(element)
        elif name is None:
            if self._strange(element):
                for child in element:
                    yield from self._walk(child)
        elif name in UNREAD or _apart(element):
            return
        elif name == "app":
            yield from self._walk(self._lemma(element))
        elif name == "note" and not _inline(element):
            self.skipped += 1
        elif _is_block(element, name):
            yield from self._block(element)
        else:
            if name in STRUCTURE and (bare := _bare(element)):
                message = f"text directly in <{name}> ({bare[:12]!r}); give it in <p>, <l> or <ab>"
                raise StructureError(self.source.path, message, element.sourceline)
            for child in element:
                yield from self._walk(child)

    def _block(self, element: Element) -> Iterator[Entry]:
        own = self._own(element)
        self.pieces = [_Piece(own or self._anchor(), element.sourceline or 0)]
        self._flow(element, cut=own is None)
        language = self._language(element)
        for piece in self.pieces:
            text = _unwrapped("".join(piece.text))
            if text:
                locator = piece.locator or self._around(element) or by_line(self.source, piece.line)
                notes = tuple(filter(None, map(_unwrapped, piece.notes)))
                yield Entry(locator, text, piece.line, language=language, notes=notes)

    def _flow(self, element: Element, cut: bool) -> None:
        """Add what is read of an element to the pieces of its block, cutting at milestones where `cut`."""
        self._say(element.text)
        for child in element:
            self._inner(child, cut)
            self._say(child.tail)

    def _inner(self, child: Element, cut: bool) -> None:
        name = local(child)
        if name in MILESTONES:
            if self._pass(child) and cut:
                self.pieces.append(_Piece(self._anchor(), child.sourceline or 0))
        elif name is None:
            self._strange(child)
        elif name in UNREAD or _apart(child):
            return
        elif name == "app":
            self._flow(self._lemma(child), cut)
        elif name == "choice":
            taken = [c for c in child if local(c) in WITNESSED] or [c for c in child if local(c) is not None]
            for chosen in taken[:1]:
                self._flow(chosen, cut)
        elif name == "note":
            self._note(child, cut)
        elif name == "gap":
            self._say("□" * _quantity(child))
        elif name == "g":
            self._say("".join(child.itertext()) or "〓")
        else:
            self._flow(child, cut)

    def _strange(self, element: Element) -> bool:
        """Count an element of another namespace; a comment or processing instruction is none."""
        if not isinstance(element.tag, str):
            return False
        self.foreign[etree.QName(element).namespace or "no namespace"] += 1
        return True

    def _lemma(self, app: Element) -> Element:
        lemma = app.find(f"{{{TEI}}}lem")
        if lemma is None:
            message = "an <app> without <lem>: no reading to take"
            raise StructureError(self.source.path, message, app.sourceline)
        return lemma

    def _note(self, child: Element, cut: bool) -> None:
        if not _inline(child):
            self.skipped += 1
            return
        first, at = self.pieces[-1], len(self.pieces[-1].text)
        self._say("(")
        self._flow(child, cut)
        self._say(")")
        last = self.pieces[-1]
        inside = first.text[at + 1 : -1] if last is first else first.text[at + 1 :]
        first.notes.append("".join(inside))
        if last is not first:
            last.notes.append("".join(last.text[:-1]))

    def _say(self, text: str | None) -> None:
        if text:
            self.pieces[-1].text.append(text)

    def _pass(self, milestone: Element) -> bool:
        """Go past a milestone; whether it is one that can be cited."""
        label = self.cited.get(milestone) or milestone.get("n") or milestone.get(XML_ID)
        if not label:
            return False
        name = local(milestone)
        kind = milestone.get("unit", "") if name == "milestone" else str(name)
        if name == "pb":
            self.marks = {}
        elif name == "cb":
            self.marks.pop("lb", None)
        self.marks.pop(kind, None)
        self.marks[kind] = label
        return True

    def _anchor(self) -> str | None:
        """The milestones that hold here, outermost first; a line that repeats its page stands alone."""
        parts: list[str] = []
        for label in self.marks.values():
            if parts and label.startswith(parts[-1]):
                parts.pop()
            parts.append(label)
        return ".".join(parts) or None

    def _own(self, element: Element) -> str | None:
        for around in (element, *element.iterancestors()):
            if around in self.cited:
                return self.cited[around]
        if self.by_milestones:
            return None
        if element.get("n"):
            return ".".join([*_numbers(element), str(element.get("n"))])
        return element.get(XML_ID)

    def _language(self, element: Element) -> str | None:
        """The language of an element, where its text says so. Raises StructureError."""
        for around in (element, *element.iterancestors()):
            if _in_text(around) and (tag := around.get(_LANG)):
                if not _TAG.fullmatch(tag):
                    message = f"xml:lang={tag!r}; give a language tag such as lzh-Hant"
                    raise StructureError(self.source.path, message, around.sourceline)
                return tag.lower()
        return None

    def _around(self, element: Element) -> str | None:
        return ".".join(_numbers(element)) or next(
            (found for e in element.iterancestors() if _in_text(e) and (found := e.get(XML_ID))), None
        )


def _numbers(element: Element) -> list[str]:
    """The `n` of what is around an element, outermost first."""
    return [n for e in reversed(list(element.iterancestors())) if _in_text(e) and (n := e.get("n"))]


def _in_text(element: Element) -> bool:
    return local(element) not in ("TEI", "teiCorpus")


def _is_block(element: Element, name: str) -> bool:
    """Whether an element is read as one: it has text of its own, or nothing within it is a block."""
    if name in STRUCTURE:
        return False
    if _bare(element):
        return True
    inner = (local(e) for e in element.iterdescendants())
    return not any(n in BLOCKS or n in STRUCTURE for n in inner)


def _bare(element: Element) -> str:
    """The text that stands directly in an element."""
    return "".join([element.text or "", *(child.tail or "" for child in element)]).strip()


def _apart(element: Element) -> bool:
    """Whether it is an entry of an apparatus that points into the text, which has its words already."""
    return local(element) == "app" and any(element.get(name) for name in ("from", "to", "loc"))


def _inline(note: Element) -> bool:
    return not {"inline", "interlinear"}.isdisjoint((note.get("place") or "").split())


def _quantity(gap: Element) -> int:
    quantity = gap.get("quantity") or gap.get("extent") or ""
    counted = (gap.get("unit") or "character").startswith("char")
    return int(quantity) if counted and quantity.isascii() and quantity.isdigit() else 1


def _unwrapped(text: str) -> str:
    """The text without the line breaks of the file: nothing between Chinese characters, else one blank.

    >>> _unwrapped(" 三傳\\n    亥寅巳 ")
    '三傳亥寅巳'
    """

    def join(match: re.Match[str]) -> str:
        before, after = match.string[: match.start()][-1:], match.string[match.end() :][:1]
        return "" if _WIDE.match(before) or _WIDE.match(after) else " "

    return _BREAK.sub(join, text).strip(" \t\n")
