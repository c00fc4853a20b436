"""The run of the perceptron that the searches of this package begin with: from zero, in random order, ties wrong."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from rosenblatt.core import OnlineRun
from rosenblatt.theory.examples import Examples


def shuffled_run(
    examples: Examples, max_iter: int, chosen: NDArray[np.uint32] | None = None, **wishes: Any
) -> OnlineRun:
    """A run of at most `max_iter` epochs that its caller advances; `wishes` are further ones of the core."""
    return OnlineRun(
        rows=examples.rows,
        labels=examples.signs.astype(np.int32),
        steps=None,
        chosen=chosen,
        positives=[1],
        start=np.zeros((1, examples.X.shape[1])),
        start_offsets=np.zeros(1),
        eta0=1.0,
        tie="mistake",
        error_tie="mistake",
        fit_intercept=examples.fit_intercept,
        order="shuffle",
        seed=0,
        first_epoch=0,
        max_iter=max_iter,
        max_steps=None,
        max_updates=None,
        patience=None,
        max_error=0.0,
        may_stall=False,
        ask_before_stall=False,
        **wishes,
    )
