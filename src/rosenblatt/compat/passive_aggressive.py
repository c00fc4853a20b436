"""The passive-aggressive classifier and regressor that scikit-learn 1.10 removes (Crammer et al. 2006)."""

from numbers import Integral, Real
from typing import Any, ClassVar, Self, cast

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray
from sklearn.base import BaseEstimator, RegressorMixin, _fit_context
from sklearn.linear_model import SGDClassifier as Classifier
from sklearn.linear_model import SGDRegressor as Regressor
from sklearn.linear_model._base import SparseCoefMixin
from sklearn.utils import assert_all_finite
from sklearn.utils._param_validation import Interval, StrOptions
from sklearn.utils.extmath import safe_sparse_dot
from sklearn.utils.validation import check_is_fitted, validate_data

from rosenblatt.compat.linear_sgd import (
    LinearSGD,
    checked_data,
    given,
    limits_of,
    refuse_early_stopping,
    warn_if_limited,
)
from rosenblatt.compat.sklearn_fit import Examples, Rule, Start, draw, train
from rosenblatt.estimators.base.linear_classifier import all_or_nothing
from rosenblatt.estimators.base.stored_parameters import StoredParameters
from rosenblatt.estimators.base.versioned_pickle import VersionedPickle
from rosenblatt.learning.examples import rows_of

#: Parameters that scikit-learn's classes by stochastic gradient descent check in the same way.
_SHARED = (
    "fit_intercept",
    "max_iter",
    "tol",
    "shuffle",
    "verbose",
    "random_state",
    "warm_start",
    "average",
    "early_stopping",
    "validation_fraction",
    "n_iter_no_change",
)
_AGGRESSIVENESS = [Interval(Real, 0, None, closed="right")]


class PassiveAggressiveClassifier(LinearSGD):
    """`sklearn.linear_model.PassiveAggressiveClassifier`, with the same weights after the same call.

    Parameters, methods and attributes are documented in scikit-learn, up to its version 1.9. The differences and the
    added attributes are those of `compat.Perceptron`. Also, `set_params(C=...)` takes effect, and so does a grid search
    over `C`.

    Examples
    --------
    >>> from rosenblatt.compat import PassiveAggressiveClassifier
    >>> fitted = PassiveAggressiveClassifier(random_state=0).fit([[0, 0], [0, 1], [1, 0], [1, 1]], [0, 0, 0, 1])
    >>> fitted.predict([[1, 1], [0, 1]]).tolist()
    [1, 0]
    """

    _parameter_constraints: ClassVar[dict[str, Any]] = {
        **{name: Classifier._parameter_constraints[name] for name in _SHARED},
        "loss": [StrOptions({"hinge", "squared_hinge"})],
        "C": _AGGRESSIVENESS,
        "n_jobs": [Integral, None],
        "class_weight": [StrOptions({"balanced"}), dict, None],
    }

    def __init__(
        self,
        *,
        C: float = 1.0,
        fit_intercept: bool = True,
        max_iter: int = 1000,
        tol: float | None = 1e-3,
        early_stopping: bool = False,
        validation_fraction: float = 0.1,
        n_iter_no_change: int = 5,
        shuffle: bool = True,
        verbose: int = 0,
        loss: str = "hinge",
        n_jobs: int | None = None,
        random_state: Any = None,
        warm_start: bool = False,
        class_weight: Any = None,
        average: bool | int = False,
    ) -> None:
        self._store(locals())

    def _rule(self) -> Rule:
        return Rule(
            threshold=1.0,
            rate="pa1" if self.loss == "hinge" else "pa2",
            eta0=float(self.C),
            average=int(self.average),
        )

    @_fit_context(prefer_skip_nested_validation=True)  # type: ignore[untyped-decorator]  # scikit-learn ships no types
    def fit(self, X: Any, y: Any, coef_init: Any = None, intercept_init: Any = None) -> Self:
        """Fit the model from zero weights or from given initial weights, in the shapes of `coef_` and `intercept_`."""
        return self._fit(X, y, coef_init, intercept_init, None)

    @_fit_context(prefer_skip_nested_validation=True)  # type: ignore[untyped-decorator]  # scikit-learn ships no types
    def partial_fit(self, X: Any, y: Any, classes: Any = None) -> Self:
        """Runs one epoch over these samples, from the current weights. The first call must give all `classes`."""
        return self._partial_fit(X, y, classes, None)


class PassiveAggressiveRegressor(StoredParameters, VersionedPickle, RegressorMixin, SparseCoefMixin, BaseEstimator):  # type: ignore[misc]  # untyped bases
    """`sklearn.linear_model.PassiveAggressiveRegressor`, with the same weights after the same call.

    Parameters, methods and attributes are documented in scikit-learn, up to its version 1.9. The differences are those
    of `compat.Perceptron`. Also, `set_params(C=...)` takes effect, and so does a grid search over `C`.

    Attributes
    ----------
    status_ : str
        How the fit ended: "unchanged": an epoch without an update; "stalled", "early_stopped", "max_iter" and "partial"
        as in `compat.Perceptron`.
    n_mistakes_ : int
        The number of weight updates.

    Examples
    --------
    >>> from rosenblatt.compat import PassiveAggressiveRegressor
    >>> fitted = PassiveAggressiveRegressor(epsilon=0.01, random_state=0).fit([[0.0], [1], [2], [3]], [0.0, 1, 2, 3])
    >>> fitted.predict([[2.0]]).round(1).tolist()
    [2.0]
    """

    coef_: NDArray[Any]
    intercept_: NDArray[Any]
    n_iter_: int
    t_: float
    n_mistakes_: int
    status_: str

    _parameter_constraints: ClassVar[dict[str, Any]] = {
        **{name: Regressor._parameter_constraints[name] for name in _SHARED},
        "loss": [StrOptions({"epsilon_insensitive", "squared_epsilon_insensitive"})],
        "C": _AGGRESSIVENESS,
        "epsilon": [Interval(Real, 0, None, closed="left")],
    }

    def __init__(
        self,
        *,
        C: float = 1.0,
        fit_intercept: bool = True,
        max_iter: int = 1000,
        tol: float | None = 1e-3,
        early_stopping: bool = False,
        validation_fraction: float = 0.1,
        n_iter_no_change: int = 5,
        shuffle: bool = True,
        verbose: int = 0,
        loss: str = "epsilon_insensitive",
        epsilon: float = 0.1,
        random_state: Any = None,
        warm_start: bool = False,
        average: bool | int = False,
    ) -> None:
        self._store(locals())

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        return tags

    @_fit_context(prefer_skip_nested_validation=True)  # type: ignore[untyped-decorator]  # scikit-learn ships no types
    def fit(self, X: Any, y: Any, coef_init: Any = None, intercept_init: Any = None) -> Self:
        """Fit the model from zero weights or from given initial weights, in the shapes of `coef_` and `intercept_`."""
        self._fit(X, y, coef_init, intercept_init)
        return self

    def _fit(self, X: Any, y: Any, coef_init: Any, intercept_init: Any) -> None:
        with all_or_nothing(self):
            if not self.warm_start:  # a warm start ignores `coef_init`, as in scikit-learn
                self.__dict__.pop("coef_", None)
            self.__dict__.pop("n_mistakes_", None)
            self.t_ = 1.0
            ended = self._learn(X, y, coef_init, intercept_init, self.max_iter)
            self.status_ = "unchanged" if ended == "separated" else ended
        warn_if_limited(self)

    @_fit_context(prefer_skip_nested_validation=True)  # type: ignore[untyped-decorator]  # scikit-learn ships no types
    def partial_fit(self, X: Any, y: Any) -> Self:
        """Runs one epoch over these samples, from the current weights."""
        with all_or_nothing(self):
            if not hasattr(self, "coef_"):
                refuse_early_stopping(self)
            self._learn(X, y, None, None, 1)
            self.status_ = "partial"
        return self

    def predict(self, X: Any) -> NDArray[Any]:
        """Predicts the target of each sample."""
        check_is_fitted(self)
        X = validate_data(self, X, accept_sparse="csr", reset=False)
        scores = safe_sparse_dot(X, self.coef_.T, dense_output=True) + self.intercept_
        return cast(NDArray[Any], scores.ravel())

    def _learn(self, X: Any, y: Any, coef_init: Any, intercept_init: Any, max_iter: int) -> str:
        first = not hasattr(self, "coef_")
        X, y = checked_data(self, X, y, reset=first, y_numeric=True)
        rows = rows_of(X)
        largest = rows.largest_magnitude()
        if not np.isfinite(largest):
            assert_all_finite(X, estimator_name=type(self).__name__, input_name="X")
        if first:
            self._standard_coef = given(coef_init, (1, X.shape[1]), X.dtype, "coef_init")
            self._standard_intercept = given(intercept_init, (1,), X.dtype, "intercept_init")
            self._average_coef = np.zeros_like(self._standard_coef)
            self._average_intercept = np.zeros_like(self._standard_intercept)
        elif not self.average:
            if sp.issparse(self.coef_):
                raise ValueError("The weights are sparse: call densify() before continuing the fit.")
            self._standard_coef, self._standard_intercept = self.coef_.reshape(1, -1), self.intercept_
        average, t = int(self.average), getattr(self, "t_", 1.0)
        examples = Examples(X, rows, largest, None, y.astype(X.dtype, copy=False), None)
        seeds, held_back = draw(
            examples, 1, self.random_state, float(self.validation_fraction) if self.early_stopping else None
        )
        found = train(
            examples,
            Start(
                self._standard_coef.astype(X.dtype),
                self._standard_intercept.astype(np.float64),
                t,
                self._average_coef.astype(X.dtype) if average else None,
                self._average_intercept if average else None,
            ),
            np.ones(1),
            seeds,
            held_back,
            Rule(
                loss="epsilon_insensitive",
                threshold=float(self.epsilon),
                rate="pa1" if self.loss == "epsilon_insensitive" else "pa2",
                eta0=float(self.C),
                average=average,
            ),
            limits_of(self, max_iter),
            1,
            type(self).__name__,
        )
        self.n_iter_ = found.epochs[0]
        self.t_ = t + self.n_iter_ * X.shape[0]
        self.n_mistakes_ = getattr(self, "n_mistakes_", 0) + found.mistakes[0]
        self._standard_coef = found.coef.astype(X.dtype)
        self._standard_intercept = np.array(found.intercept)
        if found.average_coef is not None:
            self._average_coef = found.average_coef.astype(X.dtype)
            self._average_intercept = np.array(found.average_intercept)
        averaged = found.average_coef is not None and average <= self.t_ - 1
        self.coef_ = (self._average_coef if averaged else self._standard_coef)[0]
        self.intercept_ = self._average_intercept if averaged else self._standard_intercept
        return found.statuses[0]
