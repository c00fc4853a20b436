"""Training on a truth table: what the perceptron learned, compared with the smallest unit."""

import warnings
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from rosenblatt.boolean.unit import ThresholdUnit
from rosenblatt.conventions import Convention
from rosenblatt.textbook import Run, online, run

if TYPE_CHECKING:
    from rosenblatt.boolean.function import BooleanFunction
    from rosenblatt.estimators import Perceptron

#: The most steps of a `trace` without a limit: some ten seconds, and 0.5 GB.
_MAX_STEPS = 1_000_000
_LIMITS = ("max_iter", "max_steps", "max_updates")


@dataclass(frozen=True)
class Lesson:
    """A perceptron trained on a truth table, compared with the smallest unit of the function.

    Examples
    --------
    >>> from rosenblatt import conventions
    >>> from rosenblatt.boolean import BooleanFunction
    >>> lesson = BooleanFunction("a and b").train(conventions.L3)
    >>> lesson.status, lesson.n_mistakes
    ('separated', 10)
    >>> print(lesson.learned, "against", lesson.smallest)
    4·a + 2·b - 4 > 0 against a + b - 1 > 0
    """

    function: "BooleanFunction"
    convention: str | None
    estimator: "Perceptron"

    @property
    def status(self) -> str:
        return str(self.estimator.status_)

    @property
    def n_mistakes(self) -> int:
        return int(self.estimator.n_mistakes_)

    @property
    def n_iter(self) -> int:
        return int(self.estimator.n_iter_)

    @property
    def cycle(self) -> int | None:
        return self.estimator.cycle_

    @cached_property
    def learned(self) -> ThresholdUnit:
        """The unit with the final weights of the run, in exact numbers and under its tie rule."""
        weights, offset = self.estimator.coef_[0], self.estimator.intercept_[0]
        return ThresholdUnit(weights, offset, self.function.variables, self.estimator.tie)

    @cached_property
    def smallest(self) -> ThresholdUnit | None:
        """The smallest unit under the same tie rule; None if no unit computes the function."""
        return self.function.perceptron(self.estimator.tie) if self.function.is_threshold else None

    @cached_property
    def wrong_rows(self) -> list[int]:
        """The rows where the learned unit differs from the function."""
        return [int(row) for row in np.flatnonzero(self.learned.table() != self.function.table)]

    @property
    def is_right(self) -> bool:
        return not self.wrong_rows

    def explain(self) -> str:
        """Describes in words how the run ended and how its unit compares with the smallest."""
        under = "" if self.convention is None else f" under {self.convention}"
        period = f", with period {self.cycle}," if self.cycle else ""
        lines = [
            f"The run{under} ended '{self.status}'{period} after {self.n_mistakes} mistakes in {self.n_iter} epochs."
        ]
        right = (
            "computes the function"
            if self.is_right
            else f"is wrong in {len(self.wrong_rows)} of {self.function.table.size} rows"
        )
        lines.append(f"Learned:  {self.learned}; it {right}.")
        if self.smallest is None:
            lines.append(f"Smallest: none. {self.function.refutation}")
            return "\n".join(lines)
        room = self.smallest.offset_range()
        lines.append(f"Smallest: {self.smallest}; its offset may be anywhere in {room}.")
        if self.is_right:
            learned = self.learned.in_integers()
            lines.append(
                f"In integers the learned weights add up to {learned.size}, the smallest to {self.smallest.size}; "
                f"the learned offset may be anywhere in {self.learned.offset_range()}."
            )
        elif not self.estimator.fit_intercept:
            lines.append("The run had no offset to learn (fit_intercept=False); the smallest unit has one.")
        return "\n".join(lines)


def train(function: "BooleanFunction", convention: Mapping[str, Any] | None, parameters: dict[str, Any]) -> Lesson:
    """Fits a `Perceptron` to the truth table, rows in order."""
    from sklearn.exceptions import ConvergenceWarning

    from rosenblatt.estimators import Perceptron

    if function.table.all() or not function.table.any():
        raise ValueError(
            f"the function is constant {int(function.table[0])}, so there are no two classes to learn. perceptron() "
            "returns its unit."
        )
    chosen = {"order": "cyclic", **(convention or {}), **parameters}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)  # the Lesson reports how the run ended
        estimator = Perceptron(**chosen).fit(function.inputs().astype(float), function.table.astype(int))
    return Lesson(function, convention.name if isinstance(convention, Convention) else None, estimator)


def trace(function: "BooleanFunction", convention: Mapping[str, Any] | None, parameters: dict[str, Any]) -> Run:
    """Runs the textbook algorithm over the truth table, rows in order."""
    chosen = {**(convention or {}), **parameters}
    if not any(chosen.get(limit) is not None for limit in _LIMITS):
        # The textbook algorithm does not detect a stall, and each of its steps is kept.
        chosen["max_iter"] = max(1, min(1000, _MAX_STEPS // function.table.size))
    return run(online(function.inputs().astype(float), np.where(function.table, 1, -1), **chosen))
