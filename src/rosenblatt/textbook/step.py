"""A step of a lecture's algorithm, and a finished run."""

from collections.abc import Generator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]


@dataclass(frozen=True)
class Step:
    """One example presented. Vectors are [w₀, w₁, …] with an offset, and x then begins with 1."""

    k: int  # examples presented before this one
    epoch: int  # from 0
    i: int
    x: Array
    y: int
    score: float
    mistake: bool
    w_before: Array
    w_after: Array

    @property
    def score_after(self) -> float:
        """The same example's score after the update; y times it has grown by eta0·‖x‖² (L1, eq. 11)."""
        return float(self.w_after @ self.x)


@dataclass(frozen=True)
class Ended:
    """How a run ended, as the last word of a textbook generator."""

    status: str
    w: Array
    epochs: int
    cycle: int | None = None


@dataclass(frozen=True)
class Run:
    """All steps of a run, and how it ended."""

    steps: list[Step]
    status: str
    w: Array
    n_iter: int
    cycle: int | None

    @property
    def n_mistakes(self) -> int:
        return sum(step.mistake for step in self.steps)

    @property
    def n_samples_seen(self) -> int:
        return len(self.steps)


def run(steps: Generator[Step, Any, Ended]) -> Run:
    """Walks a textbook algorithm to its end.

    >>> from rosenblatt import textbook
    >>> ended = textbook.run(textbook.online([[0, 0], [0, 1], [1, 0], [1, 1]], [-1, -1, -1, 1]))
    >>> ended.status, ended.n_mistakes, ended.n_iter
    ('separated', 18, 9)
    """
    seen = []
    while True:
        try:
            seen.append(next(steps))
        except StopIteration as stop:
            ended: Ended = stop.value
            return Run(seen, ended.status, ended.w, ended.epochs, ended.cycle)
