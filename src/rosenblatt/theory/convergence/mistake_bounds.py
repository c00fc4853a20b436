"""Bounds on the number of mistakes of a perceptron, from L3's proof, in the space that the run uses.

Vectors of a run are [w₀, w₁, …] with an offset and its examples (1, x), or w and x through the origin.
"""

from fractions import Fraction
from math import ceil, floor, inf, isqrt
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from rosenblatt.conventions import is_mistake
from rosenblatt.conventions.ties import Tie
from rosenblatt.theory.convergence.radius import squared_radius
from rosenblatt.theory.examples.check_features import check_X
from rosenblatt.theory.examples.labelled_examples import Examples
from rosenblatt.theory.margin.max_margin import max_margin
from rosenblatt.theory.margin.widest_margin import root


def radius(X: Any, *, fit_intercept: bool = True) -> float:
    """R, the largest length of an example in the space that the run uses: ‖(1, x)‖ with an offset, else ‖x‖.

    >>> radius([[3, 4], [0, 1]], fit_intercept=False)
    5.0
    """
    X = check_X(X)
    return root(squared_radius(Examples(X, np.ones(X.shape[0], dtype=np.int8), bool(fit_intercept))))


def mistake_bound(
    X: Any,
    y: Any,
    *,
    fit_intercept: bool = True,
    eta0: float = 1.0,
    start: ArrayLike | None = None,
    budget: float | None = None,
) -> int:
    """A bound on the mistakes of any run on these examples: ⌊R²/γ² + 2‖v‖/(eta0·γ)⌋ from the start v (L3, eq. 15).

    It holds under every tie rule and in every order. R and γ are those of the space that the run uses, so γ is not the
    geometric margin where there is an offset: one negative example at 8 and one positive at 16 have a geometric γ of 4,
    and the perceptron needs 197 mistakes.

    >>> mistake_bound([[8], [16]], [-1, 1])
    2329
    """
    if not eta0 > 0:
        raise ValueError(f"eta0 is {eta0}; a step must be positive.")
    best = max_margin(X, y, fit_intercept=fit_intercept, augmented=True, budget=budget)
    X = check_X(X)
    examples = Examples(X, np.ones(X.shape[0], dtype=np.int8), bool(fit_intercept))
    bound = squared_radius(examples) / best.lower_squared
    if start is not None:
        v = _vector(start, examples.width, "start")
        square = _dot(v, v) / (Fraction(eta0) ** 2 * best.lower_squared)
        bound += 2 * _root_above(square)
    return floor(bound)


def repeat_bound(x: ArrayLike, y: int, w: ArrayLike, *, eta0: float = 1.0, tie: Tie = "mistake") -> int | float:
    """The exact number of mistakes in a row when one example is presented repeatedly from the weights w (L3, eq. 5).

    With b = −y·wᵀx / (eta0·xᵀx) ≥ 0 it is ⌈b⌉ where a tie is right for its label, and ⌊b⌋ + 1 where it is wrong; 0 for
    an example that is right already. With an offset, x begins with 1 and w with w₀. Infinite only for x = 0 on a tie
    that is wrong.

    >>> repeat_bound([1.0], +1, [-3.0]), repeat_bound([1.0], +1, [-3.0], tie="positive")
    (4, 3)
    """
    if y not in (-1, 1):
        raise ValueError(f"y is {y!r}; the label of a single example is +1 or -1.")
    if not eta0 > 0:
        raise ValueError(f"eta0 is {eta0}; a step must be positive.")
    example = _vector(x, None, "x")
    weights = _vector(w, len(example), "w")
    score = _dot(weights, example)
    if not is_mistake(_sign(score), y, tie):
        return 0
    square = _dot(example, example)
    if square == 0:
        return inf
    b = -y * score / (Fraction(eta0) * square)
    return floor(b) + 1 if is_mistake(0, y, tie) else ceil(b)


def margin_upper_bound(w: ArrayLike, n_mistakes: int, *, eta0: float = 1.0, start: ArrayLike | None = None) -> float:
    """An upper bound on the margin from an unfinished run: γ ≤ ‖w − v‖ / (eta0·M) after M mistakes from the start v.

    Every mistake moves w by at least eta0·γ along the best separator. γ is that of the space that the run uses.

    >>> margin_upper_bound([-1.0, 1.0, 1.0], 2)
    0.8660254037844386
    """
    if n_mistakes < 0 or not eta0 > 0:
        raise ValueError(f"n_mistakes is {n_mistakes} and eta0 {eta0}; mistakes are counted, and a step is positive.")
    if n_mistakes == 0:
        return inf
    end = _vector(w, None, "w")
    begin = [Fraction(0)] * len(end) if start is None else _vector(start, len(end), "start")
    moved = [a - b for a, b in zip(end, begin, strict=True)]
    return root(_dot(moved, moved) / (Fraction(eta0) * n_mistakes) ** 2)


def _vector(values: ArrayLike, length: int | None, name: str) -> list[Fraction]:
    array: NDArray[Any] = np.asarray(values, dtype=np.float64).reshape(-1)
    if length is not None and len(array) != length:
        raise ValueError(f"{name} has {len(array)} numbers; the space of this run has {length} dimensions.")
    if not np.all(np.isfinite(array)):
        raise ValueError(f"{name} must be finite.")
    return [Fraction(value) for value in array.tolist()]


def _dot(a: list[Fraction], b: list[Fraction]) -> Fraction:
    return sum((p * q for p, q in zip(a, b, strict=True)), Fraction(0))


def _sign(score: Fraction) -> int:
    return (score > 0) - (score < 0)


def _root_above(square: Fraction) -> Fraction:
    """An upper bound on the square root, with an error of at most 2⁻⁶⁴."""
    scale = 1 << 64
    return Fraction(isqrt(square.numerator * scale * scale // square.denominator) + 1, scale)
