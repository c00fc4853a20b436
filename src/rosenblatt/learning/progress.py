"""What a fit tells while it runs: to the user's callback, and to the terminal."""

import sys
from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import dataclass
from types import TracebackType
from typing import Any


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
    """A line on stderr that follows the epochs; nothing at all where stderr is not a terminal."""

    def __init__(self, verbose: int, name: str, max_iter: int | None) -> None:
        self._shows = bool(verbose) and sys.stderr.isatty()
        self._name = name
        self._max_iter = max_iter

    @property
    def shows(self) -> bool:
        return self._shows

    def __enter__(self) -> "ProgressLine":
        if self._shows:
            from rich.console import Console
            from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeElapsedColumn
            from rich.progress import Progress as Bar

            columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
            self._bar = Bar(*columns, TextColumn("{task.fields[state]}"), console=Console(stderr=True))
            self._task = self._bar.add_task(self._name, total=self._max_iter, state="")
            self._bar.start()
        return self

    def show(self, progress: Progress) -> None:
        if self._shows:
            state = f"{progress.mistakes} mistakes, {progress.error_rate:.2%} errors"
            self._bar.update(self._task, completed=progress.epoch, state=state)

    def __exit__(self, *exception: type[BaseException] | BaseException | TracebackType | None) -> None:
        if self._shows:
            self._bar.stop()
