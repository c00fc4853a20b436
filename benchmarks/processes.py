"""Whole processes as contestants: time including start-up, processor time and memory.

All run from bytecode, as after `pip install`, which compiles all modules. In an environment that writes no bytecode,
every process would compile NumPy and scikit-learn again; so bytecode is stored in the folder of the benchmarks.
"""

import json
import subprocess
import sys
from collections.abc import Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from benchmarks.records import Result
from benchmarks.run import Run, environment

PYTHON = (sys.executable, "-c")
OURS = (sys.executable, "-m", "rosenblatt")

# A small process that starts the command and measures it. The peak memory of a process includes that of the process it
# was forked from, and this one may hold gigabytes. The last line of output has the measurements.
_LAUNCH = """
import json, os, subprocess, sys, time
begin = time.perf_counter()
process = subprocess.Popen(sys.argv[1:])
_, status, used = os.wait4(process.pid, 0)
print()
print(json.dumps([time.perf_counter() - begin, used.ru_utime + used.ru_stime, used.ru_maxrss / 1024]))
sys.exit(os.waitstatus_to_exitcode(status))
"""


@dataclass
class Process:
    """A command that can be run repeatedly; the lists have one entry per run."""

    command: Sequence[str]
    clock: list[float] = field(default_factory=list)
    processor: list[float] = field(default_factory=list)
    peak_mb: list[float] = field(default_factory=list)
    output: str = ""

    def __call__(self) -> None:
        done = subprocess.run([*PYTHON, _LAUNCH, *self.command], stdout=subprocess.PIPE, text=True)
        if done.returncode:
            raise subprocess.CalledProcessError(done.returncode, self.command, done.stdout)
        self.output, _, spent = done.stdout.rstrip("\n").rpartition("\n")
        for found, value in zip((self.clock, self.processor, self.peak_mb), json.loads(spent), strict=True):
            found.append(value)


def bytecode_in(folder: Path) -> AbstractContextManager[None]:
    """Processes started within this context write and read their bytecode below this folder."""
    return environment({"PYTHONDONTWRITEBYTECODE": "", "PYTHONPYCACHEPREFIX": str(folder.resolve() / "bytecode")})


def compare(
    run: Run,
    workload: str,
    case: str,
    ours: Process,
    peer: Process,
    *,
    against: str,
    warm: bool = True,
    notes: tuple[str, ...] = (),
    **more: Any,
) -> Result:
    """Two processes in turn. On a shared machine, processor time is more reliable than wall-clock time.

    A first run of each, which may have to write bytecode, is not counted; `warm=False` omits it for long commands.
    """
    with bytecode_in(run.folder):
        if warm and not run.quick:
            Process(ours.command)()
            Process(peer.command)()
        run.contest({"ours": ours, "peer": peer})
    processor = min(peer.processor) / min(ours.processor)
    memory = f"{min(ours.peak_mb):,.0f} MB against {min(peer.peak_mb):,.0f} MB"
    found = (f"of processor time {processor:.1f}", f"peak memory {memory}", *notes)
    return Result(workload, case, ours=tuple(ours.clock), peer=against, peers=tuple(peer.clock), notes=found, **more)
