"""One worker process and its pipes, as the server sees it. See `worker.py` for the other end."""

import asyncio
import contextlib
import struct
import sys

from rosenblatt.lab.limits import END_SECONDS, GRACE_SECONDS, START_SECONDS

Event = tuple[str, bytes]

#: The events that end a job.
FINAL = ("answer", "refused", "malformed", "failed")


class StartError(RuntimeError):
    """A worker process did not get ready for jobs."""


class Worker:
    """One process and its pipes."""

    def __init__(self, process: asyncio.subprocess.Process) -> None:
        self._process = process
        self._size: int | None = None  # of a frame whose length has been read, and no more
        self._killed = False

    @classmethod
    async def spawned(cls) -> "Worker":
        """A new process; `prepare` makes it ready for jobs."""
        try:
            process = await asyncio.create_subprocess_exec(
                sys.executable, "-m", "rosenblatt.lab.worker",
                stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE, limit=1 << 20,
                process_group=0,  # Ctrl-C is for the server, which then ends its workers
            )  # fmt: skip
        except OSError as error:
            raise StartError(f"a worker process could not be started ({error.strerror}).") from error
        return cls(process)

    async def prepare(self, given: bytes) -> None:
        """Hands over the lab's own table, and waits until the process is ready for jobs."""
        try:
            async with asyncio.timeout(START_SECONDS):
                await self.send("given", given)
                await self.receive()  # "ready"
        except TimeoutError as error:
            raise StartError(f"a worker process was not ready after {START_SECONDS:g} seconds.") from error
        except (OSError, asyncio.IncompleteReadError) as error:
            await self.end()
            raise StartError(f"a worker process died while it started ({self._status()}).") from error

    async def drained(self) -> bool:
        """Whether the job that nobody waits for any more came to its end by itself, soon enough."""
        try:
            async with asyncio.timeout(GRACE_SECONDS):
                while (await self.receive())[0] not in FINAL:
                    pass
        except (OSError, asyncio.IncompleteReadError):
            return False
        return True

    async def end(self) -> None:
        """Ends the process; returns when it is gone, or after END_SECONDS."""
        pipe = self._process.stdout
        if pipe is not None and pipe.at_eof():
            # It died by itself. asyncio's watcher reaps it; `kill` would do so first, and its exit status be lost.
            await self._gone()
        if self._process.returncode is None and not self._killed:
            self._killed = True
            with contextlib.suppress(ProcessLookupError):
                self._process.kill()
        await self._gone()

    async def _gone(self) -> None:
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(END_SECONDS):
                await self._process.wait()

    def _status(self) -> str:
        code = self._process.returncode
        if code is None:
            return "it closed its pipe"
        return f"signal {-code}" if code < 0 else f"exit status {code}"

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
