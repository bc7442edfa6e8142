"""The tables and the picture of the census: they count the same charts, and miss nothing that was asked of them."""

from __future__ import annotations

import csv
from pathlib import Path

from pyoxigraph import Store

from kg import census
from kg.census_plan import MONTHS, plan
from kg.census_report import TABLES, picture, report
from kg.facts import term, thing
from kg.findings import Doctrine
from kg.store import instances, values
from ontology import shorten

FOLDER = Path(__file__).parents[2] / "docs" / "census"


def table(name: str, folder: Path = FOLDER) -> list[dict[str, str]]:
    with (folder / f"{name}.csv").open(encoding="utf-8", newline="") as lines:
        return list(csv.DictReader(lines))


def test_the_picture_is_drawn_from_the_table() -> None:
    charts = sum(int(row["charts"]) for row in table("methods-by-frequency"))
    assert charts == 17280
    shares = [(row["heading"], int(row["charts"])) for row in table("headings-by-frequency")]
    assert (FOLDER / "frequency.svg").read_text(encoding="utf-8") == picture(shares, charts)


def test_each_judgment_is_found_or_never_found_or_was_not_asked(doctrine: Doctrine) -> None:
    store = doctrine.store
    found = {row["judgment"] for row in table("judgments-by-frequency")}
    never = {row["judgment"] for row in table("judgments-never-found")}
    assert not found & never
    unasked = set()
    for judgment in instances(store, "Judgment"):
        if not values(store, judgment, "pattern"):
            continue
        needs = {need for form in values(store, judgment, "form") for need in values(store, form, "needs")}  # type: ignore[arg-type]
        seasons = set(values(store, judgment, "season"))
        if (
            thing("reading:established") not in values(store, judgment, "reading")
            or needs - {term("needsMonth")}
            or (seasons and MONTHS == ("寅", "辰") and thing("season:01-spring") not in seasons)
        ):
            unasked.add(shorten(judgment.value))
        else:
            assert shorten(judgment.value) in found | never
    assert not unasked & (found | never)
    assert {"judgment:tianen-year", "judgment:guange-shun-qiu", "judgment:xuantai-ni-xia"} <= unasked


def test_the_sequences_that_no_lesson_has_are_those_of_the_text(doctrine: Doctrine) -> None:
    """申寅亥, in the base text of 懸胎, is the one by which it is known to be corrupt."""
    rows = table("sequences-never-found")
    assert {row["reading"] for row in rows if row["sequence"] == "申寅亥"} == {"base"}
    impossible = {
        row["judgment"] for row in table("judgments-never-found") if row["cause"] == "cause:sequence"
    }
    assert impossible and impossible <= {row["judgment"] for row in rows}


def test_the_lift_is_that_of_the_counts() -> None:
    rows = table("headings-by-lift")
    shown = {row["heading"]: int(row["charts"]) for row in table("headings-by-frequency")}
    assert len(rows) == len(shown) * (len(shown) - 1) // 2
    for row in rows:
        these, those, both = shown[row["heading"]], shown[row["other"]], int(row["both"])
        assert (these, those) == (int(row["these"]), int(row["those"]))
        assert abs(both * 17280 / (these * those) - float(row["lift"])) < 0.001


def test_a_report_is_made_of_any_census_and_agrees_with_the_tables(tmp_path: Path) -> None:
    """Of three days under the same months nothing is found that the whole census does not find as often."""
    path = census.take(tmp_path / "census", plan(days=("甲子", "丙寅", "庚申")), processes=1)
    written = report(Store.read_only(str(path)), tmp_path / "report")
    assert {path.name for path in written} == {
        *(f"{name}.csv" for name in TABLES),
        "frequency.svg",
        "schools.csv",
    }
    assert table("schools", tmp_path / "report") == table("schools")
    for name, key in (("judgments-by-frequency", "judgment"), ("headings-by-frequency", "heading")):
        whole = {row[key]: int(row["charts"]) for row in table(name)}
        few = {row[key]: int(row["charts"]) for row in table(name, tmp_path / "report")}
        assert few and all(charts <= whole[found] for found, charts in few.items())
    never = {row["judgment"] for row in table("judgments-never-found", tmp_path / "report")}
    assert {row["judgment"] for row in table("judgments-never-found")} < never
