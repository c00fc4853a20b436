"""Brings X and y to the core's form, without copying what the core can read as it is."""

from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.utils import compute_class_weight
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import _check_sample_weight, check_is_fitted, validate_data

from rosenblatt.core import Rows
from rosenblatt.estimators.fast_validation import known_codes, passes
from rosenblatt.learning.examples import Examples, rows_of, sorted_classes


def checked_X(estimator: Any, X: Any) -> Any:
    """Examples to predict: an array or a CSR matrix."""
    if not passes(estimator, X):
        X = validate_data(estimator, X, reset=False, **ACCEPTS)
    refuse_nonfinite(estimator, rows_of(X))
    return X


def readable_rows(estimator: Any, X: Any) -> Rows:
    """Examples for a fitted estimator to score, which finds NaN, infinity and broken column indices as it reads."""
    if not passes(estimator, X):
        check_is_fitted(estimator)
        X = validate_data(estimator, X, reset=False, **ACCEPTS)
    return rows_of(X, lazily=True)


ACCEPTS: dict[str, Any] = {
    "accept_sparse": "csr",
    "accept_large_sparse": True,
    "dtype": [np.float64, np.float32],
    "ensure_all_finite": False,  # checked by the core, which can say where
}


def refuse_nonfinite(estimator: Any, rows: Rows, first_row: int = 0) -> None:
    """Raises an error that names the place of the first NaN or infinity, if there is one; rows count from a first."""
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
    estimator: Any, X: Any, y: Any, sample_weight: Any, class_weight: Any, classes: NDArray[Any] | None, *, reset: bool
) -> Examples:
    """Checked examples with their labels. `classes` are known beforehand (partial_fit) or found in y.

    NaN and infinity in X are left to the run, which meets them in its first pass (`refuse_nonfinite` then says where):
    a pass over the data less.
    """
    known = None
    if classes is not None and not reset and passes(estimator, X):
        known = known_codes(y, X.shape[0], classes)
    if known is None:
        X, y = validate_data(estimator, X, y, reset=reset, **ACCEPTS)
        check_labels(y)
    weights = None
    chosen = None
    if sample_weight is not None:
        weights = _check_sample_weight(sample_weight, X, dtype=np.float64)
        if np.any(weights < 0):
            row = int(np.argmax(weights < 0))
            raise ValueError(f"sample_weight[{row}] is {weights[row]}; weights must be ≥ 0.")
        if not np.all(weights > 0):
            chosen = np.flatnonzero(weights > 0).astype(np.uint32)
    present = y if chosen is None else y[chosen]
    if classes is None:
        classes = sorted_classes(present)
        if len(classes) < 2:
            raise ValueError(
                f"y has {len(classes)} class ({classes.tolist()[0]!r}); a perceptron needs at least 2. "
                "Check the target column."
            )
    elif known is None:
        unknown = np.setdiff1d(present, classes)
        if len(unknown):
            raise ValueError(
                f"y has labels that were not declared: {unknown.tolist()}. Name every class in the first call: "
                "partial_fit(X, y, classes=[...])."
            )
    if known is not None:
        found = known if chosen is None else known[chosen]
    else:
        found = present == classes[1] if len(classes) == 2 else np.searchsorted(classes, present)
    codes = np.asarray(found, dtype=np.int32)
    if chosen is not None:
        codes = np.zeros(len(y), dtype=np.int32)
        codes[chosen] = found
    if class_weight is not None:
        by_class = compute_class_weight(class_weight, classes=classes, y=present)
        if not np.all((by_class > 0) & np.isfinite(by_class)):
            raise ValueError(f"class_weight must be positive and finite for every class; got {by_class.tolist()}.")
        weights = by_class[codes] if weights is None else weights * by_class[codes]
    return Examples(X, rows_of(X), classes, codes, weights, chosen)


def check_labels(y: NDArray[Any]) -> None:
    if y.dtype.kind == "O":
        kinds = {"text" if isinstance(label, str) else "numbers" for label in y}
        if len(kinds) > 1:
            raise ValueError(
                "Unknown label type: y mixes numbers and text. Give all labels one type, for example y.astype(str)."
            )
    if y.dtype.kind not in "biuUS":  # those are labels, whatever they are
        check_classification_targets(y)
