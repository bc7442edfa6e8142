"""Topics: asking a Qimen chart about one matter, or about all.

A topic has roles, conditions and judgments of its own (奇門遁甲秘笈大全 卷八–九, 占…). `ask` judges a chart under topics
and says what could not be asked. A question about a whole life is judged on the chart of the birth.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace
from difflib import get_close_matches

from pyoxigraph import NamedNode

from kg.errors import QueryError
from kg.facts import Chart, thing
from kg.findings import Casting, Doctrine
from kg.qimen_chart import QimenChart, natal
from kg.store import instances, value
from kg.wants import omissions, unasked
from ontology import shorten

ALL = "all"
"""The word that asks all topics."""
LIFETIME = "topic:rensheng"
"""占人生貴賤: nine stars, eight doors, formats and four pillars are those of the birth."""


@dataclass(frozen=True, slots=True)
class Topic:
    """A topic of the treatise, with its name in three languages."""

    node: NamedNode
    slug: str
    names: Mapping[str, str]


def topics(doctrine: Doctrine) -> list[Topic]:
    """The topics, in the order of the treatise.

    >>> from kg.findings import shared
    >>> found = topics(shared())
    >>> len(found), found[12].slug, found[12].names["zh"]
    (34, 'shiwu', '占失物')
    """
    nodes = instances(doctrine.store, "Topic")
    return [
        Topic(
            node,
            node.value.rpartition("/")[2],
            {language: doctrine.verbaliser(language).label(node) for language in ("zh", "ko", "en")},
        )
        for node in sorted(nodes, key=lambda node: int(value(doctrine.store, node, "ordinal")))
    ]


def find_topics(doctrine: Doctrine, text: str) -> list[NamedNode]:
    """The topic that a text names, by label in Chinese, Korean or English, by slug or IRI; every topic for `all`.

    Raises QueryError for a text that names none.

    >>> from kg.findings import shared
    >>> [find_topics(shared(), text)[0].value.rpartition("/")[2] for text in ("占失物", "Lost property", "shiwu")]
    ['shiwu', 'shiwu', 'shiwu']
    """
    known = topics(doctrine)
    if text == ALL:
        return [topic.node for topic in known]
    called = text.strip().casefold()
    for topic in known:
        if called in (
            topic.slug,
            topic.node.value,
            shorten(topic.node.value),
            *(name.casefold() for name in topic.names.values()),
        ):
            return [topic.node]
    names = [name for topic in known for name in (topic.slug, *topic.names.values())]
    near = get_close_matches(text, names, n=3, cutoff=0.4)
    hint = f"; did you mean {' or '.join(near)}?" if near else ""
    raise QueryError(f"topic: no topic is called {text!r}{hint}; give one of them, or {ALL}")


def ask(doctrine: Doctrine, chart: QimenChart, asked: Collection[NamedNode]) -> Casting[QimenChart]:
    """The findings of a chart under some topics, and what of these could not be asked.

    What is said of a whole life is judged on the chart of the birth, if its instant is given, and else left out.

    >>> from kg.findings import shared
    >>> from kg.qimen_chart import cast
    >>> chart = cast(dun="陽", ju=1, day="甲子", hour="丙寅", month="寅", year="甲子")
    >>> casting = ask(shared(), chart, find_topics(shared(), "占失物"))
    >>> [finding.clause.quote for finding in casting.findings][:1]
    ['震為車、船、木器、碧色衣服之物']
    """
    lifetime = thing(LIFETIME)
    here = [topic for topic in asked if topic != lifetime]
    casting = doctrine.cast(chart, here)
    omitted = omissions(doctrine, chart, here)
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
