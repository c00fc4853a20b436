"""Sparse rows of integers, with exact products and a floating-point copy for guesses."""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import lcm
from typing import TYPE_CHECKING, Any

import numpy as np
from flint import fmpz_mat
from numpy.typing import NDArray

from rosenblatt.theory.examples.labelled_examples import to_integers
from rosenblatt.theory.examples.sparse_type import is_sparse

if TYPE_CHECKING:
    from scipy.sparse import csr_matrix

Integers = NDArray[Any]  # int64, or Python integers in an object array

_INT64 = 1 << 62


@dataclass(frozen=True)
class IntegerRows:
    """Rows in CSR form without stored zeros. `values` has dtype int64, or object where an integer is longer."""

    starts: NDArray[np.int64]
    columns: NDArray[np.int64]
    values: Integers
    width: int
    scales: list[int] | None = None  # positive factors that cleared the denominators of the given rows

    @classmethod
    def of(cls, rows: Any) -> "IntegerRows":
        """Takes a matrix of integers, floats (at their exact values) or Fractions; each row times a positive number."""
        if isinstance(rows, IntegerRows):
            return rows
        if not is_sparse(rows):
            rows = np.asarray(rows)
            if rows.dtype.kind == "O":
                return _of_fractions(rows)
        if rows.ndim != 2 or rows.dtype.kind not in "fiub":
            raise ValueError(f"rows must be a matrix of numbers; got shape {rows.shape} of {rows.dtype}.")
        starts, columns, numbers = _stored(rows)
        if numbers.dtype.kind == "f" and not np.all(np.isfinite(numbers)):
            raise ValueError("rows contain NaN or infinity; exact arithmetic needs finite numbers.")
        if numbers.dtype.kind in "ib" or (numbers.dtype.kind == "u" and numbers.dtype.itemsize < 8):
            values: Integers = numbers.astype(np.int64)
        else:
            values = _shortest(to_integers(numbers)[0])
        return cls(starts.astype(np.int64), columns.astype(np.int64), values, rows.shape[1])

    @property
    def pass_cost(self) -> float:
        """The cost of one product with every value, in touched values (see `Budget`)."""
        return (500.0 if self.values.dtype == object else 50.0) * len(self.values)

    def __len__(self) -> int:
        return len(self.starts) - 1

    @property
    def owners(self) -> NDArray[np.int64]:
        """The row of each stored value."""
        return np.repeat(np.arange(len(self)), np.diff(self.starts))

    def take(self, rows: NDArray[np.int64]) -> "IntegerRows":
        """These rows, in this order."""
        lengths = np.diff(self.starts)[rows]
        starts = np.concatenate([[0], np.cumsum(lengths)])
        chosen = np.repeat(self.starts[rows] - starts[:-1], lengths) + np.arange(starts[-1])
        return IntegerRows(starts, self.columns[chosen], self.values[chosen], self.width)

    def restrict(self, columns: NDArray[np.int64]) -> "IntegerRows":
        """The same rows with only these columns, renumbered; the values of the others are dropped."""
        place = np.full(self.width, -1)
        place[columns] = np.arange(len(columns))
        new = place[self.columns]
        kept = new >= 0
        counts = np.bincount(self.owners[kept], minlength=len(self))
        return IntegerRows(np.concatenate([[0], np.cumsum(counts)]), new[kept], self.values[kept], len(columns))

    def dot(self, w: Sequence[int] | Integers) -> Integers:
        """Every row · w, exactly."""
        return _products(self.values, self.columns, self.owners, w, len(self))

    def combine(self, multipliers: Sequence[int] | Integers) -> Integers:
        """The sum of multiplier · row, exactly."""
        return _products(self.values, self.owners, self.columns, multipliers, self.width)

    def dense(self, rows: NDArray[np.int64]) -> fmpz_mat:
        part = self.take(rows)
        table = np.zeros((len(rows), self.width), dtype=self.values.dtype)
        table[part.owners, part.columns] = part.values
        return fmpz_mat(len(rows), self.width, table.reshape(-1).tolist())

    def floats(self) -> tuple["csr_matrix", NDArray[np.int64], NDArray[np.int64]]:
        """The values in floating point, divided by powers of two for each row and each column: their exponents.

        Largest values become about 1: of columns, then of rows, then of columns again. Columns are first, because one
        in small units would else vanish beside a larger one in most rows.
        """
        from scipy.sparse import csr_matrix

        mantissas, bits = _mantissas(self.values)
        columns = _largest_in(self.columns, bits, self.width)
        rows = _largest_in(self.owners, bits - columns[self.columns], len(self))
        bits = bits - rows[self.owners]
        columns = _largest_in(self.columns, bits, self.width)
        scaled = np.ldexp(mantissas, bits - columns[self.columns])
        return csr_matrix((scaled, self.columns, self.starts), shape=(len(self), self.width)), rows, columns


def _mantissas(values: Integers) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
    """Each value as a float between ½ and 1 times a power of two, and the exponents of these."""
    if values.dtype == np.int64:
        mantissas, exponents = np.frexp(values.astype(np.float64))
        return mantissas, exponents.astype(np.int64)
    shifts = [max(0, abs(a).bit_length() - 64) for a in values.tolist()]
    tops = np.array([float(a >> s) for a, s in zip(values.tolist(), shifts, strict=True)], dtype=np.float64)
    mantissas, exponents = np.frexp(tops)
    return mantissas, exponents + np.array(shifts, dtype=np.int64)


def _largest_in(groups: NDArray[np.int64], exponents: NDArray[np.int64], size: int) -> NDArray[np.int64]:
    """The largest exponent of each group; 0 for a group without values."""
    none = np.iinfo(np.int64).min
    largest = np.full(size, none)
    np.maximum.at(largest, groups, exponents)
    return np.where(largest == none, 0, largest)


def _stored(rows: Any) -> tuple[NDArray[Any], NDArray[Any], NDArray[Any]]:
    """The starts, columns and values of the entries that are not zero, row by row."""
    if is_sparse(rows):
        matrix = rows.tocsr(copy=True)
        matrix.sum_duplicates()
        matrix.eliminate_zeros()
        return matrix.indptr, matrix.indices, matrix.data
    owners, columns = np.nonzero(rows)
    return np.searchsorted(owners, np.arange(len(rows) + 1)), columns, rows[owners, columns]


def _of_fractions(table: NDArray[Any]) -> IntegerRows:
    if table.ndim != 2:
        raise ValueError(f"rows must be a matrix of numbers; got shape {table.shape}.")
    scales, starts = list[int](), [0]
    columns, values = list[int](), list[int]()
    for row in table.tolist():
        numbers = [Fraction(a) for a in row]
        scale = lcm(*(q.denominator for q in numbers))
        scales.append(scale)
        for j, q in enumerate(numbers):
            if q:
                columns.append(j)
                values.append(q.numerator * (scale // q.denominator))
        starts.append(len(columns))
    places = np.array(columns, dtype=np.int64)
    return IntegerRows(np.array(starts, dtype=np.int64), places, _shortest(values), table.shape[1], scales)


def _shortest(values: list[int]) -> Integers:
    if max(map(abs, values), default=0) < _INT64:
        return np.array(values, dtype=np.int64)
    return np.array([*values, None], dtype=object)[:-1]


def _largest(values: Sequence[int] | Integers) -> int:
    if isinstance(values, np.ndarray) and values.dtype == np.int64:
        return int(abs(values).max(initial=0))
    return max((abs(a) for a in values), default=0)


def _products(values: Integers, read: Any, write: Any, factors: Sequence[int] | Integers, size: int) -> Integers:
    """Adds value · factors[read] at write, in int64 where nothing can overflow."""
    if values.dtype == np.int64 and _largest(factors) * _largest(values) * max(1, len(values)) < _INT64:
        short = np.zeros(size, dtype=np.int64)
        np.add.at(short, write, values * np.array(factors, dtype=np.int64)[read])
        return short
    sums = np.zeros(size, dtype=object)
    long = np.array([*(factors.tolist() if isinstance(factors, np.ndarray) else factors), None], dtype=object)[:-1]
    used = np.flatnonzero((long != 0)[read])  # a vector of a null space is mostly zeros
    np.add.at(sums, write[used], values[used].astype(object) * long[read[used]])
    return sums
