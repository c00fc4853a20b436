"""The widest margin, as an exact fraction: half the distance between the hulls of the two classes.

With the offset as a coordinate (augmented), or through the origin, it is the distance of the origin from the hull of
the z. Both are points of least norm: a working set in floating point finds the support, exact arithmetic proves it.
"""

from collections.abc import Hashable
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from math import isqrt
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rosenblatt.core import MinNorm
from rosenblatt.internal_error import verified
from rosenblatt.theory.budget import Budget, OutOfBudgetError
from rosenblatt.theory.exact.linear_algebra import cleared, dot, primitive
from rosenblatt.theory.exact.nearest_point import Nearest, Placed, nearest_point
from rosenblatt.theory.examples.labelled_examples import Examples, Floats, Indices, to_floats
from rosenblatt.theory.examples.sparse_type import is_sparse
from rosenblatt.theory.examples.two_class_problem import TwoClassProblem, as_text
from rosenblatt.theory.hyperplane import Hyperplane
from rosenblatt.theory.margin.verify_margin import verify_margin
from rosenblatt.theory.separability.search.min_norm_search import parts, rough_integers, working_set

_SLICE = 200_000_000
_OFFSET_WEIGHT = 32.0  # large, so that the offset is almost free, as in the geometric margin
_SCORE_TOLERANCE = 1e-9  # tolerance for equality with the smallest score, in the guess


@dataclass(frozen=True, eq=False)
class Margin:
    """The widest margin γ. `gamma_squared` is exact, or None if the budget ran out; then γ² is in the interval.

    `X` and `y` are those given; `verify` reads them again.

    Examples
    --------
    >>> from rosenblatt import theory
    >>> best = theory.max_margin([[0], [3]], [0, 1])
    >>> best.gamma, best.gamma_squared, best.support, best.verify()
    (1.5, Fraction(9, 4), array([0, 1]), True)
    """

    gamma_squared: Fraction | None
    lower_squared: Fraction
    upper_squared: Fraction
    support: NDArray[np.int64]  # examples that determine the separator
    multipliers: list[Fraction]  # of the support; they give the nearest points of the hulls (or to the origin)
    weights: list[int] = field(repr=False)  # the hyperplane exactly: [w₀, w₁, …], or [w₁, …] through the origin
    score: int = field(repr=False)  # every example has z·weights ≥ score
    problem: TwoClassProblem = field(repr=False)
    augmented: bool = field(repr=False)

    @property
    def gamma(self) -> float:
        return root(self.lower_squared)

    @cached_property
    def hyperplane(self) -> Hyperplane:
        """The hyperplane in floating point, its normal of length 1."""
        w = to_floats(self.weights)
        return (Hyperplane(w[1:], w[0]) if self.problem.fit_intercept else Hyperplane(w)).normalized()

    def verify(self) -> bool:
        """Checks both bounds in integers against the data as they are now. See `verify_margin`."""
        return verify_margin(self.to_dict(), self.problem.X, self.problem.y)

    def to_dict(self) -> dict[str, Any]:
        """Both proofs in plain types, ready for JSON; integers as text for `int(text, 0)`. See `verify_margin`."""
        shares, _ = cleared(self.multipliers)
        return {
            "lower_squared": [as_text(part) for part in self.lower_squared.as_integer_ratio()],
            "upper_squared": [as_text(part) for part in self.upper_squared.as_integer_ratio()],
            "exact": self.gamma_squared is not None,
            "augmented": self.augmented,
            **self.problem.to_dict(),
            "weights": [as_text(a) for a in self.weights],
            "score": as_text(self.score),
            "support": {"indices": self.support.tolist(), "multipliers": [as_text(m) for m in shares]},
        }


def root(square: Fraction) -> float:
    """The square root to double precision, for fractions of any length and magnitude."""
    if square == 0:
        return 0.0
    shift = 2 * ((square.denominator.bit_length() - square.numerator.bit_length()) // 2 + 64)
    scaled = (
        (square.numerator << shift) // square.denominator
        if shift >= 0
        else square.numerator // (square.denominator << -shift)
    )
    return float(Fraction(isqrt(scaled)) * Fraction(2) ** (-shift // 2))


def margin_of(
    problem: TwoClassProblem, examples: Examples, *, augmented: bool, budget: Budget, known: list[int]
) -> Margin:
    """The widest margin of examples that `known` separates; both of its bounds have been verified."""
    geometric = examples.fit_intercept and not augmented
    best: Nearest[Any]
    try:
        members, multipliers = _guess(examples, geometric, budget)
        if geometric:
            best = _between_hulls(examples, members, multipliers, budget)
        else:
            best = _from_origin(examples, members, multipliers, budget)
    except OutOfBudgetError:
        found = _bracket(problem, examples, augmented, known)
    else:
        square = best.squared_norm / 4 if geometric else best.squared_norm
        support: dict[int, Fraction] = {}
        for key, multiplier in zip(best.keys, best.shares, strict=True):
            for i in key if isinstance(key, tuple) else (key,):
                support[i] = support.get(i, Fraction(0)) + multiplier
        w, score = _centred(examples, [0] * geometric + best.direction, geometric)
        indices = sorted(support)
        shares = [support[i] for i in indices]
        found = Margin(square, square, square, np.array(indices), shares, w, score, problem, augmented)
    return verified(found, "The widest margin of two classes", problem.data, limit=budget.limit)


def _guess(examples: Examples, geometric: bool, budget: Budget) -> tuple[list[int], Floats]:
    """The support and its multipliers in floating point."""
    size = int(np.frexp(examples.largest.max())[1])
    offset = int(examples.fit_intercept)
    working = working_set(examples)
    middle = np.zeros(examples.X.shape[1])
    if geometric:
        sample = examples.X[working].astype(np.float64)
        middle = np.ldexp(
            np.asarray(np.ldexp(sample.toarray() if is_sparse(sample) else sample, -size).mean(axis=0)), size
        )

    def points(indices: Indices) -> Floats:
        budget.spend(len(indices) * examples.width)
        X = examples.X[indices].astype(np.float64)
        X = np.ldexp((X.toarray() if is_sparse(X) else X) - middle, -size)
        if offset:
            X = np.column_stack([np.full(len(X), _OFFSET_WEIGHT if geometric else np.ldexp(1.0, -size)), X])
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
            pause = solver.solve(slack=_SCORE_TOLERANCE, work=int(max(1, min(_SLICE, budget.left))))
            budget.charge(solver.work_done - before)
        p = solver.point
        budget.spend(examples.values)
        w = np.ldexp(p, -size) if not offset else np.concatenate([[0.0], np.ldexp(p[1:], -size)])
        if offset:
            w[0] = p[0] * _OFFSET_WEIGHT - w[1:] @ middle if geometric else np.ldexp(p[0], -size)
        scores = examples.scores(w)
        fresh = np.flatnonzero((scores < solver.gap * (1 - 2 * _SCORE_TOLERANCE)) & ~inside & (examples.signs != 0))
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
    """Couples two distributions of equal sum: one distribution over pairs, with fewer pairs than points."""
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


def _bracket(problem: TwoClassProblem, examples: Examples, augmented: bool, known: list[int]) -> Margin:
    """Bounds from a known separator: its own margin from below, the distance of two examples from above."""
    geometric = examples.fit_intercept and not augmented
    ends = [examples.lowest(known, sign, Budget())[0] for sign in (1, -1)]
    support = sorted(ends)
    if geometric:
        upper = _squared_length(_placed(examples, None, ends, 1)) / 4
    else:
        lengths = {i: _squared_length(_placed(examples, i, [i], 0)) for i in ends}
        support = [min(ends, key=lambda i: lengths[i])]
        upper = lengths[support[0]]
    w, score = _centred(examples, known, geometric)
    lower = Fraction(score**2, sum(a * a for a in w[int(geometric) :]))
    shares = [Fraction(1)] * len(support)
    exact = lower if lower == upper else None
    return Margin(exact, lower, upper, np.array(support), shares, w, score, problem, augmented)


def _centred(examples: Examples, w: list[int], geometric: bool) -> tuple[list[int], int]:
    """These weights, midway between the classes where the offset is free, and the least z·w, in integers."""
    above, below = (examples.lowest(w, sign, Budget())[1] for sign in (1, -1))
    if geometric:
        numbers = [w[0] + (below - above) / 2, *map(Fraction, w[1:]), (above + below) / 2]
    else:
        numbers = [*map(Fraction, w), min(above, below)]
    *weights, score = primitive(cleared(numbers)[0])
    return weights, score


def _squared_length(point: Placed[Any]) -> Fraction:
    return Fraction(dot(point.numbers, point.numbers)) * Fraction(4) ** point.exponent
