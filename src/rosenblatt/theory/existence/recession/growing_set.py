"""The decomposition of many rows over few columns, by decompositions of few rows.

A working set of rows and one more row, the sum of all inequalities outside the set, are decomposed. If none of them can
be positive, no row can: the multiplier of the sum is one for each row in it. Otherwise the direction is checked on
all rows. Rows that violate it join the working set. If there are none, the positive rows are removed, and the search
continues with the others. In the final direction, rows removed earlier get larger factors than rows removed later.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from rosenblatt.theory.budget import Budget
from rosenblatt.theory.decomposition.integer_rows import IntegerRows
from rosenblatt.theory.existence.model.exact_columns import Integers, shortest
from rosenblatt.theory.existence.recession.decomposed import decomposed

Indices = NDArray[np.int64]

_FIRST = 20  # rows of the first working set, per column
_MORE = 10  # rows that join it in a round, per column


@dataclass(frozen=True)
class Step:
    """Rows that a direction makes positive; it is 0 on all remaining rows."""

    rows: Indices
    w: list[int]


def is_large(rows: IntegerRows) -> bool:
    """Whether there are enough rows for a working set to be faster."""
    return len(rows) > 2 * _FIRST * (rows.width + 1)


def decompose_by_growing_set(
    rows: IntegerRows, equality: NDArray[np.bool_], budget: Budget
) -> tuple[NDArray[np.bool_], list[int], Integers]:
    """The positive rows, a direction, and the multipliers that prove that no other row can be positive."""
    rng = np.random.default_rng(0)
    active = ~equality  # the inequalities that have not become positive
    working = np.zeros(len(rows), dtype=bool)
    working[rng.choice(len(rows), _FIRST * (rows.width + 1), replace=False)] = True
    steps: list[Step] = []
    while True:
        budget.spend(rows.pass_cost)
        inside = np.flatnonzero(working & (active | equality))
        outside = active & ~working
        table = _with_sum(rows, inside, outside)
        fixed = np.append(equality[inside], [False] * bool(outside.any()))
        found = decomposed(table, fixed, budget)
        if not found.positive.any():
            multipliers = np.zeros(len(rows), dtype=object)
            if outside.any():
                multipliers[outside] = found.multipliers[-1]
            multipliers[inside] = found.multipliers[: len(inside)]
            return ~active & ~equality, _combined(rows, steps), shortest(multipliers.tolist())
        scores = rows.dot(found.direction)
        violated = np.flatnonzero((active & (scores < 0)) | (equality & (scores != 0)))
        if len(violated):
            working[_select_violated(violated, scores, _MORE * (rows.width + 1), rng)] = True
        else:
            positive = np.flatnonzero(active & (scores > 0))
            steps.append(Step(positive, found.direction))
            active[positive] = False


def _with_sum(rows: IntegerRows, inside: Indices, outside: NDArray[np.bool_]) -> IntegerRows:
    """These rows, and the sum of those outside at the end."""
    part = rows.take(inside)
    if not outside.any():
        return part
    total = rows.combine(outside.astype(np.int64)).tolist()
    columns = [j for j, a in enumerate(total) if a]
    return IntegerRows(
        np.append(part.starts, part.starts[-1] + len(columns)),
        np.concatenate([part.columns, np.array(columns, dtype=np.int64)]),
        shortest([*part.values.tolist(), *(int(total[j]) for j in columns)]),
        part.width,
    )


def _select_violated(violated: Indices, scores: Integers, count: int, rng: np.random.Generator) -> Indices:
    """Selects `count` violated rows: half of them the most violated, half at random."""
    if len(violated) <= count:
        return violated
    worst = violated[np.argsort(-abs(scores[violated]), kind="stable")[: count // 2]]
    return np.union1d(worst, rng.choice(violated, count // 2, replace=False))


def _combined(rows: IntegerRows, steps: list[Step]) -> list[int]:
    """One direction for all steps; the factor of each outweighs all later steps on its own rows."""
    w = [0] * rows.width
    for step in reversed(steps):
        part = rows.take(step.rows)
        own, later = part.dot(step.w).tolist(), part.dot(w).tolist()
        factor = max(1, *(-b // a + 1 for a, b in zip(own, later, strict=True)))
        w = [factor * a + b for a, b in zip(step.w, w, strict=True)]
    return w
