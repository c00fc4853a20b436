"""The screen: a column without a negative (or without a positive) value is itself a direction with Zw ≥ 0.

All such columns together make every row with a nonzero value in one of them positive. Those rows are removed, which may
give further columns one sign, so this is repeated in rounds. The remaining rows, the core, are often few.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from rosenblatt.theory.decomposition.integer_rows import IntegerRows


@dataclass(frozen=True)
class Round:
    """Columns with the sign of their weight, and the rows that they make positive."""

    columns: NDArray[np.int64]
    signs: NDArray[np.int64]
    rows: NDArray[np.int64]


def one_sign_columns(rows: IntegerRows, equality: NDArray[np.bool_]) -> tuple[list[Round], NDArray[np.int64]]:
    """The rounds, and the rows of the core. Columns of equality rows are excluded, because those rows must stay 0."""
    owners, signs = rows.owners, np.where(rows.values > 0, 1, -1)
    barred = np.zeros(rows.width, dtype=bool)
    barred[rows.columns[equality[owners]]] = True
    active = np.ones(len(rows), dtype=bool)
    alive = np.flatnonzero(~barred[rows.columns])  # stored values of active rows in columns that may have one sign
    rounds: list[Round] = []
    while len(alive):
        columns = rows.columns[alive]
        above = np.bincount(columns[signs[alive] > 0], minlength=rows.width)
        below = np.bincount(columns[signs[alive] < 0], minlength=rows.width)
        free = (above == 0) != (below == 0)
        settled = np.unique(owners[alive[free[columns]]])
        if not len(settled):
            break
        chosen = np.flatnonzero(free)
        rounds.append(Round(chosen, np.where(above[chosen] > 0, 1, -1), settled))
        active[settled] = False
        alive = alive[active[owners[alive]]]
    return rounds, np.flatnonzero(active)


def add_rounds(rows: IntegerRows, rounds: list[Round], direction: list[int]) -> list[int]:
    """Extends a direction that is ≥ 0 on the core to one of the whole system, positive on the rows of all rounds.

    The columns of a round are zero in the rows of later rounds and of the core, so its weight can be any integer. From
    the last round to the first, it is the smallest integer that outweighs what later rounds add to its own rows.
    """
    w = list(direction)
    for step in reversed(rounds):
        part = rows.take(step.rows)
        own = [0] * rows.width
        for j, sign in zip(step.columns.tolist(), step.signs.tolist(), strict=True):
            own[j] = sign
        gains, scores = part.dot(own).tolist(), part.dot(w).tolist()
        weight = max(1, *(-s // g + 1 for g, s in zip(gains, scores, strict=True)))
        for j, sign in zip(step.columns.tolist(), step.signs.tolist(), strict=True):
            w[j] = sign * weight
    return w
