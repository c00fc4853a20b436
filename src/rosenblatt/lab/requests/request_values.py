"""Validates single values of a request. Requests are untrusted input: every value is checked before it is used."""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, TypeVar, get_args, overload

import numpy as np
from numpy.typing import NDArray

from rosenblatt.lab.limits import MAX_CLASSES, MAX_COLUMNS, MAX_POINTS

T = TypeVar("T")


class RefusedError(ValueError):
    """The request cannot be answered. The message gives the reason and a remedy."""


@dataclass(frozen=True)
class Points:
    """Labelled examples. A label is the number of its class on the page."""

    X: NDArray[np.float64]
    y: NDArray[np.int32]


def points_of(body: Mapping[str, Any]) -> Points:
    """Returns the examples of a request: `x` has one list of numbers per example, `y` one class number per example."""
    x, y = body.get("x"), body.get("y")
    if not isinstance(x, list) or not isinstance(y, list) or len(x) != len(y):
        raise RefusedError("x and y must be lists of the same length: rows of numbers, and class numbers.")
    if len(x) > MAX_POINTS:
        raise RefusedError(f"{len(x):,} points; the lab takes at most {MAX_POINTS:,}. Take a sample of them.")
    width = len(x[0]) if x and isinstance(x[0], list) else 2
    if not 1 <= width <= MAX_COLUMNS:
        raise RefusedError(f"a point has {width:,} numbers; the lab takes 1 to {MAX_COLUMNS:,}.")
    expected = "a pair" if width == 2 else f"a list of {width}"
    for place, row in enumerate(x):
        if not (isinstance(row, list) and len(row) == width and all(is_number(value) for value in row)):
            raise RefusedError(f"point {place + 1} is not {expected} of finite numbers.")
    for place, label in enumerate(y):
        if not (type(label) is int and 0 <= label < MAX_CLASSES):
            raise RefusedError(f"point {place + 1}: a class is a whole number from 0 to {MAX_CLASSES - 1}.")
    if not y:
        raise RefusedError("there are no points yet. Paint some, of at least two classes.")
    if len(set(y)) < 2:
        raise RefusedError("all points are of one class. Paint some of another: a perceptron tells classes apart.")
    return Points(np.array(x, dtype=np.float64).reshape(-1, width), np.array(y, dtype=np.int32))


def is_number(value: Any) -> bool:
    """Whether a JSON value is a finite number whose square does not overflow."""
    return (
        isinstance(value, int | float) and not isinstance(value, bool) and abs(value) < 1e150 and math.isfinite(value)
    )


def number(body: Mapping[str, Any], name: str, default: float, least: float = 1e-12, most: float = 1e12) -> float:
    value = body.get(name, default)
    if not (is_number(value) and least <= value <= most):
        raise RefusedError(f"{name} must be a number from {least:g} to {most:g}.")
    return float(value)


@overload
def whole(body: Mapping[str, Any], name: str, default: int, least: int, most: int) -> int: ...
@overload
def whole(body: Mapping[str, Any], name: str, default: None, least: int, most: int) -> int | None: ...
def whole(body: Mapping[str, Any], name: str, default: int | None, least: int, most: int) -> int | None:
    value = body.get(name)
    if value is None:
        return default
    if not (type(value) is int and least <= value <= most):
        raise RefusedError(f"{name} must be a whole number from {least:,} to {most:,}.")
    return value


def flag(body: Mapping[str, Any], name: str, default: bool) -> bool:
    value = body.get(name, default)
    if not isinstance(value, bool):
        raise RefusedError(f"{name} must be true or false.")
    return value


def choice(body: Mapping[str, Any], name: str, default: T, kind: Any) -> T:
    """Returns a value that must be one of those of the `Literal` type `kind`."""
    value = body.get(name, default)
    if not isinstance(value, str) or value not in get_args(kind):
        raise RefusedError(f"{name} must be one of {', '.join(get_args(kind))}.")
    return value  # type: ignore[return-value]  # checked to be one of the literals


def numbers(value: Any, size: int) -> bool:
    """Whether a value is a list of `size` finite numbers."""
    return isinstance(value, list) and len(value) == size and all(is_number(entry) for entry in value)
