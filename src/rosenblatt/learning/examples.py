"""Labelled examples in the form that the core reads. Does not import scikit-learn or scipy, whose import is slow."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from rosenblatt.core import Rows
from rosenblatt.learning.rows.array_types import Labels, Matrix, StoredMatrix, is_csr, is_stored

#: The number of rows that are read at once to compare the columns.
_BLOCK = 4096


@dataclass(frozen=True)
class Examples:
    """Labelled examples in the form that the core reads."""

    X: Matrix | StoredMatrix  # checked except for NaN and infinity
    rows: Rows
    classes: Labels
    codes: NDArray[np.int32]  # index in `classes`; undefined for examples that are not in `chosen`
    weights: NDArray[np.float64] | None  # sample weights, or None if all are 1
    chosen: NDArray[np.uint32] | None  # indices of the examples in use, or None for all
    release: Callable[[], None] | None = None  # frees the memory of mapped rows that were read; None: rows in memory

    def matrix(self) -> Matrix:
        """X as an array or a CSR matrix."""
        return self.X.to_scipy() if is_stored(self.X) else self.X

    @property
    def members(self) -> NDArray[np.uint32]:
        return np.arange(self.rows.n_examples, dtype=np.uint32) if self.chosen is None else self.chosen

    def of_pairs(self) -> Iterator[tuple[int, int, NDArray[np.uint32]]]:
        """For each pair of classes, the members that belong to one of them, in order."""
        members = self.members
        codes = self.codes[members]
        ends = np.cumsum(np.bincount(codes, minlength=len(self.classes)))[:-1]
        places = np.split(np.argsort(codes, kind="stable"), ends)  # of the members of each class
        for a, b in combinations(range(len(self.classes)), 2):
            yield a, b, members[np.sort(np.concatenate((places[a], places[b])))]

    def without_repeated_columns(self) -> "Examples":
        """The same examples, with duplicate columns of sparse rows summed."""
        if not is_csr(self.X) or self.X.has_canonical_format:
            return self
        X = self.X.copy()
        X.sum_duplicates()
        return replace(self, X=X, rows=rows_of(X))

    def scales_differ(self) -> bool:
        """Whether the largest absolute values of the columns differ by a factor of more than 1000.

        They are estimated from about 1000 examples. Of a dense column that is small there, all values are read, because
        a rare value can be the only large one.
        """
        X = self.matrix()
        sizes = _largest_values(X[:: -(-X.shape[0] // 1000)])
        limit = sizes.max(initial=0.0) / 1000
        small = np.flatnonzero((sizes > 0) & (sizes < limit))
        if is_csr(X):
            return len(small) > 0
        for begin in range(0, X.shape[0], _BLOCK):
            if not len(small):
                break
            small = small[_largest_values(X[begin : begin + _BLOCK, small]) < limit]
            if self.release is not None:
                self.release()
        return len(small) > 0


def _largest_values(X: Matrix) -> NDArray[np.float64]:
    """The largest absolute value of each column."""
    sizes = np.zeros(X.shape[1])
    if is_csr(X):
        np.maximum.at(sizes, X.indices, abs(X.data))
    else:
        np.maximum(X.max(axis=0), -X.min(axis=0), out=sizes)
    return sizes


def refuse_one_class(classes: Labels, among: str = "") -> None:
    """Raises `ValueError` if there are fewer than two classes. `among` says which examples were counted."""
    if len(classes) < 2:
        only = f" ({classes.tolist()[0]!r})" if len(classes) else ""
        raise ValueError(
            f"y has {len(classes)} class{only}{among}; a perceptron needs at least 2. Check the target column."
        )


def sorted_classes(y: Labels) -> Labels:
    """`np.unique(y)`, in linear time if the labels are integers of a small range.

    >>> sorted_classes(np.array([3, 1, 3]))
    array([1, 3])
    """
    if y.dtype.kind in "iu" and len(y):
        low, high = int(y.min()), int(y.max())
        if high - low == 1:
            return np.array([low, high], dtype=y.dtype)
        if high - low < len(y):
            present = np.zeros(high - low + 1, dtype=bool)
            present[np.subtract(y, low, dtype=np.intp, casting="unsafe")] = True
            return (np.flatnonzero(present) + low).astype(y.dtype)
    return np.unique(y)


def rows_of(X: Matrix, *, lazily: bool = False) -> Rows:
    """The core's view of a checked matrix. F-ordered and unaligned arrays are copied once, others are not copied.

    With `lazily`, the column indices of a CSR matrix are checked when they are first read.
    """
    if is_csr(X):
        index = np.result_type(X.indices, X.indptr)
        index = index if index in (np.dtype(np.int32), np.dtype(np.int64)) else np.dtype(np.int64)
        return Rows.csr(
            values=np.ascontiguousarray(X.data),
            indices=np.ascontiguousarray(X.indices, dtype=index),
            starts=np.ascontiguousarray(X.indptr, dtype=index),
            features=X.shape[1],
            lazily=lazily,
        )
    if X.flags.c_contiguous and X.flags.aligned:
        return Rows.dense(X)
    side_by_side = X.shape[1] <= 1 or X.strides[1] == X.itemsize
    if not (side_by_side and X.flags.aligned and X.strides[0] % X.itemsize == 0):
        X = np.ascontiguousarray(X)
    return Rows.dense(X)
