"""Decides whether all weights of a run were computed without rounding: the rule of the core's `exactness.hpp`.

Floats are multiples of powers of two: if every value is a multiple of a common one, and no weight can need more than
53 bits in units of it, every addition was exact. Then weights that return to an earlier state in a random order prove
that the examples added in between sum to zero, which no separator allows.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np


@dataclass(frozen=True)
class Grid:
    """Every value is an integer multiple of 2^low, and none is larger in magnitude than `largest`."""

    low: int
    largest: float


_NOTHING = Grid(2**31, 0.0)


def grid_of(values: Any) -> Grid:
    """The grid of some numbers; zeros lie on every grid.

    >>> grid_of([0.75, -2.0])
    Grid(low=-2, largest=2.0)
    """
    magnitudes = np.abs(np.asarray(values, dtype=np.float64)).ravel()
    magnitudes = magnitudes[magnitudes > 0]
    if not len(magnitudes):
        return _NOTHING
    fractions, exponents = np.frexp(magnitudes)
    mantissas = np.ldexp(fractions, 53).astype(np.int64)
    zeros = np.frexp((mantissas & -mantissas).astype(np.float64))[1] - 1
    return Grid(int((exponents - 53 + zeros).min()), float(magnitudes.max()))


def grid_of_rows(values: Any) -> Grid:
    """The grid of the examples' values, and of 1, the coordinate of the offset."""
    rows = grid_of(values)
    return Grid(min(rows.low, 0), max(rows.largest, 1.0))


def additions_exact(rows: Grid, steps: Grid, start: Grid, mistakes: int) -> bool:
    """Whether no addition of a run can have been rounded: then a return of the weights proves that updates sum to zero.

    >>> additions_exact(grid_of_rows([3, -5]), grid_of(1.0), grid_of(0.0), mistakes=1000)
    True
    >>> additions_exact(grid_of_rows([3, -5]), grid_of(0.1), grid_of(0.0), mistakes=1000)
    False
    """
    low = min(rows.low + steps.low, start.low)
    largest = start.largest + mistakes * steps.largest * rows.largest
    return bool(largest <= np.ldexp(1.0, min(low + 52, 1023)))
