"""A recorded run of the dual perceptron: its state is one coefficient per example, and the offset."""

from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from rosenblatt.conventions.step import joint_score
from rosenblatt.trace.recording import Array, Recording

_ROWS = 1024  # examples scored together


class KernelValues(Protocol):
    """Kernel values between examples, given by their indices."""

    def between(self, rows: Any, columns: Any) -> Array: ...


@dataclass(frozen=True)
class DualRecording(Recording):
    """Vectors are [b, α₁y₁, α₂y₂, …] with an offset, and an example is (1, k(x, x₁), k(x, x₂), …): a score is w·x.

    Examples
    --------
    >>> from rosenblatt import KernelPerceptron
    >>> X, y = [[0, 0], [0, 1], [1, 0], [1, 1]], [0, 1, 1, 0]
    >>> model = KernelPerceptron(kernel="poly", degree=2, gamma=1, coef0=1, record=True).fit(X, y)
    >>> isinstance(model.trace_.recording, DualRecording)
    True
    """

    kernel: KernelValues | None = None

    def x(self, i: int) -> Array:
        values = self._values(np.array([i]), np.arange(len(self.labels)))[0]
        return np.concatenate([[1.0], values]) if self.fit_intercept else values

    def updated(self, w: Array, m: int) -> Array:
        w = w.copy()
        i = int(self.i[m])
        places = [0, 1 + i] if self.fit_intercept else [i]
        step = float(self.steps[i])
        if self.positive is None:
            rivals = self.rivals_of(m) or []
            w[self.y(i), places] += step * len(rivals)
            w[np.ix_(rivals, places)] -= step
        else:
            w[places] += self.y(i) * step
        return w

    def score(self, w: Array, i: int) -> float:
        """The score of example i, recomputed from the coefficients."""
        return float(self._scores_of(w, np.array([i]))[0])

    def scores(self, w: Array) -> Array:
        parts = [self._scores_of(w, self.members[k : k + _ROWS]) for k in range(0, len(self.members), _ROWS)]
        return np.concatenate(parts)

    def _scores_of(self, w: Array, examples: NDArray[Any]) -> Array:
        scores = self._plane_scores(w, examples)
        if self.positive is not None:
            return scores[:, 0]
        return np.array([joint_score(row, self.y(int(i))) for row, i in zip(scores, examples, strict=True)])

    def _plane_scores(self, w: Array, examples: NDArray[Any]) -> Array:
        planes = np.atleast_2d(w)
        coef = planes[:, int(self.fit_intercept) :]
        used = np.flatnonzero(coef.any(axis=0))
        offsets = planes[:, 0] if self.fit_intercept else np.zeros(len(planes))
        return self._values(examples, used) @ coef[:, used].T + offsets

    def _values(self, rows: NDArray[Any], columns: NDArray[Any]) -> Array:
        if self.kernel is None:
            raise ValueError("This recording has no kernel to be replayed with.")
        return self.kernel.between(rows, columns)
