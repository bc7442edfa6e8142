"""The census of Liuren: every chart there is, with what the doctrine finds in it, as a collection that can be asked.

The work is cut by day pair: sixty parts, each written whole or not at all, so that a census killed at any moment goes
on where it stopped and ends with the same data. Parts are N-Quads of the default graph; at the end they are loaded, with
the doctrine, into a store on disk, or gathered in one file. A chart is written with its inputs, method, transmissions
and findings; all else about it follows from casting it again.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from functools import cache
from itertools import product
from json import dumps
from pathlib import Path
from typing import Any

from pyoxigraph import RdfFormat, Store

from kg.alike import Judge, Verdict
from kg.cosmos import BRANCHES, names, pair
from kg.errors import InputError, StoreError
from kg.findings import Doctrine
from kg.liuren_chart import LiurenChart, cast_pillars
from kg.schools import resolve
from ontology import TERMS, expand

DAYS = tuple(pair(number) for number in range(60))
MONTHS = ("寅", "辰")
"""Two month branches by default: one in which the season commands, and one in which earth does."""
TRANSMITTED = ("firstTransmitted", "secondTransmitted", "thirdTransmitted")

Progress = Callable[[int, int], None]


@dataclass(frozen=True, slots=True)
class Plan:
    """What is counted: months, years (none: years are not asked), states of the text, and the other options."""

    months: tuple[str, ...] = MONTHS
    years: tuple[str, ...] = ()
    readings: tuple[str, ...] = ("established",)
    options: tuple[tuple[str, str], ...] = ()

    def charts(self, day: str) -> Iterator[LiurenChart]:
        """The charts of a day: every hour and month general in every month and year of the plan."""
        for hour, general, month, year, reading in product(
            BRANCHES, BRANCHES, self.months, self.years or (None,), self.readings
        ):
            given = {**dict(self.options), "reading": reading}
            yield cast_pillars(day, hour, general, month=month, year=year, given=given)


def plan(
    months: Sequence[str] = MONTHS,
    years: Sequence[str] = (),
    readings: Sequence[str] = ("established",),
    options: Mapping[str, str] | None = None,
) -> Plan:
    """A plan whose inputs are checked. Raises InputError.

    >>> sum(1 for _ in plan().charts("甲子"))
    288
    """
    for field, values in (("months", months), ("years", years)):
        for value in values:
            if value not in BRANCHES:
                raise InputError(field, value, f"branches of {BRANCHES}")
    for reading in readings:
        resolve("liuren", {**(options or {}), "reading": reading})
    once = [tuple(dict.fromkeys(values)) for values in (months, years, readings)]
    return Plan(once[0], once[1], once[2], tuple(sorted((options or {}).items())))


@cache
def _judge() -> Judge:
    """The judge of this process."""
    return Judge(Doctrine().reasoner)


def lines(chart: LiurenChart, verdict: Verdict) -> Iterator[str]:
    """A chart of the census as lines of N-Quads."""
    subject, plate = f"<{chart.iri}>", chart.plate
    branches = names("branch")

    def fact(predicate: str, value: str) -> str:
        return f"{subject} <{TERMS}{predicate}> {value} .\n"

    yield f"{subject} <http://www.w3.org/1999/02/22-rdf-syntax-ns#type> <{TERMS}LiurenChart> .\n"
    yield fact("dayPair", f"<{expand(names('pair')[plate.day])}>")
    yield fact("hourBranch", f"<{expand(branches[plate.hour])}>")
    yield fact("monthGeneral", f"<{expand(branches[plate.general])}>")
    for predicate, number in (("monthBranch", chart.month), ("yearBranch", chart.year)):
        if number is not None:
            yield fact(predicate, f"<{expand(branches[number])}>")
    yield fact("method", f'"{plate.method}"@zh-hant')
    for predicate, number in zip(TRANSMITTED, plate.transmissions, strict=True):
        yield fact(predicate, f"<{expand(branches[number])}>")
    for judgment in sorted(verdict.exhibits):
        yield fact("exhibits", f"<{judgment}>")
    for judgment in sorted(verdict.hollow):
        yield fact("hollow", f"<{judgment}>")


def write_part(planned: Plan, day: str, path: Path) -> int:
    """Write the part of one day, whole or not at all; the number of its charts."""
    charts = list(planned.charts(day))
    verdicts = _judge()(charts)
    unfinished = path.with_suffix(f".unfinished-{os.getpid()}")
    with unfinished.open("w", encoding="utf-8") as out:
        for chart in charts:
            out.writelines(lines(chart, verdicts[chart.iri]))
        out.flush()
        os.fsync(out.fileno())
    unfinished.replace(path)
    return len(charts)


def _part(folder: Path, day: str) -> Path:
    return folder / f"{names('pair')[DAYS.index(day)].partition(':')[2]}.nq"


def write_parts(
    folder: Path,
    planned: Plan,
    *,
    processes: int = 2,
    dask: str | None = None,
    progress: Progress | None = None,
) -> list[Path]:
    """Write the parts that a folder does not have yet, and return all sixty.

    `dask` is the address of a scheduler whose workers see the same folder. Raises StoreError where the folder holds
    the parts of another plan.
    """
    folder.mkdir(parents=True, exist_ok=True)
    record, stated = folder / "plan.json", dumps(asdict(planned), ensure_ascii=False)
    if record.exists() and record.read_text(encoding="utf-8") != stated:
        raise StoreError(f"{folder} holds a census of another plan; give another folder, or remove this one")
    with _whole(record) as unfinished:
        unfinished.write_text(stated, encoding="utf-8")
    for left in folder.glob("*.unfinished-*"):
        left.unlink()  # a part that a killed process did not finish
    missing = [day for day in DAYS if not _part(folder, day).exists()]
    done = len(DAYS) - len(missing)
    for _ in _run(dask, processes, [(planned, day, _part(folder, day)) for day in missing]):
        done += 1
        if progress:
            progress(done, len(DAYS))
    return [_part(folder, day) for day in DAYS]


def _run(dask: str | None, processes: int, tasks: list[tuple[Plan, str, Path]]) -> Iterator[Any]:
    """Run the tasks here or on a cluster, and yield as each is done."""
    if not tasks:
        return
    if dask is not None:
        from distributed import Client, as_completed

        with Client(dask) as client:
            yield from as_completed(
                client.map(write_part, *zip(*tasks, strict=True), pure=False), with_results=True
            )
    elif processes == 1:
        for task in tasks:
            yield write_part(*task)
    else:
        with ProcessPoolExecutor(processes) as pool:
            yield from pool.map(write_part, *zip(*tasks, strict=True))


@contextmanager
def _whole(path: Path) -> Iterator[Path]:
    """A place beside a path, which takes its name only when all is written."""
    building = path.with_name(path.name + ".building")
    if building.is_dir():
        shutil.rmtree(building)
    building.unlink(missing_ok=True)
    yield building
    building.replace(path)


def store(parts: Iterable[Path], path: Path, doctrine: Store) -> None:
    """A store on disk of the parts and the doctrine; it is there whole or not at all. Raises StoreError if it exists."""
    if path.exists():
        raise StoreError(f"{path} exists already; a census is never written into another store")
    with _whole(path) as building:
        on_disk = Store(str(building))
        on_disk.bulk_extend(doctrine)
        for part in parts:
            on_disk.bulk_load(path=str(part), format=RdfFormat.N_QUADS)
        on_disk.flush()
        del on_disk


def gather(parts: Iterable[Path], path: Path) -> None:
    """All parts in one file of N-Quads, whole or not at all."""
    with _whole(path) as building, building.open("wb") as out:
        for part in parts:
            with part.open("rb") as source:
                shutil.copyfileobj(source, out)
