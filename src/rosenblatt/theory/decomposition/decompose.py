"""Finds the largest set of rows of Z w ≥ 0 that can be positive, a w that makes them so, and a proof of maximality."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rosenblatt.theory.budget import Budget, OutOfBudgetError
from rosenblatt.theory.decomposition.exact_search import search_exactly
from rosenblatt.theory.decomposition.exact_solves import ZeroRows, rounded
from rosenblatt.theory.decomposition.integer_rows import IntegerRows
from rosenblatt.theory.decomposition.merge_rows import merge_equal_rows, split_multipliers
from rosenblatt.theory.decomposition.one_sign_columns import add_rounds, one_sign_columns
from rosenblatt.theory.decomposition.support_program import Guess, solve_support_program
from rosenblatt.theory.exact.linear_algebra import primitive

_BITS = (24, 50)  # precision of a rounded guess, tried in this order


@dataclass(frozen=True, eq=False)
class Decomposition:
    """The proved decomposition of the rows of Z w ≥ 0.

    For every w that is ≥ 0 on all rows (and 0 on the equality rows), w is 0 on each row outside `positive`:
    0 = (Σ λz)·w = Σ λ(z·w) has only terms ≥ 0, so each is 0 where λ > 0.
    """

    positive: NDArray[np.bool_]  # the rows that can be > 0, all by the same w
    direction: list[int]  # w: > 0 on exactly those rows, 0 on all others
    multipliers: list[int]  # λ: Σ λz = 0; 0 on positive rows, > 0 on the other inequalities, of any sign on equalities
    work: float  # touched values, as a budget counts them


def decompose(
    rows: Any, *, equality: NDArray[np.bool_] | None = None, budget: float | Budget | None = None
) -> Decomposition | None:
    """Splits the rows z of a homogeneous system z·w ≥ 0 into those that can be > 0 and those that are always 0.

    The set of rows that can be positive is well defined: the sum of two solutions is positive wherever one of them is.
    The set is guessed in floating point (HiGHS) and proved in integers (FLINT); if rounding makes the guess wrong, the
    search is repeated in rational numbers.

    Parameters
    ----------
    rows : array or CSR matrix of shape (n_rows, n_columns)
        Integers, floats at their exact values, or an object array of integers or Fractions. Never changed; a sparse
        matrix is never made dense as a whole.
    equality : boolean array of n_rows, default=None
        True for rows with z·w = 0 instead of z·w ≥ 0.
    budget : float or Budget, default=None
        Work, in touched values (10⁹ are about a second), after which the answer is None: undecided. None: no limit. A
        `Budget` also counts the work for the caller.

    Examples
    --------
    >>> found = decompose([[1, 0], [0, 1], [0, -1]])
    >>> found.positive.tolist(), found.direction, found.multipliers
    ([True, False, False], [1, 0], [0, 1, 1])
    >>> decompose([[1, 0], [1, -1]], equality=[False, True]).direction
    [1, 1]
    """
    table = IntegerRows.of(rows)
    fixed = np.zeros(len(table), dtype=bool) if equality is None else np.asarray(equality, dtype=bool)
    if fixed.shape != (len(table),):
        raise ValueError(f"equality has shape {fixed.shape}; it must have one value for each of the {len(table)} rows.")
    budget_left = budget if isinstance(budget, Budget) else Budget(budget)
    try:
        positive, direction, multipliers = decompose_rows(table, fixed, budget_left)
    except OutOfBudgetError:
        return None
    if table.scales is not None:
        multipliers = [m * scale for m, scale in zip(multipliers, table.scales, strict=True)]
    return Decomposition(positive, primitive(direction), primitive(multipliers), budget_left.used)


Parts = tuple[NDArray[np.bool_], list[int], list[int]]


def decompose_rows(table: IntegerRows, equality: NDArray[np.bool_], budget: Budget) -> Parts:
    """The positive rows, a direction and multipliers, as `Decomposition` has them; raises if the budget runs out."""
    rounds, core = one_sign_columns(table, equality)
    budget.spend(5.0 * (1 + len(rounds)) * (len(table.values) + len(table)))
    left = table.take(core)
    merged = merge_equal_rows(left, equality[core])
    columns = np.unique(merged.rows.columns)
    positive, w, multipliers = _core(merged.rows.restrict(columns), merged.equality, budget)

    direction = [0] * table.width
    for j, a in zip(columns.tolist(), w, strict=True):
        direction[j] = a
    found = np.ones(len(table), dtype=bool)
    found[core] = positive[merged.group]
    everywhere = [0] * len(table)
    for i, m in zip(core.tolist(), split_multipliers(merged, multipliers), strict=True):
        everywhere[i] = m
    return found, add_rounds(table, rounds, direction), everywhere


def _core(rows: IntegerRows, equality: NDArray[np.bool_], budget: Budget) -> Parts:
    """Decomposes rows without duplicates, without the columns that are zero throughout."""
    if np.all(equality):
        return np.zeros(len(rows), dtype=bool), [0] * rows.width, [0] * len(rows)
    floats, row_sizes, column_sizes = rows.floats()
    guess = solve_support_program(floats, equality, budget)
    exact = None if guess is None else _lifted(rows, equality, guess, -row_sizes, -column_sizes, budget)
    return search_exactly(rows, equality, budget) if exact is None else exact


def _lifted(
    rows: IntegerRows,
    equality: NDArray[np.bool_],
    guess: Guess,
    row_sizes: NDArray[np.int64],
    column_sizes: NDArray[np.int64],
    budget: Budget,
) -> Parts | None:
    """The guess in exact integers; None if a sign differs from that of the guess."""
    zero = np.flatnonzero(~guess.positive)
    strict = np.flatnonzero(guess.positive)
    size = np.where(equality, np.inf, guess.multipliers)[zero]  # equalities first: their multipliers may have any sign
    part = ZeroRows(rows.take(zero), np.argsort(-size, kind="stable"), budget)
    free = equality[zero]
    w = [0] * rows.width
    for bits in _BITS:
        if len(strict):
            w = part.direction(rounded(guess.direction, bits, column_sizes, 0))
            budget.exact_products(len(rows.values), max(abs(a).bit_length() for a in w))
            scores = rows.dot(w)
            if np.any(scores[zero] != 0) or not np.all(scores[strict] > 0):
                continue
        wanted = rounded(np.where(free, 0.0, guess.multipliers[zero]), bits, row_sizes[zero], 1)
        found = part.multipliers([0 if fixed else m for m, fixed in zip(wanted, free.tolist(), strict=True)])
        budget.exact_products(len(rows.values), max(abs(m).bit_length() for m in found) if found else 0)
        if all(m > 0 for m, fixed in zip(found, free.tolist(), strict=True) if not fixed):
            multipliers = [0] * len(rows)
            for i, m in zip(zero.tolist(), primitive(found), strict=True):
                multipliers[i] = m
            if not np.any(rows.combine(multipliers) != 0):
                return guess.positive, primitive(w), multipliers
    return None
