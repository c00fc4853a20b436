"""Encodes arrays as text: little-endian bytes in base64, which a page decodes into typed arrays without loss."""

import base64
from typing import Any

import numpy as np

_KINDS = {"u1": np.uint8, "u2": np.uint16, "u4": np.uint32, "f8": np.float64}


def packed(values: Any) -> dict[str, Any]:
    """Encodes an array of numbers as `{"type", "data"}`. Integers use the smallest type that holds the largest of them.

    >>> packed(np.array([1, 2, 300]))
    {'type': 'u2', 'data': 'AQACACwB'}
    """
    array = np.asarray(values)
    if array.dtype.kind == "f":
        kind = "f8"
    else:
        largest = int(array.max()) if array.size else 0
        kind = "u1" if largest < 1 << 8 else "u2" if largest < 1 << 16 else "u4"
    data = array.astype(np.dtype(_KINDS[kind]).newbyteorder("<")).tobytes()
    return {"type": kind, "data": base64.b64encode(data).decode()}
