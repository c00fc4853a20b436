"""scikit-learn's Perceptron: its signature, its attributes, its weights; and how each fit ended."""

import inspect
import warnings
from typing import Any, ClassVar, Self, cast

import numpy as np
import scipy.sparse as sp
import sklearn
from joblib import effective_n_jobs
from numpy.typing import NDArray
from sklearn.base import BaseEstimator, _fit_context
from sklearn.exceptions import ConvergenceWarning
from sklearn.linear_model import Perceptron as Original
from sklearn.linear_model._base import LinearClassifierMixin, SparseCoefMixin
from sklearn.utils import assert_all_finite
from sklearn.utils.fixes import parse_version
from sklearn.utils.multiclass import _check_partial_fit_first_call
from sklearn.utils.validation import _check_sample_weight, validate_data

from rosenblatt.compat.labels import class_weights, codes_of
from rosenblatt.compat.training import Examples, Found, draw, intercept_decay, train
from rosenblatt.estimators.endings import worst
from rosenblatt.estimators.exact import known_codes, passes, same_classes
from rosenblatt.estimators.inference import labels_of
from rosenblatt.estimators.labelled import rows_of, sorted_classes
from rosenblatt.estimators.linear import all_or_nothing
from rosenblatt.estimators.parameters import check_values, whole

#: Since 1.8 the objective that `tol` watches has the penalty in it and is a mean; before it was the sum of the losses.
_MEAN_OBJECTIVE = parse_version(sklearn.__version__) >= parse_version("1.8")
_FLOATS = (np.dtype(np.float64), np.dtype(np.float32))
_MAY_ALLOW_ZEROS = "allow_all_zero_weights" in inspect.signature(_check_sample_weight).parameters


class Perceptron(LinearClassifierMixin, SparseCoefMixin, BaseEstimator):  # type: ignore[misc]  # scikit-learn ships no types
    """`sklearn.linear_model.Perceptron`, with the same weights after the same call.

    Parameters, methods and attributes are scikit-learn's; see there. Arrays that a caller passes in are never changed,
    `coef_init` included; sparse matrices with 64-bit indices are welcome; a fit that fails leaves the estimator as it
    was. Three attributes are ours.

    Attributes
    ----------
    status_, statuses_ : str and list of str
        How the fit ended, in the words of this package; the worst of all binary problems, and each of them.
        "separated": a whole pass without a mistake; "stalled": the objective has not improved by `tol` for
        `n_iter_no_change` epochs, which is what scikit-learn calls convergence; "early_stopped": the same of the
        validation score; "max_iter"; after `partial_fit`, "partial".
    n_mistakes_ : int
        Updates of the weights, over all binary problems.

    Examples
    --------
    >>> from rosenblatt.compat import Perceptron
    >>> xor = Perceptron().fit([[0, 0], [0, 1], [1, 0], [1, 1]], [0, 1, 1, 0])
    >>> xor.n_iter_, xor.status_
    (6, 'stalled')
    """

    coef_: NDArray[Any]
    intercept_: NDArray[Any]
    classes_: NDArray[Any]
    n_iter_: int
    t_: float
    n_mistakes_: int
    status_: str
    statuses_: list[str]

    # Those of the installed version: the same values are refused, in the same words.
    _parameter_constraints: ClassVar[dict[str, Any]] = Original._parameter_constraints

    def __init__(
        self,
        *,
        penalty: str | None = None,
        alpha: float = 0.0001,
        l1_ratio: float = 0.15,
        fit_intercept: bool = True,
        max_iter: int = 1000,
        tol: float | None = 1e-3,
        shuffle: bool = True,
        verbose: int = 0,
        eta0: float = 1.0,
        n_jobs: int | None = None,
        random_state: Any = 0,
        early_stopping: bool = False,
        validation_fraction: float = 0.1,
        n_iter_no_change: int = 5,
        class_weight: Any = None,
        warm_start: bool = False,
    ) -> None:
        self.penalty = penalty
        self.alpha = alpha
        self.l1_ratio = l1_ratio
        self.fit_intercept = fit_intercept
        self.max_iter = max_iter
        self.tol = tol
        self.shuffle = shuffle
        self.verbose = verbose
        self.eta0 = eta0
        self.n_jobs = n_jobs
        self.random_state = random_state
        self.early_stopping = early_stopping
        self.validation_fraction = validation_fraction
        self.n_iter_no_change = n_iter_no_change
        self.class_weight = class_weight
        self.warm_start = warm_start

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        return tags

    @_fit_context(prefer_skip_nested_validation=True)  # type: ignore[untyped-decorator]  # scikit-learn ships no types
    def fit(self, X: Any, y: Any, coef_init: Any = None, intercept_init: Any = None, sample_weight: Any = None) -> Self:
        """Fit the model, from zero weights or from those given.

        Parameters
        ----------
        X : array or sparse matrix of shape (n_samples, n_features)
        y : array of shape (n_samples,)
        coef_init, intercept_init : arrays, default=None
            First weights, in the shapes of `coef_` and `intercept_`.
        sample_weight : array of shape (n_samples,), default=None
            Multiplies the step of each sample.
        """
        with all_or_nothing(self):
            classes = sorted_classes(validate_data(self, y=y))
            if self.warm_start and hasattr(self, "coef_"):
                coef_init = self.coef_ if coef_init is None else coef_init
                intercept_init = self.intercept_ if intercept_init is None else intercept_init
            for learned in ("classes_", "coef_", "intercept_", "n_mistakes_"):
                self.__dict__.pop(learned, None)
            self.t_ = 1.0
            found = self._learn(X, y, classes, sample_weight, coef_init, intercept_init, self.max_iter)
            self.statuses_ = found.statuses
            self.status_ = worst(found.statuses)
        if self.tol is not None and self.n_iter_ == self.max_iter:
            warnings.warn(
                # The first two sentences are scikit-learn's: who filters or matches them keeps doing so.
                "Maximum number of iteration reached before convergence. Consider increasing max_iter to improve the "
                f"fit. ({self.n_iter_} epochs, {self.n_mistakes_} mistakes, ended '{self.status_}'.)",
                ConvergenceWarning,
                stacklevel=3,
            )
        return self

    @_fit_context(prefer_skip_nested_validation=True)  # type: ignore[untyped-decorator]  # scikit-learn ships no types
    def partial_fit(self, X: Any, y: Any, classes: Any = None, sample_weight: Any = None) -> Self:
        """One epoch over these samples, from the present weights; the first call names all `classes`."""
        with all_or_nothing(self):
            if not hasattr(self, "classes_"):
                if self.early_stopping:
                    raise ValueError(
                        "early_stopping should be False with partial_fit, which sees only a part of the data."
                    )
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
        """Scores of the samples: positive for the later of two classes; one column a class where there are more."""
        scores = self._plain_scores(X)
        if scores is None:
            return cast(NDArray[Any], super().decision_function(X))
        return scores[:, 0] if scores.shape[1] == 1 else scores

    def predict(self, X: Any) -> NDArray[Any]:
        """The class of each sample."""
        ours = type(self).decision_function is Perceptron.decision_function  # and not a subclass's own
        scores = self._plain_scores(X) if ours else None
        if scores is None or scores.shape[1] != (1 if len(self.classes_) == 2 else len(self.classes_)):
            return cast(NDArray[Any], super().predict(X))
        return labels_of(scores, self.classes_)

    def _plain_scores(self, X: Any) -> NDArray[Any] | None:
        """scikit-learn's scores by its own formula, where the checks before and around it would change nothing.

        Where any score is not finite, a value may be to blame: then, and for all else, scikit-learn's way (None).
        """
        if not passes(self, X):
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
        counts = {"max_iter": self.max_iter, "n_iter_no_change": self.n_iter_no_change}
        check_values(
            type(self).__name__, counts, dict.fromkeys(counts, whole(1))
        )  # of which scikit-learn has no upper end
        known = None
        if hasattr(self, "classes_") and passes(self, X):
            known = known_codes(y, X.shape[0], self.classes_)
            if known is not None and classes is not None and same_classes(classes, self.classes_):
                classes = None
        if known is None:
            X, y = validate_data(
                self,
                X,
                y,
                accept_sparse="csr",
                dtype=[np.float64, np.float32],
                accept_large_sparse=True,
                ensure_all_finite=False,
                reset=not hasattr(self, "classes_"),
            )
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
            _checked_weights(sample_weight, X, self.early_stopping),
        )
        problems = 1 if len(self.classes_) == 2 else len(self.classes_)
        if not hasattr(self, "coef_") or coef_init is not None:
            self.coef_ = _given(coef_init, (problems, X.shape[1]), X.dtype, "coef_init")
            self.intercept_ = _given(intercept_init, (problems,), X.dtype, "intercept_init")
        elif sp.issparse(self.coef_):
            raise ValueError("The weights are sparse: call densify() before fitting on.")

        fraction = float(self.validation_fraction) if self.early_stopping else None
        seeds, held_back = draw(examples, problems, self.random_state, fraction)
        found = train(
            examples,
            self.coef_.astype(X.dtype),
            self.intercept_.astype(np.float64),
            class_weights(self.class_weight, self.classes_, y),
            seeds,
            held_back,
            self._plan(X, max_iter, len(examples.codes) - (0 if held_back is None else int(held_back.sum()))),
            int(self.verbose),
            1 if self.verbose or problems == 1 else effective_n_jobs(self.n_jobs),
        )
        self.coef_ = found.coef.astype(X.dtype)
        # One intercept is published as it was computed, in double precision; several in the type of the data.
        self.intercept_ = np.array(found.intercept, dtype=np.float64 if problems == 1 else X.dtype)
        self.n_iter_ = max(found.epochs)
        self.t_ = getattr(self, "t_", 1.0) + self.n_iter_ * X.shape[0]
        self.n_mistakes_ = getattr(self, "n_mistakes_", 0) + sum(found.mistakes)
        return found

    def _plan(self, X: Any, max_iter: int, n_trained: int) -> dict[str, Any]:
        tol = -np.inf if self.tol is None else float(self.tol)
        return {
            "eta0": float(self.eta0),
            "penalty": self.penalty,
            "alpha": float(self.alpha),
            "l1_ratio": float(self.l1_ratio),
            "fit_intercept": bool(self.fit_intercept),
            "intercept_decay": intercept_decay(X),
            "wants_objective": not self.early_stopping and ((tol > -np.inf and max_iter > 1) or bool(self.verbose)),
            "penalty_in_objective": _MEAN_OBJECTIVE,
            "shuffle": bool(self.shuffle),
            "early_stopping": bool(self.early_stopping),
            "max_iter": int(max_iter),
            "tol": tol if _MEAN_OBJECTIVE or self.early_stopping else tol * n_trained,
            "examples_of_objective": float(n_trained) if _MEAN_OBJECTIVE else 1.0,
            "n_iter_no_change": int(self.n_iter_no_change),
        }


def _checked_weights(sample_weight: Any, X: Any, allow_zeros: bool) -> NDArray[Any] | None:
    if sample_weight is None:
        return None
    more = {"allow_all_zero_weights": allow_zeros} if _MAY_ALLOW_ZEROS else {}
    return cast(NDArray[Any], _check_sample_weight(sample_weight, X, dtype=X.dtype, **more))


def _given(values: Any, shape: tuple[int, ...], dtype: Any, name: str) -> NDArray[Any]:
    """Zeros, or a start that the caller gave; never the caller's own array. One problem takes it without its axis."""
    if values is None:
        return np.zeros(shape, dtype=dtype)
    if sp.issparse(values):
        raise ValueError(f"{name} is sparse: call densify() before fitting on, or pass {name}.toarray().")
    array = np.asarray(values, dtype=dtype)
    if array.shape != shape and not (shape[0] == 1 and array.size == np.prod(shape)):
        raise ValueError(
            f"Provided {name} does not match dataset: it has shape {array.shape}, these data need {shape}."
        )
    return array.reshape(shape).copy()
