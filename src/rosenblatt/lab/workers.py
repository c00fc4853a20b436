"""A few worker processes that share the work of all tabs; one that takes too long, or whose tab is gone, is ended."""

import asyncio
import contextlib
import json
from collections.abc import AsyncGenerator, Awaitable, Coroutine
from typing import Any, TypeVar
from weakref import WeakValueDictionary

from rosenblatt.lab.limits import HOLD_SECONDS, JOB_SECONDS, MAX_WAITING, WAIT_SECONDS
from rosenblatt.lab.process import FINAL, Event, StartError, Worker

T = TypeVar("T")


class BusyError(RuntimeError):
    """Too many requests wait already."""


class Workers:
    """The pool. A tab has one job at a time; the others of all tabs take turns.

    It has `count` slots. A slot is free while its worker is idle, and also while no worker could be started for it: the
    next request then starts one, and is told if that fails again.
    """

    def __init__(self, count: int, given: bytes = b"null", seconds: float = JOB_SECONDS) -> None:
        self._count = count
        self._given = given
        self._seconds = seconds
        self._free: asyncio.Queue[Worker | None] = asyncio.Queue()
        self._all: set[Worker] = set()
        self._tasks: set[asyncio.Task[Any]] = set()
        self._tabs: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()
        self._in_hand = 0
        self._closed = False

    @property
    def in_hand(self) -> int:
        return self._in_hand

    def start(self) -> None:
        """Begins to start the workers; questions may come at once and wait for them."""
        for _ in range(self._count):
            self._in_background(self._freed(self._started()))

    async def close(self) -> None:
        """Ends every worker; requests in hand are told that the lab was stopped."""
        self._closed = True
        await asyncio.gather(*(worker.end() for worker in self._all))
        while self._tasks:
            await asyncio.gather(*self._tasks, return_exceptions=True)

    async def ask(self, job: str, question: bytes, tab: str) -> AsyncGenerator[Event]:
        """The events of one job. Closing the iterator gives the job up."""
        if self._in_hand >= MAX_WAITING:
            raise BusyError(f"{MAX_WAITING} requests are waiting already. Try again in a moment.")
        self._in_hand += 1
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
                async with contextlib.aclosing(self._answered(worker, job, question)) as events:
                    async for event in events:
                        yield event
        finally:
            self._in_hand -= 1

    async def _answered(self, worker: Worker | None, job: str, question: bytes) -> AsyncGenerator[Event]:
        """The events of a job in a free slot, which is free again afterwards."""
        starting: asyncio.Task[Worker] | None = None
        finished = False
        try:
            if worker is None:
                starting = self._in_background(self._started())
                worker = await asyncio.shield(starting)  # it goes on for the next request if this one is given up
            deadline = asyncio.get_running_loop().time() + self._seconds
            async with asyncio.timeout_at(deadline):
                await worker.send(job, question)
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
        """A new worker, ready for jobs."""
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
        """A worker whose job was given up, once it is idle; or another in its place."""
        if await worker.drained():
            return worker
        await self._ended(worker)
        return await self._started()

    async def _ended(self, worker: Worker) -> None:
        await worker.end()
        self._all.discard(worker)

    async def _freed(self, coming: Awaitable[Worker]) -> None:
        """Makes a slot free again, with a worker if one comes."""
        worker = None
        try:
            with contextlib.suppress(StartError):
                worker = await coming
        finally:
            self._free.put_nowait(worker)

    def _in_background(self, work: Coroutine[Any, Any, T]) -> asyncio.Task[T]:
        task = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return task


def _failed(message: str) -> Event:
    return "failed", json.dumps({"message": message}).encode()
