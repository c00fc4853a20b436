"""The screen: a column whose values in one class are at most those in the other separates weakly on its own.

With an offset the plane x_j = t does it, for a threshold t between the classes; through the origin t must be 0. All
such columns together put every example that is off its threshold in one of them strictly on its side. Those examples
are removed, so that further columns may separate weakly; this is repeated in rounds. The remaining examples, the core,
lie on the planes of all rounds, so a hyperplane of the core can be added: earlier rounds get larger factors. Where no
single column is left, rarely used ones can be tried together (`rare_columns.py`).
"""

from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rosenblatt.theory.budget import Budget
from rosenblatt.theory.exact.linear_algebra import cleared, dot, primitive
from rosenblatt.theory.examples.labelled_examples import Examples, Indices, to_floats
from rosenblatt.theory.examples.sparse_type import is_sparse
from rosenblatt.theory.separability.reduction.column_limits import ColumnLimits, canonical, entries
from rosenblatt.theory.separability.reduction.rare_columns import rare_column_round

_FIRST = 64  # rows of the first block, which rules out most columns
_VALUES = 1 << 18  # values of a block of rows
_MAX_PASSES = 40.0  # maximum number of passes over all values
_COLUMN = 1e4  # cost of a column that separates weakly, in touched values
_WEIGHT = 4e3  # cost of a weight when rounds are added, in touched values
_TABLE = 1 << 16  # values converted to integers at a time


@dataclass(frozen=True)
class Round:
    """Weights [w₀, w₁, …] with scores ≥ 0 on all remaining examples and > 0 on these, which are then removed."""

    weights: list[int]
    settled: Indices


def screen(examples: Examples, members: Indices, budget: Budget, rare: bool = False) -> tuple[list[Round], Indices]:
    """The rounds, and the examples of the core. With `rare`, rarely used columns are also tried together."""
    rounds: list[Round] = []
    limits = _SparseLimits(examples) if is_sparse(examples.X) else _DenseLimits(examples)
    spent = 0.0
    while len(members) and spent < _MAX_PASSES * (examples.values + 1):
        found = limits.columns(members, budget)
        spent += limits.touched
        if not found:
            several = rare_column_round(examples, members, budget) if rare else None
            if several is None:
                break
            spent += examples.values
            rounds.append(Round(*several))
            members = _without(members, rounds[-1].settled)
            continue
        thresholds = {j: _threshold(low, high) if examples.fit_intercept else Fraction(0) for j, _, low, high in found}
        settled = limits.settled(members, [j for j, *_ in found], thresholds)
        offset = int(examples.fit_intercept)
        numbers = [Fraction(0)] * examples.width
        for j, sign, _, _ in found:
            numbers[j + offset] = Fraction(sign)
            if offset:
                numbers[0] -= sign * thresholds[j]
        rounds.append(Round(primitive(cleared(numbers)[0]), settled))
        members = _without(members, settled)
    return rounds, members


def _without(members: Indices, settled: Indices) -> Indices:
    return members[~np.isin(members, settled, assume_unique=True)]


Column = tuple[int, int, Fraction, Fraction]  # column, its sign, the limits of the threshold


class _DenseLimits:
    """Finds the columns that separate weakly, block by block; each block reads only the columns not yet ruled out."""

    def __init__(self, examples: Examples) -> None:
        self.X, self.signs, self.offset = examples.X, examples.signs, examples.fit_intercept

    def columns(self, members: Indices, budget: Budget) -> list[Column]:
        self.touched = 0.0
        columns = np.arange(self.X.shape[1])
        limits: list[Any] = [None] * 4  # minimum and maximum of the positive examples, then of the negative ones
        begin, block = 0, _FIRST
        while begin < len(members) and len(columns):
            rows = members[begin : begin + block]
            self.touched += len(rows) * len(columns)
            budget.spend(2.0 * len(rows) * len(columns))
            part = self.X[rows] if len(columns) == self.X.shape[1] else self.X[np.ix_(rows, columns)]
            for k, sign in ((0, 1), (2, -1)):
                own = part[self.signs[rows] == sign]
                if len(own):
                    low, high = own.min(axis=0), own.max(axis=0)
                    limits[k] = low if limits[k] is None else np.minimum(limits[k], low)
                    limits[k + 1] = high if limits[k + 1] is None else np.maximum(limits[k + 1], high)
            alive = _alive(limits, self.offset, len(columns))
            columns = columns[alive]
            limits = [None if limit is None else limit[alive] for limit in limits]
            begin += block
            block = max(_FIRST, _VALUES // max(1, len(columns)))
        budget.spend(_COLUMN * len(columns))
        return _chosen(columns, limits, self.offset)

    def settled(self, members: Indices, columns: list[int], thresholds: dict[int, Fraction]) -> Indices:
        off = np.zeros(len(members), dtype=bool)
        for j in columns:
            off |= self.X[members, j] != _as_float(thresholds[j])
        return members[off]


class _SparseLimits:
    """The same for CSR, some values at a time. Removed rows are dropped once they hold half of the stored values."""

    def __init__(self, examples: Examples) -> None:
        self.X, self.signs, self.offset = canonical(examples.X), examples.signs, examples.fit_intercept
        self.rows: Indices = np.arange(self.X.shape[0])  # the example of each row of X

    def columns(self, members: Indices, budget: Budget) -> list[Column]:
        places = np.searchsorted(self.rows, members)
        if 2 * np.diff(self.X.indptr)[places].sum() < self.X.nnz:
            self.X, self.rows, places = self.X[places], members, np.arange(len(members))
        width = self.X.shape[1]
        self.touched = 20.0 * self.X.nnz + 10.0 * width
        budget.spend(2.0 * self.touched)
        signs = np.zeros(len(self.rows), dtype=np.int8)
        signs[places] = self.signs[members]
        found = {sign: ColumnLimits(width, self.X.dtype) for sign in (1, -1)}
        for rows, columns, values in entries(self.X):
            for sign, own in found.items():
                chosen = signs[rows] == sign
                own.add(columns[chosen], values[chosen])
        limits: list[Any] = []
        for sign, own in found.items():
            count = int(np.count_nonzero(signs == sign))
            limits += own.over(count) if count else [None, None]
        alive = np.flatnonzero(_alive(limits, self.offset, width))
        budget.spend(_COLUMN * len(alive))
        return _chosen(alive, [None if limit is None else limit[alive] for limit in limits], self.offset)

    def settled(self, members: Indices, columns: list[int], thresholds: dict[int, Fraction]) -> Indices:
        """The examples with a stored value other than its threshold, or without one where the threshold is not 0."""
        chosen = np.zeros(self.X.shape[1], dtype=bool)
        chosen[columns] = True
        at = np.zeros(self.X.shape[1])
        at[columns] = [_as_float(thresholds[j]) for j in columns]
        shifted = chosen & (at != 0)
        off = np.zeros(len(self.rows), dtype=bool)
        stored = np.zeros(len(self.rows), dtype=np.int64)  # nonzero values in columns whose threshold is not 0
        for rows, indices, values in entries(self.X):
            off[rows[chosen[indices] & (values != at[indices])]] = True
            np.add.at(stored, rows[shifted[indices] & (values != 0)], 1)
        off |= stored < np.count_nonzero(shifted)
        settled: Indices = members[off[np.searchsorted(self.rows, members)]]
        return settled


def _sides(limits: list[Any], offset: bool, size: int) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
    """The columns where the positive class is above, and those where it is below. An empty class allows both."""
    low, high, other_low, other_high = limits
    yes = np.ones(size, dtype=bool)
    if offset:
        if low is None or other_low is None:
            return yes, yes
        return low >= other_high, high <= other_low
    above = (yes if low is None else low >= 0) & (yes if other_low is None else other_high <= 0)
    below = (yes if low is None else high <= 0) & (yes if other_low is None else other_low >= 0)
    return above, below


def _alive(limits: list[Any], offset: bool, size: int) -> NDArray[np.bool_]:
    above, below = _sides(limits, offset, size)
    return above | below


def _chosen(columns: Indices, limits: list[Any], offset: bool) -> list[Column]:
    """The columns that separate weakly and are not constant, with the limits of their thresholds."""
    if not len(columns):
        return []
    if offset and (limits[0] is None or limits[2] is None):
        return []  # only one class: the search handles it
    above, _ = _sides(limits, offset, len(columns))
    known = [limit for limit in limits if limit is not None]
    bottom, top = np.minimum.reduce(known), np.maximum.reduce(known)
    constant = (bottom == top) if offset else (bottom == 0) & (top == 0)
    found = []
    for k in np.flatnonzero(~constant).tolist():
        j = int(columns[k])
        ends = [Fraction(limit[k].item()) for limit in known]
        if not offset:
            found.append((j, 1 if above[k] else -1, Fraction(0), Fraction(0)))
        elif above[k]:
            found.append((j, 1, ends[3], ends[0]))
        else:
            found.append((j, -1, ends[1], ends[2]))
    return found


def _threshold(low: Fraction, high: Fraction) -> Fraction:
    """A short number in [low, high]; strictly between them if low < high."""
    if low == high:
        return low
    if low < 0 < high:
        return Fraction(0)
    room = (high - low) / 4
    shift = room.denominator.bit_length() - room.numerator.bit_length() + 1
    grid = Fraction(1, 1 << shift) if shift >= 0 else Fraction(1 << -shift)
    return round((low + high) / 2 / grid) * grid


def _as_float(threshold: Fraction) -> Any:
    """The threshold as a float, or NaN (which equals nothing) if it is not exactly a float.

    An integer of more than 53 bits may equal it by rounding. Then its example stays in the core, which does no harm.
    """
    number = np.float64(float(threshold))
    return number if Fraction(float(number)) == threshold else np.nan


def add_rounds(examples: Examples, rounds: list[Round], weights: list[int], budget: Budget) -> list[int]:
    """One vector with scores > 0 on the examples of all rounds, and scores as those of `weights` (≥ 0) on the core.

    Each round is multiplied by a power of two that outweighs later rounds and the core on its own examples.
    """
    w = weights
    for step in reversed(rounds):
        shift = _outweighing(examples, step, w, budget) if any(w) else 0
        w = primitive([(a << shift) + b for a, b in zip(step.weights, w, strict=True)])
    return w


def _outweighing(examples: Examples, step: Round, w: list[int], budget: Budget) -> int:
    """The exponent k with 2^k·(z·step) + z·w > 0 for the examples of the round; its own score is > 0 on them."""
    some = examples.only(step.settled)
    budget.spend(4.0 * examples.values + _WEIGHT * examples.width)
    own, other = to_floats(step.weights), to_floats(w)
    gains, losses = some.scores(own)[step.settled], -some.scores(other)[step.settled]
    gain_error, loss_error = some.error_bound(own), some.error_bound(other)
    clear = (gains > 2 * gain_error) & np.isfinite(losses)
    ratio = np.where(clear, np.maximum(losses + loss_error, 0) / np.where(clear, gains - gain_error, 1), 0.0)
    sizes = [max(abs(a) for a in vector).bit_length() for vector in (step.weights, w)]
    largest = float(ratio.max(initial=0))
    best = int(np.frexp(largest)[1]) + 1 + sizes[1] - sizes[0] if 0 < largest < np.inf else 0
    unclear = step.settled[~clear | ~np.isfinite(ratio)]
    block = max(1, _TABLE // examples.width)
    for begin in range(0, len(unclear), block):
        budget.exact_products(2 * block * examples.width)
        table, _ = examples.integers(unclear[begin : begin + block])
        for z in table:
            gain, loss = dot(z, step.weights), -dot(z, w)
            if loss >= 0:
                best = max(best, loss.bit_length() - gain.bit_length() + 2)
    return max(0, best)
