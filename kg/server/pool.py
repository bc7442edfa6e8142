"""Worker processes, kept warm, that do jobs one at a time each; one that does not end in time is killed and replaced.

Nothing else stops a query: pyoxigraph takes no signal while it evaluates, and Oxigraph's own server, told to stop
after 3 s, was still counting a cartesian product after 60 (0.5.13). A process can always be killed, its death frees
all it took, and the next one, forked from a parent that holds the doctrine, is there in 25 ms. A job costs 0.2 ms
more than if it were done here.
"""

from __future__ import annotations

import asyncio
import logging
import multiprocessing
import signal
import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from multiprocessing.connection import Connection
from pathlib import Path
from typing import TYPE_CHECKING, Any, Concatenate, ParamSpec

from kg.errors import SanshiError, StoreError
from kg.server.limits import MEMORY, bound_memory, peak
from kg.server.reply import Refused, Reply
from kg.server.turns import Full, Turns
from kg.server.world import Settings, World, world

if TYPE_CHECKING:
    from multiprocessing.process import BaseProcess

P = ParamSpec("P")
Job = Callable[Concatenate[World, P], Reply]
"""What a worker does: a function of a module, given the world and whatever else can be pickled."""

WAITING = 500
"""How many requests may wait for a worker."""
OURS = 60.0
"""After how many seconds a job is stopped that is not a stranger's query, and so ends by itself."""
PATIENCE = 30.0
"""After how many seconds a request that waits for a worker is told to come again."""
GROWN = MEMORY // 4
"""A worker that has taken so many bytes more than at its beginning makes room for a new one."""

_logger = logging.getLogger("uvicorn.error")


class Worker:
    """One process and the pipe to it; used by one thread at a time."""

    def __init__(self, directory: Path | None, limit: int) -> None:
        self._about = directory, limit
        self._process: BaseProcess | None = None
        self._pipe: Connection | None = None
        self._over = False

    def start(self) -> None:
        """Start the process, after ending the one that may be there. Raises Refused once the worker is to end."""
        if self._over:
            raise Refused(503, "the server is closing")
        self.stop()
        if sys.platform == "win32":
            context = multiprocessing.get_context("spawn")
        else:
            context = multiprocessing.get_context("forkserver")
            context.set_forkserver_preload(["__main__", "kg.server.warm"])
        here, there = context.Pipe()
        process = context.Process(target=_serve, args=(there, *self._about), daemon=True)
        process.start()
        there.close()
        self._process, self._pipe = process, here

    def end(self) -> None:
        """Kill the process and let none follow it; whoever waits for it is refused."""
        self._over = True
        if self._process is not None:
            self._process.kill()

    def stop(self) -> None:
        """End the process, whatever it does, and give back all it had."""
        if self._process is not None:
            self._process.kill()
            self._process.join()
            self._process.close()
            self._process = None
        if self._pipe is not None:
            self._pipe.close()
            self._pipe = None

    def do(self, message: tuple[Any, ...], seconds: float) -> Reply:
        """Have a job done. Raises Refused where it refuses, does not end in time, or ends its process."""
        if self._process is None or not self._process.is_alive():
            self.start()
        pipe = self._pipe
        assert pipe is not None
        try:
            pipe.send(message)
            if not pipe.poll(seconds):
                self.start()
                raise Refused(504, f"stopped, for it had not ended after {seconds:g} s; ask for less")
            answer, tired = pipe.recv()
        except (EOFError, OSError):
            self.start()
            most = MEMORY >> 20
            raise Refused(
                500, f"the process that answered ended; it may take {most} MiB, ask for less"
            ) from None
        if tired:
            self.start()
        if isinstance(answer, Reply):
            return answer
        raise Refused(*answer)


def _serve(pipe: Connection, directory: Path | None, limit: int) -> None:
    """The life of a worker: jobs in, replies or refusals out, until the other end of the pipe is gone."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # a key pressed at the terminal is for the server
    here = world(directory, limit)
    bound_memory()
    begun = peak()
    while True:
        try:
            job, args = pipe.recv()
        except EOFError:
            return
        answer: Reply | tuple[int, str] | tuple[int, str, dict[str, str]]
        try:
            answer = job(here, *args)
        except Refused as refusal:
            answer = refusal.status, refusal.message, refusal.headers
        except SanshiError as error:
            answer = getattr(error, "status", 400), str(error)
        except (MemoryError, RecursionError) as error:
            answer = 400, f"too much is asked for at once ({type(error).__name__}); ask for less"
        except Exception:
            logging.getLogger(__name__).exception("%s%r", job.__name__, args)
            answer = 500, "a fault of the server; its log says more"
        pipe.send((answer, peak() - begun > GROWN))


class Pool:
    """The workers of a server. All but one may run strangers' queries; one is always there for short jobs."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self._workers = [Worker(settings.store, settings.limit) for _ in range(max(2, settings.workers))]
        self._threads = ThreadPoolExecutor(len(self._workers), "worker")
        self._turns: Turns[Worker] = Turns(WAITING)
        self._kept: dict[Any, Reply] = {}

    @property
    def size(self) -> int:
        """How many workers there are."""
        return len(self._workers)

    def start(self) -> None:
        """Start all workers; the first takes a second or two. Raises StoreError where they cannot begin."""
        for worker in self._workers:
            try:
                worker.start()
            except (EOFError, OSError) as error:
                raise StoreError(f"no worker could be started ({error!r})") from None
            self._turns.add(worker)

    def stop(self) -> None:
        """End all workers, and the jobs that they do."""
        for worker in self._workers:
            worker.end()
        self._threads.shutdown(cancel_futures=True)
        for worker in self._workers:
            worker.stop()

    async def run(self, job: Job[P], *args: P.args, **_: P.kwargs) -> Reply:
        """Have one of our own jobs done. Raises Refused, as the job does or where too many wait."""
        return await self._run(job, args, OURS)

    async def keep(self, job: Job[P], *args: P.args, **_: P.kwargs) -> Reply:
        """The same for a job whose reply never changes and whose arguments are few: done once, then remembered."""
        key = job, args
        if key not in self._kept:
            self._kept[key] = await self._run(job, args, OURS)
        return self._kept[key]

    async def query(self, job: Job[P], *args: P.args, **_: P.kwargs) -> Reply:
        """Have a stranger's query run, which is stopped after the time of the settings. Raises Refused."""
        return await self._run(job, args, self.settings.timeout, stranger=True)

    async def _run(
        self, job: Job[...], args: tuple[Any, ...], seconds: float, *, stranger: bool = False
    ) -> Reply:
        try:
            async with asyncio.timeout(PATIENCE):
                worker = await self._turns.take(stranger=stranger)
        except (TimeoutError, Full):
            raise _busy() from None
        doing = asyncio.get_running_loop().run_in_executor(self._threads, worker.do, (job, args), seconds)
        doing.add_done_callback(lambda _: self._turns.give_back(worker, stranger=stranger))
        # a request may be given up, but its worker is free only when the job is done
        return await asyncio.shield(doing)


def _busy() -> Refused:
    return Refused(503, "too many requests at once; come again in a moment", {"Retry-After": "2"})
