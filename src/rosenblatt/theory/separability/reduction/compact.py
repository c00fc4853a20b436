"""The core of a problem as a smaller problem: without settled examples and without constant columns."""

from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np

from rosenblatt.theory.exact.linear_algebra import Matrix, cleared, primitive
from rosenblatt.theory.examples.labelled_examples import Examples, Indices
from rosenblatt.theory.examples.sparse_type import is_sparse
from rosenblatt.theory.separability.reduction.column_limits import ColumnLimits, canonical, entries
from rosenblatt.theory.separability.witness import Witness

_FIRST = 64  # number of first rows, which show for most columns that they are not constant
_VALUES = 1 << 18  # stored values of a block
_COPY_BELOW = 0.9  # a dense core with at least this share of the values is not copied


@dataclass(frozen=True)
class Compact:
    """A problem with some rows and columns of another. The columns left out are constant on these rows."""

    examples: Examples
    rows: Indices | None  # None: the rows are those of the original
    columns: Indices | None
    width: int  # number of columns of the original
    constants: list[tuple[int, Fraction]]  # each column left out, and its value

    def witness(self, found: Witness) -> Witness:
        if self.rows is None:
            return found
        multipliers = {int(self.rows[i]): m for i, m in found.multipliers.items()}
        return Witness(multipliers, tuple(int(self.rows[i]) for i in found.basis))

    def inner(self, pairs: list[tuple[int, int]]) -> list[tuple[int, int]]:
        """Pairs of rows of the original as pairs of rows of this problem, which contains them all."""
        if self.rows is None:
            return pairs
        places = np.searchsorted(self.rows, np.array(pairs, dtype=np.int64).reshape(-1, 2))
        return [(int(a), int(b)) for a, b in places]

    def weights(self, found: list[int]) -> list[int]:
        """Weights of the original; the columns left out have weight 0."""
        if self.columns is None:
            return found
        offset = int(self.examples.fit_intercept)
        w = found[:offset] + [0] * (self.width - offset)
        for j, a in zip(self.columns.tolist(), found[offset:], strict=True):
            w[j + offset] = a
        return w

    def dropped_directions(self) -> Matrix:
        """For each column left out, a direction that is orthogonal to all examples."""
        offset = int(self.examples.fit_intercept)
        found = []
        for j, value in self.constants:
            numbers = [Fraction(0)] * self.width
            numbers[j + offset] = Fraction(1)
            if offset:
                numbers[0] = -value
            found.append(primitive(cleared(numbers)[0]))
        return found


def compact(examples: Examples, core: Indices) -> Compact:
    """Copies the core if it is sparse, or if it is much smaller than the original."""
    X, offset = examples.X, examples.fit_intercept
    constants = _constant_columns(X, core, offset)
    kept = np.setdiff1d(np.arange(X.shape[1]), [j for j, _ in constants])
    whole = len(core) == X.shape[0] and not constants
    large = len(core) * max(1, len(kept)) > _COPY_BELOW * X.shape[0] * X.shape[1]
    if whole or not len(kept) or (large and not is_sparse(X)):
        return Compact(examples.only(core), None, None, examples.width, [])
    part = _with_columns(X[core], kept) if is_sparse(X) else X[np.ix_(core, kept)]
    inside = Examples(part, examples.signs[core], offset)
    return Compact(inside, core, kept, examples.width, constants)


def _with_columns(part: Any, kept: Indices) -> Any:
    """These columns of a CSR matrix, which is overwritten: SciPy's selection would need a second copy of it."""
    place = np.full(part.shape[1], -1, dtype=part.indices.dtype)
    place[kept] = np.arange(len(kept))
    starts, ends = part.indptr, np.zeros_like(part.indptr)
    written = 0
    for begin in range(0, part.nnz, _VALUES):
        block = slice(begin, min(begin + _VALUES, part.nnz))
        columns = place[part.indices[block]]
        stays = columns >= 0
        before = np.concatenate([[0], np.cumsum(stays)])
        rows = slice(np.searchsorted(starts, block.start), np.searchsorted(starts, block.stop, side="right"))
        ends[rows] = written + before[starts[rows] - block.start]
        now = slice(written, written + int(before[-1]))
        part.indices[now], part.data[now] = columns[stays], part.data[block][stays]
        written = now.stop
    from scipy.sparse import csr_matrix

    return csr_matrix((part.data[:written], part.indices[:written], ends), shape=(part.shape[0], len(kept)))


def _constant_columns(X: Any, rows: Indices, offset: bool) -> list[tuple[int, Fraction]]:
    """Columns that are constant on these rows (zero, through the origin), with their values."""
    if is_sparse(X):
        X = canonical(X)
        chosen = np.zeros(X.shape[0], dtype=bool)
        chosen[rows] = True
        limits = ColumnLimits(X.shape[1], X.dtype)
        for owners, indices, values in entries(X):
            inside = chosen[owners]
            limits.add(indices[inside], values[inside])
        low, high = limits.over(len(rows))
        columns = np.flatnonzero(low == high)
        low = low[columns]
    else:
        first = X[rows[:_FIRST]]
        columns = np.flatnonzero(np.all(first == first[0], axis=0))
        low = first[0][columns]
        if len(columns):
            kept = np.array([bool(np.all(X[rows, j] == a)) for j, a in zip(columns, low, strict=True)])
            columns, low = columns[kept], low[kept]
    found = [(int(j), Fraction(a)) for j, a in zip(columns.tolist(), low.tolist(), strict=True)]
    return found if offset else [(j, a) for j, a in found if a == 0]
