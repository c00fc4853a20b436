"""The widest margin, as an exact fraction: half the distance between the hulls of the two classes.

With the offset as a coordinate (augmented), or through the origin, it is the distance of the origin from the hull of
the z. Both are points of least norm: a working set in floating point finds the support, rational numbers prove it.
"""

from collections.abc import Hashable
from dataclasses import dataclass
from fractions import Fraction
from math import isqrt
from typing import Any

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray

from rosenblatt.core import MinNorm
from rosenblatt.theory.budget import Budget, OutOfBudgetError
from rosenblatt.theory.decide import decide
from rosenblatt.theory.exact import cleared, dot, primitive
from rosenblatt.theory.examples import Examples, Floats, Indices, check_X, to_floats
from rosenblatt.theory.hyperplane import Hyperplane
from rosenblatt.theory.labels import check_classes, check_y, signs_of
from rosenblatt.theory.search import parts, rough_integers, working_set
from rosenblatt.theory.wolfe import Nearest, Placed, nearest_point

_SLICE = 200_000_000
_STIFF = 32.0  # weight of the offset's coordinate: large, so that it costs (almost) nothing, as in the geometric margin
_TOUCH = 1e-9  # a score so near the smallest one counts as equal, in the guess


@dataclass(frozen=True)
class Margin:
    """The widest margin γ. `gamma_squared` is exact, or None where the budget ran out: then γ² is in the interval.

    Examples
    --------
    >>> from rosenblatt import theory
    >>> best = theory.max_margin([[0], [3]], [0, 1])
    >>> best.gamma, best.gamma_squared, best.support
    (1.5, Fraction(9, 4), array([0, 1]))
    """

    gamma_squared: Fraction | None
    lower_squared: Fraction
    upper_squared: Fraction
    support: NDArray[np.int64]  # examples that hold the separator in place
    multipliers: list[Fraction]  # theirs: the classes' nearest points, or the hull's point nearest to the origin
    hyperplane: Hyperplane

    @property
    def gamma(self) -> float:
        return root(self.lower_squared)


def root(square: Fraction) -> float:
    """The square root to double precision, however long the fraction and small its value."""
    if square == 0:
        return 0.0
    shift = 2 * ((square.denominator.bit_length() - square.numerator.bit_length()) // 2 + 64)
    scaled = (
        (square.numerator << shift) // square.denominator
        if shift >= 0
        else square.numerator // (square.denominator << -shift)
    )
    return float(Fraction(isqrt(scaled)) * Fraction(2) ** (-shift // 2))


def max_margin(
    X: Any, y: Any, *, fit_intercept: bool = True, augmented: bool = False, budget: float | None = None
) -> Margin:
    """The widest margin between two classes, with its support examples.

    Geometric by default: the distance of the nearest example from the best hyperplane. `augmented=True` measures in
    the space of (1, x), as the mistake bound of a run with an offset needs it.

    >>> AND = [[0, 0], [0, 1], [1, 0], [1, 1]], [0, 0, 0, 1]
    >>> max_margin(*AND).gamma_squared, max_margin(*AND, augmented=True).gamma_squared
    (Fraction(1, 8), Fraction(1, 17))
    """
    X = check_X(X)
    y = check_y(y, X.shape[0])
    classes = check_classes(y)
    if len(classes) > 2:
        raise ValueError(f"y has {len(classes)} classes; a margin lies between 2. Use separability for all pairs.")
    examples = Examples(X, signs_of(y, classes[1]), bool(fit_intercept))
    purse = Budget(budget)
    verdict = decide(examples, purse)
    if not verdict.separable:
        reason = (
            "the budget ran out before a separator was found"
            if verdict.separable is None
            else (
                f"these examples are not separable, and so have no margin; separability(X, y).explain() names the "
                f"{len(verdict.witness.multipliers) if verdict.witness else 0} that obstruct"
            )
        )
        raise ValueError(f"No margin: {reason}.")
    return margin_of(examples, augmented=augmented, budget=purse, known=verdict.weights)


def margin_of(examples: Examples, *, augmented: bool, budget: Budget, known: list[int] | None) -> Margin:
    """The widest margin of examples that `known` separates."""
    assert known is not None
    geometric = examples.fit_intercept and not augmented
    best: Nearest[Any]
    try:
        members, multipliers = _guess(examples, geometric, budget)
        if geometric:
            best = _between_hulls(examples, members, multipliers, budget)
        else:
            best = _from_origin(examples, members, multipliers, budget)
    except OutOfBudgetError:
        return _bracket(examples, geometric, known)
    square = best.squared_norm / 4 if geometric else best.squared_norm
    support: dict[int, Fraction] = {}
    for key, multiplier in zip(best.keys, best.shares, strict=True):
        for i in key if isinstance(key, tuple) else (key,):
            support[i] = support.get(i, Fraction(0)) + multiplier
    w = primitive(best.direction)
    if geometric:
        _, above = examples.lowest([0, *w], 1, Budget())
        _, below = examples.lowest([0, *w], -1, Budget())
        w0 = (below - above) / 2
        w = primitive(cleared([w0, *map(Fraction, w)])[0])
    indices = sorted(support)
    return Margin(square, square, square, np.array(indices), [support[i] for i in indices], _plane(examples, w))


def _guess(examples: Examples, geometric: bool, budget: Budget) -> tuple[list[int], Floats]:
    """The support and its multipliers in floating point."""
    size = int(np.frexp(examples.largest.max())[1])
    offset = int(examples.fit_intercept)
    working = working_set(examples)
    middle = np.zeros(examples.X.shape[1])
    if geometric:
        sample = examples.X[working].astype(np.float64)
        middle = np.ldexp(
            np.asarray(np.ldexp(sample.toarray() if sp.issparse(sample) else sample, -size).mean(axis=0)), size
        )

    def points(indices: Indices) -> Floats:
        X = examples.X[indices].astype(np.float64)
        X = np.ldexp((X.toarray() if sp.issparse(X) else X) - middle, -size)
        if offset:
            X = np.column_stack([np.full(len(X), _STIFF if geometric else np.ldexp(1.0, -size)), X])
        return np.ascontiguousarray(X * examples.signs[indices][:, None])

    solver = MinNorm(examples.width)
    for part in parts(working):
        solver.add(points(part))
    inside = np.zeros(len(examples.signs), dtype=bool)
    inside[working] = True
    while True:
        pause = "slice"
        while pause == "slice":
            before = solver.work_done
            pause = solver.solve(slack=_TOUCH, work=int(max(1, min(_SLICE, budget.left))))
            budget.spend(solver.work_done - before)
        p = solver.point
        budget.spend(examples.values)
        w = np.ldexp(p, -size) if not offset else np.concatenate([[0.0], np.ldexp(p[1:], -size)])
        if offset:
            w[0] = p[0] * _STIFF - w[1:] @ middle if geometric else np.ldexp(p[0], -size)
        scores = examples.scores(w)
        fresh = np.flatnonzero((scores < solver.gap * (1 - 2 * _TOUCH)) & ~inside & (examples.signs != 0))
        if pause != "optimal" or not len(fresh):
            return working[solver.members].tolist(), solver.multipliers
        most = max(500, 2 * examples.width)
        if len(fresh) > most:
            fresh = fresh[np.argpartition(scores[fresh], most)[:most]]
        inside[fresh] = True
        working = np.concatenate([working, fresh])
        for part in parts(fresh):
            solver.add(points(part))


def _placed(examples: Examples, key: Hashable, indices: list[int], drop: int) -> Placed[Any]:
    """The sum of these z, the first `drop` coordinates left out."""
    table, exponent = examples.integers(indices)
    return Placed(key, [sum(column) for column in zip(*(z[drop:] for z in table), strict=True)], exponent)


def _from_origin(examples: Examples, members: list[int], multipliers: Floats, budget: Budget) -> Nearest[int]:
    def closer(x: Nearest[int]) -> Placed[int] | None:
        lows = [examples.lowest(x.direction, sign, budget) for sign in (1, -1)]
        i, low = min(lows, key=lambda found: found[1])
        return _placed(examples, i, [i], 0) if low < x.own_score else None

    start = [_placed(examples, i, [i], 0) for i in members]
    return nearest_point(start, rough_integers(multipliers), closer, budget)


def _between_hulls(
    examples: Examples, members: list[int], multipliers: Floats, budget: Budget
) -> Nearest[tuple[int, int]]:
    def closer(x: Nearest[tuple[int, int]]) -> Placed[tuple[int, int]] | None:
        (i, above), (j, below) = (examples.lowest([0, *x.direction], sign, budget) for sign in (1, -1))
        return _placed(examples, (i, j), [i, j], 1) if above + below < x.own_score else None

    weighted = list(zip(members, rough_integers(multipliers), strict=True))
    left = [(i, m) for i, m in weighted if examples.signs[i] > 0] or [(int(np.argmax(examples.signs)), 1)]
    right = [(j, m) for j, m in weighted if examples.signs[j] < 0] or [(int(np.argmin(examples.signs)), 1)]
    ours, theirs = sum(m for _, m in left), sum(m for _, m in right)
    pairs = _couple([(i, m * theirs) for i, m in left], [(j, m * ours) for j, m in right])
    start = [_placed(examples, pair, list(pair), 1) for pair in pairs]
    return nearest_point(start, list(pairs.values()), closer, budget)


def _couple(left: list[tuple[int, int]], right: list[tuple[int, int]]) -> dict[tuple[int, int], int]:
    """Two distributions of equal sum as one of pairs; there are fewer pairs than points."""
    pairs: dict[tuple[int, int], int] = {}
    a, b = list(left), list(right)
    while a and b:
        (i, p), (j, q) = a[-1], b[-1]
        share = min(p, q)
        pairs[i, j] = share
        a.pop()
        b.pop()
        if p > share:
            a.append((i, p - share))
        elif q > share:
            b.append((j, q - share))
    return pairs


def _bracket(examples: Examples, geometric: bool, w: list[int]) -> Margin:
    """What the separator at hand proves: its own margin from below, the distance of two examples from above."""
    i, above = examples.lowest(w, 1, Budget())
    j, below = examples.lowest(w, -1, Budget())
    if geometric:
        lower = ((above + below) / 2) ** 2 / sum(a * a for a in w[1:])
        upper = _squared_length(_placed(examples, (i, j), [i, j], 1)) / 4
    else:
        lower = min(above, below) ** 2 / sum(a * a for a in w)
        upper = min(_squared_length(_placed(examples, k, [k], 0)) for k in (i, j))
    support = np.array(sorted((i, j)))
    return Margin(None, lower, upper, support, [Fraction(1), Fraction(1)], _plane(examples, w))


def _squared_length(point: Placed[Any]) -> Fraction:
    return Fraction(dot(point.numbers, point.numbers)) * Fraction(4) ** point.exponent


def _plane(examples: Examples, weights: list[int]) -> Hyperplane:
    w = to_floats(weights)
    plane = Hyperplane(w[1:], w[0]) if examples.fit_intercept else Hyperplane(w)
    return plane.normalized()
