"""The graph described as a dataset: counts and partitions in VoID, works and distributions in DCAT.

Every number is counted in the store that is described. The nodes of the description are under the IRI of the
dataset: it has no blank nodes and can be loaded beside the data.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from importlib.metadata import version
from urllib.parse import quote

from pyoxigraph import BlankNode, Literal, NamedNode, Quad, QuerySolutions, Store, Triple

from kg.edition import contents, is_treatise, labels, works
from kg.export import describing
from kg.facts import TYPE, thing
from kg.rdf import used_prefixes
from ontology import BASE, expand, shorten

DATASET = NamedNode(BASE + "dataset")
LICENCE = NamedNode("https://creativecommons.org/licenses/by/4.0/")
TITLES = {
    "en": "Sanshi: the doctrine of Da Liu Ren and Qi Men Dun Jia as linked data",
    "ko": "삼식: 대육임과 기문둔갑의 이론, 연결 데이터",
    "zh-hant": "三式：大六壬與奇門遁甲學說之關聯資料",
}
DESCRIPTION = (
    "Treatises with their text, apparatus and allusions; every clause as a judgment with the condition "
    "under which it holds; the cosmos, the rules and the positions of the schools on which these rest."
)
RIGHTS = "The Classical Chinese text is in the public domain; all else is under the licence."
LANGUAGES = ("lzh", "zho", "kor", "eng")
DISTRIBUTIONS = {
    "turtle": ("text/turtle", "http://www.w3.org/TR/turtle/"),
    "nquads": ("application/n-quads", "http://www.w3.org/TR/n-quads/"),
    "jsonld": ("application/ld+json", "http://www.w3.org/TR/json-ld11/"),
    "csv": ("text/csv", "https://www.rfc-editor.org/rfc/rfc4180"),
    "tei": ("application/tei+xml", "http://www.tei-c.org/ns/1.0"),
}
"""What `sanshi export` gives: the media type and the specification of each format."""
MATCHES = (
    "skos:exactMatch",
    "skos:closeMatch",
    "skos:broadMatch",
    "skos:narrowMatch",
    "skos:relatedMatch",
    "owl:sameAs",
)
"""The properties that link a thing of ours to one of another dataset."""


def describe(store: Store) -> list[Quad]:
    """The description of a store as quads of the default graph.

    >>> from kg.findings import shared
    >>> licence = NamedNode(expand("dcterms:license"))
    >>> {q.object.value for q in describe(shared().store) if q.predicate == licence}
    {'https://creativecommons.org/licenses/by/4.0/'}
    """
    rows: list[tuple[NamedNode, str, NamedNode | Literal]] = [
        (DATASET, "rdf:type", NamedNode(expand("void:Dataset"))),
        (DATASET, "rdf:type", NamedNode(expand("dcat:Dataset"))),
        *((DATASET, "dcterms:title", Literal(title, language=tag)) for tag, title in TITLES.items()),
        (DATASET, "dcterms:description", Literal(DESCRIPTION, language="en")),
        (DATASET, "dcterms:rights", Literal(RIGHTS, language="en")),
        (DATASET, "dcterms:license", LICENCE),
        (DATASET, "dcterms:creator", thing("agent:editors")),
        (DATASET, "dcterms:publisher", thing("agent:editors")),
        *(
            (DATASET, "dcterms:language", NamedNode(f"http://lexvo.org/id/iso639-3/{code}"))
            for code in LANGUAGES
        ),
        (DATASET, "dcat:version", Literal(version("sanshi"))),
        (DATASET, "void:uriSpace", Literal(BASE)),
        *((DATASET, "void:vocabulary", NamedNode(space)) for space in vocabularies(store)),
        *_counts(DATASET, store),
        *_partitions(store),
        *_linksets(store),
    ]
    rows += [row for name in DISTRIBUTIONS if name != "tei" for row in _distribution(DATASET, name)]
    for work in filter(partial(is_treatise, store), works(store)):
        rows += _subset(store, work)
    return [Quad(subject, NamedNode(expand(predicate)), value) for subject, predicate, value in rows]


Term = NamedNode | BlankNode | Literal | Triple
Rows = Iterator[tuple[NamedNode, str, NamedNode | Literal]]


def vocabularies(store: Store) -> list[str]:
    """The namespaces, other than those of our things, from which properties and classes are taken, sorted."""
    rows = _asked(store, "SELECT DISTINCT ?t { { ?s ?t ?o } UNION { ?s a ?t } }")
    taken = used_prefixes([Quad(t, TYPE, t) for (t,) in rows if isinstance(t, NamedNode)])
    return sorted({space for space in taken.values() if not space.startswith(BASE + "id/")})


def _asked(store: Store, query: str) -> list[Sequence[Term | None]]:
    """The rows of a query that is asked of all graphs together; the engine counts where Python would be slow."""
    found = store.query(query, use_default_graph_as_union=True)
    assert isinstance(found, QuerySolutions)
    return [tuple(row) for row in found]


def _counts(node: NamedNode, store: Store) -> Rows:
    terms = "(COUNT(DISTINCT ?s) AS ?a) (COUNT(DISTINCT ?o) AS ?b) (COUNT(DISTINCT ?p) AS ?c)"
    ((triples, subjects, objects, properties),) = _asked(
        store, f"SELECT (COUNT(*) AS ?n) {terms} {{ SELECT DISTINCT ?s ?p ?o {{ ?s ?p ?o }} }}"
    )
    ((classes,),) = _asked(store, "SELECT (COUNT(DISTINCT ?c) AS ?n) { ?s a ?c }")
    ((typed,),) = _asked(store, "SELECT (COUNT(DISTINCT ?s) AS ?n) { ?s a ?c FILTER(ISIRI(?s)) }")
    numbers = {
        "triples": triples,
        "entities": typed,
        "distinctSubjects": subjects,
        "distinctObjects": objects,
        "properties": properties,
        "classes": classes,
    }
    for name, number in numbers.items():
        assert isinstance(number, Literal)
        yield node, f"void:{name}", number


def _partitions(store: Store) -> Rows:
    """How many things each class has, how many triples each property; classes without a name are left out."""
    classes = _asked(store, "SELECT ?c (COUNT(DISTINCT ?s) AS ?n) { ?s a ?c } GROUP BY ?c")
    triples = "{ SELECT DISTINCT ?s ?p ?o { ?s ?p ?o } }"
    properties = _asked(store, f"SELECT ?p (COUNT(*) AS ?n) {{ {triples} }} GROUP BY ?p")
    for kind, counted, count in (("class", classes, "entities"), ("property", properties, "triples")):
        for found, number in counted:
            if not (isinstance(found, NamedNode) and isinstance(number, Literal)):
                continue
            name = quote(shorten(found.value).replace(":", ".", 1), safe="")
            node = NamedNode(f"{DATASET.value}/{kind}/{name}")
            yield DATASET, f"void:{kind}Partition", node
            yield node, f"void:{kind}", found
            yield node, f"void:{count}", number


def _linksets(store: Store) -> Rows:
    """For each mapping property and each other site that it leads to, a linkset."""
    counted: Counter[tuple[str, str]] = Counter()
    for quad in (q for m in MATCHES for q in store.quads_for_pattern(None, NamedNode(expand(m)), None)):
        if isinstance(quad.object, NamedNode):
            site = "/".join(quad.object.value.split("/")[:3]) + "/"
            if not quad.object.value.startswith(BASE):
                counted[quad.predicate.value, site] += 1
    for (predicate, site), number in counted.items():
        host = site.split("/")[2]
        node = NamedNode(f"{DATASET.value}/links/{host}/{shorten(predicate).partition(':')[2]}")
        yield DATASET, "void:subset", node
        yield node, "rdf:type", NamedNode(expand("void:Linkset"))
        yield node, "void:linkPredicate", NamedNode(predicate)
        yield node, "void:subjectsTarget", DATASET
        yield node, "void:objectsTarget", NamedNode(site)
        yield node, "void:triples", Literal(number)


def _subset(store: Store, work: NamedNode) -> Rows:
    """A work as a part of the dataset, with its passages counted and its TEI file."""
    node = NamedNode(f"{DATASET.value}/work/{work.value.rpartition('/')[2]}")
    yield DATASET, "void:subset", node
    yield DATASET, "dcterms:hasPart", node
    yield node, "rdf:type", NamedNode(expand("void:Dataset"))
    yield node, "rdf:type", NamedNode(expand("dcat:Dataset"))
    for tag, title in labels(store, work).items():
        yield node, "dcterms:title", Literal(title, language=tag) if tag else Literal(title)
    yield node, "dcterms:subject", work
    yield node, "dcterms:license", LICENCE
    yield node, "void:rootResource", work
    yield node, "void:exampleResource", contents(store, work)[0].node
    yield from _counts(node, _alone(describing(store, work)))
    for name in DISTRIBUTIONS:
        yield from _distribution(node, name)


def _alone(quads: Iterable[Quad]) -> Store:
    """Some quads as a store of their own."""
    store = Store()
    store.bulk_extend(quads)
    return store


def _distribution(of: NamedNode, name: str) -> Rows:
    """One format in which the dataset or a work can be had; TEI is for works alone."""
    node = NamedNode(f"{of.value}/{name}")
    slug = of.value.rpartition("/work/")[2] if of != DATASET else ""
    media_type, specification = DISTRIBUTIONS[name]
    yield of, "dcat:distribution", node
    yield node, "rdf:type", NamedNode(expand("dcat:Distribution"))
    yield node, "dcterms:title", Literal(f"{slug} {name}".strip(), language="en")
    yield node, "dcterms:description", Literal(f"sanshi export {name}" + (f" --work {slug}" if slug else ""))
    yield node, "dcterms:license", LICENCE
    yield node, "dcterms:conformsTo", NamedNode(specification)
    yield node, "dcat:mediaType", NamedNode(f"https://www.iana.org/assignments/media-types/{media_type}")
