"""A benchmark run: its options, and how methods for the same work are timed against each other."""

import resource
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from os import environ
from pathlib import Path
from typing import Any

import numpy as np
import scipy.sparse as sp

from benchmarks.records import Needs, Result

Work = Callable[[], object]
Times = dict[str, tuple[float, ...]]

_LINE = 64  # bytes of a cache line
_ENOUGH = 8.0  # seconds

# Models with these names are fitted with this accelerator setting; for all others the core chooses.
ACCELERATORS = ("none", "quantized", "quantized-without-reference")


class Skip(Exception):
    """A workload cannot run here; the message has the reason and the remedy."""


@dataclass(frozen=True)
class Run:
    """The options of a run."""

    folder: Path  # for generated and downloaded files
    quick: bool = False  # small data and one repeat, as a functional test
    large: bool = False  # includes workloads of minutes and gigabytes
    repeats: int = 3
    threads: int = 2  # available on the machine

    def size(self, full: int, quick: int) -> int:
        return quick if self.quick else full

    def contest(self, ways: Mapping[str, Work], *, number: int = 1) -> Times:
        """Seconds of every repeat. All methods take turns, in reversed order every other time, so that none gains.

        A way that takes microseconds is timed `number` times in a row. A way is not repeated further when its repeats
        so far have taken `_ENOUGH` seconds.
        """
        found: dict[str, list[float]] = {name: [] for name in ways}
        for turn in range(1 if self.quick else self.repeats):
            for name in list(ways) if turn % 2 == 0 else reversed(list(ways)):
                if sum(found[name]) * number < _ENOUGH:
                    found[name].append(seconds(ways[name], number))
        return {name: tuple(times) for name, times in found.items()}

    def compare(
        self,
        workload: str,
        case: str,
        ours: Work,
        peer: Work,
        *,
        against: str,
        data: str = "synthetic",
        number: int = 1,
        **more: Any,
    ) -> Result:
        """Times our method and one peer."""
        times = self.contest({"ours": ours, "peer": peer}, number=number)
        return Result(workload, case, data, times["ours"], against, times["peer"], **more)


def seconds(work: Work, number: int = 1, clock: Callable[[], float] = time.perf_counter) -> float:
    """Seconds of one call, by wall-clock time or another clock."""
    begin = clock()
    for _ in range(number):
        work()
    return (clock() - begin) / number


@contextmanager
def environment(values: Mapping[str, str]) -> Iterator[None]:
    """Sets environment variables temporarily."""
    before = {name: environ.get(name) for name in values}
    environ.update(values)
    try:
        yield
    finally:
        for name, value in before.items():
            if value is None:
                del environ[name]
            else:
                environ[name] = value


def within(values: Mapping[str, str], work: Work) -> Work:
    """The same work with these environment variables."""

    def run() -> object:
        with environment(values):
            return work()

    return run


def fits(models: Mapping[str, Any], X: Any, y: Any) -> dict[str, Work]:
    """The fit of each model; a model named after an accelerator setting is fitted with it."""
    ways: dict[str, Work] = {name: partial(model.fit, X, y) for name, model in models.items()}
    chosen = {name: {"ROSENBLATT_ACCELERATOR": name} for name in ACCELERATORS}
    return {name: within(chosen.get(name, {}), way) for name, way in ways.items()}


def accelerators(model: Any) -> str:
    """The accelerators that ran in the last fit, with their epochs over all problems; "none" for the plain pass."""
    epochs: Counter[str] = Counter()
    for uses in model.accelerators_:
        epochs.update(uses)
    return ", ".join(f"{name} {count}" for name, count in epochs.items()) or "none"


def passes(X: Any, epochs: int, planes: int = 1, order: str = "cyclic") -> Needs:
    """The minimum work of a plain run: X is read once per epoch, with one multiply-add per nonzero value and plane."""
    if sp.issparse(X):
        arrays, nonzero = (X.data, X.indices), X.nnz
        size = sum(array.nbytes for array in arrays) + X.indptr.nbytes
    else:
        arrays, nonzero = (X,), int(np.count_nonzero(X))
        size = X.nbytes
    # A row may begin anywhere in a cache line. Labels and row pointers are small enough for a cache.
    lines = sum(array.nbytes / X.shape[0] / _LINE + 1 - array.itemsize / _LINE for array in arrays)
    gathered = "gathered_scattered" if order == "shuffle" else "gathered"
    return Needs(
        bytes=float(size * epochs),
        scattered=lines * _LINE * X.shape[0] * epochs if order == "shuffle" else 0.0,
        **({gathered: float(nonzero * epochs)} if sp.issparse(X) else {}),  # one index for all planes
        multiply_adds=float(nonzero * epochs * planes),
        number=str(X.dtype),
    )


def reset_peak() -> None:
    """Resets the peak, so that generating the data is not counted (Linux only)."""
    if Path("/proc/self/clear_refs").exists():
        Path("/proc/self/clear_refs").write_text("5")


def peak_mb_of_this_process() -> float:
    """Peak resident memory of this process; on Linux without that of the process it was forked from."""
    status = Path("/proc/self/status")
    if status.exists():
        line = next(line for line in status.read_text().splitlines() if line.startswith("VmHWM"))
        return int(line.split()[1]) / 1024
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
