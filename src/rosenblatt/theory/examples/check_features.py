"""Checks X: a table of floats or integers, a CSR matrix, or exact numbers in an object array."""

from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rosenblatt.theory.examples.sparse_type import is_sparse


def check_X(X: Any) -> Any:
    """Checks X: a two-dimensional array of floats or integers, or CSR. It is returned as given, without a copy."""
    X = X.tocsr() if is_sparse(X) else np.asarray(X)
    if X.ndim != 2 or X.shape[0] == 0 or X.shape[1] == 0:
        raise ValueError(
            f"X has shape {X.shape}; it must be a table of at least one row and one column. "
            "A single column is X.reshape(-1, 1)."
        )
    if X.dtype.kind == "O":
        return exact_numbers(X)
    if X.dtype.kind not in "fiub" or X.dtype.itemsize > 8:
        raise ValueError(f"X holds {X.dtype}; exact proofs need float64, float32, float16 or integers.")
    return X


def exact_numbers(X: NDArray[Any]) -> NDArray[Any]:
    """An object array as float64 or int64 where these hold every value exactly; else as integers and Fractions."""
    values = np.empty(X.size, dtype=object)
    for k, value in enumerate(X.reshape(-1).tolist()):
        try:
            number = Fraction(value.item() if isinstance(value, np.generic) else value)
        except (TypeError, ValueError, OverflowError):
            row, column = divmod(k, X.shape[1])
            raise ValueError(
                f"X contains {value!r} in row {row}, column {column}, which is not a finite number. Drop the row or "
                "fill the gap."
            ) from None
        values[k] = number.numerator if number.denominator == 1 else number
    if all(_is_float(number) for number in values):
        return values.reshape(X.shape).astype(np.float64)
    if all(isinstance(number, int) and -(1 << 63) <= number < 1 << 63 for number in values):
        return values.reshape(X.shape).astype(np.int64)
    return values.reshape(X.shape)


def _is_float(number: int | Fraction) -> bool:
    try:
        return Fraction(float(number)) == number
    except OverflowError:
        return False


def check_floats(X: Any) -> Any:
    """X as `check_X` returns it, for functions that support float64, float32, float16 and int64 only."""
    X = check_X(X)
    if X.dtype.kind == "O":
        raise ValueError(
            "X holds numbers that neither float64 nor int64 holds exactly. Only separability() takes such numbers; "
            "here, round them first: X.astype(float)."
        )
    return X
