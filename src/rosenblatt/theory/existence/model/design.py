"""The design matrix: named columns of exact integers, categories expanded to dummies."""

import sys
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import narwhals.stable.v2 as nw
import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray

from rosenblatt.theory.decomposition.integer_rows import IntegerRows
from rosenblatt.theory.examples.check_features import as_array, unrounded
from rosenblatt.theory.examples.classes import is_missing
from rosenblatt.theory.existence.model.exact_columns import Integers, exact_column

INTERCEPT = "intercept"
_IDENTIFIER = 5  # from this many rows on, a text column without a repeated value is an identifier


@dataclass(frozen=True)
class Column:
    """A column of the design: `rows` and `values` of its nonzero entries, and the scale that made them integers."""

    name: str
    rows: NDArray[np.int64]
    values: Integers
    scale: int


@dataclass(frozen=True)
class Design:
    """Observations by columns, in exact integers: column j of X times scales[j]."""

    names: list[str]
    rows: IntegerRows
    scales: list[int]


def is_frame(data: Any) -> bool:
    """Whether this is a data frame of pandas, polars or pyarrow."""
    return bool(nw.dependencies.is_into_dataframe(data))


def as_series(values: Any) -> Any:
    """An array or index of pandas as a Series, which keeps the declared order of categories; else the values."""
    pandas = sys.modules.get("pandas")
    if pandas is not None and isinstance(values, pandas.api.extensions.ExtensionArray | pandas.Index):
        return pandas.Series(values)
    return values


def _series_or_array(values: Any, name: str) -> Any:
    values = as_series(values)
    return (
        nw.from_native(values, series_only=True)
        if nw.dependencies.is_into_series(values) and not isinstance(values, np.ndarray)
        else unrounded(values, name)
    )


def design_of(X: Any, n: int, kept: NDArray[np.int64], *, fit_intercept: bool, full_dummies: bool) -> Design:
    """The rows `kept` of X, after an intercept if `fit_intercept`. `X` may be None: no columns.

    `full_dummies`: the first categorical column has a dummy for each of its levels; all others leave out their first.
    """
    columns = [] if X is None else _columns(X, n, kept, full_first=full_dummies)
    if fit_intercept:
        ones = np.ones(len(kept), dtype=np.int64)
        columns = [Column(INTERCEPT, np.arange(len(kept)), ones, 1), *columns]
    names = [column.name for column in columns]
    twice = next((name for k, name in enumerate(names) if name in names[:k]), None)
    if twice is not None:
        raise ValueError(
            f"Two columns of the design are named {twice!r}. Rename one: coefficients are identified by name."
        )
    return Design(names, side_by_side(columns, len(kept)), [column.scale for column in columns])


def side_by_side(columns: Sequence[Column], n: int) -> IntegerRows:
    """Columns as sparse rows."""
    long = any(column.values.dtype == object for column in columns)
    pool = np.concatenate([np.empty(0, dtype=object if long else np.int64), *(column.values for column in columns)])
    lengths = [len(column.values) for column in columns]
    ends = np.concatenate([[0], np.cumsum(lengths)]).astype(np.int64)
    # SciPy has no sparse matrices of Python integers, so it reorders the positions of the values instead.
    matrix = sp.csc_matrix(
        (np.arange(len(pool)), np.concatenate([np.empty(0, dtype=np.int64), *(c.rows for c in columns)]), ends),
        shape=(n, len(columns)),
    ).tocsr()
    return IntegerRows(matrix.indptr.astype(np.int64), matrix.indices.astype(np.int64), pool[matrix.data], len(columns))


def _columns(X: Any, n: int, kept: NDArray[np.int64], *, full_first: bool) -> list[Column]:
    series: list[tuple[str, Any]]
    if isinstance(X, Mapping):
        series = [(str(name), _series_or_array(values, str(name))) for name, values in X.items()]
        for name, values in series:
            if values.shape != (n,):
                raise ValueError(f"Column {name!r} has shape {values.shape}; y has {n} values, so it must be ({n},).")
    elif is_frame(X):
        try:
            frame = nw.from_native(X, eager_only=True)
        except nw.exceptions.DuplicateError as error:
            twice = next(name for name, count in Counter(X.columns).items() if count > 1)
            raise ValueError(
                f"Two columns of X are named {str(twice)!r}. Rename one: coefficients are identified by name."
            ) from error
        _check_length(frame.shape, n)
        series = [(str(values.name), values) for values in frame.iter_columns()]
    elif sp.issparse(X):
        _check_length(X.shape, n)
        return _from_sparse(X.tocsr()[kept].tocsc())
    else:
        X = as_array(X)
        _check_length(X.shape, n)
        series = [(f"x{j}", X[:, j]) for j in range(X.shape[1])]
    columns: list[Column] = []
    full = full_first
    for name, values in series:
        categories = _categories(values, name)
        if categories is None:
            numbers, scale = exact_column(values.to_numpy() if isinstance(values, nw.Series) else values, name)
            columns.append(_nonzero(name, numbers[kept], scale))
        else:
            levels, codes = categories
            _check_categories(name, levels, codes)
            columns += _dummies(name, levels, codes[kept], full=full)
            full = False
    return columns


def _check_length(shape: tuple[int, ...], n: int) -> None:
    if len(shape) != 2:
        raise ValueError(
            f"X has shape {shape}; it must be a table with one row an observation. A single column is X.reshape(-1, 1)."
        )
    if shape[0] != n:
        raise ValueError(f"X has {shape[0]} rows and y has {n} values; they must be equally many.")


def _nonzero(name: str, numbers: Integers, scale: int) -> Column:
    rows = np.flatnonzero(numbers)
    return Column(name, rows, numbers[rows], scale)


def _from_sparse(matrix: Any) -> list[Column]:
    matrix.sum_duplicates()
    columns = []
    for j in range(matrix.shape[1]):
        part = slice(matrix.indptr[j], matrix.indptr[j + 1])
        numbers, scale = exact_column(matrix.data[part], f"x{j}")
        stored = np.flatnonzero(numbers)
        columns.append(Column(f"x{j}", matrix.indices[part][stored].astype(np.int64), numbers[stored], scale))
    return columns


def _categories(values: Any, name: str) -> tuple[list[Any], NDArray[np.int64]] | None:
    """The levels and the codes of a column of texts or categories; None for a column of numbers."""
    declared: list[Any] | None = None
    if isinstance(values, nw.Series):
        if values.dtype.is_temporal():
            raise ValueError(f"Column {name!r} holds dates or times. Convert it to a number or to text first.")
        if isinstance(values.dtype, nw.Categorical | nw.Enum):
            declared = values.cat.get_categories().to_list()
        elif isinstance(values.dtype, nw.Object):
            values = values.to_numpy()
        elif not isinstance(values.dtype, nw.String):
            if values.null_count():
                raise ValueError(_gap(name, np.asarray(values.is_null().to_numpy())))
            return None
    if isinstance(values, np.ndarray) and not _has_texts(values):
        return None
    return coded(values, name, declared)


def _has_texts(values: NDArray[Any]) -> bool:
    return values.dtype.kind in "US" or (
        values.dtype.kind == "O" and any(isinstance(value, str | bytes) for value in values.tolist())
    )


def coded(values: Any, name: str, declared: list[Any] | None = None) -> tuple[list[Any], NDArray[np.int64]]:
    """The levels in order, or as declared, and each row's position among them; refuses a missing value."""
    texts = values.to_list() if isinstance(values, nw.Series) else values.tolist()
    missing = np.array([is_missing(text) for text in texts], dtype=bool)
    if missing.any():
        raise ValueError(_gap(name, missing))
    if declared is None:
        try:
            declared = sorted(set(texts))
        except TypeError as error:
            raise ValueError(f"Column {name!r} mixes numbers and text. Convert it to one type.") from error
    place = {level: k for k, level in enumerate(declared)}
    return declared, np.array([place[text] for text in texts], dtype=np.int64)


def _gap(name: str, missing: NDArray[np.bool_]) -> str:
    if missing.all():
        return f"Column {name!r} has no value in any row. Leave it out."
    return f"Column {name!r} has no value in row {int(missing.argmax())}. Drop the row or fill the gap."


def _check_categories(name: str, levels: list[Any], codes: NDArray[np.int64]) -> None:
    if len(codes) >= _IDENTIFIER and len(np.unique(codes)) == len(codes):
        raise ValueError(
            f"Column {name!r} has a different text in each of the {len(codes)} rows: it identifies the observation, "
            "it is not a category. Leave it out."
        )


def _dummies(name: str, levels: list[Any], codes: NDArray[np.int64], *, full: bool) -> list[Column]:
    """One column per level; the first level is the reference unless `full`."""
    columns = []
    for k, level in enumerate(levels):
        if k or full:
            rows = np.flatnonzero(codes == k)
            columns.append(Column(f"{name}={level}", rows, np.ones(len(rows), dtype=np.int64), 1))
    return columns
