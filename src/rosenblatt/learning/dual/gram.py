"""Kernel values between the examples of a problem, computed within the memory limit `cache_size`."""

from collections import OrderedDict
from collections.abc import Iterator
from dataclasses import dataclass
from math import isqrt

import numpy as np
from numpy.typing import NDArray

from rosenblatt.core import add_rows, grid
from rosenblatt.learning.dual.integers import Integers
from rosenblatt.learning.dual.kernel_functions import Array, Kernel
from rosenblatt.learning.rows.array_types import Indices, Matrix, is_csr

#: If the Gram matrix does not fit: the share of the memory limit for temporary arrays. The rest caches rows.
_WORKSPACE = 0.25

#: If the Gram matrix fits: the share of the memory limit for temporary arrays while it is computed.
_BUILDING = 0.1


@dataclass(frozen=True)
class Values:
    """Kernel values between examples of one problem. `members` are the rows of X in the problem; None means all."""

    kernel: Kernel
    X: Matrix  # for a precomputed kernel, the square matrix itself
    members: NDArray[np.uint32] | None
    narrow: Integers | None = None  # X as small integers, if all its values are small integers
    threads: int = 1

    @property
    def n_examples(self) -> int:
        return self.X.shape[0] if self.members is None else len(self.members)

    def between(self, rows: Indices, columns: Indices, out: Array | None = None) -> Array:
        """Kernel values, one row per entry of `rows` and one column per entry of `columns`, in `out` if given."""
        i, j = self._rows_of_X(rows), self._rows_of_X(columns)
        if self.narrow is not None:
            return self.kernel.of_integers(self.narrow[i], self.narrow[j], threads=self.threads, out=out)
        if is_csr(self.X) or not self.kernel.is_precomputed:  # `check_gram` refuses a sparse precomputed kernel
            A = self.X[i]
            return self.kernel(A, A if columns is rows else self.X[j], threads=self.threads, out=out)
        every = np.arange(len(self.X))
        values = np.ascontiguousarray(self.X[np.ix_(every[i], every[j])], dtype=np.float64)
        if out is None:
            return values
        out[...] = values
        return out

    def _rows_of_X(self, which: Indices) -> Indices:
        return which if self.members is None else self.members[which]

    def whole(self, memory: int) -> Array:
        """The Gram matrix. Each off-diagonal block is computed once and copied to its transpose."""
        n = self.n_examples
        if self.kernel.is_precomputed and self.members is None and self.X.dtype == np.float64:
            return np.ascontiguousarray(self.X)
        gram = np.empty((n, n))
        left = max(0, memory - gram.nbytes) // 2
        rows = max(1, min(n, 512, left // (16 * n)))
        columns = max(1, min(n, left // (16 * self.X.shape[1])))  # the chosen rows of X are copied
        for begin in range(0, n, rows):
            end = min(begin + rows, n)
            for first in range(begin, n, columns):
                some = slice(first, min(first + columns, n))
                self.between(slice(begin, end), some, out=gram[begin:end, some])
            gram[end:, begin:end] = gram[begin:end, end:].T
        return gram

    def grid(self, layout: "Layout") -> tuple[int, float]:
        """The coarsest power-of-two grid that contains all kernel values, and the largest magnitude."""
        found = [
            grid(self.between(rows, columns))
            for rows in _blocks(self.n_examples, layout.window)
            for columns in _blocks(self.n_examples, layout.columns)
        ]
        return min(low for low, _ in found), max(largest for _, largest in found)


@dataclass(frozen=True)
class Layout:
    """How a problem uses the memory limit: with the whole Gram matrix, or with windows and a cache of rows."""

    whole: bool
    window: int  # examples whose kernel values among themselves are computed together
    columns: int  # examples per block of columns
    rows: int  # rows of the Gram matrix in the cache


def layout_of(values: Values, memory: float) -> Layout:
    """The layout for a limit of `memory` bytes. The limit excludes X and a few numbers per example."""
    n = values.n_examples
    wide = 0 if values.kernel.is_precomputed else values.X.shape[1]
    given = values.kernel.is_precomputed and values.members is None and values.X.dtype == np.float64
    if 8 * n * n <= (1 - _BUILDING) * memory or (given and not is_csr(values.X) and values.X.flags.c_contiguous):
        return Layout(True, min(n, 256), min(n, 4096), 0)
    workspace = _WORKSPACE * memory
    # Bytes per kernel value, and bytes per example in a block.
    each, example = 16, 16 * wide
    if is_csr(values.X):
        each, example = 32, 0  # the sparse product, its indices, and its dense copy
    elif values.narrow is not None:
        example = 2 * values.narrow.shape[1]
    # The kernel values between the examples of a window, and the copies of its rows, use half of the workspace.
    window = min(512, max(64, isqrt(4 * n)))
    while window > 1 and each * window * window + example * window > workspace / 2:
        window //= 2
    columns = max(1, min(n, int(workspace / 2 / (each * window + example))))
    return Layout(False, window, columns, min(n, int((memory - workspace) // (8 * n))))


class Rows:
    """A cache of rows of the Gram matrix that evicts the least recently used row."""

    def __init__(self, values: Values, layout: Layout) -> None:
        self._values = values
        self._columns = layout.columns
        self._cached = np.empty((0, values.n_examples))
        self._max_rows = layout.rows
        self._slots: OrderedDict[int, int] = OrderedDict()
        self._rows_at_once = layout.window

    def add_to(self, scores: Array, examples: NDArray[np.uint32], changes: Array) -> None:
        """scores[c] += Σₖ changes[k, c] · (row of examples[k]), for all examples of the problem."""
        if len(self._cached) < self._max_rows:
            self._cached = np.empty((self._max_rows, self._values.n_examples))  # lazily allocated pages
        for part in _blocks(len(examples), self._rows_at_once):
            some, change = examples[part], changes[part]
            is_cached = np.array([int(i) in self._slots for i in some])
            places, absent = self._slots_of(some[is_cached]), some[~is_cached]
            free = self._free_slots(absent, len(places))
            for columns in _blocks(scores.shape[1], self._columns):
                if len(places):
                    add_rows(scores[:, columns], change[is_cached], self._cached[places, columns])
                if len(absent):
                    rows = self._values.between(absent, columns)
                    self._cached[free, columns] = rows[: len(free)]
                    add_rows(scores[:, columns], change[~is_cached], rows)

    def _slots_of(self, examples: NDArray[np.uint32]) -> NDArray[np.intp]:
        """The cache slots of these examples' rows, which become the most recently used."""
        for i in examples:
            self._slots.move_to_end(int(i))
        return np.array([self._slots[int(i)] for i in examples], dtype=np.intp)

    def _free_slots(self, examples: NDArray[np.uint32], in_use: int) -> NDArray[np.intp]:
        """Cache slots for the rows of the first of these examples. The `in_use` rows just read are not evicted."""
        free = []
        for i in examples[: len(self._cached) - in_use]:
            full = len(self._slots) == len(self._cached)
            free.append(self._slots.popitem(last=False)[1] if full else len(self._slots))
            self._slots[int(i)] = free[-1]
        return np.array(free, dtype=np.intp)


def _blocks(n: int, size: int) -> Iterator[slice]:
    return (slice(begin, min(begin + size, n)) for begin in range(0, n, size))


def check_gram(K: Matrix) -> None:
    """Rejects a precomputed kernel that is sparse, not square or not symmetric."""
    if is_csr(K):
        raise ValueError("A precomputed kernel must be a dense matrix; this one is sparse. Use K.toarray().")
    if K.shape[0] != K.shape[1]:
        raise ValueError(
            f"A precomputed kernel must be square, with one row and one column per example; X has shape "
            f"{K.shape}. Values between new examples and the training ones belong to predict."
        )
    tolerance = 1e-6 * float(np.abs(K).max())
    for begin in range(0, len(K), 256):
        apart = np.abs(K[begin : begin + 256] - K[:, begin : begin + 256].T)
        if apart.max() > tolerance:
            i, j = np.unravel_index(int(apart.argmax()), apart.shape)
            i += begin
            raise ValueError(
                f"A precomputed kernel must be symmetric; X[{i}, {j}] is {K[i, j]} and X[{j}, {i}] is {K[j, i]}."
            )
