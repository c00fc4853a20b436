"""Have the weights come back? Epoch by epoch over the whole cluster, as the core's `cycle.hpp` does for one machine."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray


@dataclass
class CycleWatch:
    """One copy of a problem's weights, kept at epochs 0, 1, 2, 4, 8, … (Brent 1980), compared with each later one."""

    kept: NDArray[np.float64] | None = None
    kept_at: int = 0
    keep_next: int = 0

    def see(self, epoch: int, state: NDArray[np.float64]) -> int:
        """The number of epochs since the same state was kept, or 0."""
        if self.kept is not None and np.array_equal(self.kept, state):
            return epoch - self.kept_at
        if epoch >= self.keep_next:
            self.kept, self.kept_at, self.keep_next = state.copy(), epoch, 2 * epoch if epoch else 1
        return 0
