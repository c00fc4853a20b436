"""Covers a function by implicants (ANDs of literals). Each AND is a threshold unit, and so is the OR of them."""

import numpy as np

from rosenblatt.boolean.truth_tables import Table, cube, row_bits
from rosenblatt.boolean.unit import ThresholdUnit


def cover(table: Table) -> list[ThresholdUnit]:
    """Returns implicants that together cover the true rows: a greedy disjunctive normal form, one unit per AND.

    Each implicant starts from a true row that is not covered yet. Literals are dropped one at a time while the
    implicant stays inside the function, the literal that adds the most uncovered rows first.
    """
    c = cube(table)
    n = c.ndim
    left = c.copy()
    units = []
    while left.any():
        row = int(np.argmax(left))
        index: list[slice | int] = list(row_bits(row, n))
        while True:
            wider = []
            for axis in range(n):
                if isinstance(index[axis], int):
                    trial = [*index[:axis], slice(None), *index[axis + 1 :]]
                    if c[tuple(trial)].all():
                        wider.append((int(left[tuple(trial)].sum()), -axis))
            if not wider:
                break
            index[-max(wider)[1]] = slice(None)
        left[tuple(index)] = False
        units.append(_and_unit(index))
    return units


def _and_unit(index: list[slice | int]) -> ThresholdUnit:
    weights = [0 if isinstance(held, slice) else 2 * held - 1 for held in index]
    most = sum(w for w in weights if w > 0)
    return ThresholdUnit(weights, (1 - 2 * most) / 2)
