"""Labelled examples for the proofs: fast floating-point scores with a bound on the error, and exact scores on demand.

Throughout, z = y·(1, x), or y·x through the origin: an example is on the correct side of w if z·w > 0.
"""

from collections.abc import Iterable
from copy import copy
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rosenblatt.core import Rows
from rosenblatt.theory.budget import Budget
from rosenblatt.theory.examples.sparse_type import is_sparse

Floats = NDArray[np.float64]
Indices = NDArray[np.int64]

_UNIT = 2.0**-53
_BLOCK = 1 << 20  # values per block when scores are computed with a bound per row


class Examples:
    """Examples with signs +1 and −1, or 0 for those that are excluded."""

    def __init__(self, X: Any, signs: NDArray[np.int8], fit_intercept: bool, rows: Rows | None = None) -> None:
        self.X = X
        self.signs = signs
        self.fit_intercept = fit_intercept
        self.rows = _rows_of(X) if rows is None else rows
        columns = _largest(X, self.rows)
        self.largest = np.concatenate([[1.0], columns]) if fit_intercept else columns
        self.members = np.flatnonzero(signs)
        self.everyone = len(self.members) == len(signs)
        self.width = X.shape[1] + fit_intercept
        self.values = int(X.nnz if is_sparse(X) else X.size)  # values touched by one pass over all examples

    def only(self, indices: Indices) -> "Examples":
        """The same examples with all but these excluded."""
        signs = np.zeros_like(self.signs)
        signs[indices] = self.signs[indices]
        return self.with_signs(signs)

    def with_signs(self, signs: NDArray[np.int8]) -> "Examples":
        """The same rows with other signs."""
        other = copy(self)
        other.signs, other.members = signs, np.flatnonzero(signs)
        other.everyone = len(other.members) == len(signs)
        return other

    def __len__(self) -> int:
        return len(self.members)

    def scores(self, w: Floats) -> Floats:
        """Gives z·w for every row of X, in floating point; +∞ for excluded ones."""
        offset = w[0] if self.fit_intercept else 0.0
        weights = np.ascontiguousarray(w[int(self.fit_intercept) :]).reshape(1, -1)
        scores = self.rows.scores(weights, np.array([offset]))[:, 0]
        scores *= self.signs
        if not self.everyone:
            scores[self.signs == 0] = np.inf
        return scores

    def error_bound(self, w: Floats) -> float:
        """A bound on the rounding error of every score, including one rounding of each weight.

        The error of a sum of k products, in any order of addition, is at most k·u/(1 − k·u) times the sum of
        magnitudes; each product that underflows adds at most the smallest number. See Higham, Accuracy and Stability of
        Numerical Algorithms, 3.1. The factor 2 covers the rounding of the bound itself.
        """
        with np.errstate(over="ignore"):
            size = float(np.sum(self.largest * abs(w)))
        if not np.isfinite(size):
            return np.inf
        return 2.0 * float(self.width + 4) * (_UNIT * size + 5e-324)

    def integers(self, indices: Iterable[int]) -> tuple[list[list[int]], int]:
        """The z of these examples as integers, each to be multiplied by 2^exponent."""
        chosen = np.asarray(list(indices), dtype=np.int64)
        part = self.X[chosen]
        values = part.data if is_sparse(part) else part.reshape(-1)
        numbers, exponent = to_integers(values)
        d, offset = self.X.shape[1], int(self.fit_intercept)
        table = []
        for k, i in enumerate(chosen):
            sign = int(self.signs[i])
            z = [0] * self.width
            if is_sparse(part):
                for e in range(part.indptr[k], part.indptr[k + 1]):
                    z[part.indices[e] + offset] += sign * numbers[e]
            else:
                z[offset:] = numbers[k * d : (k + 1) * d] if sign > 0 else [-a for a in numbers[k * d : (k + 1) * d]]
            if offset:
                z[0] = sign << -exponent
            table.append(z)
        return table, exponent

    def exact_scores(self, indices: Indices, w: list[int], budget: Budget) -> list[int]:
        """Gives z·w of these examples, exactly, each times some positive number."""
        offset = int(self.fit_intercept)
        block = max(1, _BLOCK // self.width)
        used = np.flatnonzero([weight != 0 for weight in w[offset:]])
        weights = np.array([w[offset + j] for j in used], dtype=object)
        bits = max((abs(weight).bit_length() for weight in w), default=0)
        scores: list[int] = []
        for begin in range(0, len(indices), block):
            rows = indices[begin : begin + block]
            budget.exact_products(len(rows) * len(used), bits)
            signs = self.signs[rows].astype(object)
            part = self.X[rows]
            if is_sparse(part):
                numbers, low = to_integers(part.data)
                everything = np.array([*w[offset:], 0], dtype=object)
                products = np.array([*numbers, 0], dtype=object)[:-1] * everything[part.indices]
                sums = np.zeros(len(rows), dtype=object)
                np.add.at(sums, np.repeat(np.arange(len(rows)), np.diff(part.indptr)), products)
            elif (short := _short_dot(part[:, used], weights)) is not None:
                sums, low = short.astype(np.int64).astype(object), 0
            else:
                numbers, low = to_integers(part[:, used].reshape(-1))
                sums = np.array([*numbers, 0], dtype=object)[:-1].reshape(len(rows), len(used)) @ weights
            if offset:
                sums = sums + (w[0] << -low)
            scores += (sums * signs).tolist()
        return scores

    def not_above_zero(self, w: list[int], budget: Budget) -> tuple[Indices, Floats]:
        """The examples with z·w ≤ 0, exactly, and their scores in floating point (their signs exact)."""
        budget.spend(self.values)
        rounded = to_floats(w)
        scores = self.scores(rounded)
        if any(a and abs(b) < 1e-290 for a, b in zip(w, rounded, strict=True)):  # error of more than one rounding
            unclear = self.members
        else:
            unclear = np.flatnonzero(~(abs(scores) > self.error_bound(rounded)) & (self.signs != 0))
            unclear = unclear[self._still_unclear(unclear, rounded, scores)]
        wrong = scores <= 0
        if len(unclear):
            exact = self.exact_scores(unclear, w, budget)
            wrong[unclear] = [score <= 0 for score in exact]
            scores[unclear] = np.where(wrong[unclear], np.fmin(scores[unclear], 0.0), 0.0)
        found = np.flatnonzero(wrong & (self.signs != 0))
        return found, scores[found]

    def lowest(self, w: list[int], sign: int, budget: Budget) -> tuple[int, Fraction]:
        """The example of this sign with the smallest z·w, and that score, exactly."""
        budget.spend(self.values)
        rounded = to_floats(w)
        scores = np.where(self.signs == sign, self.scores(rounded), np.inf)
        limit = scores.min() + 2 * self.error_bound(rounded)
        lossy = any(a and abs(b) < 1e-290 for a, b in zip(w, rounded, strict=True))
        near = np.flatnonzero((self.signs == sign) & (lossy | ~(scores > limit)))
        bits = max(abs(weight).bit_length() for weight in w)
        best: tuple[Fraction, int] | None = None
        block = max(1, _BLOCK // self.width)
        for begin in range(0, len(near), block):
            part = near[begin : begin + block]
            budget.exact_products(len(part) * self.width, bits)
            table, exponent = self.integers(part)
            value, i = min(
                (sum(a * b for a, b in zip(z, w, strict=True)), int(i)) for z, i in zip(table, part, strict=True)
            )
            found = Fraction(value) * Fraction(2) ** exponent, i
            best = found if best is None else min(best, found)
        assert best is not None
        return best[1], best[0]

    def clearly_nonzero(self, w: list[int]) -> NDArray[np.bool_]:
        """The examples whose z·w is proved nonzero in floating point; excluded examples are not among them."""
        rounded = to_floats(w)
        if any(a and abs(b) < 1e-290 for a, b in zip(w, rounded, strict=True)):
            return np.zeros(len(self.signs), dtype=bool)
        clear: NDArray[np.bool_] = (abs(self.scores(rounded)) > self.error_bound(rounded)) & (self.signs != 0)
        return clear

    def _still_unclear(self, unclear: Indices, w: Floats, scores: Floats) -> NDArray[np.bool_]:
        """Which scores within the common error bound are also within the bound of their own row."""
        keep = np.ones(len(unclear), dtype=bool)
        offset = int(self.fit_intercept)
        block = max(1, _BLOCK // self.width)
        for begin in range(0, len(unclear), block):
            rows = unclear[begin : begin + block]
            part = abs(self.X[rows].astype(np.float64))
            with np.errstate(over="ignore", invalid="ignore"):
                size = np.asarray(part @ abs(w[offset:])) + (abs(w[0]) if offset else 0.0)
                entries = np.diff(part.indptr) if is_sparse(part) else part.shape[1]
                bound = 2 * (entries + 5) * (_UNIT * size + 5e-324)
                keep[begin : begin + block] = ~(abs(scores[rows]) > bound)
        return keep


def _short_dot(part: NDArray[Any], weights: NDArray[Any]) -> Floats | None:
    """Products that floating point computes exactly, or None: integers whose sums stay below 2^53."""
    part = part.astype(np.float64)
    if part.size == 0:
        return np.zeros(len(part))
    largest = max(1, int(abs(part).max()))  # at least 1, because the weights themselves must fit, too
    if not np.all(np.rint(part) == part) or sum(map(abs, weights)) * largest >= 1 << 53:
        return None
    exact: Floats = part @ weights.astype(np.float64)
    return exact


def to_integers(values: NDArray[Any]) -> tuple[list[int], int]:
    """Floats or integers as integers times a common 2^exponent, exponent ≤ 0: exact."""
    if values.dtype.kind in "iub":
        return [int(value) for value in values.tolist()], 0
    fractions, exponents = np.frexp(values.astype(np.float64))
    numbers = np.ldexp(fractions, 53).astype(np.int64)
    powers = exponents.astype(np.int64) - 53
    nonzero = numbers != 0
    if not nonzero.any():
        return [0] * len(numbers), 0
    trailing = np.zeros_like(powers)
    trailing[nonzero] = np.frexp((numbers[nonzero] & -numbers[nonzero]).astype(np.float64))[1] - 1
    low = min(0, int((powers + trailing)[nonzero].min()))
    up = powers - low
    numbers >>= np.where(up < 0, -up, 0)  # only zero bits are shifted out
    return [a << s if s > 0 else a for a, s in zip(numbers.tolist(), up.tolist(), strict=True)], low


def to_floats(w: list[int]) -> Floats:
    """Integers as floats times a common power of two that brings the largest below 1, each rounded once."""
    size = max(abs(a) for a in w).bit_length()
    return np.array([_rounded(a, -size) for a in w])


def _rounded(a: int, exponent: int) -> float:
    """Gives a · 2^exponent, rounded once (or 0 on underflow)."""
    drop = max(0, a.bit_length() - 64)  # bits below the top 64 matter only as a sticky bit when rounding to 53
    head = abs(a) >> drop | (1 if abs(a) & ((1 << drop) - 1) else 0)
    return float(np.ldexp(float(head), drop + exponent)) * (1 if a > 0 else -1)


def _rows_of(X: Any) -> Rows:
    """The core's view of X. Integers become floats; the error bound covers the rounding of those above 53 bits."""
    small = X.dtype in (np.float32, np.float16) or (X.dtype.kind in "iub" and X.dtype.itemsize <= 2)
    dtype = np.dtype(np.float32 if small else np.float64)
    if is_sparse(X):
        index = np.result_type(X.indices, X.indptr, np.int32)
        return Rows.csr(
            values=np.ascontiguousarray(X.data, dtype=dtype),
            indices=np.ascontiguousarray(X.indices, dtype=index),
            starts=np.ascontiguousarray(X.indptr, dtype=index),
            features=X.shape[1],
        )
    side_by_side = X.shape[1] <= 1 or X.strides[1] == X.itemsize
    if X.dtype != dtype or not (side_by_side and X.flags.aligned and X.strides[0] % X.itemsize == 0):
        X = np.ascontiguousarray(X, dtype=dtype)
    return Rows.dense(X)


def _largest(X: Any, rows: Rows) -> Floats:
    """The largest magnitude in each column; refuses values that are not finite."""
    if is_sparse(X):
        columns = np.zeros(X.shape[1])
        block = max(1, _BLOCK // 16 * X.shape[0] // max(1, X.nnz))
        for begin in range(0, X.shape[0], block):  # SciPy's maximum would copy the whole matrix several times
            part = abs(X[begin : begin + block].astype(np.float64))
            part.sum_duplicates()
            with np.errstate(invalid="ignore"):  # NaN is reported below, with its place
                np.maximum.at(columns, part.indices, part.data)
    else:
        columns = np.maximum(abs(X.max(axis=0).astype(np.float64)), abs(X.min(axis=0).astype(np.float64)))
    if not np.all(np.isfinite(columns)) and (place := rows.first_nonfinite()) is not None:
        raise ValueError(
            f"X contains NaN or infinity: row {place[0]}, column {place[1]}. Separability is about numbers: drop the "
            "row or fill the gap."
        )
    return columns
