"""A pool of worker processes for all tabs. A worker is ended if its job exceeds the time limit or is cancelled."""

import asyncio
import contextlib
import json
from collections.abc import AsyncGenerator, Awaitable, Coroutine
from typing import Any, TypeVar
from weakref import WeakValueDictionary

from rosenblatt.lab.limits import HOLD_SECONDS, JOB_SECONDS, MAX_WAITING, WAIT_SECONDS
from rosenblatt.lab.server.worker_process import FINAL, Event, StartError, Worker

T = TypeVar("T")


class BusyError(RuntimeError):
    """Too many requests are pending."""


class Workers:
    """The pool. Each tab runs one job at a time; further requests wait.

    The pool has `count` slots. A slot is free if its worker is idle, or if starting its worker failed: then the next
    request in this slot tries to start a worker again, and reports an error if that fails.
    """

    def __init__(self, count: int, given: bytes = b"null", seconds: float = JOB_SECONDS) -> None:
        self._count = count
        self._given = given
        self._seconds = seconds
        self._free: asyncio.Queue[Worker | None] = asyncio.Queue()
        self._all: set[Worker] = set()
        self._tasks: set[asyncio.Task[Any]] = set()
        self._tabs: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()
        self._pending = 0
        self._closed = False

    @property
    def pending(self) -> int:
        return self._pending

    def start(self) -> None:
        """Starts the workers in the background. Requests are accepted at once and wait for a worker."""
        for _ in range(self._count):
            self._in_background(self._freed(self._started()))

    async def close(self) -> None:
        """Ends every worker. Pending requests receive the message that the lab was stopped."""
        self._closed = True
        await asyncio.gather(*(worker.end() for worker in self._all))
        while self._tasks:
            await asyncio.gather(*self._tasks, return_exceptions=True)

    async def ask(self, job: str, request: bytes, tab: str) -> AsyncGenerator[Event]:
        """Yields the events of one job. Closing the iterator cancels the job."""
        if self._pending >= MAX_WAITING:
            raise BusyError(f"{MAX_WAITING} requests are waiting already. Try again in a moment.")
        self._pending += 1
        turn = self._tabs.setdefault(tab, asyncio.Lock())
        try:
            async with contextlib.AsyncExitStack() as held:
                try:
                    async with asyncio.timeout(WAIT_SECONDS):
                        await held.enter_async_context(turn)
                        worker = await self._free.get()
                except TimeoutError:
                    yield _failed(f"no worker was free for {WAIT_SECONDS:g} seconds. Try again in a moment.")
                    return
                async with contextlib.aclosing(self._answered(worker, job, request)) as events:
                    async for event in events:
                        yield event
        finally:
            self._pending -= 1

    async def _answered(self, worker: Worker | None, job: str, request: bytes) -> AsyncGenerator[Event]:
        """Yields the events of a job that runs in a free slot, and frees the slot afterwards."""
        starting: asyncio.Task[Worker] | None = None
        finished = False
        try:
            if worker is None:
                starting = self._in_background(self._started())
                worker = await asyncio.shield(starting)  # shielded: the next request can use the worker
            deadline = asyncio.get_running_loop().time() + self._seconds
            async with asyncio.timeout_at(deadline):
                await worker.send(job, request)
            while not finished:
                async with asyncio.timeout_at(deadline):
                    event = await worker.receive()
                if event[0] == "hold":
                    deadline += HOLD_SECONDS
                    continue
                finished = event[0] in FINAL
                yield event
        except (StartError, OSError, asyncio.IncompleteReadError) as error:
            yield _failed(self._why(error))
        finally:
            if finished:
                self._free.put_nowait(worker)
            elif worker is not None:
                self._in_background(self._freed(self._recovered(worker)))
            elif starting is not None:
                self._in_background(self._freed(starting))

    def _why(self, error: Exception) -> str:
        if self._closed:
            return "the lab was stopped."
        if isinstance(error, StartError):
            return f"{error} The lab's terminal may say why. Try again."
        if isinstance(error, TimeoutError):
            return f"this took longer than {self._seconds:g} seconds. Ask for fewer points or steps."
        return "the worker died, perhaps of too little memory. Try again."

    async def _started(self) -> Worker:
        """Starts a worker and returns it when it is ready for jobs."""
        worker = await Worker.spawned()
        self._all.add(worker)
        try:
            if self._closed:
                raise StartError("the lab was stopped.")
            await worker.prepare(self._given)
        except BaseException:
            await self._ended(worker)
            raise
        return worker

    async def _recovered(self, worker: Worker) -> Worker:
        """Returns a worker whose job was cancelled once it is idle, or a new worker if the job does not end in time."""
        if await worker.drained():
            return worker
        await self._ended(worker)
        return await self._started()

    async def _ended(self, worker: Worker) -> None:
        await worker.end()
        self._all.discard(worker)

    async def _freed(self, start: Awaitable[Worker]) -> None:
        """Frees a slot when `start` completes: with its worker, or without one if the start failed."""
        worker = None
        try:
            with contextlib.suppress(StartError):
                worker = await start
        finally:
            self._free.put_nowait(worker)

    def _in_background(self, work: Coroutine[Any, Any, T]) -> asyncio.Task[T]:
        task = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return task


def _failed(message: str) -> Event:
    return "failed", json.dumps({"message": message}).encode()
