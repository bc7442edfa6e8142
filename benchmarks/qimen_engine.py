"""Charts a second of the Qi Men engine beside kinqimen and qimen-rs, and how far they agree.

All three are handed the same instants (UTC+8, 拆補, turning plate) in the same run; rounds alternate, so
that a busy machine slows each alike, and the median round counts. From an instant each finds pillars, term,
局 and plate; kinqimen adds growth stages; qimen-rs is written in Rust and hands its chart over as JSON. The
last row is this engine on a 局 and an hour already known, which the others do not offer. Ratios are against
kinqimen.

    python benchmarks/qimen_engine.py [--charts 480] [--rounds 5] [--slow 12]
"""

from __future__ import annotations

import argparse
import importlib
import importlib.util
import random
import statistics
import sys
import time
from collections.abc import Callable
from datetime import datetime, timedelta, timezone

from kg.calendar import moment
from kg.cosmos import STEMS, sexagenary
from kg.ju import chaibu
from kg.palaces import DOORS, PALACES, RING, SPIRITS, STARS
from kg.qimen import Plate, cast

Board = list[str]
Caster = Callable[[datetime], Board]

BASELINE = "kinqimen"
CHINA = timezone(timedelta(hours=8))
SIGNS = {
    **dict(zip("jia yi bing ding wu ji geng xin ren gui".split(), STEMS, strict=True)),
    **{star.id.partition("-")[2]: star.sign for star in STARS[1:]},
    **{spirit.id.partition("-")[2]: spirit.sign for spirit in SPIRITS[1:]},
}
DOOR_SIGNS = dict(
    zip("xiu sheng shang du scene si jing kai".split(), (d.sign for d in DOORS[1:]), strict=True)
)


def board(plate: Plate) -> Board:
    """Heaven stem, star, door and spirit of each outer palace; guests of the centre left out."""
    return [
        STEMS[plate.heaven[p][0]]
        + STARS[plate.stars[p][0]].sign
        + DOORS[plate.doors[p]].sign
        + SPIRITS[plate.spirits[p]].sign
        for p in RING
    ]


def ours(instant: datetime, *, spirits: str = "seat") -> Board:
    """From the instant: pillars and term, 局, plate."""
    when, found = moment(instant), chaibu(instant)
    return board(cast(found.dun, found.ju, sexagenary(when.hour), spirits=spirits, day=when.day_index))


def rivals() -> dict[str, Caster]:
    """The two other programs, or exit 2 and one line that says what to install."""
    try:
        package = importlib.util.find_spec("kinqimen")
        if package is None:
            raise ImportError("No module named 'kinqimen'")
        # Its modules name one another without the package.
        sys.path[:0] = package.submodule_search_locations or []
        kin = importlib.import_module("kinqimen").Qimen
        rust = importlib.import_module("qimen_rs").calculate
    except ImportError as missing:
        sys.stderr.write(
            f"{missing}: this benchmark needs the extra bench-qimen; pip install 'sanshi[bench-qimen]'\n"
        )
        raise SystemExit(2) from missing

    def by_kinqimen(instant: datetime) -> Board:
        chart = kin(instant.year, instant.month, instant.day, instant.hour, instant.minute).pan(1)
        rows = [[chart[part][PALACES[p].sign] for part in ("天盤", "星", "門", "神")] for p in RING]
        return ["".join(row).replace("禽", "芮") for row in rows]

    def by_rust(instant: datetime) -> Board:
        keys = ("year", "month", "day", "hour", "minute")
        palaces = rust({key: getattr(instant, key) for key in keys})["palaces"]
        return [
            SIGNS[palaces[p - 1]["heaven_stems"][0]["stem"]]
            + SIGNS[palaces[p - 1]["stars"][0].replace("_", "")]
            + DOOR_SIGNS[palaces[p - 1]["door"]]
            + SIGNS[palaces[p - 1]["deity"].replace("_", "")]
            for p in RING
        ]

    return {BASELINE: by_kinqimen, "qimen-rs": by_rust}


def attempt(caster: Caster, instant: datetime) -> Board | None:
    """The board, or None where the program fails."""
    try:
        return caster(instant)
    except (AttributeError, IndexError, KeyError, TypeError, ValueError):
        return None


def rate(call: Callable[[int], object], count: int) -> float:
    """Calls a second, over at least half a second and at least one call."""
    done, start = 0, time.perf_counter()
    while (spent := time.perf_counter() - start) < 0.5:
        call(done % count)
        done += 1
    return done / spent


def speed(casters: dict[str, Caster], instants: list[datetime], rounds: int) -> None:
    """Print the median rate of each program and its ratio to the baseline."""
    known = []
    for instant in instants:
        found = chaibu(instant)
        known.append((found.dun, found.ju, sexagenary(moment(instant).hour)))

    def numbered(caster: Caster) -> Callable[[int], object]:
        return lambda n: attempt(caster, instants[n])

    calls = {name: numbered(caster) for name, caster in casters.items()}
    calls["sanshi, plate alone"] = lambda n: cast(*known[n])
    rates: dict[str, list[float]] = {name: [] for name in calls}
    for _ in range(rounds):
        for name, call in calls.items():
            rates[name].append(rate(call, len(instants)))
    base = statistics.median(rates[BASELINE])
    print(f"{len(instants)} instants, median of {rounds} rounds, one core, Python {sys.version.split()[0]}")
    print(f"{'program':<22}{'charts/s':>10}{'slowest':>10}{'fastest':>10}{'x ' + BASELINE:>14}")
    for name, each in rates.items():
        middle = statistics.median(each)
        print(f"{name:<22}{middle:>10.1f}{min(each):>10.1f}{max(each):>10.1f}{middle / base:>14.0f}")


def agreement(others: dict[str, Caster], instants: list[datetime], slow: int) -> None:
    """Print on how many instants a program has our board, by the names of the spirits."""
    print("\nwhole boards alike (heaven stem, star, door, spirit of eight palaces)")
    print(f"{'program':<22}{'instants':>10}{'fails':>10}{'spirits seat':>14}{'spirits tiger':>14}")
    for name, caster in others.items():
        asked = instants[:slow] if name == BASELINE else instants
        theirs = [attempt(caster, instant) for instant in asked]
        alike = [
            sum(ours(instant, spirits=names) == got for instant, got in zip(asked, theirs, strict=True))
            for names in ("seat", "tiger")
        ]
        print(f"{name:<22}{len(asked):>10}{theirs.count(None):>10}{alike[0]:>14}{alike[1]:>14}")


def main() -> None:
    """Parse the arguments and print both tables."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--charts", type=int, default=480, help="how many instants, drawn with a fixed seed")
    parser.add_argument("--rounds", type=int, default=5, help="rounds of which the median counts")
    parser.add_argument("--slow", type=int, default=12, help="instants on which kinqimen is compared")
    options = parser.parse_args()
    if min(options.charts, options.rounds, options.slow) < 1:
        parser.error("--charts, --rounds and --slow are at least 1")
    others = rivals()
    start, minutes = datetime(1950, 1, 1, tzinfo=CHINA), random.Random(1080)
    instants = [start + timedelta(minutes=minutes.randrange(100 * 365 * 1440)) for _ in range(options.charts)]
    speed({"sanshi": ours, **others}, instants, options.rounds)
    agreement(others, instants, options.slow)


if __name__ == "__main__":
    main()
