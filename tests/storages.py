"""The storages in which the same data must walk the same path."""

from collections.abc import Callable
from typing import Any

import numpy as np
import scipy.sparse as sp


def _csr(X: np.ndarray, value: type, index: type) -> sp.csr_matrix:
    matrix = sp.csr_matrix(X.astype(value))
    matrix.indices = matrix.indices.astype(index)
    matrix.indptr = matrix.indptr.astype(index)
    return matrix


def _strided(X: np.ndarray) -> np.ndarray:
    """Every second row and the first columns of a larger array: no copy is needed to read it."""
    wide = np.full((2 * len(X), X.shape[1] + 3), 7.0)
    view = wide[::2, : X.shape[1]]
    view[:] = X
    view.setflags(write=False)
    return view


def _unsorted_and_repeated(X: np.ndarray) -> sp.csr_matrix:
    """Each row backwards, each value split into two entries of one column."""
    rows = [np.flatnonzero(row)[::-1].repeat(2) for row in X]
    indices = np.concatenate([np.empty(0, int), *rows]).astype(np.int32)
    owner = np.repeat(np.arange(len(X)), [len(row) for row in rows])
    halves = np.where(np.arange(len(indices)) % 2 == 0, 1.0, -2.0)  # v = (v + 2) + (-2)
    values = X[owner, indices] * 0 + halves
    values[::2] = X[owner, indices][::2] + 2.0
    starts = np.concatenate([[0], np.cumsum([len(row) for row in rows])]).astype(np.int32)
    return sp.csr_matrix((values, indices, starts), shape=X.shape)


STORAGES: dict[str, Callable[[np.ndarray], Any]] = {
    "dense64": lambda X: np.ascontiguousarray(X, dtype=np.float64),
    "dense32": lambda X: np.ascontiguousarray(X, dtype=np.float32),
    "fortran": lambda X: np.asfortranarray(X, dtype=np.float64),
    "strided": _strided,
    "csr64_i32": lambda X: _csr(X, np.float64, np.int32),
    "csr64_i64": lambda X: _csr(X, np.float64, np.int64),
    "csr32_i32": lambda X: _csr(X, np.float32, np.int32),
    "csr32_i64": lambda X: _csr(X, np.float32, np.int64),
    "csr_unsorted": _unsorted_and_repeated,
}
