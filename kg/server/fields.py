"""What the services for programs take, described once: requests are checked by it, and OpenAPI is written from it."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from kg.errors import InputError
from kg.schools import options

LANG = ("en", "ko", "zh")


@dataclass(frozen=True, slots=True)
class Field:
    """A member of a JSON object, or a parameter of an address. `kinds` are types of JSON Schema."""

    name: str
    kinds: tuple[str, ...]
    about: str
    example: Any
    among: tuple[str, ...] = ()

    def schema(self) -> dict[str, Any]:
        """The field in JSON Schema."""
        told: dict[str, Any] = {"type": self.kinds[0] if len(self.kinds) == 1 else list(self.kinds)}
        if self.among:
            told["enum"] = list(self.among)
        return {**told, "description": self.about, "examples": [self.example]}

    def check(self, value: Any) -> Any:
        """A value that the field takes. Raises InputError for any other.

        >>> Field("ju", ("integer",), "", 1).check(True)
        Traceback (most recent call last):
        kg.errors.InputError: ju: 'True' is not accepted; give a JSON integer, such as 1
        """
        for kind in self.kinds:
            if isinstance(value, _TYPES[kind]) and not isinstance(value, bool):
                if isinstance(value, float) and not math.isfinite(value):
                    break
                if self.among and value not in self.among:
                    raise InputError(self.name, value, f"one of {', '.join(self.among)}")
                return value
        kinds = " or ".join(self.kinds)
        raise InputError(self.name, _short(value), f"a JSON {kinds}, such as {self.example}")


_TYPES: Mapping[str, type | tuple[type, ...]] = {"string": str, "integer": int, "number": (int, float)}

_INSTANT = Field(
    "instant", ("string",), "Date and time in ISO 8601, with an offset or `tz`.", "2025-02-19T23:42"
)
_TZ = Field("tz", ("string",), "IANA zone, or offset, of the instant.", "Asia/Shanghai")
_LONGITUDE = Field("longitude", ("number",), "Degrees east, for true solar time.", 116.4)
_LANG = Field("lang", ("string",), "Language of the reasons; zh if not given.", "en", LANG)

CASTS: Mapping[str, tuple[Field, ...]] = {
    "liuren": (
        _INSTANT,
        _TZ,
        Field("day", ("string",), "Day pair, instead of an instant.", "庚申"),
        Field("hour", ("string",), "Hour branch or pair.", "子"),
        Field("general", ("string",), "Month general (月將), a branch.", "亥"),
        Field("month", ("string",), "Month branch (月建) or pair.", "寅"),
        Field("year", ("string",), "Year branch or pair.", "巳"),
        _LONGITUDE,
        Field("latitude", ("number",), "Degrees north, for `daylight: sun`.", 39.9),
        _LANG,
    ),
    "qimen": (
        _INSTANT,
        _TZ,
        Field("dun", ("string",), "陽 or 陰, with `ju` instead of an instant.", "陽"),
        Field("ju", ("integer",), "Number of the 局, 1 to 9.", 1),
        Field("hour", ("string",), "Hour pair, or a branch where the day is given.", "甲子"),
        Field("day", ("string",), "Day pair.", "甲子"),
        Field("month", ("string",), "Month pair or branch.", "丙寅"),
        Field("year", ("string",), "Year pair or branch.", "甲子"),
        Field("birth", ("string", "integer"), "Birth: a year, an instant, or a pair.", 1980),
        _LONGITUDE,
        Field("topic", ("string",), "Findings of this topic alone, by its name.", "占失物"),
        _LANG,
    ),
}
"""What a chart of each art is cast from: the names of the command's options, without those of the schools."""
APART = ("lang", "topic")
"""Those that do not make another chart."""


def school_fields(art: str) -> tuple[Field, ...]:
    """The school options of an art as fields.

    >>> [field.among for field in school_fields("liuren") if field.name == "noble"]
    [('niuyang', 'yangniu')]
    """
    return tuple(
        Field(
            key,
            ("string",),
            f"A choice of school; {option.default} if not given.",
            option.default,
            tuple(option.values),
        )
        for key, option in options(art).items()
    )


@dataclass(frozen=True, slots=True)
class Asked:
    """A body, checked: what the chart is cast from, the schools chosen, and what is not of the chart."""

    inputs: Mapping[str, Any]
    schools: Mapping[str, str]
    apart: Mapping[str, str]


def read(art: str, body: Mapping[str, Any]) -> Asked:
    """The members of a body by what they are for; null is the same as nothing.

    Raises InputError for a member that there is not and for a value that a member does not take.

    >>> read("liuren", {"day": "庚申", "noble": "yangniu", "lang": "ko"}).schools
    {'noble': 'yangniu'}
    """
    fields = {field.name: field for field in CASTS[art]}
    schools = {field.name: field for field in school_fields(art)}
    checked: dict[str, Any] = {}
    for name, value in body.items():
        field = fields.get(name) or schools.get(name)
        if field is None:
            raise InputError("field", _short(name), f"one of {', '.join([*fields, *schools])}")
        if value is not None:
            checked[name] = field.check(value)
    return Asked(
        {name: value for name, value in checked.items() if name in fields and name not in APART},
        {name: value for name, value in checked.items() if name in schools},
        {name: value for name, value in checked.items() if name in APART},
    )


def _short(value: Any) -> str:
    text = str(value)
    return text if len(text) <= 60 else text[:59] + "…"
