"""Branch and bound for the smallest integer weights of a threshold function, with a proof of minimality.

In the regular form, minimise w₁ + … + wₙ subject to w·x ≥ T in true rows and w·x ≤ T − 1 in false rows, w integer. The
linear relaxation gives a lower bound. If its solution is fractional, the search branches into wⱼ ≤ k and wⱼ ≥ k + 1.
Floating point is used for guesses only: weights are checked on the whole table, and each case is closed by integer
multipliers that prove its bound exactly.
"""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import linprog

from rosenblatt.boolean.proofs.minimality import AtLeast, AtMost, Branch, Closed, Row, Tree
from rosenblatt.boolean.threshold.regular_form import Regular
from rosenblatt.boolean.truth_tables import linear_sums, row_bits

_GRID = 1 << 24  # dual multipliers are rounded down to multiples of 1 / _GRID
_PENALTY = 1e6  # cost of violating a constraint in an infeasible case


def realizes(form: Regular, weights: list[int]) -> bool:
    """Whether the weights compute the function with some threshold, checked exactly on the whole table."""
    sums = linear_sums(weights)
    return bool(sums[form.table].min() > sums[~form.table].max())


@dataclass(frozen=True)
class _Constraint:
    """The constraint a·w + t·T ≥ b and its reason: rows of the table, an order of exchangeable variables, or a case."""

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
    """Returns a false and a true row that together imply w[i] > w[i+1], or w[i] > 0 for the last variable."""
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
    """The branch-and-bound search. `best` has the smallest weights so far; `run` returns the proof of minimality."""

    def __init__(self, form: Regular, known: list[int] | None = None) -> None:
        self._form = form
        self._constraints = list(_constraints(form))
        self.best: list[int] | None = known
        self._cases = 0
        self._max_cases: int | None = None

    def guess(self) -> list[int] | None:
        """Weights rounded from the linear program, if they compute the function; otherwise None."""
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
        """Returns the proof, or None if it needs more than `max_cases` cases or more precision than float64 has."""
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
        """Returns the solution of the linear program, its dual multipliers, and whether the case is feasible."""
        rows = [*self._constraints, *path]
        A = np.array([[*c.a, c.t] for c in rows], dtype=float)
        b = np.array([c.b for c in rows], dtype=float)
        n = self._form.n
        found = linprog([1.0] * n + [0.0], A_ub=-A, b_ub=-b, bounds=(0, None), method="highs")
        if found.status == 0:
            return found.x[:n], -found.ineqlin.marginals, True
        if not path:
            return None
        # Infeasible: with violations allowed at a cost, the multipliers prove a bound that grows with the cost.
        elastic = np.column_stack([A, np.ones(len(A))])
        cost = [1.0] * n + [0.0, _PENALTY]
        found = linprog(cost, A_ub=-elastic, b_ub=-b, bounds=(0, None), method="highs")
        return (found.x[:n], -found.ineqlin.marginals, False) if found.status == 0 else None

    def _close(self, path: list[_Constraint], duals: NDArray[np.float64]) -> Closed | None:
        """Rounds the multipliers to integers; returns them if they prove that no weights of this case beat the best."""
        assert self.best is not None
        n = self._form.n
        rows = [*self._constraints, *path]
        times = [max(0, int(y * _GRID)) for y in duals]
        surplus = sum(y * c.t for y, c in zip(times, rows, strict=True))
        # The coefficient of T must be 0. A remainder from rounding is compensated by a true row or the false row 0 … 0.
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
