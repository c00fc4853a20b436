"""What an epoch met, all shards together, and the table of all epochs."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rosenblatt.estimators.training import HISTORY

#: `history_` of one machine, and the mistakes as mixed: Σ μᵢkᵢ.
MIXED_HISTORY = np.dtype([*HISTORY.descr, ("weighted_mistakes", float)])

_HISTORY_ROWS = 10_000


@dataclass(frozen=True)
class Met:
    """What all shards together met in one epoch of one problem."""

    mistakes: int
    errors: int
    presented: int
    counted: int
    loss: float
    work: float
    weighted_mistakes: float  # Σ μᵢkᵢ
    clock: float  # Σ μᵢ times what the shard's examples weigh
    whole: bool
    right: bool  # nothing was wrong any more

    @classmethod
    def of(cls, met: Any, weights: NDArray[np.float64]) -> "Met":
        return cls(
            mistakes=int(met["mistakes"].sum()),
            errors=int(met["errors"].sum()),
            presented=int(met["presented"].sum()),
            counted=int(met["counted"].sum()),
            loss=float(sum(met["loss"].tolist(), 0.0)),
            work=float(met["work"].sum()),
            weighted_mistakes=float(weights @ met["mistakes"]),
            clock=float(weights @ met["clock"]),
            whole=bool(met["whole"].all()),
            right=bool(met["right"].all()),
        )


class History:
    """One row an epoch, thinned to every 2nd, 4th, 8th … as the core does it, and the last."""

    def __init__(self) -> None:
        self.rows: list[tuple[Any, ...]] = []
        self.spacing = 1
        self.last: tuple[Any, ...] | None = None

    def add(self, row: tuple[Any, ...]) -> None:
        self.last = row
        if (row[0] - 1) % self.spacing:
            return
        if len(self.rows) + 1 >= _HISTORY_ROWS:
            self.rows = self.rows[::2]
            self.spacing *= 2
            if (row[0] - 1) % self.spacing:
                return
        self.rows.append(row)

    def table(self) -> NDArray[Any]:
        rows = self.rows if self.last is None or (self.rows and self.rows[-1] is self.last) else [*self.rows, self.last]
        return np.array(rows, MIXED_HISTORY)
