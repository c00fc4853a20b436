"""The first perceptron run of the searches in this package: from zero, in random order, with ties as mistakes."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from rosenblatt.core import OnlineRun, Plan
from rosenblatt.theory.examples.labelled_examples import Examples


def shuffled_run(
    examples: Examples, max_iter: int, chosen: NDArray[np.uint32] | None = None, **fields: Any
) -> OnlineRun:
    """A run of at most `max_iter` epochs that the caller advances; `fields` are further fields of its plan."""
    return OnlineRun(
        rows=examples.rows,
        labels=examples.signs.astype(np.int32),
        chosen=chosen,
        positives=[1],
        start=np.zeros((1, examples.X.shape[1])),
        start_offsets=np.zeros(1),
        plan=Plan(fit_intercept=examples.fit_intercept, order="shuffle", max_iter=max_iter, **fields),
    )
