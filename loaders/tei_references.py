"""The references that a TEI header declares (`refsDecl`): `citeStructure`, and the older `cRefPattern`.

TEI P5 Guidelines 3.11.4. `citeStructure` says which nodes are cited (`match`) and by what (`use`), level by
level; `cRefPattern` gives the XPath of a reference, which is read backwards here, from the nodes to the
reference.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TypeAlias

from lxml import etree

from loaders.source import Source, StructureError

Element: TypeAlias = etree._Element

TEI = "http://www.tei-c.org/ns/1.0"
CBETA = "http://www.cbeta.org/ns/1.0"
"""The namespace of what CBETA adds to TEI; its `div` is TEI's with more values allowed."""
XML_ID = "{http://www.w3.org/XML/1998/namespace}id"
SPACES = {"tei": TEI, "cb": CBETA}

_TOKEN = re.compile(
    r"\s+|(?P<name>[^\W\d][\w.-]*(?::(?!:)(?:[^\W\d][\w.-]*|\*))?)"
    r"|(?P<literal>\"[^\"]*\"|'[^']*'|\d+(?:\.\d+)?)|(?P<sign>::|//|\.\.|!=|<=|>=|.)"
)
_OPERATORS = frozenset("and or mod div".split())
_OPENERS = frozenset(
    ("", "@", "::", "(", "[", ",", "/", "//", "|", "+", "-", "=", "!=", "<", "<=", ">", ">=", "*")
)
_HOLE = re.compile(r"\[@([\w:.-]+)\s*=\s*(?:'\$(\d+)'|\"\$(\d+)\")\]")


def local(element: Element) -> str | None:
    """The name of an element of TEI or of CBETA's; None for what is neither.

    >>> local(etree.fromstring(f"<cb:div xmlns:cb='{CBETA}'/>"))
    'div'
    """
    name = etree.QName(element) if isinstance(element.tag, str) else None
    return name.localname if name is not None and name.namespace in (TEI, CBETA) else None


def references(root: Element, source: Source) -> dict[Element, str]:
    """The nodes that the header says how to cite, and their references.

    Raises StructureError where a declaration cannot be evaluated, naming its line.
    """
    found: dict[Element, str] = {}
    for declaration in root.iterfind(f".//{{{TEI}}}refsDecl"):
        for structure in declaration.iterchildren(f"{{{TEI}}}citeStructure"):
            _cite(structure, root, "", found, source)
        # The pattern of the deepest level comes first by custom; the shallower ones must not undo it.
        for pattern in reversed(list(declaration.iterchildren(f"{{{TEI}}}cRefPattern"))):
            found |= dict(_backwards(pattern, root, source))
    return found


def _cite(
    structure: Element, context: Element, before: str, found: dict[Element, str], source: Source
) -> None:
    match, use = structure.get("match"), structure.get("use")
    if not match or not use:
        raise StructureError(source.path, "a <citeStructure> needs match and use", structure.sourceline)
    nodes = _nodes(match, context, structure, source)
    for position, node in enumerate(nodes, 1):
        number = re.sub(r"position\s*\(\s*\)", str(position), use)
        value = _string(number, node, structure, source)
        if not value:
            message = f"this <{local(node)}> is matched by citeStructure {match!r}, but {use!r} gives nothing"
            raise StructureError(source.path, message, node.sourceline)
        reference = before + (structure.get("delim") or "") + value
        found[node] = reference
        for inner in structure.iterchildren(f"{{{TEI}}}citeStructure"):
            _cite(inner, node, reference, found, source)


def _backwards(pattern: Element, root: Element, source: Source) -> Iterator[tuple[Element, str]]:
    """The nodes a `cRefPattern` leads to, each with the reference that leads there."""
    form, path = pattern.get("matchPattern"), pattern.get("replacementPattern")
    inner = re.fullmatch(r"#xpath\((.*)\)", path or "", re.DOTALL)
    if not form or inner is None:
        message = "a <cRefPattern> needs matchPattern and replacementPattern='#xpath(…)'"
        raise StructureError(source.path, message, pattern.sourceline)
    holes = list(_HOLE.finditer(inner[1]))
    levels = []
    for hole in holes:
        upto = _HOLE.sub(r"[@\1]", inner[1][: hole.end()])
        levels.append((hole[2] or hole[3], hole[1], set(_nodes(upto, root, pattern, source))))
    for node in _nodes(_HOLE.sub(r"[@\1]", inner[1]), root, pattern, source):
        groups: dict[str, str] = {}
        for group, attribute, nodes in levels:
            at = next(e for e in (node, *node.iterancestors()) if e in nodes)
            groups[group] = _string(f"@{attribute}", at, pattern, source)
        yield node, _filled(form, groups)


def _filled(form: str, groups: dict[str, str]) -> str:
    r"""A reference that fits a pattern, of the values of its groups.

    >>> _filled(r"(\w+)\.(\w+)", {"1": "3", "2": "7"})
    '3.7'
    """
    number = iter(range(1, 100))
    filled = re.sub(r"\((?:[^()\\]|\\.)*\)", lambda _: groups.get(str(next(number)), ""), form)
    return re.sub(r"\\(.)", r"\1", filled)


def _nodes(path: str, context: Element, at: Element, source: Source) -> list[Element]:
    found = _evaluate(path, context, at, source)
    if not isinstance(found, list) or not all(isinstance(node, etree._Element) for node in found):
        raise StructureError(source.path, f"{path!r} selects no elements", at.sourceline)
    return [node for node in found if isinstance(node, etree._Element)]


def _string(path: str, context: Element, at: Element, source: Source) -> str:
    return str(_evaluate(f"string({path})", context, at, source)).strip()


def _evaluate(path: str, context: Element, at: Element, source: Source) -> object:
    try:
        return context.xpath(in_tei(path), namespaces=SPACES)
    except etree.XPathError as error:
        message = f"<{local(at)}>: {path!r} cannot be evaluated as XPath 1.0 ({error})"
        raise StructureError(source.path, message, at.sourceline) from None


def in_tei(path: str) -> str:
    """An XPath whose bare element names are of TEI, as its default element namespace has it.

    A name is an operator where an operand stands before it (XPath 1.0, 3.7); so `div` may be either.

    >>> in_tei("//body/div[@type='x' and p]/@n")
    "//tei:body/tei:div[@type='x' and tei:p]/@n"
    """
    out: list[str] = []
    before, axis = "", ""
    tokens = [m for m in _TOKEN.finditer(path) if not m.group().isspace()]
    for number, token in enumerate(tokens):
        text = token.group()
        after = tokens[number + 1].group() if number + 1 < len(tokens) else ""
        if token["name"]:
            operator = text in _OPERATORS and before not in _OPENERS
            if operator:
                text = f" {text} "
                before = "*"
                out.append(text)
                continue
            attribute = before == "@" or (before == "::" and axis == "attribute")
            if not attribute and after not in ("(", "::") and ":" not in text:
                out.append(f"tei:{text}")
                before = text
                continue
            axis = text
        out.append(text)
        before = "operand" if text == "*" and before in _OPENERS else text
    return "".join(out)
