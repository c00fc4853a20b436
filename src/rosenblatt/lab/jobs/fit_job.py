"""Fits points and records the run, without importing scikit-learn."""

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from rosenblatt.learning.examples import Examples, rows_of
from rosenblatt.learning.fit import Start, fit
from rosenblatt.learning.parameters import Algorithm, Parameters

if TYPE_CHECKING:
    from rosenblatt.trace import Trace


def fit_points(
    algorithm: Algorithm,
    parameters: Mapping[str, Any],
    X: NDArray[np.float64],
    y: NDArray[Any],
    start: NDArray[np.float64] | None = None,
    callback: Callable[[Any], object] | None = None,
) -> "tuple[dict[str, Any], list[Trace]]":
    """Returns attributes, and one trace per problem (none for a batch). `start` has one row [w₀, w₁, …] per plane."""
    classes, codes = np.unique(y, return_inverse=True)
    examples = Examples(X, rows_of(X), classes, codes.astype(np.int32), None, None)
    first = None if start is None else Start(np.ascontiguousarray(start[:, 1:]), np.ascontiguousarray(start[:, 0]))
    fitted = fit(Parameters.of(algorithm, {**parameters, "callback": callback}), examples, start=first)
    from rosenblatt.trace import Trace

    if not fitted.plan["record"]:
        return dict(fitted.attributes()), []
    traces = fitted.traces()
    return dict(fitted.attributes()), [traces] if isinstance(traces, Trace) else list(traces)
