"""Adaline, which is often confused with the perceptron: it learns from the score, not from the prediction.

Widrow and Hoff, "Adaptive switching circuits", 1960: w ← w + η(y − w·x)x, the gradient step of ½(y − w·x)² on one
example.
"""

from collections.abc import Generator, Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from rosenblatt.conventions.step import Step
from rosenblatt.textbook.finished_run import Array, Ended
from rosenblatt.textbook.online import augmented, signs_of


def adaline(
    X: ArrayLike,
    y: Sequence[int] | Array,
    *,
    eta0: float = 0.1,
    fit_intercept: bool = True,
    start: ArrayLike | None = None,
    max_iter: int = 100,
    tolerance: float = 0.0,
) -> Generator[Step, Any, Ended]:
    """Yields each example presented, in file order; each changes the weights unless its score is exactly y.

    `mistake` is whether the weights changed. The run ends `unchanged` when no weight has moved by more than
    `tolerance` in an epoch, else `max_iter`; it does not end when all examples are classified correctly.

    Examples
    --------
    >>> from rosenblatt import textbook
    >>> step = next(textbook.adaline([[2.0]], [1], eta0=0.5, start=[0.0, 1.0]))
    >>> step.score, step.mistake, step.w_after  # right, and the score is too large: w shrinks
    (2.0, True, array([-0.5,  0. ]))
    """
    X, labels = augmented(X, fit_intercept), signs_of(y)
    w = np.zeros(X.shape[1]) if start is None else np.array(start, dtype=float)
    k = 0
    for epoch in range(max_iter):
        at_first = w
        for i, x in enumerate(X):
            score = float(w @ x)
            before, w = w, w + eta0 * (labels[i] - score) * x
            yield Step(k, epoch, i, x, labels[i], score, score != labels[i], before, w)
            k += 1
        if np.abs(w - at_first).max(initial=0.0) <= tolerance:
            return Ended("unchanged", w, epoch + 1)
    return Ended("max_iter", w, max_iter)
