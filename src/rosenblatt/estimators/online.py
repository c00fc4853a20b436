"""What the online estimators share: one fit, one way in parts, and what they publish."""

from typing import Any, ClassVar, Self

import numpy as np
from joblib import effective_n_jobs
from numpy.typing import NDArray

from rosenblatt.estimators import parameters as allowed
from rosenblatt.estimators.endings import warn_unless_settled
from rosenblatt.estimators.examples import check_examples, refuse_nonfinite
from rosenblatt.estimators.labelled import Examples
from rosenblatt.estimators.linear import LinearClassifier, all_or_nothing
from rosenblatt.estimators.problems import Group, groups_of
from rosenblatt.estimators.progress import ProgressLine
from rosenblatt.estimators.tracing import traces_of
from rosenblatt.estimators.training import ABSENT, Found, NotFiniteError, plan_of, published, start_of, train
from rosenblatt.estimators.validation import split


class OnlineClassifier(LinearClassifier):
    """A linear classifier that the core's online run trains.

    A subclass lists its parameters, says by `_published` which weights of the run are its own, and adds to `_plan` what
    the run must do besides. A parameter that a subclass does not have is as `ABSENT` says.
    """

    status_: str
    statuses_: list[str]
    cycle_: int | None
    cycles_: list[int | None]
    n_iter_: int
    n_mistakes_: int
    n_samples_seen_: int
    history_: NDArray[Any]
    last_coef_: NDArray[np.float64]
    last_intercept_: NDArray[np.float64]

    _published: ClassVar[str] = "last"
    #: Whether a run that did not come to rest deserves a warning: not where the weights are made for that case.
    _should_settle: ClassVar[bool] = True
    #: What each parameter may be; `fit` checks those that the estimator has.
    _allowed: ClassVar[dict[str, allowed.Kind]] = allowed.ONLINE

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
        allowed.check_parameters(self, self._allowed)
        seed = allowed.seed_of(self.random_state)
        examples = check_examples(self, X, y, sample_weight, self.class_weight, None, reset=True)
        validation = None
        if self._parameter("early_stopping"):
            examples, validation = split(examples, self.validation_fraction, seed)
        groups = groups_of(self.multi_class, self._parameter("order"), examples)
        coef, intercept = self._start(examples, groups, seed, coef_init, intercept_init)
        found = self._train(examples, groups, coef, intercept, seed, validation=validation)
        self._publish(examples.classes, found)
        if validation is not None:
            self.validation_scores_ = [outcome.validated / len(validation) for outcome in found.outcomes]
        if found.updates is not None:
            starts = np.column_stack([intercept, coef]) if self.fit_intercept else coef
            self.trace_ = traces_of(examples, groups, starts, found, self._plan(seed))
        return examples

    def _present_weights(self) -> tuple[Any, Any]:
        """The weights that learning goes on from."""
        return self.coef_, self.intercept_

    def _parameter(self, name: str) -> Any:
        return getattr(self, name) if hasattr(self, name) else ABSENT[name]

    def _start(
        self, examples: Examples, groups: list[Group], seed: int, coef_init: Any, intercept_init: Any
    ) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        coef, intercept = start_of(self._parameter, groups, examples.rows.n_features, seed)
        if self._parameter("warm_start") and hasattr(self, "coef_"):
            if self.coef_.shape != coef.shape or not np.array_equal(self.classes_, examples.classes):
                raise ValueError(
                    f"warm_start: the last fit had weights of shape {self.coef_.shape} for classes "
                    f"{self.classes_.tolist()}; these data need {coef.shape} for {examples.classes.tolist()}."
                )
            coef, intercept = self._present_weights()
        return _given(coef_init, coef, "coef_init"), _given(intercept_init, intercept, "intercept_init")

    def _train(
        self,
        examples: Examples,
        groups: list[Group],
        coef: NDArray[np.float64],
        intercept: NDArray[np.float64],
        seed: int,
        *,
        epochs: int | None = None,
        first_epoch: int = 0,
        validation: NDArray[np.uint32] | None = None,
    ) -> Found:
        plan = self._plan(seed) | {"first_epoch": first_epoch, "validation": validation}
        if epochs is not None:
            plan |= {"max_iter": epochs, "may_stall": False, "record": False}
        limited = any(self._parameter(name) for name in ("max_steps", "max_updates", "patience"))
        if (examples.chosen is not None or limited) and examples.release is None:
            refuse_nonfinite(self, examples.rows)  # a run that may not meet every example cannot vouch for them
        if plan["step"] != "constant":
            examples = examples.without_repeated_columns()  # the length of a row is the sum of its squares
        try:
            with ProgressLine(self.verbose, type(self).__name__, plan["max_iter"]) as line:
                return train(examples, groups, coef, intercept, plan, self.callback, line, self._threads())
        except NotFiniteError:
            refuse_nonfinite(self, examples.rows)
            raise

    def _plan(self, seed: int) -> dict[str, Any]:
        """The run, as the core wants it described."""
        return plan_of(self._parameter, seed)

    def _threads(self) -> int:
        """One, where somebody watches the epochs: a callback is called by one thread."""
        return 1 if self.callback is not None or self.verbose else effective_n_jobs(self.n_jobs)

    def _publish(self, classes: NDArray[Any], found: Found) -> None:
        for name, value in published(classes, found, self._published).items():
            setattr(self, name, value)


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
