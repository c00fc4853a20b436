"""Finds weights of an output unit for given hidden units, by a linear program."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import linprog

from rosenblatt.boolean.truth_tables import Table

#: Upper limit on patterns × units for the linear program.
_MAX_ENTRIES = 400_000
#: Upper limit on rows × units when the distinct patterns are collected.
_MAX_VALUES = 20_000_000


@dataclass(frozen=True)
class Patterns:
    """The distinct output patterns of the hidden units, each with the value of the function."""

    values: NDArray[np.int64]
    wanted: Table

    @classmethod
    def of(cls, hidden: list[Table], table: Table) -> "Patterns | None":
        """Collects the patterns; None if there are too many."""
        if not hidden or len(table) * len(hidden) > _MAX_VALUES:
            return None
        columns = np.column_stack([*hidden, table])  # a pattern with both values is kept twice, and the program fails
        _, first = np.unique(np.packbits(columns, axis=1), axis=0, return_index=True)
        if len(first) * len(hidden) > _MAX_ENTRIES:
            return None
        return cls(columns[first, :-1].astype(np.int64), table[first])

    def without(self, unit: int) -> "Patterns":
        """The same patterns without one unit."""
        return Patterns(np.delete(self.values, unit, axis=1), self.wanted)

    def weights(self) -> list[int] | None:
        """Returns small integer weights of an output unit, checked exactly, or None if none were found."""
        k = self.values.shape[1]
        signs = np.where(self.wanted, 1.0, -1.0)[:, None]
        A = signs * np.column_stack([self.values, np.ones(len(self.values))])
        # Minimise Σ|w| with w = p − q, p, q ≥ 0, and a margin of ½ on both sides; the offset has no cost.
        split = np.column_stack([A[:, :k], -A[:, :k], A[:, k]])
        bounds = [(0, None)] * (2 * k) + [(None, None)]
        found = linprog([1.0] * (2 * k) + [0.0], A_ub=-split, b_ub=[-0.5] * len(A), bounds=bounds, method="highs")
        if found.status != 0:
            return None
        w = found.x[:k] - found.x[k : 2 * k]
        for factor in range(1, 13):
            weights = [round(factor * a) for a in w]
            scores = self.values @ np.array(weights, dtype=np.int64)
            if scores[self.wanted].min() > scores[~self.wanted].max():
                return weights
        return None
