"""The dual perceptron: L2, 'Dual Perceptrons', with α, b and the Gram matrix; L0, 'Kernelized perceptron'."""

from collections.abc import Callable, Generator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from rosenblatt.conventions import is_mistake
from rosenblatt.conventions.exactness import additions_exact, grid_of
from rosenblatt.conventions.ties import Tie
from rosenblatt.textbook.finished_run import Array, Ended
from rosenblatt.textbook.online import weights_of
from rosenblatt.textbook.problem import Limits, Problem
from rosenblatt.textbook.walk import walk

#: k(x, x′), a number.
Kernel = Callable[[Array, Array], float]


@dataclass(frozen=True)
class DualStep:
    """One example presented; α has one entry per example, and the score was Σⱼ αⱼyⱼk(xⱼ, xᵢ) + b.

    Examples
    --------
    >>> from rosenblatt import textbook
    >>> step = next(textbook.dual([[3.0]], [1]))
    >>> step.i, step.score, step.mistake
    (0, 0.0, True)
    """

    k: int
    epoch: int
    i: int
    x: Array
    y: int
    score: float
    mistake: bool
    alpha_before: Array
    alpha_after: Array
    b_before: float
    b_after: float


@dataclass(frozen=True)
class DualEnded(Ended):
    """How a run ended, with its α and b; `w` has both, b first."""

    alpha: Any = None
    b: float = 0.0


def dual(
    X: ArrayLike,
    y: Sequence[int] | Array,
    *,
    kernel: Kernel | None = None,
    fit_intercept: bool = True,
    eta0: float = 1.0,
    tie: Tie = "mistake",
    error_tie: Tie | None = None,
    order: str = "cyclic",
    init: str = "zeros",
    sample_weight: ArrayLike | None = None,
    random_state: int = 0,
    **limits: Any,
) -> Generator[DualStep, Any, DualEnded]:
    """Yields each example presented; labels are +1 and -1, parameters as those of `KernelPerceptron`.

    L2: "We initialize α as an all-zero vector. For each misclassified point, α_i ← α_i + η, b ← b + ηy_i", with a Gram
    matrix computed beforehand, G = [k(x_i, x_j)], the inner product unless a kernel is given (L0). L2's "b̂ = b₀ Σ αᵢyᵢ"
    means b₀ + Σ αᵢyᵢ. The state that can return in a cycle is all scores and b, since α only grows.

    >>> from rosenblatt import textbook
    >>> xor = [[0, 0], [0, 1], [1, 0], [1, 1]], [-1, 1, 1, -1]
    >>> textbook.run(textbook.dual(*xor)).status
    'cycled'
    >>> textbook.run(textbook.dual(*xor, kernel=lambda a, b: (1 + a @ b) ** 2)).status
    'separated'
    """
    if init != "zeros":
        raise ValueError(f"init is {init!r}; the dual starts from α = 0.")
    X, weight = np.asarray(X, dtype=float), weights_of(X, sample_weight)
    labels = [int(label) for label in np.asarray(y)]
    k = kernel or (lambda a, b: float(a @ b))
    G = np.array([[k(a, b) for b in X] for a in X], dtype=float).reshape(len(X), len(X))
    signs = np.array(labels, dtype=float)

    def score(state: Array, i: int) -> float:
        b, alpha = state[0], state[1:]
        return float((alpha * signs) @ G[:, i] + b)

    def updated(state: Array, i: int) -> Array:
        state = state.copy()
        state[1 + i] += eta0 * weight[i]
        if fit_intercept:
            state[0] += eta0 * weight[i] * labels[i]
        return state

    present = [i for i in range(len(X)) if weight[i] > 0]
    problem = Problem(
        X,
        labels,
        present,
        score=score,
        wrong=lambda score, i: is_mistake(score, labels[i], tie),
        error=lambda score, i: is_mistake(score, labels[i], error_tie or tie),
        updated=updated,
        proves=lambda updates: additions_exact(grid_of(G), grid_of(eta0 * weight[present]), grid_of(0.0), updates),
        state=lambda state: np.concatenate([[state[0]], (state[1:] * signs) @ G]),
    )
    return _as_dual(walk(problem, np.zeros(1 + len(X)), order, random_state, Limits(**limits)))


def _as_dual(steps: Generator[Any, Any, Ended]) -> Generator[DualStep, Any, DualEnded]:
    while True:
        try:
            step = next(steps)
        except StopIteration as stop:
            ended: Ended = stop.value
            return DualEnded(ended.status, ended.w, ended.epochs, ended.cycle, ended.w[1:], float(ended.w[0]))
        before, after = step.w_before, step.w_after
        yield DualStep(
            *(step.k, step.epoch, step.i, step.x, step.y, step.score, step.mistake),
            *(before[1:], after[1:], float(before[0]), float(after[0])),
        )


def kernel_score(
    alpha: Array, X: ArrayLike, y: Sequence[int] | Array, x: ArrayLike, kernel: Kernel, b: float = 0.0
) -> float:
    """L0's prediction, Σᵢ αᵢyᵢk(xᵢ, x), and L2's b: the sign of it is the class.

    Examples
    --------
    >>> kernel_score(np.array([1.0, 2.0]), [[1.0], [3.0]], [1, -1], [2.0], lambda a, b: float(np.dot(a, b)))
    -10.0
    """
    X, x = np.asarray(X, dtype=float), np.asarray(x, dtype=float)
    return float(sum(a * label * kernel(example, x) for a, label, example in zip(alpha, y, X, strict=True))) + b
