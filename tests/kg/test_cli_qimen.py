"""`sanshi cast qimen` as a command: what it prints, where errors go, how it ends."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest
from rich.cells import cell_len

from kg.schools import options
from kg.topics import topics

INSTANT = ("2026-02-18T22:59", "--tz", "Asia/Shanghai")
BARE = ("--dun", "陽", "--ju", "1", "--hour", "甲子", "--day", "甲子", "--month", "丙寅", "--year", "甲子")


def sanshi(*words: str) -> subprocess.CompletedProcess[str]:
    code = "from kg.cli import main; main()"
    return subprocess.run(
        [sys.executable, "-c", code, *words], capture_output=True, text=True, encoding="utf-8", check=False
    )


def qimen(*words: str) -> subprocess.CompletedProcess[str]:
    return sanshi("cast", "qimen", *words)


def test_the_nine_palaces_are_drawn_in_the_order_of_the_luo_shu() -> None:
    done = qimen(*INSTANT, "--method", "zhirun", "--birth", "1980")
    assert (done.returncode, done.stderr) == (0, "")
    rows = [line for line in done.stdout.splitlines() if line.startswith("│")]
    named = [line.split() for line in rows if "巽4" in line or "震3" in line or "艮8" in line]
    assert [[word for word in words if word[-1].isdigit()] for words in named] == [
        ["巽4", "離9", "坤2"],
        ["震3", "中5", "兌7"],
        ["艮8", "坎1", "乾6"],
    ]
    assert len({cell_len(line) for line in rows}) == 1
    head = done.stdout.splitlines()
    assert head[0] == "丙午年 庚寅月 癸亥日 癸亥時  陽遁2局 下元 立春 zhirun"
    assert head[1].startswith("值符 天柱 兌7  值使 驚門 兌7")
    assert "年命 庚申" in head


def test_marks_of_void_horse_and_chiefs() -> None:
    board = qimen(*INSTANT).stdout.splitlines()
    cells = [line for line in board if line.startswith("│")]
    assert "馬" in cells[0].split("│")[1]
    assert "符使" in cells[4].split("│")[3]
    assert ["空" in cell for cell in cells[8].split("│")[1:4]] == [True, True, False]


def test_formats_stand_under_the_board_by_palace() -> None:
    lines = [line for line in qimen(*INSTANT).stdout.splitlines() if line.startswith("格 ")]
    assert lines[0].split() == ["格", "全盤", "伏吟·凶"]
    assert "太白同宮·凶" in next(line for line in lines if line.startswith("格 巽4"))


def test_a_format_that_geng_spoils_is_said_not_to_count() -> None:
    done = qimen(
        "--dun", "陽", "--ju", "1", "--hour", "子", "--day", "甲子", "--year", "庚寅", "--void", "day"
    )
    assert done.returncode == 0
    spoilt = qimen("--dun", "陽", "--ju", "6", "--hour", "甲子")
    assert "太白同宮·凶·不計" in spoilt.stdout


def test_json_of_bare_pillars() -> None:
    done = qimen(*BARE, "--format", "json")
    found = json.loads(done.stdout)
    assert found["chart"]["iri"].endswith("/chart/qimen-yang1-h.01-jiazi-d.01-jiazi-m.03-bingyin-y.01-jiazi")
    assert found["findings"] == []
    assert found["omitted"] == []
    assert len(found["topics"]) == 34
    assert found["topics"][12] == "占失物"


@pytest.mark.parametrize("name", ["占失物", "shiwu", "Lost property", "LOST PROPERTY"])
def test_a_topic_by_any_of_its_names(name: str) -> None:
    done = qimen(*BARE, "--topic", name, "--format", "json")
    found = json.loads(done.stdout)
    assert {finding["heading"] for finding in found["findings"]} == {"占失物"}
    assert "topics" not in found


def test_topics_are_listed_in_the_language_asked() -> None:
    done = qimen(*BARE, "--lang", "en")
    _, _, listed = done.stdout.partition("topics (--topic): ")
    names = " ".join(listed.split()).split(", ")
    assert (len(names), names[12]) == (34, "Lost property")


@pytest.mark.parametrize(("format", "says"), [("turtle", "@prefix shi:"), ("jsonld", '"@id"')])
def test_as_data(format: str, says: str) -> None:
    done = qimen(*BARE, "--format", format)
    assert done.returncode == 0
    assert says in done.stdout


def test_school_options_with_hyphen_or_underscore() -> None:
    one, other = (
        qimen(*BARE, word, "plain", "--format", "json").stdout for word in ("--star_rule", "--star-rule")
    )
    assert json.loads(one)["chart"]["options"]["star_rule"] == "plain"
    assert one == other


@pytest.mark.parametrize("art", ["qimen", "liuren"])
def test_schools_and_topics_keep_to_the_width_of_the_terminal(
    art: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The schools of a Qimen chart were once one line of 700 columns."""
    monkeypatch.setenv("COLUMNS", "60")
    lines = sanshi("cast", art, *INSTANT).stdout.splitlines()
    said = [line for line in lines if "=" in line]
    keys = [word.partition("=")[0] for line in said for word in line.split()]
    assert len(said) > 1 and sorted(keys) == sorted(options(art))
    assert max(cell_len(line) for line in said) <= 60
    listed = lines[lines.index("") + 1 :] if art == "qimen" else []
    assert max((cell_len(line) for line in listed), default=0) <= 60
    assert "".join(listed).count("、") == (33 if art == "qimen" else 0)


def test_the_schools_of_the_art_are_listed() -> None:
    done = sanshi("schools", "qimen")
    assert done.returncode == 0
    for key in ("method", "threshold", "plate", "host", "tomb", "jiudun"):
        assert f"--{key}" in done.stdout


@pytest.mark.parametrize(
    ("words", "says"),
    [
        ((), "an instant, or dun, ju and hour"),
        (("--dun", "陽", "--ju", "12", "--hour", "甲子"), "1 to 9"),
        (("2026-02-18T22:59",), "its zone"),
        ((*INSTANT, "--threshold", "9"), "only with method=zhirun"),
        ((*INSTANT, "--plates", "flying"), "palace_rule"),
        ((*INSTANT, "--plate", "round"), "turning, flying"),
        ((*INSTANT, "--topic", "占天氣"), "no topic is called"),
        ((*INSTANT, "--birth", "soon"), "a year as 1980"),
        ((*INSTANT, "--birth", "zz"), "a year as 1980, a pair as 庚申, or an instant"),
        ((*INSTANT, "--birth", "甲丑"), "one of the sixty pairs"),
        ((*INSTANT, "--format", "xml"), "'text', 'json', 'turtle', 'jsonld'"),
        ((*INSTANT, "--lang", "fr"), "'en', 'ko', 'zh'"),
        ((*INSTANT, "--ju", "one"), "integer"),
        ((*INSTANT, *BARE), "either an instant or"),
    ],
)
def test_errors_are_one_line_on_stderr_and_the_code_is_2(words: tuple[str, ...], says: str) -> None:
    done = qimen(*words)
    assert (done.returncode, done.stdout) == (2, "")
    assert says in done.stderr
    assert done.stderr.count("\n") == 1


def test_topics_come_in_the_order_of_the_book(doctrine: object) -> None:
    found = [topic.slug for topic in topics(doctrine)]  # type: ignore[arg-type]
    assert (found[0], found[-1]) == ("wenzui", "rensheng")
