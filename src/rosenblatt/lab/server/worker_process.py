"""The server's handle on one worker process and its pipes. `worker.py` is the code inside the process."""

import asyncio
import contextlib
import struct
import sys

from rosenblatt.lab.limits import END_SECONDS, GRACE_SECONDS, START_SECONDS
from rosenblatt.lab.server.worker import frame_of

Event = tuple[str, bytes]

#: The events that complete a job.
FINAL = ("answer", "refused", "malformed", "failed")


class StartError(RuntimeError):
    """A worker process failed to start."""


class Worker:
    """One process and its pipes."""

    def __init__(self, process: asyncio.subprocess.Process) -> None:
        self._process = process
        self._size: int | None = None  # size of a frame of which only the length has been read
        self._killed = False

    @classmethod
    async def spawned(cls) -> "Worker":
        """Starts a process. Call `prepare` before sending jobs."""
        try:
            process = await asyncio.create_subprocess_exec(
                sys.executable, "-m", "rosenblatt.lab.server.worker",
                stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE, limit=1 << 20,
                process_group=0,  # so that Ctrl-C reaches only the server, which then ends its workers
            )  # fmt: skip
        except OSError as error:
            raise StartError(f"a worker process could not be started ({error.strerror}).") from error
        return cls(process)

    async def prepare(self, given: bytes) -> None:
        """Sends the table that the lab was started with, and waits until the process is ready for jobs."""
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
        """Whether a cancelled job completed within GRACE_SECONDS."""
        try:
            async with asyncio.timeout(GRACE_SECONDS):
                while (await self.receive())[0] not in FINAL:
                    pass
        except (OSError, asyncio.IncompleteReadError):
            return False
        return True

    async def end(self) -> None:
        """Ends the process. Returns when it has exited, or after END_SECONDS."""
        pipe = self._process.stdout
        if pipe is not None and pipe.at_eof():
            # The process has exited by itself. Let asyncio's child watcher reap it: `kill` would lose its exit status.
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
        """Sends one frame: the name of a job and the request."""
        pipe = self._process.stdin
        if pipe is None:
            raise AssertionError("a worker has pipes")
        pipe.write(frame_of(event, data))
        await pipe.drain()

    async def receive(self) -> Event:
        """Returns the next event. If the call is cancelled midway, the next call resumes at the same position."""
        pipe = self._process.stdout
        if pipe is None:
            raise AssertionError("a worker has pipes")
        if self._size is None:
            self._size = struct.unpack(">I", await pipe.readexactly(4))[0]
        content = await pipe.readexactly(self._size)
        self._size = None
        event, _, data = content.partition(b"\n")
        return event.decode(), data
