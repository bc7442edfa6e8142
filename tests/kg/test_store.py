"""The doctrine as a store: loaded whole, completed with what follows from it, refused by name where it cannot
be.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from pyoxigraph import Literal, NamedNode, RdfFormat, Store

from kg.errors import DataError
from kg.facts import TYPE, term, thing
from kg.findings import Doctrine
from kg.store import complete, instances, load, passages, treatise_files, value, values
from ontology import files, prefixes, shorten

PASSAGE = 'passage:p a shi:Passage ; shi:baseText "人相相傷，人相相傷"@lzh-hant . '
MENDED = (
    'emendation:e a shi:Emendation ; shi:passage passage:p ; shi:base "相相"@lzh-hant ; shi:proposed "相"@lzh-hant ; '
    "shi:status shi:adopted ; shi:occurrence 2 . "
)


def store_of(text: str) -> Store:
    store = Store()
    header = "".join(f"@prefix {name}: <{iri}> . " for name, iri in prefixes().items())
    store.load((header + text).encode(), format=RdfFormat.TURTLE)
    return store


def judgment(quote: str, more: str = "") -> str:
    return f'judgment:j a shi:Judgment ; shi:passage passage:p ; shi:quote "{quote}"@lzh-hant {more} . '


# Loading


def test_a_file_that_does_not_parse_is_named_with_its_line(tmp_path: Path) -> None:
    broken = tmp_path / "broken.ttl"
    broken.write_text("@prefix : <urn:> .\n:a :b :c .\n:a :b\n", encoding="utf-8")
    with pytest.raises(DataError, match=r"broken\.ttl: .*line"):
        load([broken])


def test_every_file_loads_by_itself() -> None:
    for path in [*files(), *treatise_files()]:
        assert len(load([path])) > 0, path.name


# Completing


def test_the_established_text_is_computed() -> None:
    store = store_of(PASSAGE + MENDED + judgment("人相傷"))
    complete(store)
    assert value(store, thing("passage:p"), "establishedText") == "人相相傷，人相傷"
    (text,) = values(store, thing("passage:p"), "establishedText")
    assert isinstance(text, Literal)
    assert text.language == "lzh-hant"
    assert value(store, thing("judgment:j"), "baseQuote") == "人相相傷"


def test_a_judgment_without_a_reading_stands_in_both() -> None:
    store = store_of(PASSAGE + judgment("人相相傷"))
    complete(store)
    assert values(store, thing("judgment:j"), "reading") == [
        thing("reading:base"),
        thing("reading:established"),
    ]


def test_a_base_reading_quotes_the_witness() -> None:
    store = store_of(PASSAGE + MENDED + judgment("人相相傷", "; shi:occurrence 2 ; shi:reading reading:base"))
    complete(store)
    assert values(store, thing("judgment:j"), "reading") == [thing("reading:base")]
    assert value(store, thing("judgment:j"), "baseQuote") == "人相相傷"


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        (PASSAGE + judgment("人相殘"), "judgment:j: '人相殘' does not stand in passage:p"),
        (
            PASSAGE + MENDED + judgment("人相相傷", "; shi:occurrence 2"),
            "judgment:j: '人相相傷' does not stand",
        ),
        ("judgment:j a shi:Judgment ; shi:quote '人'@lzh-hant .", "judgment:j: shi:passage names no passage"),
        (judgment("人"), "judgment:j: shi:passage names no passage"),
        (PASSAGE + "emendation:e a shi:Emendation .", "emendation:e: an emendation needs shi:passage"),
        (PASSAGE + MENDED.replace("2 .", "3 ."), "emendation:e: '相相' does not stand in passage:p"),
    ],
)
def test_data_that_do_not_fit_are_refused_by_name(text: str, reason: str) -> None:
    with pytest.raises(DataError) as error:
        complete(store_of(text))
    assert reason in str(error.value)


def test_a_slip_of_the_commentary_touches_no_word_of_the_text() -> None:
    slip = (
        'emendation:s a shi:Emendation ; shi:passage passage:p ; shi:kind kind:slip ; shi:base "한국어"@ko . '
    )
    store = store_of(PASSAGE + slip)
    complete(store)
    assert [p.emendations for p in passages(store).values()] == [()]


# Reading


def test_values_are_in_order_and_a_missing_one_has_its_default() -> None:
    store = store_of('passage:p a shi:Passage ; shi:parallel "b" , "a" .')
    node = thing("passage:p")
    assert [v.value for v in values(store, node, "parallel")] == ["a", "b"]
    assert value(store, node, "parallel") == "a"
    assert (value(store, node, "locator"), value(store, node, "locator", "?")) == ("", "?")


def test_instances_of_several_classes_are_sorted() -> None:
    store = store_of("caveat:a a shi:Caveat . judgment:b a shi:Judgment . judgment:a a shi:Judgment .")
    assert [shorten(n.value) for n in instances(store, "Judgment", "Caveat")] == [
        "caveat:a",
        "judgment:a",
        "judgment:b",
    ]


# The doctrine there is


def test_the_55_patterns_of_the_treatise_each_have_passages_and_judgments(doctrine: Doctrine) -> None:
    store = doctrine.store
    patterns = [
        node
        for node in instances(store, "Pattern")
        if thing("work:liuren-jingwei") in values(store, node, "treatise")
    ]
    assert len(patterns) == 55
    assert sorted(int(value(store, node, "ordinal")) for node in patterns) == list(range(1, 56))
    lacking = [
        shorten(node.value)
        for node in patterns
        for kind in ("Passage", "Judgment")
        if not any(
            any(store.quads_for_pattern(q.subject, TYPE, term(kind)))
            for q in store.quads_for_pattern(None, term("pattern"), node)
        )
    ]
    assert not lacking


def test_every_statement_is_glossed_in_korean_and_english(doctrine: Doctrine) -> None:
    lacking = []
    for node in instances(doctrine.store, "Judgment", "Caveat", "Definition", "Method", "Remark"):
        tags = {v.language for v in values(doctrine.store, node, "gloss") if isinstance(v, Literal)}
        if tags != {"ko", "en"}:
            lacking.append((shorten(node.value), tags))
    assert not lacking


def test_each_term_that_a_judgment_names_is_there(doctrine: Doctrine) -> None:
    """No parameter of a judgment that is not declared: a slip in a name would only never hold."""
    store = doctrine.store
    keys = "form relation series sequence season general palace kin stage strength reading matter".split()
    unknown = {
        shorten(v.value)
        for node in instances(store, "Judgment", "Caveat")
        for key in keys
        for v in values(store, node, key)
        if isinstance(v, NamedNode) and not any(store.quads_for_pattern(v, None, None))
    }
    assert not unknown


def test_each_pattern_of_a_series_is_a_sequence_of_three(doctrine: Doctrine) -> None:
    store = doctrine.store
    for node in instances(store, "Sequence"):
        branches = [values(store, node, place) for place in ("first", "second", "third")]
        spelt = "".join(
            doctrine.verbaliser("zh").label(b[0]) for b in branches if isinstance(b[0], NamedNode)
        )
        assert spelt == doctrine.verbaliser("zh").label(node)
        slugs = [shorten(b[0].value).rpartition("-")[2] for b in branches]
        assert shorten(node.value) == "sequence:" + "-".join(slugs)
