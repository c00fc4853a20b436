"""What the online estimators share: one fit, one way in parts, and what they publish."""

from typing import Any, ClassVar, Self

import numpy as np
from joblib import effective_n_jobs
from numpy.typing import NDArray

from rosenblatt.estimators.convergence import warn_unless_settled
from rosenblatt.estimators.early_stopping import split
from rosenblatt.estimators.linear import LinearClassifier, all_or_nothing
from rosenblatt.estimators.parameters import checked_parameters
from rosenblatt.estimators.validation import check_examples, refuse_nonfinite
from rosenblatt.learning.examples import Examples
from rosenblatt.learning.fit import Fit, Start, fit, start_of
from rosenblatt.learning.parameters import Algorithm, Parameters
from rosenblatt.learning.problems import Group, groups_of
from rosenblatt.learning.run import NotFiniteError


class OnlineClassifier(LinearClassifier):
    """A linear classifier that the core's online run trains.

    A subclass has the parameters of its `_algorithm` (`learning.parameters`), whose run and published weights
    `learning.fit.FAMILY` describes.
    """

    status_: str
    statuses_: list[str]
    cycle_: int | None
    cycles_: list[int | None]
    n_iter_: int
    n_mistakes_: int
    n_samples_seen_: int
    history_: NDArray[Any]
    accelerators_: list[dict[str, int]]
    last_coef_: NDArray[np.float64]
    last_intercept_: NDArray[np.float64]

    _algorithm: ClassVar[Algorithm]
    #: Whether a run that did not come to rest deserves a warning: not where the weights are made for that case.
    _should_settle: ClassVar[bool] = True

    def fit(self, X: Any, y: Any, coef_init: Any = None, intercept_init: Any = None, sample_weight: Any = None) -> Self:
        """Learn from labelled examples.

        Parameters
        ----------
        X : array or sparse matrix of shape (n_examples, n_features)
        y : array of shape (n_examples,)
            Any labels; of two, the later in sorted order is the positive class.
        coef_init, intercept_init : arrays, default=None
            First weights, of the shape of `coef_` and `intercept_`.
        sample_weight : array of shape (n_examples,), default=None
            Multiplies the step of each example; an example of weight zero is as if absent.
        """
        with all_or_nothing(self):
            examples = self._fit(X, y, coef_init, intercept_init, sample_weight)
        self._warn_unless_settled(examples)
        return self

    def _warn_unless_settled(self, examples: Examples, stacklevel: int = 4) -> None:
        if self._should_settle and self.status_ != "separated":
            warn_unless_settled(
                type(self).__name__,
                self.statuses_,
                self.n_iter_,
                self.n_mistakes_,
                scales_differ=examples.scales_differ(),
                separable=any(proof is not None and bool(proof.separable) for proof in self.certificates_),
                stacklevel=stacklevel,
            )

    def _fit(self, X: Any, y: Any, coef_init: Any, intercept_init: Any, sample_weight: Any) -> Examples:
        parameters = self._parameters().seeded()
        examples = check_examples(self, X, y, sample_weight, self.class_weight, None, reset=True)
        validation = None
        if parameters["early_stopping"]:
            examples, validation = split(examples, parameters["validation_fraction"], parameters["random_state"])
        groups = groups_of(parameters["multi_class"], parameters["order"], examples)
        start = self._start(parameters, examples, groups, coef_init, intercept_init)
        self._publish(self._run(parameters, examples, groups=groups, start=start, validation=validation))
        return examples

    def _parameters(self) -> Parameters:
        return checked_parameters(self, self._algorithm)

    def _present_weights(self) -> tuple[Any, Any]:
        """The weights that learning goes on from."""
        return self.coef_, self.intercept_

    def _start(
        self, parameters: Parameters, examples: Examples, groups: list[Group], coef_init: Any, intercept_init: Any
    ) -> Start | None:
        """First weights where they are not as `init` says."""
        warm = parameters["warm_start"] and hasattr(self, "coef_")
        if not warm and coef_init is None and intercept_init is None:
            return None
        coef, intercept = start_of(parameters, groups, examples.rows.n_features)
        if warm:
            if self.coef_.shape != coef.shape or not np.array_equal(self.classes_, examples.classes):
                raise ValueError(
                    f"warm_start: the last fit had weights of shape {self.coef_.shape} for classes "
                    f"{self.classes_.tolist()}; these data need {coef.shape} for {examples.classes.tolist()}."
                )
            coef, intercept = self._present_weights()
        return Start(_given(coef_init, coef, "coef_init"), _given(intercept_init, intercept, "intercept_init"))

    def _run(self, parameters: Parameters, examples: Examples, **how: Any) -> Fit:
        """The engine's fit; says where X has a value that is not finite."""
        limited = any(parameters[name] for name in ("max_steps", "max_updates", "patience"))
        if (examples.chosen is not None or limited) and examples.release is None:
            refuse_nonfinite(self, examples.rows)  # a run that may not meet every example cannot vouch for them
        try:
            return fit(parameters, examples, n_threads=self._threads(), label=type(self).__name__, **how)
        except NotFiniteError:
            refuse_nonfinite(self, examples.rows)
            raise

    def _threads(self) -> int:
        """One, where somebody watches the epochs: a callback is called by one thread."""
        return 1 if self.callback is not None or self.verbose else effective_n_jobs(self.n_jobs)

    def _publish(self, fitted: Fit) -> None:
        for name, value in fitted.attributes().items():
            setattr(self, name, value)
        if fitted.plan["record"]:
            self.trace_ = fitted.traces()


def _given(values: Any, like: NDArray[np.float64], name: str) -> NDArray[np.float64]:
    """A start that the caller gave, in the shape of the weights; never the caller's own array."""
    if values is None:
        return like
    array = np.asarray(values, dtype=np.float64)
    if array.size != like.size:
        raise ValueError(f"{name} has shape {array.shape}; these data need {like.shape}.")
    if not np.all(np.isfinite(array)):
        raise ValueError(f"{name} must be finite.")
    return array.reshape(like.shape)
