"""A TEI file as a tree of XML: in UTF-8, and nothing fetched for it, no DTD and no external entity."""

from __future__ import annotations

import re

from lxml import etree

from loaders.source import EncodingError, MarkupError, Source, Tick
from loaders.tei_references import Element

_DECLARED = re.compile(rb"<\?xml[^>]*encoding\s*=\s*[\"']([^\"']+)[\"']")


def parsed(source: Source, tick: Tick | None = None) -> Element:
    """The root element of a file. Raises EncodingError, and MarkupError with line and column."""
    data = source.read(tick)
    declared = _DECLARED.match(data)
    if declared and declared[1].upper() not in (b"UTF-8", b"US-ASCII"):
        message = f"the XML declaration says {declared[1].decode('ascii', 'replace')}; give UTF-8"
        raise EncodingError(source.path, message, 1, declared.start(1) + 1)
    # "internal" expands what the document itself declares, and libxml2 bounds how far it grows.
    parser = etree.XMLParser(
        resolve_entities="internal", load_dtd=False, no_network=True, dtd_validation=False, huge_tree=False
    )
    try:
        return etree.fromstring(data, parser)
    except etree.XMLSyntaxError as error:
        line, column = error.position
        message = str(error.msg).partition(", line ")[0]
        if found := re.fullmatch(r"Entity '(.+)' not defined", message):
            message = (
                f"the entity &{found[1]}; is not declared in the file itself; external ones are not read"
            )
        raise MarkupError(source.path, message, line, column) from None
