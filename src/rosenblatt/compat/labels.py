"""Labels as the core takes them: codes and weights, with scikit-learn's errors."""

from typing import Any, cast

import numpy as np
from numpy.typing import NDArray
from sklearn.utils import compute_class_weight


def codes_of(y: NDArray[Any], classes: NDArray[Any]) -> NDArray[np.int32]:
    """The position of each label in `classes`, which must have them all."""
    if len(classes) == 2:
        later = y == classes[1]
        codes: NDArray[np.int32] = later.astype(np.int32)
        known = bool(np.all(later | (y == classes[0])))
    else:
        found = np.searchsorted(classes, y)
        codes = np.minimum(found, len(classes) - 1).astype(np.int32)
        known = bool(np.all(classes[codes] == y))
    if not known:
        strangers = np.setdiff1d(y, classes).tolist()
        raise ValueError(
            f"classes should include all valid labels that can be in y; {strangers[:5]} are not among "
            f"{classes.tolist()}. Name every class in the first call of partial_fit."
        )
    return codes


def class_weights(class_weight: Any, classes: NDArray[Any], y: NDArray[Any]) -> NDArray[np.float64]:
    """One weight a class, as scikit-learn computes them."""
    if class_weight is None or len(class_weight) == 0:
        return np.ones(len(classes))
    return cast(NDArray[np.float64], compute_class_weight(class_weight, classes=classes, y=y))
