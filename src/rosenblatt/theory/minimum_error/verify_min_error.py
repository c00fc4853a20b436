"""Checks both bounds on the fewest errors against the data, exactly."""

from collections.abc import Mapping
from typing import Any

import numpy as np
import scipy.sparse as sp

from rosenblatt.theory.minimum_error.bound_proof import proves_bound
from rosenblatt.theory.minimum_error.sweep_proof import proves_by_sweeps
from rosenblatt.theory.separability.verify import exact_signs, integer_rows, ints, is_witness


def verify_min_error(certificate: Mapping[str, Any], X: Any, y: Any) -> bool:
    """Whether the certificate (as `MinError.to_dict` gives it) proves both bounds for these examples.

    Upper bound: the errors of `weights` are counted in integers. Lower bound: each obstruction is checked in integers
    to be a witness, so that at least one of its examples is an error of any hyperplane; and `proof` shows that no set
    of fewer than `lower` examples hits them all: a packing of the obstructions, or a tree of cases with a packing for
    each, added up in integers. A proof by sweeps has no obstructions; `sweep_proof` explains and checks it.

    Examples
    --------
    >>> from rosenblatt import theory
    >>> X, y = [[0, 0], [0, 1], [1, 0], [1, 1]], [0, 1, 1, 0]
    >>> verify_min_error(theory.min_error(X, y).to_dict(), X, y)
    True
    """
    try:
        return _proves(certificate, X.tocsr() if sp.issparse(X) else np.asarray(X), np.asarray(y))
    except (KeyError, TypeError, ValueError, IndexError, AttributeError, OverflowError):
        return False  # malformed certificate


def _proves(claim: Mapping[str, Any], X: Any, y: Any) -> bool:
    if X.shape != (claim["n_examples"], claim["n_features"]) or y.shape != X.shape[:1]:
        return False
    signs = np.where(y == claim["positive"], 1, np.where(y == claim["negative"], -1, 0))
    lower, upper, offset = claim["lower"], claim["upper"], claim["fit_intercept"]
    if not np.all(signs) or len(np.unique(signs)) != 2 or claim["exact"] is not (lower == upper):
        return False
    wrong = np.flatnonzero(exact_signs(X, signs, offset, ints(claim["weights"])) <= 0).tolist()
    if claim["errors"] != wrong or len(wrong) != upper or not 0 <= lower <= upper:
        return False
    obstructions = claim["obstructions"]
    if not all(is_witness(found, X, signs, offset) for found in obstructions):
        return False
    if lower and "sweeps" in claim["proof"]:
        return proves_by_sweeps(claim["proof"]["sweeps"], integer_rows(X, signs, offset), lower)
    return lower == 0 or proves_bound(claim["proof"], [found["indices"] for found in obstructions], lower - 1)
