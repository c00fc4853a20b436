"""The smallest integer weights of a threshold function, with a proof that none are smaller.

Over the regular form, minimise w₁ + … + wₙ subject to w·x ≥ T in true rows and w·x ≤ T − 1 in false ones, w integer. A
linear program gives a bound; where its solution is fractional, two cases follow, wⱼ ≤ k and wⱼ ≥ k + 1. Floating point
only guesses: weights are checked on the whole table, and each case is closed by integers that prove its bound.
"""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import linprog

from rosenblatt.boolean.minimality import AtLeast, AtMost, Branch, Closed, Row, Tree
from rosenblatt.boolean.regular import Regular
from rosenblatt.boolean.tables import linear_sums, row_bits

_GRID = 1 << 24  # dual multipliers are rounded to this fraction
_PENALTY = 1e6  # of breaking a constraint, in cases that have no solution at all


def realizes(form: Regular, weights: list[int]) -> bool:
    """Whether some threshold makes these weights compute the function: on the whole table, exactly."""
    sums = linear_sums(weights)
    return bool(sums[form.table].min() > sums[~form.table].max())


@dataclass(frozen=True)
class _Constraint:
    """The constraint a·w + t·T ≥ b, and what it stands for: rows of the table, an order of equals, or a case."""

    a: tuple[int, ...]
    t: int
    b: int
    because: tuple[Row | AtMost | AtLeast, ...]


def _constraints(form: Regular) -> Iterator[_Constraint]:
    n = form.n

    def of_table(row: int) -> Row:
        return Row("table", form.original_row(row))

    for row in form.lowest_true:
        yield _Constraint(row_bits(row, n), -1, 0, (of_table(row),))
    for row in form.highest_false:
        yield _Constraint(tuple(-x for x in row_bits(row, n)), 1, 1, (of_table(row),))
    for i in range(n):
        a = [0] * n
        a[i] = 1
        if i + 1 < n:
            a[i + 1] = -1
        if i + 1 < n and form.symmetric[i]:
            yield _Constraint(tuple(a), 0, 0, (Row("order", form.order[i], form.order[i + 1]),))
        else:
            low, high = _switch(form, i)
            yield _Constraint(tuple(a), 0, 1, (of_table(high), of_table(low)))


def _switch(form: Regular, i: int) -> tuple[int, int]:
    """A false row and a true row that show w[i] > w[i+1], or w[i] > 0 for the last."""
    n = form.n
    rows = np.arange(form.table.size)
    here = 1 << (n - 1 - i)
    if i + 1 == n:
        low = rows[(rows & here) == 0]
        high = low | here
    else:
        below = here >> 1
        low = rows[((rows & here) == 0) & ((rows & below) != 0)]
        high = (low | here) & ~below
    place = int(np.argmax(form.table[high] & ~form.table[low]))
    return int(low[place]), int(high[place])


class Search:
    """Branch and bound. `best` computes the function; what `run` returns proves that nothing smaller does."""

    def __init__(self, form: Regular, known: list[int] | None = None) -> None:
        self._form = form
        self._constraints = list(_constraints(form))
        self.best: list[int] | None = known
        self._cases = 0
        self._max_cases: int | None = None

    def guess(self) -> list[int] | None:
        """Weights from the linear program alone, checked; None where it gives none that are right."""
        solution = self._solve([])
        if solution is None:
            return None
        w, _, _ = solution
        for factor in range(1, 13):
            rounded = [round(factor * a) for a in w]
            if realizes(self._form, rounded):
                return rounded
        return None

    def run(self, max_cases: int | None = None) -> Tree | None:
        """The proof, or None if it would take more cases or floating point was too coarse."""
        self._max_cases = max_cases
        return self._case([])

    def _case(self, path: list[_Constraint]) -> Tree | None:
        self._cases += 1
        if self._max_cases is not None and self._cases > self._max_cases:
            return None
        solution = self._solve(path)
        if solution is None:
            return None
        w, duals, feasible = solution
        rounded = [round(a) for a in w]
        if feasible and realizes(self._form, rounded) and (self.best is None or sum(rounded) < sum(self.best)):
            self.best = rounded
        if self.best is not None:
            closed = self._close(path, duals)
            if closed is not None:
                return closed
        off = [abs(a - b) for a, b in zip(w, rounded, strict=True)]
        j = int(np.argmax(off))
        if not feasible or off[j] < 1e-6:
            return None
        k = int(np.floor(w[j]))
        unit = tuple(int(i == j) for i in range(self._form.n))
        variable = self._form.order[j]
        at_most = _Constraint(tuple(-x for x in unit), 0, -k, (AtMost(variable, k),))
        at_least = _Constraint(unit, 0, k + 1, (AtLeast(variable, k + 1),))
        below = self._case([*path, at_most])
        above = self._case([*path, at_least]) if below is not None else None
        return None if below is None or above is None else Branch(variable, k, below, above)

    def _solve(self, path: list[_Constraint]) -> tuple[NDArray[np.float64], NDArray[np.float64], bool] | None:
        """The solution of the linear program, its multipliers, and whether it keeps every constraint."""
        rows = [*self._constraints, *path]
        A = np.array([[*c.a, c.t] for c in rows], dtype=float)
        b = np.array([c.b for c in rows], dtype=float)
        n = self._form.n
        found = linprog([1.0] * n + [0.0], A_ub=-A, b_ub=-b, bounds=(0, None), method="highs")
        if found.status == 0:
            return found.x[:n], -found.ineqlin.marginals, True
        if not path:
            return None
        # No solution: let every constraint be broken at a price, and the multipliers prove a bound as high as we like.
        elastic = np.column_stack([A, np.ones(len(A))])
        cost = [1.0] * n + [0.0, _PENALTY]
        found = linprog(cost, A_ub=-elastic, b_ub=-b, bounds=(0, None), method="highs")
        return (found.x[:n], -found.ineqlin.marginals, False) if found.status == 0 else None

    def _close(self, path: list[_Constraint], duals: NDArray[np.float64]) -> Closed | None:
        """Integer multipliers which prove that no weights of this case are smaller than the best, if they do."""
        assert self.best is not None
        n = self._form.n
        rows = [*self._constraints, *path]
        times = [max(0, int(y * _GRID)) for y in duals]
        surplus = sum(y * c.t for y, c in zip(times, rows, strict=True))
        # T must cancel: rounding leaves a little, which goes to any true row or to the false row 0 … 0.
        zero = _Constraint((0,) * n, 1, 1, (Row("table", self._form.original_row(0)),))
        if surplus > 0:
            times[0] += surplus
        rows, times = [*rows, zero], [*times, max(0, -surplus)]
        columns = [sum(y * c.a[j] for y, c in zip(times, rows, strict=True)) for j in range(n)]
        scale = max(_GRID, *columns)
        if sum(y * c.b for y, c in zip(times, rows, strict=True)) <= (sum(self.best) - 1) * scale:
            return None
        multipliers: dict[Row | AtMost | AtLeast, int] = {}
        for y, c in zip(times, rows, strict=True):
            for reason in c.because if y else ():
                multipliers[reason] = multipliers.get(reason, 0) + y
        return Closed(scale, multipliers)
