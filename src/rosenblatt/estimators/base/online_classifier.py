"""The base of the online estimators: `fit`, first weights, and the fitted attributes."""

from collections.abc import Sequence
from typing import ClassVar, Self

import numpy as np
from joblib import effective_n_jobs
from numpy.typing import ArrayLike, NDArray

from rosenblatt.estimators.base.fitted_weights import FittedWeights
from rosenblatt.estimators.base.linear_classifier import LinearClassifier, all_or_nothing
from rosenblatt.estimators.base.parameter_attributes import ParameterAttributes
from rosenblatt.estimators.base.sklearn_callbacks import (
    CallbackSupportMixin,
    has_callbacks,
    reported_fit,
    with_callbacks,
)
from rosenblatt.estimators.checks.checked_parameters import checked_parameters
from rosenblatt.estimators.checks.validation import check_examples, refuse_nonfinite
from rosenblatt.estimators.reports.convergence_warning import warn_unless_converged
from rosenblatt.learning.examples import Examples
from rosenblatt.learning.fit import FAMILY, Fit, Start, fit, start_of
from rosenblatt.learning.parameters import Algorithm, Parameters
from rosenblatt.learning.problems import Group, groups_of
from rosenblatt.learning.progress import Progress
from rosenblatt.learning.rows.array_types import MatrixLike
from rosenblatt.learning.run import NotFiniteError, worth_threads

Array = NDArray[np.float64]
#: Which planes of the weights: all, or those that are True.
Planes = slice | NDArray[np.bool_]


class OnlineClassifier(CallbackSupportMixin, ParameterAttributes, LinearClassifier):  # type: ignore[misc]  # untyped bases
    """A linear classifier that is trained by an online run of the core.

    A subclass has the parameters of its `_algorithm` (`learning.parameters`). `learning.fit.FAMILY` says how the
    algorithm runs and which weights it publishes.
    """

    last_coef_ = FittedWeights()
    last_intercept_: NDArray[np.float64]

    _algorithm: ClassVar[Algorithm]
    #: Whether `fit` warns if the run did not converge. False for algorithms that are made for inseparable data.
    _should_converge: ClassVar[bool] = True

    def fit(
        self,
        X: MatrixLike,
        y: ArrayLike,
        coef_init: ArrayLike | None = None,
        intercept_init: ArrayLike | None = None,
        sample_weight: ArrayLike | None = None,
    ) -> Self:
        """Fit the model to labelled examples.

        Parameters
        ----------
        X : array or sparse matrix of shape (n_examples, n_features)
        y : array of shape (n_examples,)
            Any labels. Of two labels, the later in sorted order is the positive class.
        coef_init, intercept_init : arrays, default=None
            Initial weights, in the shapes of `coef_` and `intercept_`.
        sample_weight : array of shape (n_examples,), default=None
            Multiplies the step of each example. An example of weight zero is ignored.
        """
        with all_or_nothing(self):
            self._before_fit()
            examples = self._fit(X, y, coef_init, intercept_init, sample_weight)
        self._warn_unless_converged(examples)
        return self

    def _warn_unless_converged(self, examples: Examples) -> None:
        if self._should_converge and self.status_ != "separated":
            warn_unless_converged(self, scales_differ=examples.scales_differ(), stacklevel=4)

    @with_callbacks  # type: ignore[untyped-decorator]  # scikit-learn ships no types
    def _fit(
        self,
        X: MatrixLike,
        y: ArrayLike,
        coef_init: ArrayLike | None,
        intercept_init: ArrayLike | None,
        sample_weight: ArrayLike | None,
    ) -> Examples:
        parameters = self._parameters().seeded()
        examples = check_examples(self, X, y, sample_weight, None, reset=True)
        start = self._start(parameters, examples, coef_init, intercept_init)
        with reported_fit(self, parameters, examples, (X, y, sample_weight), self._weights_after) as watched:
            self._publish(self._run(watched, examples, start=start))
        return examples

    def _before_fit(self) -> None:
        """Called before a fit, a `partial_fit` and a `fit_stream`."""

    def _weights_after(self, progress: Progress) -> dict[str, Array] | None:
        """The weights as if the fit had ended with this epoch; None if the algorithm has them at its end only."""
        published = FAMILY[self._algorithm].published
        if published == "pocket" or self._algorithm == "VotedPerceptron":
            return None
        coef, intercept = progress.weights(published)
        return {"coef_": coef, "intercept_": intercept}

    def _parameters(self) -> Parameters:
        return checked_parameters(self, self._algorithm)

    def _present_weights(self) -> tuple[Array, Array]:
        """The weights from which `partial_fit` and `warm_start` continue."""
        return self.coef_, self.intercept_

    def _start(
        self, parameters: Parameters, examples: Examples, coef_init: ArrayLike | None, intercept_init: ArrayLike | None
    ) -> Start | None:
        """The initial weights if they are given or taken from the last fit; None: as `init` says."""
        warm = parameters["warm_start"] and "coef_" in vars(self)
        if not warm and coef_init is None and intercept_init is None:
            return None
        groups = groups_of(parameters["multi_class"], parameters["order"], examples)
        coef, intercept = start_of(parameters, groups, examples.rows.n_features)
        if warm:
            if self.coef_.shape != coef.shape or not np.array_equal(self.classes_, examples.classes):
                raise ValueError(
                    f"warm_start: the last fit had weights of shape {self.coef_.shape} for classes "
                    f"{self.classes_.tolist()}; these data need {coef.shape} for {examples.classes.tolist()}."
                )
            coef, intercept = self._present_weights()
        return Start(
            _checked_initial(coef_init, coef, "coef_init"),
            _checked_initial(intercept_init, intercept, "intercept_init"),
        )

    def _run(
        self,
        parameters: Parameters,
        examples: Examples,
        *,
        groups: Sequence[Group] | None = None,
        start: Start | None = None,
        one_epoch_after: int | None = None,
    ) -> Fit:
        """Calls `learning.fit`. If X has a value that is not finite, the error names its row and column."""
        limited = any(parameters[name] for name in ("max_steps", "max_updates", "patience"))
        if (examples.chosen is not None or limited) and examples.release is None:
            refuse_nonfinite(self, examples.rows)  # this run may not read every example
        try:
            n_threads = self._threads() if worth_threads(examples) else 1
            return fit(
                parameters,
                examples,
                groups=groups,
                start=start,
                one_epoch_after=one_epoch_after,
                n_threads=n_threads,
                label=type(self).__name__,
            )
        except NotFiniteError:
            refuse_nonfinite(self, examples.rows)
            raise

    def _threads(self) -> int:
        """The number of threads: one if there is a callback or a progress line, else as `n_jobs` says."""
        watched = self.callback is not None or self.verbose or has_callbacks(self)
        return 1 if watched else effective_n_jobs(self.n_jobs)


def _checked_initial(values: ArrayLike | None, like: NDArray[np.float64], name: str) -> NDArray[np.float64]:
    """Checks the caller's initial weights and reshapes them; the caller's array is not changed later."""
    if values is None:
        return like
    array = np.asarray(values, dtype=np.float64)
    if array.size != like.size:
        raise ValueError(f"{name} has shape {array.shape}; these data need {like.shape}.")
    if not np.all(np.isfinite(array)):
        raise ValueError(f"{name} must be finite.")
    return array.reshape(like.shape)
