"""A round of the screen over several columns: a weak separator whose weights are zero except in rarely used columns.

A rarely used column has one value, its common value, on nearly all examples. Let K be some such columns, and let the
weights w be zero outside K, with an offset that makes the score 0 where all columns of K have their common values. Then
only the examples off a common value matter: a small linear program finds the largest set of them that such a w puts
strictly on their side (see `decomposition`), and w itself exactly. Without this round these columns make the weights of
a logistic regression diverge.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from rosenblatt.theory.budget import Budget, OutOfBudgetError
from rosenblatt.theory.decomposition.decompose import decompose_rows
from rosenblatt.theory.decomposition.integer_rows import IntegerRows
from rosenblatt.theory.exact.linear_algebra import primitive
from rosenblatt.theory.examples.labelled_examples import Examples, Indices

_SHARE = 0.01  # largest share of examples off the common value
_MOST = 10_000  # values off the common value in all chosen columns
_COLUMNS = 200
_SAMPLE = 63  # examples from which a common value is guessed
_VALUES = 1 << 18  # values of a block of rows
_PROGRAM = 2e9  # work on one program


def rare_column_round(examples: Examples, members: Indices, budget: Budget) -> tuple[list[int], Indices] | None:
    """Weights [w₀, w₁, …] with scores ≥ 0 on these examples, and those with scores > 0; None where none is found."""
    budget.spend(3.0 * examples.values)
    columns, common = _rare_columns(examples, members, int(_SHARE * len(members)))
    if len(columns) < 2:
        return None
    budget.spend(5.0 * len(members) * len(columns))
    touched, rows = _off_the_common_values(examples.X, members, columns, common)
    signs = examples.signs[touched]
    rows = rows.astype(np.float64 if rows.dtype.kind == "f" else object) * signs[:, None]
    offset = int(examples.fit_intercept)
    if offset:  # the first row, an equality: the common values have score 0
        rows = np.vstack([[1, *common.tolist()], np.column_stack([signs, rows])])
    part = budget.part(min(_PROGRAM, budget.left))
    try:
        positive, direction, _ = decompose_rows(IntegerRows.of(rows), np.arange(len(rows)) < offset, part)
    except OutOfBudgetError:
        return None
    finally:
        budget.charge(part.used)
    settled = np.sort(touched[positive[offset:]])
    if not len(settled):
        return None
    weights = direction[:offset] + [0] * (examples.width - offset)
    for j, a in zip(columns.tolist(), direction[offset:], strict=True):
        weights[j + offset] = a
    return primitive(weights), settled


def _rare_columns(examples: Examples, members: Indices, limit: int) -> tuple[Indices, NDArray[Any]]:
    """Columns with at most `limit` examples off their common value, the rarest first, and these values."""
    X, columns = examples.X, np.arange(examples.X.shape[1])
    common, off = np.zeros(len(columns), dtype=X.dtype), np.zeros(len(columns), dtype=np.int64)
    if not isinstance(X, np.ndarray):
        part = X[members]
        off += np.bincount(part.indices[part.data != 0], minlength=len(columns))
    else:
        if examples.fit_intercept:
            sample = np.sort(X[members[:: 1 + len(members) // _SAMPLE]], axis=0)
            common = sample[len(sample) // 2]
        begin = 0
        while begin < len(members) and len(columns):
            rows = members[begin : begin + max(1, _VALUES // len(columns))]
            block = X[rows] if len(columns) == X.shape[1] else X[np.ix_(rows, columns)]
            off = off + np.count_nonzero(block != common, axis=0)
            few = off <= limit
            columns, common, off = columns[few], common[few], off[few]
            begin += len(rows)
    used = np.flatnonzero((off > 0) & (off <= limit))
    used = used[np.argsort(off[used], kind="stable")][:_COLUMNS]
    used = used[np.cumsum(off[used]) <= _MOST]
    return columns[used], common[used]


def _off_the_common_values(
    X: Any, members: Indices, columns: Indices, common: NDArray[Any]
) -> tuple[Indices, NDArray[Any]]:
    """The examples that are off the common value in some of these columns, and their values there."""
    found, tables = [], []
    block = max(1, _VALUES // len(columns))
    for begin in range(0, len(members), block):
        rows = members[begin : begin + block]
        table = X[np.ix_(rows, columns)] if isinstance(X, np.ndarray) else X[rows][:, columns].toarray()
        off = np.any(table != common, axis=1)
        found.append(rows[off])
        tables.append(table[off])
    return np.concatenate(found), np.vstack(tables)
