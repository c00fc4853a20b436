"""The job `proof`: the margin and the mistake bound, or a witness that no plane separates the points."""

from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rosenblatt.lab.limits import PROOF_WORK
from rosenblatt.lab.requests.run_requests import ProofRequest
from rosenblatt.theory import mistake_bound, separability
from rosenblatt.theory.separability import Separability


def proof(request: ProofRequest) -> dict[str, Any]:
    """Decides separability of one class against another, or against all others if `negative` is None.

    The margin γ, the radius R and the separator belong to the space that the run uses: (1, x) if there is an offset.
    """
    fit_intercept, start = request.fit_intercept, request.start
    members, signs = _problem(request)
    X = request.points.X[members]
    found = separability(X, signs, fit_intercept=fit_intercept, budget=PROOF_WORK)
    if not isinstance(found, Separability):
        raise AssertionError("two signs make one question")
    answer: dict[str, Any] = {"kind": found.kind, "fit_intercept": fit_intercept, "margin": None, "witness": None}
    if found.witness is not None:
        indices = members[found.witness.indices].tolist()
        answer["witness"] = {"indices": indices, "multipliers": [str(a) for a in found.witness.multipliers]}
    geometric, augmented = found.max_margin, found.max_margin_augmented
    if geometric is not None and augmented is not None:
        bound = found.mistake_bound
        if start.any():
            bound = mistake_bound(
                X, signs, fit_intercept=fit_intercept, eta0=request.eta0, start=start, budget=PROOF_WORK
            )
        plane = augmented.hyperplane
        separator = np.array([plane.w0, *plane.w]) if fit_intercept else plane.w
        answer["margin"] = {
            "gamma": augmented.gamma,
            "gamma_squared": _text(augmented.gamma_squared),
            "geometric": geometric.gamma,
            "geometric_squared": _text(geometric.gamma_squared),
            "radius": found.radius,
            "bound": bound,
            "separator": (separator / np.linalg.norm(separator)).tolist(),
        }
    return answer


def _problem(request: ProofRequest) -> tuple[NDArray[np.intp], NDArray[np.int8]]:
    """Returns the indices of the points of the two classes, and their signs."""
    y, positive, negative = request.points.y, request.positive, request.negative
    members = np.arange(len(y)) if negative is None else np.flatnonzero(np.isin(y, [positive, negative]))
    return members, np.where(y[members] == positive, 1, -1).astype(np.int8)


def _text(number: Fraction | None) -> str | None:
    """Returns a fraction as text, or None if it has more than 40 characters."""
    text = None if number is None else str(number)
    return text if text is not None and len(text) <= 40 else None
