"""Sets of allowed values, each with its description: the kinds of the parameters and of a dialect's choices.

NumPy is not imported here, because the command line reads the table of parameters even to print its help.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from math import isfinite
from numbers import Integral, Real
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from typing_extensions import TypeIs


class ParameterError(ValueError):
    """A parameter that an algorithm does not have, or a value that it does not take."""


@dataclass(frozen=True)
class Kind:
    """A set of allowed values and its description."""

    means: str
    holds: Callable[[Any], bool]
    choices: tuple[str, ...] = ()

    def __or__(self, other: "Kind") -> "Kind":
        return Kind(
            f"{self.means} or {other.means}",
            lambda value: self.holds(value) or other.holds(value),
            self.choices + other.choices,
        )

    def includes(self, value: Any) -> bool:
        """Whether a value of any type is allowed. A value from a file may not support comparison."""
        try:
            return bool(self.holds(value))
        except (TypeError, ValueError, OverflowError):
            return False


def _is_flag(value: Any) -> bool:
    return isinstance(value, bool) or _is_numpy(value, "bool", "bool_")


def _is_numpy(value: Any, *names: str) -> bool:
    """Whether the value has one of these NumPy types. Does not import NumPy."""
    kind = type(value)
    return kind.__module__.partition(".")[0] == "numpy" and kind.__name__ in names


def _is_real(value: Any) -> bool:
    if not isinstance(value, Real) or _is_flag(value):
        return False
    try:
        return isfinite(float(value))
    except OverflowError:  # an integer beyond the largest float
        return False


def is_whole(value: object) -> "TypeIs[int]":
    """Whether the value is an integer, of Python or of NumPy."""
    return isinstance(value, Integral) and not _is_flag(value)


def one_of(*names: str) -> Kind:
    quoted = ", ".join(map(repr, names))
    return Kind(f"one of {quoted}", lambda value: isinstance(value, str) and value in names, names)


def whole(least: int) -> Kind:
    """An integer ≥ `least` that fits in the core's 64-bit unsigned integers."""
    return Kind(f"an integer ≥ {least} and < 2**64", lambda value: is_whole(value) and least <= value < 2**64)


FINITE = Kind("a finite number", _is_real)
NOT_NEGATIVE = Kind("a finite number ≥ 0", lambda value: _is_real(value) and value >= 0)
POSITIVE = Kind("a finite number > 0", lambda value: _is_real(value) and value > 0)
FRACTION = Kind("a number in [0, 1]", lambda value: _is_real(value) and 0 <= value <= 1)
OPEN_FRACTION = Kind("a number in (0, 1)", lambda value: _is_real(value) and 0 < value < 1)
FLAG = Kind("True or False", _is_flag)
NONE = Kind("None", lambda value: value is None)
CALLABLE = Kind("a function", callable)
COUNT = whole(1)
INTEGER = Kind("an integer ≥ -2**31 and < 2**31", lambda value: is_whole(value) and -(2**31) <= value < 2**31)
CLASS_WEIGHT = Kind("'balanced' or a dict of weights", lambda value: isinstance(value, Mapping) or value == "balanced")
RANDOM_STATE = Kind(
    "an integer ≥ 0 and < 2**64, a RandomState or None",
    lambda value: value is None or _is_numpy(value, "RandomState") or (is_whole(value) and 0 <= value < 2**64),
)


def check_kind(label: str, name: str, value: Any, kind: Kind) -> None:
    """Raises `ParameterError` for a value that is not of this kind."""
    if not kind.holds(value):
        raise ParameterError(f"{label}: {name} must be {kind.means}; got {value!r}.")
