"""Checks a proof that every hyperplane makes at least `least` errors: sweeps over two-dimensional sets of hyperplanes.

The z_i of the examples cut the space of weights into open cells; all w of a cell make the same errors, and some cell C
makes the fewest. Suppose that C has a face G that spans the subspace L = {w : z_i·w = 0 for i in a path}, where C is
right about each i of the path. Take any u in L.

* If G is the cell of u in L, then C errs where z·u < 0, and on some of the z that vanish on L (`_forced`).
* If not, the segment from a general point of G to u leaves G through a facet. Behind it lies a cell that differs from C
  in the examples of that facet only, and makes no fewer errors. So C is right about at least one of them, i, and
  z_i·u ≤ 0: C has a face that spans {w in L : z_i·w = 0}.

So it is enough to check u, and the smaller subspace of each i with z_i·u ≤ 0, until L has two dimensions: there the
examples cut a circle into arcs, and one sweep counts the errors of all arcs. The idea to follow only the violated
constraints is that of Matoušek (1995), "On geometric optimization with few violated constraints".

A proof is a tree in plain types: `{"weights": u, "cases": {i: proof, ...}}` for each L of more than two dimensions,
without cases in three. Floating point counts an error only where a bound on the rounding error leaves no doubt; the
subspaces for which this is not enough are swept in integers.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from math import gcd
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rosenblatt.theory.minimum_error.sweep_bounds import EXACT, TINY, UNIT, Floats, exact_bounds, safe_bounds

Vector = list[int]

_BLOCK = 1 << 17  # products per block of subspaces, whose arrays stay in the cache
_TOP = 2.0**53
SWEEP_COST = 60.0  # touched values for each example of a sweep
EXACT_COST = 2000.0  # the same in integers


@dataclass(frozen=True)
class Gap:
    """Where a proof fails: a direction of the subspace of a path that makes fewer errors than claimed."""

    path: tuple[int, ...]
    direction: Vector


def independent_columns(rows: Sequence[Vector]) -> list[int]:
    """Columns that are independent and span all others, by elimination in integers (Bareiss 1968)."""
    left, last, found = [list(row) for row in rows], 1, []
    for j in range(len(rows[0]) if rows else 0):
        pivot = next((row for row in left if row[j]), None)
        if pivot is None:
            continue
        left = [
            [(pivot[j] * a - row[j] * b) // last for a, b in zip(row, pivot, strict=True)]
            for row in left
            if row is not pivot
        ]
        left, last = [row for row in left if any(row)], pivot[j]
        found.append(j)
    return found


def proves_by_sweeps(proof: Mapping[str, Any], rows: Sequence[Vector], least: int) -> bool:
    """Whether the proof shows that every hyperplane makes at least `least` errors on these z, given in integers.

    >>> proves_by_sweeps({"columns": [0, 1], "tree": None}, [[1, 0], [-1, -1], [1, 2]], 1)
    True
    >>> proves_by_sweeps({"columns": [0, 1], "tree": None}, [[1, 0], [-1, -1], [1, 2]], 2)
    False
    """
    columns = independent_columns(rows)
    if proof["columns"] != columns:
        return False
    if not columns:
        return least <= len(rows)
    return SweepCheck([[row[j] for j in columns] for row in rows]).gap(proof["tree"], least) is None


class SweepCheck:
    """Checks proofs over rows z in integers, of full column rank. `charge` is called with the work about to be done."""

    def __init__(self, rows: Sequence[Vector], charge: Callable[[float], None] = lambda work: None) -> None:
        self.zeros = sum(not any(row) for row in rows)  # errors of every hyperplane
        self.rows = [_primitive(row) for row in rows]
        self.integers = np.array(self.rows, dtype=object)
        self.charge = charge
        self.width = len(rows[0])
        self.floats = np.array([_scaled(row) for row in self.rows])
        self.sizes = abs(self.floats)
        self.rounded = np.array([max(map(abs, row)) >= _TOP for row in self.rows])

    def gap(self, proof: Mapping[str, Any] | None, least: int) -> Gap | None:
        """A place where the proof fails to show that every hyperplane makes `least` errors; None if it does."""
        identity = [[int(i == j) for j in range(self.width)] for i in range(self.width)]
        needed = least - self.zeros
        if self.width == 1:
            wrong = min(sum(row[0] < 0 for row in self.rows), sum(row[0] > 0 for row in self.rows))
            return None if wrong >= needed else Gap((), [1])
        pending: list[tuple[Any, list[Vector], tuple[int, ...]]] = [(proof, identity, ())]
        seen: set[frozenset[int]] = set()
        planes: list[tuple[list[Vector], tuple[int, ...]]] = []
        while pending:
            node, basis, path = pending.pop()
            if len(basis) == 2:
                planes.append((basis, path))
                continue
            u = [int(a, 0) for a in node["weights"]]
            if len(u) != self.width or any(_dot(self.rows[i], u) for i in path):
                raise ValueError("weights outside of their subspace")
            self.charge(SWEEP_COST * len(self.rows) * len(basis))
            within = self._vanishing(basis)
            sides = self._signs(u)
            if np.count_nonzero(sides < 0) < needed and (
                np.count_nonzero(sides < 0) + self._forced(path, within) < needed
            ):
                return Gap(path, u)
            for i in np.flatnonzero((sides <= 0) & ~within).tolist():
                longer = frozenset((*path, i))
                if longer in seen:
                    continue
                seen.add(longer)
                case = node["cases"][str(i)] if len(basis) > 3 else None
                pending.append((case, _cut(basis, self.rows[i]), (*path, i)))
        return self._first_short_sweep(planes, needed)

    def _first_short_sweep(self, planes: list[tuple[list[Vector], tuple[int, ...]]], needed: int) -> Gap | None:
        block = max(1, _BLOCK // len(self.rows))
        for begin in range(0, len(planes), block):
            part = planes[begin : begin + block]
            self.charge(SWEEP_COST * len(self.rows) * len(part))
            bounds = self._float_sweeps([basis for basis, _ in part])
            for k in np.flatnonzero(bounds < needed).tolist():
                basis, path = part[k]
                self.charge(EXACT_COST * len(self.rows))
                errors, direction = self._exact_sweep(basis)
                if errors < needed and errors + self._forced(path, self._vanishing(basis)) < needed:
                    return Gap(path, direction)
        return None

    def _products(self, vectors: list[Vector]) -> tuple[Floats, Floats]:
        """z·v of each vector, a row each, up to positive factors, and bounds on the errors; 0 where it is exact."""
        V = np.array([_scaled(v) for v in vectors])
        products, sizes = V @ self.floats.T, abs(V) @ self.sizes.T
        exact = None
        if not self.rounded.all():
            exact = np.array([max(map(abs, v)) < _TOP for v in vectors])[:, None] & ~self.rounded & (sizes < _TOP)
        errors = sizes
        errors *= 2.0 * (self.width + 8) * UNIT
        errors += 2.0 * (self.width + 8) * TINY
        if exact is not None:
            errors[exact] = 0.0
        return products, errors

    def _signs(self, v: Vector) -> NDArray[np.int8]:
        products, errors = (part[0] for part in self._products([v]))
        sides = np.where(abs(products) > errors, np.sign(products), 0).astype(np.int8)
        for i in np.flatnonzero((sides == 0) & (errors > 0)).tolist():
            product = _dot(self.rows[i], v)
            sides[i] = (product > 0) - (product < 0)
        return sides

    def _vanishing(self, basis: list[Vector]) -> NDArray[np.bool_]:
        """Which z are orthogonal to all vectors of the basis."""
        vanishing: NDArray[np.bool_] = np.all([self._signs(v) == 0 for v in basis], axis=0)
        return vanishing

    def _float_sweeps(self, bases: list[list[Vector]]) -> NDArray[np.int64]:
        """A lower bound on the errors of every arc, for each subspace: of w = a + t·b and of −w, for all t."""
        p, p_error = self._products([basis[0] for basis in bases])
        q, q_error = self._products([basis[1] for basis in bases])
        short = np.maximum(abs(p).max(axis=1), abs(q).max(axis=1)) < EXACT
        short &= ~(p_error.any(axis=1) | q_error.any(axis=1))
        if not short.any():
            return safe_bounds(p, q, p_error, q_error)
        bounds = np.empty(len(bases), dtype=np.int64)
        bounds[short] = exact_bounds(p[short], q[short])
        bounds[~short] = safe_bounds(p[~short], q[~short], p_error[~short], q_error[~short])
        return bounds

    def _exact_sweep(self, basis: list[Vector]) -> tuple[int, Vector]:
        """The fewest errors of any arc, and weights of that arc."""
        a, b = (np.array(v, dtype=object) for v in basis)
        p, q = self.integers @ a, self.integers @ b
        still, rising = q == 0, q > 0
        # Two quotients with denominators of at most k bits differ by 2^−2k or more, unless they are equal.
        shift = 2 * max(abs(value).bit_length() for value in q) + 1
        keys = (-p[~still] << shift) // q[~still]
        order = np.argsort(keys)
        keys, steps = keys[order], np.where(rising[~still], 1, -1)[order]
        balance = np.concatenate([[0], np.cumsum(steps)])
        is_arc = np.concatenate([[True], keys[1:] != keys[:-1], [True]])[: len(balance)]
        one = np.count_nonzero(rising) + np.count_nonzero(still & (p < 0)) - balance
        other = np.count_nonzero(~rising & ~still) + np.count_nonzero(still & (p > 0)) + balance
        fewest = np.where(is_arc, np.minimum(one, other), len(p) + 1)
        k = int(np.argmin(fewest))
        before = keys[max(0, k - 1)] if len(keys) else 0
        after = keys[min(k, len(keys) - 1)] if len(keys) else 0
        t = before + after + ((k == len(keys)) - (k == 0)) * (2 << shift)  # times 2^(shift + 1)
        w = (a << (shift + 1)) + b * t
        return int(fewest[k]), (w if one[k] <= other[k] else -w).tolist()

    def _forced(self, path: tuple[int, ...], within: NDArray[np.bool_]) -> int:
        """A lower bound on the errors among the z that vanish on L, of a w that is right about the path.

        Such a z is a combination Σ α_i z_i over the path. It is an error if no α_i is positive. With two examples in
        the path only the ratio of their scores matters, and all ratios are tried.
        """
        others = [i for i in np.flatnonzero(within).tolist() if i not in path and any(self.rows[i])]
        if not others:
            return 0
        parts = [_combination([self.rows[i] for i in path], self.rows[k]) for k in others]
        certain = sum(all(a <= 0 for a in part) for part in parts)
        if len(path) != 2:
            return certain
        turns = sorted({Fraction(-a, b) for a, b in parts if a * b < 0})
        borders = [Fraction(0), *turns, (turns[-1] if turns else 0) + 2]
        ratios = [(low + high) / 2 for low, high in pairwise(borders)]
        return min(sum(a + ratio * b <= 0 for a, b in parts) for ratio in ratios)


def _scaled(vector: Vector) -> list[float]:
    """The vector over a power of two that brings it to 53 bits, each number rounded once."""
    unit = 1 << max(0, max(abs(a) for a in vector).bit_length() - 53)
    return [a / unit for a in vector]


def _cut(basis: list[Vector], z: Vector) -> list[Vector]:
    """A basis of the vectors of the subspace that are orthogonal to z."""
    products = [_dot(z, v) for v in basis]
    k = min((k for k, product in enumerate(products) if product), key=lambda k: abs(products[k]))
    shorter = []
    for j, v in enumerate(basis):
        if j != k:
            shorter.append(_primitive([products[k] * a - products[j] * b for a, b in zip(v, basis[k], strict=True)]))
    return shorter


def _primitive(vector: Vector) -> Vector:
    """The vector over the greatest common divisor of its numbers."""
    divisor = gcd(*vector)
    return [a // divisor for a in vector] if divisor > 1 else vector


def _combination(vectors: list[Vector], z: Vector) -> list[Fraction]:
    """The α with z = Σ α_i vector_i, for independent vectors whose span contains z."""
    table = [[Fraction(v[j]) for v in vectors] + [Fraction(z[j])] for j in range(len(z))]
    for k in range(len(vectors)):
        pivot = next(j for j in range(k, len(table)) if table[j][k])
        table[k], table[pivot] = table[pivot], table[k]
        table[k] = [a / table[k][k] for a in table[k]]
        for j in range(len(table)):
            if j != k and table[j][k]:
                table[j] = [a - table[j][k] * b for a, b in zip(table[j], table[k], strict=True)]
    return [table[k][-1] for k in range(len(vectors))]


def _dot(a: Vector, b: Vector) -> int:
    return sum(x * y for x, y in zip(a, b, strict=True))
