"""Scores of examples that a model was not fitted on, comparable between models with different weights."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from rosenblatt.learning.scores.calibration import class_scores
from rosenblatt.models.files.record import Record


@dataclass(frozen=True)
class HeldScores:
    """The scores of held-out examples in units of the model's `score_size`, one column per class, and class codes."""

    scores: NDArray[np.float32]
    codes: NDArray[np.int32]

    @classmethod
    def of(cls, record: Record, scores: NDArray[np.float64], codes: NDArray[np.int32]) -> "HeldScores":
        """The scores of the binary problems of a model, as held scores."""
        by_class = class_scores(scores, len(record.classes), record.parameters.get("multi_class") == "ovo")
        largest = np.finfo(np.float32).max
        return cls(np.clip(by_class / score_size(record), -largest, largest).astype(np.float32), codes)


def score_size(record: Record) -> float:
    """The size of the weights, with which scores grow: for linear models ‖w‖ over all problems, for kernels Σ|α|.

    Votes have no unit.
    """
    fitted = record.fitted
    if record.estimator == "VotedPerceptron" or fitted.get("settled_", {}).get("voters"):
        return 1.0
    if "dual_coef_" in fitted:
        return float(np.abs(fitted["dual_coef_"]).sum()) or 1.0
    return float(np.sqrt((fitted["coef_"].astype(np.float64) ** 2).sum())) or 1.0
