"""From the scores of binary problems to a class, without scikit-learn's help or cost."""

from itertools import combinations

import numpy as np
from numpy.typing import NDArray


def is_positive(scores: NDArray[np.float64], tie: str) -> NDArray[np.bool_]:
    """Which scores predict the positive class; one of exactly zero as the tie rule says."""
    return scores >= 0 if tie == "positive" else scores > 0


def pair_votes(scores: NDArray[np.float64], n_classes: int, tie: str) -> NDArray[np.float64]:
    """One vote a pair of classes, plus a term below ½ that settles equal votes by the summed scores."""
    votes = np.zeros((len(scores), n_classes))
    sums = np.zeros_like(votes)
    for pair, (a, b) in enumerate(combinations(range(n_classes), 2)):
        for_b = is_positive(scores[:, pair], tie)
        votes[:, b] += for_b
        votes[:, a] += ~for_b
        sums[:, b] += scores[:, pair]
        sums[:, a] -= scores[:, pair]
    votes += sums / (2 * (np.abs(sums) + 1))
    return votes
