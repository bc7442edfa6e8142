"""A census that is killed at any moment and started again ends with the same data; so does one run on a cluster."""

from __future__ import annotations

import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from pyoxigraph import Store

from kg import census
from kg.census_plan import Census, Plan, plan, qimen_plan
from kg.errors import StoreError
from kg.findings import Doctrine

DAYS = ("甲子", "乙丑", "丙寅", "丁卯", "戊辰", "庚申")
PLAN = plan(months=("寅",), days=DAYS)
QIMEN = qimen_plan("bare", parts=["陽1", "陰4", "陰9"])
MAIN = "from kg.cli import main; main()"
ARGUMENTS = ["census", "liuren", "--months", "寅", "--days", ",".join(DAYS)]


def lines(path: Path) -> list[str]:
    """The lines of N-Quads, in order; twice the same would stand here twice."""
    return sorted(path.read_text(encoding="utf-8").splitlines())


def kept(path: Path, doctrine: Doctrine) -> list[str]:
    """What a store holds beside the doctrine, as such lines."""
    store = Store.read_only(str(path))
    blank = [quad for quad in store if "_:" in str(quad)]  # of the ontology, and named anew in each store
    found = [f"{quad} ." for quad in set(store).difference(doctrine.store, blank)]
    assert len(store) == len(found) + len(doctrine.store)
    return sorted(found)


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    """What an undisturbed census writes."""
    return lines(census.take(tmp_path_factory.mktemp("whole"), PLAN, "nquads", processes=1))


KILLED = """
import os, signal, sys
from kg import census, census_store
from kg.cli import main
owner, _, name = sys.argv.pop(1).rpartition(".")
left = int(sys.argv.pop(1))
owner = getattr(census, owner, None) or getattr(census_store, owner) if owner else census
call = getattr(owner, name)
def count_down(*arguments):
    global left
    left -= 1
    if not left:
        os.kill(os.getpid(), signal.SIGKILL)
    return call(*arguments)
setattr(owner, name, count_down)
main()
"""
"""The census, killed when it calls a function for the nth time."""


@pytest.mark.parametrize(
    ("planned", "words", "finished"),
    [
        (PLAN, ARGUMENTS, 4),
        (QIMEN, ["census", "qimen", "--pillars", "bare", "--ju", ",".join(QIMEN.parts)], 2),
    ],
    ids=["liuren", "qimen"],
)
def test_killed_at_every_stage_it_ends_with_the_same_data(
    planned: Census, words: list[str], finished: int, tmp_path: Path, doctrine: Doctrine
) -> None:
    moments = {
        "_judged": 1,  # before anything is written
        "QuadsWriter.write": 2,  # a part is finished, the next begun
        "_Part.finish": finished,  # more parts are, one is written but has not its name
        "doctrine": 1,  # all parts are there, the store is not begun
        "_Joined.read": 3,  # the store is half filled
    }
    (tmp_path / "whole").mkdir()
    whole = lines(census.take(tmp_path / "whole", planned, "nquads", processes=1))
    parts, done = tmp_path / "parts", 0
    for function, count in moments.items():
        arguments = [*words, "--processes", "1", "--out", str(tmp_path)]
        run = subprocess.run([sys.executable, "-c", KILLED, function, str(count), *arguments], check=False)
        assert run.returncode == -signal.SIGKILL, f"{function} was not called {count} times"
        assert not (tmp_path / "store").exists(), "a store is there before all of it is"
        before, done = done, sum((parts / f"{slug}.nq").exists() for slug in planned.slugs)
        assert before <= done, "a part that was done is gone"
    assert done == len(planned.parts)
    subprocess.run([sys.executable, "-c", MAIN, *words, "--out", str(tmp_path)], check=True)
    known = {
        f"{quad} ." for quad in doctrine.store
    }  # the text names some of the sequences that the census counts
    assert kept(tmp_path / "store", doctrine) == [line for line in whole if line not in known]
    assert sorted(path.name for path in parts.iterdir()) == sorted(
        [
            "census.nq",
            "plan.json",
            *(f"{slug}{end}" for slug in planned.slugs for end in (".nq", ".counts.json")),
        ]
    )


def is_running(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except FileNotFoundError:
        return False


def test_the_processes_of_a_killed_census_end_too_and_harm_nothing(whole: list[str], tmp_path: Path) -> None:
    command = [sys.executable, "-c", MAIN, *ARGUMENTS, "--nquads", "--out", str(tmp_path)]
    census_run = subprocess.Popen([*command, "--processes", "2"])
    deadline = time.monotonic() + 120
    while not list((tmp_path / "parts").glob("??-*")) and time.monotonic() < deadline:
        time.sleep(0.001)
    listed = subprocess.run(
        ["ps", "-o", "pid=", "--ppid", str(census_run.pid)], check=False, capture_output=True, text=True
    )
    census_run.kill()
    census_run.wait()
    subprocess.run(command, check=True)
    assert lines(tmp_path / "census.nq") == whole
    workers = [int(pid) for pid in listed.stdout.split()]
    while any(map(is_running, workers)) and time.monotonic() < deadline:
        time.sleep(0.01)
    assert workers and not any(map(is_running, workers))


def test_what_another_process_left_unfinished_is_thrown_away(whole: list[str], tmp_path: Path) -> None:
    (tmp_path / "parts").mkdir()
    left = tmp_path / "parts" / f"{PLAN.slugs[0]}.unfinished-1.nq"
    left.write_text("<http://example.org/half", encoding="utf-8")
    assert lines(census.take(tmp_path, PLAN, "nquads", processes=1)) == whole
    assert not left.exists()


def test_a_part_of_another_plan_is_not_mixed_in(tmp_path: Path) -> None:
    census.write_parts(tmp_path, plan(months=("寅",), days=DAYS[:1]), processes=1)
    with pytest.raises(StoreError, match="another plan"):
        census.write_parts(tmp_path, PLAN, processes=1)


def test_two_cannot_write_into_one_folder(tmp_path: Path) -> None:
    holder = subprocess.Popen(
        [
            sys.executable,
            "-c",
            "import fcntl, sys; lock = open(sys.argv[1], 'w'); fcntl.lockf(lock, fcntl.LOCK_EX); "
            "print('held', flush=True); sys.stdin.read()",
            str(tmp_path / "lock"),
        ],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    )
    assert holder.stdout is not None
    holder.stdout.readline()
    try:
        with pytest.raises(StoreError, match="another census is being written"):
            census.take(tmp_path, PLAN, processes=1)
    finally:
        holder.communicate()


def test_batches_that_cut_through_parts_change_nothing(
    whole: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(census, "BATCH", 100)  # a day has 144 charts
    assert lines(census.take(tmp_path, PLAN, "nquads", processes=1)) == whole


def test_the_table_has_a_row_for_each_finding(whole: list[str], tmp_path: Path) -> None:
    from pyarrow import parquet

    table = parquet.read_table(census.take(tmp_path, PLAN, "parquet", processes=1)).to_pylist()
    exhibits = [quad.split() for quad in whole if "#exhibits> <" in quad and "/id/chart/" in quad]
    hollow = {tuple(quad.split()[::2]) for quad in whole if "#hollow> <" in quad and "/id/chart/" in quad}
    found = {(words[0], words[2], (words[0], words[2]) in hollow) for words in exhibits}
    expanded = {
        (
            f"<https://w3id.org/sanshi/id/chart/{row['chart']}>",
            f"<https://w3id.org/sanshi/id/judgment/{row['judgment'].removeprefix('judgment:')}>",
            row["hollow"],
        )
        for row in table
    }
    assert expanded == found
    assert len(table) == len(found) > 5000
    row = next(row for row in table if row["chart"] == "liuren-57-gengshen-h.zi-g.hai-m.yin")
    assert {name: row[name] for name in ("day", "hour", "general", "month", "year", "method", "initial")} == {
        "day": "庚申",
        "hour": "子",
        "general": "亥",
        "month": "寅",
        "year": None,
        "method": "八專",
        "initial": "酉",  # three on from 未, which stands over the lodge 申
    }


def test_a_cluster_gives_the_same(whole: list[str], tmp_path: Path) -> None:
    from distributed import LocalCluster

    with LocalCluster(n_workers=2, threads_per_worker=2, processes=True, dashboard_address=None) as cluster:
        seen: list[int] = []
        path = census.take(
            tmp_path,
            PLAN,
            "nquads",
            dask=cluster.scheduler_address,
            progress=lambda done, total: seen.append(done),
        )
    assert seen[-1] == len(DAYS)
    assert lines(path) == whole


def test_no_cluster_where_none_is(tmp_path: Path) -> None:
    with pytest.raises(StoreError, match="no Dask scheduler answers at tcp://127.0.0.1:9"):
        census.take(tmp_path, PLAN, dask="tcp://127.0.0.1:9")


def test_the_size_of_a_plan_is_the_number_of_its_charts() -> None:
    planned = plan(
        months=("子", "丑"), years=("寅", "卯", "辰"), readings=("established", "base"), days=DAYS[:2]
    )
    charts = [chart.iri for day in planned.parts for chart in planned.charts(day)]
    assert len(charts) == len(set(charts)) == planned.size * len(planned.parts)
    assert Plan().size * len(Plan().parts) == 17_280
