"""Topics: asking a Qimen chart about one matter, or about all.

A topic has roles, conditions and judgments of its own (奇門遁甲秘笈大全 卷八–九, 占…). `ask` judges a chart under topics
and says what could not be asked. A question about a whole life is judged on the chart of the birth.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace
from difflib import get_close_matches

from pyoxigraph import Literal, NamedNode, Store

from kg.errors import QueryError
from kg.facts import Chart, facts, quads, thing
from kg.findings import Casting, Doctrine
from kg.folding import fold
from kg.qimen_chart import QimenChart, natal
from kg.store import instances, value
from kg.wants import omissions, unasked
from ontology import shorten

ALL = "all"
"""The word that asks all topics."""
_ALSO = NamedNode("http://www.w3.org/2004/02/skos/core#altLabel")
LIFETIME = "topic:rensheng"
"""占人生貴賤: nine stars, eight doors, formats and four pillars are those of the birth."""


@dataclass(frozen=True, slots=True)
class Topic:
    """A topic of the treatise, with its name in three languages and the everyday names under which it is asked."""

    node: NamedNode
    slug: str
    names: Mapping[str, str]
    others: tuple[str, ...] = ()

    @property
    def called(self) -> tuple[str, ...]:
        """All that it is called."""
        return (self.slug, *self.names.values(), *self.others)


def topics(doctrine: Doctrine) -> list[Topic]:
    """The topics, in the order of the treatise.

    >>> from kg.findings import shared
    >>> found = topics(shared())
    >>> len(found), found[12].slug, found[12].names["zh"], found[12].others[:2]
    (34, 'shiwu', '占失物', ('lost and found', 'lost item'))
    """
    nodes = instances(doctrine.store, "Topic")
    return [
        Topic(
            node,
            node.value.rpartition("/")[2],
            {language: doctrine.verbaliser(language).label(node) for language in ("zh", "ko", "en")},
            _also(doctrine.store, node),
        )
        for node in sorted(nodes, key=lambda node: int(value(doctrine.store, node, "ordinal")))
    ]


def _also(store: Store, node: NamedNode) -> tuple[str, ...]:
    found = (quad.object for quad in store.quads_for_pattern(node, _ALSO, None))
    return tuple(sorted(name.value for name in found if isinstance(name, Literal)))


def find_topics(doctrine: Doctrine, text: str) -> list[NamedNode]:
    """The topic that a text names, by any of its names in Chinese, Korean or English or by IRI; every topic for `all`.

    Blanks do not count, nor which form of a character is written. Raises QueryError for a text that names none.

    >>> from kg.findings import shared
    >>> names = ["占失物", "失物", "Lost property", "분실물", "shiwu"]
    >>> {find_topics(shared(), name)[0].value.rpartition("/")[2] for name in names}
    {'shiwu'}
    """
    known = topics(doctrine)
    if text == ALL:
        return [topic.node for topic in known]
    for alike in (str.casefold, fold):
        sought = _closed(alike(text))
        for topic in known:
            if sought in {
                _closed(alike(name)) for name in (topic.node.value, shorten(topic.node.value), *topic.called)
            }:
                return [topic.node]
    near = get_close_matches(text, [name for topic in known for name in topic.called], n=3, cutoff=0.5)
    names = [topic.names[_language(text)] for topic in known]
    hint = f"did you mean {' or '.join(near)}? " if near else ""
    accepted = f"{hint}give one of {'those listed where none is asked' if near else ', '.join(names)}, or"
    raise QueryError(f"topic: no topic is called {text!r}; {accepted} {ALL}")


def _closed(text: str) -> str:
    """A text without its blanks."""
    return "".join(text.split())


def _language(text: str) -> str:
    """The language in which a name seems to be given, by its first letter."""
    first = text.strip()[:1]
    return "ko" if "가" <= first <= "힣" else "en" if first.isascii() else "zh"


def ask(doctrine: Doctrine, chart: QimenChart, asked: Collection[NamedNode]) -> Casting[QimenChart]:
    """The findings of a chart under some topics, and what of these could not be asked.

    What is said of a whole life is judged on the chart of the birth, if its instant is given, and else left out; if
    nothing else is asked, the chart of the question is asserted alone, and nothing derived of it.

    >>> from kg.findings import shared
    >>> from kg.qimen_chart import cast
    >>> chart = cast(dun="陽", ju=1, day="甲子", hour="丙寅", month="寅", year="甲子")
    >>> casting = ask(shared(), chart, find_topics(shared(), "占失物"))
    >>> [finding.clause.quote for finding in casting.findings][:1]
    ['震為車、船、木器、碧色衣服之物']
    """
    lifetime = thing(LIFETIME)
    here = [topic for topic in asked if topic != lifetime]
    omitted = omissions(doctrine, chart, here)
    if lifetime in asked and not here:
        casting = Casting(chart, {}, (), (), tuple(quads(facts(chart))), doctrine)
    else:
        casting = doctrine.cast(chart, here)
    if lifetime not in asked:
        return replace(casting, omitted=omitted)
    born = natal(chart)
    if born is None:
        return replace(casting, omitted=(*omitted, unasked(doctrine, chart, lifetime, "needsNatal")))
    birth = doctrine.cast(born, [lifetime])
    return replace(
        casting,
        findings=(*casting.findings, *birth.findings),
        omitted=(*omitted, *omissions(doctrine, born, [lifetime])),
        natal=birth,
    )


def judged(doctrine: Doctrine, chart: Chart, topic: str | None = None) -> Casting[Chart]:
    """All that is found in a chart: in one of Qimen under a topic, or under every topic if none is named.

    Raises QueryError for a text that names no topic.

    >>> from kg.findings import shared
    >>> from kg.liuren_chart import cast_pillars
    >>> len(judged(shared(), cast_pillars("庚申", "子", "亥", month="寅")).findings)
    8
    """
    if not isinstance(chart, QimenChart):
        return doctrine.cast(chart)
    return ask(doctrine, chart, find_topics(doctrine, ALL if topic is None else topic))


def notes(casting: Casting[Chart], language: str) -> list[str]:
    """What is to be said of a whole casting: on which chart a whole life was judged, and what is taken from it."""
    if casting.natal is None:
        return []
    born = casting.natal.chart
    assert isinstance(born, QimenChart) and born.moment is not None
    pillars = "".join(f"{text}{unit}" for text, unit in zip(born.pillars.values(), "年月日時", strict=True))
    board = f"{born.plate.dun}遁{'一二三四五六七八九'[born.plate.ju - 1]}局 {pillars}"
    words = casting.doctrine.verbaliser(language)
    return [words.wording("needsNatal", words.label(thing(LIFETIME)), born.moment.instant.isoformat(), board)]
