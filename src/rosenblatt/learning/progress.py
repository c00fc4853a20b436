"""What a fit tells while it runs: to the user's callback, and to the terminal."""

import sys
import time
from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import dataclass
from types import TracebackType
from typing import Any

#: Between two lines of text.
_SECONDS = 5.0


@dataclass(frozen=True)
class Progress:
    """An epoch that has just ended, as met online; `weights()` gives the present (coef, intercept)."""

    epoch: int
    mistakes: int
    error_rate: float
    loss: float
    n_samples_seen: int
    weights: Callable[[], tuple[Any, Any]]


class ProgressLine(AbstractContextManager["ProgressLine"]):
    """A line on stderr that follows the epochs.

    Where stderr is not a terminal there is none; with `plain` the first epoch, and then one every few seconds, is
    written as a line of text.
    """

    def __init__(self, verbose: int, name: str, max_iter: int | None, *, plain: bool = False) -> None:
        terminal = sys.stderr.isatty()
        self._draws = bool(verbose) and terminal
        self._writes = bool(verbose) and plain and not terminal
        self._write_next = 0.0
        self._name = name
        self._max_iter = max_iter

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
            self._bar.start()
        return self

    def show(self, progress: Progress) -> None:
        state = f"{progress.mistakes} mistakes, {progress.error_rate:.2%} errors"
        if self._draws:
            self._bar.update(self._task, completed=progress.epoch, state=state)
        if self._writes and time.monotonic() >= self._write_next:
            self._write_next = time.monotonic() + _SECONDS
            print(f"{self._name}: epoch {progress.epoch}: {state}", file=sys.stderr, flush=True)

    def __exit__(self, *exception: type[BaseException] | BaseException | TracebackType | None) -> None:
        if self._draws:
            self._bar.stop()
