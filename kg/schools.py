"""The options on which the schools differ, read from `ontology/schools.ttl`: names, values, defaults, authority.

A chart is cast under one value of each option of its art; what is not named takes the default, which is
recorded on the chart like any other choice.
"""

from __future__ import annotations

import functools
from collections.abc import Mapping
from dataclasses import dataclass

from kg.cosmos import table
from kg.errors import InputError
from ontology import HERE


@dataclass(frozen=True, slots=True)
class Option:
    """One option: its key, the nodes of its values by notation, and the default notation."""

    key: str
    arts: frozenset[str]
    values: Mapping[str, str]
    default: str


@functools.cache
def _all() -> tuple[Option, ...]:
    rows = {name: row for path in sorted(HERE.glob("*schools.ttl")) for name, row in table(path.name).items()}
    found = []
    for name, row in sorted(rows.items()):
        if not name.startswith("option:"):
            continue
        values = {v["skos:notation"][0]: n for n, v in rows.items() if v.get("shi:ofOption") == [name]}
        arts = frozenset(art.removeprefix("shi:") for art in row["shi:art"])
        default = next(notation for notation, node in values.items() if [node] == row["shi:default"])
        found.append(Option(row["shi:key"][0], arts, values, default))
    return tuple(found)


@functools.cache
def options(art: str) -> dict[str, Option]:
    """The options of an art, `liuren` or `qimen`, by key.

    >>> options("liuren")["shehai"].default
    'mengzhong'
    """
    return {option.key: option for option in _all() if art in option.arts}


def resolve(art: str, given: Mapping[str, str]) -> dict[str, str]:
    """The value of every option of the art: those given, else the defaults.

    Raises InputError for an option the art does not have or a value the option does not take.

    >>> resolve("liuren", {"shehai": "depth"})["shehai"]
    'depth'
    >>> resolve("liuren", {"shehai": "deep"})
    Traceback (most recent call last):
    kg.errors.InputError: shehai: 'deep' is not accepted; give mengzhong, depth, depth-seat
    """
    known = options(art)
    for key, value in given.items():
        if key not in known:
            raise InputError("option", key, f"one of {', '.join(sorted(known))}")
        if value not in known[key].values:
            raise InputError(key, value, ", ".join(known[key].values))
    return {key: given.get(key, option.default) for key, option in sorted(known.items())}


def chosen(art: str, values: Mapping[str, str]) -> list[str]:
    """The nodes of the values chosen, as prefixed names.

    >>> chosen("liuren", {"noble": "yangniu"})
    ['school:noble-yangniu']
    """
    return [options(art)[key].values[value] for key, value in values.items()]
