"""Checks a margin against the data, exactly. Shares no code with the search that found it.

With z = y·(1, x), or y·x through the origin, a margin γ is claimed between two bounds:

* from below, by weights: every example has z·w ≥ score, so γ ≥ score/‖w‖. The geometric margin leaves w₀ out of ‖w‖;
* from above, by the support: multipliers λ > 0 make a point of each class's hull, and half the distance of the two
  points is at least γ. In the space of (1, x), or through the origin, they make a point of the hull of all z, whose
  distance from the origin is at least γ.

The margin is exact where the bounds are equal.
"""

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

import numpy as np

from rosenblatt.theory.examples.sparse_type import is_sparse
from rosenblatt.theory.separability.verify import claimed_signs, combination, exact_signs, ints


def verify_margin(certificate: Mapping[str, Any], X: Any, y: Any) -> bool:
    """Whether the certificate (as `Margin.to_dict` gives it) proves both bounds for these examples.

    Examples
    --------
    >>> from rosenblatt import theory
    >>> X, y = [[0, 0], [0, 1], [1, 0], [1, 1]], [0, 0, 0, 1]
    >>> proof = theory.max_margin(X, y).to_dict()
    >>> verify_margin(proof, X, y), verify_margin(proof, X, [0, 1, 1, 1])
    (True, False)
    """
    try:
        return _proves(certificate, X.tocsr() if is_sparse(X) else np.asarray(X), np.asarray(y))
    except (KeyError, TypeError, ValueError, IndexError, AttributeError, OverflowError, ZeroDivisionError):
        return False  # malformed certificate


def _proves(claim: Mapping[str, Any], X: Any, y: Any) -> bool:
    signs, offset = claimed_signs(claim, X, y), claim["fit_intercept"]
    if signs is None:
        return False
    lower, upper = Fraction(*ints(claim["lower_squared"])), Fraction(*ints(claim["upper_squared"]))
    if not 0 < lower <= upper or claim["exact"] is not (lower == upper):
        return False
    augmented = bool(offset and claim["augmented"])
    return _from_below(claim, X, signs, offset, augmented, lower) and _from_above(
        claim["support"], X, signs, offset, augmented, upper
    )


def _from_below(claim: Mapping[str, Any], X: Any, signs: Any, offset: bool, augmented: bool, lower: Fraction) -> bool:
    weights, (score,) = ints(claim["weights"]), ints([claim["score"]])
    if len(weights) != X.shape[1] + bool(offset) or score <= 0:
        return False
    w0, w = (weights[0], weights[1:]) if offset else (0, weights)
    for sign in (1, -1):  # z·w − score is the score of a shifted plane
        if np.any(exact_signs(X, np.where(signs == sign, sign, 0), True, [w0 - sign * score, *w]) < 0):
            return False
    return score**2 >= lower * sum(a * a for a in (weights if augmented else w))


def _from_above(support: Mapping[str, Any], X: Any, signs: Any, offset: bool, augmented: bool, upper: Fraction) -> bool:
    found = combination(support, X, signs, augmented)
    if found is None:
        return False
    point, low = found
    shares = {1: 0, -1: 0}
    for i, multiplier in zip(support["indices"], ints(support["multipliers"]), strict=True):
        shares[int(signs[i])] += multiplier
    if offset and not augmented:
        if shares[1] != shares[-1]:
            return False
        total = 2 * shares[1]
    else:
        total = shares[1] + shares[-1]
    return sum(a * a for a in point) * Fraction(4) ** low <= upper * total**2
