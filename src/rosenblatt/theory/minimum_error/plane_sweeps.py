"""Lower bounds on the errors of all weights in many two-dimensional subspaces, in floating point with error bounds.

The subspaces are {w in L : z_i·w = 0} for a three-dimensional L with basis v and several examples i. With π = z_i·v and
a nonzero π_k, the two vectors π_k v_j − π_j v_k, j ≠ k, are a basis. It is computed for all i at once: exactly, if all
numbers are short integers, else with a bound on its error.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import gcd

import numpy as np
from numpy.typing import NDArray

from rosenblatt.theory.minimum_error.sweep_bounds import EXACT, TINY, UNIT, Counts, Floats, close_bounds, exact_bounds

Vector = list[int]

_BLOCK = 1 << 17  # products per block of subspaces, whose arrays stay in the cache
_TOP = 2.0**53
_OTHERS = np.array([[1, 2], [0, 2], [0, 1]])


@dataclass(frozen=True)
class Plane:
    """The subspace of L, given by its basis, that is orthogonal to the example; `pivot` is the k of its own basis."""

    basis: list[Vector]
    example: int
    pivot: int

    def exact_basis(self, rows: Sequence[Vector]) -> list[Vector]:
        return cut(self.basis, rows[self.example], self.pivot)


@dataclass(frozen=True)
class Planes:
    """Bases (a, b) of several subspaces in floating point, with a bound on the error of each number; 0: exact."""

    planes: list[Plane]
    a: Floats
    b: Floats
    errors: Floats
    b_pattern: NDArray[np.bool_]  # where the exact b may be nonzero


class PlaneSweeps:
    """Sweeps over the rows z, given in integers."""

    def __init__(self, rows: Sequence[Vector]) -> None:
        self.rows = rows
        self.integers = np.array(rows, dtype=object)
        self.nonzero = self.integers != 0
        self.width = len(rows[0])
        self.longest = max(sum(map(abs, row)) for row in rows)
        self.unit = at_most_one(rows)
        self.norm = 1.001 * float(abs(self.unit).sum(axis=1).max())  # bounds z·v for all v with numbers of at most 1
        self.short = np.array(rows, dtype=np.float64) if self.longest < _TOP else None

    def cuts(self, basis: list[Vector], examples: NDArray[np.int64]) -> Planes:
        """The subspaces of L = span(basis), three vectors, that are orthogonal to one of these examples each."""
        largest = max(max(map(abs, v)) for v in basis)
        if self.short is not None and 2 * largest**2 * self.longest**2 < _TOP:
            V, points, error = np.array(basis, dtype=np.float64), self.short[examples], 0.0
            products = points @ V.T
            pivots = np.argmin(np.where(products == 0, np.inf, abs(products)), axis=1)
        else:
            V, points = at_most_one(basis), self.unit[examples]
            # The products are off by (width + 4)·norm·u at most, as both factors are rounded once (Higham, Accuracy and
            # Stability of Numerical Algorithms, 3.1), and each of the two terms of a and b by that and by 2 roundings.
            products = points @ V.T
            error = 2.0 * (self.width + 4 + 5) * self.norm * UNIT + TINY
            pivots = np.argmax(abs(products), axis=1)
        line = np.arange(len(examples))
        lead, rest = products[line, pivots][:, None], _OTHERS[pivots]
        a, b = (lead * V[j] - products[line, j][:, None] * V[pivots] for j in rest.T)
        errors = np.full(len(examples), error)
        if error:
            a_size, b_size = (np.maximum(abs(part).max(axis=1), TINY) for part in (a, b))
            a, b = a / a_size[:, None], b / b_size[:, None]
            errors = 1.25 * errors / np.minimum(a_size, b_size)
        else:
            a, b = (part / np.gcd.reduce(part.astype(np.int64), axis=1)[:, None] for part in (a, b))
        planes = [Plane(basis, i, k) for i, k in zip(examples.tolist(), pivots.tolist(), strict=True)]
        v_pattern = np.array([[x != 0 for x in v] for v in basis])
        crosses = np.any(self.nonzero[examples] & v_pattern[rest[:, 1]], axis=1)  # else π_j is 0
        b_pattern = v_pattern[rest[:, 1]] | (crosses[:, None] & v_pattern[pivots])
        return Planes(planes, a, b, errors, b_pattern)

    def bounds(self, planes: Planes) -> Counts:
        """A lower bound on the errors of every arc, for each subspace: of w = a + t·b and of −w, for all t."""
        found = np.zeros(len(planes.planes), dtype=np.int64)
        block = max(1, _BLOCK // len(self.rows))
        for begin in range(0, len(found), block):
            part = slice(begin, begin + block)
            some = Planes(
                planes.planes[part], planes.a[part], planes.b[part], planes.errors[part], planes.b_pattern[part]
            )
            found[part] = self._block_bounds(some)
        return found

    def _block_bounds(self, planes: Planes) -> Counts:
        bounds = np.zeros(len(planes.planes), dtype=np.int64)
        exact = planes.errors == 0
        if exact.any() and self.short is not None:
            a, b = planes.a[exact], planes.b[exact]
            p, q = a @ self.short.T, b @ self.short.T
            small = (abs(p) + abs(q)).max(axis=1) < EXACT
            exact[exact] = small
            bounds[exact] = exact_bounds(p[small], q[small])
        if not exact.all():
            left = np.flatnonzero(~exact)
            bounds[left] = self._close_bounds(planes, left)
        return bounds

    def _close_bounds(self, planes: Planes, chosen: NDArray[np.int64]) -> Counts:
        """The bounds of the chosen planes in floating point; one error bound per sweep covers all its examples."""
        a, b = planes.a[chosen], planes.b[chosen]
        a, b = (part / abs(part).max(axis=1)[:, None] for part in (a, b))
        p, q = a @ self.unit.T, b @ self.unit.T
        error = 1.01 * self.norm * (planes.errors[chosen] + (self.width + 6) * UNIT) + TINY
        unclear, examples = np.nonzero(abs(q) <= error[:, None])
        clear_p = abs(p[unclear, examples]) > error[unclear]
        unclear, examples = unclear[clear_p], examples[clear_p]
        disjoint = ~np.any(planes.b_pattern[chosen[unclear]] & self.nonzero[examples], axis=1)
        q[unclear[disjoint], examples[disjoint]] = 0.0
        unclear, examples = unclear[~disjoint], examples[~disjoint]
        for k in np.unique(unclear).tolist():  # the sign of q in integers
            _, exact_b = planes.planes[chosen[k]].exact_basis(self.rows)
            own = examples[unclear == k]
            q[k, own] = TINY * np.sign(self.integers[own] @ np.array(exact_b, dtype=object)).astype(np.float64)
        return close_bounds(p, q, 2 * error)  # q may have been replaced by a number as close to 0


def cut(basis: list[Vector], z: Vector, pivot: int | None = None) -> list[Vector]:
    """A basis of the vectors of the subspace that are orthogonal to z, by the pivot, unless z is orthogonal to it."""
    products = [dot(z, v) for v in basis]
    if pivot is None or not products[pivot]:
        pivot = min((k for k, product in enumerate(products) if product), key=lambda k: abs(products[k]))
    lead = products[pivot]
    return [
        primitive([lead * a - product * b for a, b in zip(v, basis[pivot], strict=True)])
        for j, (v, product) in enumerate(zip(basis, products, strict=True))
        if j != pivot
    ]


def at_most_one(vectors: Sequence[Vector]) -> Floats:
    """Each vector over a power of two above all its numbers, each number rounded once."""
    try:
        values = np.array(vectors, dtype=np.float64)
    except OverflowError:
        return np.array([[a / (1 << max(map(abs, v)).bit_length()) for a in v] for v in vectors])
    unit: Floats = np.ldexp(values, -np.frexp(abs(values).max(axis=1))[1][:, None])
    return unit


def primitive(vector: Vector) -> Vector:
    """The vector over the greatest common divisor of its numbers."""
    divisor = gcd(*vector)
    return [a // divisor for a in vector] if divisor > 1 else vector


def dot(a: Vector, b: Vector) -> int:
    """The exact product of two vectors."""
    return sum(x * y for x, y in zip(a, b, strict=True))
