"""What the online estimators share: one fit, one way in parts, and what they publish."""

from typing import Any, ClassVar, Self

import numpy as np
from joblib import effective_n_jobs
from numpy.typing import NDArray

from rosenblatt.conventions import TIES, random_start
from rosenblatt.estimators import parameters as allowed
from rosenblatt.estimators.endings import warn_unless_settled, worst
from rosenblatt.estimators.examples import Examples, check_examples, refuse_nonfinite
from rosenblatt.estimators.judge import SMALL
from rosenblatt.estimators.linear import LinearClassifier, all_or_nothing
from rosenblatt.estimators.problems import Group, groups_of
from rosenblatt.estimators.progress import ProgressLine
from rosenblatt.estimators.tracing import traces_of
from rosenblatt.estimators.training import Found, NotFiniteError, train
from rosenblatt.estimators.validation import split


class OnlineClassifier(LinearClassifier):
    """A linear classifier that the core's online run trains.

    A subclass lists its parameters, says by `_published` which weights of the run are its own, and adds to `_plan` what
    the run must do besides. A parameter that a subclass does not have is as `_absent` says.
    """

    status_: str
    statuses_: list[str]
    cycle_: int | None
    cycles_: list[int | None]

    _published: ClassVar[str] = "last"
    _absent: ClassVar[dict[str, Any]] = {
        "order": "cyclic",
        "max_steps": None,
        "max_updates": None,
        "patience": None,
        "early_stopping": False,
        "n_iter_no_change": 1,
        "warm_start": False,
        "record": False,
        "margin": None,
        "step": "constant",
        "C": 1.0,
    }

    #: What each parameter may be; `fit` checks those that the estimator has.
    _allowed: ClassVar[dict[str, allowed.Kind]] = {
        "fit_intercept": allowed.FLAG,
        "eta0": allowed.POSITIVE,
        "tie": allowed.one_of(*TIES),
        "error_tie": allowed.NONE | allowed.one_of(*TIES),
        "margin": allowed.NONE | allowed.NOT_NEGATIVE,
        "step": allowed.one_of("constant", "pa", "pa1", "pa2"),
        "C": allowed.POSITIVE,
        "order": allowed.one_of("shuffle", "cyclic", "misclassified"),
        "init": allowed.one_of("zeros", "random"),
        "ratchet": allowed.FLAG,
        "max_iter": allowed.NONE | allowed.whole(1),
        "max_steps": allowed.NONE | allowed.whole(1),
        "max_updates": allowed.NONE | allowed.whole(1),
        "max_error": allowed.FRACTION,
        "patience": allowed.NONE | allowed.whole(1),
        "multi_class": allowed.one_of("ova", "ovo", "joint"),
        "class_weight": allowed.NONE | allowed.CLASS_WEIGHT,
        "early_stopping": allowed.FLAG,
        "validation_fraction": allowed.OPEN_FRACTION,
        "n_iter_no_change": allowed.whole(1),
        "warm_start": allowed.FLAG,
        "record": allowed.FLAG,
        "n_jobs": allowed.NONE | allowed.COUNT,
        "random_state": allowed.RANDOM_STATE,
        "verbose": allowed.COUNT | allowed.FLAG,
        "callback": allowed.NONE | allowed.CALLABLE,
    }

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
        if self.status_ != "separated":
            warn_unless_settled(
                type(self).__name__,
                self.statuses_,
                self.n_iter_,
                self.n_mistakes_,
                scales_differ=examples.scales_differ(),
                separable=any(proof is not None and bool(proof.separable) for proof in self.certificates_),
                stacklevel=3,
            )
        return self

    def _fit(self, X: Any, y: Any, coef_init: Any, intercept_init: Any, sample_weight: Any) -> Examples:
        allowed.check_parameters(self, self._allowed)
        seed = allowed.seed_of(self.random_state)
        examples = check_examples(self, X, y, sample_weight, self.class_weight, None, reset=True)
        validation = None
        if self._parameter("early_stopping"):
            examples, validation = split(examples, self.validation_fraction, seed)
        groups = groups_of(self.multi_class, self._parameter("order"), examples, self._threads())
        coef, intercept = self._start(examples, groups, seed, coef_init, intercept_init)
        found = self._train(examples, groups, coef, intercept, seed, validation=validation)
        self._publish(examples.classes, found)
        if validation is not None:
            self.validation_scores_ = [outcome.validated / len(validation) for outcome in found.outcomes]
        if found.updates is not None:
            starts = np.column_stack([intercept, coef]) if self.fit_intercept else coef
            rule = {"order": self.order, "seed": seed, "tie": self.tie, "fit_intercept": bool(self.fit_intercept)}
            self.trace_ = traces_of(examples, groups, starts, found, self.eta0, rule)
        return examples

    def _present_weights(self) -> tuple[Any, Any]:
        """The weights that learning goes on from."""
        return self.coef_, self.intercept_

    def _parameter(self, name: str) -> Any:
        return getattr(self, name) if hasattr(self, name) else self._absent[name]

    def _start(
        self, examples: Examples, groups: list[Group], seed: int, coef_init: Any, intercept_init: Any
    ) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        problems = sum(len(group.positives) for group in groups)
        features = examples.rows.n_features
        coef = np.zeros((problems, features))
        intercept = np.zeros(problems)
        if self.init == "random":
            # Each binary problem starts as it would alone; planes that learn jointly start apart.
            for plane in range(problems):
                start = random_start(seed, features + self.fit_intercept, plane if groups[0].joint else 0)
                coef[plane] = start[int(self.fit_intercept) :]
                intercept[plane] = start[0] if self.fit_intercept else 0.0
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
        if examples.chosen is not None or limited:
            refuse_nonfinite(self, examples.rows)  # a run that may not meet every example cannot vouch for them
        n, d = examples.X.shape
        plan["ask_before_stall"] = not groups[0].joint and n * d <= SMALL
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
        step = self._parameter("step")
        margin = self._parameter("margin")
        return {
            "eta0": float(self.eta0),
            "tie": self.tie,
            "error_tie": self.error_tie or self.tie,
            "fit_intercept": bool(self.fit_intercept),
            "margin": float(margin if margin is not None else step != "constant"),
            "step": step,
            "aggressiveness": float(self._parameter("C")),
            "order": self._parameter("order"),
            "seed": seed,
            "max_iter": self.max_iter,
            "max_steps": self._parameter("max_steps"),
            "max_updates": self._parameter("max_updates"),
            "patience": self._parameter("patience"),
            "max_error": float(self.max_error),
            "may_stall": self.max_iter is None,
            "record": bool(self._parameter("record")),
            "n_iter_no_change": self._parameter("n_iter_no_change"),
        }

    def _threads(self) -> int:
        """One, where somebody watches the epochs: a callback is called by one thread."""
        return 1 if self.callback is not None or self.verbose else effective_n_jobs(self.n_jobs)

    def _publish(self, classes: NDArray[Any], found: Found) -> None:
        self.classes_ = classes
        self.coef_, self.intercept_ = found.weights(self._published)
        if self._published != "last":
            self.last_coef_, self.last_intercept_ = found.weights("last")
        self.statuses_ = [outcome.ending for outcome in found.outcomes]
        self.status_ = worst(self.statuses_)
        self.cycles_ = [outcome.period or None for outcome in found.outcomes]
        self.cycle_ = self.cycles_[0] if len(self.cycles_) == 1 else None
        self.n_iter_ = max(outcome.epochs for outcome in found.outcomes)
        self.n_mistakes_ = sum(outcome.mistakes for outcome in found.outcomes)
        self.n_samples_seen_ = found.n_samples_seen
        self.history_ = found.history
        self.certificates_ = found.certificates
        self.certificate_ = found.certificates[0] if len(found.certificates) == 1 else None


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
