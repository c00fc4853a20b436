"""The smallest and the largest value of each column of a CSR matrix, some values at a time, without a copy of it."""

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

_VALUES = 1 << 18  # stored values of a block

Entries = tuple[NDArray[np.int64], NDArray[np.integer], NDArray[Any]]  # rows, columns and values


def canonical(X: Any) -> Any:
    """The CSR matrix itself, or a copy with the values of repeated columns added up."""
    if not X.has_canonical_format:
        X = X.copy()
        X.sum_duplicates()
    return X


def entries(X: Any) -> Iterator[Entries]:
    """The stored values of a CSR matrix, in blocks."""
    for begin in range(0, X.nnz, _VALUES):
        end = min(begin + _VALUES, X.nnz)
        first, last = np.searchsorted(X.indptr, [begin, end - 1], side="right") - 1
        lengths = np.diff(np.clip(X.indptr[first : last + 2], begin, end))
        yield np.repeat(np.arange(first, last + 1), lengths), X.indices[begin:end], X.data[begin:end]


class ColumnLimits:
    """The limits of each column over the stored values added so far; values that are not stored are zeros."""

    def __init__(self, width: int, dtype: np.dtype[Any]) -> None:
        dtype = np.dtype(np.int8) if dtype.kind == "b" else dtype
        top, bottom = (np.inf, -np.inf) if dtype.kind == "f" else (np.iinfo(dtype).max, np.iinfo(dtype).min)
        self._low, self._high = np.full(width, top, dtype), np.full(width, bottom, dtype)
        self._stored = np.zeros(width, dtype=np.int64)

    def add(self, columns: NDArray[np.integer], values: NDArray[Any]) -> None:
        np.minimum.at(self._low, columns, values)
        np.maximum.at(self._high, columns, values)
        np.add.at(self._stored, columns, 1)

    def over(self, n_rows: int) -> tuple[NDArray[Any], NDArray[Any]]:
        """The minimum and the maximum of each column over this many rows, without repeated columns."""
        zero = self._stored < n_rows
        low, high = self._low, self._high
        low[zero], high[zero] = np.minimum(low[zero], 0), np.maximum(high[zero], 0)
        return low, high
