"""Examples whose values are small integers (pixels, counts). The core multiplies them faster than floats.

The products are exact in both representations, so the representation affects only the time.
"""

import numpy as np
from numpy.typing import NDArray

from rosenblatt.core import INTEGER_PAD, MULTIPLIES_BYTES
from rosenblatt.learning.rows.array_types import Matrix, is_csr

Integers = NDArray[np.int16] | NDArray[np.uint8]

_MAX_SUM = 2.0**31  # every inner product must be below this limit
_BLOCK_ROWS = 256
_CACHE_LINE = 64  # bytes; rows that are aligned to a cache line are read faster


def bytes_of(X: Matrix) -> int:
    """The maximum number of bytes that `narrowed` allocates."""
    return 2 * int(X.shape[0]) * _padded(int(X.shape[1]))


def narrowed(X: Matrix) -> Integers | None:
    """The examples as 8-bit or 16-bit integers, padded with zeros; None if a value or a product does not fit.

    |x·x′| and every partial sum of it is at most ‖x‖‖x′‖, so ‖x‖² < 2³¹ is sufficient.
    """
    if is_csr(X):
        return None
    if MULTIPLIES_BYTES and 255 * 128 * X.shape[1] < _MAX_SUM and (narrow := _cast(np.dtype(np.uint8), X)) is not None:
        return narrow
    return _cast(np.dtype(np.int16), X)


def _cast(dtype: np.dtype[np.int16] | np.dtype[np.uint8], X: NDArray[np.floating]) -> Integers | None:
    narrow = _aligned_zeros(X.shape[0], _padded(X.shape[1]), dtype)
    for begin in range(0, X.shape[0], _BLOCK_ROWS):
        part = X[begin : begin + _BLOCK_ROWS]
        mine = narrow[begin : begin + _BLOCK_ROWS, : X.shape[1]]
        with np.errstate(invalid="ignore"):  # an overflow changes the value, which the comparison below detects
            mine[...] = part
        if not np.array_equal(mine, part) or _norm_bound(mine) >= _MAX_SUM:
            return None
    return narrow


def alike(A: Integers, B: Integers) -> tuple[Integers, Integers]:
    """Converts both arrays to the wider of their types."""
    wide = np.result_type(A, B)
    return A.astype(wide, copy=False), B.astype(wide, copy=False)


def _aligned_zeros(rows: int, columns: int, dtype: np.dtype[np.int16] | np.dtype[np.uint8]) -> Integers:
    room = np.zeros(rows * columns * dtype.itemsize + _CACHE_LINE, dtype=np.uint8)
    begin = -room.ctypes.data % _CACHE_LINE
    return room[begin : begin + rows * columns * dtype.itemsize].view(dtype).reshape(rows, columns)


def _norm_bound(part: Integers) -> float:
    """An upper bound on ‖x‖² over the rows; exact only if the rough bound is not sufficient."""
    largest = max(float(part.max()), -float(part.min()))
    rough: float = largest * largest * part.shape[1]
    if rough < _MAX_SUM:
        return rough
    return float(np.einsum("ij,ij->i", part, part, dtype=np.float64).max())


def _padded(features: int) -> int:
    return -(-features // INTEGER_PAD) * INTEGER_PAD
