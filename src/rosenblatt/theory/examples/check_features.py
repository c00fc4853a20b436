"""Checks X: a table of floats or integers, a CSR matrix, or exact numbers in an object array."""

from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rosenblatt.theory.examples.sparse_type import is_sparse

_EXACT_INTEGERS = 2.0**53  # float64 holds all integers up to this magnitude


def check_X(X: Any) -> Any:
    """Checks X: a two-dimensional array of floats or integers, or CSR. It is returned as given, without a copy."""
    X = X.tocsr() if is_sparse(X) else as_array(X)
    if X.ndim != 2 or X.shape[0] == 0 or X.shape[1] == 0:
        raise ValueError(
            f"X has shape {X.shape}; it must be a table of at least one row and one column. "
            "A single column is X.reshape(-1, 1)."
        )
    if X.dtype.kind == "O":
        return exact_numbers(X)
    if X.dtype.kind in "US":
        texts = X.reshape(-1).tolist()  # NumPy has made texts of the numbers beside a text
        first = next((k for k, text in enumerate(texts) if not _is_number(text)), 0)
        raise ValueError(_text(texts[first], *divmod(first, X.shape[1])))
    if X.dtype.kind not in "fiub" or X.dtype.itemsize > 8:
        raise ValueError(
            f"X holds {X.dtype}; exact proofs need float64, float32, float16 or integers. Convert it, for example by "
            "X.astype(float)."
        )
    return X


def as_array(X: Any) -> NDArray[Any]:
    """X as an array. Refuses tables whose values cannot be read as they are.

    Integers beside floats become float64, unless that would round them: then they stay integers in an object array.
    """
    if type(X) is np.ndarray:
        return X
    import narwhals.stable.v2 as nw  # not above: every `train` imports this module, and most pass an array

    if nw.dependencies.is_into_series(X) and not isinstance(X, np.ndarray):
        raise ValueError("X is a series; it must be a table of at least one row and one column: X.to_frame().")
    if nw.dependencies.is_polars_lazyframe(X):
        raise ValueError("X is a LazyFrame, whose values are not known yet. Give X.collect().")
    if not nw.dependencies.is_into_dataframe(X):
        return unrounded(X, "X")
    array = np.asarray(X)
    if not _may_be_rounded(array):
        return array
    frame = nw.from_native(X, eager_only=True)
    if not any(dtype.is_integer() for dtype in frame.schema.dtypes()):
        return array
    table = np.empty(frame.shape, dtype=object)
    for j, column in enumerate(frame.iter_columns()):
        table[:, j] = column.to_list()
    return table


def unrounded(values: Any, name: str) -> NDArray[Any]:
    """The values as an array. Where NumPy would round integers beside floats, they stay integers in an object array.

    Refuses a masked value: the array under a mask holds an arbitrary number there.
    """
    if np.ma.isMaskedArray(values) and np.ma.is_masked(values):
        row = int(np.argwhere(np.ma.getmaskarray(values))[0][0])
        raise ValueError(f"{name} is masked in row {row}. Drop the row or fill the gap: {name}.filled(value).")
    array = np.asarray(values)
    if isinstance(values, list | tuple) and _may_be_rounded(array):
        return np.array(values, dtype=object)
    return array


def _may_be_rounded(array: NDArray[Any]) -> bool:
    """Whether these floats may stand for integers that float64 does not hold."""
    return array.dtype.kind == "f" and bool(np.any(abs(array) >= _EXACT_INTEGERS))


def exact_numbers(X: NDArray[Any]) -> NDArray[Any]:
    """An object array as float64 or int64 where these hold every value exactly; else as integers and Fractions."""
    values = np.empty(X.size, dtype=object)
    for k, value in enumerate(X.reshape(-1).tolist()):
        try:
            number = Fraction(value.item() if isinstance(value, np.generic) else value)
        except (TypeError, ValueError, OverflowError):
            row, column = divmod(k, X.shape[1])
            if isinstance(value, str):
                raise ValueError(_text(value, row, column)) from None
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


def _text(value: str, row: int, column: int) -> str:
    return (
        f"X contains the text {value!r} in row {row}, column {column}; it must hold numbers. Encode texts as 0 "
        "and 1, for example by pandas.get_dummies(X), or leave the column out. theory.existence takes texts as "
        "categories."
    )


def _is_number(text: str | bytes) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True


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
