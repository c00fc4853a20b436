"""Arrow columns as NumPy arrays, straight from their buffers: `to_numpy` imports pandas wherever it is installed."""

from collections.abc import Callable, Iterable
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from rosenblatt.data.columns.booleans import spelling
from rosenblatt.data.columns.dates import DateFormat
from rosenblatt.data.columns.missing import MISSING
from rosenblatt.data.columns.number_text import NumberFormat


def floats(column: pa.ChunkedArray) -> NDArray[np.float64]:
    """A numeric column as float64; missing values are NaN. A complete float64 column in one piece is not copied.

    Integers and floats are read from their buffers, because `cast` imports pyarrow.compute, which takes longer than the
    conversion of most files.
    """
    if not (pa.types.is_integer(column.type) or pa.types.is_floating(column.type)):
        column = column.cast(pa.float64(), safe=False)
    stored = column.type.to_pandas_dtype()
    parts = []
    for chunk in column.chunks:
        values = _values(chunk, stored).astype(np.float64, copy=False)
        parts.append(np.where(_valid(chunk), values, np.nan) if chunk.null_count else values)
    return joined(parts, np.float64)


def integers(column: pa.ChunkedArray) -> NDArray[np.int32]:
    """An int32 column; missing values are -1."""
    parts = []
    for chunk in column.chunks:
        values = _values(chunk, np.int32)
        parts.append(np.where(_valid(chunk), values, np.int32(-1)) if chunk.null_count else values)
    return joined(parts, np.int32)


def first_missing(column: pa.ChunkedArray) -> int:
    """The first row without a value; there must be one."""
    before = 0
    for chunk in column.chunks:
        if chunk.null_count:
            return before + int(np.argmin(_valid(chunk)))
        before += len(chunk)
    raise ValueError("the column is complete")


def coded(column: pa.ChunkedArray) -> tuple[list[str], NDArray[np.int32]]:
    """The distinct texts of a column, and each row's position among them (-1 for a missing value)."""
    if not pa.types.is_dictionary(column.type):
        column = column.dictionary_encode()
    chunks = column.unify_dictionaries().chunks
    texts: list[str] = chunks[0].dictionary.to_pylist() if chunks else []
    return _without_missing(
        *with_booleans(texts, integers(pa.chunked_array([chunk.indices for chunk in chunks], pa.int32())))
    )


def _without_missing(texts: list[str], codes: NDArray[np.int32]) -> tuple[list[str], NDArray[np.int32]]:
    """The same texts without the words that stand for a missing value, whose code becomes -1."""
    if not any(text is None or text in MISSING or not text.strip() for text in texts):
        return texts, codes
    present = [text for text in texts if text is not None and text not in MISSING and text.strip()]
    places = {text: k for k, text in enumerate(present)}
    return present, np.array([*(places.get(text, -1) for text in texts), -1], dtype=np.int32)[codes]


_BOOLEANS = {"True": 1.0, "False": 0.0}

Parsed = tuple[NDArray[np.float64], list[str], int]


def numbers_of_text(column: pa.ChunkedArray, form: NumberFormat | None, *, booleans: bool = False) -> Parsed:
    """The numbers of a text column (NaN for other texts), the texts that are not numbers, and the number of values.

    With `booleans`, True is 1 and False is 0, as in data frames.
    """
    parse = (form or NumberFormat()).parse
    return _parsed(column, (lambda text: _BOOLEANS.get(text, parse(text))) if booleans else parse)


def dates_of_text(column: pa.ChunkedArray, form: DateFormat) -> Parsed:
    """The same for dates, in seconds since 1970."""
    return _parsed(column, form.parse)


def _parsed(column: pa.ChunkedArray, parse: Callable[[str], float | None]) -> Parsed:
    texts, codes = coded(column)
    values = [parse(text) for text in texts]
    misfits = [text for text, value in zip(texts, values, strict=True) if value is None]
    if misfits:  # a selection of rows keeps texts of other rows in its dictionary
        occurring = {texts[code] for code in np.unique(codes[codes >= 0]).tolist()}
        misfits = [text for text in misfits if text in occurring]
    numbers = np.array([*(np.nan if value is None else value for value in values), np.nan])[codes]
    count = int(np.isnan(numbers).sum() - (codes < 0).sum()) if misfits else 0
    return numbers, misfits, count


def with_booleans(texts: list[str], codes: NDArray[np.int32]) -> tuple[list[str], NDArray[np.int32]]:
    """The same texts without spaces around them, with one spelling of true and of false for all formats and programs.

    >>> with_booleans(["true", "no ", "TRUE"], np.array([0, 1, 2, -1], dtype=np.int32))
    (['True', 'no'], array([ 0,  1,  0, -1], dtype=int32))
    """
    return _respelled(texts, codes, spelling)


def in_lower_case(texts: list[str], codes: NDArray[np.int32]) -> tuple[list[str], NDArray[np.int32]]:
    """The same texts in lower case, except for true and false.

    >>> in_lower_case(["YES", "True", "yes"], np.array([0, 1, 2], dtype=np.int32))
    (['yes', 'True'], array([0, 1, 0], dtype=int32))
    """
    return _respelled(texts, codes, lambda text: spelling(text.lower()))


def _respelled(
    texts: list[str], codes: NDArray[np.int32], spell: Callable[[str], str]
) -> tuple[list[str], NDArray[np.int32]]:
    """The texts in another spelling; texts that become equal become one."""
    spelled = [text if text is None else spell(text) for text in texts]
    if spelled == texts:
        return texts, codes
    words = {word: k for k, word in enumerate(dict.fromkeys(spelled))}
    # The code of a missing value is -1, which selects the last entry.
    return list(words), np.array([*(words[word] for word in spelled), -1], dtype=np.int32)[codes]


def first_twice(names: Iterable[str]) -> str | None:
    """The first name that occurs a second time."""
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


def joined(parts: list[NDArray[Any]], kind: Any) -> NDArray[Any]:
    """The values of all chunks; empty, of type `kind`, if there are none."""
    return parts[0] if len(parts) == 1 else np.concatenate([np.empty(0, kind), *parts])


def is_number(kind: pa.DataType) -> bool:
    """Whether a column of this type holds numbers."""
    types = pa.types
    return bool(types.is_integer(kind) or types.is_floating(kind) or types.is_decimal(kind) or types.is_null(kind))
