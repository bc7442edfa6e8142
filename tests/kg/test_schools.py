"""The options on which the schools differ: named, with a default, an authority, and labels."""

from __future__ import annotations

import pytest

from kg.cosmos import NOBLES, table
from kg.errors import InputError
from kg.facts import thing
from kg.findings import Doctrine
from kg.liuren import SHEHAI
from kg.schools import chosen, options, resolve
from kg.store import instances, value
from ontology import shorten


def test_the_options_of_liuren_and_their_defaults() -> None:
    assert {key: option.default for key, option in options("liuren").items()} == {
        "boundary": "23:00",
        "clock": "standard",
        "daylight": "hours",
        "jiyue": "month",
        "noble": "niuyang",
        "reading": "established",
        "shehai": "mengzhong",
        "stages": "jingwei",
        "void": "feng",
    }


def test_the_values_of_the_options() -> None:
    values = {key: set(option.values) for key, option in options("liuren").items()}
    assert values == {
        "boundary": {"23:00", "00:00"},
        "clock": {"standard", "solar"},
        "daylight": {"hours", "sun", "day", "night"},
        "jiyue": {"month", "eighteen"},
        "noble": set(NOBLES),
        "reading": {"established", "base"},
        "shehai": set(SHEHAI),
        "stages": {"jingwei", "element"},
        "void": {"feng", "lin"},
    }


def test_an_art_that_is_none_has_no_options() -> None:
    assert options("taiyi") == {}


def test_what_is_not_named_takes_its_default() -> None:
    settled = resolve("liuren", {"noble": "yangniu"})
    assert settled == {key: o.default for key, o in options("liuren").items()} | {"noble": "yangniu"}
    assert list(settled) == sorted(settled)


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"nobel": "niuyang"}, "option: 'nobel' is not accepted; give one of boundary, clock, daylight"),
        ({"noble": "ox"}, "noble: 'ox' is not accepted; give niuyang, yangniu"),
        ({"noble": ""}, "noble: '' is not accepted"),
        ({"": "ox"}, "option: '' is not accepted"),
        ({"reading": "Base"}, "give established, base"),
    ],
)
def test_an_unknown_option_or_value_is_refused_with_what_is_known(
    given: dict[str, str], message: str
) -> None:
    with pytest.raises(InputError) as error:
        resolve("liuren", given)
    assert message in str(error.value)


def test_what_was_chosen_is_named_by_its_node() -> None:
    assert chosen("liuren", {"void": "lin", "reading": "base"}) == ["school:void-lin", "reading:base"]


@pytest.mark.parametrize("art", ["liuren", "qimen"])
def test_each_option_and_value_says_what_it_is_and_who_holds_it(doctrine: Doctrine, art: str) -> None:
    lacking = []
    by_key = {value(doctrine.store, node, "key"): node for node in instances(doctrine.store, "Option")}
    for key, option in options(art).items():
        names = [shorten(by_key[key].value), *option.values.values()]
        lacking += [
            (name, tag)
            for name in names
            for tag in ("zh", "ko", "en")
            if not doctrine.verbaliser(tag).label(thing(name))
        ]
        lacking += [
            (name, "authority") for name in names[1:] if not value(doctrine.store, thing(name), "authority")
        ]
        assert option.default in option.values
        assert len(option.values) > 1
    assert not lacking


def test_a_form_is_governed_by_an_option_of_its_art() -> None:
    governed = {
        name: row["shi:governedBy"] for name, row in table("forms.ttl").items() if "shi:governedBy" in row
    }
    known = {f"option:{key}" for key in options("liuren")}
    assert governed
    assert not {name: found for name, found in governed.items() if not known.issuperset(found)}
