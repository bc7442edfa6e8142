"""Why a judgment holds: the facts that its rule bound, said in the terms of the art in Chinese, Korean or English.

The words are in the ontology. `shi:naming` says how the object of a property is called (初傳寅木), `shi:calling` how its
subject is from then on, `shi:wording` makes a sentence of a fact ({0}生{1}); this module only puts the phrases in their
places. What another rule has concluded is told by the reasons of that rule: a relation that `shi:unfolds`, such as 刑沖破害,
by each of those it is made of that holds.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cache, cached_property

from pyoxigraph import Literal, NamedNode, QuerySolutions, Store, Variable

from kg.conclusions import Bindings, Hit, Step
from kg.facts import place_branch, term, thing
from kg.look import CHARTS
from kg.naming import NOTHING, Phrase, Roles, Shown
from kg.rules import Atom, Rule, select
from ontology import TERMS

LANGUAGES = {"zh": "zh-hant", "ko": "ko", "en": "en"}

_SLOT = re.compile(r"\{(\d)(~)?(?::(.))?\}")
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
    """A template of the ontology with its slots filled; `{0:이}` takes the particle that fits, `{0~}` the short form.

    >>> fill("{0:이} {1:을} 생한다", "초전 인목", "일간 병화"), fill("{0~}宮", Phrase("失主日干辛金", "日干"))
    ('초전 인목이 일간 병화를 생한다', '日干宮')
    """
    said = []
    for text, slot, short, particle in _pieces(template):
        said.append(text)
        if slot is None:
            continue
        phrase = phrases[slot]
        if short and isinstance(phrase, Phrase):
            phrase = phrase.short
        said.append(with_particle(phrase, particle) if particle else phrase)
    return "".join(said)


@cache
def _pieces(template: str) -> tuple[tuple[str, int | None, bool, str], ...]:
    """A template taken apart: a text, the slot after it, whether that takes the short form, and its particle."""
    pieces: list[tuple[str, int | None, bool, str]] = []
    end = 0
    for match in _SLOT.finditer(template):
        number, short, particle = match.groups()
        pieces.append((template[end : match.start()], int(number), bool(short), particle or ""))
        end = match.end()
    return (*pieces, (template[end:], None, False, ""))


class Verbaliser:
    """Labels and explanations in one language, over a doctrine store; `rules` are those that unfold relations."""

    def __init__(self, store: Store, language: str, rules: Iterable[Rule] = ()) -> None:
        self._store = store
        self._rules = rules
        self.language = language
        self._tag = LANGUAGES[language]
        self._cache: dict[tuple[NamedNode, str, str], str] = {}
        self._phrases: dict[NamedNode, str] = {}
        self._telling: dict[NamedNode, tuple[str, str, str]] = {}
        self._topics: dict[NamedNode, NamedNode | None] = {}
        self._ways: dict[tuple[NamedNode, ...], list[Step]] = {}
        self._signs: dict[NamedNode | None, frozenset[NamedNode]] = {}

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

    def wording(self, name: str, *phrases: str) -> str:
        """A sentence that the ontology gives for a term of its own, its slots filled."""
        return fill(self.text(term(name), TERMS + "wording"), *phrases)

    @cached_property
    def _phrase(self) -> str:
        return self.text(term("element"), TERMS + "phrase")

    def phrase(self, node: NamedNode) -> str:
        """A symbol as it is called in a sentence: stems and branches with their element."""
        iri = node.value
        if "/place/" in iri:
            node = place_branch(node)
        elif "/seat/" in iri:
            node = thing("palace:" + iri.rpartition("/")[2])
        elif "/fall/" in iri:
            node = thing(iri.rpartition("/")[2].replace(".", ":", 1))
        elif iri.startswith(CHARTS):
            return self._symbol(node)
        found = self._phrases.get(node)
        if found is None:
            found = self._phrases[node] = self._symbol(node)
        return found

    def _symbol(self, node: NamedNode) -> str:
        chinese = self.label(node, LANGUAGES["zh"])
        element = self._object(node, "element")
        if element is not None and ("/branch/" in node.value or "/stem/" in node.value):
            parts = (self.label(node), self.label(element), chinese, self.label(element, LANGUAGES["zh"]))
            return fill(self._phrase, *parts)
        own = self.label(node)
        if self.language == "zh" or not chinese:
            return own
        return f"{own}({chinese})" if self.language == "ko" else f"{own} {chinese}"

    def telling(self, predicate: NamedNode) -> tuple[str, str, str]:
        """What the ontology has for the facts of a property: its wording, its naming and its calling."""
        found = self._telling.get(predicate)
        if found is None:
            wording, naming, calling = (
                self.text(predicate, TERMS + name) for name in ("wording", "naming", "calling")
            )
            found = self._telling[predicate] = wording, naming, calling
        return found

    def _object(self, node: NamedNode, predicate: str) -> NamedNode | None:
        found = next(iter(self._store.quads_for_pattern(node, term(predicate), None)), None)
        return found.object if found and isinstance(found.object, NamedNode) else None

    def because(self, hit: Hit, shown: Shown = NOTHING) -> list[str]:
        """One sentence a fact that makes a judgment hold, in the order of the rules; signs as `shown` in the chart."""
        if hit.judgment not in self._topics:
            self._topics[hit.judgment] = self._object(hit.judgment, "topic")
        told = _Telling(self, hit, self._topics[hit.judgment], shown)
        sentences = told.tell(hit.rule, hit.bindings, {})
        if not sentences:
            sentences = [list(told.called.values())[-1]]
        return list(dict.fromkeys(self._sentence(sentence) for sentence in sentences))

    @cached_property
    def _unfolding(self) -> dict[NamedNode, list[Rule]]:
        """The rules of the cosmos by the relation that they conclude, if it unfolds."""
        found: dict[NamedNode, list[Rule]] = {}
        for rule in self._rules:
            head = term(rule.head.predicate)
            if rule.stratum == "cosmic" and any(self._store.quads_for_pattern(head, term("unfolds"), None)):
                found.setdefault(head, []).append(rule)
        return found

    def ways(self, relation: NamedNode, nodes: list[NamedNode]) -> list[Step]:
        """Every way in which a relation of the cosmos that unfolds comes to hold of two symbols, by rule."""
        if relation not in self._unfolding:
            return []
        key = relation, *nodes
        if key not in self._ways:
            self._ways[key] = self._unfold(relation, nodes)
        return self._ways[key]

    def _unfold(self, relation: NamedNode, nodes: list[NamedNode]) -> list[Step]:
        steps: list[Step] = []
        for rule in self._unfolding[relation]:
            names = rule.head.variables()
            bound = {Variable(name): node for name, node in zip(names, nodes, strict=True)}
            solutions = self._store.query(select(rule), substitutions=bound)  # type: ignore[arg-type]
            assert isinstance(solutions, QuerySolutions)
            for row in solutions:
                found = {v.value: row[v] for v in solutions.variables if isinstance(row[v], NamedNode)}
                steps.append(Step(rule, found | dict(zip(names, nodes, strict=True))))
        return steps

    def sign(
        self, sign: NamedNode, topic: NamedNode | None, placement: NamedNode | None, shown: Shown
    ) -> Phrase:
        """A sign with its part in a topic and the symbol that shows it: 失主日干辛金, for short 日干."""
        symbol = shown.symbols.get(placement) if placement is not None else None
        if sign not in self._roles.signs or symbol is None or placement is None:
            text, short = self.phrase(sign), self.label(sign)
        else:
            told = self._roles.told_as(sign, shown.signs[placement])
            text, short = self.phrase(symbol), self.label(symbol)
            if told is not None:
                text = fill(self.text(term("Sign"), TERMS + "phrase"), self.label(told), text)
                short = self.label(told)
        role = self._roles.role(topic, sign)
        if role is not None and (part := self.label(role)) not in (short, text):
            text = fill(self.text(term("Role"), TERMS + "phrase"), part, text)
        return Phrase(text, short)

    def signs(self, topic: NamedNode | None) -> frozenset[NamedNode]:
        """The signs that are no symbols of the board, and the symbols that play a part in a topic."""
        if topic not in self._signs:
            self._signs[topic] = self._roles.signs | self._roles.playing(topic)
        return self._signs[topic]

    @cached_property
    def _roles(self) -> Roles:
        return Roles(self._store)

    def _sentence(self, text: str) -> str:
        return text[:1].upper() + text[1:] if self.language == "en" else text


class _Telling:
    """One explanation in the making."""

    def __init__(self, words: Verbaliser, hit: Hit, topic: NamedNode | None, shown: Shown) -> None:
        self._words, self._hit, self._topic, self._shown = words, hit, topic, shown
        self._signs = words.signs(topic)
        self.called: dict[str, str] = {}

    def tell(self, rule: Rule, bindings: Bindings, called: dict[str, str], brief: bool = False) -> list[str]:
        """The sentences of a rule; `called` are the names that some variables bear already.

        What was concluded on the way is told by its own reasons; if `brief`, by these alone.
        """
        self.called = called
        sentences: list[str] = []
        for atom in rule.body:
            if atom.arguments[0] in ("?j", "?k") or atom.predicate == "differentFrom":
                continue
            predicate = bindings[atom.predicate] if atom.is_variable else term(atom.predicate)
            nodes = [self._bound(argument, bindings) for argument in atom.arguments]
            step = None if self._hit.steps is None else self._hit.steps.get((predicate, *nodes))
            wording, *names = self._words.telling(predicate)
            ways = [step] if step else self._words.ways(predicate, nodes)
            said = bool(wording) and (not ways or (bool(step) and not brief))
            phrases = self._phrases(atom, nodes, called) if said or any(names) else []
            if said:
                sentences.append(fill(wording, *phrases))
            for way in ways:
                known = zip(way.rule.head.arguments, atom.arguments, strict=True)
                inner = {ours: called[theirs] for ours, theirs in known if theirs in called}
                sentences += self.tell(way.rule, way.bindings, inner, brief=bool(wording) or brief)
            if len(nodes) == 2:
                self._name(atom, names, phrases, called)
        return sentences

    def _phrases(self, atom: Atom, nodes: list[NamedNode], called: dict[str, str]) -> list[str]:
        phrases: list[str] = []
        for argument, node in zip(atom.arguments, nodes, strict=True):
            if argument in called:
                phrases.append(called[argument])
            elif argument == "?c" or argument.isupper():
                phrases.append("")
            elif phrases and node in self._signs:
                phrases.append(self._sign(atom.predicate, nodes[0], node))
            else:
                phrases.append(self._words.phrase(node))
        return phrases

    def _name(self, atom: Atom, names: list[str], phrases: list[str], called: dict[str, str]) -> None:
        """Say how object and subject of a fact are called from now on: `names` are its naming and its calling."""
        naming, calling = names
        if naming and atom.arguments[1] not in called:
            called[atom.arguments[1]] = self._called(naming, phrases)
        if calling:
            called[atom.arguments[0]] = self._called(calling, phrases)
        self.called = called

    @staticmethod
    def _called(template: str, phrases: list[str]) -> Phrase:
        short = phrases[1].short if template == "{1}" and isinstance(phrases[1], Phrase) else None
        return Phrase(fill(template, *phrases), short)

    def _bound(self, argument: str, bindings: Bindings) -> NamedNode:
        if argument == "?c":
            return self._hit.chart
        if argument.startswith("?"):
            return bindings[argument[1:]]
        return bindings[argument] if argument.isupper() else thing(argument)

    def _sign(self, predicate: str, subject: NamedNode, sign: NamedNode) -> Phrase:
        shown = self._shown
        placement = (
            subject if predicate == "standsFor" else shown.placement(sign, subject) or shown.placement(sign)
        )
        return self._words.sign(sign, self._topic, placement, shown)
