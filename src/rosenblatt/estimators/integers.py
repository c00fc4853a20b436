"""Examples whose values are small integers (pixels, counts), whose inner products the core computes faster than BLAS.

The products are exact either way, so nothing but the time depends on it.
"""

from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray
from threadpoolctl import ThreadpoolController

from rosenblatt.core import INTEGER_PAD

Integers = NDArray[np.int16]

_SUM = 2.0**31  # what no inner product may reach
_PIECE = 256


def bytes_of(X: Any) -> int:
    """What `narrowed` would take."""
    return 2 * int(X.shape[0]) * _padded(int(X.shape[1]))


def narrowed(X: Any) -> Integers | None:
    """The examples as 16-bit integers, padded with zeros; None where a value is no such number or a product too large.

    |x·x′| and every part of it is at most ‖x‖‖x′‖, so it is enough that ‖x‖² stays below 2³¹.
    """
    if hasattr(X, "indptr"):
        return None
    narrow = np.zeros((X.shape[0], _padded(X.shape[1])), dtype=np.int16)
    for begin in range(0, X.shape[0], _PIECE):
        part = X[begin : begin + _PIECE]
        mine = narrow[begin : begin + _PIECE, : X.shape[1]]
        with np.errstate(invalid="ignore"):  # a number too large for 16 bits becomes another, and is found out
            mine[...] = part
        if not np.array_equal(mine, part) or _longest(mine) >= _SUM:
            return None
    return narrow


def _longest(part: Integers) -> float:
    """A bound on ‖x‖², as rough as is enough."""
    largest = max(float(part.max()), -float(part.min()))
    rough: float = largest * largest * part.shape[1]
    if rough < _SUM:
        return rough
    return float(np.einsum("ij,ij->i", part, part, dtype=np.float64).max())


def n_threads() -> int:
    """As many as BLAS would use for the same product, now."""
    return max((int(library["num_threads"]) for library in _blas().info()), default=1)


@cache  # it looks through all libraries that are loaded
def _blas() -> ThreadpoolController:
    return ThreadpoolController().select(user_api="blas")


def _padded(features: int) -> int:
    return -(-features // INTEGER_PAD) * INTEGER_PAD
