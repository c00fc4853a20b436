"""A budget of work, counted in operations instead of seconds: an input gives the same answer on every machine."""

import math
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from numbers import Real

from rosenblatt.default_budgets import DEFAULT_BUDGETS, Search
from rosenblatt.meter import Meter

_BILLION = 1e9


class OutOfBudgetError(Exception):
    """The budget ran out before a proof was found."""


@dataclass
class _Call:
    """What a budget and its parts share: the progress line of the call, and whether another thread has stopped it."""

    meter: Meter | None = None
    stopped: bool = False


class Budget:
    """A limit on touched values: one number of X or of a working set, read or updated once; None is no limit.

    Exact arithmetic is charged by its operations and the length of its numbers, so that a unit takes about the same
    time everywhere: some 10⁹ units a second.
    """

    def __init__(self, limit: float | None = None, whole: "Budget | None" = None) -> None:
        self.limit = None if limit is None else check_limit(limit)
        self.used = 0.0
        self._call: _Call = _Call() if whole is None else whole._call
        self._before: float = 0.0 if whole is None else whole._before + whole.used

    @property
    def left(self) -> float:
        return float("inf") if self.limit is None else self.limit - self.used

    def part(self, limit: float) -> "Budget":
        """A smaller budget that counts its own work, which the caller charges to this one. It shows progress too."""
        return Budget(limit, self)

    def spend(self, work: float) -> None:
        """Charges work that is about to be done; raises, and charges nothing, if less than that is left."""
        if work > self.left:
            raise OutOfBudgetError
        self.used += work
        self.report()

    def charge(self, work: float) -> None:
        """Charges work whose cost is known only after it is done; raises if it was more than what was left."""
        self.used += work
        self.report()
        if self.left < 0:
            raise OutOfBudgetError

    def extend(self, work: float) -> None:
        """Raises the limit."""
        if self.limit is not None:
            self.limit += work

    def stop(self) -> None:
        """Lets the search end at its next charge; for another thread."""
        self._call.stopped = True

    def exact_solve(self, rows: int, columns: int, bits: int) -> None:
        """Charges the elimination of an integer matrix."""
        self.spend(5.0 * rows * columns * (150 + min(rows, columns)) * (1 + bits / 64) ** 2)

    def exact_products(self, count: int, bits: int = 0) -> None:
        """Charges products of a value of X, as an integer, with a weight of `bits` bits."""
        self.spend(250.0 * count * (1 + bits / 300))

    @contextmanager
    def shown(self, what: str) -> Iterator["Budget"]:
        """Shows the work of this budget and of its parts as the progress of a call, if stderr is a terminal."""
        limit = self.limit
        total = None if limit is None or math.isinf(limit) else limit / _BILLION
        with Meter(what, total, "billion touched values") as self._call.meter:
            try:
                yield self
            finally:
                self._call.meter = None

    def report(self) -> None:
        """Shows the work so far; raises if another thread has stopped the call."""
        if self._call.stopped:
            raise OutOfBudgetError
        if self._call.meter is not None:
            self._call.meter.update((self._before + self.used) / _BILLION)


def check_limit(limit: object) -> float:
    """The limit as a float, if it is a positive number."""
    if isinstance(limit, bool) or not isinstance(limit, Real):
        raise TypeError(
            f"budget is {limit!r}, of the type {type(limit).__name__}; it must be a positive number of touched values, "
            "such as 1e9 (about a second), math.inf for no limit, or None for the default."
        )
    try:
        checked = float(limit)
    except OverflowError:  # an integer beyond the largest float
        checked = -math.inf if limit < 0 else math.inf
    if not checked > 0:
        raise ValueError(
            f"budget is {checked:g}; it must be a positive number of touched values, such as 1e9 (about a second), "
            "math.inf for no limit, or None for the default."
        )
    return checked


def limit_of(search: Search, given: float | None) -> float:
    """The budget that the caller gave, checked, or the default of this search."""
    return DEFAULT_BUDGETS[search] if given is None else check_limit(given)
