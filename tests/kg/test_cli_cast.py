"""`sanshi cast liuren` and `sanshi schools`: what is printed, and how it fails."""

from __future__ import annotations

import json
import re
import subprocess
import sys
import time
from collections.abc import Callable

import pytest
from rdflib import Graph
from typer.testing import CliRunner

from kg.casting_graph import triples
from kg.chart_json import casting_json
from kg.cli import cast as _registers
from kg.cli import main
from kg.cli.app import app
from kg.findings import Casting, shared
from kg.liuren_chart import cast
from kg.schools import options

PILLARS = ["--day", "庚申", "--hour", "子", "--general", "亥"]
WHOLE = [*PILLARS, "--month", "寅", "--year", "巳"]
INSTANT = ["2025-02-19T23:42", "--tz", "Asia/Shanghai"]

Run = Callable[..., tuple[int, str, str]]


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Run:
    """Run the command as the console script does: exit code, what went to stdout, what went to stderr."""

    def command(*words: str) -> tuple[int, str, str]:
        monkeypatch.setattr(sys, "argv", ["sanshi", *words])
        with pytest.raises(SystemExit) as end:
            main()
        out, err = capsys.readouterr()
        return int(end.value.code or 0), out, err

    return command


def casting(*, options: dict[str, str] | None = None, **words: str) -> Casting:
    return shared().cast(cast(options or {}, **words))  # type: ignore[arg-type]


OF_PILLARS = {"day": "庚申", "hour": "子", "general": "亥"}
OF_WHOLE = OF_PILLARS | {"month": "寅", "year": "巳"}
OF_INSTANT = {"instant": "2025-02-19T23:42", "tz": "Asia/Shanghai"}


# Formats and languages


@pytest.mark.parametrize(
    ("words", "same"), [(WHOLE, OF_WHOLE), (INSTANT, OF_INSTANT)], ids=["pillars", "instant"]
)
def test_json_is_that_of_the_library(run: Run, words: list[str], same: dict[str, str]) -> None:
    for lang in ("zh", "ko", "en"):
        code, out, err = run("cast", "liuren", *words, "--format", "json", "--lang", lang)
        assert (code, err) == (0, "")
        assert json.loads(out) == casting_json(casting(**same), lang)
    assert "\\u" not in out


@pytest.mark.parametrize(("format_", "parser"), [("turtle", "turtle"), ("jsonld", "json-ld")])
def test_rdf_parses_and_holds_every_triple(run: Run, format_: str, parser: str) -> None:
    code, out, err = run("cast", "liuren", *WHOLE, "--format", format_)
    assert (code, err) == (0, "")
    assert len(Graph().parse(data=out, format=parser)) == len(triples(casting(**OF_WHOLE)))


@pytest.mark.parametrize(
    ("lang", "words", "reason"),
    [
        ("zh", ("四課", "三傳", "空亡", "月將"), "支上未土生日支申金"),
        ("ko", ("사과", "삼전", "공망", "월장"), "지상 미토(未土)가 일지 신금(申金)을 생한다"),
        (
            "en",
            ("lessons", "transmissions", "void", "month general"),
            "Wei 未 (earth) upon the branch generates",
        ),
    ],
)
def test_the_board_drawn_in_three_languages(run: Run, lang: str, words: tuple[str, ...], reason: str) -> None:
    code, out, err = run("cast", "liuren", *INSTANT, "--lang", lang)
    assert (code, err) == (0, "")
    for word in (
        *words,
        "乙巳",
        "戊寅",
        "庚申",
        "丙子",
        "2025-02-19T23:42:00+08:00",
        reason,
        "「支上生支，干上生干",
    ):
        assert word in out
    assert all(f"{key}={option.default}" in out for key, option in options("liuren").items())
    gloss = "지상신이 일지를 생하고" if lang == "ko" else "upper"
    assert gloss in out


def test_the_board_shows_every_finding_with_its_quote_and_its_reasons(run: Run) -> None:
    """甲戌: hollow findings are marked and the caveat is quoted; the apparatus is shown."""
    words = {"day": "甲戌", "hour": "午", "general": "酉", "month": "辰", "year": "寅"}
    _, out, _ = run("cast", "liuren", *[w for key, value in words.items() for w in (f"--{key}", value)])
    cast_ = casting(**words)
    for finding in cast_.findings:
        assert f"「{finding.clause.quote}」" in out
        assert all(sentence in out for sentence in cast_.because(finding, "zh"))
    assert out.count("（虛）") == sum(finding.hollow for finding in cast_.findings) == 5
    assert "「三將或空一二，勿以此名實論」" in out
    assert "臨巳曰掩目 → 臨辰曰掩目" in out


def test_the_plate_stands_as_on_a_board(run: Run) -> None:
    """South above: over 巳午未申 stand, at offset 3, 申酉戌亥."""
    _, out, _ = run("cast", "liuren", "--day", "甲戌", "--hour", "午", "--general", "酉")
    rows = [re.sub(r"[│╭╮╰╯─]", " ", line).split() for line in out.splitlines()]
    assert ["青龍申", "勾陳酉", "六合戌", "朱雀亥"] in [row[:4] for row in rows]
    assert ["巳", "午", "未", "申"] in [row[:4] for row in rows]
    assert ["寅", "丑", "子", "亥"] in [row[:4] for row in rows]


def test_what_was_not_asked_is_listed(run: Run) -> None:
    _, out, _ = run("cast", "liuren", *PILLARS, "--lang", "en")
    assert "not asked" in out
    assert "--month, or an instant" in out
    assert "--year, or an instant" in out


@pytest.mark.parametrize(
    ("language", "said"), [("zh", "月建: --month，或所占之時刻"), ("ko", "월건: --month나 점치는 시각")]
)
def test_what_was_not_asked_is_said_in_the_language_asked_for(run: Run, language: str, said: str) -> None:
    """Once the input was named in English whatever the language."""
    _, out, _ = run("cast", "liuren", *PILLARS, "--lang", language)
    assert said in out
    assert "the month" not in out


# School options


def test_school_options_go_with_pillars_and_with_instants_wherever_they_stand(run: Run) -> None:
    """Once `--noble yangniu` after bare pillars was taken for an instant."""
    expected = casting(options={"noble": "yangniu", "void": "lin"}, **OF_PILLARS).chart.iri
    orders = [
        [*PILLARS, "--noble", "yangniu", "--void", "lin"],
        ["--noble", "yangniu", "--void=lin", *PILLARS],
        [*PILLARS[:2], "--void=lin", *PILLARS[2:], "--noble=yangniu"],
    ]
    for words in orders:
        code, out, err = run("cast", "liuren", *words, "--format", "json")
        assert (code, err) == (0, "")
        assert json.loads(out)["chart"]["iri"] == expected
    at = casting(options={"reading": "base"}, **OF_INSTANT).chart.iri
    for words in (["--reading", "base", *INSTANT], [*INSTANT, "--reading=base"]):
        assert json.loads(run("cast", "liuren", *words, "--format", "json")[1])["chart"]["iri"] == at


def test_reading_base_changes_what_it_should(run: Run) -> None:
    """庚寅: the witness has 六合臨卯曰違理, and 己勞我 for 彼勞我."""
    words = [
        "--day",
        "庚寅",
        "--hour",
        "辰",
        "--general",
        "巳",
        "--month",
        "巳",
        "--year",
        "辰",
        "--format",
        "json",
    ]
    base, established = (
        json.loads(run("cast", "liuren", *words, "--reading", reading)[1])["findings"]
        for reading in ("base", "established")
    )
    names = [{f["name"] for f in found if f["heading"] == "交合"} for found in (base, established)]
    assert names == [{None, "違理", "入室"}, {None, "入室"}]
    quotes = [[f["quote"] for f in found if f["heading"] == "妻財"] for found in (base, established)]
    assert quotes == [["支受干克，己勞我"], ["支受干克，彼勞我"]]


def test_schools_lists_every_option_default_first(run: Run) -> None:
    code, out, err = run("schools", "liuren")
    assert (code, err) == (0, "")
    for key, option in options("liuren").items():
        line = next(line for line in out.splitlines() if f"--{key} " in line)
        assert option.default in line
        assert all(notation in out for notation in option.values)
    assert "六壬經緯" in out


# Errors: one line on stderr, exit code 2, and what would be accepted


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--day", "甲丑", *PILLARS[2:]], "day: '甲丑' is not accepted; give one of the sixty pairs 甲子 … 癸亥"),
        (["--day", "庚申", "--hour", "甲子", "--general", "亥"], "hour: '甲子' is not accepted; give 子 or 丙子"),
        (["--day", "庚申", "--hour", "鼠", "--general", "亥"], "give one of 子丑寅卯辰巳午未申酉戌亥"),
        (["--day", "庚申", "--hour", "子", "--general", "登明"], "general: '登明' is not accepted; give one of 子丑寅"),
        ([*PILLARS, "--month", "甲寅", "--year", "乙巳"], "month: '甲寅' is not accepted; give 寅 or 戊寅"),
        ([*PILLARS, "--month", "正月"], "month: '正月' is not accepted; give one of the sixty pairs"),
        ([*PILLARS, "--year", "2025"], "year: '2025' is not accepted; give one of the sixty pairs"),
        (["2025-02-19T23:42"], "give its zone, as Asia/Shanghai, or its offset, as 2025-02-19T23:42+08:00"),
        (["2025-02-19T23:42", "--tz", "Asia/Peking"], "zone: 'Asia/Peking' is not accepted; give an IANA zone"),
        (["2025-02-30T12:00", "--tz", "Asia/Shanghai"], "give a date and time that exist"),
        (["19 Feb 2025", "--tz", "Asia/Shanghai"], "give date and time as 2024-12-21T17:20"),
        (["1850-01-01T12:00Z"], "give a year from 1900 to 2100"),
        (["2150-01-01T12:00Z"], "give a year from 1900 to 2100"),
        ([*INSTANT, "--nobel", "niuyang"], "option: 'nobel' is not accepted; give one of boundary, clock, daylight"),
        ([*INSTANT, "--noble", "ox"], "noble: 'ox' is not accepted; give niuyang, yangniu"),
        ([*INSTANT, "--noble"], "--noble: '' is not accepted; give a value after it"),
        ([*INSTANT, "--noble", "--void"], "--noble: '' is not accepted; give a value after it"),
        ([*INSTANT, "-n", "niuyang"], "option: '-n' is not accepted; give school options in full"),
        ([*INSTANT, "2025-02-20T00:42"], "give one instant, not one more after 2025-02-19T23:42"),
        ([*INSTANT, "--day", "庚申"], "give either an instant or pillars, not both"),
        ([*INSTANT, "--daylight", "sun"], "daylight=sun needs a longitude and a latitude"),
        ([*INSTANT, "--clock", "solar"], "longitude"),
        ([*INSTANT, "--longitude", "200"], "longitude: '200.0' is not accepted; give degrees east, from -180 to 180"),
        ([*INSTANT, "--latitude", "39.9"], "a latitude needs the longitude of the place"),
        ([*PILLARS, "--tz", "Asia/Shanghai"], "tz: 'Asia/Shanghai' is not accepted; give it only with an instant"),
        ([*PILLARS, "--jiyue", "eighteen"], "jiyue=eighteen needs an instant"),
        (["--day", "庚申", "--hour", "子"], "a Liuren chart needs an instant, or day, hour and general"),
        (["--format", "json"], "a Liuren chart needs an instant, or day, hour and general"),
    ],
)  # fmt: skip
def test_an_error_is_one_line_that_says_what_is_accepted(run: Run, words: list[str], message: str) -> None:
    code, out, err = run("cast", "liuren", *words)
    assert (code, out) == (2, "")
    assert err.startswith("sanshi: ")
    assert err.count("\n") == 1
    assert message in err


def test_an_art_that_is_none(run: Run) -> None:
    code, out, err = run("schools", "taiyi")
    assert (code, out, err) == (2, "", "sanshi: art: 'taiyi' is not accepted; give liuren or qimen\n")


@pytest.mark.parametrize(
    ("words", "accepted"),
    [
        (["--format", "xml"], "'text', 'json', 'turtle', 'jsonld'"),
        (["--lang", "fr"], "'en', 'ko', 'zh'"),
        (["--longitude", "east"], "number"),
        (["--day"], "requires an argument"),
    ],
)
def test_a_declared_option_with_a_wrong_value(words: list[str], accepted: str) -> None:
    result = CliRunner().invoke(app, ["cast", "liuren", *INSTANT, *words])
    assert result.exit_code == 2
    assert accepted in result.output.splitlines()[-1]


def test_without_arguments_help_is_shown() -> None:
    result = CliRunner().invoke(app, ["cast"])
    assert _registers.cast_app.info.no_args_is_help
    assert "liuren" in result.output
    assert result.exit_code == 2


# Real processes


def process(*words: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-c", "from kg.cli import main; main()", *words]
    return subprocess.run(command, capture_output=True, text=True, encoding="utf-8", timeout=60, check=False)


def test_a_cold_cast_in_a_process_of_its_own() -> None:
    start = time.monotonic()
    done = process("cast", "liuren", *WHOLE, "--format", "json")
    assert time.monotonic() - start < 20
    assert (done.returncode, done.stderr) == (0, "")
    found = json.loads(done.stdout)
    assert found["chart"]["pillars"]["hour"] == "丙子"
    assert [row["branch"] for row in found["chart"]["transmissions"]] == ["酉", "未", "未"]


def test_a_failing_cast_in_a_process_of_its_own() -> None:
    done = process("cast", "liuren", "--day", "甲丑", "--hour", "子", "--general", "亥")
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == "sanshi: day: '甲丑' is not accepted; give one of the sixty pairs 甲子 … 癸亥\n"


def test_help_names_the_commands_and_loads_nothing_heavy() -> None:
    done = process("--help")
    assert done.returncode == 0
    for command in ("cast", "schools"):
        assert re.search(rf"\b{command}\b", done.stdout)
    code = (
        "import sys; sys.argv = ['sanshi', '--help']\nfrom kg.cli import main\n"
        "try:\n    main()\nexcept SystemExit:\n    pass\n"
        "print(sorted({'rdflib', 'owlready2', 'pyshacl', 'SPARQLWrapper'} & set(sys.modules)))"
    )
    loaded = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, timeout=60, check=True
    )
    assert loaded.stdout.splitlines()[-1] == "[]"
