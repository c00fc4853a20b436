"""Arrays as the bytes of a safetensors file, without copying them: a model may have hundreds of millions of weights.

The file is the length of a header (64 bits, little-endian), the header as JSON with the type, shape and place of each
array, and the arrays one after the other, little-endian.
"""

import json
from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

_TYPES = {"int64": "I64", "float64": "F64", "float32": "F32", "uint32": "U32", "int32": "I32", "bool": "BOOL"}
_ALIGNED = 8


def safetensors_parts(tensors: Mapping[str, NDArray[Any]]) -> list[memoryview]:
    """The file in parts. Wide types come first, so that every value lies at a multiple of its size."""
    kinds = list(_TYPES)
    names = sorted(tensors, key=lambda name: (kinds.index(tensors[name].dtype.name), name))
    header, parts, end = {}, [], 0
    for name in names:
        array = np.ascontiguousarray(tensors[name])
        array = array.astype(array.dtype.newbyteorder("<"), copy=False)
        begin, end = end, end + array.nbytes
        header[name] = {"dtype": _TYPES[array.dtype.name], "shape": list(array.shape), "data_offsets": [begin, end]}
        if array.nbytes:
            parts.append(array.reshape(-1).view(np.uint8).data)
    text = json.dumps(header, separators=(",", ":"), ensure_ascii=False).encode()
    text += b" " * (-len(text) % _ALIGNED)
    return [memoryview(len(text).to_bytes(8, "little") + text), *parts]
