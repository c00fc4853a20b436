"""Progress of a running fit, for the user's callback and for the terminal."""

import sys
import time
from collections.abc import Callable
from contextlib import AbstractContextManager, ExitStack
from dataclasses import dataclass
from types import TracebackType
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from rosenblatt.meter import Meter, no_meters

#: Seconds between two lines of text.
_SECONDS = 5.0


@dataclass(frozen=True)
class Progress:
    """The counts of the last epoch, measured when each example was presented. `weights()` is (coef, intercept) now.

    Of a linear model, `weights("average")` is the mean so far, if the algorithm computes it.
    """

    epoch: int
    mistakes: int
    error_rate: float
    loss: float
    n_samples_seen: int
    weights: Callable[..., tuple[NDArray[np.float64], NDArray[np.float64]]]


class ProgressLine(AbstractContextManager["ProgressLine"]):
    """The progress of a fit on stderr: with `verbose` a bar, updated after every epoch; else a `Meter`.

    If stderr is not a terminal, nothing is shown; with `plain`, a line of text is written every few seconds instead.
    """

    def __init__(self, verbose: int, name: str, max_iter: int | None, *, plain: bool = False) -> None:
        terminal = sys.stderr.isatty()
        self._draws = bool(verbose) and terminal
        self._writes = bool(verbose) and plain and not terminal
        self._write_next = 0.0
        self._name = name
        self._max_iter = max_iter
        self._meter = Meter(f"{name}.fit", max_iter, "epochs")
        self._open = ExitStack()

    @property
    def shows(self) -> bool:
        return self._draws or self._writes

    def __enter__(self) -> "ProgressLine":
        if self._draws:
            from rich.console import Console
            from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeElapsedColumn
            from rich.progress import Progress as Bar

            columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
            self._bar = Bar(*columns, TextColumn("{task.fields[state]}"), console=Console(stderr=True))
            self._task = self._bar.add_task(self._name, total=self._max_iter, state="")
            self._open.enter_context(no_meters())
            self._open.enter_context(self._bar)
        elif not self._writes:
            self._open.enter_context(self._meter)
        return self

    def tick(self, epochs: float, latest: tuple[int, int, int, int, float]) -> None:
        """Called between two slices of a run, with its epochs so far (a fraction) and the totals of its last one."""
        if not self.shows:
            _, presented, mistakes, errors, _ = latest
            # Before the end of the first epoch there are no totals.
            self._meter.update(epochs, lambda: _state(int(mistakes), errors / presented) if presented else "")

    def show(self, progress: Progress) -> None:
        state = _state(progress.mistakes, progress.error_rate)
        if self._draws:
            self._bar.update(self._task, completed=progress.epoch, state=state)
        if self._writes and time.monotonic() >= self._write_next:
            self._write_next = time.monotonic() + _SECONDS
            print(f"{self._name}: epoch {progress.epoch}: {state}", file=sys.stderr, flush=True)

    def __exit__(self, *exception: type[BaseException] | BaseException | TracebackType | None) -> None:
        self._open.close()


class ReportedRun(Protocol):
    """A run of the core whose progress can be reported."""

    @property
    def epochs(self) -> int: ...
    @property
    def presented(self) -> int: ...
    @property
    def latest(self) -> tuple[int, int, int, int, float]: ...
    def end_all(self, ending: str) -> None: ...


class EpochReports:
    """Reports a run to the progress line and, after each epoch, to the user's callback, which can end the run."""

    def __init__(
        self,
        run: ReportedRun,
        n_examples: int,
        weights: Callable[..., tuple[NDArray[np.float64], NDArray[np.float64]]],
        callback: Callable[[Progress], object] | None,
        line: ProgressLine,
    ) -> None:
        self._run, self._n_examples, self._weights = run, n_examples, weights
        self._callback, self._line = callback, line
        self._reported = 0  # epochs
        self.wanted = callback is not None or line.shows

    def after_slice(self, pause: str) -> None:
        """Called after each slice of the run, with the reason for its pause."""
        run = self._run
        self._line.tick(run.presented / self._n_examples, run.latest)
        if not self.wanted or run.epochs == self._reported or pause not in ("epoch", "done"):
            return
        self._reported = run.epochs
        epoch, presented, mistakes, errors, loss = run.latest
        progress = Progress(int(epoch), int(mistakes), errors / max(presented, 1), loss, run.presented, self._weights)
        self._line.show(progress)
        if self._callback is not None and self._callback(progress) is True:
            run.end_all("early_stopped")


def _state(mistakes: int, error_rate: float) -> str:
    return f"{mistakes:,} mistakes, {error_rate:.2%} errors"
