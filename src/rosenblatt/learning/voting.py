"""From the scores of binary problems to a class, without scikit-learn's help or cost."""

import numpy as np
from numpy.typing import NDArray

from rosenblatt import core


def is_positive(scores: NDArray[np.float64], tie: str) -> NDArray[np.bool_]:
    """Which scores predict the positive class; one of exactly zero as the tie rule says."""
    return scores >= 0 if tie == "positive" else scores > 0


def pair_votes(scores: NDArray[np.float64], n_classes: int, tie: str) -> NDArray[np.float64]:
    """One vote a pair of classes, plus a term below ½ that settles equal votes by the summed scores."""
    votes = np.empty((len(scores), n_classes))
    core.pair_votes(np.ascontiguousarray(scores), n_classes, tie == "positive", votes)
    return votes
