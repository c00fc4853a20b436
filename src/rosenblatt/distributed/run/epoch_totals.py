"""The totals of one epoch over all shards, and the columns of the history."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rosenblatt.learning.run import HISTORY

#: The columns of a local `history_`, and the mistakes weighted by the mixing weights: Σ μᵢkᵢ.
MIXED_HISTORY = np.dtype([*HISTORY.descr, ("weighted_mistakes", float)])


@dataclass(frozen=True)
class EpochTotals:
    """The totals of one problem in one epoch, summed over all shards."""

    mistakes: int
    errors: int
    presented: int
    counted: int  # the denominator of the error rate
    loss: float
    work: float
    weighted_mistakes: float  # Σ μᵢkᵢ
    clock: float  # Σ μᵢ · (total weight of the examples of shard i)
    complete: bool  # no limit cut a pass short
    no_mistake: bool

    @classmethod
    def of(cls, counts: Any, weights: NDArray[np.float64]) -> "EpochTotals":
        """Sums the shards' entries `counts` of one problem; `weights` are the mixing weights μ."""
        return cls(
            mistakes=int(counts["mistakes"].sum()),
            errors=int(counts["errors"].sum()),
            presented=int(counts["presented"].sum()),
            counted=int(counts["counted"].sum()),
            loss=float(sum(counts["loss"].tolist(), 0.0)),
            work=float(counts["work"].sum()),
            weighted_mistakes=float(weights @ counts["mistakes"]),
            clock=float(weights @ counts["clock"]),
            complete=bool(counts["complete"].all()),
            no_mistake=bool(counts["no_mistake"].all()),
        )


def history_table(rows: list[list[float]]) -> NDArray[Any]:
    """`history_` from rows of numbers."""
    return np.array([tuple(row) for row in rows], MIXED_HISTORY)
