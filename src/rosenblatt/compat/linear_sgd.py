"""What scikit-learn's linear classifiers by stochastic gradient descent share: one fit over the core's runs."""

import inspect
import warnings
from typing import Any, Self, cast

import numpy as np
import scipy.sparse as sp
from joblib import effective_n_jobs
from numpy.typing import NDArray
from sklearn.base import BaseEstimator
from sklearn.exceptions import ConvergenceWarning
from sklearn.linear_model._base import LinearClassifierMixin, SparseCoefMixin
from sklearn.utils import assert_all_finite
from sklearn.utils.multiclass import _check_partial_fit_first_call
from sklearn.utils.validation import _check_sample_weight, validate_data

from rosenblatt.compat.class_codes import class_weights, codes_of
from rosenblatt.compat.sklearn_fit import Examples, Found, Limits, Rule, Start, draw, train
from rosenblatt.conventions.value_kinds import COUNT, check_kind
from rosenblatt.estimators.base.linear_classifier import all_or_nothing
from rosenblatt.estimators.base.stored_parameters import StoredParameters
from rosenblatt.estimators.base.versioned_pickle import VersionedPickle
from rosenblatt.estimators.checks.fast_validation import known_codes, needs_no_check, same_classes
from rosenblatt.estimators.checks.input_errors import validated
from rosenblatt.learning.examples import rows_of, sorted_classes
from rosenblatt.learning.scores.prediction import labels_of
from rosenblatt.learning.status import worst

_FLOATS = (np.dtype(np.float64), np.dtype(np.float32))
_MAY_ALLOW_ZEROS = "allow_all_zero_weights" in inspect.signature(_check_sample_weight).parameters


class LinearSGD(StoredParameters, VersionedPickle, LinearClassifierMixin, SparseCoefMixin, BaseEstimator):  # type: ignore[misc]  # untyped bases
    """A linear classifier that is fitted as scikit-learn fits it. A subclass has its parameters and its rule."""

    coef_: NDArray[Any]
    intercept_: NDArray[Any]
    classes_: NDArray[Any]
    n_iter_: int
    t_: float
    n_mistakes_: int
    status_: str
    statuses_: list[str]

    fit_intercept: bool
    max_iter: int
    tol: float | None
    shuffle: bool
    verbose: int
    n_jobs: int | None
    random_state: Any
    early_stopping: bool
    validation_fraction: float
    n_iter_no_change: int
    class_weight: Any
    warm_start: bool

    def _rule(self) -> Rule:
        raise NotImplementedError

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        return tags

    def _fit(self, X: Any, y: Any, coef_init: Any, intercept_init: Any, sample_weight: Any) -> Self:
        with all_or_nothing(self):
            y = validate_data(self, y=y)
            classes = sorted_classes(y)
            if self.warm_start and hasattr(self, "coef_"):
                coef_init = self.coef_ if coef_init is None else coef_init
                intercept_init = self.intercept_ if intercept_init is None else intercept_init
            for learned in ("classes_", "coef_", "intercept_", "n_mistakes_"):
                self.__dict__.pop(learned, None)
            self.t_ = 1.0
            found = self._learn(X, y, classes, sample_weight, coef_init, intercept_init, self.max_iter)
            self.statuses_ = found.statuses
            self.status_ = worst(found.statuses)
        warn_if_limited(self)
        return self

    def _partial_fit(self, X: Any, y: Any, classes: Any, sample_weight: Any) -> Self:
        with all_or_nothing(self):
            if not hasattr(self, "classes_"):
                refuse_early_stopping(self)
                if self.class_weight == "balanced":
                    raise ValueError(
                        "class_weight 'balanced' is not supported for partial_fit. In order to use 'balanced' weights, "
                        "use compute_class_weight('balanced', classes=classes, y=y). In place of y you can use a large "
                        "enough sample of the full training set target to properly estimate the class frequency "
                        "distributions. Pass the resulting weights as the class_weight parameter."
                    )
            found = self._learn(X, y, classes, sample_weight, None, None, 1)
            self.statuses_ = ["partial"] * len(found.statuses)
            self.status_ = "partial"
        return self

    def decision_function(self, X: Any) -> NDArray[Any]:
        """The scores of the samples: positive for the later of two classes; one column per class if there are more."""
        scores = self._plain_scores(X)
        if scores is None:
            return cast(NDArray[Any], super().decision_function(X))
        return scores[:, 0] if scores.shape[1] == 1 else scores

    def predict(self, X: Any) -> NDArray[Any]:
        """Predicts the class of each sample."""
        ours = type(self).decision_function is LinearSGD.decision_function  # not overridden by a subclass
        scores = self._plain_scores(X) if ours else None
        if scores is None or scores.shape[1] != (1 if len(self.classes_) == 2 else len(self.classes_)):
            return cast(NDArray[Any], super().predict(X))
        return labels_of(scores, self.classes_)

    def _plain_scores(self, X: Any) -> NDArray[Any] | None:
        """scikit-learn's scores without its input checks, if these would not change anything; otherwise None.

        Also None if a score is not finite: then scikit-learn's own checks look for NaN and infinity in X.
        """
        if not needs_no_check(X, self):
            return None
        coef, intercept = self.coef_, self.intercept_
        if type(coef) is not np.ndarray or type(intercept) is not np.ndarray or coef.ndim != 2 or intercept.ndim != 1:
            return None
        scores = X @ coef.T + intercept
        if type(scores) is not np.ndarray or scores.dtype not in _FLOATS or len(self.classes_) < 2:
            return None
        return np.ascontiguousarray(scores) if np.isfinite(scores.sum()) else None

    def _learn(
        self, X: Any, y: Any, classes: Any, sample_weight: Any, coef_init: Any, intercept_init: Any, max_iter: int
    ) -> Found:
        known = None
        if hasattr(self, "classes_") and needs_no_check(X, self):
            known = known_codes(y, X.shape[0], self.classes_)
            if known is not None and classes is not None and same_classes(classes, self.classes_):
                classes = None
        if known is None:
            X, y = checked_data(self, X, y, reset=not hasattr(self, "classes_"))
        rows = rows_of(X)
        largest = rows.largest_magnitude()
        if not np.isfinite(largest):
            assert_all_finite(X, estimator_name=type(self).__name__, input_name="X")
        _check_partial_fit_first_call(self, classes)
        if len(self.classes_) < 2:
            raise ValueError(
                f"The number of classes has to be greater than one; got {len(self.classes_)} class. Check the target."
            )
        examples = Examples(
            X,
            rows,
            largest,
            codes_of(y, self.classes_) if known is None else known.astype(np.int32),
            None,
            checked_weights(sample_weight, X, self.early_stopping),
        )
        problems = 1 if len(self.classes_) == 2 else len(self.classes_)
        rule, limits = self._rule(), limits_of(self, max_iter)
        if not hasattr(self, "coef_") or coef_init is not None:
            self.coef_ = given(coef_init, (problems, X.shape[1]), X.dtype, "coef_init")
            self.intercept_ = given(intercept_init, (problems,), X.dtype, "intercept_init")
            if rule.average:
                self._standard_coef, self._standard_intercept = self.coef_, self.intercept_
                self._average_coef, self._average_intercept = np.zeros_like(self.coef_), np.zeros_like(self.intercept_)
        elif sp.issparse(self.coef_) and not rule.average:  # an average keeps the weights of the last step apart
            raise ValueError("The weights are sparse: call densify() before continuing the fit.")

        seeds, held_back = draw(
            examples, problems, self.random_state, float(self.validation_fraction) if self.early_stopping else None
        )
        t = getattr(self, "t_", 1.0)
        if rule.average:
            start = Start(
                self._standard_coef.astype(X.dtype),
                self._standard_intercept.astype(np.float64),
                t,
                self._average_coef.astype(X.dtype),
                self._average_intercept,
            )
        else:
            start = Start(self.coef_.astype(X.dtype), self.intercept_.astype(np.float64), t)
        found = train(
            examples,
            start,
            class_weights(self.class_weight, self.classes_, y),
            seeds,
            held_back,
            rule,
            limits,
            1 if self.verbose or problems == 1 else effective_n_jobs(self.n_jobs),
            type(self).__name__,
        )
        self.n_iter_ = max(found.epochs)
        self.t_ = t + self.n_iter_ * X.shape[0]
        self.n_mistakes_ = getattr(self, "n_mistakes_", 0) + sum(found.mistakes)
        if rule.average:
            self._publish_average(found, X.dtype, rule.average)
        else:
            self.coef_ = found.coef.astype(X.dtype)
            # A single intercept stays in double precision; several are converted to the type of the data.
            self.intercept_ = np.array(found.intercept, dtype=np.float64 if problems == 1 else X.dtype)
        return found

    def _publish_average(self, found: Found, dtype: Any, average: int) -> None:
        """The averaged weights, once their first step is reached.

        As in scikit-learn, the intercept that `partial_fit` goes on from is then not updated any more; and for three or
        more classes, from the second call on, the published intercepts are those of the last step and not averaged.
        """
        assert found.average_coef is not None
        averaged = average <= self.t_ - 1
        self._standard_coef = found.coef.astype(dtype)
        self._average_coef = found.average_coef.astype(dtype)
        self._average_intercept[:] = found.average_intercept
        if len(found.intercept) > 1:
            self.intercept_[:] = found.intercept
        elif not averaged:
            self.intercept_ = np.array(found.intercept)
        if averaged:
            self.coef_, self.intercept_ = self._average_coef, self._average_intercept
        else:
            self.coef_, self._standard_intercept = self._standard_coef, self.intercept_


def limits_of(estimator: Any, max_iter: int) -> Limits:
    """The limits that an estimator's parameters set."""
    for name in ("max_iter", "n_iter_no_change"):
        check_kind(type(estimator).__name__, name, getattr(estimator, name), COUNT)  # scikit-learn has no upper limit
    return Limits(
        max_iter=int(max_iter),
        tol=estimator.tol,
        n_iter_no_change=int(estimator.n_iter_no_change),
        early_stopping=bool(estimator.early_stopping),
        shuffle=bool(estimator.shuffle),
        fit_intercept=bool(estimator.fit_intercept),
        verbose=int(estimator.verbose),
    )


def checked_data(estimator: Any, X: Any, y: Any, reset: bool, **kinds: Any) -> tuple[Any, Any]:
    """X and y after scikit-learn's checks, but for NaN and infinity in X."""
    X, y = validated(
        estimator,
        X,
        y,
        accept_sparse="csr",
        dtype=[np.float64, np.float32],
        accept_large_sparse=True,
        ensure_all_finite=False,
        reset=reset,
        **kinds,
    )
    return X, y


def warn_if_limited(estimator: Any) -> None:
    """Warns, as scikit-learn does, if a fit that watches `tol` reached `max_iter`. The caller is a public `fit`."""
    if estimator.tol is None or estimator.n_iter_ != estimator.max_iter:
        return
    warnings.warn(
        # The first two sentences are scikit-learn's, so that existing warning filters still match.
        "Maximum number of iteration reached before convergence. Consider increasing max_iter to improve the "
        f"fit. ({estimator.n_iter_} epochs, {estimator.n_mistakes_} mistakes, ended '{estimator.status_}'.)",
        ConvergenceWarning,
        stacklevel=5,
    )


def refuse_early_stopping(estimator: Any) -> None:
    """Raises an error if a first call of `partial_fit` finds `early_stopping`."""
    if estimator.early_stopping:
        raise ValueError("early_stopping should be False with partial_fit, which sees only a part of the data.")


def checked_weights(sample_weight: Any, X: Any, allow_zeros: bool) -> NDArray[Any] | None:
    """Sample weights in the type of X."""
    if sample_weight is None:
        return None
    more = {"allow_all_zero_weights": allow_zeros} if _MAY_ALLOW_ZEROS else {}
    return cast(NDArray[Any], _check_sample_weight(sample_weight, X, dtype=X.dtype, **more))


def given(values: Any, shape: tuple[int, ...], dtype: Any, name: str) -> NDArray[Any]:
    """Zeros, or a copy of the caller's initial weights. For a single problem the first axis may be missing."""
    if values is None:
        return np.zeros(shape, dtype=dtype)
    if sp.issparse(values):
        raise ValueError(f"{name} is sparse: call densify() before continuing the fit, or pass {name}.toarray().")
    array = np.asarray(values, dtype=dtype)
    if array.shape != shape and not (shape[0] == 1 and array.size == np.prod(shape)):
        raise ValueError(
            f"Provided {name} does not match dataset: it has shape {array.shape}, these data need {shape}."
        )
    return array.reshape(shape).copy()
