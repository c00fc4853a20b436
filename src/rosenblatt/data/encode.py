"""Columns to features: numbers as they are, categories one-hot from a vocabulary, missing values filled or refused."""

from collections.abc import Callable, Iterable, Sequence
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from rosenblatt.data.columns import coded, first_missing, floats
from rosenblatt.data.errors import DataError, option
from rosenblatt.data.features import Column, Features
from rosenblatt.data.hashing import hashed_categories, learned_text, sparse_side_by_side, text_rows
from rosenblatt.data.sparse import Matrix, Sparse
from rosenblatt.data.spelling import spelling
from rosenblatt.data.wishes import Wishes

Place = Callable[[int], str]

#: What to do about a missing value: while a model is trained, also from a stream, and when it has been.
COMPLETE = "Complete the data."
COMPLETE_OR_IMPUTE = (
    "Complete the data, drop the column ({drop}), or fill it with the median or the commonest category (--impute; in "
    "Python Wishes(impute=True))."
)
COMPLETE_OR_DROP = "Complete the data, or drop the column ({drop})."

#: More distinct values than this are names or keys, not categories.
MAX_CATEGORIES = 1000

_BLOCK = 4096


def learn_columns(table: pa.Table, names: Sequence[str], wishes: Wishes, *, source: str) -> list[Column]:
    """What each column is, from all of its rows."""
    return [
        learned_text(table.column(name), name, wishes)
        if name in wishes.text
        else _learned(table.column(name), name, wishes, source)
        for name in names
    ]


def _learned(column: pa.ChunkedArray, name: str, wishes: Wishes, source: str) -> Column:
    if column.null_count == len(column) and len(column):
        raise DataError(f"{source}, column {name!r}: every value is missing. Drop the column ({option('drop', name)}).")
    if pa.types.is_floating(column.type):
        return number_column(name, floats(column), impute=wishes.impute)
    texts, codes = coded(column)
    refuse_marks(texts, source, name)
    commonest = texts[int(np.bincount(codes[codes >= 0]).argmax())] if wishes.impute and texts else None
    if len(texts) > MAX_CATEGORIES:
        if wishes.hash_bits is not None:
            return Column(name, fill=commonest, bits=wishes.hash_bits)
        raise too_many(source, name, f"{len(texts):,}")
    return Column(name, tuple(sorted(texts)), commonest)


def number_column(name: str, values: NDArray[np.float64], *, impute: bool) -> Column:
    """A column of numbers; with `impute` the median of its finite values fills gaps, in training and afterwards."""
    if not impute:
        return Column(name)
    finite = values[np.isfinite(values)]
    return Column(name, fill=float(np.median(finite)) if len(finite) else 0.0)


def too_many(source: str, name: str, count: str) -> DataError:
    return DataError(
        f"{source}, column {name!r}: {count} different texts are too many to be categories (at most "
        f"{MAX_CATEGORIES:,}). Drop the column ({option('drop', name)}), take its words ({option('text', name)}), or "
        f"hash it ({option('hash_bits', 18)})."
    )


def refuse_marks(words: Iterable[str], source: str, name: str) -> None:
    """Refuses words that begin with a byte order mark: joined files have them where the second file begins."""
    marked = next((word for word in words if word.startswith("\ufeff")), None)
    if marked is not None:
        raise DataError(
            f"{source}, column {name!r}: {marked[:40]!r} begins with a byte order mark, as a file may. "
            "Remove the mark, and the header that may follow it."
        )


def encode(
    table: pa.Table,
    features: Features,
    *,
    source: str,
    place: Place,
    unseen: str = "error",
    missing: str = COMPLETE,
    unseen_remedy: str = option("unseen", "zero"),
) -> Matrix:
    """The matrix of a table whose columns are those of `features`, which must all be there.

    `unseen="zero"` gives a category that the vocabulary lacks no feature instead of refusing it. `missing` and
    `unseen_remedy` say what the caller can do about refused values.
    """
    parts: list[NDArray[np.float64] | tuple[NDArray[np.int64], int] | Sparse] = []
    for column in features.columns:
        values = table.column(column.name)
        if column.is_text:
            parts.append(text_rows(values, column))
        elif column.bits is not None:
            if values.null_count and column.fill is None:
                row = first_missing(values)
                raise _refusal(source, place(row), column.name, "the value is missing", values.null_count, missing)
            parts.append((hashed_categories(values, column.bits, fill=str(column.fill)), column.width))
        elif column.vocabulary is None:
            parts.append(_numbers(values, column, source, place, missing))
        else:
            remedy = None if unseen == "zero" else unseen_remedy
            parts.append((_categories(values, column, source, place, missing, remedy), column.width))
    if features.is_sparse:
        return sparse_side_by_side(parts, table.num_rows, features.n_features)
    return _side_by_side([part for part in parts if not isinstance(part, Sparse)], table.num_rows, features.n_features)


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


def _numbers(values: pa.ChunkedArray, column: Column, source: str, place: Place, missing: str) -> NDArray[np.float64]:
    array = floats(values)
    with np.errstate(invalid="ignore", over="ignore"):
        total = array.sum()
    if np.isfinite(total):  # then so is every value: a glance suffices for most columns
        return array
    strange = np.flatnonzero(~np.isfinite(array))
    if not len(strange):
        return array
    if column.fill is not None:
        return np.where(np.isfinite(array), array, float(column.fill))
    row = int(strange[0])
    is_missing = not values[row].is_valid or np.isnan(array[row])
    what = "the value is missing" if is_missing else f"{array[row]} is not a finite number"
    raise _refusal(source, place(row), column.name, what, len(strange), missing)


def _refusal(source: str, place: str, column: str, what: str, count: int, remedy: str) -> DataError:
    more = f" ({count:,} such rows)" if count > 1 else ""
    return DataError(
        f"{source}, {place}, column {column!r}: {what}{more}. {remedy.replace('{drop}', option('drop', column))}"
    )


def _categories(
    values: pa.ChunkedArray, column: Column, source: str, place: Place, missing: str, unseen_remedy: str | None
) -> NDArray[np.int64]:
    if column.fill is None and values.null_count:
        row = first_missing(values)
        raise _refusal(source, place(row), column.name, "the value is missing", values.null_count, missing)
    known: dict[Any, int] = {text: code for code, text in enumerate(column.vocabulary or ())}
    # Models of earlier versions have Booleans as their file spelled them.
    known = {spelling(text): code for text, code in known.items()} | known
    texts, found = coded(values)
    # A missing value is -1: the last entry of the translation, which is the filling.
    codes = np.array([*(known.get(text, -1) for text in texts), known.get(column.fill, -1)], dtype=np.int64)[found]
    strange = np.flatnonzero(codes < 0)
    if len(strange) and unseen_remedy is not None:
        row = int(strange[0])
        raise DataError(
            f"{source}, {place(row)}, column {column.name!r}: {texts[found[row]]!r} is not among the "
            f"{column.width} values seen in training. Correct it, or let it count for nothing ({unseen_remedy})."
        )
    return codes
