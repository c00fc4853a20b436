"""Kernel values among the examples of a problem, within the memory that was asked for."""

from collections import OrderedDict
from collections.abc import Iterator
from dataclasses import dataclass
from math import isqrt
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rosenblatt.core import add_rows, grid
from rosenblatt.learning.dual.integers import Integers
from rosenblatt.learning.dual.kernel_functions import Array, Kernel

Indices = NDArray[Any] | slice

#: Of the memory asked for, the part that work in progress may take where the Gram matrix does not fit; the rest keeps
#: rows.
_WORKSPACE = 0.25

#: The same where it does fit, while it is computed.
_BUILDING = 0.1


@dataclass(frozen=True)
class Values:
    """k between examples of one problem, by their places in it. `members` are those of X that take part; None: all."""

    kernel: Kernel
    X: Any  # of a precomputed kernel, the square matrix itself
    members: NDArray[np.uint32] | None
    narrow: Integers | None = None  # X as small integers, where it consists of them
    threads: int = 1

    @property
    def n_examples(self) -> int:
        return self.X.shape[0] if self.members is None else len(self.members)

    def between(self, rows: Indices, columns: Indices, out: Array | None = None) -> Array:
        """One row and one column an example, in a new array or in `out`."""
        if self.narrow is not None:
            A, B = self._taken(self.narrow, rows), self._taken(self.narrow, columns)
            return self.kernel.of_integers(A, B, threads=self.threads, out=out)
        if not self.kernel.is_precomputed:
            A = self._taken(self.X, rows)
            B = A if columns is rows else self._taken(self.X, columns)
            return self.kernel(A, B, threads=self.threads, out=out)
        i, j = (self._taken(np.arange(len(self.X)), which) for which in (rows, columns))
        values = np.ascontiguousarray(self.X[np.ix_(i, j)], dtype=np.float64)
        if out is None:
            return values
        out[...] = values
        return out

    def _taken(self, Z: Any, which: Indices) -> Any:
        return Z[which] if self.members is None else Z[self.members[which]]

    def whole(self, memory: int) -> Array:
        """The Gram matrix. Each value is computed once and stands on both sides of the diagonal."""
        n = self.n_examples
        if self.kernel.is_precomputed and self.members is None and self.X.dtype == np.float64:
            return np.ascontiguousarray(self.X)
        gram = np.empty((n, n))
        left = max(0, memory - gram.nbytes) // 2
        rows = max(1, min(n, 512, left // (16 * n)))
        columns = max(1, min(n, left // (16 * self.X.shape[1])))  # chosen examples are copied
        for begin in range(0, n, rows):
            end = min(begin + rows, n)
            for first in range(begin, n, columns):
                some = slice(first, min(first + columns, n))
                self.between(slice(begin, end), some, out=gram[begin:end, some])
            gram[end:, begin:end] = gram[begin:end, end:].T
        return gram

    def grid(self, layout: "Layout") -> tuple[int, float]:
        """The coarsest grid of powers of two on which all values lie, and the largest of them."""
        found = [
            grid(self.between(rows, columns))
            for rows in _pieces(self.n_examples, layout.window)
            for columns in _pieces(self.n_examples, layout.columns)
        ]
        return min(low for low, _ in found), max(largest for _, largest in found)


@dataclass(frozen=True)
class Layout:
    """How a problem is fitted into the memory asked for: the whole Gram matrix, or windows and a cache of rows."""

    whole: bool
    window: int  # examples whose kernel values among themselves are computed together
    columns: int  # examples against which a window is computed at a time
    rows: int  # rows of the Gram matrix that are kept


def layout_of(values: Values, memory: float) -> Layout:
    """The layout for so many bytes, of which nothing but X and a few numbers an example is exempt."""
    n = values.n_examples
    wide = 0 if values.kernel.is_precomputed else values.X.shape[1]
    given = values.kernel.is_precomputed and values.members is None and values.X.dtype == np.float64
    if 8 * n * n <= (1 - _BUILDING) * memory or (given and values.X.flags.c_contiguous):
        return Layout(True, min(n, 256), min(n, 4096), 0)
    workspace = _WORKSPACE * memory
    # Bytes for a value of the kernel, and for an example that takes part in a block.
    each, example = 16, 16 * wide
    if hasattr(values.X, "indptr"):
        each, example = 32, 0  # a sparse product, its indices, and the array made of it
    elif values.narrow is not None:
        example = 2 * values.narrow.shape[1]
    # A window's values among themselves, and its examples: half of the workspace.
    window = min(512, max(64, isqrt(4 * n)))
    while window > 1 and each * window * window + example * window > workspace / 2:
        window //= 2
    columns = max(1, min(n, int(workspace / 2 / (each * window + example))))
    return Layout(False, window, columns, min(n, int((memory - workspace) // (8 * n))))


class Rows:
    """Rows of the Gram matrix, as many as fit; those used longest ago give way."""

    def __init__(self, values: Values, layout: Layout) -> None:
        self._values = values
        self._columns = layout.columns
        self._kept = np.empty((0, values.n_examples))
        self._most = layout.rows
        self._places: OrderedDict[int, int] = OrderedDict()
        self._longest = layout.window

    def add_to(self, scores: Array, examples: NDArray[np.uint32], changes: Array) -> None:
        """scores[c] += Σ changes[k, c] · row of examples[k], for all examples of the problem."""
        if len(self._kept) < self._most:
            self._kept = np.empty((self._most, self._values.n_examples))  # the memory is taken as rows are written
        for part in _pieces(len(examples), self._longest):
            some, change = examples[part], changes[part]
            at_hand = np.array([int(i) in self._places for i in some])
            places, absent = self._places_of(some[at_hand]), some[~at_hand]
            free = self._room_for(absent, len(places))
            for columns in _pieces(scores.shape[1], self._columns):
                if len(places):
                    add_rows(scores[:, columns], change[at_hand], self._kept[places, columns])
                if len(absent):
                    rows = self._values.between(absent, columns)
                    self._kept[free, columns] = rows[: len(free)]
                    add_rows(scores[:, columns], change[~at_hand], rows)

    def _places_of(self, examples: NDArray[np.uint32]) -> NDArray[np.intp]:
        """Where the rows of these examples are kept; they are the latest used now."""
        for i in examples:
            self._places.move_to_end(int(i))
        return np.array([self._places[int(i)] for i in examples], dtype=np.intp)

    def _room_for(self, examples: NDArray[np.uint32], in_use: int) -> NDArray[np.intp]:
        """Places for the rows of the first of these examples, as many as can be kept beside those just used."""
        free = []
        for i in examples[: len(self._kept) - in_use]:
            full = len(self._places) == len(self._kept)
            free.append(self._places.popitem(last=False)[1] if full else len(self._places))
            self._places[int(i)] = free[-1]
        return np.array(free, dtype=np.intp)


def _pieces(n: int, size: int) -> Iterator[slice]:
    return (slice(begin, min(begin + size, n)) for begin in range(0, n, size))


def check_gram(K: Any) -> None:
    """Refuses a precomputed kernel that is none."""
    if hasattr(K, "indptr"):
        raise ValueError("A precomputed kernel must be a dense matrix; this one is sparse. Use K.toarray().")
    if K.shape[0] != K.shape[1]:
        raise ValueError(
            f"A precomputed kernel must be square, one row and one column an example; X has shape {K.shape}. Values "
            "between new examples and the training ones belong to predict."
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
