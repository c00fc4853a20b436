"""Intervals with open and closed ends; the offsets of a threshold unit form one."""

from dataclasses import dataclass
from fractions import Fraction


@dataclass(frozen=True)
class Interval:
    """The numbers between `low` and `high`; None means no bound on that side.

    >>> half_open = Interval(Fraction(-2), Fraction(-1), high_closed=True)
    >>> print(half_open, -2 in half_open, -1 in half_open)
    (-2, -1] False True
    """

    low: Fraction | None
    high: Fraction | None
    low_closed: bool = False
    high_closed: bool = False

    def __contains__(self, number: int | float | Fraction) -> bool:
        value = Fraction(number)
        above = self.low is None or value > self.low or (self.low_closed and value == self.low)
        below = self.high is None or value < self.high or (self.high_closed and value == self.high)
        return above and below

    def __str__(self) -> str:
        low = "(-∞" if self.low is None else f"{'[' if self.low_closed else '('}{self.low}"
        high = "∞)" if self.high is None else f"{self.high}{']' if self.high_closed else ')'}"
        return f"{low}, {high}"
