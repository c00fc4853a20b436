"""A run: what was asked for, and how to time ways of doing the same work against each other."""

import resource
import time
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

_LINE = 64  # bytes that come from memory at once

# Models of these names are fitted with this choice of accelerator; all others as the core chooses.
ACCELERATORS = ("none", "quantized", "quantized-without-reference", "quantized-without-residuals")


class Skip(Exception):
    """A workload cannot run here; the text says why, and what would help."""


@dataclass(frozen=True)
class Run:
    """What was asked for."""

    folder: Path  # for files that are made or fetched once
    quick: bool = False  # small data and one repeat, to see that all works
    large: bool = False  # also what takes minutes and gigabytes
    repeats: int = 3
    threads: int = 2  # that the machine has

    def size(self, full: int, quick: int) -> int:
        return quick if self.quick else full

    def contest(self, ways: Mapping[str, Work], *, number: int = 1, repeats: Mapping[str, int] | None = None) -> Times:
        """Seconds of every repeat: all ways in turn, the order reversed every other time, so that none has an edge.

        A way that takes microseconds is timed `number` times in a row; slow ones may be given fewer `repeats`.
        """
        most = 1 if self.quick else self.repeats
        turns = {name: min(most, (repeats or {}).get(name, most)) for name in ways}
        found: dict[str, list[float]] = {name: [] for name in ways}
        for turn in range(most):
            for name in list(ways) if turn % 2 == 0 else reversed(list(ways)):
                if turn < turns[name]:
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
        peer_repeats: int | None = None,
        **more: Any,
    ) -> Result:
        """Ours against one peer."""
        limits = None if peer_repeats is None else {"peer": peer_repeats}
        times = self.contest({"ours": ours, "peer": peer}, number=number, repeats=limits)
        return Result(workload, case, data, times["ours"], against, times["peer"], **more)


def seconds(work: Work, number: int = 1, clock: Callable[[], float] = time.perf_counter) -> float:
    """Of one call, by the clock on the wall or another."""
    begin = clock()
    for _ in range(number):
        work()
    return (clock() - begin) / number


@contextmanager
def environment(values: Mapping[str, str]) -> Iterator[None]:
    """These variables for a while, then what was there before."""
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
    """The same work with these variables."""

    def run() -> object:
        with environment(values):
            return work()

    return run


def fits(models: Mapping[str, Any], X: Any, y: Any) -> dict[str, Work]:
    """Each model's fit; a model that has the name of a choice of accelerator is fitted with it."""
    ways: dict[str, Work] = {name: partial(model.fit, X, y) for name, model in models.items()}
    chosen = {name: {"ROSENBLATT_ACCELERATOR": name} for name in ACCELERATORS}
    return {name: within(chosen.get(name, {}), way) for name, way in ways.items()}


def passes(X: Any, epochs: int, planes: int = 1, order: str = "cyclic") -> Needs:
    """Of a plain run: X is read once an epoch, and its nonzero values meet each plane."""
    if sp.issparse(X):
        arrays, nonzero = (X.data, X.indices), X.nnz
        size = sum(array.nbytes for array in arrays) + X.indptr.nbytes
    else:
        arrays, nonzero = (X,), int(np.count_nonzero(X))
        size = X.nbytes
    # A row begins anywhere on a line. Labels, and where sparse rows begin, are few enough for a cache.
    lines = sum(array.nbytes / X.shape[0] / _LINE + 1 - array.itemsize / _LINE for array in arrays)
    gathered = "gathered_scattered" if order == "shuffle" else "gathered"
    return Needs(
        bytes=float(size * epochs),
        scattered=lines * _LINE * X.shape[0] * epochs if order == "shuffle" else 0.0,
        **({gathered: float(nonzero * epochs)} if sp.issparse(X) else {}),  # one index for all planes
        multiply_adds=float(nonzero * epochs * planes),
        number=str(X.dtype),
    )


def forget_the_peak() -> None:
    """So that what made the data does not count, on Linux."""
    if Path("/proc/self/clear_refs").exists():
        Path("/proc/self/clear_refs").write_text("5")


def peak_mb_of_this_process() -> float:
    """Resident memory of the process that asks, since it began; what it was forked from does not count, on Linux."""
    status = Path("/proc/self/status")
    if status.exists():
        line = next(line for line in status.read_text().splitlines() if line.startswith("VmHWM"))
        return int(line.split()[1]) / 1024
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
