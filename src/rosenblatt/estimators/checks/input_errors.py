"""scikit-learn's `validate_data`, with errors that name the value that is no number or no label, and the remedy."""

from collections.abc import Iterator, Sequence
from datetime import date
from typing import Any

import numpy as np
from sklearn.utils.validation import validate_data

from rosenblatt.theory.examples.classes import is_missing


def validated(estimator: object, X: Any, *y: Any, **kinds: Any) -> Any:
    """What `validate_data` returns for X, or for X and y.

    If it fails and X holds text, dates or integers beyond the largest float, or y lacks labels, the error gives the
    place and what to do.
    """
    try:
        return validate_data(estimator, X, *y, **kinds)
    except (TypeError, ValueError, OverflowError) as error:
        found = _no_numbers(type(estimator).__name__, X) or (_missing_labels(y[0]) if y else None)
        if found is None:
            raise
        raise ValueError(found) from error


def refuse_missing_labels(y: Any) -> None:
    """Raises `ValueError` with the first row of y that has no label, if any."""
    if found := _missing_labels(y):
        raise ValueError(found)


def _no_numbers(estimator: str, X: Any) -> str | None:
    """Describes the columns of X that hold text, dates or too large integers; None if there are none."""
    if hasattr(X, "collect") and hasattr(X, "lazy"):
        return f"X is a {type(X).__name__}, whose rows have not been read. Give X.collect()."
    texts, first = [], None
    for name, values in _columns(X):
        for row, value in enumerate(values):
            if isinstance(value, date | np.datetime64):
                return (
                    f"{estimator} needs numbers, but column {name!r} of X holds dates (row {row}: {str(value)!r}). "
                    "Replace them with numbers, such as the days since the first date, or leave the column out."
                )
            if _is_too_large(value):
                return (
                    f"{estimator} needs numbers below 1.8e308, but column {name!r} of X has a larger one in row {row}. "
                    "Replace the values with their logarithms (math.log takes such integers), or leave the column out."
                )
            if isinstance(value, str) and not _is_number(value):
                numbers = sum(_is_number(other) for other in values)
                if 2 * numbers > len(values):
                    return (
                        f"{estimator} needs numbers, but column {name!r} of X has the text {value!r} in row {row}. "
                        f"{numbers:,} of its {len(values):,} values are numbers: convert it with "
                        f"pandas.to_numeric({_selection(X, name)}, errors='coerce'), and put "
                        f"sklearn.impute.SimpleImputer before {estimator}."
                    )
                texts.append(name)
                first = first or f"row {row}: {value!r}"
                break
    if not texts:
        return None
    columns = f"column {texts[0]!r} of X holds" if len(texts) == 1 else f"{len(texts)} columns of X hold"
    return (
        f"{estimator} needs numbers, but {columns} text ({first}). Encode text first, for example with "
        f"sklearn.compose.make_column_transformer((OneHotEncoder(handle_unknown='ignore'), {texts}), "
        "remainder='passthrough'), or leave it out."
    )


def _columns(X: Any) -> Iterator[tuple[str | int, Sequence[object]]]:
    """Names and values of the columns that are not of a numeric type; nothing if X is no table."""
    if hasattr(X, "iloc") and hasattr(X, "columns"):  # a frame of pandas
        for at, name in enumerate(X.columns):
            if X.iloc[:, at].dtype.kind not in "biuf":
                yield name, X.iloc[:, at].tolist()
    elif hasattr(X, "iter_columns"):  # polars
        for column in X.iter_columns():
            if not column.dtype.is_numeric():
                yield column.name, column.to_list()
    else:
        table = X if isinstance(X, np.ndarray) else _objects(X)
        if table.ndim == 2 and table.dtype.kind not in "biufc":
            for at in range(table.shape[1]):
                yield at, table[:, at].tolist()


def _selection(X: Any, name: str | int) -> str:
    """The expression that selects this column of X."""
    if isinstance(X, np.ndarray):
        return f"X[:, {name}]"
    return f"[row[{name}] for row in X]" if isinstance(X, list | tuple) else f"X[{name!r}]"


def _objects(X: Any) -> "np.ndarray[Any, np.dtype[Any]]":
    try:
        return np.asarray(X, dtype=object)
    except ValueError:  # rows of different lengths
        return np.empty(0)


def _is_number(value: Any) -> bool:
    try:
        float(value)
    except (TypeError, ValueError, OverflowError):
        return False
    return True


def _is_too_large(value: Any) -> bool:
    try:
        float(value)
    except OverflowError:
        return True
    except (TypeError, ValueError):
        return False
    return False


def _missing_labels(y: Any) -> str | None:
    """Describes the rows of y that have no label; None if there are none."""
    if y is None:
        return None
    try:
        labels = np.asarray(y, dtype=object).ravel()
    except ValueError:
        return None
    rows = [row for row, label in enumerate(labels.tolist()) if is_missing(label)]
    if not rows:
        return None
    others = "" if len(rows) == 1 else f", and {len(rows) - 1:,} more"
    return (
        f"Input y contains NaN or None: row {rows[0]}{others}. Leave out the rows without a label: "
        "keep = ~pandas.isna(y), then X[keep] and y[keep]."
    )
