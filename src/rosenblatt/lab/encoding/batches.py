"""Encodes a run of the batch perceptron. A step is an epoch, which adds all misclassified examples at once."""

from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rosenblatt.conventions.step import misclassified
from rosenblatt.core import Rows
from rosenblatt.lab.encoding.packing import packed
from rosenblatt.lab.requests.run_requests import RunParameters
from rosenblatt.learning.progress import Progress

Array = NDArray[np.float64]


@dataclass
class Epochs:
    """Collects the weights after each epoch of a fit."""

    states: list[Array] = field(default_factory=list)

    def keep(self, progress: Progress) -> None:
        coef, intercept = progress.weights()
        self.states.append(np.column_stack([intercept, coef]))


def replayed_batches(
    X: Array, y: NDArray[np.int32], problem: int, positive: int, states: list[Array], parameters: RunParameters
) -> dict[str, Any]:
    """Encodes one problem. `states` has the weights after 0, 1, 2, … epochs.

    The run ends with the first epoch that changes nothing.
    """
    weights = [state[problem] for state in states]
    ended = next(
        (m + 1 for m in range(len(weights) - 1) if np.array_equal(weights[m], weights[m + 1])), len(weights) - 1
    )
    weights = weights[: ended + 1]
    rows = Rows.dense(np.ascontiguousarray(X))
    W = np.array(weights)
    scores = rows.scores(np.ascontiguousarray(W[:, 1:]), np.ascontiguousarray(W[:, 0]))
    is_positive_class = (y == positive)[:, None]
    wrong = misclassified(scores, is_positive_class, parameters["tie"])
    reported = misclassified(scores, is_positive_class, parameters.get("error_tie") or parameters["tie"])
    changed = np.flatnonzero(np.any(W[1:] != W[:-1], axis=1))
    sets = [np.flatnonzero(wrong[:, m]) for m in range(len(weights))]
    sizes = np.array([len(found) for found in sets])
    return {
        "positive": positive,
        "start": W[0].tolist() if parameters["fit_intercept"] else W[0, 1:].tolist(),
        "presented": ended,
        "epoch_ends": packed(np.arange(1, ended + 1)),
        "examples": {"sets": packed(np.concatenate(sets)), "sizes": packed(sizes)},
        "k": packed(changed),
        "states": packed(W[changed + 1].astype(float)),
        "scale": parameters["eta0"],
        "undershot": packed(np.zeros(len(changed), dtype=np.uint8)),
        "curve": {
            "updates": packed(np.arange(len(changed) + 1)),
            "errors": packed(reported[:, np.append(changed, len(weights) - 1)].sum(axis=0)),
            "loss": packed(np.abs(np.where(wrong, scores, 0.0)).sum(axis=0)[np.append(changed, len(weights) - 1)]),
        },
    }
