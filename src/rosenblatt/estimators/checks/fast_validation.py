"""Fast paths around scikit-learn's input checks, for input that those checks would return unchanged.

For small input, scikit-learn's checks take longer than the prediction itself. An ndarray or CSR matrix of floats with
the right number of columns skips them. All other input takes the ordinary path, with its errors and warnings.
"""

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.sparse import csr_array, csr_matrix

from rosenblatt.learning.rows.array_types import Labels, Matrix, is_csr

if TYPE_CHECKING:
    from typing_extensions import TypeIs

_WIDE, _NARROW = np.dtype(np.float64), np.dtype(np.float32)
#: With more float labels than this, scikit-learn may warn that they look like regression targets.
_FEW = 20


def needs_no_check(X: object, estimator: object) -> "TypeIs[Matrix]":
    """Whether a fitted linear estimator's `validate_data(X, reset=False)` would return X itself, without a warning.

    NaN and infinity are not checked here; the core finds them when it reads the values.
    """
    if type(X) is np.ndarray:
        dtype = X.dtype
    elif is_csr(X) and (type(X) is csr_matrix or type(X) is csr_array):
        dtype = X.data.dtype
    else:
        return False
    if (dtype is not _WIDE and dtype is not _NARROW) or len(X.shape) != 2:
        return False
    n_examples, n_features = X.shape
    state = vars(estimator)
    return (
        n_examples > 0
        and n_features > 0
        and state.get("n_features_in_") == n_features
        and "coef_" in state
        and state.get("feature_names_in_") is None
    )


def known_codes(y: ArrayLike, n_examples: int, classes: Labels) -> NDArray[np.intp] | None:
    """The index of each label in `classes`, or None if y is not an array of `n_examples` known labels."""
    if type(y) is not np.ndarray or y.shape != (n_examples,) or type(classes) is not np.ndarray:
        return None
    kind = y.dtype.kind
    if kind != "U" and y.dtype is not classes.dtype:
        return None
    if kind == "f":
        if n_examples > _FEW or not np.all((np.abs(y) < 2**53) & (y == np.rint(y))):
            return None
    elif kind not in "biuU" or classes.dtype.kind != kind:
        return None
    codes = classes.searchsorted(y)
    if n_examples == 1:
        code = codes[0]
        return codes if code < len(classes) and classes[code] == y[0] else None
    np.minimum(codes, len(classes) - 1, out=codes)
    return codes if np.array_equal(classes[codes], y) else None


def same_classes(given: ArrayLike, classes: Labels) -> bool:
    """Whether `given` is an array equal to the known classes, of the same type."""
    return type(given) is np.ndarray and given.dtype is classes.dtype and np.array_equal(given, classes)
