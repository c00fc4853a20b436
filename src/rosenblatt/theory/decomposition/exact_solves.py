"""Turns a floating-point guess into an exact proof: pivots modulo a prime, then one exact solve for each half of it.

Let B be the rows that are to be zero. Every other quantity is rounded to short integers, and the pivots are solved for:

* direction: the free columns keep the rounded w, the pivot columns make every row of B exactly 0;
* multipliers: the dependent rows keep the rounded λ, the independent rows cancel the remainder.

The caller checks the signs: rounding can change them, and then the guess is rejected.
"""

from math import lcm
from typing import Any

import numpy as np
from flint import fmpq, fmpq_mat, fmpz_mat, nmod_mat
from numpy.typing import NDArray

from rosenblatt.theory.budget import Budget
from rosenblatt.theory.decomposition.integer_rows import IntegerRows

PRIME = 2**61 - 1
_CHUNK = 1000


def independent_rows(
    rows: IntegerRows, order: NDArray[np.int64], budget: Budget, prime: int | None = PRIME
) -> NDArray[np.int64]:
    """A largest set of rows that are independent, modulo a prime or exactly, taken greedily in this order."""
    kept = order[:0]
    chunk = max(_CHUNK, 2 * rows.width)
    for begin in range(0, len(order), chunk):
        if len(kept) == rows.width:
            break
        candidates = np.concatenate([kept, order[begin : begin + chunk]])
        budget.spend(4.0 * len(candidates) * rows.width * (20 + min(len(candidates), rows.width)))
        kept = candidates[pivots(rows.dense(candidates).transpose(), prime)]
    return kept


def pivots(matrix: fmpz_mat, prime: int | None = PRIME) -> list[int]:
    """The pivot columns: as many as the rank or, modulo a prime that divides a determinant, fewer.

    Without a prime they are exact, and take far longer.
    """
    reduced: Any
    if prime is None:
        reduced, _, rank = matrix.rref()
    else:
        reduced, rank = nmod_mat(matrix, prime).rref()
    found, j = list[int](), 0
    for i in range(int(rank)):
        while not int(reduced[i, j]):
            j += 1
        found.append(j)
    return found


class ZeroRows:
    """The rows B that are to be zero, with pivots. Rows early in `order` are preferred as independent rows."""

    def __init__(self, rows: IntegerRows, order: NDArray[np.int64], budget: Budget, prime: int | None = PRIME) -> None:
        self.rows = rows
        self.budget = budget
        self.independent = independent_rows(rows, order, budget, prime)
        table = rows.dense(self.independent)
        self.pivots = pivots(table, prime) if len(self.independent) else []
        entries = [[row[j] for j in self.pivots] for row in table.tolist()]
        self._square = fmpz_mat(entries) if entries else None
        self._bits = max((abs(int(a)).bit_length() for row in entries for a in row), default=0)

    def direction(self, guess: list[int]) -> list[int]:
        """The guess with the pivot columns replaced, times a positive integer, so that all rows of B are 0."""
        if self._square is None:
            return guess
        pivot = set(self.pivots)
        free = [0 if j in pivot else a for j, a in enumerate(guess)]
        over = self.rows.take(self.independent).dot(free).tolist()
        solved, scale = self._solve(self._square, [-a for a in over])
        w = [a * scale for a in free]
        for j, a in zip(self.pivots, solved, strict=True):
            w[j] = a
        return w

    def multipliers(self, guess: list[int]) -> list[int]:
        """The guess with the independent rows replaced, times a positive integer, so that Σ λ·row = 0."""
        if self._square is None:
            return guess
        fixed = list(guess)
        for i in self.independent.tolist():
            fixed[i] = 0
        over = self.rows.combine(fixed)[self.pivots].tolist()
        solved, scale = self._solve(self._square.transpose(), [-a for a in over])
        found = [a * scale for a in fixed]
        for i, a in zip(self.independent.tolist(), solved, strict=True):
            found[i] = a
        return found

    def _solve(self, matrix: fmpz_mat, right: list[int]) -> tuple[list[int], int]:
        """The solution over a common denominator > 0, by p-adic lifting (Dixon 1982)."""
        size = len(right)
        bits = self._bits + max((abs(b).bit_length() for b in right), default=0) / max(1, size)
        self.budget.spend(20.0 * size * size * (150 + size) * (1 + bits / 64))
        column = fmpq_mat(fmpz_mat(size, 1, right))
        # python-flint's types lack the argument `algorithm`.
        solution: list[fmpq] = fmpq_mat(matrix).solve(column, algorithm="dixon").entries()  # type: ignore[call-arg]
        common = lcm(*(int(q.q) for q in solution)) if solution else 1
        return [int(q.p) * (common // int(q.q)) for q in solution], common


def rounded(values: NDArray[np.float64], bits: int, exponents: NDArray[np.int64], least: int) -> list[int]:
    """Gives values · 2^exponents as integers: the values are rounded to `bits` bits below the largest one.

    With `least` = 1 every integer is positive.
    """
    top = int(np.frexp(abs(values).max(initial=0))[1])
    low = int(exponents.min(initial=0))
    numbers = np.rint(np.ldexp(values, bits - top)).astype(np.int64).tolist()
    shifts = (exponents - low).tolist()
    return [(max(least, a) if least else a) << s for a, s in zip(numbers, shifts, strict=True)]
