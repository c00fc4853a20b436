"""Separable, weakly separable or not at all: the search, repeated in the directions that a witness leaves open."""

from dataclasses import dataclass, field
from typing import Literal

import numpy as np

from rosenblatt.theory.budget import Budget, OutOfBudgetError
from rosenblatt.theory.exact import Matrix, null_space, rank, relation
from rosenblatt.theory.examples import Examples, Indices
from rosenblatt.theory.frame import Frame
from rosenblatt.theory.search import Separator, Witness, search, working_set

Kind = Literal["separable", "weak", "inseparable", "undecided"]


@dataclass(frozen=True)
class Verdict:
    """What was proved. `separable` is None, and `kind` "undecided", where the budget ran out."""

    kind: Kind
    separable: bool | None
    weights: list[int] | None = None
    witness: Witness | None = None
    closure: Witness | None = None
    null: Matrix = field(default_factory=list)
    work: float = 0.0


def decide(examples: Examples, budget: Budget) -> Verdict:
    """Settles the kind. A witness alone settles `separable`; its closure settles whether the separation is weak."""
    witness: Witness | None = None
    try:
        frame = Frame(examples, working_set(examples))
        found = search(examples, frame, budget)
        if isinstance(found, Separator):
            return Verdict("separable", True, weights=found.weights, work=budget.used)
        witness, closure = found, found
        pair = twins(examples, budget)
        if pair is not None:
            witness, closure = pair, _sum(pair, found)
        # A w with z·w ≥ 0 for all is zero on the witness: look only at the directions that are.
        while True:
            _open_directions(frame, closure, budget)
            rest = _touched(examples, frame, budget)
            if not len(rest):
                return _overlap(examples, frame, witness, closure, budget)
            found = search(examples.only(rest), frame, budget)
            if isinstance(found, Separator):
                return Verdict("weak", False, found.weights, witness, work=budget.used)
            closure = _lifted(examples, closure, found, budget)
    except OutOfBudgetError:
        return Verdict("undecided", None if witness is None else False, witness=witness, work=budget.used)


def _overlap(examples: Examples, frame: Frame, witness: Witness, closure: Witness, budget: Budget) -> Verdict:
    """The end: the closure's examples span all others. Shown by all of them in the closure, or by what none touches."""
    null: Matrix = []
    if frame.is_short:
        uncovered = [i for i in examples.members.tolist() if i not in closure.multipliers]
        closure = _covering(examples, closure, uncovered, budget)
    elif len(closure.multipliers) < len(examples):
        null = [frame.weights(_unit(k, frame.width)) for k in range(frame.width)]
    whole = None if closure.multipliers == witness.multipliers else closure
    return Verdict("inseparable", False, None, witness, whole, null, budget.used)


def _covering(examples: Examples, closure: Witness, uncovered: list[int], budget: Budget) -> Witness:
    """A witness over all examples: each one left over is cancelled by those that span it."""
    if not uncovered:
        return closure
    old = list(closure.multipliers)
    table, _ = examples.integers(old + uncovered)
    kept = _independent(table[: len(old)], budget)
    indices = [old[k] for k in kept] + uncovered
    columns = [table[k] for k in kept] + table[len(old) :]
    total = dict.fromkeys(indices, 0)
    for vector in null_space([list(row) for row in zip(*columns, strict=True)], budget):
        sign = 1 if sum(vector[len(kept) :]) > 0 else -1  # the first ones are independent: one other is not zero
        for i, a in zip(indices, vector, strict=True):
            total[i] += sign * a
    return _raised(total, closure)


def _open_directions(frame: Frame, closure: Witness, budget: Budget) -> None:
    frame.cut(None)
    rows = [point.numbers for point in frame.integers(list(closure.multipliers))]
    frame.cut(null_space(rows, budget))


def _touched(examples: Examples, frame: Frame, budget: Budget) -> Indices:
    """The examples that are not orthogonal to all directions of the frame."""
    touched = np.zeros(len(examples.signs), dtype=bool)
    if frame.width:
        # One direction taken at random tells most of them; each of the others is asked exactly.
        mixture = np.random.default_rng(0).integers(1, 1 << 20, frame.width).tolist()
        touched |= examples.clearly_nonzero(frame.weights(mixture))
        budget.spend(examples.values)
    for k in range(frame.width):
        unknown = examples.members[~touched[examples.members]]
        if not len(unknown):
            break
        direction = frame.weights(_unit(k, frame.width))
        touched[unknown] = [score != 0 for score in examples.exact_scores(unknown, direction, budget)]
    return np.flatnonzero(touched)


def _lifted(examples: Examples, closure: Witness, found: Witness, budget: Budget) -> Witness:
    """A witness over both: what `found` leaves over lies in the span of the closure's examples, which cancel it."""
    old, new = list(closure.multipliers), list(found.multipliers)
    table, _ = examples.integers(old + new)
    rows, others = table[: len(old)], table[len(old) :]
    left = [sum(m * z[j] for m, z in zip(found.multipliers.values(), others, strict=True)) for j in range(len(rows[0]))]
    basis = _independent(rows, budget)
    cancel = relation([rows[k] for k in basis] + [left], budget)
    assert cancel is not None
    assert cancel[-1] != 0
    if cancel[-1] < 0:
        cancel = [-a for a in cancel]
    total = {i: cancel[-1] * m for i, m in found.multipliers.items()}
    for k, a in zip(basis, cancel, strict=False):
        total[old[k]] = a
    return _raised(total, closure)


def _raised(total: dict[int, int], closure: Witness) -> Witness:
    """Adds the closure often enough for all its multipliers to be positive."""
    enough = max(0, *(-total.get(i, 0) // m + 1 for i, m in closure.multipliers.items()))
    for i, m in closure.multipliers.items():
        total[i] = total.get(i, 0) + enough * m
    return Witness.of(list(total), list(total.values()))


def _independent(rows: Matrix, budget: Budget) -> list[int]:
    """Positions of a largest independent set of rows."""
    kept: list[int] = []
    height = rank(rows, budget)
    for k in range(len(rows)):
        if len(kept) == height:
            break
        if rank([rows[i] for i in [*kept, k]], budget) > len(kept):
            kept.append(k)
    return kept


def twins(examples: Examples, budget: Budget) -> Witness | None:
    """Two equal examples with different labels, if there are any: the shortest of all proofs."""
    budget.spend(examples.values + 20 * len(examples))
    direction = np.random.default_rng(1).normal(size=(1, examples.X.shape[1]))
    scores = examples.rows.scores(direction, np.zeros(1))[examples.members, 0]
    signs = examples.signs[examples.members]
    order = np.lexsort((signs, scores))
    scores, signs = scores[order], signs[order]
    suspects = np.flatnonzero((scores[1:] == scores[:-1]) & (signs[1:] != signs[:-1]))
    for k in suspects.tolist():
        a, b = sorted(examples.members[order[k : k + 2]].tolist())
        table, _ = examples.integers([a, b])
        if all(p == -q for p, q in zip(*table, strict=True)):
            return Witness({a: 1, b: 1})
    return None


def _sum(a: Witness, b: Witness) -> Witness:
    both = dict(a.multipliers)
    for i, m in b.multipliers.items():
        both[i] = both.get(i, 0) + m
    return Witness.of(list(both), list(both.values()))


def _unit(k: int, n: int) -> list[int]:
    return [int(j == k) for j in range(n)]
