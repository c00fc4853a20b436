"""Fit and predict of `Perceptron` and `AveragedPerceptron` on the core's data, without the classes and scikit-learn.

From file to model, importing scikit-learn takes longer than parsing 500 MB. What is found is the same, bit for bit.
"""

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, cast

import numpy as np
from numpy.typing import NDArray

from rosenblatt.core import Rows
from rosenblatt.estimators.labelled import Examples
from rosenblatt.estimators.parameters import ONLINE, check_values, seed_of
from rosenblatt.estimators.problems import groups_of
from rosenblatt.estimators.progress import ProgressLine
from rosenblatt.estimators.training import ABSENT, Found, plan_of, published, start_of, train
from rosenblatt.estimators.voting import is_positive, pair_votes

if TYPE_CHECKING:
    from rosenblatt.trace import Trace

#: The parameters that a direct fit understands, with `Perceptron`'s defaults; `AveragedPerceptron` has a limit.
DEFAULTS: dict[str, Any] = {
    "fit_intercept": True,
    "eta0": 1.0,
    "tie": "mistake",
    "error_tie": None,
    "order": "shuffle",
    "init": "zeros",
    "max_iter": None,
    "max_steps": None,
    "max_updates": None,
    "max_error": 0.0,
    "patience": None,
    "multi_class": "ova",
    "random_state": 0,
}


AVERAGED_DEFAULTS: dict[str, Any] = {**DEFAULTS, "max_iter": 10}


def understands(parameters: Mapping[str, Any]) -> bool:
    """Whether a direct fit can honour these parameters."""
    return parameters.keys() <= DEFAULTS.keys()


def fit(
    parameters: Mapping[str, Any],
    X: Any,
    rows: Rows,
    classes: NDArray[Any],
    codes: NDArray[np.int32],
    chosen: NDArray[np.uint32] | None = None,
    *,
    average: bool = False,
    verbose: bool = False,
    release: Callable[[], None] | None = None,
) -> Found:
    """What the fit of `Perceptron(**parameters)` would find, having seen the chosen rows (None: all).

    `rows` are those of X, an array or something that can become a CSR matrix (`to_scipy`). The caller has checked that
    values are finite and that at least two classes are among the chosen. With `average`, the run is that of
    `AveragedPerceptron`.
    """
    name = "AveragedPerceptron" if average else "Perceptron"
    check_values(name, parameters, ONLINE)
    wishes = {**ABSENT, **DEFAULTS, **parameters}
    seed = seed_of(wishes["random_state"])
    examples = Examples(X, rows, classes, codes, None, chosen, release)
    groups = groups_of(wishes["multi_class"], wishes["order"], examples)
    coef, intercept = start_of(wishes.__getitem__, groups, rows.n_features, seed)
    plan = plan_of(wishes.__getitem__, seed) | {"first_epoch": 0, "validation": None, "average": average}
    with ProgressLine(int(verbose), name, wishes["max_iter"]) as line:
        return train(examples, groups, coef, intercept, plan, None, line)


def attributes(classes: NDArray[Any], found: Found, algorithm: str) -> dict[str, Any]:
    """The attributes that the estimator of this name would have after such a fit."""
    if algorithm == "Perceptron":
        return published(classes, found)
    return published(classes, found, "average") | {"_averaged_over": found.averaged_over()}


#: What the run of each estimator does besides, and which of its weights the estimator publishes.
FAMILY: dict[str, tuple[dict[str, Any], str]] = {
    "Perceptron": ({}, "last"),
    "PocketPerceptron": ({"pocket": True}, "pocket"),
    "AveragedPerceptron": ({"average": True}, "average"),
    "BatchPerceptron": ({"batch": True}, "last"),
}


def record(
    estimator: str,
    parameters: Mapping[str, Any],
    X: NDArray[np.float64],
    y: NDArray[Any],
    start: NDArray[np.float64] | None = None,
    callback: Callable[[Any], object] | None = None,
) -> "tuple[dict[str, Any], list[Trace]]":
    """What a fit of the estimator named, with `record=True`, would leave, and its traces (none of a batch).

    X is finite, and y has two classes or more. `start` has [w₀, w₁, …], one row a plane.
    """
    from rosenblatt.estimators.labelled import rows_of
    from rosenblatt.estimators.tracing import traces_of

    check_values(estimator, parameters, ONLINE)
    besides, which = FAMILY[estimator]
    wishes = {**ABSENT, **DEFAULTS, **parameters, "record": True}
    if estimator == "BatchPerceptron":
        wishes |= {"record": False, "order": ABSENT["order"]}
    seed = seed_of(wishes["random_state"])
    classes, codes = np.unique(y, return_inverse=True)
    rows = rows_of(X)
    examples = Examples(X, rows, classes, codes.astype(np.int32), None, None)
    groups = groups_of(wishes["multi_class"], wishes["order"], examples)
    coef, intercept = start_of(wishes.__getitem__, groups, rows.n_features, seed)
    if start is not None:
        if start.shape != (len(coef), 1 + rows.n_features):
            raise ValueError(f"the start has shape {start.shape}; these data need {(len(coef), 1 + rows.n_features)}.")
        coef, intercept = np.ascontiguousarray(start[:, 1:]), np.ascontiguousarray(start[:, 0])
    plan = plan_of(wishes.__getitem__, seed) | {"first_epoch": 0, "validation": None} | besides
    if "ratchet" in wishes:
        plan["ratchet"] = bool(wishes["ratchet"])
    with ProgressLine(0, estimator, wishes["max_iter"]) as line:
        found = train(examples, groups, coef, intercept, plan, callback, line)
    attributes = published(classes, found, which)
    if found.updates is None:
        return attributes, []
    starts = np.column_stack([intercept, coef]) if wishes["fit_intercept"] else coef
    traces = traces_of(examples, groups, starts, found, plan)
    return attributes, traces if isinstance(traces, list) else [traces]


def predicted_codes(parameters: Mapping[str, Any], scores: NDArray[np.float64], n_classes: int) -> NDArray[np.int32]:
    """The class of each example, as its place among the classes, from its score in every binary problem."""
    wishes = {**DEFAULTS, **parameters}
    if n_classes == 2:
        return is_positive(scores[:, 0], wishes["tie"]).astype(np.int32)
    if wishes["multi_class"] == "ovo":
        scores = pair_votes(scores, n_classes, wishes["tie"])
    return cast(NDArray[np.int32], np.argmax(scores, axis=1).astype(np.int32))
