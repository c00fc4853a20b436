"""To and from scikit-learn's own linear models."""

from copy import copy
from itertools import combinations
from typing import TYPE_CHECKING, Protocol, TypeVar

import numpy as np
from numpy.typing import ArrayLike
from sklearn.linear_model import Perceptron as SklearnPerceptron
from sklearn.multiclass import OneVsOneClassifier

from rosenblatt.learning.rows.array_types import Floats, Labels, SparseMatrix

if TYPE_CHECKING:
    from rosenblatt.estimators.base.linear_classifier import LinearClassifier

    Estimator = TypeVar("Estimator", bound=LinearClassifier)


Model = TypeVar("Model")


class LinearModel(Protocol):
    """A fitted linear classifier, such as those of scikit-learn."""

    coef_: ArrayLike | SparseMatrix
    intercept_: ArrayLike
    classes_: Labels


def to_sklearn(estimator: "LinearClassifier") -> SklearnPerceptron | OneVsOneClassifier:
    """Converts to a scikit-learn model with the same predictions.

    Exception: scikit-learn predicts the negative class for a score of exactly 0; with tie="positive" we do not.
    """
    classes = estimator.classes_
    if len(classes) == 2 or not estimator._is_ovo():
        return _linear(estimator, estimator.coef_, estimator.intercept_, classes)
    model = OneVsOneClassifier(SklearnPerceptron())
    # The model of each pair has the classes 0 and 1, as OneVsOneClassifier trains them.
    model.estimators_ = [
        _linear(estimator, estimator.coef_[[pair]], estimator.intercept_[[pair]], np.array([0, 1]))
        for pair, _ in enumerate(combinations(classes, 2))
    ]
    model.classes_ = classes.copy()
    model.pairwise_indices_ = None
    return _named(model, estimator)


def _linear(estimator: "LinearClassifier", coef: Floats, intercept: Floats, classes: Labels) -> SklearnPerceptron:
    model = SklearnPerceptron(fit_intercept=estimator.fit_intercept, eta0=estimator.eta0)
    model.coef_, model.intercept_, model.classes_ = coef.copy(), intercept.copy(), classes.copy()
    model.n_iter_, model.t_ = estimator.n_iter_, float(estimator.n_samples_seen_ + 1)
    return _named(model, estimator)


def _named(model: Model, estimator: object) -> Model:
    """Copies the number and the names of the features."""
    for name in ("n_features_in_", "feature_names_in_"):
        if hasattr(estimator, name):
            setattr(model, name, copy(getattr(estimator, name)))
    return model


def from_sklearn(estimator: "Estimator", model: LinearModel) -> "Estimator":
    """Copies the weights of a fitted scikit-learn linear classifier into an unfitted estimator."""
    missing = [name for name in ("coef_", "intercept_", "classes_") if not hasattr(model, name)]
    if missing:
        raise ValueError(
            f"{type(model).__name__} has no {', '.join(missing)}: only a fitted linear classifier can be converted."
        )
    coef = model.coef_.toarray() if hasattr(model.coef_, "toarray") else np.asarray(model.coef_)
    planes = 1 if len(model.classes_) == 2 else len(model.classes_)
    if coef.shape[0] != planes:
        raise ValueError(
            f"{type(model).__name__} has {coef.shape[0]} rows of weights for {len(model.classes_)} classes; "
            f"{planes} were expected (one against the rest)."
        )
    estimator.coef_ = np.array(coef, dtype=np.float64)
    estimator.intercept_ = np.broadcast_to(np.asarray(model.intercept_, dtype=np.float64), planes).copy()
    estimator.classes_ = np.array(model.classes_)
    estimator.status_, estimator.statuses_ = "imported", ["imported"] * planes
    estimator.cycle_, estimator.cycles_ = None, [None] * planes
    estimator.n_iter_ = estimator.n_mistakes_ = estimator.n_samples_seen_ = 0
    return _named(estimator, model)
