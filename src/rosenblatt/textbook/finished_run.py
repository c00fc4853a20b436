"""A finished run of a textbook algorithm."""

from collections.abc import Callable, Generator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rosenblatt.conventions.step import Step
from rosenblatt.meter import Meter

Array = NDArray[np.float64]


@dataclass(frozen=True)
class Ended:
    """How a run ended: the return value of a textbook generator."""

    status: str
    w: Array
    epochs: int
    cycle: int | None = None


@dataclass(frozen=True, repr=False)
class Run:
    """All steps of a run, and how it ended; `ended` has further results of the algorithm.

    Examples
    --------
    >>> from rosenblatt import textbook
    >>> ended = textbook.run(textbook.pocket([[0], [1], [1]], [-1, 1, -1], max_iter=10))
    >>> ended.status, ended.n_mistakes, ended.ended.w_pocket
    ('cycled', 5, array([-1.,  0.]))
    """

    steps: list[Step]
    ended: Any

    @property
    def status(self) -> str:
        return str(self.ended.status)

    @property
    def w(self) -> Array:
        return np.asarray(self.ended.w)

    @property
    def n_iter(self) -> int:
        return int(self.ended.epochs)

    @property
    def cycle(self) -> int | None:
        return None if self.ended.cycle is None else int(self.ended.cycle)

    @property
    def n_mistakes(self) -> int:
        return sum(step.mistake for step in self.steps)

    @property
    def n_samples_seen(self) -> int:
        return len(self.steps)

    def __repr__(self) -> str:
        seen = f"{self.n_samples_seen:,} examples in {self.n_iter:,} epochs"
        return f"<Run: {self.status}; {seen}, {self.n_mistakes:,} mistakes; w = {self.w.tolist()}>"


def observed(steps: Generator[Step, Any, Ended], observe: Callable[[Step], None]) -> Generator[Step, Any, Ended]:
    """Yields the steps of a run, calls `observe` with each of them first, and returns how the run ended."""
    while True:
        try:
            step = next(steps)
        except StopIteration as stop:
            ended: Ended = stop.value
            return ended
        observe(step)
        yield step


def run(steps: Generator[Step, Any, Any]) -> Run:
    """Runs a textbook algorithm to its end, and keeps all steps. It shows the number of steps in a terminal.

    Give the algorithm a limit (`max_iter`, `max_steps`, `max_updates`) if the data may be inseparable.

    >>> from rosenblatt import textbook
    >>> ended = textbook.run(textbook.online([[0, 0], [0, 1], [1, 0], [1, 1]], [-1, -1, -1, 1]))
    >>> ended.status, ended.n_mistakes, ended.n_iter
    ('separated', 18, 9)
    """
    seen: list[Step] = []
    with Meter("textbook.run", unit="steps") as meter:
        while True:
            try:
                seen.append(next(steps))
            except StopIteration as stop:
                return Run(seen, stop.value)
            if len(seen) % 1000 == 0:
                meter.update(len(seen), f"{seen[-1].epoch:,} epochs")
