"""A passage as a reader has it: found by its address, read in one of three ways, cited, traced to statements.

`Reader` answers for one store. An address is book, volume, chapter and ordinal; the chapter is the heading
under which the passage stands (六壬經緯 卷三·懸胎·2). The text is had as witnessed, as established, or
established with the apparatus set into it. `lrmoo_triples` says the same order in the terms of LRMoo.
"""

from __future__ import annotations

from enum import StrEnum
from functools import cached_property

from pyoxigraph import NamedNode, Store, Triple

from kg.edition import Place, contents, label, parts, texts, units, works
from kg.errors import DataError, InputError
from kg.facts import TYPE, term
from kg.store import instances, passages, value, values
from kg.text import Passage, find
from ontology import expand, shorten

LANGUAGES = ("zh-hant", "ko", "en")


class Mode(StrEnum):
    """How a passage is read."""

    base = "base"
    established = "established"
    apparatus = "apparatus"


class Reader:
    """The passages of a store, ready to be found, read and cited.

    >>> from kg.store import doctrine
    >>> reader = Reader(doctrine())
    >>> place = reader.at("六壬經緯", 3, "懸胎", 2)
    >>> place == reader.find("passage:xuantai-2") == reader.find("六壬經緯 3.1.2")
    True
    >>> text = reader.text(place.node, Mode.apparatus)
    >>> text[text.index("逆懸胎") : text.index("夏洪鈞")]
    '逆懸胎：春亢毓〔三式編者「元毓」（異文，可能，存疑）〕有始勤終怠〔底本「始動終怠」；三式編者（錯字，確，從）〕之形，'
    """

    def __init__(self, store: Store) -> None:
        self.store = store
        self.works = tuple(works(store))
        self.places = {place.node: (work, place) for work in self.works for place in contents(store, work)}

    @cached_property
    def passages(self) -> dict[NamedNode, Passage]:
        """The passages with their apparatus, by node."""
        return passages(self.store)

    @cached_property
    def _statements(self) -> dict[NamedNode, list[NamedNode]]:
        below = self.store.quads_for_pattern(None, NamedNode(expand("rdfs:subClassOf")), term("Statement"))
        kinds = [q.subject.value.partition("#")[2] for q in below if isinstance(q.subject, NamedNode)]
        found: dict[NamedNode, list[NamedNode]] = {}
        for node in instances(self.store, *kinds):
            for passage in linked(self.store, node, "shi:passage"):
                found.setdefault(passage, []).append(node)
        return found

    def at(self, book: str, volume: int, chapter: str | int, ordinal: int) -> Place:
        """The passage of an address.

        `book` is a title or the local name of a work; `chapter` is the label of a heading, established or as
        witnessed, or its number; `ordinal` counts within it from 1. Raises InputError with what there is.
        """
        work = self._work(book)
        inside = [place for of, place in self.places.values() if of == work]
        volumes = dict.fromkeys(place.numbers[0] for place in inside)
        inside = [place for place in inside if place.numbers[0] == str(volume)]
        if not inside:
            raise InputError("volume", volume, f"one of {', '.join(volumes)}")
        here = [place for place in inside if str(chapter) in self._names(place)]
        if not here:
            first, last = self._heading(inside[0]), self._heading(inside[-1])
            raise InputError("chapter", chapter, f"a heading from {first} to {last}, or its number")
        found = [place for place in here if place.numbers[-1] == str(ordinal)]
        if not found:
            raise InputError("ordinal", ordinal, f"1 to {len(here)}")
        return found[0]

    def find(self, reference: str) -> Place:
        """A passage by its IRI, prefixed name, locator, or book and numbers (六壬經緯 3.1.2). Raises InputError."""
        book, _, numbers = reference.strip().rpartition(" ")
        if book:
            work = self._work(book)
            found = [place for of, place in self.places.values() if of == work and place.ref == numbers]
        else:
            named = reference.strip()
            found = [
                place
                for node, (_, place) in self.places.items()
                if named in (*_names(node), value(self.store, node, "locator"))
            ]
        if not found:
            accepted = (
                "an IRI, a name such as passage:xuantai-1, a locator such as 卷三·懸胎·1, "
                "or book and numbers such as 六壬經緯 3.1.2"
            )
            raise InputError("passage", reference, accepted)
        return found[0]

    def under(self, heading: str) -> list[Place]:
        """The passages under a heading, by its name in any language, in order; none where there is no such heading.

        >>> from kg.store import doctrine
        >>> [place.ref for place in Reader(doctrine()).under("현태")]
        ['3.1.1', '3.1.2']
        """
        named = heading.strip()
        return [place for _, place in self.places.values() if named in self._names(place) - {*place.numbers}]

    def text(self, node: NamedNode, mode: Mode = Mode.established, language: str = "zh-hant") -> str:
        """The text of a passage; the notes of the apparatus in zh-hant, ko or en. Raises InputError."""
        passage = self._passage(node)
        if mode is Mode.base:
            return passage.base
        if mode is Mode.established:
            return passage.established
        witness = label(self.store, term("baseText"), _language(language))
        out, position = [], 0
        for unit in units(passage):
            lemma = unit.words(passage, unit.adopted)
            notes = [f"{witness}「{unit.words(passage)}」"] if unit.adopted else []
            for emendation in unit.emendations:
                proposal = unit.proposal(passage, emendation)
                words = "" if proposal == lemma else f"「{proposal}」"
                notes.append(self._note(NamedNode(expand(emendation.iri)), words, language))
            out += [passage.base[position : unit.start], lemma, "〔", "；".join(notes), "〕"]
            position = unit.end
        return "".join(out) + passage.base[position:]

    def citation(self, node: NamedNode, language: str = "en") -> str:
        """How to cite a passage in zh-hant, ko or en: author, title, place, IRI. Raises InputError.

        >>> from kg.facts import thing
        >>> from kg.store import doctrine
        >>> Reader(doctrine()).citation(thing("passage:xuantai-2"), "zh-hant")
        '毛志道《六壬經緯》卷三·懸胎·2，https://w3id.org/sanshi/id/passage/xuantai-2'
        """
        self._passage(node)
        work, _ = self.places[node]
        makers = [label(self.store, maker, language) for maker in linked(self.store, work, "dcterms:creator")]
        name = self.name(node, language)
        if language == "zh-hant":
            return f"{'、'.join(makers)}{name}，{node.value}"
        return ", ".join([*makers, name, node.value])

    def name(self, node: NamedNode, language: str = "en") -> str:
        """What a passage is called in zh-hant, ko or en: title, volume, heading, number. Raises InputError.

        >>> from kg.facts import thing
        >>> from kg.store import doctrine
        >>> Reader(doctrine()).name(thing("passage:xuantai-2"), "ko")
        '『육임경위 (六壬經緯)』 권3 〈현태〉 2'
        """
        self._passage(node)
        work, place = self.places[node]
        title, heading = label(self.store, work, _language(language)), self._heading(place, language)
        volume, ordinal = place.numbers[0], place.numbers[-1]
        if language == "zh-hant":
            return f"《{title}》{value(self.store, node, 'locator')}"
        chinese = label(self.store, work)
        if language == "ko":
            return f"『{title} ({chinese})』 권{volume} 〈{heading}〉 {ordinal}"
        return f"{title} ({chinese}), vol. {volume}, {heading} ({self._heading(place)}) {ordinal}"

    def holding(self, node: NamedNode, words: str) -> list[NamedNode]:
        """The statements of a passage whose quote holds some of the words, wherever they stand in it.

        Words and quotes are compared where they stand in the base text, so that a statement of the base
        reading is found by words of the established one. Raises InputError where the words are not there.

        >>> from kg.facts import thing
        >>> from kg.store import doctrine
        >>> found = Reader(doctrine()).holding(thing("passage:kongju-1"), "乘霧")
        >>> [statement.value.rpartition("/")[2] for statement in found]
        ['kongju-si-chengwu', 'kongju-wu-feikong']
        """
        passage = self._passage(node)
        spans = [passage.to_base(*span) for span in _occurrences(passage.established, words)]
        if not spans:
            raise InputError("words", words, f"words of {shorten(node.value)} in its established reading")
        found = []
        for statement in self._statements.get(node, []):
            start, end = self.span(statement)
            if any(start < last and first < end for first, last in spans):
                found.append(statement)
        return found

    def span(self, statement: NamedNode) -> tuple[int, int]:
        """Where the quote of a statement stands in the base text of its passage. Raises DataError."""
        where = linked(self.store, statement, "shi:passage")
        if not where:
            raise DataError(f"{shorten(statement.value)}: shi:passage names no passage")
        passage, quote = self._passage(where[0]), value(self.store, statement, "quote")
        occurrence = int(value(self.store, statement, "occurrence", "1"))
        readings = {shorten(reading.value) for reading in values(self.store, statement, "reading")}
        if readings == {"reading:base"}:
            start = find(passage.base, quote, occurrence)
            return start, start + len(quote)
        start = find(passage.established, quote, occurrence)
        return passage.to_base(start, start + len(quote))

    def _passage(self, node: NamedNode) -> Passage:
        if node not in self.passages:
            raise InputError("passage", shorten(node.value), "a passage of the store")
        return self.passages[node]

    def _work(self, book: str) -> NamedNode:
        for work in self.works:
            if book.strip() in {
                work.value.rpartition("/")[2],
                *texts(self.store, work, "rdfs:label").values(),
            }:
                return work
        raise InputError("book", book, f"one of {', '.join(label(self.store, work) for work in self.works)}")

    def _heading(self, place: Place, language: str = "zh-hant") -> str:
        return label(self.store, place.heading or place.chapter, language)

    def _names(self, place: Place) -> set[str]:
        node = place.heading or place.chapter
        labels = [texts(self.store, node, name).values() for name in ("rdfs:label", "skos:altLabel")]
        return {word for found in labels for word in found} | set(place.numbers[1:-1])

    def _note(self, emendation: NamedNode, words: str, language: str) -> str:
        agents = [
            label(self.store, a, language) for a in linked(self.store, emendation, "prov:wasAttributedTo")
        ]
        about = [
            node
            for p in ("kind", "certainty", "status")
            for node in linked(self.store, emendation, f"shi:{p}")
        ]
        said = [label(self.store, node, language) for node in about]
        if language == "zh-hant":
            return f"{'、'.join(agents)}{words}（{'，'.join(said)}）"
        return f"{', '.join(agents)} {words}({', '.join(said)})"


def linked(store: Store, node: NamedNode, predicate: str) -> list[NamedNode]:
    """The things that a property (a prefixed name) leads to, sorted by IRI."""
    found = [q.object for q in store.quads_for_pattern(node, NamedNode(expand(predicate)), None)]
    return sorted((o for o in found if isinstance(o, NamedNode)), key=lambda o: o.value)


def lrmoo_triples(store: Store) -> list[Triple]:
    """Chapters and passages as parts of the expressions that realise their work, in the terms of LRMoo 1.0.

    >>> from kg.facts import thing
    >>> from kg.store import doctrine
    >>> found = [t for t in lrmoo_triples(doctrine()) if t.object == thing("passage:xuantai-2")]
    >>> [(shorten(t.subject.value), shorten(t.predicate.value)) for t in found]
    [('chapter:liuren-jingwei-3', 'lrmoo:R5_has_component')]
    """
    expression, component = (
        NamedNode(expand("lrmoo:F2_Expression")),
        NamedNode(expand("lrmoo:R5_has_component")),
    )
    out: list[Triple] = []
    for work in works(store):
        wordings = linked(store, work, "lrmoo:R3_is_realised_in")
        for chapter in parts(store, work):
            out.append(Triple(chapter, TYPE, expression))
            out += [Triple(wording, component, chapter) for wording in wordings]
            for passage in parts(store, chapter):
                out += [Triple(passage, TYPE, expression), Triple(chapter, component, passage)]
    return out


def _language(language: str) -> str:
    if language not in LANGUAGES:
        raise InputError("language", language, f"one of {', '.join(LANGUAGES)}")
    return language


def _names(node: NamedNode) -> tuple[str, str]:
    return node.value, shorten(node.value)


def _occurrences(text: str, words: str) -> list[tuple[int, int]]:
    found, start = [], text.find(words)
    while words and start >= 0:
        found.append((start, start + len(words)))
        start = text.find(words, start + 1)
    return found
