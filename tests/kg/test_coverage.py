"""Coverage: what counts as a character, what covers it, and what the report says of what is left over."""

from __future__ import annotations

import csv
import io
import json

import pytest
from pyoxigraph import Literal, NamedNode, Quad, RdfFormat, Store
from typer.testing import CliRunner

from kg.cli.check import app
from kg.coverage import COLUMNS, NUMBERS, Gap, rows, total, write
from kg.errors import DataError, InputError
from kg.findings import Doctrine
from kg.store import complete
from ontology import expand, prefixes

HEADER = "".join(f"@prefix {name}: <{namespace}> .\n" for name, namespace in prefixes().items())
SMALL = """
work:w a shi:Treatise .
pattern:p a shi:Pattern ; rdfs:label "懸胎"@zh-hant , "현태"@ko ; shi:ordinal 1 ; shi:treatise work:w .
passage:p-1 a shi:Passage ; shi:ordinal 1 ; shi:pattern pattern:p ; shi:baseText "懸胎 三傳寅、巳申，曰末作畫干。"@lzh-hant .
emendation:p-1-1 a shi:Emendation ; shi:passage passage:p-1 ; shi:base "末作畫干"@lzh-hant ; shi:proposed "末生干"@lzh-hant ;
    shi:kind kind:cuozi ; shi:status shi:adopted .
judgment:a a shi:Judgment ; shi:passage passage:p-1 ; shi:quote "三傳寅、巳申"@lzh-hant .
statement:b a shi:Definition ; shi:passage passage:p-1 ; shi:quote "巳申，曰末生干"@lzh-hant .
"""


def small(turtle: str = SMALL) -> Store:
    """A treatise of one pattern, with its established text."""
    store = Store()
    store.load((HEADER + turtle).encode(), format=RdfFormat.TURTLE)
    complete(store)
    return store


def test_each_character_counts_once_and_each_kind_for_itself() -> None:
    (row,) = rows(small())
    assert (row.treatise, row.node, row.label) == ("w", "pattern:p", "懸胎")
    counted = {name: getattr(row, name) for name in NUMBERS}
    # 懸胎三傳寅巳申曰末生干; 巳申 stand in both quotes
    assert counted == {
        "characters": 11,
        "heading": 2,
        "judgments": 5,
        "definitions": 6,
        "methods": 0,
        "caveats": 0,
        "remarks": 0,
        "uncovered": 0,
    }
    assert row.percent == 100.0


@pytest.mark.parametrize(
    ("quote", "shorter", "gaps"),
    [
        ("三傳寅、巳申", "傳寅、巳申", ["三"]),
        ("巳申，曰末生干", "末生干", ["曰"]),
        ("巳申，曰末生干", "申", ["曰末生干"]),
    ],
)
def test_what_no_statement_quotes_is_a_gap(quote: str, shorter: str, gaps: list[str]) -> None:
    (row,) = rows(small(SMALL.replace(f'"{quote}"', f'"{shorter}"')))
    assert row.gaps == tuple(Gap("passage:p-1", words) for words in gaps)
    assert row.uncovered == sum(len(words) for words in gaps)
    assert row.percent < 100


def test_heading_that_is_not_set_off_is_text_like_any_other() -> None:
    (row,) = rows(small(SMALL.replace("懸胎 三傳", "懸胎三傳")))
    assert (row.heading, [gap.words for gap in row.gaps]) == (0, ["懸胎"])


def test_witnessed_form_of_a_heading_is_its_heading_too() -> None:
    (row,) = rows(small(SMALL.replace('"懸胎"@zh-hant', '"玄胎"@zh-hant ; skos:altLabel "懸胎"@lzh-hant')))
    assert (row.label, row.heading, row.uncovered) == ("玄胎", 2, 0)


def test_base_reading_alone_covers_nothing() -> None:
    base_only = SMALL.replace(
        "judgment:a a shi:Judgment ;", "judgment:a a shi:Judgment ; shi:reading reading:base ;"
    )
    (row,) = rows(small(base_only))
    assert [gap.words for gap in row.gaps] == ["三傳寅"]


def test_quote_that_is_not_in_the_passage_is_an_error() -> None:
    store = small()
    quote = next(
        iter(store.quads_for_pattern(NamedNode(expand("judgment:a")), NamedNode(expand("shi:quote")), None))
    )
    store.remove(quote)
    store.add(Quad(quote.subject, quote.predicate, Literal("酉", language="lzh-hant")))
    with pytest.raises(DataError, match="judgment:a: '酉' does not stand in passage:p-1"):
        rows(store)


def test_unknown_treatise_is_refused_with_those_there_are() -> None:
    with pytest.raises(InputError, match="one of w"):
        rows(small(), "liuren")


def test_total_adds_up_and_writes_as_csv_and_json() -> None:
    found = rows(small(SMALL.replace('"三傳寅、巳申"', '"傳寅、巳申"')))
    assert [getattr(total([*found, *found]), n) for n in NUMBERS] == [
        2 * getattr(found[0], n) for n in NUMBERS
    ]
    (record,) = csv.DictReader(io.StringIO(write(found, "csv")))
    assert tuple(record) == COLUMNS
    assert (record["label"], record["uncovered"]) == ("懸胎", "1")
    (entry,) = json.loads(write(found, "json"))
    assert entry["gaps"] == [{"passage": "passage:p-1", "words": "三"}]
    assert entry["percent"] == pytest.approx(90.91)


@pytest.mark.parametrize("treatise", ["liuren-jingwei", "qimen-miji"])
def test_every_character_of_the_treatises_is_covered(doctrine: Doctrine, treatise: str) -> None:
    found = rows(doctrine.store, treatise)
    assert len(found) == {"liuren-jingwei": 55, "qimen-miji": 34}[treatise]
    assert [gap for row in found for gap in row.gaps] == []
    assert all(row.characters for row in found)


def test_command_prints_the_table_and_fails_below_the_whole(monkeypatch: pytest.MonkeyPatch) -> None:
    runner = CliRunner()
    whole = runner.invoke(app, ["coverage", "--treatise", "qimen-miji", "--format", "csv"])
    assert (whole.exit_code, len(whole.stdout.splitlines())) == (0, 35)

    class Part:
        store = small(SMALL.replace('"三傳寅、巳申"', '"傳寅、巳申"'))

    monkeypatch.setattr("kg.findings.shared", Part)
    part = runner.invoke(app, ["coverage"])
    assert part.exit_code == 1
    assert "懸胎" in part.stdout
    assert "90.91" in part.stdout
    assert "passage:p-1: 三" in part.stdout


def test_the_table_is_not_cut() -> None:
    """Once the columns were named characte…, judgmen… and definiti…, and a topic 占人生貴…."""
    table = CliRunner().invoke(app, ["coverage"]).stdout
    assert "…" not in table
    assert "占人生貴賤" in table and "definitions" in table
