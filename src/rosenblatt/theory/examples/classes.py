"""Labels of any kind, as classes and signs."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from rosenblatt.theory.examples.check_features import unrounded


def is_missing(value: Any) -> bool:
    """Whether this is None, NaN or pandas.NA, whose comparisons have no truth value."""
    try:
        return value is None or bool(value != value)
    except (TypeError, ValueError):
        return True


def check_y(y: Any, n: int) -> NDArray[Any]:
    """The labels as an array with one entry per example."""
    labels = unrounded(y, "y")
    if labels.ndim == 2 and labels.shape[1] == 1:
        labels = labels[:, 0]
    if labels.ndim != 1 or len(labels) != n:
        raise ValueError(f"y has shape {labels.shape}; X has {n} rows, so y must have {n} labels.")
    if labels.dtype.kind == "O":
        kinds = {"text" if isinstance(label, str) else "numbers" for label in labels}
        missing = np.flatnonzero([is_missing(label) for label in labels])
        if len(missing):
            raise ValueError(f"y has no label in row {missing[0]}. Drop the row or label it.")
        if len(kinds) > 1:
            raise ValueError("y mixes numbers and text. Give all labels one type, for example y.astype(str).")
    if labels.dtype.kind == "f":
        missing = np.flatnonzero(~np.isfinite(labels))
        if len(missing):
            raise ValueError(
                f"y has no label in row {missing[0]}: it is {labels[missing[0]]}. Drop the row or label it."
            )
        if np.any(labels != np.rint(labels)):
            row = int(np.argmax(labels != np.rint(labels)))
            raise ValueError(
                f"Unknown label type: y[{row}] is {labels[row]}, a continuous value. Classes are needed: cut y into "
                "intervals first."
            )
    return labels


def check_classes(y: NDArray[Any]) -> NDArray[Any]:
    """The classes in order; at least two."""
    classes = np.unique(y)
    if len(classes) < 2:
        raise ValueError(
            f"y has 1 class ({classes.tolist()[0]!r}); separability needs at least 2. Check the target column."
        )
    return classes


def signs_of(y: NDArray[Any], positive: Any, negative: Any = None) -> NDArray[np.int8]:
    """+1 for the positive class, −1 for the negative one (None: every other), 0 for the rest."""
    signs = np.where(y == positive, 1, -1 if negative is None else np.where(y == negative, -1, 0))
    return signs.astype(np.int8)
