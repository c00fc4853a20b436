"""Covers a function by implicants (ANDs of literals). Each AND is a threshold unit, and so is the OR of them."""

import numpy as np

from rosenblatt.boolean.truth_tables import Table, cube, row_bits
from rosenblatt.boolean.unit import ThresholdUnit
from rosenblatt.meter import Meter


def cover(table: Table) -> list[ThresholdUnit]:
    """Returns implicants that together cover the true rows: a greedy disjunctive normal form, one unit per AND.

    Each implicant starts from a true row that is not covered yet. Literals are dropped one at a time while the
    implicant stays inside the function, the literal that adds the most uncovered rows first.
    """
    c = cube(table)
    n = c.ndim
    left = c.copy()
    units = []
    with Meter("network, cover of ANDs", int(c.sum()), "rows") as meter:
        while left.any():
            row = int(np.argmax(left))
            index = _widened(c, left, list(row_bits(row, n)))
            left[tuple(index)] = False
            units.append(_and_unit(index))
            meter.update(int(c.sum()) - int(left.sum()))
    return units


def _widened(c: Table, left: Table, literals: list[int]) -> list[slice | int]:
    """Drops literals of an implicant as long as it stays inside the function; `left` are the rows not covered yet."""
    index: list[slice | int] = [*literals]
    while True:
        wider = []
        for axis in range(c.ndim):
            if isinstance(index[axis], int):
                trial = [*index[:axis], slice(None), *index[axis + 1 :]]
                if c[tuple(trial)].all():
                    wider.append((int(left[tuple(trial)].sum()), -axis))
        if not wider:
            return index
        index[-max(wider)[1]] = slice(None)


def _and_unit(index: list[slice | int]) -> ThresholdUnit:
    weights = [0 if isinstance(held, slice) else 2 * held - 1 for held in index]
    most = sum(w for w in weights if w > 0)
    return ThresholdUnit(weights, (1 - 2 * most) / 2)
