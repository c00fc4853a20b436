"""Given a witness, finds a weak separation in the directions orthogonal to it, or a proof that there is none.

A w with z·w ≥ 0 for all examples is zero on every example of a witness. So the search continues in the directions
that are zero there. It finds another witness, or a separator of the examples that are nonzero in some such direction.
A witness with a basis spans all columns that are not constant on it, so only the constant ones are left there.
"""

from dataclasses import dataclass, field

import numpy as np
from flint import fmpz_mat

from rosenblatt.theory.budget import Budget
from rosenblatt.theory.exact.linear_algebra import Matrix, bits_of, null_space, primitive
from rosenblatt.theory.examples.frame import Frame
from rosenblatt.theory.examples.labelled_examples import Examples, Indices
from rosenblatt.theory.separability.search.exact_witness import cancelling
from rosenblatt.theory.separability.search.min_norm_search import search
from rosenblatt.theory.separability.witness import Separator, Witness


@dataclass(frozen=True)
class Closed:
    """A separator of some examples that is zero on the others; or a witness whose examples span all examples.

    The span is proved by a witness over all examples, or by `null`: vectors orthogonal to all examples that, with them,
    span the space.
    """

    closure: Witness
    separator: Separator | None = None
    null: Matrix = field(default_factory=list)

    covers_all: bool = False


def close(examples: Examples, frame: Frame, witness: Witness, cover: bool, budget: Budget) -> Closed:
    """Repeats the search in the remaining directions until there is a separator or no direction is left.

    With `cover`, the proof is a witness over all examples, which is shorter if there are fewer examples than columns.
    """
    closure = witness
    while True:
        _open_directions(examples, frame, closure, budget)
        rest = _nonzero_examples(examples, frame, budget)
        if not len(rest):
            return _overlap(examples, frame, closure, cover, budget)
        found = search(examples.only(rest), frame, budget)
        if isinstance(found, Separator):
            return Closed(closure, separator=found)
        closure = _lifted(examples, _with_exact_multipliers(examples, closure, budget), found, budget)


def _overlap(examples: Examples, frame: Frame, closure: Witness, cover: bool, budget: Budget) -> Closed:
    if cover or frame.is_short or len(closure.multipliers) == len(examples):
        uncovered = [i for i in examples.members.tolist() if i not in closure.multipliers]
        exact = _with_exact_multipliers(examples, closure, budget)
        return Closed(_covering(examples, exact, uncovered, budget), covers_all=True)
    return Closed(closure, null=[frame.weights(_unit(k, frame.width)) for k in range(frame.width)])


def _with_exact_multipliers(examples: Examples, witness: Witness, budget: Budget) -> Witness:
    """The witness that a basis proves to exist: the other examples keep their multipliers."""
    if not witness.basis:
        return witness
    basis = list(witness.basis)
    others = [i for i in witness.multipliers if i not in set(basis)]
    table, _ = examples.integers(basis + others)
    wanted = [0] * len(basis) + [witness.multipliers[i] for i in others]
    total = _cancelled(basis + others, table, len(basis), wanted, budget)
    return Witness.of(list(total), list(total.values()))


def _open_directions(examples: Examples, frame: Frame, closure: Witness, budget: Budget) -> None:
    frame.cut(None)
    if closure.basis and not frame.is_short:
        frame.cut(_constant_directions(examples, frame, closure))
        return
    rows = [point.numbers for point in frame.integers(list(closure.multipliers))]
    frame.cut(null_space(rows, budget))


def _constant_directions(examples: Examples, frame: Frame, closure: Witness) -> Matrix:
    """For each column that is constant on these examples, a direction of the frame that is zero on them."""
    indices, offset = list(closure.multipliers), int(examples.fit_intercept)
    part = examples.X[indices]
    part = part.toarray() if hasattr(part, "toarray") else part
    constant = np.flatnonzero(np.all(part == (part[0] if offset else 0), axis=0)) + offset
    first = frame.integers(indices[:1])[0].numbers
    directions = []
    for j in constant.tolist():
        direction = _unit(j, frame.width)
        if offset:
            direction[0], direction[j] = -first[j], first[0]
        directions.append(primitive(direction))
    return directions


def _nonzero_examples(examples: Examples, frame: Frame, budget: Budget) -> Indices:
    """The examples that are not orthogonal to all directions of the frame.

    A mixture of the directions with random coefficients of 60 bits is zero on an example that is not orthogonal to all
    of them with a probability below 2⁻⁵⁹. The verification of the certificate would detect a wrong guess.
    """
    touched = np.zeros(len(examples.signs), dtype=bool)
    if not frame.width:
        return np.flatnonzero(touched)
    budget.spend(examples.values)
    mixture = frame.weights(np.random.default_rng(0).integers(1, 1 << 60, frame.width).tolist())
    touched |= examples.clearly_nonzero(mixture)
    unknown = examples.members[~touched[examples.members]]
    touched[unknown] = [score != 0 for score in examples.exact_scores(unknown, mixture, budget)]
    return np.flatnonzero(touched)


def _lifted(examples: Examples, closure: Witness, found: Witness, budget: Budget) -> Witness:
    """A witness over both: the remainder of `found` lies in the span of the closure's examples, which cancel it."""
    old, new = list(closure.multipliers), list(found.multipliers)
    table, _ = examples.integers(old + new)
    wanted = [0] * len(old) + list(found.multipliers.values())
    return _raised(_cancelled(old + new, table, len(old), wanted, budget), closure)


def _covering(examples: Examples, closure: Witness, uncovered: list[int], budget: Budget) -> Witness:
    """A witness over all examples: the sum of the uncovered ones is cancelled by the closure's examples."""
    if not uncovered:
        return closure
    old = list(closure.multipliers)
    table, _ = examples.integers(old + uncovered)
    wanted = [0] * len(old) + [1] * len(uncovered)
    return _raised(_cancelled(old + uncovered, table, len(old), wanted, budget), closure)


def _cancelled(indices: list[int], table: Matrix, n_old: int, wanted: list[int], budget: Budget) -> dict[int, int]:
    """Multipliers with Σ λz = 0: after the first `n_old` rows, which span the others, a multiple of `wanted`."""
    solved = cancelling(table, n_old, wanted, budget)
    if solved is None:  # the rank modulo the prime was too small: repeat without the prime
        budget.exact_solve(len(table), len(table[0]), bits_of(table))
        solved = _relation(table, n_old, wanted)
    return dict(zip(indices, solved, strict=True))


def _relation(table: Matrix, n_old: int, wanted: list[int]) -> list[int]:
    left = (fmpz_mat([wanted[n_old:]]) * fmpz_mat(table[n_old:])).tolist()[0]
    basis, nullity = fmpz_mat([*table[:n_old], left]).transpose().nullspace()
    for k in range(int(nullity)):
        column = [int(basis[i, k]) for i in range(n_old + 1)]
        if last := column[-1]:
            sign = 1 if last > 0 else -1
            return [sign * a for a in column[:-1]] + [abs(last) * m for m in wanted[n_old:]]
    raise AssertionError("the closure does not span what is left over")


def _raised(total: dict[int, int], closure: Witness) -> Witness:
    """Adds a multiple of the closure that makes all its multipliers positive."""
    enough = max(0, *(-total.get(i, 0) // m + 1 for i, m in closure.multipliers.items()))
    for i, m in closure.multipliers.items():
        total[i] = total.get(i, 0) + enough * m
    return Witness.of(list(total), list(total.values()))


def _unit(k: int, n: int) -> list[int]:
    return [int(j == k) for j in range(n)]
