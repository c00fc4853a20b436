"""The vectors of a dual run as voters. A vector's vote counts the examples that it survived."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from rosenblatt.core import joint_votes, votes
from rosenblatt.learning.dual.kernel_functions import Array
from rosenblatt.learning.dual.run_groups import DualFound, DualUpdates
from rosenblatt.learning.examples import Examples


@dataclass(frozen=True)
class Voters:
    """The updates of one problem. Each update turns the previous vector into the next one.

    Under the joint rule an update increases the weights of the true class and decreases those of the rival class.
    """

    columns: NDArray[np.uint32]  # index of the support vector
    scales: Array
    survival: Array  # of all vectors, including the initial zero vector
    truths: NDArray[np.uint32] | None = None
    rivals: NDArray[np.uint32] | None = None
    n_classes: int = 2

    def shares(self, values: Array, offset: bool, tie: str) -> Array:
        """Votes for minus votes against, or the votes for each class, as fractions of all votes, from kernel values."""
        total = float(self.survival.sum())
        if self.truths is None or self.rivals is None:
            won = votes(values, self.columns, self.scales, self.survival, offset, tie == "positive")
            return np.divide(won, total)
        won = joint_votes(
            values, self.columns, self.scales, self.survival, offset, self.truths, self.rivals, self.n_classes
        )
        return np.divide(won, total)


def voters_of(examples: Examples, found: list[DualFound], support: NDArray[np.intp], eta0: float) -> list[Voters]:
    """The voters of each problem of a recorded fit."""
    voters = []
    for part in found:
        if part.updates is None:
            raise AssertionError("the run was not recorded")
        for c, outcome in enumerate(part.outcomes):
            mine = slice(None) if part.group.joint else part.updates.problem == c
            voters.append(_voters(examples, part.updates, mine, part, outcome.clock, support, eta0, c))
    return voters


def _voters(
    examples: Examples,
    updates: DualUpdates,
    mine: slice | NDArray[np.bool_],
    part: DualFound,
    clock: float,
    support: NDArray[np.intp],
    eta0: float,
    c: int,
) -> Voters:
    example = updates.example[mine]
    codes = examples.codes[example]
    steps = np.full(len(example), float(eta0)) if examples.weights is None else eta0 * examples.weights[example]
    columns = np.searchsorted(support, example).astype(np.uint32)
    survival = np.diff(np.concatenate([[0.0], updates.clock[mine], [clock]]))
    if part.group.joint:
        return Voters(
            columns, steps, survival, codes.astype(np.uint32), updates.problem[mine], len(part.group.positives)
        )
    return Voters(columns, np.where(codes == part.group.positives[c], steps, -steps), survival)
