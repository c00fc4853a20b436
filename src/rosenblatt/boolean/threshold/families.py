"""Families of threshold functions: equivalence classes under permutation and negation of the variables.

Both operations map threshold functions to threshold functions, and each family contains one regular function. So it is
enough to enumerate the regular threshold functions: for n = 5 there are 119, and their families have 94,572 members.
"""

import math
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import groupby, product

import numpy as np

from rosenblatt.boolean.input_checks import check_variables
from rosenblatt.boolean.threshold.recognition import Weights, decide, smallest
from rosenblatt.boolean.threshold.regular_form import directions
from rosenblatt.boolean.truth_tables import Table, at, cube, n_variables, row_bits, row_number, unpack


@dataclass(frozen=True, eq=False)
class Family:
    """A regular threshold function, with all functions obtained by permuting and negating its variables."""

    table: Table

    @cached_property
    def weights(self) -> tuple[int, ...]:
        """The smallest integer weights: w₁ ≥ w₂ ≥ … ≥ 0."""
        answer = decide(self.table, check_variables(None, n_variables(self.table)))
        assert isinstance(answer, Weights)
        return tuple(smallest(self.table, answer).weights)

    @cached_property
    def essential(self) -> tuple[bool, ...]:
        """Whether the function depends on each variable."""
        return tuple(sign != 0 for sign in directions(self.table))

    @cached_property
    def kinds(self) -> tuple[int, ...]:
        """A number for each variable; variables that can be exchanged have the same number."""
        c = cube(self.table)
        kinds, kind = [], 0
        for i in range(c.ndim):
            if i and not np.array_equal(c[at(c.ndim, {i - 1: 1, i: 0})], c[at(c.ndim, {i - 1: 0, i: 1})]):
                kind += 1
            kinds.append(kind)
        return tuple(kinds)

    @property
    def size(self) -> int:
        """The number of functions in the family."""
        orders = math.factorial(len(self.kinds))
        for _, alike in groupby(self.kinds):
            orders //= math.factorial(len(list(alike)))
        return orders << sum(self.essential)

    def members(self) -> Iterator[tuple[Table, tuple[int, ...]]]:
        """Yields the table and the smallest weights of each function of the family once."""
        for moved, axes, signs in self._moves():
            yield moved, tuple(sign * self.weights[axis] for axis, sign in zip(axes, signs, strict=True))

    def tables(self) -> Iterator[Table]:
        """Yields the table of each function of the family once."""
        return (moved for moved, _, _ in self._moves())

    def _moves(self) -> Iterator[tuple[Table, tuple[int, ...], tuple[int, ...]]]:
        c = cube(self.table)
        for axes in _distinct_orders(self.kinds):
            moved = np.transpose(c, axes)
            for signs in product(*((1, -1) if self.essential[axis] else (1,) for axis in axes)):
                yield np.flip(moved, tuple(i for i, sign in enumerate(signs) if sign < 0)).ravel(), axes, signs


def families(n: int) -> Iterator[Family]:
    """Yields the families of threshold functions of n variables.

    >>> [family.weights for family in families(2)]
    [(0, 0), (1, 1), (1, 0), (1, 1), (0, 0)]
    """
    names = check_variables(None, n)
    return (Family(table) for table in _regular_tables(n) if isinstance(decide(table, names), Weights))


def _regular_tables(n: int) -> Iterator[Table]:
    """Yields all regular functions of n variables, from the constant 0 to the constant 1.

    A regular function is monotone in the partial order of rows that two upward moves generate: set the last variable to
    1, or move a 1 to the next variable on the left. So a row may be true only if the rows just above it are.
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
    """Returns the rows just above this one in that order, as a bit mask."""
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
    """Yields the permutations of the variables, up to exchanges of variables of the same kind."""

    def extend(order: tuple[int, ...]) -> Iterator[tuple[int, ...]]:
        if len(order) == len(kinds):
            yield order
        seen = set()
        for place, kind in enumerate(kinds):
            if place not in order and kind not in seen:
                seen.add(kind)
                yield from extend((*order, place))

    return extend(())
