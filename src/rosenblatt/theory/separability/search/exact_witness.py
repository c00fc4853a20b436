"""Exact multipliers of a witness: all but some are solved for, by p-adic lifting (see `exact_solves.py`)."""

import numpy as np

from rosenblatt.theory.budget import Budget
from rosenblatt.theory.decomposition.exact_solves import ZeroRows
from rosenblatt.theory.decomposition.integer_rows import IntegerRows
from rosenblatt.theory.exact.linear_algebra import Matrix
from rosenblatt.theory.examples.labelled_examples import Examples, Floats, Indices
from rosenblatt.theory.separability.witness import Witness


def prove_exactly(examples: Examples, chosen: Indices, guess: Floats, budget: Budget) -> Witness | None:
    """A witness over these examples, which may span less than the space; None if a multiplier is not positive.

    The example with the largest multiplier in the guess keeps it, up to a factor; the others cancel it.
    """
    members = np.append(np.delete(chosen, np.argmax(guess)), chosen[np.argmax(guess)]).tolist()
    table, _ = examples.integers(members)
    found = cancelling(table, len(members) - 1, [0] * (len(members) - 1) + [1], budget)
    return None if found is None or min(found) <= 0 else Witness.of(members, found)


def cancelling(table: Matrix, n_free: int, wanted: list[int], budget: Budget) -> list[int] | None:
    """Multipliers with Σ λz = 0: after the first `n_free` rows a multiple of `wanted`; None if these do not exist."""
    rows = IntegerRows.of(np.array(table, dtype=object))
    budget.spend(20.0 * len(rows.values))
    solved = ZeroRows(rows, np.arange(n_free), budget).multipliers(wanted)
    return None if np.any(rows.combine(solved) != 0) else solved
