"""The dialects of the loops in this folder, and their predictions."""

import numpy as np

from rosenblatt import conventions

L0, L1, L3 = (dict(dialect) for dialect in (conventions.L0, conventions.L1, conventions.L3))
HALF = {"tie": "negative", "eta0": 0.5}
GIVEN = {"tie": "negative", "eta0": 0.5, "start": [1.0, -1.0, 0.5]}
POCKET = {"tie": "positive", "algorithm": "pocket", "max_iter": 5}


def ones(X):
    return np.hstack([np.ones((X.shape[0], 1)), X])


def predict(w, z):  # L0: zero counts as +1
    return 1 if np.dot(w, z) >= 0 else -1


def positive_if_above(w, z):  # L3, L4: zero counts as −1
    return 1 if np.dot(w, z) > 0 else -1
