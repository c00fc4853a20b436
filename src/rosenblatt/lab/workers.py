"""A few worker processes that share the work of all tabs; one that takes too long, or whose tab is gone, is ended."""

import asyncio
import contextlib
import struct
import sys
from collections.abc import AsyncGenerator, Coroutine
from typing import Any
from weakref import WeakValueDictionary

from rosenblatt.lab.limits import GRACE_SECONDS, HOLD_SECONDS, JOB_SECONDS, MAX_WAITING

Event = tuple[str, bytes]

_FINAL = ("answer", "refused", "malformed", "failed")


class BusyError(RuntimeError):
    """Too many requests wait already."""


class Worker:
    """One process and its pipes."""

    def __init__(self, process: asyncio.subprocess.Process) -> None:
        self._process = process
        self._size: int | None = None  # of a frame whose length has been read, and no more

    @classmethod
    async def started(cls, given: bytes) -> "Worker":
        process = await asyncio.create_subprocess_exec(
            sys.executable, "-m", "rosenblatt.lab.worker",
            stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE, limit=1 << 20,
        )  # fmt: skip
        worker = cls(process)
        try:
            await worker.send("given", given)
            await worker.receive()  # "ready"
        except BaseException:
            await worker.end()
            raise
        return worker

    async def drained(self) -> bool:
        """Whether the job that nobody waits for any more came to its end by itself, soon enough."""
        try:
            async with asyncio.timeout(GRACE_SECONDS):
                while (await self.receive())[0] not in _FINAL:
                    pass
        except (TimeoutError, OSError, asyncio.IncompleteReadError):
            return False
        return True

    async def end(self) -> None:
        with contextlib.suppress(ProcessLookupError):
            self._process.kill()
        await self._process.wait()

    async def send(self, event: str, data: bytes) -> None:
        """A job and its question."""
        pipe = self._process.stdin
        if pipe is None:
            raise AssertionError("a worker has pipes")
        content = event.encode() + b"\n" + data
        pipe.write(struct.pack(">I", len(content)) + content)
        await pipe.drain()

    async def receive(self) -> Event:
        """The next event. If this is given up half-way, the next call goes on where it was."""
        pipe = self._process.stdout
        if pipe is None:
            raise AssertionError("a worker has pipes")
        if self._size is None:
            self._size = struct.unpack(">I", await pipe.readexactly(4))[0]
        content = await pipe.readexactly(self._size)
        self._size = None
        event, _, data = content.partition(b"\n")
        return event.decode(), data


class Workers:
    """The pool. A tab has one job at a time; the others of all tabs take turns."""

    def __init__(self, count: int, given: bytes = b"null", seconds: float = JOB_SECONDS) -> None:
        self._count = count
        self._given = given
        self._seconds = seconds
        self._free: asyncio.Queue[Worker] = asyncio.Queue()
        self._all: set[Worker] = set()
        self._tasks: set[asyncio.Task[None]] = set()
        self._tabs: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()
        self._in_hand = 0
        self._closed = False

    @property
    def in_hand(self) -> int:
        return self._in_hand

    def start(self) -> None:
        """Begins to start the workers; questions may come at once and wait for them."""
        for _ in range(self._count):
            self._in_background(self._add())

    async def close(self) -> None:
        """Ends every worker."""
        self._closed = True
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        await asyncio.gather(*(worker.end() for worker in self._all))

    async def ask(self, job: str, question: bytes, tab: str) -> AsyncGenerator[Event]:
        """The events of one job. Closing the iterator gives the job up."""
        if self._in_hand >= MAX_WAITING:
            raise BusyError(f"{MAX_WAITING} requests are waiting already. Try again in a moment.")
        self._in_hand += 1
        turn = self._tabs.setdefault(tab, asyncio.Lock())
        try:
            async with turn:
                worker = await self._free.get()
                deadline = asyncio.get_running_loop().time() + self._seconds
                finished = False
                try:
                    await worker.send(job, question)
                    while not finished:
                        async with asyncio.timeout_at(deadline):
                            event = await worker.receive()
                        if event[0] == "hold":
                            deadline += HOLD_SECONDS
                            continue
                        finished = event[0] in _FINAL
                        yield event
                except TimeoutError:
                    message = f"this took longer than {self._seconds:g} seconds. Ask for fewer points or steps."
                    yield "failed", f'{{"message":"{message}"}}'.encode()
                except (OSError, asyncio.IncompleteReadError):
                    yield "failed", b'{"message":"the worker died, perhaps of too little memory. Try again."}'
                finally:
                    if finished:
                        self._free.put_nowait(worker)
                    else:
                        self._in_background(self._recovered(worker))
        finally:
            self._in_hand -= 1

    async def _recovered(self, worker: Worker) -> None:
        """Gets a worker back into the pool, or another in its place."""
        if await worker.drained():
            self._free.put_nowait(worker)
            return
        self._all.discard(worker)
        await worker.end()
        if not self._closed:
            await self._add()

    async def _add(self) -> None:
        worker = await Worker.started(self._given)
        self._all.add(worker)
        self._free.put_nowait(worker)

    def _in_background(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
