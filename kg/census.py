"""The census of an art: every chart there is, with what the doctrine finds in it, as a collection that can be asked.

The work is cut into parts (of Liuren by day, of Qimen by 局), each written whole or not at all, so that a census killed
at any moment goes on where it stopped and ends with the same data. Parts are N-Quads of the default graph or tables in
Parquet; at the end they are loaded, with the doctrine, into a store on disk, or gathered in one file. The parts are
shared out among processes, here or on a Dask cluster: most of the time goes to text and dictionaries in Python, where two
processes do half as much again as two threads.
"""

from __future__ import annotations

import hashlib
import multiprocessing
import os
import threading
import uuid
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from dataclasses import asdict
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from itertools import groupby, islice
from json import dumps
from multiprocessing.connection import wait
from operator import itemgetter
from pathlib import Path
from typing import Any

from pyoxigraph import NamedNode

from kg.alike import Judge, Verdict
from kg.census_counts import Tally, beside, keep
from kg.census_plan import Census
from kg.census_rows import QuadsWriter, TableWriter
from kg.census_store import described, gather, store, whole
from kg.errors import MissingInput, StoreError
from kg.facts import Chart, term
from kg.findings import shared
from kg.store import doctrine, treatise_files
from ontology import files

FORMS = {"store": ".nq", "nquads": ".nq", "parquet": ".parquet"}
"""What a census may be kept as, and the suffix of the parts it is made of."""
BATCH = 2000
"""Charts that are judged together: fewer, and the rules are asked too often; more, and they take much memory."""

Progress = Callable[[int, int], None]

_ONE_AT_A_TIME = threading.Lock()


@cache
def _judge(art: str) -> Judge:
    """The judge of this process."""
    return Judge(shared().reasoner, art)


@cache
def _headings() -> Mapping[str, str]:
    """The heading of each judgment, by their IRIs."""
    found = [
        q for name in ("pattern", "topic") for q in shared().store.quads_for_pattern(None, term(name), None)
    ]
    return {getattr(q.subject, "value", ""): getattr(q.object, "value", "") for q in found}


@cache
def _names() -> Mapping[str, str]:
    """The name of the heading of each judgment in Chinese, by its IRI."""
    words = shared().verbaliser("zh")
    return {judgment: words.label(NamedNode(heading)) for judgment, heading in _headings().items()}


def _judged(charts: Sequence[Chart]) -> dict[str, Verdict]:
    with _ONE_AT_A_TIME:  # a worker of Dask may have several threads, a judge serves one
        if charts[0].art == "qimen":  # whose charts have too little in common to be judged together
            return {chart.iri: _cast(chart) for chart in charts}
        return _judge(charts[0].art)(charts)


def _cast(chart: Chart) -> Verdict:
    findings = shared().cast(chart).findings
    return Verdict({f.clause.iri for f in findings}, {f.clause.iri for f in findings if f.hollow})


class _Part:
    """A part that is being written; it takes its name when all of it is on the disk."""

    def __init__(self, path: Path, art: str) -> None:
        self.path = path
        self._tally = Tally(_headings())
        self._unfinished = path.with_name(f"{path.stem}.unfinished-{uuid.uuid4()}{path.suffix}")
        self.writer = (
            QuadsWriter(self._unfinished)
            if path.suffix == ".nq"
            else TableWriter(self._unfinished, art, _names())
        )

    def write(self, charts: Sequence[tuple[Chart, Verdict]]) -> None:
        self.writer.write(charts)
        for chart, verdict in charts:
            self._tally.add(chart, verdict)

    def finish(self) -> None:
        self.writer.close()
        counted = beside(self._unfinished)
        keep(self._tally.counts(), counted)
        for unfinished, path in ((counted, beside(self.path)), (self._unfinished, self.path)):
            try:
                unfinished.replace(path)
            except FileNotFoundError:
                # a census begun since then took it for what a killed process had left, and wrote the part itself
                if not path.exists():
                    raise


def write_part(planned: Census, part: str, path: Path) -> int:
    """Write one part, whole or not at all, in the form that the suffix of its path says; the number of its charts."""
    return _write(planned, [(part, path)])


def _write(planned: Census, work: Sequence[tuple[str, Path]]) -> int:
    """Write some parts; the number of their charts."""
    charts = ((path, chart) for part, path in work for chart in planned.charts(part))
    count, part = 0, None
    while batch := list(islice(charts, BATCH)):
        verdicts = _judged([chart for _, chart in batch])
        for path, rows in groupby(batch, key=itemgetter(0)):
            if part is None or part.path != path:
                if part is not None:
                    part.finish()
                part = _Part(path, planned.art)
            part.write([(chart, verdicts[chart.iri]) for _, chart in rows])
        count += len(batch)
    if part is not None:
        part.finish()
    return count


def write_parts(
    folder: Path,
    planned: Census,
    *,
    form: str = "store",
    processes: int = 2,
    dask: str | None = None,
    progress: Progress | None = None,
) -> list[Path]:
    """Write the parts that a folder does not have yet, and return all of them.

    `dask` is the address of a scheduler whose workers see the same folder. Raises StoreError where the folder holds
    the parts of another plan, or judged by another doctrine; MissingInput where an extra is not installed.
    """
    if form == "parquet":
        _require("--parquet", "pyarrow", "parquet")
    folder.mkdir(parents=True, exist_ok=True)
    record, stated = folder / "plan.json", _stated(planned)
    if record.exists() and record.read_text(encoding="utf-8") != stated:
        raise StoreError(
            f"{folder} holds a census of another plan or doctrine; give another folder, or remove this one"
        )
    with whole(record) as unfinished:
        unfinished.write_text(stated, encoding="utf-8")
    for left in folder.glob("*.unfinished-*"):
        left.unlink(missing_ok=True)  # by a killed process
    paths = {
        part: folder / f"{slug}{FORMS[form]}" for part, slug in zip(planned.parts, planned.slugs, strict=True)
    }
    missing = [(part, path) for part, path in paths.items() if not path.exists()]
    done = len(paths) - len(missing)
    count = max(1, round(len(missing) * planned.size / BATCH))
    # parts that lie far from each other in the plan: days of one stem, about which the rules read much the same
    tasks = [missing[start::count] for start in range(count) if missing[start::count]]
    for finished in _run(dask, processes, planned, tasks):
        done += finished
        if progress:
            progress(done, len(paths))
    lost = [path.name for path in paths.values() if not path.exists()]
    if lost:
        raise StoreError(f"the workers of {dask} do not write to {folder}; they must see the same folder")
    return list(paths.values())


def _stated(planned: Census) -> str:
    """A plan and the doctrine by which it is judged, as they are kept beside the parts."""
    text = hashlib.sha256()
    for path in (*files(), *treatise_files()):
        text.update(path.read_bytes())
    return dumps({"art": planned.art, **asdict(planned), "doctrine": text.hexdigest()}, ensure_ascii=False)


def _run(
    dask: str | None, processes: int, planned: Census, tasks: list[list[tuple[str, Path]]]
) -> Iterator[int]:
    """Run the tasks here or on a cluster, and yield how many parts are done as each is."""
    if dask is not None:
        yield from _run_on_cluster(dask, planned, tasks)
    elif processes == 1:
        for task in tasks:
            _write(planned, task)
            yield len(task)
    elif tasks:
        spawn = multiprocessing.get_context("spawn")  # the store of a forked process would share its threads
        pool = ProcessPoolExecutor(min(processes, len(tasks)), spawn, initializer=_end_with_parent)
        try:
            running = {pool.submit(_write, planned, task): len(task) for task in tasks}
            for future in as_completed(running):
                future.result()
                yield running[future]
        except BrokenProcessPool:
            raise StoreError("a process of the census was ended; start it again to go on") from None
        finally:
            pool.shutdown(cancel_futures=True)


def _run_on_cluster(address: str, planned: Census, tasks: list[list[tuple[str, Path]]]) -> Iterator[int]:
    _require("--dask", "distributed", "dask")
    distributed: Any = import_module("distributed")
    try:
        client = distributed.Client(address, timeout=5)
    except (OSError, ValueError) as error:
        raise StoreError(f"no Dask scheduler answers at {address}: {' '.join(str(error).split())}") from None
    with client:
        running = {client.submit(_write, planned, task, pure=False): len(task) for task in tasks}
        for future, _ in distributed.as_completed(running, with_results=True):
            yield running[future]


def _require(asked: str, module: str, extra: str) -> None:
    if find_spec(module) is None:
        raise MissingInput(asked, f"more packages: python -m pip install 'sanshi[{extra}]'")


def _end_with_parent() -> None:
    """End this process when the one that began it ends, however that does."""
    parent = multiprocessing.parent_process()
    assert parent is not None

    def watch() -> None:
        wait([parent.sentinel])
        os._exit(1)

    threading.Thread(target=watch, daemon=True).start()


@contextmanager
def _alone(folder: Path) -> Iterator[None]:
    """While this lasts, no other census is written into a folder. Raises StoreError where one is already."""
    folder.mkdir(parents=True, exist_ok=True)
    with (folder / "lock").open("w") as lock:
        try:
            import fcntl
        except ImportError:  # not on Windows, where whoever starts two has to see to it
            yield
            return
        try:
            fcntl.lockf(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            raise StoreError(f"another census is being written into {folder}") from None
        yield


def take(
    folder: Path,
    planned: Census,
    form: str = "store",
    *,
    processes: int = 2,
    dask: str | None = None,
    progress: Progress | None = None,
) -> Path:
    """Take a census, or go on with one, in a folder; where the store, the N-Quads or the table of it are.

    Raises StoreError, MissingInput.
    """
    target = folder / {"store": "store", "nquads": "census.nq", "parquet": "census.parquet"}[form]
    with _alone(folder):
        parts = write_parts(
            folder / "parts", planned, form=form, processes=processes, dask=dask, progress=progress
        )
        if not target.exists():
            if form == "parquet":
                gather(parts, target)
            else:
                known = doctrine()
                parts = [described(folder / "parts", planned, parts, known), *parts]
                if form == "store":
                    store(parts, target, known)
                else:
                    gather(parts, target)
    return target
