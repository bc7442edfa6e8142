"""Charts a second of the Liuren engine beside kinliuren and bazaar-of-fates, and how far they agree.

All three are handed the same charts (day, hour, month general) in the same run; rounds alternate, so that a
busy machine slows each alike, and the median round counts. What they make of a chart differs: kinliuren adds
kin and horse, bazaar-of-fates notes in words, this engine hidden stems and the void. Ratios are against
kinliuren.

    python benchmarks/liuren_engine.py [--charts 720] [--rounds 7]
"""

from __future__ import annotations

import argparse
import importlib
import random
import statistics
import sys
import time
from collections.abc import Callable
from itertools import product

from kg import liuren
from kg.cosmos import BRANCHES, STEMS, pair

Chart = tuple[int, int, int]
Caster = Callable[[int, int, int], str]

BASELINE = "kinliuren"
# One term in each month of the month generals 子 to 亥: kinliuren is told the general by its solar term.
TERMS = "大寒 冬至 小雪 霜降 秋分 處暑 大暑 夏至 小滿 穀雨 春分 雨水".split()


def ours(day: int, hour: int, general: int, *, shehai: str = "mengzhong") -> str:
    """Transmissions by this engine, its courses remembered from one chart to the next."""
    return "".join(BRANCHES[t] for t in liuren.cast(day, hour, general, shehai=shehai).transmissions)


def ours_cold(day: int, hour: int, general: int) -> str:
    """The same with nothing remembered: each chart is worked out from its four lessons on."""
    for remembered in (liuren._course, liuren._generals, liuren._hidden):
        remembered.cache_clear()
    return ours(day, hour, general)


def rivals() -> dict[str, Caster]:
    """The two other programs, or exit 2 and one line that says what to install."""
    try:
        kin = importlib.import_module("kinliuren.kinliuren").Liuren
        bazaar = importlib.import_module("fortune.liuren_ext").cast
    except ImportError as missing:
        sys.stderr.write(
            f"{missing}: this benchmark needs the extra bench-liuren; pip install 'sanshi[bench-liuren]'\n"
        )
        raise SystemExit(2) from missing

    def by_kinliuren(day: int, hour: int, general: int) -> str:
        hour_pair = STEMS[(day % 5 * 2 + hour) % 10] + BRANCHES[hour]
        passes = kin(TERMS[general], "正", pair(day), hour_pair).result(0)["三傳"]
        return "".join(passes[name][0] for name in ("初傳", "中傳", "末傳"))

    def by_bazaar(day: int, hour: int, general: int) -> str:
        return "".join(bazaar(day % 10, day % 12, hour, general)["transmissions"])

    return {BASELINE: by_kinliuren, "bazaar-of-fates": by_bazaar}


def attempt(caster: Caster, chart: Chart) -> str | None:
    """The transmissions, or None where the program fails: some charts make kinliuren raise."""
    try:
        return caster(*chart)
    except (AttributeError, IndexError, KeyError, TypeError, ValueError):
        return None


def rate(caster: Caster, charts: list[Chart]) -> float:
    """Charts a second over one pass, repeated until the pass is long enough to be timed."""
    done, start = 0, time.perf_counter()
    while (spent := time.perf_counter() - start) < 0.2:
        for chart in charts:
            attempt(caster, chart)
        done += len(charts)
    return done / spent


def speed(casters: dict[str, Caster], charts: list[Chart], rounds: int) -> None:
    """Print the median rate of each program and its ratio to the baseline."""
    rates: dict[str, list[float]] = {name: [] for name in casters}
    for _ in range(rounds):
        for name, caster in casters.items():
            rates[name].append(rate(caster, charts))
    base = statistics.median(rates[BASELINE])
    print(f"{len(charts)} charts, median of {rounds} rounds, one core, Python {sys.version.split()[0]}")
    print(f"{'program':<22}{'charts/s':>10}{'slowest':>10}{'fastest':>10}{'x ' + BASELINE:>14}")
    for name, each in rates.items():
        middle = statistics.median(each)
        print(f"{name:<22}{middle:>10.0f}{min(each):>10.0f}{max(each):>10.0f}{middle / base:>14.1f}")


def agreement(others: dict[str, Caster]) -> None:
    """Print for how many of the 720 lessons a program has our transmissions, by school of 涉害."""
    lessons = [(day, 0, offset) for day, offset in product(range(60), range(12))]
    print("\ntransmissions alike, of the 720 lessons (the programs follow different schools of 涉害)")
    print(f"{'program':<22}{'fails':>10}" + "".join(f"{school:>14}" for school in liuren.SHEHAI))
    for name, caster in others.items():
        theirs = [attempt(caster, chart) for chart in lessons]
        alike = [
            sum(ours(*chart, shehai=school) == got for chart, got in zip(lessons, theirs, strict=True))
            for school in liuren.SHEHAI
        ]
        print(f"{name:<22}{theirs.count(None):>10}" + "".join(f"{count:>14}" for count in alike))


def main() -> None:
    """Parse the arguments and print both tables."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument(
        "--charts", type=int, default=720, help="how many of the 8640 charts, drawn with a fixed seed"
    )
    parser.add_argument("--rounds", type=int, default=7, help="rounds of which the median counts")
    options = parser.parse_args()
    if not (1 <= options.charts <= 8640 and options.rounds >= 1):
        parser.error("--charts is from 1 to 8640, --rounds at least 1")
    others = rivals()
    charts = random.Random(1725).sample(list(product(range(60), range(12), range(12))), options.charts)
    speed({"sanshi": ours, "sanshi, no memory": ours_cold, **others}, charts, options.rounds)
    agreement(others)


if __name__ == "__main__":
    main()
