"""Examples whose values are small integers (pixels, counts): the core multiplies them faster than floats.

The products are exact either way, so nothing but the time depends on it.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from rosenblatt.core import INTEGER_PAD, MULTIPLIES_BYTES

Integers = NDArray[np.int16] | NDArray[np.uint8]

_SUM = 2.0**31  # what no inner product may reach
_PIECE = 256
_LINE = 64  # rows that begin with a line of the cache are read faster


def bytes_of(X: Any) -> int:
    """What `narrowed` would take at most."""
    return 2 * int(X.shape[0]) * _padded(int(X.shape[1]))


def narrowed(X: Any) -> Integers | None:
    """The examples as bytes or 16-bit integers, padded with zeros; None where a value or a product is none.

    |x·x′| and every part of it is at most ‖x‖‖x′‖, so it is enough that ‖x‖² stays below 2³¹.
    """
    if hasattr(X, "indptr"):
        return None
    if MULTIPLIES_BYTES and 255 * 128 * X.shape[1] < _SUM and (narrow := _held_by(np.dtype(np.uint8), X)) is not None:
        return narrow
    return _held_by(np.dtype(np.int16), X)


def _held_by(dtype: np.dtype[Any], X: Any) -> Integers | None:
    narrow = _aligned_zeros(X.shape[0], _padded(X.shape[1]), dtype)
    for begin in range(0, X.shape[0], _PIECE):
        part = X[begin : begin + _PIECE]
        mine = narrow[begin : begin + _PIECE, : X.shape[1]]
        with np.errstate(invalid="ignore"):  # a number that is too large becomes another, and is found out
            mine[...] = part
        if not np.array_equal(mine, part) or _longest(mine) >= _SUM:
            return None
    return narrow


def alike(A: Integers, B: Integers) -> tuple[Integers, Integers]:
    """Both in the wider of their types."""
    wide = np.result_type(A, B)
    return A.astype(wide, copy=False), B.astype(wide, copy=False)


def _aligned_zeros(rows: int, columns: int, dtype: np.dtype[Any]) -> NDArray[Any]:
    room = np.zeros(rows * columns * dtype.itemsize + _LINE, dtype=np.uint8)
    begin = -room.ctypes.data % _LINE
    return room[begin : begin + rows * columns * dtype.itemsize].view(dtype).reshape(rows, columns)


def _longest(part: Integers) -> float:
    """A bound on ‖x‖², as rough as is enough."""
    largest = max(float(part.max()), -float(part.min()))
    rough: float = largest * largest * part.shape[1]
    if rough < _SUM:
        return rough
    return float(np.einsum("ij,ij->i", part, part, dtype=np.float64).max())


def _padded(features: int) -> int:
    return -(-features // INTEGER_PAD) * INTEGER_PAD
