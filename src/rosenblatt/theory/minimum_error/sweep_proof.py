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
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rosenblatt.theory.minimum_error.plane_sweeps import PlaneSweeps, Vector, at_most_one, cut, dot, primitive
from rosenblatt.theory.minimum_error.sweep_bounds import TINY, UNIT, Floats, safe_bounds

_SOME = 4  # rows for each column from which the independent columns are guessed
SWEEP_COST = 60.0  # touched values for each example of a sweep
EXACT_COST = 2000.0  # the same in integers


@dataclass(frozen=True)
class Gap:
    """Where a proof fails: a direction of the subspace of a path that makes fewer errors than claimed."""

    path: tuple[int, ...]
    direction: Vector


def independent_columns(rows: Sequence[Vector]) -> list[int]:
    """Columns that are independent and span all others, by elimination in integers (Bareiss 1968).

    Columns that are independent on some rows are independent on all, so some are tried first.
    """
    width = len(rows[0]) if rows else 0
    if 0 < _SOME * width < len(rows):
        some = rows[:: -(-len(rows) // (_SOME * width))]
        if len(found := independent_columns(some)) == width:
            return found
    left, last, found = [list(row) for row in rows], 1, []
    for j in range(width):
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
        self.shift = _means(rows)
        self.rows = [primitive([a - c * row[0] for a, c in zip(row, self.shift, strict=True)]) for row in rows]
        self.sweeps = PlaneSweeps(self.rows)
        self.charge = charge
        self.width = len(rows[0])
        self.sizes = abs(self.sweeps.unit)

    def gap(self, proof: Mapping[str, Any] | None, least: int) -> Gap | None:
        """A place where the proof fails to show that every hyperplane makes `least` errors; None if it does."""
        identity = [[int(i == j) for j in range(self.width)] for i in range(self.width)]
        needed = least - self.zeros
        if self.width == 1:
            wrong = min(sum(row[0] < 0 for row in self.rows), sum(row[0] > 0 for row in self.rows))
            return None if wrong >= needed else Gap((), [1])
        if self.width == 2:
            return self._short_sweep(identity, (), needed)
        pending: list[tuple[Any, list[Vector], tuple[int, ...]]] = [(proof, identity, ())]
        seen: set[frozenset[int]] = set()
        while pending:
            node, basis, path = pending.pop()
            u = self._shifted([int(a, 0) for a in node["weights"]], 1)
            if any(dot(self.rows[i], u) for i in path):
                raise ValueError("weights outside of their subspace")
            self.charge(SWEEP_COST * len(self.rows) * len(basis))
            sides = self._signs(u)
            errors = np.count_nonzero(sides < 0)
            if errors < needed and errors + self._forced(path, basis) < needed:
                return Gap(path, self._shifted(u, -1))
            sides[self._vanishing(basis, np.flatnonzero(sides == 0))] = 1
            longer = {i: frozenset((*path, i)) for i in np.flatnonzero(sides <= 0).tolist()}
            cases = [i for i, members in longer.items() if members not in seen]
            seen.update(longer.values())
            if len(basis) == 3:
                gap = self._first_short_sweep(basis, np.array(cases, dtype=np.int64), path, needed)
                if gap is not None:
                    return gap
            else:
                pending += [(node["cases"][str(i)], cut(basis, self.rows[i]), (*path, i)) for i in cases]
        return None

    def _shifted(self, w: Vector, sign: int) -> Vector:
        """The weights for shifted columns with the same scores; with sign −1, from those to the columns as given."""
        return [w[0] + sign * sum(c * a for c, a in zip(self.shift, w, strict=True)), *w[1:]]

    def _first_short_sweep(
        self, basis: list[Vector], cases: NDArray[np.int64], path: tuple[int, ...], needed: int
    ) -> Gap | None:
        """A gap in the subspaces of the cases, which have two dimensions."""
        if not len(cases):
            return None
        self.charge(SWEEP_COST * len(self.rows) * len(cases))
        planes = self.sweeps.cuts(basis, cases)
        bounds = self.sweeps.bounds(planes)
        for k in np.flatnonzero(bounds < needed).tolist():
            plane = planes.planes[k]
            gap = self._short_sweep(plane.exact_basis(self.rows), (*path, plane.example), needed)
            if gap is not None:
                return gap
        return None

    def _short_sweep(self, basis: list[Vector], path: tuple[int, ...], needed: int) -> Gap | None:
        """The gap of a subspace of two dimensions, if it has one: with error bounds for each example, then exactly."""
        (p, q), (p_error, q_error) = self._products(basis)
        if safe_bounds(p[None], q[None], p_error[None], q_error[None])[0] >= needed:
            return None
        self.charge(EXACT_COST * len(self.rows))
        errors, direction = self._exact_sweep(basis)
        if errors < needed and errors + self._forced(path, basis) < needed:
            return Gap(path, self._shifted(direction, -1))
        return None

    def _products(self, vectors: list[Vector]) -> tuple[Floats, Floats]:
        """z·v of each vector, a row each, up to positive factors, and bounds on the errors."""
        V = at_most_one(vectors)
        errors = abs(V) @ self.sizes.T
        errors *= 2.0 * (self.width + 8) * UNIT
        errors += 2.0 * (self.width + 8) * TINY
        return V @ self.sweeps.unit.T, errors

    def _signs(self, v: Vector) -> NDArray[np.int8]:
        products, errors = (part[0] for part in self._products([v]))
        sides = np.where(abs(products) > errors, np.sign(products), 0).astype(np.int8)
        for i in np.flatnonzero(sides == 0).tolist():
            product = dot(self.rows[i], v)
            sides[i] = (product > 0) - (product < 0)
        return sides

    def _vanishing(self, basis: list[Vector], examples: NDArray[np.int64]) -> NDArray[np.int64]:
        """Which of these z are orthogonal to all vectors of the basis."""
        within = [not any(dot(self.rows[i], v) for v in basis) for i in examples.tolist()]
        found: NDArray[np.int64] = examples[np.array(within, dtype=bool)]
        return found

    def _exact_sweep(self, basis: list[Vector]) -> tuple[int, Vector]:
        """The fewest errors of any arc, and weights of that arc."""
        a, b = (np.array(v, dtype=object) for v in basis)
        p, q = self.sweeps.integers @ a, self.sweeps.integers @ b
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

    def _forced(self, path: tuple[int, ...], basis: list[Vector]) -> int:
        """A lower bound on the errors among the z that vanish on L, of a w that is right about the path.

        Such a z is a combination Σ α_i z_i over the path. It is an error if no α_i is positive. With two examples in
        the path only the ratio of their scores matters, and all ratios are tried.
        """
        tied = np.flatnonzero(np.all([self._signs(v) == 0 for v in basis], axis=0)).tolist()
        others = [i for i in tied if i not in path and any(self.rows[i])]
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


def _means(rows: Sequence[Vector]) -> Vector:
    """The mean of each column but the first in units of the first, rounded, if that is ±1 times the same number.

    Rounding errors are smaller without these means. Without such a column, as through the origin, all are 0.
    """
    unit = abs(rows[0][0])
    if not unit or any(abs(row[0]) != unit for row in rows):
        return [0] * len(rows[0])
    count = unit * len(rows)
    sums = (sum(row[j] if row[0] > 0 else -row[j] for row in rows) for j in range(1, len(rows[0])))
    return [0, *((2 * total + count) // (2 * count) for total in sums)]


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
