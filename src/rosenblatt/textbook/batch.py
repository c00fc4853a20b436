"""The batch perceptron: L2's gradient step over all misclassified examples at once."""

from collections.abc import Generator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from rosenblatt.conventions import is_mistake
from rosenblatt.conventions.ties import Tie
from rosenblatt.textbook.finished_run import Array, Ended
from rosenblatt.textbook.online import augmented, first_weights, signs_of, weights_of


@dataclass(frozen=True)
class BatchStep:
    """One gradient step: the misclassified set M, its loss −Σ y·score, and the weights before and after.

    Examples
    --------
    >>> from rosenblatt import textbook
    >>> step = next(textbook.batch([[0], [1]], [-1, 1]))
    >>> step.M, step.loss, step.w_after
    ((0, 1), 0.0, array([0., 1.]))
    """

    epoch: int
    M: tuple[int, ...]
    loss: float
    w_before: Array
    w_after: Array


def batch(
    X: ArrayLike,
    y: Sequence[int] | Array,
    *,
    fit_intercept: bool = True,
    eta0: float = 1.0,
    tie: Tie = "mistake",
    error_tie: Tie | None = None,
    init: str = "zeros",
    init_scale: float = 0.5,
    start: ArrayLike | None = None,
    sample_weight: ArrayLike | None = None,
    max_iter: int | None = None,
    max_error: float = 0.0,
    random_state: int = 0,
) -> Generator[BatchStep, Any, Ended]:
    """Yields each step: w ← w + η Σ_{M} y·x (L2, 'Optimization').

    Examples
    --------
    >>> from rosenblatt import textbook
    >>> [len(step.M) for step in textbook.batch([[0, 0], [0, 1], [1, 0], [1, 1]], [-1, -1, -1, 1])]
    [4, 1, 2, 1, 1, 2, 1, 2, 1, 0]
    """
    X, weight = augmented(X, fit_intercept), weights_of(X, sample_weight)
    labels = signs_of(y)
    present = [i for i in range(len(X)) if weight[i] > 0]
    w = first_weights(start, X.shape[1], init, init_scale, random_state)
    kept, kept_at, epoch = w, 0, 0
    while True:
        scores = {i: float(w @ X[i]) for i in present}
        M = [i for i in present if is_mistake(scores[i], labels[i], tie)]
        errors = sum(is_mistake(scores[i], labels[i], error_tie or tie) for i in present)
        before = w
        if M:
            w = w + sum(eta0 * weight[i] * labels[i] * X[i] for i in M)
        epoch += 1
        yield BatchStep(epoch - 1, tuple(M), float(sum(-labels[i] * scores[i] for i in M)), before, w)
        if not M:
            return Ended("separated", w, epoch)
        if np.array_equal(w, kept):
            return Ended("cycled", w, epoch, epoch - kept_at)
        if epoch & (epoch - 1) == 0:
            kept, kept_at = w, epoch
        if errors <= max_error * len(present):
            return Ended("error_reached", w, epoch)
        if max_iter is not None and epoch >= max_iter:
            return Ended("max_iter", w, epoch)
