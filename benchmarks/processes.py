"""Whole processes as contestants: start-up included, and what they take of the processors and of memory."""

import os
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from benchmarks.records import Result
from benchmarks.run import Run

PYTHON = (sys.executable, "-c")
OURS = (sys.executable, "-m", "rosenblatt")


@dataclass
class Process:
    """A command that can be run again and again; the lists have an entry a run."""

    command: Sequence[str]
    clock: list[float] = field(default_factory=list)
    processor: list[float] = field(default_factory=list)
    peak_mb: list[float] = field(default_factory=list)
    said: str = ""

    def __call__(self) -> None:
        begin = time.perf_counter()
        process = subprocess.Popen(self.command, stdout=subprocess.PIPE, text=True)
        assert process.stdout is not None
        self.said = process.stdout.read()
        _, status, used = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        process.stdout.close()
        self.clock.append(time.perf_counter() - begin)
        self.processor.append(used.ru_utime + used.ru_stime)
        self.peak_mb.append(used.ru_maxrss / 1024)
        if process.returncode:
            raise subprocess.CalledProcessError(process.returncode, self.command, self.said)


def compare(
    run: Run,
    workload: str,
    case: str,
    ours: Process,
    peer: Process,
    *,
    against: str,
    repeats: Mapping[str, int] | None = None,
    notes: tuple[str, ...] = (),
    **more: Any,
) -> Result:
    """Two processes, alternately; on a machine that others use as well, the processor time says more than the clock."""
    run.contest({"ours": ours, "peer": peer}, repeats=repeats)
    processor = min(peer.processor) / min(ours.processor)
    memory = f"{min(ours.peak_mb):,.0f} MB against {min(peer.peak_mb):,.0f} MB"
    found = (f"of processor time {processor:.1f}", f"peak memory {memory}", *notes)
    return Result(workload, case, ours=tuple(ours.clock), peer=against, peers=tuple(peer.clock), notes=found, **more)
