"""The header of a TEI edition (title, licence, witness, conventions, citation), and how elements are made."""

from __future__ import annotations

import re
from collections.abc import Sequence
from importlib.metadata import version

from lxml import etree
from pyoxigraph import NamedNode, Store

from kg.edition import Place, bcp47, heading_type, is_treatise, label, texts
from kg.store import instances, values
from ontology import THINGS, expand, shorten

TEI = "http://www.tei-c.org/ns/1.0"
XML = "http://www.w3.org/XML/1998/namespace"
LICENCE = "https://creativecommons.org/licenses/by/4.0/"
CERTAINTY = {"certain": "high", "probable": "medium", "possible": "low", "open": "unknown"}
"""The degrees of `teidata.certainty` (TEI P5 Guidelines, 1.4.2) for ours."""
LANGUAGES = {"lzh-Hant": "Classical Chinese", "zh-Hant": "Chinese", "ko": "Korean", "en": "English"}

_ISO_DATE = re.compile(r"-?\d{4}(-\d\d){0,2}")
_NO_NAME = re.compile(r"[^\w.-]")

MIXED = {"p", "head", "note"}
"""The elements in which white space may count though they hold elements alone."""

CORRECTION = (
    "The base text is kept as witnessed. Adopted emendations make the established text, which is the "
    "text of the lemmas; the base text is that of the readings of #base. Proposals that are noted "
    "(uncertain) or rejected stand as further readings. The attribute cert gives the certainty: high is "
    "certain, medium probable, low possible, unknown an open question; on the note of a rejected "
    "proposal it is that of the rejection."
)
OVERLAP = (
    "Emendations that overlap share one app over the union of their stretches, and each of its readings "
    "is written out over the whole of it; the note of each emendation gives its own words."
)
HEADS = (
    "The heads are the editors': the established name of a pattern or topic, the name that the witness "
    "has (type witnessed) where it differs, and translations. A head that the witness lacks is marked "
    "as supplied. Where the witness has the heading, it stands at the beginning of the first paragraph."
)
INTERPRETATION = (
    "Each clause is annotated in standOff: a note from anchor to anchor that quotes it, with glosses in "
    "English and Korean; ana points to its form and its matters. A note of subtype established or base "
    "holds in that reading alone. The conditions of the judgments are in the knowledge graph, under the "
    "IRI that corresp gives."
)


def element(tag: str, *content: str | etree._Element | None, **attributes: str | None) -> etree._Element:
    """An element of TEI. `id` and `lang` are of the XML namespace; what is None or empty is left out.

    >>> etree.tostring(element("p", "初", element("lb"), "末", id="a", n=None)).decode()
    '<p xmlns="http://www.tei-c.org/ns/1.0" xml:id="a">&#21021;<lb/>&#26411;</p>'
    """
    made = etree.Element(f"{{{TEI}}}{tag}", nsmap={None: TEI})
    for name, given in attributes.items():
        if given:
            made.set(f"{{{XML}}}{name}" if name in ("id", "lang") else name, given)
    for part in content:
        if isinstance(part, str):
            append(made, part)
        elif part is not None:
            made.append(part)
    return made


def append(parent: etree._Element, words: str) -> None:
    """Add words after what an element has."""
    if len(parent):
        parent[-1].tail = (parent[-1].tail or "") + words
    else:
        parent.text = (parent.text or "") + words


def set_out(parent: etree._Element, level: int = 0) -> None:
    """Put elements that hold only elements on lines of their own; what has words in it is left as it is.

    >>> body = element("body", element("div", element("p", "初")))
    >>> set_out(body)
    >>> body.text, body[0].tail, body[0][0].text
    ('\\n ', '\\n', '初')
    """
    if etree.QName(parent).localname in MIXED or parent.text or not len(parent):
        return
    parent.text = "\n" + " " * (level + 1)
    for child in parent:
        set_out(child, level + 1)
        child.tail = "\n" + " " * (level + 1)
    parent[-1].tail = "\n" + " " * level


def xml_id(node: NamedNode) -> str:
    """The `xml:id` of a thing: kind and local name; a character that no XML name has becomes its number.

    >>> xml_id(NamedNode("https://w3id.org/sanshi/id/passage/xuantai-1"))
    'passage.xuantai-1'
    >>> xml_id(NamedNode("https://w3id.org/sanshi/id/passage/kr3g0031.a%20b.1"))
    'passage.kr3g0031.a_25_20b.1'
    """
    name = node.value.removeprefix(THINGS).replace("/", ".")
    return _NO_NAME.sub(lambda found: f"_{ord(found.group()):x}_", name)


def pointer(node: NamedNode) -> str:
    """A thing as a pointer, under the prefix that the header declares.

    >>> pointer(NamedNode("https://w3id.org/sanshi/id/matter/birth"))
    'sanshi:matter/birth'
    """
    return node.value.replace(THINGS, "sanshi:", 1) if node.value.startswith(THINGS) else node.value


def agents(store: Store, node: NamedNode) -> list[NamedNode]:
    """Those to whom an emendation is attributed, sorted by IRI."""
    found = {q.object for q in store.quads_for_pattern(node, NamedNode(expand("prov:wasAttributedTo")), None)}
    return sorted((a for a in found if isinstance(a, NamedNode)), key=lambda agent: agent.value)


def header(store: Store, work: NamedNode, places: Sequence[Place]) -> etree._Element:
    """The header of the edition of a work whose passages are at some places."""
    nodes = {place.node for place in places}
    apparatus = [e for e in instances(store, "Emendation") if nodes.intersection(values(store, e, "passage"))]
    return element(
        "teiHeader",
        _file(store, work, places, apparatus),
        _encoding(store, places, apparatus),
        element(
            "profileDesc",
            element("langUsage", *(element("language", name, ident=tag) for tag, name in LANGUAGES.items())),
        ),
    )


def _objects(store: Store, node: NamedNode, predicate: str) -> list[NamedNode]:
    found = {q.object for q in store.quads_for_pattern(node, NamedNode(expand(predicate)), None)}
    return sorted((o for o in found if isinstance(o, NamedNode)), key=lambda o: o.value)


def _names(store: Store, node: NamedNode, tag: str) -> list[etree._Element]:
    """The labels of a thing as elements; its prefixed name where it has no label."""
    names = texts(store, node, "rdfs:label") or {"": shorten(node.value)}
    return [element(tag, name, lang=bcp47(lang)) for lang, name in names.items()]


def _file(
    store: Store, work: NamedNode, places: Sequence[Place], apparatus: Sequence[NamedNode]
) -> etree._Element:
    """What the file is, who made it, and from what."""
    titles = _names(store, work, "title")
    for title in titles:
        title.set("type", "main" if title.get(f"{{{XML}}}lang") == "zh-Hant" else "alt")
    authors = [
        element("author", *_names(store, a, "persName"), ref=pointer(a))
        for a in _objects(store, work, "dcterms:creator")
    ]
    responsible = [
        element("respStmt", element("resp", "contributor", lang="en"), *_names(store, agent, "name"))
        for agent in _objects(store, work, "dcterms:contributor")
    ]
    responsible += [
        element(
            "respStmt",
            element("resp", " ".join(texts(store, agent, "rdfs:comment").values()) or "apparatus", lang="en"),
            *_names(store, agent, "name"),
            id=xml_id(agent),
        )
        for agent in sorted({a for e in apparatus for a in agents(store, e)}, key=lambda agent: agent.value)
    ]
    made = " ".join(texts(store, work, "dcterms:created").values())
    witness = [
        element(
            "witness", label(store, expression), ". ", *_sentences(store, expression), id="base", lang="en"
        )
        for expression in _objects(store, work, "lrmoo:R3_is_realised_in")[:1]
    ] or [element("witness", "The text as it was loaded.", id="base", lang="en")]
    return element(
        "fileDesc",
        element("titleStmt", *titles, *authors, *responsible),
        element(
            "editionStmt", element("edition", f"Sanshi, version {version('sanshi')}", n=version("sanshi"))
        ),
        element(
            "extent",
            element("measure", f"{len(places)} passages", unit="passage", quantity=str(len(places))),
            element(
                "measure", f"{len(apparatus)} emendations", unit="emendation", quantity=str(len(apparatus))
            ),
        ),
        element("publicationStmt", *_publication(store, work)),
        element(
            "sourceDesc",
            element(
                "bibl",
                element("title", label(store, work), lang="zh-Hant"),
                element("date", made, when=made if _ISO_DATE.fullmatch(made) else None) if made else None,
                element("note", *_sentences(store, work)) if _sentences(store, work) else None,
            ),
            element("listWit", *witness),
        ),
    )


def _publication(store: Store, work: NamedNode) -> list[etree._Element]:
    """Who publishes a treatise and under which licence; of a text that a user has loaded nothing is claimed."""
    if not is_treatise(store, work):
        return [
            element("p", "Written out from a text that was loaded; the rights in it are those of its source.")
        ]
    return [
        element("publisher", "The Sanshi developers"),
        element("idno", work.value, type="URI"),
        element(
            "availability",
            element("licence", "Apparatus, statements, glosses and encoding: CC BY 4.0.", target=LICENCE),
            element("p", "The Classical Chinese text is in the public domain."),
            status="free",
        ),
    ]


def _sentences(store: Store, node: NamedNode) -> list[str]:
    """What is said of a thing in English, and its source."""
    said = [*texts(store, node, "rdfs:comment").values(), *texts(store, node, "dcterms:source").values()]
    return [" ".join(said)] if said else []


def _encoding(store: Store, places: Sequence[Place], apparatus: Sequence[NamedNode]) -> etree._Element:
    """The conventions, how passages are cited, and the kinds of emendation."""
    kinds = sorted(
        {k for e in apparatus for k in _objects(store, e, "shi:kind")}, key=lambda kind: kind.value
    )
    categories = [element("category", *_names(store, kind, "catDesc"), id=xml_id(kind)) for kind in kinds]
    return element(
        "encodingDesc",
        element(
            "editorialDecl",
            element("correction", element("p", CORRECTION), element("p", OVERLAP), status="high"),
            element("interpretation", element("p", INTERPRETATION), element("p", HEADS)),
        ),
        element(
            "refsDecl",
            element(
                "citeStructure", *_levels(store, places), unit="chapter", match="/TEI/text/body/div", use="@n"
            ),
            default="true",
        ),
        element(
            "refsDecl",
            element("citeStructure", unit="passage", match="/TEI/text/body//p", use="@xml:id"),
            n="id",
        ),
        element("classDecl", element("taxonomy", *categories, id="kinds")) if categories else None,
        element(
            "listPrefixDef",
            element(
                "prefixDef",
                element("p", "The things of the knowledge graph, by kind and name."),
                ident="sanshi",
                matchPattern="(.+)",
                replacementPattern=f"{THINGS}$1",
            ),
        ),
        element("variantEncoding", method="parallel-segmentation", location="internal"),
    )


def _levels(store: Store, places: Sequence[Place]) -> list[etree._Element]:
    """The levels below the chapter: headings of each type there is, and passages that stand under none."""
    types = sorted({heading_type(store, place.heading) for place in places if place.heading is not None})
    levels = [
        element("citeStructure", _paragraphs(), unit=kind, match=f"div[@type='{kind}']", use="@n", delim=".")
        for kind in types
    ]
    return levels + ([_paragraphs()] if any(place.heading is None for place in places) else [])


def _paragraphs() -> etree._Element:
    return element("citeStructure", unit="passage", match="p", use="@n", delim=".")
