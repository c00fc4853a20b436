"""Policies for a limited number of support vectors: how a mistake is handled when the budget is full.

With an offset the kernel is k + 1, so removing a support vector also removes its contribution to the offset.
"""

from collections.abc import Callable
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from rosenblatt.conventions import remover
from rosenblatt.core import DualRun
from rosenblatt.learning.dual.kernel_functions import Array

#: A residual below this fraction of k(x, x) is rounding error: the example lies in the span of the support vectors.
_DEPENDENT = 1e-9


class Support:
    """The support vectors of one problem, their coefficients (one row per plane) and kernel values with a window."""

    def __init__(self, budget: int, planes: int) -> None:
        self.budget = budget
        self.examples = np.empty(0, dtype=np.intp)
        self.coef = np.empty((planes, 0))
        self.against = np.empty((0, 0))

    @property
    def is_full(self) -> bool:
        return len(self.examples) >= self.budget

    def place_of(self, example: int) -> int | None:
        found = np.flatnonzero(self.examples == example)
        return int(found[0]) if len(found) else None

    def add(self, example: int, change: Array, against: Array) -> None:
        self.examples = np.append(self.examples, example)
        self.coef = np.column_stack([self.coef, change])
        self.against = np.vstack([self.against, against])

    def remove(self, place: int) -> None:
        self.examples = np.delete(self.examples, place)
        self.coef = np.delete(self.coef, place, axis=1)
        self.against = np.delete(self.against, place, axis=0)


class Policy(Protocol):
    """Updates the support after a mistake on example `at` of the window, whose Gram matrix is `own`."""

    def __call__(self, support: Support, example: int, change: Array, at: int, own: Array) -> None: ...


class RandomRemoval:
    """Removes a random support vector (Cavallanti, Cesa-Bianchi and Gentile, "Tracking the best hyperplane
    with a simple budget perceptron", Machine Learning 69, 2007: the randomized budget perceptron).
    """

    def __init__(self, below: Callable[[int], int]) -> None:
        self._below = below

    def __call__(self, support: Support, example: int, change: Array, at: int, own: Array) -> None:
        place = support.place_of(example)
        if place is not None:
            support.coef[:, place] += change
            return
        if support.is_full:
            support.remove(self._below(len(support.examples)))
        support.add(example, change, own[at])


class Projection:
    """Projects the example onto the span of the support vectors (Orabona, Keshet and Caputo, "Bounded kernel-based
    online learning", JMLR 10, 2009: Projectron). It projects if the budget is full or the residual is zero.

    The scores of the support vectors change exactly as without a budget. The cost is O(budget²) per mistake.
    """

    def __init__(self) -> None:
        self._inverse = np.empty((0, 0))  # inverse of the Gram matrix of the support vectors

    def __call__(self, support: Support, example: int, change: Array, at: int, own: Array) -> None:
        place = support.place_of(example)
        if place is not None:
            support.coef[:, place] += change
            return
        values, itself = support.against[:, at], own[at, at]
        weights = self._inverse @ values
        residual = itself - values @ weights
        if support.is_full or residual <= _DEPENDENT * abs(itself):
            support.coef += np.outer(change, weights)
            return
        support.add(example, change, own[at])
        column = np.append(weights, -1.0)[:, None]
        self._inverse = np.pad(self._inverse, (0, 1)) + column @ column.T / residual


def policy_named(name: str, seed: int, problem: int) -> Policy:
    """The budget policy with this name, for one problem of a fit."""
    return RandomRemoval(remover(seed, problem)) if name == "random" else Projection()


def bytes_needed(name: str, budget: int, window: int) -> int:
    """The bytes for kernel values with a window (and a copy while the support changes) and for the inverse matrix."""
    return 8 * (2 * budget * window + 2 * window * window + (3 * budget * budget if name == "projectron" else 0))


def learn_window(
    support: Support,
    policy: Policy,
    run: DualRun,
    window: NDArray[np.uint32],
    between: Callable[[NDArray[np.integer], NDArray[np.uint32]], Array],
    step: Callable[[int], Array],
) -> None:
    """Presents a window. The caller stores the coefficients; a mistake on example i changes the planes by `step(i)`."""
    own = between(window, window)
    support.against = between(support.examples, window) if len(support.examples) else np.empty((0, len(window)))
    scores = run.window_scores
    scores[...] = support.coef @ support.against
    while not run.not_finite:
        at = run.present_to_mistake()
        if at is None or run.not_finite:
            break
        policy(support, int(window[at]), step(int(window[at])), at, own)
        scores[:, at + 1 :] = support.coef @ support.against[:, at + 1 :]
    run.close_window()
