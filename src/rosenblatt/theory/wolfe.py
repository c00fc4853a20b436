"""The point of least norm in a convex hull, in rational numbers (Wolfe 1976): slow, and right on any data.

A *corral* is an affinely independent set of points, with multipliers > 0 that make its point of least norm. Each turn
takes in a point that cuts closer to the origin and shrinks the corral until its multipliers are positive again; the
norm falls at every turn and there are finitely many corrals, so it ends, without any tolerance.
"""

from collections.abc import Callable, Hashable
from dataclasses import dataclass
from fractions import Fraction
from typing import Generic, TypeVar

from rosenblatt.theory.budget import Budget
from rosenblatt.theory.exact import Matrix, bits_of, cleared, dot, null_space, primitive, solve

Key = TypeVar("Key", bound=Hashable)


@dataclass(frozen=True)
class Placed(Generic[Key]):
    """A point of the hull: numbers · 2^exponent."""

    key: Key
    numbers: list[int]
    exponent: int


@dataclass(frozen=True)
class Nearest(Generic[Key]):
    """The last corral: Σ multiplier · point = direction · 2^exponent / denominator; multipliers sum to 1."""

    keys: list[Key]
    multipliers: list[Fraction]
    direction: list[int]
    exponent: int
    denominator: int

    @property
    def is_origin(self) -> bool:
        return not any(self.direction)

    @property
    def squared_norm(self) -> Fraction:
        return Fraction(dot(self.direction, self.direction), self.denominator**2) * Fraction(4) ** self.exponent


def nearest_point(
    start: list[Placed[Key]],
    multipliers: list[Fraction],
    closer: Callable[[Nearest[Key]], Placed[Key] | None],
    budget: Budget,
) -> Nearest[Key]:
    """Runs from a corral, or any weighted set of points, until `closer` knows no point or the origin is reached.

    `closer` returns a point z with z·x < x·x for the present nearest point x.
    """
    points = list(start)
    total = sum(multipliers)
    weights = [multiplier / total for multiplier in multipliers]
    while True:
        points, weights = _settle(points, weights, budget)
        table, exponent = _common(points)
        numerators, common = cleared(weights)
        direction = [dot(numerators, list(column)) for column in zip(*table, strict=True)]
        divisor = primitive([*direction, common])
        x = Nearest([p.key for p in points], weights, divisor[:-1], exponent, divisor[-1])
        if x.is_origin or (new := closer(x)) is None:
            return x
        points.append(new)
        weights.append(Fraction(0))


def _settle(
    points: list[Placed[Key]], weights: list[Fraction], budget: Budget
) -> tuple[list[Placed[Key]], list[Fraction]]:
    """Shrinks the set until its affine point of least norm lies inside; weights become its multipliers."""
    while True:
        table, exponent = _common(points)
        target = _affine_minimum(table, exponent, budget)
        if target is None:  # affinely dependent: go where the point stays the same
            flat = null_space([list(column) for column in zip(*table, strict=True)] + [[1] * len(points)], budget)[0]
            target = [w + Fraction(step) for w, step in zip(weights, flat, strict=True)]
            if all(t > 0 for t in target):
                target = [w - Fraction(step) for w, step in zip(weights, flat, strict=True)]
            reaches = [w / (w - t) for w, t in zip(weights, target, strict=True) if t < w]
            share = min(reaches)
        else:
            if all(t > 0 for t in target):
                return points, target
            reaches = [w / (w - t) for w, t in zip(weights, target, strict=True) if t <= 0 and w > t]
            share = min([Fraction(1), *reaches])
        weights = [w + share * (t - w) for w, t in zip(weights, target, strict=True)]
        kept = [k for k, w in enumerate(weights) if w > 0]
        points, weights = [points[k] for k in kept], [weights[k] for k in kept]


def _affine_minimum(table: Matrix, exponent: int, budget: Budget) -> list[Fraction] | None:
    """The μ with Σμ = 1 of least |Σ μz|: (ZZᵀ + eeᵀ)μ is a multiple of e. None if the points are dependent."""
    budget.spend(len(table) ** 2 * len(table[0]) * (1 + bits_of(table) / 64))
    unit = 1 << max(0, -2 * exponent)
    gram = [[dot(a, b) + unit for b in table] for a in table]
    mu = solve(gram, [1] * len(table), budget)
    if mu is None:
        return None
    total = sum(mu)
    return [m / total for m in mu]


def _common(points: list[Placed[Key]]) -> tuple[Matrix, int]:
    low = min(p.exponent for p in points)
    return [[a << (p.exponent - low) for a in p.numbers] for p in points], low
