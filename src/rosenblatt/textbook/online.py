"""The online perceptron: one implementation, with the conventions as parameters.

L0, Algorithm 1; L1, eq. 5-6 and 13-15; L2, 'updating one point at a time'; L3, Algorithms 8.1 and 8.2; L4, slide
'Perceptron Algorithm'.
"""

from collections.abc import Generator, Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from rosenblatt.conventions import is_mistake, random_start
from rosenblatt.conventions.exactness import additions_exact, grid_of, grid_of_rows
from rosenblatt.conventions.step import Step
from rosenblatt.conventions.ties import Tie
from rosenblatt.textbook.finished_run import Array, Ended
from rosenblatt.textbook.problem import Limits, Problem
from rosenblatt.textbook.walk import walk


def online(
    X: ArrayLike,
    y: Sequence[int] | Array,
    *,
    fit_intercept: bool = True,
    eta0: float = 1.0,
    tie: Tie = "mistake",
    error_tie: Tie | None = None,
    order: str = "cyclic",
    init: str = "zeros",
    init_scale: float = 0.5,
    start: ArrayLike | None = None,
    sample_weight: ArrayLike | None = None,
    margin: float | None = None,
    step: str = "constant",
    C: float = 1.0,
    random_state: int = 0,
    **limits: Any,
) -> Generator[Step, Any, Ended]:
    """Yields each example presented; labels are +1 and -1, parameters as those of `Perceptron`.

    `start` gives the first weights ([w₀, w₁, …] with an offset). An example of weight zero is skipped. Unlike
    `Perceptron`, a run without limits on data that never separates or cycles does not end.

    Examples
    --------
    >>> from rosenblatt import conventions, textbook
    >>> for step in textbook.online([[5, 7], [2, 6]], [1, -1], **conventions.L4, start=[-5, 0, 1], max_steps=2):
    ...     print(step.y * step.score, step.mistake, step.w_after)
    2.0 False [-5.  0.  1.]
    -1.0 True [-6. -2. -5.]
    """
    X, weight = augmented(X, fit_intercept), weights_of(X, sample_weight)
    labels = signs_of(y)
    theta = margin if margin is not None else float(step != "constant")

    def wrong(score: float, i: int) -> bool:
        if step != "constant":
            return theta - labels[i] * score > 2.0**-32 * theta
        if theta > 0:
            return labels[i] * score <= theta
        return is_mistake(score, labels[i], tie)

    def updated(w: Array, i: int) -> Array:
        scale = eta0 * weight[i]
        if step != "constant":
            scale = scale * passive_aggressive(step, theta - labels[i] * float(w @ X[i]), float(X[i] @ X[i]), C)
        return np.asarray(w + scale * labels[i] * X[i])

    start = first_weights(start, X.shape[1], init, init_scale, random_state)
    present = [i for i in range(len(X)) if weight[i] > 0]

    def proves(updates: int) -> bool:  # whether a return proves that the updates in between sum to zero
        grids = grid_of_rows(X), grid_of(eta0 * weight[present]), grid_of(start)
        return step == "constant" and additions_exact(*grids, updates)

    problem = Problem(
        X,
        labels,
        present,
        score=lambda w, i: float(w @ X[i]),
        wrong=wrong,
        error=lambda score, i: is_mistake(score, labels[i], error_tie or tie),
        updated=updated,
        proves=proves,
    )
    return walk(problem, start, order, random_state, Limits(**limits))


def passive_aggressive(step: str, loss: float, squared: float, C: float) -> float:
    """The step size for a loss, given the squared length of x: Crammer et al. (2006), figure 1."""
    if step == "pa2":
        return loss / (squared + 1 / (2 * C))
    exact = loss / squared if squared > 0 else 0.0
    return exact if step == "pa" else min(C, exact)


def augmented(X: ArrayLike, fit_intercept: bool) -> Array:
    """The examples as the algorithms use them: for the offset, a coordinate that is always 1 (L1, end; L4)."""
    X = np.asarray(X, dtype=float)
    return np.column_stack([np.ones(len(X)), X]) if fit_intercept else X


def first_weights(start: ArrayLike | None, size: int, init: str, scale: float, seed: int) -> Array:
    """The given first weights, or those that `init` says: zero or small random numbers."""
    if start is None:
        return random_start(seed, size, scale=scale) if init == "random" else np.zeros(size)
    return np.array(start, dtype=float)


def signs_of(y: ArrayLike) -> list[int]:
    """The labels, checked to be +1 and -1: with a label of 0, updates would change nothing."""
    labels = np.asarray(y)
    other = [label for label in labels.tolist() if label not in (-1, 1)]
    if other:
        raise ValueError(
            f"y has the label {other[0]!r}; the lectures' algorithms take +1 and -1. Give them "
            "np.where(y == positive, 1, -1), or use the estimators, which take any labels."
        )
    return [int(label) for label in labels]


def weights_of(X: ArrayLike, sample_weight: ArrayLike | None) -> Array:
    """One weight per example."""
    return np.ones(len(np.asarray(X))) if sample_weight is None else np.asarray(sample_weight, dtype=float)
