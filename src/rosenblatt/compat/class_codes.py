"""Codes and weights of classes, with scikit-learn's error messages."""

from typing import Any, cast

import numpy as np
from numpy.typing import NDArray
from sklearn.utils import compute_class_weight


def codes_of(y: NDArray[Any], classes: NDArray[Any]) -> NDArray[np.int32]:
    """The index of each label in `classes`; raises an error for a label that is not there."""
    if len(classes) == 2:
        later = y == classes[1]
        codes: NDArray[np.int32] = later.astype(np.int32)
        known = bool(np.all(later | (y == classes[0])))
    else:
        found = np.searchsorted(classes, y)
        codes = np.minimum(found, len(classes) - 1).astype(np.int32)
        known = bool(np.all(classes[codes] == y))
    if not known:
        unknown = np.setdiff1d(y, classes).tolist()
        raise ValueError(
            f"classes should include all valid labels that can be in y; {unknown[:5]} are not among "
            f"{classes.tolist()}. Give all classes in the first call of partial_fit."
        )
    return codes


def class_weights(class_weight: Any, classes: NDArray[Any], y: NDArray[Any]) -> NDArray[np.float64]:
    """One weight per class, computed as in scikit-learn."""
    if class_weight is None or len(class_weight) == 0:
        return np.ones(len(classes))
    return cast(NDArray[np.float64], compute_class_weight(class_weight, classes=classes, y=y))
