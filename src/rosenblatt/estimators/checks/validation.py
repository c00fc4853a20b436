"""Checks X and y and converts them to the core's form, without copying arrays that the core can read directly."""

import numpy as np
from numpy.typing import ArrayLike
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import _check_sample_weight, check_is_fitted

from rosenblatt.core import Rows
from rosenblatt.estimators.checks.fast_validation import known_codes, needs_no_check
from rosenblatt.estimators.checks.input_errors import refuse_missing_labels, validated
from rosenblatt.learning.examples import Examples, refuse_one_class, rows_of, sorted_classes
from rosenblatt.learning.rows.array_types import Labels, Matrix, MatrixLike


def checked_X(estimator: object, X: MatrixLike) -> Matrix:
    """Checks examples for prediction; returns an array or a CSR matrix."""
    examples = X if needs_no_check(X, estimator) else _validated(estimator, X)
    refuse_nonfinite(estimator, rows_of(examples))
    return examples


def readable_rows(estimator: object, X: MatrixLike) -> Rows:
    """Returns the rows that a fitted estimator scores. Scoring finds NaN, infinity and invalid column indices."""
    if needs_no_check(X, estimator):
        return rows_of(X, lazily=True)
    check_is_fitted(estimator)
    return rows_of(_validated(estimator, X), lazily=True)


def _validated(estimator: object, X: MatrixLike) -> Matrix:
    checked: Matrix = validated(estimator, X, reset=False, **ACCEPTS)
    return checked


ACCEPTS: dict[str, object] = {
    "accept_sparse": "csr",
    "accept_large_sparse": True,
    "dtype": [np.float64, np.float32],
    "ensure_all_finite": False,  # checked by the core, which reports the row and column
}


def refuse_nonfinite(estimator: object, rows: Rows, first_row: int = 0) -> None:
    """Raises an error with the row (counted from `first_row`) and column of the first NaN or infinity, if any."""
    place = rows.first_nonfinite()
    if place is None:
        return
    row, column = place
    names = getattr(estimator, "feature_names_in_", None)
    column_name = f"column {column}" if names is None else f"column {names[column]!r}"
    raise ValueError(
        f"Input X contains NaN or infinity: row {first_row + row}, {column_name}. {type(estimator).__name__} needs "
        "finite numbers; drop the row, or put sklearn.impute.SimpleImputer before it."
    )


def check_examples(
    estimator: object,
    X: MatrixLike,
    y: ArrayLike,
    sample_weight: ArrayLike | None,
    classes: Labels | None,
    *,
    reset: bool,
) -> Examples:
    """Returns checked examples with their labels. `classes` are known (partial_fit) or None: then they come from y.

    NaN and infinity in X are not checked here, which saves a pass over the data: the run finds them in its first epoch,
    and `refuse_nonfinite` then finds their position.
    """
    examples: Matrix
    labels: Labels
    known = None
    if classes is not None and not reset and needs_no_check(X, estimator):
        known = known_codes(y, X.shape[0], classes)
        examples, labels = X, np.asarray(y)
    if known is None:
        examples, labels = validated(estimator, X, y, reset=reset, **ACCEPTS)
        check_labels(labels)
    weights = None
    chosen = None
    if sample_weight is not None:
        weights = _check_sample_weight(sample_weight, examples, dtype=np.float64)
        if np.any(weights < 0):
            row = int(np.argmax(weights < 0))
            raise ValueError(f"sample_weight[{row}] is {weights[row]}; weights must be ≥ 0.")
        if not np.all(weights > 0):
            chosen = np.flatnonzero(weights > 0).astype(np.uint32)
    present = labels if chosen is None else labels[chosen]
    if classes is None:
        classes = sorted_classes(present)
        refuse_one_class(classes, "" if chosen is None else " among the examples with sample_weight > 0")
    elif known is None:
        unknown = np.setdiff1d(present, classes)
        if len(unknown):
            raise ValueError(
                f"y has labels that were not declared: {unknown.tolist()}. Give all classes in the first call: "
                "partial_fit(X, y, classes=[...])."
            )
    if known is not None:
        found = known if chosen is None else known[chosen]
    else:
        found = present == classes[1] if len(classes) == 2 else np.searchsorted(classes, present)
    codes = np.asarray(found, dtype=np.int32)
    if chosen is not None:
        codes = np.zeros(len(labels), dtype=np.int32)
        codes[chosen] = found
    return Examples(examples, rows_of(examples), classes, codes, weights, chosen)


def check_labels(y: Labels) -> None:
    if y.dtype.kind == "O":
        refuse_missing_labels(y)
        kinds = {"text" if isinstance(label, str) else "numbers" for label in y}
        if len(kinds) > 1:
            raise ValueError(
                "Unknown label type: y mixes numbers and text. Give all labels one type, for example y.astype(str)."
            )
    if y.dtype.kind not in "biuUS":  # booleans, integers and text are always class labels
        check_classification_targets(y)
