"""The joint rule for many classes: the largest score wins (L4, 'Multi-class Classification'), as one problem."""

from collections.abc import Generator, Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from rosenblatt.conventions import random_start
from rosenblatt.conventions.exactness import additions_exact, grid_of, grid_of_rows
from rosenblatt.conventions.step import Step, joint_score, rivals_of
from rosenblatt.textbook.finished_run import Array, Ended
from rosenblatt.textbook.online import augmented, weights_of
from rosenblatt.textbook.problem import Limits, Problem
from rosenblatt.textbook.walk import walk


def joint(
    X: ArrayLike,
    y: Sequence[int] | Array,
    *,
    fit_intercept: bool = True,
    eta0: float = 1.0,
    order: str = "cyclic",
    init: str = "zeros",
    init_scale: float = 0.5,
    start: ArrayLike | None = None,
    sample_weight: ArrayLike | None = None,
    rivals: str = "best",
    random_state: int = 0,
    **limits: Any,
) -> Generator[Step, Any, Ended]:
    """Yields each example presented; labels are 0, …, K − 1.

    An example is a mistake unless the true class's score is strictly the largest. At a mistake, x is added to the true
    class and subtracted from the best other class (`rivals="best"`, Crammer and Singer 2003), or this is done once for
    each class whose score is not below that of the true class (`rivals="all"`, Kesler's construction in Duda, Hart and
    Stork 2001, section 5.12). Both keep the sum of the classes' weights as it was.

    Examples
    --------
    >>> from rosenblatt import textbook
    >>> run = textbook.run(textbook.joint([[-1.0], [0.0], [1.0]], [0, 1, 2]))
    >>> run.status, run.w.shape
    ('separated', (3, 2))
    """
    X, weight = augmented(X, fit_intercept), weights_of(X, sample_weight)
    labels = [int(label) for label in np.asarray(y)]
    classes = max(labels) + 1

    def updated(W: Array, i: int) -> Array:
        W = W.copy()
        punished = rivals_of(W @ X[i], labels[i], rivals)
        W[labels[i]] += eta0 * weight[i] * len(punished) * X[i]
        for rival in punished:
            W[rival] -= eta0 * weight[i] * X[i]
        return W

    if start is None:
        start = np.zeros((classes, X.shape[1]))
        if init == "random":
            start = np.array([random_start(random_state, X.shape[1], c, init_scale) for c in range(classes)])
    present = [i for i in range(len(X)) if weight[i] > 0]

    def proves(updates: int) -> bool:
        return additions_exact(
            grid_of_rows(X),
            grid_of(eta0 * weight[present]),
            grid_of(start),
            updates * (classes - 1 if rivals == "all" else 1),
        )

    problem = Problem(
        X,
        labels,
        present,
        score=lambda W, i: joint_score(W @ X[i], labels[i]),
        wrong=lambda score, i: score <= 0,
        error=lambda score, i: score <= 0,
        updated=updated,
        proves=proves,
    )
    return walk(problem, np.array(start, dtype=float), order, random_state, Limits(**limits))
