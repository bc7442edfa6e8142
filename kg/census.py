"""The census of an art: every chart there is, with what the doctrine finds in it, as a collection that can be asked.

The work is cut into parts (of Liuren by day, of Qimen by 局), each written whole or not at all, so that a census killed
at any moment goes on where it stopped and ends with the same data. Parts are N-Quads of the default graph or tables in
Parquet; at the end they are loaded, with the doctrine, into a store on disk, or gathered in one file. The parts are
shared out among processes, here or on a Dask cluster: most of the time goes to text and dictionaries in Python, which
threads would have to take by turns.
"""

from __future__ import annotations

import hashlib
import multiprocessing
import os
import shutil
import threading
import uuid
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from dataclasses import asdict
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from io import BytesIO
from itertools import groupby, islice
from json import dumps
from multiprocessing.connection import wait
from operator import itemgetter
from pathlib import Path
from typing import IO, Any, cast

from pyoxigraph import QuerySolutions, RdfFormat, Store

from kg.alike import Judge, Verdict
from kg.census_plan import Census
from kg.census_rows import QuadsWriter, TableWriter
from kg.errors import MissingInput, StoreError
from kg.facts import XSD, Chart
from kg.findings import shared
from kg.store import doctrine, treatise_files
from ontology import BASE, expand, files, prefixes

FORMS = {"store": ".nq", "nquads": ".nq", "parquet": ".parquet"}
"""What a census may be kept as, and the suffix of the parts it is made of."""
TITLES = {"liuren": "Da Liu Ren (大六壬)", "qimen": "Qi Men Dun Jia (奇門遁甲)"}
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
    """The heading of each judgment in Chinese, by its IRI."""
    found = shared().store.query(
        "SELECT ?judgment ?label WHERE { ?judgment shi:pattern|shi:topic ?heading . ?heading rdfs:label ?label "
        'FILTER(LANG(?label) = "zh-hant") }',
        prefixes=dict(prefixes()),
    )
    assert isinstance(found, QuerySolutions)
    return {str(judgment)[1:-1]: getattr(label, "value", "") for judgment, label in found}


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
        self._unfinished = path.with_name(f"{path.name}.unfinished-{uuid.uuid4()}")
        self.writer = (
            QuadsWriter(self._unfinished)
            if path.suffix == ".nq"
            else TableWriter(self._unfinished, art, _headings())
        )

    def finish(self) -> None:
        self.writer.close()
        try:
            self._unfinished.replace(self.path)
        except FileNotFoundError:
            # a census begun since then took this one for what a killed process had left, and wrote the part itself
            if not self.path.exists():
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
            part.writer.write([(chart, verdicts[chart.iri]) for _, chart in rows])
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
    with _whole(record) as unfinished:
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
def _whole(path: Path) -> Iterator[Path]:
    """A place beside a path, which takes its name only when all is written."""
    building = path.with_name(path.name + ".building")
    if building.is_dir():
        shutil.rmtree(building)
    building.unlink(missing_ok=True)
    yield building
    building.replace(path)


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


class _Joined:
    """Files read one after the other."""

    def __init__(self, paths: Iterable[Path]) -> None:
        self._paths = iter(paths)
        self._file: IO[bytes] = BytesIO()

    def read(self, size: int = -1) -> bytes:
        while not (data := self._file.read(size)) and (path := next(self._paths, None)):
            self._file.close()
            self._file = path.open("rb")
        return data


def store(parts: Iterable[Path], path: Path, doctrine: Store) -> None:
    """A store on disk of the parts and the doctrine; it is there whole or not at all. Raises StoreError if it exists."""
    if path.exists():
        raise StoreError(f"{path} exists already; a census is never written into another store")
    with _whole(path) as building:
        on_disk = Store(str(building))
        on_disk.bulk_extend(doctrine)
        # all in one go, which takes half the time of part by part; lenient, since the lines are our own
        on_disk.bulk_load(cast(IO[bytes], _Joined(parts)), RdfFormat.N_QUADS, lenient=True)
        on_disk.flush()
        del on_disk


def gather(parts: Iterable[Path], path: Path) -> None:
    """All parts in one file, whole or not at all: N-Quads one after the other, tables as groups of rows of one."""
    with _whole(path) as building:
        if path.suffix == ".parquet":
            from pyarrow import parquet

            tables = [parquet.ParquetFile(part) for part in parts]
            with parquet.ParquetWriter(building, tables[0].schema_arrow, compression="zstd") as table:
                for part in tables:
                    table.write_table(part.read())
        else:
            with building.open("wb") as out:
                for part in parts:
                    with part.open("rb") as source:
                        shutil.copyfileobj(source, out)


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
            if form == "store":
                store([_described(folder, planned), *parts], target, doctrine())
            elif form == "nquads":
                gather([_described(folder, planned), *parts], target)
            else:
                gather(parts, target)
    return target


def _described(folder: Path, planned: Census) -> Path:
    """A file that says of the census, as a dataset, how many charts it has, and by which schools they are cast."""
    node = f"<{BASE}census/{planned.art}>"
    rows = [
        f"<{expand('rdf:type')}> <{expand('void:Dataset')}>",
        f'<{expand("dcterms:title")}> "Charts of {TITLES[planned.art]} with their findings"@en',
        f'<{expand("void:entities")}> "{planned.size * len(planned.parts)}"^^<{XSD}integer>',
        *(f"<{expand('dcterms:conformsTo')}> <{expand(school)}>" for school in planned.schools),
    ]
    path = folder / "parts" / "census.nq"
    with _whole(path) as building:
        building.write_text("".join(f"{node} {row} .\n" for row in rows), encoding="utf-8")
    return path
