"""Equal examples: a pair with different labels is the shortest witness; of those with the same label one is kept."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rosenblatt.theory.budget import Budget
from rosenblatt.theory.examples.labelled_examples import Examples, Indices
from rosenblatt.theory.examples.sparse_type import is_sparse

_BLOCK = 1 << 20  # values compared at a time


@dataclass(frozen=True)
class EqualRows:
    """One example per group of equal rows and labels, in order, and the pairs of them with equal rows."""

    distinct: Indices
    twins: list[tuple[int, int]]
    copies: dict[int, list[int]]  # the other examples of a group, by its representative


def find_equal_rows(examples: Examples, budget: Budget) -> EqualRows:
    """Sorts the examples by a random projection: equal rows have equal scores. Neighbours are compared exactly."""
    budget.spend(2.0 * examples.values + 20.0 * len(examples))
    direction = np.random.default_rng(1).normal(size=(1, examples.X.shape[1]))
    members = examples.members
    with np.errstate(over="ignore", invalid="ignore"):
        scores = examples.rows.scores(direction, np.zeros(1))[:, 0]
    scores = scores if examples.everyone else scores[members]
    ordered = np.sort(scores)
    if not np.any(ordered[1:] == ordered[:-1]):
        return EqualRows(members, [], {})
    signs = examples.signs[members]
    order = np.lexsort((signs, scores))
    scores, signs, rows = scores[order], signs[order], members[order]
    suspects = np.flatnonzero(scores[1:] == scores[:-1])
    equal = np.zeros(len(rows) - 1, dtype=bool)
    equal[suspects] = _equal(examples.X, rows[suspects], rows[suspects + 1])
    alike = equal & (signs[1:] == signs[:-1])
    unlike = np.flatnonzero(equal & ~alike)
    first = np.concatenate([[True], ~alike])
    leaders = rows[np.maximum.accumulate(np.where(first, np.arange(len(rows)), 0))]
    twins = [(int(min(pair)), int(max(pair))) for pair in zip(leaders[unlike], leaders[unlike + 1], strict=True)]
    copies: dict[int, list[int]] = {}
    for leader, other in zip(leaders[~first].tolist(), rows[~first].tolist(), strict=True):
        copies.setdefault(leader, []).append(other)
    return EqualRows(np.sort(rows[first]), sorted(twins), copies)


def _equal(X: Any, left: Indices, right: Indices) -> NDArray[np.bool_]:
    """Which of these rows are exactly equal: the difference of two different numbers is never 0."""
    found = np.zeros(len(left), dtype=bool)
    width = max(1, X.nnz // X.shape[0] if is_sparse(X) else X.shape[1])
    block = max(1, _BLOCK // width)
    for begin in range(0, len(left), block):
        part = slice(begin, begin + block)
        if is_sparse(X):
            difference = X[left[part]] - X[right[part]]
            difference.eliminate_zeros()
            found[part] = np.diff(difference.indptr) == 0
        else:
            found[part] = np.all(X[left[part]] == X[right[part]], axis=1)
    return found
