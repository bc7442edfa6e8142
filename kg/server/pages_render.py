"""Templates filled: the words, links and labels that every page needs, in one language."""

from __future__ import annotations

import functools
from collections.abc import Callable, Mapping
from typing import Any
from urllib.parse import urlencode

from jinja2 import Environment, PackageLoader, StrictUndefined
from pyoxigraph import NamedNode, Store

from kg.edition import bcp47, labels
from kg.facts import thing
from kg.server.describe import local, named
from kg.server.negotiation import HTML
from kg.server.reply import Reply
from kg.server.words import HTML_TAGS, LANGUAGES, NAMES, words
from ontology import shorten

ZONES = (
    "Asia/Shanghai",
    "Asia/Seoul",
    "Asia/Taipei",
    "Asia/Hong_Kong",
    "Asia/Tokyo",
    "Asia/Singapore",
    "Europe/Berlin",
    "Europe/London",
    "America/New_York",
    "America/Los_Angeles",
    "UTC",
)
"""Zones that a form proposes; any other of the IANA is taken as well."""
HALVES = {"zh": "zh-hant", "ko": "ko", "en": "en"}
"""The tag of the labels of the graph in each language."""


@functools.cache
def environment() -> Environment:
    """The templates; what they print is escaped, and a name that is not given is an error."""
    made = Environment(
        loader=PackageLoader("kg.server"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        auto_reload=False,
    )
    made.filters["bcp47"] = bcp47
    made.filters["short"] = shorten
    return made


def address(language: str, path: str, fragment: str = "", /, **parameters: str) -> str:
    """An address of this server that keeps the language.

    >>> address("ko", "/read/liuren-jingwei", "s1", mode="base"), address("en", "/ontology#generates")
    ('/read/liuren-jingwei?mode=base&lang=ko#s1', '/ontology?lang=en#generates')
    """
    path, _, inner = path.partition("#")
    asked = urlencode({name: value for name, value in parameters.items() if value} | {"lang": language})
    end = fragment or inner
    return f"{path}?{asked}" + (f"#{end}" if end else "")


def address_of(language: str, iri: str) -> str:
    """The address of the page of an IRI: here for ours, elsewhere as it is, empty where it is on no web."""
    path = local(iri)
    return address(language, path) if path.startswith("/") else path


class Labels:
    """The labels of things in one language, for the templates."""

    def __init__(self, store: Store, language: str) -> None:
        self._store = store
        self.language = language

    def __call__(self, node: NamedNode | str) -> str:
        """The label of a thing (a node, an IRI or a prefixed name), else its prefixed name."""
        found = node if isinstance(node, NamedNode) else thing(node)
        return named(labels(self._store, found), self.language, shorten(found.value))

    def chinese(self, node: NamedNode) -> str:
        """The Chinese label of a thing; empty where it has none."""
        return labels(self._store, node).get("zh-hant", "")

    def others(self, node: NamedNode) -> dict[str, str]:
        """The labels in the other two languages, by tag of HTML."""
        found = labels(self._store, node)
        return {
            HTML_TAGS[language]: found[HALVES[language]]
            for language in LANGUAGES
            if language != self.language and HALVES[language] in found
        }


def render(
    template: str,
    language: str,
    here: str,
    parameters: Mapping[str, str] | None = None,
    **context: Any,
) -> bytes:
    """A page; `here` and `parameters` are its own address, for the links to it in the other languages."""
    url: Callable[..., str] = functools.partial(address, language)
    return (
        environment()
        .get_template(template)
        .render(
            t=words(language),
            lang=language,
            html_lang=HTML_TAGS[language],
            url=url,
            url_of=functools.partial(address_of, language),
            here=here,
            thing=thing,
            zones=ZONES,
            switch=[
                (code, HTML_TAGS[code], NAMES[code], address(code, here, **dict(parameters or {})))
                for code in LANGUAGES
            ],
            **context,
        )
        .encode()
    )


def page(
    template: str,
    language: str,
    here: str,
    parameters: Mapping[str, str] | None = None,
    status: int = 200,
    **context: Any,
) -> Reply:
    """A page as a reply."""
    content = render(template, language, here, parameters, **context)
    return Reply(content, HTML, {"Content-Language": HTML_TAGS[language]}, status)


def message(status: int, line: str, language: str) -> bytes:
    """A refusal as a page.

    >>> b"no &lt;b&gt;" in message(404, "no <b>", "en")
    True
    """
    return render("error.html", language, "", None, code=status, line=line)
