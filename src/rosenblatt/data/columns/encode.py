"""Encodes the columns of a table as features."""

from collections.abc import Callable, Sequence
from typing import Any, NoReturn

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from rosenblatt.data.columns.arrow_values import coded, dates_of_text, first_missing, floats, numbers_of_text
from rosenblatt.data.columns.booleans import spelling, with_decimal_point
from rosenblatt.data.columns.column import Column
from rosenblatt.data.columns.dates import part_of
from rosenblatt.data.columns.hashing import Part, hashed_categories, sparse_side_by_side, text_rows
from rosenblatt.data.columns.ignored import Ignored, Kind
from rosenblatt.data.errors import DataError, option
from rosenblatt.data.features import Features
from rosenblatt.data.sparse import Matrix, Sparse

Place = Callable[[int], str]

#: Remedies in the message about a refused missing value: for data of a model, and for training data.
COMPLETE = "Complete the data."
COMPLETE_OR_IMPUTE = "Complete the data, drop the column ({drop}), or leave --no-impute out."

_BLOCK = 4096


def encode(
    table: pa.Table,
    features: Features,
    *,
    source: str,
    place: Place,
    unseen: str = "error",
    missing: str = COMPLETE,
    unseen_remedy: str = option("unseen", "zero"),
    ignored: Ignored | None = None,
) -> Matrix:
    """The matrix of a table that has all columns of `features`.

    With `unseen="zero"` a category that does not occur in the training data has all features 0, or the feature of rare
    categories; else it is refused. `missing` and `unseen_remedy` are the remedies in messages. `ignored` counts the
    values that did not fit.
    """
    encoder = _Encoder(source, place, unseen, missing, unseen_remedy, ignored or Ignored())
    parts = [part for column in features.columns for part in encoder.parts(table.column(column.name), column)]
    if features.is_sparse:
        return sparse_side_by_side(parts, table.num_rows, features.n_features)
    dense = [part for part in parts if not isinstance(part, Sparse)]
    return features.with_products(_side_by_side(dense, table.num_rows, features.n_inputs))


class _Encoder:
    """Encodes one column after the other."""

    def __init__(
        self, source: str, place: Place, unseen: str, missing: str, unseen_remedy: str, ignored: Ignored
    ) -> None:
        self._source, self._place, self._ignored = source, place, ignored
        self._unseen, self._missing, self._unseen_remedy = unseen, missing, unseen_remedy

    def parts(self, values: pa.ChunkedArray, column: Column) -> list[Part]:
        if column.is_text:
            return [text_rows(values, column)]
        if column.bits is not None:
            if values.null_count and column.fill is None:
                self._refuse(first_missing(values), column.name, "the value is missing", values.null_count)
            return [(hashed_categories(values, column.bits, fill=str(column.fill)), column.width)]
        if column.vocabulary is not None:
            return self._category(values, column)
        numbers = self._numbers(values, column)
        with np.errstate(invalid="ignore", over="ignore"):
            complete = np.isfinite(numbers.sum())  # a finite sum implies that every value is finite
        gaps = np.zeros(0, bool) if complete else ~np.isfinite(numbers)
        if gaps.any():
            if column.fill is None:
                row = int(np.flatnonzero(gaps)[0])
                infinite = np.isinf(numbers[row])
                problem = f"{numbers[row]} is not a finite number" if infinite else "the value is missing"
                self._refuse(row, column.name, problem, int(gaps.sum()))
            numbers = np.where(gaps, float(column.fill or 0.0), numbers)
        parts: list[Part] = [numbers]
        if column.is_date:
            parts = [part_of(numbers, part, column.origin) for part in column.parts]
        if column.gap:
            parts.append(_flags(gaps if len(gaps) else np.zeros(len(numbers), bool)))
        return parts

    def _numbers(self, values: pa.ChunkedArray, column: Column) -> NDArray[np.float64]:
        if pa.types.is_float64(values.type):
            return floats(values)
        if column.date_format is not None:
            numbers, misfits, count = dates_of_text(values, column.date_format)
        else:
            numbers, misfits, count = numbers_of_text(values, column.number_format, booleans=column.booleans)
        kind: Kind = "date" if column.is_date else "number"
        if count and column.fill is None:
            row = int(np.flatnonzero(np.isnan(numbers) & (coded(values)[1] >= 0))[0])
            text = str(values[row].as_py()).strip()[:40]
            where = f"{self._source}, {self._place(row)}, column {column.name!r}"
            raise DataError(f"{where}: {text!r} is not a {kind}. Correct it.")
        if count:
            self._ignored.add(column.name, kind, misfits[0], count)
        return numbers

    def _category(self, values: pa.ChunkedArray, column: Column) -> list[Part]:
        vocabulary = column.vocabulary or ()
        known: dict[Any, int] = {text: code for code, text in enumerate(vocabulary)}
        # Models of earlier versions store Booleans in the spelling of their training file.
        known = {spelling(text): code for text, code in known.items()} | known
        for text, code in tuple(known.items()):
            known |= {word: code for word in with_decimal_point(text) if word not in known}
        texts, found = coded(values)
        gaps = found < 0
        if column.fill is None and gaps.any():
            self._refuse(int(np.flatnonzero(gaps)[0]), column.name, "the value is missing", int(gaps.sum()))
        other = len(vocabulary) if column.pooled else -1
        # The code of a missing value is -1, which selects the last entry of the translation, the fill.
        translation = [*(known.get(text, other) for text in texts), known.get(column.fill, -1)]
        codes = np.array(translation, dtype=np.int64)[found]
        strange = np.flatnonzero(codes < 0)
        if len(strange) and self._unseen != "zero":
            row = int(strange[0])
            raise DataError(
                f"{self._source}, {self._place(row)}, column {column.name!r}: {texts[found[row]]!r} is not among the "
                f"{len(vocabulary)} values seen in training. Correct it, or ignore such values "
                f"({self._unseen_remedy})."
            )
        if len(strange):
            self._ignored.add(column.name, "level", texts[found[int(strange[0])]], len(strange))
        parts: list[Part] = [(codes, len(vocabulary) + column.pooled)]
        return [*parts, _flags(gaps)] if column.gap else parts

    def _refuse(self, row: int, name: str, problem: str, count: int) -> NoReturn:
        more = f" ({count:,} such rows)" if count > 1 else ""
        remedy = self._missing.replace("{drop}", option("drop", name))
        raise DataError(f"{self._source}, {self._place(row)}, column {name!r}: {problem}{more}. {remedy}")


def _flags(gaps: NDArray[np.bool_]) -> Part:
    """One feature that is 1 where a value is missing, as the codes of a category."""
    return np.where(gaps, 0, -1), 1


def _side_by_side(
    parts: Sequence[NDArray[np.float64] | tuple[NDArray[np.int64], int]], rows: int, width: int
) -> NDArray[np.float64]:
    X = np.zeros((rows, width))
    for start in range(0, rows, _BLOCK):  # a block of rows stays in the cache while its columns are set
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
