"""The vectors of a dual run as voters, each by the examples that it survived."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from rosenblatt.core import joint_votes, votes
from rosenblatt.learning.dual.fit import DualFound, DualUpdates
from rosenblatt.learning.dual.kernel_functions import Array
from rosenblatt.learning.examples import Examples


@dataclass(frozen=True)
class Voters:
    """The updates of one problem, each of which makes a vector of the one before.

    Where classes learn jointly, an update goes towards its truth and away from its rival.
    """

    columns: NDArray[np.uint32]  # of the support vector
    scales: Array
    survival: Array  # of all vectors, the first zero one included
    truths: NDArray[np.uint32] | None = None
    rivals: NDArray[np.uint32] | None = None
    n_classes: int = 2

    def shares(self, values: Array, offset: bool, tie: str) -> Array:
        """Votes for minus votes against, or the votes for each class, as shares of all; given the kernel's values."""
        total = float(self.survival.sum())
        if self.truths is None or self.rivals is None:
            won = votes(values, self.columns, self.scales, self.survival, offset, tie == "positive")
            return np.divide(won, total)
        won = joint_votes(
            values, self.columns, self.scales, self.survival, offset, self.truths, self.rivals, self.n_classes
        )
        return np.divide(won, total)


def voters_of(examples: Examples, found: list[DualFound], support: NDArray[np.intp], eta0: float) -> list[Voters]:
    """One for each problem of a recorded fit."""
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
