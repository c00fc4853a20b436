"""Coordinates in which the search works: shifted and scaled by powers of two, then cut down to a subspace.

Neither an invertible map of the z nor a positive factor for each of them changes what can be separated. Floating point
is more accurate in these coordinates. Shifts and powers of two are exact, so a proof in them is a proof for the data.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
from flint import fmpz_mat

from rosenblatt.theory.budget import Budget
from rosenblatt.theory.exact.linear_algebra import Matrix, cleared, combine, primitive
from rosenblatt.theory.examples.labelled_examples import Examples, Floats, Indices, to_floats
from rosenblatt.theory.examples.sparse_type import is_sparse

_SAMPLE = 1000  # number of examples from which shift and scale are computed
_POINT = 20.0  # cost of a value of a point, in touched values
_NUMBER = 500.0  # cost of a value in integers
_MAX_BASIS_VALUES = 2_000_000  # maximum number of values in examples that are used as a basis


@dataclass(frozen=True)
class Point:
    """An example in the frame: numbers · 2^exponent, equal to 2^scale times its z, with a length between ½ and 1."""

    numbers: list[int]
    exponent: int
    scale: int


class Frame:
    """Maps an example's z to B·(y, y(x − shift) / 2^size), B the basis of a subspace, or the identity."""

    def __init__(self, examples: Examples, sample: Indices, budget: Budget) -> None:
        self.examples = examples
        self.budget = budget
        self._basis: Matrix | None = None
        budget.spend(_POINT * min(len(sample), 2 * _SAMPLE) * examples.width)
        X = examples.X[sample[:: 1 + len(sample) // _SAMPLE]].astype(np.float64)
        with np.errstate(over="ignore", invalid="ignore"):
            low, high = (_flat(limit) for limit in (X.min(axis=0), X.max(axis=0)))
            top = np.maximum(abs(low), abs(high))
            unit = np.where(top > 0, top, 1)
            mean = _flat(_times(X, 1 / unit).mean(axis=0) if is_sparse(X) else (X / unit).mean(axis=0))
            middle = np.where(top > 0, mean * top, 0.0) if examples.fit_intercept else np.zeros_like(top)
            spread = np.maximum(abs(low - middle), abs(high - middle))
            spread = np.where(np.isfinite(spread), spread, top)
            spread = np.where(spread > 0, spread, np.where(top > 0, top, examples.largest[-X.shape[1] :]))
        spread = np.where(spread > 0, spread, 1.0)
        self.sizes = np.frexp(spread)[1].astype(np.int64)
        # A shift rounded to a sixteenth of the column's spread is accurate enough, and keeps the integers short.
        grid = np.ldexp(1.0, np.clip(self.sizes - 4, -1070, 1020))
        with np.errstate(over="ignore", invalid="ignore"):
            shift = np.round(middle / grid) * grid
        self.shift = np.where(np.isfinite(shift), shift, 0.0)
        self._example_basis: Matrix | None = None
        self.cut(None)
        # With fewer examples than dimensions, the search needs only the directions that the examples span.
        if len(examples) < examples.width and len(examples) * examples.width <= _MAX_BASIS_VALUES:
            self._example_basis = [point.numbers for point in self.integers(examples.members.tolist())]
            self.cut(None)

    @property
    def is_short(self) -> bool:
        """Whether the basis consists of the examples themselves."""
        return self._example_basis is not None

    @property
    def width(self) -> int:
        return self.examples.width if self._basis is None else len(self._basis)

    def cut(self, directions: Matrix | None) -> None:
        """Restricts the frame to the span of these vectors (of the whole frame); None removes the restriction."""
        self.is_whole = directions is None
        basis = self._example_basis if directions is None else directions
        if directions and self._example_basis is not None:
            sizes = [_log2_length(vector) for vector in self._example_basis]
            largest = max(sizes)
            scaled = [[a << (largest - size) for a, size in zip(v, sizes, strict=True)] for v in directions]
            combined = fmpz_mat(scaled) * fmpz_mat(self._example_basis)
            basis = [vector for row in combined.tolist() if any(vector := [int(a) for a in row])]
        self._basis = basis
        self._basis_sizes = [_log2_length(vector) for vector in basis or []]
        self._float_basis: Floats | None = None
        self._columns: fmpz_mat | None = None  # the basis as columns

    def points(self, indices: Indices) -> Floats:
        """These examples in floating point, each of about unit length."""
        self.budget.spend(len(indices) * self.examples.width * (_POINT + 0.1 * len(self._basis or [])))
        X = self.examples.X[indices]
        X = X.toarray() if is_sparse(X) else X
        with np.errstate(over="ignore", under="ignore"):
            centred = np.ldexp(np.ldexp(X.astype(np.float64), -4) - np.ldexp(self.shift, -4), 4 - self.sizes)
        z = np.clip(centred, -1e100, 1e100)  # values far outside the range of the sample
        if self.examples.fit_intercept:
            z = np.column_stack([np.ones(len(z)), z])
        z *= self.examples.signs[indices][:, None]
        if self._basis is not None:
            if self._float_basis is None:
                self.budget.spend(_NUMBER * len(self._basis) * self.examples.width)
                sizes = zip(self._basis, self._basis_sizes, strict=True)
                self._float_basis = np.array([[_float(a, -size) for a in vector] for vector, size in sizes])
            z = _unit_rows(z) @ self._float_basis.T
        return np.ascontiguousarray(_unit_rows(z))

    def integers(self, indices: Sequence[int]) -> list[Point]:
        """These examples exactly."""
        self.budget.spend(_NUMBER * len(indices) * self.examples.width * (1 + len(self._basis or []) / 5))
        table, low = self.examples.integers(indices)
        offset = int(self.examples.fit_intercept)
        sizes = [0] * offset + self.sizes.tolist()
        shift = [Fraction(0)] * offset + [Fraction(c) for c in self.shift.tolist()]
        fine = max([-low, *(c.denominator.bit_length() - 1 for c in shift)])
        steps = [c.numerator * ((1 << fine) // c.denominator) for c in shift]
        top = max(sizes)
        points = []
        for z in table:
            sign = -1 if offset and z[0] < 0 else 1
            row = [((a << (fine + low)) - sign * c) << (top - size) for a, c, size in zip(z, steps, sizes, strict=True)]
            exponent = -fine - top
            if self._basis is not None:
                largest = max(self._basis_sizes)
                if self._columns is None:
                    self._columns = fmpz_mat(self._basis).transpose()
                products = (fmpz_mat([row]) * self._columns).entries()
                row = [int(a) << (largest - size) for a, size in zip(products, self._basis_sizes, strict=True)]
                exponent -= largest
            zeros = min(((a & -a).bit_length() - 1 for a in row if a), default=0)
            row = [a >> zeros for a in row]
            size = _log2_length(row) + zeros + exponent
            points.append(Point(row, zeros + exponent - size, -size))
        return points

    def weights(self, v: Sequence[int]) -> list[int]:
        """The direction v of this frame as weights [w₀, w₁, …] of the data, in smallest integers."""
        self.budget.spend(_NUMBER * self.examples.width * (5 + len(self._basis or []) / 5))
        u = list(v)
        if self._basis is not None:
            largest = max(self._basis_sizes)
            u = [a << (largest - size) for a, size in zip(u, self._basis_sizes, strict=True)]
            u = combine(u, self._basis)
        offset = int(self.examples.fit_intercept)
        top = max([0, *self.sizes.tolist()])
        w = [a << (top - size) for a, size in zip(u[offset:], self.sizes.tolist(), strict=True)]
        if not offset:
            return primitive(w)
        w0 = Fraction(u[0] << top) - sum(Fraction(c) * a for c, a in zip(self.shift.tolist(), w, strict=True))
        return primitive(cleared([w0, *map(Fraction, w)])[0])

    def float_weights(self, v: Floats) -> list[int]:
        """The same for a direction in floating point. In the whole space the integers have at most 53 bits each."""
        numbers, _ = cleared([Fraction(a) for a in v.tolist()])
        w = self.weights(numbers)
        if self._basis is not None:  # a rounded weight would leave the subspace
            return w
        return primitive(cleared([Fraction(a) for a in to_floats(w).tolist()])[0])


def _times(X: Any, factors: Floats) -> Any:
    """A sparse matrix with each column multiplied by its factor."""
    from scipy.sparse import diags

    return X @ diags(factors)


def _flat(row: Any) -> Floats:
    """A row of a dense or sparse matrix as a vector."""
    return np.asarray(row.todense() if is_sparse(row) else row, dtype=np.float64).reshape(-1)


def _unit_rows(points: Floats) -> Floats:
    """Each row times the power of two that brings its length to between ½ and 1."""
    largest = abs(points).max(axis=1, initial=0)
    points = np.ldexp(points, -np.frexp(largest)[1][:, None])
    unit: Floats = np.ldexp(points, -np.frexp(np.linalg.norm(points, axis=1))[1][:, None])
    return unit


def _log2_length(vector: list[int]) -> int:
    """The e with 2^(e-1) ≤ ‖vector‖ < 2^e, as `frexp` returns it."""
    square = sum(a * a for a in vector)
    return (square.bit_length() - 1) // 2 + 1 if square else 0


def _float(a: int, exponent: int) -> float:
    drop = max(0, a.bit_length() - 64)
    return float(np.ldexp(float(a >> drop), drop + exponent))
