"""Have the weights come back? Epoch by epoch over the whole cluster, as the core's `cycle.hpp` does for one machine."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray


@dataclass
class CycleWatch:
    """One copy of a problem's weights, kept at epochs 0, 1, 2, 4, 8, … (Brent 1980), compared with each later one."""

    kept: NDArray[np.float64] | None = None
    kept_at: int = 0
    keep_next: int = 0

    def see(self, epoch: int, state: NDArray[np.float64]) -> int:
        """The number of epochs since the same state was kept, or 0."""
        if self.kept is not None and np.array_equal(self.kept, state):
            return epoch - self.kept_at
        if epoch >= self.keep_next:
            self.kept, self.kept_at, self.keep_next = state.copy(), epoch, 2 * epoch if epoch else 1
        return 0


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


def additions_exact(rows: Grid, steps: Grid, start: Grid, mistakes: int) -> bool:
    """Whether no addition of a run can have been rounded: then a return proves that the updates added up to zero."""
    low = min(rows.low + steps.low, start.low)
    largest = start.largest + mistakes * steps.largest * rows.largest
    return bool(largest <= np.ldexp(1.0, min(low + 52, 1023)))
