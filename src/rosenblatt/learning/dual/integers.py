"""Examples whose values are small integers (pixels, counts), whose inner products the core computes faster than BLAS.

The products are exact either way, so nothing but the time depends on it.
"""

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray
from threadpoolctl import ThreadpoolController

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


_alone = threading.Lock()  # a limit is kept for the whole process, and is to be found by the next as it was


def n_threads() -> int:
    """As many as BLAS would use for the same product, now."""
    with _alone:
        return max((int(library["num_threads"]) for library in _blas().info()), default=1)


@contextmanager
def one_blas_thread() -> Iterator[None]:
    """For the time of threads of our own: those of BLAS stay awake between two products, on processors ours need."""
    with _alone, _blas().limit(limits=1):
        yield


@cache  # it looks through all libraries that are loaded
def _blas() -> ThreadpoolController:
    return ThreadpoolController().select(user_api="blas")


def _padded(features: int) -> int:
    return -(-features // INTEGER_PAD) * INTEGER_PAD
