"""Distributed Text Services 1.0 over the works of a store: entry, collection, navigation and document.

Each function takes the address under which the service is had and the query parameters of one request, and
gives what the specification (dtsapi.org, 1.0) says of it; a `DtsError` carries the status of the answer.

A work is a resource of one collection. Its default citation tree is chapter (volume), pattern or topic,
passage (3.1.2); the tree `id` cites passages by the `xml:id` they have in TEI (passage.xuantai-2).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar
from urllib.parse import quote, urlencode

from lxml import etree
from pyoxigraph import NamedNode, Store

from kg.dataset import DATASET, DESCRIPTION, LICENCE, RIGHTS, TITLES
from kg.dts_tree import DtsError, Unit, beneath, citation_trees, ends_of, unit_json, units
from kg.edition import Place, bcp47, contents, is_treatise, label, labels, texts, works
from kg.tei import edition, reading, serialise
from kg.tei_header import TEI, xml_id
from ontology import expand

VERSION = "1.0"
CONTEXT = "https://dtsapi.org/context/v1.0.json"
WRAPPER = "{https://w3id.org/api/dts#}wrapper"
JSON_LD = "application/ld+json"
MEDIA_TYPES = {"application/tei+xml": "application/tei+xml", "text/plain": "text/plain; charset=utf-8"}
"""The media types of a document, with the header that each has. Plain text is the established text."""
PAGE = 500
"""How many members a page of an answer has."""
PARAMETERS = {
    "collection": ("id", "page", "nav"),
    "navigation": ("resource", "ref", "start", "end", "down", "tree", "page"),
    "document": ("resource", "ref", "start", "end", "tree", "mediaType"),
}

Json = dict[str, Any]
Parameters = Mapping[str, str | int]
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Document:
    """The answer of the document endpoint."""

    content: bytes
    headers: Mapping[str, str]


def entry(base: str) -> Json:
    """The entry point of a service at an address.

    >>> entry("https://example.org/dts/")["collection"]
    'https://example.org/dts/collection{?id,page,nav}'
    """
    answer: Json = {"@context": CONTEXT, "dtsVersion": VERSION, "@id": _root(base), "@type": "EntryPoint"}
    return answer | {name: _template(base, name) for name in PARAMETERS}


def collection(store: Store, base: str, parameters: Parameters) -> Json:
    """The collection of all works, or one work as a resource, with children or (`nav=parents`) parents.

    Raises DtsError: 400 for a parameter that is not accepted, 404 for an id or page that there is not.

    >>> from kg.findings import shared
    >>> collection(shared().store, "https://example.org", {})["totalChildren"]
    2
    """
    given = _checked("collection", parameters)
    identifier, nav = given.get("id", DATASET.value), given.get("nav", "children")
    if nav not in ("children", "parents"):
        raise DtsError(400, f"nav: {nav!r} is not accepted; give children or parents")
    known = works(store)
    if identifier == DATASET.value:
        item = _collection(base, len(known), top=True)
        members = known if nav == "children" else []
    else:
        item = _resource(store, base, _work(store, identifier, "id"))
        members = [DATASET] if nav == "parents" else []
    answer = {"@context": CONTEXT, "dtsVersion": VERSION, **item}
    if identifier != DATASET.value and nav == "children":
        return answer

    def say(node: NamedNode) -> Json:
        return _collection(base, len(known), top=False) if node == DATASET else _resource(store, base, node)

    return answer | _paged(base, "collection", given, members, say)


def navigation(store: Store, base: str, parameters: Parameters) -> Json:
    """A part of a citation tree: a unit, a range of units, what is beneath or (`down=0`) beside them.

    Raises DtsError: 400 for a parameter, or parameters together, that are not accepted; 404 for a resource,
    tree, unit or page that there is not.

    >>> from kg.findings import shared
    >>> work = works(shared().store)[0].value
    >>> navigation(shared().store, "https://example.org", {"resource": work, "ref": "3.1"})["ref"]["citeType"]
    'pattern'
    """
    given = _checked("navigation", parameters)
    work = _required(store, given)
    places = contents(store, work)
    tree = units(store, places, given.get("tree"))
    ends = ends_of(tree, given)
    answer: Json = {
        "@context": CONTEXT,
        "dtsVersion": VERSION,
        "@type": "Navigation",
        "@id": _url(base, "navigation", given),
        "resource": _resource(store, base, work, places),
    }
    answer |= {name: unit_json(store, unit) for name, unit in ends.items()}
    down = _whole("down", given["down"], -1) if "down" in given else None
    if down is None:
        if not ends:
            raise DtsError(400, "navigation needs one of ref, start and end, or down")
        return answer
    if down == 0 and "ref" not in ends:
        raise DtsError(400, "down=0 asks for the siblings of a unit and needs ref")
    found = beneath(tree, ends, down)
    return answer | _paged(base, "navigation", given, found, lambda unit: unit_json(store, unit))


def document(store: Store, base: str, parameters: Parameters) -> Document:
    """A work, or the unit or range of units of it that is asked for, as TEI or plain text.

    What is asked for stands in `<dts:wrapper>`, inside the divisions that it is part of; header and notes are
    those of the edition. Raises DtsError: 400 for a parameter, or parameters together, that are not accepted;
    404 for a resource, tree, unit or media type that there is not.
    """
    given = _checked("document", parameters)
    work = _required(store, given)
    media_type = given.get("mediaType", next(iter(MEDIA_TYPES)))
    if media_type not in MEDIA_TYPES:
        raise DtsError(
            404, f"mediaType: {media_type!r} is not to be had; give one of {', '.join(MEDIA_TYPES)}"
        )
    places = contents(store, work)
    cited = any(name in given for name in ("ref", "start", "end"))
    ends = ends_of(units(store, places, given.get("tree")), given) if cited else {}
    if ends:
        first, last = next(iter(ends.values())), list(ends.values())[-1]
        places = places[first.first : last.last + 1]
    root = edition(store, work, places)
    if ends:
        _wrap(root, ends)
    if media_type == "text/plain":
        passages = root.iterfind(f".//{{{TEI}}}body//{{{TEI}}}p")
        content = "".join(f"{reading(passage)}\n" for passage in passages).encode()
    else:
        content = serialise(root)
    link = f'<{_url(base, "collection", {"id": work.value})}>; rel="collection"'
    return Document(content, {"Content-Type": MEDIA_TYPES[media_type], "Link": link})


def _wrap(root: etree._Element, ends: Mapping[str, Unit]) -> None:
    """Put what was asked for into a wrapper, within the innermost element that holds all of it."""
    paths = [f"//*[@xml:id='{xml_id(unit.node)}']" for unit in ends.values()]
    first, last = (_element(root, path) for path in (paths[0], paths[-1]))
    above = [*reversed(list(first.iterancestors()))]
    shared = [node for node in above if node in set(last.iterancestors())]
    holder = shared[-1]
    line = [*above, first], [*reversed(list(last.iterancestors())), last]
    begin, stop = (holder.index(way[len(shared)]) for way in line)
    wrapper = etree.Element(WRAPPER, dict(zip(ends, paths, strict=True)), nsmap={"dts": WRAPPER[1:-8]})
    held = holder[begin : stop + 1]
    holder.insert(begin, wrapper)
    wrapper.extend(held)


def _element(root: etree._Element, path: str) -> etree._Element:
    found = root.xpath(path)
    assert isinstance(found, list)
    assert isinstance(found[0], etree._Element)
    return found[0]


def _checked(endpoint: str, parameters: Parameters) -> dict[str, str]:
    """The parameters of a request as text. Raises DtsError for one that the endpoint does not have."""
    for name in parameters:
        if name not in PARAMETERS[endpoint]:
            raise DtsError(
                400, f"{name} is no parameter of {endpoint}; give {', '.join(PARAMETERS[endpoint])}"
            )
    return {name: str(given) for name, given in parameters.items()}


def _required(store: Store, given: Mapping[str, str]) -> NamedNode:
    if "resource" not in given:
        raise DtsError(400, "resource is missing; give the IRI of a work")
    return _work(store, given["resource"], "resource")


def _work(store: Store, iri: str, name: str) -> NamedNode:
    for work in works(store):
        if work.value == iri:
            return work
    raise DtsError(404, f"{name}: there is no {iri!r} here; the collection names what there is")


def _whole(name: str, given: str, least: int) -> int:
    try:
        number = int(given)
    except ValueError:
        number = least - 1
    if number < least:
        raise DtsError(400, f"{name}: {given!r} is not accepted; give a whole number from {least}")
    return number


def _paged(
    base: str, endpoint: str, given: Mapping[str, str], members: Sequence[T], say: Callable[[T], Json]
) -> Json:
    """The members of a page, with the links to the others where there are others or a page was asked for."""
    page, last = _whole("page", given.get("page", "1"), 1), max(1, -(-len(members) // PAGE))
    if page > last:
        raise DtsError(404, f"page: there is no page {page}, the last is {last}")
    answer: Json = {"member": [say(member) for member in members[(page - 1) * PAGE : page * PAGE]]}
    if last > 1 or "page" in given:
        links = {"first": 1, "previous": page - 1, "next": page + 1, "last": last}
        view: Json = {"@id": _url(base, endpoint, {**given, "page": str(page)}), "@type": "Pagination"}
        for name, number in links.items():
            within = 1 <= number <= last
            view[name] = _url(base, endpoint, {**given, "page": str(number)}) if within else None
        answer["view"] = view
    return answer


def _collection(base: str, children: int, top: bool) -> Json:
    """The collection of all works; inside another answer its template is bound to it."""
    bound = f"{_root(base)}/collection?id={DATASET.value}{{&page,nav}}"
    return {
        "@id": DATASET.value,
        "@type": "Collection",
        "title": TITLES["en"],
        "description": DESCRIPTION,
        "collection": _template(base, "collection") if top else bound,
        "totalParents": 0,
        "totalChildren": children,
        "dublinCore": {
            "title": _localised(TITLES),
            "description": _localised({"en": DESCRIPTION}),
            "rights": _localised({"en": RIGHTS}),
            "license": [LICENCE.value],
        },
    }


def _resource(store: Store, base: str, work: NamedNode, places: Sequence[Place] | None = None) -> Json:
    """A work as a resource, with its metadata and citation trees."""
    iri, root = quote(work.value, safe=":/"), _root(base)
    core: Json = {"title": _localised(labels(store, work))}
    if is_treatise(store, work):
        core |= {"language": ["lzh-Hant"], "license": [LICENCE.value]}
    said = {"description": "rdfs:comment", "created": "dcterms:created", "source": "dcterms:source"}
    for name, source in said.items():
        if found := texts(store, work, source):
            core[name] = found[""] if list(found) == [""] else _localised(found)
    for name in ("creator", "contributor"):
        predicate = NamedNode(expand(f"dcterms:{name}"))
        found_agents = [q.object for q in store.quads_for_pattern(work, predicate, None)]
        agents = sorted(a.value for a in found_agents if isinstance(a, NamedNode))
        if agents:
            core[name] = [pair for a in agents for pair in _localised(labels(store, NamedNode(a)))]
    return {
        "@id": work.value,
        "@type": "Resource",
        "title": label(store, work),
        "totalParents": 1,
        "totalChildren": 0,
        "dublinCore": core,
        "collection": f"{root}/collection?id={iri}{{&page,nav}}",
        "navigation": f"{root}/navigation?resource={iri}{{&ref,start,end,down,tree,page}}",
        "document": f"{root}/document?resource={iri}{{&ref,start,end,tree,mediaType}}",
        "download": f"{root}/document?resource={iri}",
        "mediaTypes": list(MEDIA_TYPES),
        "citationTrees": citation_trees(store, contents(store, work) if places is None else places),
    }


def _localised(found: Mapping[str, str]) -> list[Json]:
    return [{"lang": bcp47(tag) or "und", "value": words} for tag, words in found.items()]


def _root(base: str) -> str:
    return base.rstrip("/")


def _template(base: str, endpoint: str) -> str:
    return f"{_root(base)}/{endpoint}{{?{','.join(PARAMETERS[endpoint])}}}"


def _url(base: str, endpoint: str, given: Mapping[str, str]) -> str:
    return f"{_root(base)}/{endpoint}" + (f"?{urlencode(given, safe=':/')}" if given else "")
