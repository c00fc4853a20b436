"""Checks that results are equal before their times are compared; a difference stops the run."""

from typing import Any

import numpy as np
import scipy.sparse as sp


class Disagreement(AssertionError):
    """Two methods that should give equal results did not."""


def agree(equal: bool, what: str) -> str:
    """Raises an error unless the two results are equal."""
    if not equal:
        raise Disagreement(f"not equal: {what}")
    return f"same {what}"


def with_scikit_learn(ours: Any, peer: Any, X: Any, y: Any, order: str) -> str:
    """Dense rows in file order: the peer makes the same updates and reaches the same weights.

    Its shuffle differs, and for sparse rows its step of the offset: the work is equal, but the weights are not, and the
    shares of correctly classified examples are reported instead (the workload `compat` compares with its own shuffle,
    bit for bit).
    """
    if order == "cyclic" and not sp.issparse(X):
        scale = float(np.abs(peer.coef_).max())
        single = 1e-5 if X.dtype == np.float32 else 1e-9
        return agree(bool(np.allclose(ours.coef_, peer.coef_, rtol=0, atol=single * scale)), "weights")
    some = slice(None, None, max(1, X.shape[0] // 20_000))
    right = [float(model.score(X[some], y[some])) for model in (ours, peer)]
    why = "shuffle" if order == "shuffle" else "offset"
    return f"another {why}; right {right[0]:.1%}, {right[1]:.1%}"
