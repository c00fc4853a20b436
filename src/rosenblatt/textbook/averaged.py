"""The averaged perceptron, with the mean of the weights over all examples presented; and the voted perceptron.

The mean is weighted by the sample weights. Freund and Schapire, "Large margin classification using the perceptron
algorithm", 1999.
"""

from collections.abc import Generator, Sequence
from dataclasses import dataclass
from typing import Any

from numpy.typing import ArrayLike

from rosenblatt.conventions.step import Step
from rosenblatt.textbook.finished_run import Array, Ended, observed
from rosenblatt.textbook.online import online, weights_of


@dataclass(frozen=True)
class AveragedEnded(Ended):
    """How a run ended, and the mean of its weights."""

    average: Any = None


@dataclass(frozen=True)
class VotedEnded(Ended):
    """How a run ended, and every weight vector with the number of examples presented while it was in use."""

    vectors: tuple[tuple[Any, float], ...] = ()


def averaged(X: ArrayLike, y: Sequence[int] | Array, **convention: Any) -> Generator[Step, Any, AveragedEnded]:
    """Yields the steps of the perceptron and returns the mean of the weights after each of them.

    Examples
    --------
    >>> from rosenblatt import textbook
    >>> run = textbook.run(textbook.averaged([[1.0], [-1.0]], [1, -1], fit_intercept=False))
    >>> run.ended.average
    array([1.])
    """
    total: Any = 0.0
    clock = 0.0
    weight = weights_of(X, convention.get("sample_weight"))

    def add(step: Step) -> None:
        nonlocal total, clock
        total = total + weight[step.i] * step.w_after
        clock += weight[step.i]

    ended = yield from observed(online(X, y, **convention), add)
    average = total / clock if clock else ended.w
    return AveragedEnded(ended.status, ended.w, ended.epochs, ended.cycle, average)


def voted(X: ArrayLike, y: Sequence[int] | Array, **convention: Any) -> Generator[Step, Any, VotedEnded]:
    """Yields the steps of the perceptron and returns every vector with its survival count.

    Examples
    --------
    >>> from rosenblatt import textbook
    >>> run = textbook.run(textbook.voted([[1.0], [-1.0]], [1, -1], fit_intercept=False))
    >>> [(w.tolist(), float(count)) for w, count in run.ended.vectors]
    [([0.0], 0.0), ([1.0], 4.0)]
    """
    vectors: list[list[Any]] = []
    weight = weights_of(X, convention.get("sample_weight"))

    def count(step: Step) -> None:
        if not vectors:
            vectors.append([step.w_before, 0.0])
        if step.mistake:
            vectors.append([step.w_after, 0.0])
        vectors[-1][1] += weight[step.i]

    ended = yield from observed(online(X, y, **convention), count)
    kept = tuple((w, survived) for w, survived in vectors)
    return VotedEnded(ended.status, ended.w, ended.epochs, ended.cycle, kept)


def vote(vectors: Sequence[tuple[Array, float]], x: Array) -> float:
    """The weighted vote of all vectors on x: Σ cₖ sign(wₖ·x), a tie counting as negative.

    Examples
    --------
    >>> import numpy as np
    >>> vote([(np.array([1.0]), 3), (np.array([-1.0]), 1)], np.array([2.0]))
    2.0
    """
    return float(sum(count * (1 if w @ x > 0 else -1) for w, count in vectors))
