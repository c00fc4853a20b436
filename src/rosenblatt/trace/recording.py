"""The stored form of a run for replay: 16 bytes for each mistake, and the initial weights."""

from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray

from rosenblatt.conventions.step import joint_score, misclassified, rivals_of
from rosenblatt.core import Rows

Array = NDArray[np.float64]


@dataclass(frozen=True)
class Recording:
    """The examples of a run, its rule and order. Labels are class positions; `positive` is None for the joint rule.

    Examples
    --------
    >>> from rosenblatt import Perceptron
    >>> recording = Perceptron(order="cyclic", record=True).fit([[0], [1]], [0, 1]).trace_.recording
    >>> recording.presented, recording.k, recording.i
    (8, array([0, 1, 2, 3, 4]), array([0, 1, 0, 1, 0]))
    """

    X: Any
    labels: NDArray[np.int32]
    members: NDArray[np.uint32]  # the indices of the examples in use, in order
    steps: Array  # eta0 times the sample weight, for each example
    order: str
    seed: int
    tie: str
    fit_intercept: bool
    positive: int | None
    start: Array  # [w₀, w₁, …]; one such row per class under the joint rule
    k: NDArray[np.int64] = field(repr=False)  # for each update: the number of examples presented before it
    i: NDArray[np.int64] = field(repr=False)  # for each update: the index of its example
    presented: int = 0
    epochs: int = 0
    scales: Array | None = field(default=None, repr=False)  # step of each update, if it differs from the example's step
    error_tie: str | None = None  # the tie rule of the reported errors, if it differs (L1, eq. 4)
    rivals: NDArray[np.int64] | None = field(default=None, repr=False)  # joint rule: the classes x was subtracted from
    first_rivals: NDArray[np.int64] | None = field(
        default=None, repr=False
    )  # index of each update's first; None: one each

    def x(self, i: int) -> Array:
        """Example i, with its constant 1 where there is an offset."""
        row = self.X[i : i + 1]
        x = np.asarray(row.toarray()[0] if sp.issparse(row) else row[0], dtype=np.float64)
        return np.concatenate([[1.0], x]) if self.fit_intercept else x

    def y(self, i: int) -> int:
        """The label as the rule uses it: ±1, or the class under the joint rule."""
        label = int(self.labels[i])
        return label if self.positive is None else (1 if label == self.positive else -1)

    def updated(self, w: Array, m: int) -> Array:
        """The weights after update m, as a new array."""
        w = w.copy()
        i = int(self.i[m])
        scale = float(self.steps[i] if self.scales is None else self.scales[m])
        x = self.x(i)
        if self.positive is None:
            rivals = self.rivals_of(m)
            if rivals is None:  # a file of an earlier version
                rivals = rivals_of(self._scores(self._row(i), w)[0], self.y(i))
            w[self.y(i)] += scale * len(rivals) * x
            for rival in rivals:
                w[rival] -= scale * x
        else:
            w += self.y(i) * (scale * x)
        return w

    def rivals_of(self, m: int) -> list[int] | None:
        """The classes that update m subtracted its example from, under the joint rule."""
        if self.rivals is None or self.first_rivals is None:
            return None if self.rivals is None else [int(self.rivals[m])]
        ends = [*self.first_rivals[m : m + 2], len(self.rivals)]
        return [int(rival) for rival in self.rivals[ends[0] : ends[1]]]

    def score(self, w: Array, i: int) -> float:
        """The score of example i as the run computed it, to the last bit."""
        scores = self._scores(self._row(i), w)[0]
        return float(scores[0]) if self.positive is not None else joint_score(scores, self.y(i))

    def scores(self, w: Array) -> Array:
        """The scores of all members."""
        scores = self._scores(self._member_rows, w)
        if self.positive is not None:
            return scores[:, 0]
        return np.array([joint_score(row, self.y(int(i))) for row, i in zip(scores, self.members, strict=True)])

    def errors(self, scores: Array) -> NDArray[np.bool_]:
        """Which members are errors under the tie rule for reported errors, given their scores."""
        return self.wrong(scores, self.error_tie)

    def wrong(self, scores: Array, tie: str | None = None) -> NDArray[np.bool_]:
        """Which members are misclassified, given their scores, under this tie rule (None: that of the updates)."""
        if self.positive is None:
            return scores <= 0
        return misclassified(scores, self._is_positive, tie or self.tie)

    def loss(self, scores: Array) -> float:
        """L2's loss over the members that are misclassified; an example on the plane adds nothing to it."""
        return float(np.abs(scores[self.wrong(scores)]).sum())

    @cached_property
    def _is_positive(self) -> NDArray[np.bool_]:
        return np.asarray(self.labels[self.members] == self.positive)

    @cached_property
    def _member_rows(self) -> Rows:
        return _rows(self.X[self.members])

    def _row(self, i: int) -> Rows:
        return _rows(self.X[i : i + 1])

    def _scores(self, rows: Rows, w: Array) -> Array:
        planes = np.atleast_2d(w)
        offset = int(self.fit_intercept)
        offsets = planes[:, 0] if offset else np.zeros(len(planes))
        return rows.scores(np.ascontiguousarray(planes[:, offset:]), np.ascontiguousarray(offsets))


def _rows(X: Any) -> Rows:
    if sp.issparse(X):
        return Rows.csr(X.data, X.indices, X.indptr.astype(X.indices.dtype, copy=False), X.shape[1])
    return Rows.dense(np.ascontiguousarray(X))
