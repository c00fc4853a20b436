"""A step of a run: one example presented."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True)
class Step:
    """One example presented.

    Vectors are [w₀, w₁, …] with an offset, and x then begins with 1. Under the joint rule w has one such row per class,
    y is the position of the true class, and score its score minus the best of the others.

    Examples
    --------
    >>> from rosenblatt import textbook
    >>> step = next(textbook.online([[3.0]], [1]))
    >>> step.x, step.score, step.mistake, step.w_after, step.score_after
    (array([1., 3.]), 0.0, True, array([1., 3.]), 10.0)
    """

    k: int  # examples presented before this one
    epoch: int  # from 0
    i: int
    x: NDArray[np.float64]
    y: int
    score: float
    mistake: bool
    w_before: NDArray[np.float64]
    w_after: NDArray[np.float64]

    @property
    def score_after(self) -> float:
        """The same example's score after the update; y times it has grown by eta0·‖x‖² (L1, eq. 11)."""
        scores = self.w_after @ self.x
        if self.w_after.ndim == 1:
            return float(scores)
        return joint_score(scores, self.y)


def misclassified(scores: NDArray[np.float64], positive: NDArray[np.bool_], tie: str) -> NDArray[np.bool_]:
    """Which examples are mistakes by `is_mistake`, for arrays. `positive` marks the examples of label +1.

    >>> misclassified(np.array([0.0, 2.0, -1.0]), np.array([True, False, False]), "mistake").tolist()
    [True, True, False]
    """
    wrong: NDArray[np.bool_] = ((scores >= 0) if tie == "positive" else (scores > 0)) != positive
    return wrong | (scores == 0) if tie == "mistake" else wrong


def joint_score(scores: Any, y: int) -> float:
    """The true class's score minus the best of the others: a mistake unless it is positive."""
    return float(scores[y] - max(score for c, score in enumerate(scores) if c != y))


def rivals_of(scores: Any, y: int, which: str = "best") -> list[int]:
    """The classes that a mistake punishes: the best other one, or all with a score of at least y's.

    >>> rivals_of([1.0, 2.0, 3.0, 0.0], 0), rivals_of([1.0, 2.0, 3.0, 0.0], 0, "all")
    ([2], [1, 2])
    """
    if which == "best":
        return [rival_of(scores, y)]
    return [c for c in range(len(scores)) if c != y and not scores[y] > scores[c]]


def rival_of(scores: Any, y: int) -> int:
    """The other class with the largest score; the first one if several are equal."""
    return int(max((c for c in range(len(scores)) if c != y), key=lambda c: scores[c]))
