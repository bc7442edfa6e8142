"""The parts of a census made one: a store on disk that can be asked, or one file; each is there whole or not at all."""

from __future__ import annotations

import shutil
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from io import BytesIO
from pathlib import Path
from typing import IO, cast

from pyoxigraph import RdfFormat, Store

from kg.census_counts import beside, lines, summed
from kg.census_plan import Census
from kg.errors import StoreError
from kg.facts import XSD
from kg.store import instances, value
from ontology import BASE, expand

TITLES = {"liuren": "Da Liu Ren (大六壬)", "qimen": "Qi Men Dun Jia (奇門遁甲)"}


@contextmanager
def whole(path: Path) -> Iterator[Path]:
    """A place beside a path, which takes its name only when all is written."""
    building = path.with_name(path.name + ".building")
    if building.is_dir():
        shutil.rmtree(building)
    building.unlink(missing_ok=True)
    yield building
    building.replace(path)


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
    with whole(path) as building:
        on_disk = Store(str(building))
        on_disk.bulk_extend(doctrine)
        # all in one go, which takes half the time of part by part; lenient, since the lines are our own
        on_disk.bulk_load(cast(IO[bytes], _Joined(parts)), RdfFormat.N_QUADS, lenient=True)
        on_disk.flush()
        del on_disk


def gather(parts: Iterable[Path], path: Path) -> None:
    """All parts in one file, whole or not at all: N-Quads one after the other, tables as groups of rows of one."""
    with whole(path) as building:
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


def described(folder: Path, planned: Census, parts: Iterable[Path], doctrine: Store) -> Path:
    """A file in a folder that says of the census, as a dataset, how many charts it has, by which schools they are cast,
    and how many show each two headings.
    """
    node = f"<{BASE}census/{planned.art}>"
    rows = [
        f"<{expand('rdf:type')}> <{expand('void:Dataset')}>",
        f'<{expand("dcterms:title")}> "Charts of {TITLES[planned.art]} with their findings"@en',
        f'<{expand("void:entities")}> "{planned.size * len(planned.parts)}"^^<{XSD}integer>',
        *(f"<{expand('dcterms:conformsTo')}> <{expand(school)}>" for school in planned.schools),
    ]
    headings = sorted(
        instances(doctrine, "Pattern", "Topic"), key=lambda node: int(value(doctrine, node, "ordinal"))
    )
    order = [node.value for node in headings]
    counted = lines(planned.art, summed(map(beside, parts)), planned.size * len(planned.parts), order)
    path = folder / "census.nq"
    with whole(path) as building:
        building.write_text("".join([*(f"{node} {row} .\n" for row in rows), *counted]), encoding="utf-8")
    return path
