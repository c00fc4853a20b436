"""Families of threshold functions: what exchanging variables and negating them makes of a regular one.

Both make threshold functions from threshold functions, so it is enough to find the regular ones: for n = 5 they are
119, and their families have 94,572 members.
"""

import math
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import groupby, product

import numpy as np

from rosenblatt.boolean.decide import Weights, decide, smallest
from rosenblatt.boolean.regular import directions
from rosenblatt.boolean.tables import Table, at, cube, n_variables, row_bits, row_number, unpack


@dataclass(frozen=True, eq=False)
class Family:
    """A regular threshold function, and those that exchanges and negations make of it."""

    table: Table

    @cached_property
    def weights(self) -> tuple[int, ...]:
        """The smallest: w₁ ≥ w₂ ≥ … ≥ 0."""
        answer = decide(self.table, _names(n_variables(self.table)))
        assert isinstance(answer, Weights)
        return tuple(smallest(self.table, answer).weights)

    @cached_property
    def essential(self) -> tuple[bool, ...]:
        """Whether the function depends on each variable."""
        return tuple(sign != 0 for sign in directions(self.table))

    @cached_property
    def kinds(self) -> tuple[int, ...]:
        """A number for each variable, the same for those that can be exchanged."""
        c = cube(self.table)
        kinds, kind = [], 0
        for i in range(c.ndim):
            if i and not np.array_equal(c[at(c.ndim, {i - 1: 1, i: 0})], c[at(c.ndim, {i - 1: 0, i: 1})]):
                kind += 1
            kinds.append(kind)
        return tuple(kinds)

    @property
    def size(self) -> int:
        """How many functions belong to it, itself included."""
        orders = math.factorial(len(self.kinds))
        for _, alike in groupby(self.kinds):
            orders //= math.factorial(len(list(alike)))
        return orders << sum(self.essential)

    def members(self) -> Iterator[tuple[Table, tuple[int, ...]]]:
        """Each function of the family once: its table and its smallest weights."""
        for moved, axes, signs in self._moves():
            yield moved, tuple(sign * self.weights[axis] for axis, sign in zip(axes, signs, strict=True))

    def tables(self) -> Iterator[Table]:
        """Each function of the family once."""
        return (moved for moved, _, _ in self._moves())

    def _moves(self) -> Iterator[tuple[Table, tuple[int, ...], tuple[int, ...]]]:
        c = cube(self.table)
        for axes in _distinct_orders(self.kinds):
            moved = np.transpose(c, axes)
            for signs in product(*((1, -1) if self.essential[axis] else (1,) for axis in axes)):
                yield np.flip(moved, tuple(i for i, sign in enumerate(signs) if sign < 0)).ravel(), axes, signs


def families(n: int) -> Iterator[Family]:
    """The families of threshold functions of n variables.

    >>> [family.weights for family in families(2)]
    [(0, 0), (1, 1), (1, 0), (1, 1), (0, 0)]
    """
    names = _names(n)
    return (Family(table) for table in _regular_tables(n) if isinstance(decide(table, names), Weights))


def _names(n: int) -> tuple[str, ...]:
    return tuple(f"x{i + 1}" for i in range(n))


def _regular_tables(n: int) -> Iterator[Table]:
    """All positive functions whose variables fall in strength, from the constant 0 to the constant 1.

    A row may be true only if those just above it are: with a one added in the weakest place, or with a one moved to the
    next stronger variable.
    """
    rows = sorted(range(1 << n), key=lambda row: -sum((n - i) * bit for i, bit in enumerate(row_bits(row, n))))
    above = [_just_above(row, n) for row in rows]

    def grow(place: int, chosen: int) -> Iterator[int]:
        while place < len(rows):
            if chosen & above[place] == above[place]:
                yield from grow(place + 1, chosen)
                chosen |= 1 << rows[place]
            place += 1
        yield chosen

    return (unpack(chosen, n) for chosen in grow(0, 0))


def _just_above(row: int, n: int) -> int:
    """The rows just above this one, as a set of bits."""
    bits = list(row_bits(row, n))
    higher = 0
    for i in range(n):
        raised = bits.copy()
        raised[i] = 1
        if i + 1 < n and bits[i + 1]:
            raised[i + 1] = 0
        elif i + 1 < n:
            continue
        if not bits[i]:
            higher |= 1 << row_number(raised)
    return higher


def _distinct_orders(kinds: tuple[int, ...]) -> Iterator[tuple[int, ...]]:
    """The orders of places that differ in kind: places of one kind stay in their own order."""

    def extend(order: tuple[int, ...]) -> Iterator[tuple[int, ...]]:
        if len(order) == len(kinds):
            yield order
        seen = set()
        for place, kind in enumerate(kinds):
            if place not in order and kind not in seen:
                seen.add(kind)
                yield from extend((*order, place))

    return extend(())
