"""Hyperplanes: L0's plane from a point and a normal, signed distances, sides and projections."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from rosenblatt.theory.examples.sparse_type import is_sparse

Array = NDArray[np.float64]


@dataclass(frozen=True, eq=False, init=False)
class Hyperplane:
    """The points x with wᵀx + w₀ = 0; w points to the positive side.

    Two planes are equal when one is the other times a positive number, up to rounding: (4, −2), 2 is (2, −1), 1, but
    (−2, 1), −1 has its sides exchanged.

    >>> plane = Hyperplane([2, -1], 1)
    >>> plane.signed_distance([[0, 0], [-1, 1]]).round(6).tolist()
    [0.447214, -0.894427]
    >>> plane == Hyperplane([4, -2], 2), plane == Hyperplane([-2, 1], -1)
    (True, False)
    """

    w: Array
    w0: float

    def __init__(self, w: ArrayLike, w0: float = 0.0) -> None:
        normal = np.array(w, dtype=np.float64)
        if normal.ndim != 1 or normal.size == 0:
            raise ValueError(f"w must be a vector of at least one number; its shape is {normal.shape}.")
        if not (np.all(np.isfinite(normal)) and np.isfinite(w0)):
            raise ValueError("w and w0 must be finite numbers.")
        if not np.any(normal):
            raise ValueError("w is the zero vector, which is normal to no plane. Give it a direction.")
        normal.setflags(write=False)
        object.__setattr__(self, "w", normal)
        object.__setattr__(self, "w0", float(w0))

    @classmethod
    def from_point_normal(cls, point: ArrayLike, normal: ArrayLike) -> "Hyperplane":
        """The plane through `point` at a right angle to `normal` (L0): w₀ = −wᵀx₀."""
        x0, w = np.asarray(point, dtype=np.float64), np.asarray(normal, dtype=np.float64)
        if x0.shape != w.shape:
            raise ValueError(f"the point has shape {x0.shape} and the normal {w.shape}; they must agree.")
        return cls(w, -float(w @ x0))

    @classmethod
    def from_points(cls, points: ArrayLike) -> "Hyperplane":
        """The plane through d points of d dimensions.

        Its positive side is the one to which (1, 0, 0, …) points, or else (0, 1, 0, …), and so on.
        """
        P = np.array(points, dtype=np.float64)
        if P.ndim != 2 or P.shape[0] != P.shape[1]:
            raise ValueError(f"a plane in d dimensions is given by d points; got an array of shape {P.shape}.")
        if not np.all(np.isfinite(P)):
            raise ValueError("the points must be finite numbers.")
        d = len(P)
        edges = P[1:] - P[0]
        if d == 1:
            return cls([1.0], -float(P[0, 0]))
        _, sizes, directions = np.linalg.svd(edges)
        if sizes[-1] <= d * np.finfo(float).eps * sizes[0]:
            raise ValueError(f"the {d} points lie in a flat of lower dimension: more than one plane goes through them.")
        w = directions[-1]
        leading = w[np.flatnonzero(abs(w) > 1e-12 * abs(w).max())[0]]
        w = w * np.sign(leading)
        return cls(w, -float(w @ P.mean(axis=0)))

    @property
    def dimension(self) -> int:
        return len(self.w)

    def score(self, X: Any) -> Array:
        """Gives wᵀx + w₀ of one point or of each row."""
        X = X if is_sparse(X) else np.asarray(X, dtype=np.float64)
        if X.shape[-1] != len(self.w):
            raise ValueError(f"the points have {X.shape[-1]} features; this plane lies in {len(self.w)} dimensions.")
        scores: Array = np.asarray(X @ self.w + self.w0)
        return scores

    def signed_distance(self, X: Any) -> Array:
        """Gives r = (wᵀx + w₀)/‖w‖, positive on the side to which w points (L0)."""
        largest = abs(self.w).max()  # scaled so that squares neither overflow nor underflow
        distance: Array = self.score(X) / largest / np.linalg.norm(self.w / largest)
        return distance

    def side(self, X: Any) -> NDArray[np.int8]:
        """+1, −1, or 0 for points on the plane."""
        return np.sign(self.score(X)).astype(np.int8)

    def project(self, X: Any) -> Array:
        """The nearest point of the plane, for one point or for each row."""
        X = X.toarray() if is_sparse(X) else np.asarray(X, dtype=np.float64)
        unit = self.normalized()
        nearest: Array = X - np.multiply.outer(unit.score(X), unit.w)
        return nearest

    def normalized(self) -> "Hyperplane":
        """The same plane with ‖w‖ = 1, so that scores are signed distances."""
        largest = abs(self.w).max()
        w, w0 = self.w / largest, self.w0 / largest
        length = float(np.linalg.norm(w))
        return Hyperplane(w / length, w0 / length)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Hyperplane):
            return NotImplemented
        if len(self.w) != len(other.w):
            return False
        mine, theirs = _unit(self), _unit(other)
        return bool(np.all(abs(mine - theirs) <= 8 * np.finfo(float).eps * np.maximum(abs(mine), abs(theirs))))

    __hash__ = None  # type: ignore[assignment]  # equality is up to rounding, which no hash can respect


def _unit(plane: Hyperplane) -> Array:
    """The weights with the largest at ±1: the same for every positive multiple of the weights."""
    largest = abs(plane.w).max()
    form: Array = np.concatenate([[plane.w0 / largest], plane.w / largest])
    return form
