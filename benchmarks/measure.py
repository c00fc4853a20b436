"""Times two ways of doing the same work, alternately, and the memory that one of them takes."""

import resource
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True)
class Ratio:
    """Best times of both, in seconds; `ratio` above one means that ours is faster."""

    ours: float
    peer: float

    @property
    def ratio(self) -> float:
        return self.peer / self.ours


def compare(ours: Callable[[], object], peer: Callable[[], object], repeats: int = 5) -> Ratio:
    """Best of `repeats`, alternating, so that a slow minute of the machine hits both."""
    times: tuple[list[float], list[float]] = ([], [])
    for _ in range(repeats):
        for way, seconds in zip((ours, peer), times, strict=True):
            begin = time.perf_counter()
            way()
            seconds.append(time.perf_counter() - begin)
    return Ratio(min(times[0]), min(times[1]))


def peak_mb(code: str) -> float:
    """The peak resident memory of a fresh interpreter that runs this code."""
    report = "import resource; print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)"
    done = subprocess.run([sys.executable, "-c", f"{code}\n{report}"], capture_output=True, text=True, check=True)
    return int(done.stdout.split()[-1]) / 1024


def peak_mb_of_this_process() -> float:
    """Of the process that asks."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
