"""A threshold unit: the perceptron as a part of a circuit, in exact numbers."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from numbers import Integral, Rational, Real
from typing import TYPE_CHECKING, Any, cast

import numpy as np
from numpy.typing import ArrayLike, NDArray

from rosenblatt.boolean.interval import Interval
from rosenblatt.boolean.rows import check_rows, check_variables
from rosenblatt.boolean.tables import MAX_VARIABLES, Table, linear_sums
from rosenblatt.conventions import TIES
from rosenblatt.conventions.ties import Tie
from rosenblatt.visible import visible

if TYPE_CHECKING:
    from rosenblatt.boolean.function import BooleanFunction

Number = int | Fraction


def exact(number: Any, what: str) -> Number:
    """The exact value of a number; an integer where it is one."""
    if isinstance(number, str | Rational) and not isinstance(number, Integral):
        value = Fraction(number)
    elif isinstance(number, Integral):
        return int(number)
    elif isinstance(number, Real) and math.isfinite(number):
        value = Fraction(float(number))
    else:
        raise ValueError(f"{what} is {number!r}; it must be a finite number.")
    return value.numerator if value.denominator == 1 else value


@dataclass(frozen=True, init=False)
class ThresholdUnit:
    """The unit that is 1 where w·x + w₀ > 0, and 0 where it is < 0; exact, whatever the numbers.

    Parameters
    ----------
    weights : sequence of numbers
        One a variable: integers, fractions or floats, taken at their exact values.
    offset : number
        The offset w₀.
    variables : sequence of str, default=None
        Their names; x1, x2, … unless given.
    tie : {"mistake", "positive", "negative"}, default="mistake"
        What a score of 0 is. "mistake" means that there should be none; it gives 0, as `Perceptron` predicts.

    Examples
    --------
    >>> both = ThresholdUnit([1, 1], -1.5, ["a", "b"])
    >>> print(both, both(1, 1), both(0, 1), both.offset_range("negative"))
    a + b - 3/2 > 0 1 0 (-2, -1]
    """

    weights: tuple[Number, ...]
    offset: Number
    variables: tuple[str, ...]
    tie: Tie

    def __init__(
        self, weights: Sequence[Any], offset: Any, variables: Sequence[str] | None = None, tie: Tie = "mistake"
    ) -> None:
        if tie not in TIES:
            raise ValueError(f"tie is {tie!r}; it must be one of {', '.join(map(repr, TIES))}.")
        numbers = tuple(exact(w, f"weights[{i}]") for i, w in enumerate(weights))
        object.__setattr__(self, "weights", numbers)
        object.__setattr__(self, "offset", exact(offset, "offset"))
        object.__setattr__(self, "variables", check_variables(variables, len(numbers)))
        object.__setattr__(self, "tie", tie)

    @property
    def n_variables(self) -> int:
        return len(self.weights)

    @cached_property
    def integers(self) -> tuple[int, ...]:
        """The unit in the smallest integers, [w₀, w₁, …]: a positive multiple of its numbers."""
        numbers = [Fraction(a) for a in (self.offset, *self.weights)]
        common = math.lcm(*(a.denominator for a in numbers))
        scaled = [int(a * common) for a in numbers]
        divisor = math.gcd(*scaled) or 1
        return tuple(a // divisor for a in scaled)

    def in_integers(self) -> "ThresholdUnit":
        """The same unit with integers for its weights and its offset.

        >>> ThresholdUnit([1, 1], -1.5).in_integers().integers
        (-3, 2, 2)
        """
        w0, *w = self.integers
        return ThresholdUnit(w, w0, self.variables, self.tie)

    @property
    def size(self) -> Number:
        """The sum of the weights' magnitudes, the offset left out: what `BooleanFunction.perceptron` minimises."""
        return exact(sum(abs(Fraction(w)) for w in self.weights), "size")

    def score(self, X: ArrayLike) -> NDArray[np.float64]:
        """Gives w·x + w₀ of one row or of each, rounded to float64 (`evaluate` decides exactly)."""
        rows, single = check_rows(X, self.variables)
        scale = self._scale()
        scores = np.array([float(scale * int(s)) for s in self._integer_scores(rows)])
        return cast(NDArray[np.float64], scores[0] if single else scores)

    def evaluate(self, X: ArrayLike) -> NDArray[np.int8]:
        """0 or 1 for one row of zeros and ones, or for each."""
        rows, single = check_rows(X, self.variables)
        out = self._fires(self._integer_scores(rows)).astype(np.int8)
        return cast(NDArray[np.int8], out[0] if single else out)

    def __call__(self, *values: int) -> int:
        return int(self.evaluate(np.array(values, dtype=object)))

    def table(self) -> Table:
        """Its truth table; see `rosenblatt.boolean.tables` for the order of rows."""
        return self._fires(self._sums(offset=True))

    def function(self) -> "BooleanFunction":
        """The function that it computes."""
        from rosenblatt.boolean.function import BooleanFunction  # a function makes units, too

        return BooleanFunction.from_table(self.table(), self.variables)

    def offset_range(self, tie: Tie | None = None) -> Interval:
        """The offsets with which these weights compute the same function.

        With t the smallest w·x of a row that gives 1 and m the largest of one that gives 0, w₀ lies in (−t, −m] if a
        tie is negative (L3: AND with weights 1, 1 has −2 < w₀ ≤ −1), in [−t, −m) if it is positive, in (−t, −m) if
        it is a mistake.

        Parameters
        ----------
        tie : {"mistake", "positive", "negative"}, default=None
            The tie rule of the unit with the new offset. None: this unit's own.
        """
        tie = self.tie if tie is None else tie
        if tie not in TIES:
            raise ValueError(f"tie is {tie!r}; it must be one of {', '.join(map(repr, TIES))}.")
        sums, fires = self._sums(offset=False), self.table()
        scale = self._scale()
        low = -scale * int(min(sums[fires])) if fires.any() else None
        high = -scale * int(max(sums[~fires])) if not fires.all() else None
        return Interval(low, high, tie == "positive" and low is not None, tie == "negative" and high is not None)

    def __invert__(self) -> "ThresholdUnit":
        """The unit that is 1 where this one is 0."""
        other: dict[Tie, Tie] = {"positive": "negative", "negative": "positive", "mistake": "positive"}
        w0, *w = self.integers
        never_zero = w0 % math.gcd(*w) != 0 if any(w) else w0 != 0
        tie = "mistake" if self.tie == "mistake" and never_zero else other[self.tie]
        return ThresholdUnit([-w for w in self.weights], -self.offset, self.variables, tie)

    def to_estimator(self) -> Any:
        """A fitted scikit-learn classifier on 0/1 features that predicts what this unit gives."""
        from rosenblatt.boolean.classifier import CircuitClassifier  # so that a unit does not pay for scikit-learn

        return CircuitClassifier.fitted(self)

    def to_dict(self) -> dict[str, Any]:
        """Plain types, ready for JSON; fractions as text."""
        return {
            "kind": "threshold unit",
            "variables": list(self.variables),
            "weights": [_plain(w) for w in self.weights],
            "offset": _plain(self.offset),
            "tie": self.tie,
        }

    @classmethod
    def from_dict(cls, stored: dict[str, Any]) -> "ThresholdUnit":
        """The way back from `to_dict`."""
        if stored.get("kind") != "threshold unit":
            raise ValueError(f"this is stored as {stored.get('kind')!r}, not as a 'threshold unit'.")
        return cls(stored["weights"], stored["offset"], stored["variables"], stored["tie"])

    def __str__(self) -> str:
        terms = [
            (w, "" if abs(w) == 1 else f"{abs(w)}·", name) for w, name in zip(self.weights, self.variables, strict=True)
        ]
        text = "".join(f" {'-' if w < 0 else '+'} {size}{visible(name)}" for w, size, name in terms if w)
        if self.offset or not text:
            text += f" {'-' if self.offset < 0 else '+'} {abs(self.offset)}"
        text = text.removeprefix(" + ")
        text = "-" + text[3:] if text.startswith(" - ") else text
        return f"{text} {'≥' if self.tie == 'positive' else '>'} 0"

    def __repr__(self) -> str:
        return f"<ThresholdUnit {self}>"

    def _scale(self) -> Fraction:
        """What one unit of `integers` is worth."""
        pairs = zip((self.offset, *self.weights), self.integers, strict=True)
        return next((Fraction(a) / b for a, b in pairs if b), Fraction(1))

    def _sums(self, offset: bool) -> NDArray[Any]:
        if self.n_variables > MAX_VARIABLES:
            raise ValueError(
                f"the unit has {self.n_variables} inputs, whose truth table is too long; at most {MAX_VARIABLES} are "
                "possible. evaluate works for any number."
            )
        w0, *w = self.integers
        return linear_sums(w, w0 if offset else 0)

    def _integer_scores(self, rows: NDArray[np.int8]) -> NDArray[Any]:
        w0, *w = self.integers
        dtype = np.int64 if sum(map(abs, self.integers)) < 1 << 62 else object
        return cast(NDArray[Any], rows.astype(dtype) @ np.array(w, dtype=dtype) + w0)

    def _fires(self, scores: NDArray[Any]) -> Table:
        return cast(Table, (scores >= 0 if self.tie == "positive" else scores > 0).astype(np.bool_))


def m_of_d(m: int, d: int, variables: Sequence[str] | None = None) -> ThresholdUnit:
    """The unit that is 1 where at least m of its d inputs are (L0): w = 2, w₀ = 1 − 2m, right under every tie rule.

    L0 asks for w₀ + mw ≥ 0 and w₀ + (m−1)w < 0: here they are 1 and −1.

    >>> print(m_of_d(2, 3))
    2·x1 + 2·x2 + 2·x3 - 3 > 0
    """
    if not 1 <= m <= d:
        raise ValueError(f"m is {m} and d is {d}; m must be 1 to d (fewer is always true, more always false).")
    return ThresholdUnit([2] * d, 1 - 2 * m, variables)


def _plain(number: Number) -> int | str:
    return number if isinstance(number, int) else str(number)
