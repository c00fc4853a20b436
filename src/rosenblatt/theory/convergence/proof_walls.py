"""The two inequalities of L3's convergence proof, evaluated along a run.

From a start v, after M mistakes with step eta0 (L3, eq. 9 to 13; û a separator of length one with margin γ):

    wᵀû  ≥ vᵀû + eta0·γ·M        a lower bound that grows with every mistake
    ‖w‖² ≤ ‖v‖² + eta0²·R²·M     an upper bound that grows more slowly

As wᵀû ≤ ‖w‖, both can hold only while M ≤ R²/γ² + 2‖v‖/(eta0·γ).
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

#: Tolerance for rounding, relative to the sizes compared; in exact arithmetic the inequalities need none.
_ROUNDING = 1e-9


@dataclass(frozen=True)
class Wall:
    """The state after M mistakes: wᵀû is at least `floor`, ‖w‖² at most `ceiling`.

    Examples
    --------
    >>> from rosenblatt import textbook, theory
    >>> steps = textbook.online([[1.0], [-1.0]], [1, -1], fit_intercept=False)
    >>> last = list(theory.proof_walls(steps, [1.0], gamma=1.0, radius=1.0))[-1]
    >>> last.mistakes, last.projection, last.floor, last.squared_norm, last.ceiling, last.holds
    (1, 1.0, 1.0, 1.0, 1.0, True)
    """

    mistakes: int
    example: int | None
    projection: float
    floor: float
    squared_norm: float
    ceiling: float

    @property
    def holds(self) -> bool:
        """Whether both inequalities hold, up to rounding."""
        slack = _ROUNDING * (1 + abs(self.floor) + self.ceiling)
        return self.projection >= self.floor - slack and self.squared_norm <= self.ceiling + slack


def proof_walls(
    steps: Iterable[Any] | NDArray[Any], separator: ArrayLike, *, gamma: float, radius: float, eta0: float = 1.0
) -> Iterator[Wall]:
    """The walls at the start and after each mistake.

    Parameters
    ----------
    steps : iterable of steps, or array of shape (mistakes + 1, dimensions)
        Steps as `textbook.online` yields them (anything with `i`, `mistake`, `w_before` and `w_after`), or the weights
        at the start and after each mistake.
    separator : vector
        û, in the run's space ([w₀, w₁, …] with an offset); of any length.
    gamma, radius : float
        A margin that û has on the run's examples, and their largest length; see `max_margin(augmented=True)`, `radius`.
    eta0 : float, default=1.0
        The step.

    Examples
    --------
    >>> from rosenblatt import textbook, theory
    >>> AND = [[0, 0], [0, 1], [1, 0], [1, 1]], [-1, -1, -1, 1]
    >>> walls = theory.proof_walls(textbook.online(*AND), [-3, 2, 2], gamma=17**-0.5, radius=3**0.5)
    >>> all(wall.holds for wall in walls)
    True
    """
    u = np.asarray(separator, dtype=np.float64)
    length = float(np.linalg.norm(u))
    if not length > 0:
        raise ValueError("the separator is the zero vector; it needs a direction.")
    u = u / length
    start: NDArray[Any] | None = None
    for mistakes, (example, w) in enumerate(_states(steps)):
        if w.shape != u.shape:
            raise ValueError(f"the weights have shape {w.shape} and the separator {u.shape}; they must agree.")
        start = w if start is None else start
        yield Wall(
            mistakes=mistakes,
            example=example,
            projection=float(w @ u),
            floor=float(start @ u) + eta0 * gamma * mistakes,
            squared_norm=float(w @ w),
            ceiling=float(start @ start) + (eta0 * radius) ** 2 * mistakes,
        )


def _states(steps: Iterable[Any] | NDArray[Any]) -> Iterator[tuple[int | None, NDArray[Any]]]:
    if isinstance(steps, np.ndarray):
        for w in steps:
            yield None, np.asarray(w, dtype=np.float64)
        return
    first = True
    for step in steps:
        if first:
            yield None, np.asarray(step.w_before, dtype=np.float64)
            first = False
        if step.mistake:
            yield int(step.i), np.asarray(step.w_after, dtype=np.float64)
