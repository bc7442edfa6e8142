"""Why a judgment holds: the facts that its rule bound, said in the terms of the art in Chinese, Korean or English.

The words are in the ontology. `shi:naming` says how the object of a property is called (初傳寅木), `shi:wording` makes
a sentence of a fact ({0}生{1}); this module only puts the phrases in their places.
"""

from __future__ import annotations

import re
from functools import cached_property

from pyoxigraph import Literal, NamedNode, Store

from kg.facts import place_branch, term, thing
from kg.reasoner import Hit
from ontology import TERMS

LANGUAGES = {"zh": "zh-hant", "ko": "ko", "en": "en"}

_SLOT = re.compile(r"\{(\d)(?::(.))?\}")
_PARTICLES = {
    "이": ("이", "가"),
    "은": ("은", "는"),
    "을": ("을", "를"),
    "와": ("과", "와"),
    "에": ("에", "에"),
}
_ASIDE = re.compile(r"\([^()]*\)$")


def with_particle(phrase: str, particle: str) -> str:
    """A Korean phrase with the form of the particle that its last syllable takes; an aside in parentheses is mute.

    >>> with_particle("인목(寅木)", "이"), with_particle("자수(子水)", "을")
    ('인목(寅木)이', '자수(子水)를')
    """
    last = _ASIDE.sub("", phrase)[-1:]
    closed = "가" <= last <= "힣" and (ord(last) - ord("가")) % 28 != 0
    return phrase + _PARTICLES[particle][0 if closed else 1]


def fill(template: str, *phrases: str) -> str:
    """A template of the ontology with its slots filled; `{0:이}` takes the particle that fits.

    >>> fill("{0:이} {1:을} 생한다", "초전 인목", "일간 병화")
    '초전 인목이 일간 병화를 생한다'
    """

    def slot(match: re.Match[str]) -> str:
        phrase = phrases[int(match.group(1))]
        return with_particle(phrase, match.group(2)) if match.group(2) else phrase

    return _SLOT.sub(slot, template)


class Verbaliser:
    """Labels and explanations in one language, over a doctrine store."""

    def __init__(self, store: Store, language: str) -> None:
        self._store = store
        self.language = language
        self._tag = LANGUAGES[language]
        self._cache: dict[tuple[NamedNode, str, str], str] = {}

    def text(self, node: NamedNode, property_iri: str, tag: str | None = None) -> str:
        """The value of a property of a thing in a language (ours, if none is given); empty where there is none."""
        key = node, property_iri, tag or self._tag
        if key not in self._cache:
            found = sorted(
                q.object.value
                for q in self._store.quads_for_pattern(node, NamedNode(property_iri), None)
                if isinstance(q.object, Literal) and q.object.language == key[2]
            )
            self._cache[key] = found[0] if found else ""
        return self._cache[key]

    def label(self, node: NamedNode, tag: str | None = None) -> str:
        """The label of a thing in our language."""
        return self.text(node, "http://www.w3.org/2000/01/rdf-schema#label", tag)

    @cached_property
    def _phrase(self) -> str:
        return self.text(term("element"), TERMS + "phrase")

    def phrase(self, node: NamedNode) -> str:
        """A symbol as it is called in a sentence: stems and branches with their element."""
        if "/place/" in node.value:
            node = place_branch(node)
        elif "/seat/" in node.value:
            node = thing("palace:" + node.value.rpartition("/")[2])
        elif "/fall/" in node.value:
            node = thing(node.value.rpartition("/")[2].replace(".", ":", 1))
        chinese = self.label(node, LANGUAGES["zh"])
        element = self._object(node, "element")
        if element is not None and ("/branch/" in node.value or "/stem/" in node.value):
            parts = (self.label(node), self.label(element), chinese, self.label(element, LANGUAGES["zh"]))
            return fill(self._phrase, *parts)
        own = self.label(node)
        if self.language == "zh" or not chinese:
            return own
        return f"{own}({chinese})" if self.language == "ko" else f"{own} {chinese}"

    def _object(self, node: NamedNode, predicate: str) -> NamedNode | None:
        found = next(iter(self._store.quads_for_pattern(node, term(predicate), None)), None)
        return found.object if found and isinstance(found.object, NamedNode) else None

    def because(self, hit: Hit) -> list[str]:
        """One sentence a fact that makes a judgment hold, in the order of the rule."""
        called: dict[str, str] = {}
        sentences: list[str] = []
        for atom in hit.rule.body:
            if atom.arguments[0] == "?j" or atom.predicate == "differentFrom":
                continue
            predicate = hit.bindings[atom.predicate] if atom.is_variable else term(atom.predicate)
            phrases = [called.get(a) or self._named(a, hit) for a in atom.arguments]
            naming = self.text(predicate, TERMS + "naming")
            if naming and len(phrases) == 2:
                called.setdefault(atom.arguments[1], fill(naming, *phrases))
            wording = self.text(predicate, TERMS + "wording")
            if wording:
                sentences.append(self._sentence(fill(wording, *phrases)))
        if not sentences:
            sentences = [self._sentence(list(called.values())[-1])]
        return list(dict.fromkeys(sentences))

    def _named(self, argument: str, hit: Hit) -> str:
        if argument == "?c" or argument.isupper():
            return ""
        return self.phrase(hit.bindings[argument[1:]] if argument.startswith("?") else thing(argument))

    def _sentence(self, text: str) -> str:
        return text[:1].upper() + text[1:] if self.language == "en" else text
