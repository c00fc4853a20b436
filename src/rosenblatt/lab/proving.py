"""What can be proved of the points on a page: the margin and the bound on mistakes, or why no line separates them."""

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rosenblatt.lab.asking import Points, RefusedError, flag, is_number, number, points_of
from rosenblatt.lab.limits import PROOF_WORK
from rosenblatt.theory import mistake_bound, separability
from rosenblatt.theory.separability import Separability


def proof(body: Mapping[str, Any]) -> dict[str, Any]:
    """One class against another, or against all others where `negative` is null.

    The margin γ, the radius R and the separator are those of the space that the run uses: (1, x) with an offset.
    """
    points = points_of(body)
    members, signs = _problem(points, body.get("positive"), body.get("negative"))
    fit_intercept, eta0 = flag(body, "fit_intercept", True), number(body, "eta0", 1.0)
    start = _start(body, fit_intercept)
    X = points.X[members]
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
            bound = mistake_bound(X, signs, fit_intercept=fit_intercept, eta0=eta0, start=start, budget=PROOF_WORK)
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


def _problem(points: Points, positive: Any, negative: Any) -> tuple[NDArray[np.intp], NDArray[np.int8]]:
    """The points that take part, and their signs."""
    present = set(points.y.tolist())
    asked = [positive] if negative is None else [positive, negative]
    if not all(type(c) is int and c in present for c in asked) or positive == negative:
        raise RefusedError("positive and negative must be two classes that have points; negative may be null.")
    members = np.flatnonzero(np.isin(points.y, asked) | (negative is None))
    return members, np.where(points.y[members] == positive, 1, -1).astype(np.int8)


def _start(body: Mapping[str, Any], fit_intercept: bool) -> NDArray[np.float64]:
    size = 3 if fit_intercept else 2
    start = body.get("start", [0] * size)
    if not (isinstance(start, list) and len(start) == size and all(is_number(value) for value in start)):
        raise RefusedError(f"the start has {size} finite numbers here.")
    return np.array(start, dtype=np.float64)


def _text(number: Fraction | None) -> str | None:
    """A fraction, where it can be read."""
    text = None if number is None else str(number)
    return text if text is not None and len(text) <= 40 else None
