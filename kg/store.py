"""The doctrine as a store: ontology and treatises loaded, the text established, the cosmos closed under its rules.

`doctrine()` builds it in memory from the Turtle that ships with the package. What it computes (established texts,
the witness's words for each quote, the readings a judgment stands in) is added as triples, so that SPARQL sees it.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from pyoxigraph import DefaultGraph, Literal, NamedNode, Quad, RdfFormat, Store

from kg.errors import DataError, StoreError
from kg.facts import TYPE, quads, term, thing
from kg.text import Emendation, Passage, find
from ontology import files, shorten

TREATISES = Path(__file__).parent / "treatises"
DOCTRINE = thing("graph:doctrine")
"""The graph in which a store of loaded texts and charts has the doctrine, apart from what is the user's own."""
CLASSICAL = "lzh-hant"


def treatise_files() -> list[Path]:
    """The Turtle files of all treatises, sorted by path."""
    return sorted(TREATISES.rglob("*.ttl"))


def load(paths: Iterable[Path]) -> Store:
    """A store with the Turtle of some files. Raises DataError with file and line where one does not parse."""
    store = Store()
    for path in paths:
        try:
            store.bulk_load(path=str(path), format=RdfFormat.TURTLE)
        except SyntaxError as error:
            raise DataError(f"{path.name}: {error}") from None
    return store


def doctrine(*more: Path | str) -> Store:
    """A new store with the whole doctrine, complete and closed; `more` are Turtle files of further treatises.

    Without them it is taken from the user's cache, where it is there. Raises DataError.

    >>> store = doctrine()
    >>> any(store.quads_for_pattern(thing("branch:01-zi"), term("clashes"), thing("branch:07-wu")))
    True
    """
    from kg.cache import kept

    return _built(*more) if more else kept(_built)


def _built(*more: Path | str) -> Store:
    from kg.mappings import mapping_triples
    from kg.reader import lrmoo_triples
    from kg.reasoner import Reasoner

    store = load([*files(), *treatise_files(), *map(Path, more)])
    complete(store)
    store.extend(quads([*lrmoo_triples(store), *mapping_triples()]))
    Reasoner(store).close_cosmos()
    return store


def opened(directory: Path) -> Store:
    """The store in a directory, to be read. Raises StoreError where there is none."""
    try:
        return Store.read_only(str(directory))
    except OSError as error:
        reason = " ".join(str(error).split())
        raise StoreError(f"{directory}: no store can be read there ({reason})") from None


def collection(directory: Path) -> Store:
    """The store in a directory, made if need be, to load texts and charts into; the doctrine stands beside them.

    The doctrine of another version is put out. Raises StoreError where it cannot be opened, as when another process
    writes to it.
    """
    from kg.cache import digest

    try:
        directory.mkdir(parents=True, exist_ok=True)
        store = Store(str(directory))
    except OSError as error:
        reason = " ".join(str(error).split())
        raise StoreError(
            f"{directory}: cannot be opened as a store that no one else writes to ({reason})"
        ) from None
    state = Quad(DOCTRINE, term("digest"), Literal(digest()), DOCTRINE)
    if state not in store:
        store.remove_graph(DOCTRINE)
        own = (Quad(q.subject, q.predicate, q.object, DOCTRINE) for q in doctrine())
        store.extend([*own, state])
        store.flush()
    return store


def own(store: Store) -> Store:
    """What is in a store of loaded texts and charts besides the doctrine, in memory."""
    apart = Store()
    apart.extend(store.quads_for_pattern(None, None, None, DefaultGraph()))
    return apart


def values(store: Store, subject: NamedNode, predicate: str) -> list[NamedNode | Literal]:
    """The objects of a property of a thing, in order."""
    found = [q.object for q in store.quads_for_pattern(subject, term(predicate), None)]
    return sorted((o for o in found if isinstance(o, NamedNode | Literal)), key=lambda o: o.value)


def value(store: Store, subject: NamedNode, predicate: str, default: str = "") -> str:
    """The first value of a property as text, or the default."""
    found = values(store, subject, predicate)
    return found[0].value if found else default


def instances(store: Store, *classes: str) -> list[NamedNode]:
    """The instances of some classes of ours, sorted by IRI."""
    found = {q.subject for c in classes for q in store.quads_for_pattern(None, TYPE, term(c))}
    return sorted((node for node in found if isinstance(node, NamedNode)), key=lambda node: node.value)


def passages(store: Store) -> dict[NamedNode, Passage]:
    """The passages of a store with their apparatus, by node."""
    apparatus: dict[NamedNode, list[Emendation]] = {}
    for node in instances(store, "Emendation"):
        if value(store, node, "kind").endswith("/kind/slip"):
            continue  # a slip of the commentary touches no word of the text
        where = values(store, node, "passage")
        if not where or not isinstance(where[0], NamedNode):
            raise DataError(f"{shorten(node.value)}: an emendation needs shi:passage")
        apparatus.setdefault(where[0], []).append(
            Emendation(
                shorten(node.value),
                value(store, node, "base"),
                value(store, node, "proposed"),
                int(value(store, node, "occurrence", "1")),
                value(store, node, "status") == term("adopted").value,
            )
        )
    return {
        node: Passage(shorten(node.value), value(store, node, "baseText"), tuple(apparatus.get(node, ())))
        for node in instances(store, "Passage")
    }


def complete(store: Store) -> None:
    """Add what follows from the written data: established texts, base quotes, readings.

    Raises DataError where a quote is not in its passage or an emendation does not apply.
    """
    texts = passages(store)
    added = [
        Quad(node, term("establishedText"), Literal(passage.established, language=CLASSICAL))
        for node, passage in texts.items()
    ]
    both = [thing("reading:established"), thing("reading:base")]
    written = {
        predicate: {q.subject: q.object for q in store.quads_for_pattern(None, term(predicate), None)}
        for predicate in ("passage", "quote", "occurrence", "reading")
    }
    for node in instances(store, "Judgment", "Caveat", "Definition", "Method", "Remark"):
        name = shorten(node.value)
        where = written["passage"].get(node)
        if not isinstance(where, NamedNode) or where not in texts:
            raise DataError(f"{name}: shi:passage names no passage")
        base_only = written["reading"].get(node) == both[1]
        if node not in written["reading"]:
            added += [Quad(node, term("reading"), reading) for reading in both]
        passage, quote = texts[where], getattr(written["quote"].get(node), "value", "")
        occurrence = int(getattr(written["occurrence"].get(node), "value", "1"))
        try:
            find(passage.base if base_only else passage.established, quote, occurrence)
        except ValueError:
            raise DataError(f"{name}: {quote!r} does not stand in {passage.iri}") from None
        witnessed = quote if base_only else passage.base_words(quote, occurrence)
        added.append(Quad(node, term("baseQuote"), Literal(witnessed, language=CLASSICAL)))
    store.extend(added + _schools(store))


def _schools(store: Store) -> list[Quad]:
    """Under which schools conditions and judgments of topics ask no more than they say, so that rules stay positive.

    `eitherUnder`: one sign that meets a condition is enough; of a pair of signs some ask for both. `freeUnder`: the
    judgment asks nothing beyond its conditions.
    """
    pairs = set(instances(store, "SignPair"))

    def subjects(condition: NamedNode) -> list[NamedNode]:
        own = [node for node in values(store, condition, "subject") if isinstance(node, NamedNode)]
        parts = [part for part in values(store, condition, "condition1") if isinstance(part, NamedNode)]
        return own or [sign for part in parts for sign in subjects(part)]

    out: list[Quad] = []
    for condition in instances(store, "Condition"):
        paired = bool(pairs.intersection(subjects(condition)))
        schools = ["pair-either"] if paired else ["pair-either", "pair-all"]
        out += [Quad(condition, term("eitherUnder"), thing(f"school:{school}")) for school in schools]
    for judgment in instances(store, "Judgment"):
        if not values(store, judgment, "topic"):
            continue
        schools = ["self-anywhere", "self-own"]
        if values(store, judgment, "gate"):
            schools = ["self-anywhere"]
        elif values(store, judgment, "presumes"):
            schools = ["sins-always"]
        out += [Quad(judgment, term("freeUnder"), thing(f"school:{school}")) for school in schools]
    return out
