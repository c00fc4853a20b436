"""Columns to features: numbers as they are, categories one-hot from a vocabulary, missing values filled or refused."""

from collections.abc import Callable, Sequence

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from rosenblatt.data.errors import DataError
from rosenblatt.data.features import Column, Features

Place = Callable[[int], str]

#: More distinct values than this are names or keys, not categories.
MAX_CATEGORIES = 1000

_BLOCK = 4096


def learn_columns(table: pa.Table, names: Sequence[str], *, impute: bool, source: str, place: Place) -> list[Column]:
    """What each column is, from all of its rows."""
    return [_learned(table.column(name), name, impute, source, place) for name in names]


def _learned(column: pa.ChunkedArray, name: str, impute: bool, source: str, place: Place) -> Column:
    import pyarrow.compute as pc

    if column.null_count == len(column) and len(column):
        raise DataError(f"{source}, column {name!r}: every value is missing. Drop the column (--drop {name}).")
    if pa.types.is_floating(column.type):
        fill = None
        if impute:
            values = column.drop_null().to_numpy()
            values = values[np.isfinite(values)]
            if column.null_count or len(values) < len(column):
                fill = float(np.median(values)) if len(values) else 0.0
        return Column(name, None, fill)
    counts = pc.value_counts(column.drop_null())
    if len(counts) > MAX_CATEGORIES:
        raise DataError(
            f"{source}, column {name!r}: {len(counts):,} different texts are too many to be categories (at most "
            f"{MAX_CATEGORIES:,}). Drop the column (--drop {name})."
        )
    found = sorted(zip(counts.field("values").to_pylist(), counts.field("counts").to_pylist(), strict=True))
    commonest = max(found, key=lambda pair: pair[1])[0] if impute and column.null_count else None
    return Column(name, tuple(text for text, _ in found), commonest)


def encode(
    table: pa.Table, features: Features, *, source: str, place: Place, unseen: str = "error"
) -> NDArray[np.float64]:
    """The matrix of a table whose columns are those of `features`, which must all be there.

    `unseen="zero"` gives a category that the vocabulary lacks no feature instead of refusing it.
    """
    parts: list[NDArray[np.float64] | tuple[NDArray[np.int64], int]] = []
    for column in features.columns:
        values = table.column(column.name)
        if column.vocabulary is None:
            parts.append(_numbers(values, column, source, place))
        else:
            parts.append((_categories(values, column, source, place, unseen), column.width))
    return _side_by_side(parts, table.num_rows, features.n_features)


def _side_by_side(
    parts: Sequence[NDArray[np.float64] | tuple[NDArray[np.int64], int]], rows: int, width: int
) -> NDArray[np.float64]:
    X = np.zeros((rows, width))
    for start in range(0, rows, _BLOCK):  # a block of rows at a time stays in the cache while its columns are set
        stop = min(start + _BLOCK, rows)
        j = 0
        for part in parts:
            if isinstance(part, tuple):
                codes = part[0][start:stop]
                seen = np.flatnonzero(codes >= 0)
                X[start + seen, j + codes[seen]] = 1.0
                j += part[1]
            else:
                X[start:stop, j] = part[start:stop]
                j += 1
    return X


def _numbers(values: pa.ChunkedArray, column: Column, source: str, place: Place) -> NDArray[np.float64]:
    array: NDArray[np.float64] = values.to_numpy()
    strange = np.flatnonzero(~np.isfinite(array))
    if not len(strange):
        return array
    if column.fill is not None:
        return np.where(np.isfinite(array), array, float(column.fill))
    row = int(strange[0])
    is_missing = not values[row].is_valid or np.isnan(array[row])
    what = "the value is missing" if is_missing else f"{array[row]} is not a finite number"
    raise _refusal(source, place(row), column.name, what, len(strange))


def _refusal(source: str, place: str, column: str, what: str, count: int) -> DataError:
    more = f" ({count:,} such rows)" if count > 1 else ""
    return DataError(
        f"{source}, {place}, column {column!r}: {what}{more}. Complete the data, drop the column (--drop {column}), or "
        "pass --impute when training to fill with the median (numbers) or the commonest (categories)."
    )


def _categories(values: pa.ChunkedArray, column: Column, source: str, place: Place, unseen: str) -> NDArray[np.int64]:
    import pyarrow.compute as pc

    if column.fill is not None:
        values = values.fill_null(column.fill)
    elif values.null_count:
        row = int(np.flatnonzero(values.is_null().to_numpy())[0])
        raise _refusal(source, place(row), column.name, "the value is missing", values.null_count)
    found = pc.index_in(values, value_set=pa.array(column.vocabulary, pa.string())).fill_null(-1)
    codes: NDArray[np.int64] = found.to_numpy().astype(np.int64)
    strange = np.flatnonzero(codes < 0)
    if len(strange) and unseen == "error":
        row = int(strange[0])
        raise DataError(
            f"{source}, {place(row)}, column {column.name!r}: {values[row].as_py()!r} is not among the "
            f"{column.width} values seen in training. Correct it, or pass --unseen zero to let it count for nothing."
        )
    return codes
