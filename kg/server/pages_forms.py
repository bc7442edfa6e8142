"""The fields of the forms that cast a chart: what each art takes, with the options on which the schools differ."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from pyoxigraph import NamedNode, Store

from kg.cosmos import BRANCHES, pair
from kg.errors import InputError
from kg.facts import thing
from kg.schools import options
from kg.server.pages_render import Labels
from kg.server.words import Words
from kg.store import instances, value

PAIRS = tuple(pair(number) for number in range(60))
INSTANT = ("instant", "tz", "longitude", "latitude")
PILLARS: Mapping[str, tuple[str, ...]] = {
    "liuren": ("day", "hour", "general", "month", "year"),
    "qimen": ("dun", "ju", "hour", "day", "month", "year"),
}
NEEDED: Mapping[str, frozenset[str]] = {
    "liuren": frozenset({"day", "hour", "general"}),
    "qimen": frozenset({"dun", "ju", "hour"}),
}
"""The pillars without which no chart is cast."""
EXAMPLES: Mapping[str, tuple[Mapping[str, str], ...]] = {
    "liuren": (
        {"instant": "2025-02-19T23:42", "tz": "Asia/Shanghai"},
        {"day": "庚申", "hour": "子", "general": "亥", "month": "寅", "year": "巳"},
    ),
    "qimen": (
        {"instant": "2026-02-18T22:59", "tz": "Asia/Shanghai", "birth": "1980", "method": "zhirun"},
        {"dun": "陽", "ju": "1", "hour": "甲子", "day": "甲子", "month": "丙寅", "year": "甲子"},
    ),
}


@dataclass(frozen=True, slots=True)
class Field:
    """A field: its name, its kind (of the input, or select), its label, and what may stand in it."""

    name: str
    kind: str
    label: str
    value: str
    hint: str = ""
    note: str = ""
    choices: Sequence[tuple[str, str]] = ()


@dataclass(frozen=True, slots=True)
class Form:
    """The form of an art, with what was given before."""

    art: str
    instant: Sequence[Field]
    pillars: Sequence[Field]
    about: Sequence[Field]
    schools: Sequence[Field]
    examples: Sequence[tuple[str, Mapping[str, str]]]
    changed: bool = field(default=False)
    """Whether a school was chosen that is not the default."""


def form(store: Store, art: str, language: str, words: Words, given: Mapping[str, str]) -> Form:
    """The form of an art.

    >>> from kg.findings import shared
    >>> from kg.server.words import words
    >>> made = form(shared().store, "liuren", "en", words("en"), {"day": "庚申", "noble": "yangniu"})
    >>> made.pillars[0].value, len(made.pillars[0].choices), made.changed
    ('庚申', 61, True)
    """
    label = Labels(store, language)

    def plain(name: str) -> Field:
        kind = {"instant": "datetime-local", "tz": "text"}.get(name, "number")
        hint = words.field_tz_hint if name == "tz" else ""
        return Field(name, kind, words[f"field_{name}"], given.get(name, ""), hint)

    def pillar(name: str) -> Field:
        values: Sequence[str] = PAIRS if art == "qimen" or name == "day" else BRANCHES
        if name in ("dun", "ju"):
            values = ("陽", "陰") if name == "dun" else tuple("123456789")
        chosen = given.get(name, "")
        if chosen and chosen not in values:
            values = [chosen, *values]  # a branch where pairs are offered, or a pair where branches are
        note = "" if name in NEEDED[art] else words.form_optional
        choices = [("", words.field_none), *((v, v) for v in values)]
        return Field(name, "select", words[f"field_{name}"], chosen, note=note, choices=choices)

    about = []
    if art == "qimen":
        birth = given.get("birth", "")
        about.append(
            Field("birth", "text", words.field_birth, birth, words.field_birth_hint, words.form_optional)
        )
        topics = sorted(instances(store, "Topic"), key=lambda node: int(value(store, node, "ordinal", "0")))
        rows = [("", words.field_any), *((label.chinese(node), _both(label, node)) for node in topics)]
        about.append(Field("topic", "select", words.field_topic, given.get("topic", ""), choices=rows))
    schools = [_school(store, key, art, label, words, given) for key in options(art)]
    changed = any(key in given for key in options(art))
    names = [name for name in INSTANT if art == "liuren" or name != "latitude"]
    examples = [(" ".join(example.values()), example) for example in EXAMPLES[art]]
    return Form(
        art,
        [plain(name) for name in names],
        [pillar(name) for name in PILLARS[art]],
        about,
        schools,
        examples,
        changed,
    )


def _school(store: Store, key: str, art: str, label: Labels, words: Words, given: Mapping[str, str]) -> Field:
    """The select of one option, the default first, each value with its authority."""
    option = options(art)[key]
    node = (
        thing(f"option:{key}") if any(store.quads_for_pattern(thing(f"option:{key}"), None, None)) else None
    )
    rows = []
    for notation, school in sorted(option.values.items(), key=lambda row: row[0] != option.default):
        mark = f" · {words.form_default}" if notation == option.default else ""
        rows.append((notation, f"{label(school)} — {value(store, thing(school), 'authority')}{mark}"))
    about = value(store, node, "comment") if node else ""
    name = label(node) if node else key
    return Field(key, "select", name, given.get(key, option.default), about, choices=rows)


def _both(label: Labels, node: NamedNode) -> str:
    """A label with the Chinese before it, where it is not Chinese itself."""
    chinese, own = label.chinese(node), label(node)
    return own if own == chinese else f"{chinese} {own}"


def cleaned(art: str, given: Sequence[tuple[str, str]]) -> dict[str, str]:
    """What a form sent, without what is empty and without options at their default.

    Raises InputError for a name that the form does not have, or one given twice.

    >>> cleaned("liuren", [("day", "庚申"), ("year", ""), ("noble", "niuyang"), ("shehai", "depth")])
    {'day': '庚申', 'shehai': 'depth'}
    """
    known = options(art)
    fields = {*INSTANT, *PILLARS[art], *known, "lang"} | ({"birth", "topic"} if art == "qimen" else set())
    kept: dict[str, str] = {}
    for name, text in given:
        if name not in fields:
            raise InputError("field", name, f"one of {', '.join(sorted(fields))}")
        if name in kept:
            raise InputError(name, text, f"it once ({kept[name]} is given already)")
        text = text.strip()
        if text and not (name in known and text == known[name].default):
            kept[name] = text
    return kept
