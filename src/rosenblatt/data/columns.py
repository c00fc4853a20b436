"""Arrow columns as NumPy arrays, straight from their buffers: `to_numpy` imports pandas wherever it is installed."""

from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray


def floats(column: pa.ChunkedArray) -> NDArray[np.float64]:
    """A float64 column; missing values are NaN. Without them, a column in one piece is not copied."""
    parts = []
    for chunk in column.chunks:
        values = _values(chunk, np.float64)
        parts.append(np.where(_valid(chunk), values, np.nan) if chunk.null_count else values)
    return _joined(parts, np.float64)


def integers(column: pa.ChunkedArray) -> NDArray[np.int32]:
    """An int32 column; missing values are -1."""
    parts = []
    for chunk in column.chunks:
        values = _values(chunk, np.int32)
        parts.append(np.where(_valid(chunk), values, np.int32(-1)) if chunk.null_count else values)
    return _joined(parts, np.int32)


def first_missing(column: pa.ChunkedArray) -> int:
    """The first row without a value; there must be one."""
    before = 0
    for chunk in column.chunks:
        if chunk.null_count:
            return before + int(np.argmin(_valid(chunk)))
        before += len(chunk)
    raise ValueError("the column is complete")


def coded(column: pa.ChunkedArray) -> tuple[list[str], NDArray[np.int32]]:
    """The different texts of a column, and each row's place among them (-1 where it is missing)."""
    if not pa.types.is_dictionary(column.type):
        column = column.dictionary_encode()
    chunks = column.unify_dictionaries().chunks
    texts: list[str] = chunks[0].dictionary.to_pylist() if chunks else []
    return texts, integers(pa.chunked_array([chunk.indices for chunk in chunks], pa.int32()))


def _values(chunk: pa.Array, kind: Any) -> NDArray[Any]:
    if not len(chunk):
        return np.empty(0, kind)
    return np.frombuffer(chunk.buffers()[1], kind, count=chunk.offset + len(chunk))[chunk.offset :]


def _valid(chunk: pa.Array) -> NDArray[np.bool_]:
    bits = np.frombuffer(chunk.buffers()[0], np.uint8)
    return np.unpackbits(bits, bitorder="little")[chunk.offset : chunk.offset + len(chunk)].astype(bool)


def _joined(parts: list[NDArray[Any]], kind: Any) -> NDArray[Any]:
    return parts[0] if len(parts) == 1 else np.concatenate([np.empty(0, kind), *parts])
