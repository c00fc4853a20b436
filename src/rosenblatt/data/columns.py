"""Arrow columns as NumPy arrays, straight from their buffers: `to_numpy` imports pandas wherever it is installed."""

from collections.abc import Iterable
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from rosenblatt.data.spelling import spelling


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
    return with_booleans(texts, integers(pa.chunked_array([chunk.indices for chunk in chunks], pa.int32())))


def with_booleans(texts: list[str], codes: NDArray[np.int32]) -> tuple[list[str], NDArray[np.int32]]:
    """The same texts, in which true and false are one word each, however a format or a program spells them.

    >>> with_booleans(["true", "no", "TRUE"], np.array([0, 1, 2, -1], dtype=np.int32))
    (['True', 'no'], array([ 0,  1,  0, -1], dtype=int32))
    """
    spelled = [spelling(text) for text in texts]
    if spelled == texts:
        return texts, codes
    words = {word: k for k, word in enumerate(dict.fromkeys(spelled))}
    # A missing value is -1, the last entry.
    return list(words), np.array([*(words[word] for word in spelled), -1], dtype=np.int32)[codes]


def first_twice(names: Iterable[str]) -> str | None:
    """The first name that has occurred before."""
    seen: set[str] = set()
    for name in names:
        if name in seen:
            return name
        seen.add(name)
    return None


def _values(chunk: pa.Array, kind: Any) -> NDArray[Any]:
    if not len(chunk):
        return np.empty(0, kind)
    return np.frombuffer(chunk.buffers()[1], kind, count=chunk.offset + len(chunk))[chunk.offset :]


def _valid(chunk: pa.Array) -> NDArray[np.bool_]:
    bits = np.frombuffer(chunk.buffers()[0], np.uint8)
    return np.unpackbits(bits, bitorder="little")[chunk.offset : chunk.offset + len(chunk)].astype(bool)


def _joined(parts: list[NDArray[Any]], kind: Any) -> NDArray[Any]:
    return parts[0] if len(parts) == 1 else np.concatenate([np.empty(0, kind), *parts])


def is_number(kind: pa.DataType) -> bool:
    """Whether a column of this type is one of numbers."""
    types = pa.types
    return bool(types.is_integer(kind) or types.is_floating(kind) or types.is_decimal(kind) or types.is_null(kind))
