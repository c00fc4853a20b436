"""What each threshold on the probability or score of the positive class gives: the choice that a cost decides."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

#: The thresholds on probabilities; thresholds on scores are the quantiles at these shares.
_SHARES = (0.05, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95)


@dataclass(frozen=True)
class Threshold:
    """Examples whose value is at least `threshold` are predicted to be positive."""

    threshold: float
    predicted: int  # the number of examples predicted to be positive
    precision: float | None  # the fraction of these that are positive; None if there are none
    recall: float | None  # the fraction of the positive examples that are predicted; None if there are none
    accuracy: float


@dataclass(frozen=True)
class Thresholds:
    """The table of thresholds of two classes."""

    positive: Any  # the class that is predicted from a threshold on: the rarer one
    of_probability: bool  # otherwise of the score
    rows: tuple[Threshold, ...]

    def to_dict(self) -> dict[str, Any]:
        of = "probability" if self.of_probability else "score"
        return {"class": self.positive, "of": of, "rows": [vars(row) for row in self.rows]}


def thresholds_of(
    values: NDArray[np.float64], is_positive: NDArray[np.bool_], positive: Any, of_probability: bool
) -> Thresholds:
    """The table of thresholds on the probabilities or scores of the positive class.

    >>> table = thresholds_of(np.array([0.2, 0.6, 0.9]), np.array([False, False, True]), "spam", True)
    >>> [(row.threshold, row.precision, row.recall) for row in table.rows if row.threshold in (0.5, 0.7)]
    [(0.5, 0.5, 1.0), (0.7, 1.0, 1.0)]
    """
    levels = np.array(_SHARES) if of_probability else np.unique(np.quantile(values, _SHARES))
    order = np.argsort(values, kind="stable")
    # Positives and examples from each place of the ascending order on.
    positive_from = np.append(np.cumsum(is_positive[order][::-1])[::-1], 0)
    n, positives = len(values), int(is_positive.sum())
    rows = []
    for level in levels.tolist():
        first = int(np.searchsorted(values[order], level, side="left"))
        predicted, right = n - first, int(positive_from[first])
        correct = right + (n - predicted) - (positives - right)
        rows.append(
            Threshold(
                level,
                predicted,
                right / predicted if predicted else None,
                right / positives if positives else None,
                correct / max(n, 1),
            )
        )
    return Thresholds(positive, of_probability, tuple(rows))
