"""Threshold units: perceptrons as parts of circuits, in exact arithmetic."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from numbers import Integral, Rational, Real
from typing import TYPE_CHECKING, Any, cast

import numpy as np
from numpy.typing import ArrayLike, NDArray

from rosenblatt.boolean.input_checks import check_rows, check_variables
from rosenblatt.boolean.interval import Interval
from rosenblatt.boolean.truth_tables import MAX_VARIABLES, Table, linear_sums
from rosenblatt.conventions import TIES
from rosenblatt.conventions.ties import Tie
from rosenblatt.visible import visible

if TYPE_CHECKING:
    from rosenblatt.boolean.function import BooleanFunction

Number = int | Fraction


def exact(number: Any, what: str) -> Number:
    """Converts a number to its exact value: an int if it is an integer, else a Fraction."""
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
    """A unit with output 1 where w·x + w₀ > 0 and output 0 where it is < 0, computed exactly.

    Parameters
    ----------
    weights : sequence of numbers
        One weight per variable: integers, fractions or floats, taken at their exact values.
    offset : number
        The offset w₀.
    variables : sequence of str, default=None
        Names of the variables; x1, x2, … unless given.
    tie : {"mistake", "positive", "negative"}, default="mistake"
        The output at a score of 0: 1 for "positive", else 0. "mistake" expects that no row has a score of 0.

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
        _check_tie(tie)
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
        """[w₀, w₁, …] scaled by a positive factor to coprime integers."""
        numbers = [Fraction(a) for a in (self.offset, *self.weights)]
        common = math.lcm(*(a.denominator for a in numbers))
        scaled = [int(a * common) for a in numbers]
        divisor = math.gcd(*scaled) or 1
        return tuple(a // divisor for a in scaled)

    def in_integers(self) -> "ThresholdUnit":
        """The same unit with its weights and offset scaled to integers.

        >>> ThresholdUnit([1, 1], -1.5).in_integers().integers
        (-3, 2, 2)
        """
        w0, *w = self.integers
        return ThresholdUnit(w, w0, self.variables, self.tie)

    @property
    def size(self) -> Number:
        """Σ|w| without the offset, which `BooleanFunction.perceptron` minimises."""
        return exact(sum(abs(Fraction(w)) for w in self.weights), "size")

    def score(self, X: ArrayLike) -> NDArray[np.float64]:
        """w·x + w₀ for one row or for each row, rounded to float64; `evaluate` is exact."""
        rows, single = check_rows(X, self.variables)
        scale = self._scale()
        scores = np.array([float(scale * int(s)) for s in self._integer_scores(rows)])
        return cast(NDArray[np.float64], scores[0] if single else scores)

    def evaluate(self, X: ArrayLike) -> NDArray[np.int8]:
        """The output, 0 or 1, for one row of zeros and ones or for each row."""
        rows, single = check_rows(X, self.variables)
        out = self.fires(self._integer_scores(rows)).astype(np.int8)
        return cast(NDArray[np.int8], out[0] if single else out)

    def __call__(self, *values: int) -> int:
        return int(self.evaluate(np.array(values, dtype=object)))

    def table(self) -> Table:
        """The truth table; see `rosenblatt.boolean.truth_tables` for the order of rows."""
        return self.fires(self._sums(offset=True))

    def function(self) -> "BooleanFunction":
        """The function that the unit computes."""
        from rosenblatt.boolean.function import BooleanFunction  # avoids a circular import

        return BooleanFunction.from_table(self.table(), self.variables)

    def offset_range(self, tie: Tie | None = None) -> Interval:
        """The interval of offsets for which these weights compute the same function.

        Let t be the smallest w·x of a row with output 1, and m the largest w·x of a row with output 0. Then w₀ lies in
        (−t, −m] if ties are negative (L3: AND with weights 1, 1 has −2 < w₀ ≤ −1), in [−t, −m) if ties are positive,
        and in (−t, −m) if ties are mistakes.

        Parameters
        ----------
        tie : {"mistake", "positive", "negative"}, default=None
            The tie rule of the unit with the new offset. None: the tie rule of this unit.
        """
        tie = self.tie if tie is None else tie
        _check_tie(tie)
        sums, fires = self._sums(offset=False), self.table()
        scale = self._scale()
        low = -scale * int(min(sums[fires])) if fires.any() else None
        high = -scale * int(max(sums[~fires])) if not fires.all() else None
        return Interval(low, high, tie == "positive" and low is not None, tie == "negative" and high is not None)

    def __invert__(self) -> "ThresholdUnit":
        """The unit of the negated function."""
        other: dict[Tie, Tie] = {"positive": "negative", "negative": "positive", "mistake": "positive"}
        w0, *w = self.integers
        never_zero = w0 % math.gcd(*w) != 0 if any(w) else w0 != 0
        tie = "mistake" if self.tie == "mistake" and never_zero else other[self.tie]
        return ThresholdUnit([-w for w in self.weights], -self.offset, self.variables, tie)

    def to_estimator(self) -> Any:
        """A fitted scikit-learn classifier on 0/1 features that has the outputs of this unit."""
        # Imports scikit-learn, which is slow.
        from rosenblatt.boolean.circuit_classifier import CircuitClassifier

        return CircuitClassifier.fitted(self)

    def to_dict(self) -> dict[str, Any]:
        """Converts to plain types for JSON; fractions become text."""
        return {
            "kind": "threshold unit",
            "variables": list(self.variables),
            "weights": [_plain(w) for w in self.weights],
            "offset": _plain(self.offset),
            "tie": self.tie,
        }

    @classmethod
    def from_dict(cls, stored: dict[str, Any]) -> "ThresholdUnit":
        """The inverse of `to_dict`."""
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
        """The factor from `integers` to the unit's own numbers."""
        pairs = zip((self.offset, *self.weights), self.integers, strict=True)
        return next((Fraction(a) / b for a, b in pairs if b), Fraction(1))

    def _sums(self, offset: bool) -> NDArray[Any]:
        if self.n_variables > MAX_VARIABLES:
            raise ValueError(
                f"the unit has {self.n_variables} inputs; a truth table is limited to {MAX_VARIABLES}. evaluate works "
                "for any number of inputs."
            )
        w0, *w = self.integers
        return linear_sums(w, w0 if offset else 0)

    def _integer_scores(self, rows: NDArray[np.int8]) -> NDArray[Any]:
        w0, *w = self.integers
        dtype = np.int64 if sum(map(abs, self.integers)) < 1 << 62 else object
        return cast(NDArray[Any], rows.astype(dtype) @ np.array(w, dtype=dtype) + w0)

    def fires(self, scores: NDArray[Any]) -> Table:
        """Whether the output is 1 at each of these scores."""
        return cast(Table, (scores >= 0 if self.tie == "positive" else scores > 0).astype(np.bool_))


def _check_tie(tie: str) -> None:
    if tie not in TIES:
        raise ValueError(f"tie is {tie!r}; it must be one of {', '.join(map(repr, TIES))}.")


def m_of_d(m: int, d: int, variables: Sequence[str] | None = None) -> ThresholdUnit:
    """The unit whose output is 1 if at least m of its d inputs are 1 (L0): w = 2, w₀ = 1 − 2m; no row is a tie.

    L0 requires w₀ + mw ≥ 0 and w₀ + (m−1)w < 0; here they are 1 and −1.

    >>> print(m_of_d(2, 3))
    2·x1 + 2·x2 + 2·x3 - 3 > 0
    """
    if not 1 <= m <= d:
        raise ValueError(
            f"m is {m} and d is {d}; m must be 1 to d (a smaller m gives the constant 1, a larger m the constant 0)."
        )
    return ThresholdUnit([2] * d, 1 - 2 * m, variables)


def _plain(number: Number) -> int | str:
    return number if isinstance(number, int) else str(number)
