"""Workers: what becomes of a job that fails, dies, or comes when all are taken."""

from __future__ import annotations

import asyncio
import importlib
import os
import sys
import time
from collections.abc import Callable, Coroutine, Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from kg.server import pool as pools
from kg.server.pool import Pool
from kg.server.reply import Refused
from kg.server.world import Settings

Run = Callable[[Coroutine[Any, Any, Any]], Any]


@pytest.fixture(scope="module")
def jobs() -> Iterator[ModuleType]:
    """The jobs, in a module that workers can import."""
    room = str(Path(__file__).parent)
    sys.path.insert(0, room)
    yield importlib.import_module("pool_jobs")
    sys.path.remove(room)


@pytest.fixture(scope="module")
def run() -> Iterator[Run]:
    """Run a coroutine in the one loop of this module."""
    with asyncio.Runner() as runner:
        yield runner.run


@pytest.fixture(scope="module")
def pool(jobs: ModuleType) -> Iterator[Pool]:
    """Two workers; a query has half a second."""
    made = Pool(Settings(None, 0.5, 10, 2))
    made.start()
    yield made
    made.stop()


async def _refused(awaited: Coroutine[Any, Any, Any]) -> Refused:
    try:
        await awaited
    except Refused as refusal:
        return refusal
    raise AssertionError("it was not refused")


def test_what_a_job_raises_comes_back_with_its_status(run: Run, jobs: ModuleType, pool: Pool) -> None:
    wrong = run(_refused(pool.run(jobs.wrong)))
    assert (wrong.status, wrong.message) == (400, "hour: '鼠' is not accepted; give a branch")
    missing = run(_refused(pool.run(jobs.refuse)))
    assert (missing.status, missing.headers) == (404, {"X-Why": "because"})


def test_a_fault_is_not_told_to_the_client(run: Run, jobs: ModuleType, pool: Pool) -> None:
    fault = run(_refused(pool.run(jobs.fault)))
    assert fault.status == 500
    assert "inner matters" not in fault.message


def test_a_worker_that_dies_is_replaced(run: Run, jobs: ModuleType, pool: Pool) -> None:
    for _ in range(4):
        assert run(_refused(pool.run(jobs.die))).status == 500
    assert run(pool.run(jobs.number)).content.isdigit()


def test_a_job_that_does_not_end_is_stopped_and_its_worker_replaced(
    run: Run, jobs: ModuleType, pool: Pool
) -> None:
    before = {int(run(pool.run(jobs.number)).content) for _ in range(8)}
    begun = time.perf_counter()
    assert run(_refused(pool.query(jobs.sleep, 60.0))).status == 504
    assert time.perf_counter() - begun < 20
    after = {int(run(pool.run(jobs.number)).content) for _ in range(8)}
    assert len(before - after) == 1
    for number in before - after:
        with pytest.raises(ProcessLookupError):
            os.kill(number, 0)


def test_one_worker_takes_no_strangers_query(run: Run, jobs: ModuleType, pool: Pool) -> None:
    async def mixed() -> tuple[int, list[int]]:
        queries = [asyncio.create_task(_refused(pool.query(jobs.sleep, 60.0))) for _ in range(4)]
        await asyncio.sleep(0.1)
        await pool.run(jobs.number)
        ended = sum(query.done() for query in queries)
        return ended, [(await query).status for query in queries]

    ended, statuses = run(mixed())
    assert ended < 4, "ours did not wait for all of them, one after the other"
    assert statuses == [504] * 4


def test_who_waits_too_long_or_behind_too_many_is_told_to_come_again(
    run: Run, jobs: ModuleType, pool: Pool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pools, "PATIENCE", 0.2)

    async def crowded() -> list[Refused]:
        busy = [asyncio.create_task(pool.run(jobs.sleep, 1.0)) for _ in range(2)]
        await asyncio.sleep(0.05)
        late = await _refused(pool.run(jobs.number))
        monkeypatch.setattr(pools, "WAITING", 0)
        many = await _refused(pool.run(jobs.number))
        await asyncio.gather(*busy)
        return [late, many]

    for refusal in run(crowded()):
        assert refusal.status == 503
        assert refusal.headers["Retry-After"]
    monkeypatch.undo()
    assert run(pool.run(jobs.number)).status == 200


def test_a_request_given_up_gives_its_worker_back(run: Run, jobs: ModuleType, pool: Pool) -> None:
    async def give_up() -> bytes:
        for _ in range(4):
            task = asyncio.create_task(pool.run(jobs.sleep, 0.1))
            await asyncio.sleep(0.02)
            task.cancel()
        return (await pool.run(jobs.number)).content

    assert run(give_up()).isdigit()


def test_a_worker_that_has_grown_makes_room_for_a_new_one(run: Run, jobs: ModuleType, pool: Pool) -> None:
    before = {int(run(pool.run(jobs.number)).content) for _ in range(8)}
    run(pool.run(jobs.grow))
    after = {int(run(pool.run(jobs.number)).content) for _ in range(8)}
    assert len(before - after) == 1


def test_what_is_kept_is_done_once(run: Run, jobs: ModuleType, pool: Pool) -> None:
    async def twice() -> set[bytes]:
        return {(await pool.keep(jobs.sleep, seconds)).content for seconds in (0.01, 0.01, 0.01)}

    assert len(run(twice())) == 1
