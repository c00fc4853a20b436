"""The output unit for given hidden units: which weights make the function of their values."""

import numpy as np
from scipy.optimize import linprog

from rosenblatt.boolean.tables import Table

#: More patterns or units than this are not put to a linear program.
_MAX_ENTRIES = 400_000
#: Nor are the values of so many units and rows compared.
_MAX_VALUES = 20_000_000


def output_weights(hidden: list[Table], table: Table) -> list[int] | None:
    """Small integer weights whose scores separate the function's values, checked exactly; None if none were found."""
    if not hidden or len(table) * len(hidden) > _MAX_VALUES:
        return None
    patterns, first = np.unique(np.column_stack(hidden), axis=0, return_index=True)
    if patterns.size > _MAX_ENTRIES:
        return None
    value = table[first]
    k = patterns.shape[1]
    signs = np.where(value, 1.0, -1.0)[:, None]
    A = signs * np.column_stack([patterns, np.ones(len(patterns))])
    # w = p − q with p, q ≥ 0 at the price of their sum; a margin of ½ on both sides of the offset, which is free.
    split = np.column_stack([A[:, :k], -A[:, :k], A[:, k]])
    bounds = [(0, None)] * (2 * k) + [(None, None)]
    found = linprog([1.0] * (2 * k) + [0.0], A_ub=-split, b_ub=[-0.5] * len(A), bounds=bounds, method="highs")
    if found.status != 0:
        return None
    w = found.x[:k] - found.x[k : 2 * k]
    for factor in range(1, 13):
        weights = [round(factor * a) for a in w]
        scores = patterns.astype(np.int64) @ np.array(weights, dtype=np.int64)
        if scores[value].min() > scores[~value].max() and _agrees(hidden, weights, table):
            return weights
    return None


def _agrees(hidden: list[Table], weights: list[int], table: Table) -> bool:
    """Whether every row, not only one of each pattern, is on the right side."""
    scores = sum((w * h.astype(np.int64) for w, h in zip(weights, hidden, strict=True)), np.zeros(len(table), np.int64))
    return bool(scores[table].min() > scores[~table].max())
