"""Numbers of any type as exact integers: a column times a positive scale."""

from fractions import Fraction
from math import lcm
from typing import Any

import numpy as np
from numpy.typing import NDArray

Integers = NDArray[Any]  # int64, or Python integers in an object array

_SHORT = 62  # magnitudes of at most this many bits are stored as int64


def exact_column(values: Any, name: str) -> tuple[Integers, int]:
    """The integers `scale · value` and the scale, which is as small as possible; refuses NaN and infinity.

    >>> exact_column(np.array([0.5, -3.0, 0.25]), "dose")
    (array([  2, -12,   1]), 4)
    """
    values = np.asarray(values)
    if values.dtype.kind == "O":
        return _from_objects(values, name)
    if values.dtype.kind in "iub":
        long = values.dtype.itemsize == 8 and magnitude(values).bit_length() > _SHORT
        return (shortest(values.tolist()) if long else values.astype(np.int64)), 1
    if values.dtype.kind != "f" or values.dtype.itemsize > 8:
        raise ValueError(
            f"Column {name!r} holds {values.dtype}; it must hold numbers (float64 or smaller, integers, booleans, "
            "Fraction, Decimal) or texts, which are taken as categories. Convert it or leave it out."
        )
    return _from_floats(values.astype(np.float64), name)


def shortest(values: list[int]) -> Integers:
    """The integers as int64 where they fit, else as Python integers."""
    if max(map(abs, values), default=0).bit_length() <= _SHORT:
        return np.array(values, dtype=np.int64)
    return np.array([*values, None], dtype=object)[:-1]


def magnitude(values: Integers) -> int:
    """The largest absolute value; 0 for an empty array."""
    return max(abs(int(values.max())), abs(int(values.min()))) if values.size else 0


def widened(values: Integers, factor: int) -> Integers:
    """The same integers in a type that holds sums of up to `factor` of them."""
    if values.dtype == np.int64 and (magnitude(values) * factor).bit_length() > _SHORT:
        return values.astype(object)
    return values


def _from_floats(values: NDArray[np.float64], name: str) -> tuple[Integers, int]:
    finite = np.isfinite(values)
    if not finite.all():
        row = int(np.argmin(finite))
        raise ValueError(
            f"Column {name!r} has {values[row]} in row {row}. Existence is decided for complete data: drop the row or "
            "fill the gap."
        )
    fractions, exponents = np.frexp(values)
    numbers = np.ldexp(fractions, 53).astype(np.int64)
    nonzero = numbers != 0
    trailing = np.frexp((numbers & -numbers).astype(np.float64))[1] - 1
    trailing[~nonzero] = 0
    numbers >>= trailing
    powers = exponents.astype(np.int64) - 53 + trailing
    powers[~nonzero] = 0
    low = min(0, int(powers.min(initial=0)))
    up = powers - low
    if int((exponents[nonzero] - low).max(initial=0)) <= _SHORT:
        return numbers << up, 2**-low
    return shortest([a << s for a, s in zip(numbers.tolist(), up.tolist(), strict=True)]), 2**-low


def _from_objects(values: NDArray[Any], name: str) -> tuple[Integers, int]:
    numbers = []
    for row, value in enumerate(values.tolist()):
        try:
            if isinstance(value, str | bytes):
                raise TypeError
            numbers.append(Fraction(value))
        except (TypeError, ValueError, OverflowError) as error:
            raise ValueError(
                f"Column {name!r} has {value!r} in row {row}, which is not a finite number. Correct it, drop the row "
                "or leave the column out."
            ) from error
    scale = lcm(*(q.denominator for q in numbers)) if numbers else 1
    return shortest([q.numerator * (scale // q.denominator) for q in numbers]), scale
