"""What the schools change in one chart, and how often over the 720 lessons."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping

import pytest

from kg import liuren
from kg.cli import main
from kg.compare import differences, served, weights
from kg.errors import InputError
from kg.findings import Doctrine
from kg.liuren_chart import LiurenChart, cast
from kg.schools import options

DINGMAO = {"day": "丁卯", "hour": "子", "general": "戌"}
"""Two lower branches rob in its lessons: 丑 over 卯 and 亥 over 丑. By 孟仲 丑 comes first, by depth 亥."""
GENGSHEN = {"day": "庚申", "hour": "子", "general": "亥"}


def of(pillars: Mapping[str, str]) -> Callable[[Mapping[str, str]], LiurenChart]:
    return lambda given: cast(given, **pillars)  # type: ignore[arg-type]


def names(iris: tuple[str, ...]) -> set[str]:
    return {iri.rpartition("/")[2] for iri in iris}


def test_depth_instead_of_the_first_months_changes_the_transmissions_and_what_they_mean(
    doctrine: Doctrine,
) -> None:
    depth, seat = differences(doctrine, of(DINGMAO), {}, ["shehai"])
    assert (depth.option, depth.value, depth.other) == ("shehai", "mengzhong", "depth")
    assert depth.transmissions == ("丑亥酉", "亥酉未")
    # 丁 feeds 丑, which clashes with the lodge 未 and rides on 勾陳 over 卯
    assert names(depth.only) == {
        "shangguan-initial",
        "yaodong-initial",
        "zhengsong-chuchuan",
        "zhengsong-mao-linmen",
    }
    # 亥 controls 丁, is void, and rides on 朱雀 over 丑; 丁 feeds 未, 未 酉, 酉 亥
    assert names(depth.only_other) == {
        "shangguan-chain-forward",
        "guansong-initial",
        "shuangju-initial",
        "wenshu-chuchuan",
        "wenshu-chou-yanmu",
    }
    assert (seat.other, seat.transmissions[1]) == ("depth-seat", "亥酉未")


def test_what_an_emendation_adds_is_gone_in_the_text_as_witnessed(doctrine: Doctrine) -> None:
    (row,) = differences(doctrine, of(GENGSHEN), {}, ["reading"])
    assert (names(row.only), names(row.only_other)) == ({"jiecai-branch"}, set())
    assert row.transmissions == ("酉未未", "酉未未")


def test_from_the_other_side_the_same_difference_is_turned_round(doctrine: Doctrine) -> None:
    (row,) = differences(doctrine, of(GENGSHEN), {"reading": "base"}, ["reading"])
    assert (row.value, row.other) == ("base", "established")
    assert (names(row.only), names(row.only_other)) == (set(), {"jiecai-branch"})


def test_an_option_that_changes_nothing_has_no_row(doctrine: Doctrine) -> None:
    """庚申 is 八專: no lesson is left to 涉害. 酉 is 帝旺 of 庚 by both tables. 子 is night, whoever says so."""
    assert differences(doctrine, of(GENGSHEN), {}, ["shehai", "stages"]) == []
    others = [row.other for row in differences(doctrine, of(GENGSHEN), {}, ["daylight"])]
    assert others == ["day"]


def test_values_that_a_chart_cannot_be_cast_under_are_left_out() -> None:
    known = options("liuren")
    assert served(known["boundary"], instant=False) == ["23:00"]
    assert served(known["boundary"], instant=True) == ["23:00", "00:00"]
    assert served(known["jiyue"], instant=True) == ["month", "eighteen"]
    assert served(known["daylight"], instant=True) == ["hours", "day", "night"]
    assert served(known["clock"], instant=True) == ["standard"]


def test_an_instant_is_compared_under_what_only_an_instant_can_serve(doctrine: Doctrine) -> None:
    """At 23:42 the day has turned by one school and not by the other."""

    def at(given: Mapping[str, str]) -> LiurenChart:
        return cast(given, instant="2025-02-19T23:42", tz="Asia/Shanghai")

    (row,) = differences(doctrine, at, {}, ["boundary"])
    assert (row.value, row.other) == ("23:00", "00:00")
    assert at({}).pillars["day"] == "庚申"
    assert at({"boundary": "00:00"}).pillars["day"] == "己未"
    assert row.only != row.only_other


def test_over_all_lessons_each_value_is_weighed_against_the_default(doctrine: Doctrine) -> None:
    found = {(w.option, w.other): w for w in weights(doctrine, ["daylight", "shehai"], "寅", "子")}
    assert set(found) == {
        ("daylight", "day"),
        ("daylight", "night"),
        ("shehai", "depth"),
        ("shehai", "depth-seat"),
    }
    assert {w.charts for w in found.values()} == {720}
    night, day = found["daylight", "night"], found["daylight", "day"]
    assert (night.transmissions, night.findings) == (0, 0), "子 is night"
    assert day.transmissions == 0, "the noble moves no transmission"
    assert day.findings > 360
    for value in ("depth", "depth-seat"):
        plates = [
            (liuren.cast(day, 0, offset), liuren.cast(day, 0, offset, shehai=value))
            for day in range(60)
            for offset in range(12)
        ]
        moved = [one for one, other in plates if one.transmissions != other.transmissions]
        assert {plate.method for plate in moved} == {"涉害"}
        weight = found["shehai", value]
        assert weight.transmissions == len(moved)
        assert weight.findings == len(moved), "another initial rides on another general, over another branch"


# ---- the command


def run(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], *words: str
) -> tuple[int, str, str]:
    monkeypatch.setenv("COLUMNS", "100")
    monkeypatch.setattr(sys, "argv", ["sanshi", "compare", *words])
    code = 0
    try:
        main()
    except SystemExit as end:
        code = int(end.code or 0)
    return (code, *capsys.readouterr())


def test_the_command_shows_both_boards_and_each_clause(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ["--day", "丁卯", "--hour", "子", "--general", "戌", "--option", "shehai"]
    code, out, _ = run(monkeypatch, capsys, *words)
    assert code == 0
    lines = out.splitlines()
    assert lines[0] == "shehai mengzhong → depth  丑亥酉 → 亥酉未"
    assert "  - 爭訟 · 臨門  「勾陳臨卯曰臨門，家不和」" in lines
    assert "  + 文書 · 掩目  「朱雀臨丑曰掩目，動靜得昌」" in lines


def test_the_command_says_that_nothing_changes(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ["--day", "庚申", "--hour", "子", "--general", "亥", "--option", "shehai", "--option", "stages"]
    code, out, _ = run(monkeypatch, capsys, *words)
    assert (code, out.strip()) == (0, "no value of shehai, stages changes this chart or its findings")


def test_a_school_may_stand_before_or_after_what_is_compared(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    chart = ["--day", "庚申", "--hour", "子", "--general", "亥", "--option", "reading"]
    for words in (["--shehai", "depth", *chart], [*chart, "--shehai=depth"]):
        code, out, _ = run(monkeypatch, capsys, *words)
        assert code == 0
        assert out.splitlines() == [
            "reading established → base  酉未未 → 酉未未",
            "  - 劫財  「支比干，彼奪我財」",
        ]


def test_schools_given_hold_over_all_lessons_too(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    code, out, _ = run(monkeypatch, capsys, "--option", "daylight", "--daylight", "night")
    rows = [[cell.strip() for cell in line.strip("│").split("│")] for line in out.splitlines() if "│" in line]
    assert code == 0
    assert rows[0] == ["daylight", "night", "hours", "720", "0", "0"], "at 子 it is night by the hours"
    assert rows[1][:3] == ["daylight", "night", "day"]


@pytest.mark.parametrize(
    ("words", "problem"),
    [
        (["--option", "colour"], "--option: 'colour' is not accepted; give one of "),
        (["--day", "庚申"], "needs an instant, or day, hour and general"),
        (["2025-02-19T23:42"], "2025-02-19T23:42"),
        (["--day", "庚申", "--hour", "子", "--general", "亥", "--shehai", "deep"], "shehai: 'deep'"),
        (["--hour", "子"], "needs an instant, or day, hour and general"),
    ],
)
def test_a_fault_is_one_line_and_exit_code_2(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], words: list[str], problem: str
) -> None:
    code, out, err = run(monkeypatch, capsys, *words)
    assert (code, out) == (2, "")
    assert problem in err
    assert err.count("\n") == 1


def test_an_option_of_the_other_art_is_refused(doctrine: Doctrine) -> None:
    with pytest.raises(InputError, match="option"):
        differences(doctrine, of(GENGSHEN), {"plate": "turning"}, ["shehai"])
