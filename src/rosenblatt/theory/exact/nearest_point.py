"""The point of least norm in a convex hull, in rational numbers (Wolfe 1976): slow, and correct on any data.

A *corral* is an affinely independent set of points, with multipliers > 0 that give its point of least norm. Each
iteration adds a point that reduces the norm, and shrinks the corral until its multipliers are positive again. The norm
falls in every iteration and there are finitely many corrals, so the algorithm ends, without any tolerance.
"""

from collections.abc import Callable, Hashable
from dataclasses import dataclass
from fractions import Fraction
from typing import Generic, TypeVar

from rosenblatt.theory.budget import Budget
from rosenblatt.theory.exact.linear_algebra import Matrix, bits_of, combine, dot, gram, null_space, primitive, solve

Key = TypeVar("Key", bound=Hashable)


@dataclass(frozen=True)
class Placed(Generic[Key]):
    """A point of the hull: numbers · 2^exponent."""

    key: Key
    numbers: list[int]
    exponent: int


@dataclass(frozen=True)
class Nearest(Generic[Key]):
    """The last corral. Σ multiplier · point is direction · 2^exponent; the nearest point is that over `total`."""

    keys: list[Key]
    multipliers: list[int]
    direction: list[int]
    exponent: int

    @property
    def total(self) -> int:
        return sum(self.multipliers)

    @property
    def shares(self) -> list[Fraction]:
        """The multipliers with sum 1."""
        total = self.total
        return [Fraction(m, total) for m in self.multipliers]

    @property
    def is_origin(self) -> bool:
        return not any(self.direction)

    @property
    def squared_norm(self) -> Fraction:
        return Fraction(dot(self.direction, self.direction), self.total**2) * Fraction(4) ** self.exponent

    @property
    def own_score(self) -> Fraction:
        """The nearest point's score in this direction; after the last iteration it is the lowest of the hull."""
        return Fraction(dot(self.direction, self.direction), self.total) * Fraction(2) ** self.exponent


def nearest_point(
    start: list[Placed[Key]],
    multipliers: list[int],
    closer: Callable[[Nearest[Key]], Placed[Key] | None],
    budget: Budget,
) -> Nearest[Key]:
    """Iterates from a corral, or any set of points with multipliers > 0, until x is the origin or the nearest point.

    `closer` returns a point whose score in x's direction is below x's own, or None if there is no such point.
    """
    points, weights = list(start), list(multipliers)
    while True:
        points, weights = _settle(points, weights, budget)
        table, exponent = _common(points)
        x = Nearest([p.key for p in points], weights, combine(weights, table), exponent)
        if x.is_origin or (new := closer(x)) is None:
            return x
        points.append(new)
        weights.append(0)


def _settle(points: list[Placed[Key]], weights: list[int], budget: Budget) -> tuple[list[Placed[Key]], list[int]]:
    """Shrinks the set until its affine point of least norm lies inside; weights become its multipliers."""
    while True:
        table, exponent = _common(points)
        target = _affine_minimum(table, exponent, budget)
        if target is None:  # affinely dependent: move along a direction that keeps the point fixed
            columns = [list(column) for column in zip(*table, strict=True)]
            step = null_space([*columns, [1] * len(points)], budget)[0]
            here, there = weights, [w + a for w, a in zip(weights, step, strict=True)]
            limits = [Fraction(w, w - t) for w, t in zip(here, there, strict=True) if t < w]
            share = min(limits)
        else:
            if min(target) > 0:
                return points, target
            # Both sets of multipliers are scaled to the same sum.
            here = [w * sum(target) for w in weights]
            there = [t * sum(weights) for t in target]
            share = min(Fraction(w, w - t) for w, t in zip(here, there, strict=True) if t <= 0 and w > t)
        weights = [w * share.denominator + share.numerator * (t - w) for w, t in zip(here, there, strict=True)]
        kept = [k for k, w in enumerate(weights) if w > 0]
        points, weights = [points[k] for k in kept], primitive([weights[k] for k in kept])


def _affine_minimum(table: Matrix, exponent: int, budget: Budget) -> list[int] | None:
    """The μ of least |Σ μz| / Σ μ: (ZZᵀ + eeᵀ)μ is a multiple of e. None if the points are dependent."""
    budget.spend(len(table) ** 2 * len(table[0]) * (1 + bits_of(table) / 64))
    solution = solve(gram(table, extra=1 << max(0, -2 * exponent)), [1] * len(table), budget)
    return None if solution is None else primitive(solution[0])


def _common(points: list[Placed[Key]]) -> tuple[Matrix, int]:
    low = min(p.exponent for p in points)
    return [[a << (p.exponent - low) for a in p.numbers] for p in points], low
