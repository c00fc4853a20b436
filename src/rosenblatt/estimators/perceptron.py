"""The online perceptron as a scikit-learn estimator."""

from typing import Any, ClassVar, Self

import numpy as np
from joblib import effective_n_jobs
from numpy.typing import NDArray
from sklearn.utils.multiclass import _check_partial_fit_first_call

from rosenblatt.conventions import TIES
from rosenblatt.estimators import parameters as allowed
from rosenblatt.estimators.endings import warn_unless_settled, worst
from rosenblatt.estimators.examples import check_examples, refuse_nonfinite
from rosenblatt.estimators.labelled import Examples
from rosenblatt.estimators.linear import LinearClassifier, all_or_nothing
from rosenblatt.estimators.progress import ProgressLine
from rosenblatt.estimators.tracing import traces_of
from rosenblatt.estimators.training import (
    Found,
    Group,
    NotFiniteError,
    groups_of,
    plan_of,
    published,
    start_of,
    train,
)
from rosenblatt.estimators.validation import split


class Perceptron(LinearClassifier):
    """The perceptron: each mistake adds the example to the weights, until there are none.

    Every fit says how it ended (`status_`), and `separated` means a whole pass over the data without a mistake.

    Parameters
    ----------
    fit_intercept : bool, default=True
        Whether to learn an offset w₀.
    eta0 : float, default=1.0
        The step: a mistake adds eta0·y·x to the weights.
    tie : {"mistake", "positive", "negative"}, default="mistake"
        What a score of exactly 0 is: always an error (predicts the earlier class, as scikit-learn does), a positive
        prediction (L0, L1) or a negative one (L3, L4).
    error_tie : {"mistake", "positive", "negative"}, default=None
        The tie rule of the reported errors, where it differs from that of the updates (L1). None: as `tie`.
    order : {"shuffle", "cyclic", "misclassified"}, default="shuffle"
        The order of an epoch: shuffled anew, as the data comes, or drawn from the misclassified set (L2). For the
        last, an epoch scores all examples once, then draws from those found wrong; one that is still wrong is updated
        and stays, one that has become right leaves the set; at most n_examples updates.
    init : {"zeros", "random"}, default="zeros"
        The first weights; "random" means seeded multiples of 2⁻¹⁰ in [−½, ½]. Given weights: `fit(coef_init=…)`.
    max_iter, max_steps, max_updates : int, default=None
        Limits on epochs, on examples presented and on updates, for each binary problem. None: no limit; without
        `max_iter` a fit that gets nowhere ends "stalled".
    max_error : float, default=0.0
        Stop when the share of errors in an epoch is at most this (L3's μ).
    patience : int, default=None
        Stop when the weights have not changed for this many consecutive examples (L0).
    multi_class : {"ova", "ovo", "joint"}, default="ova"
        More than two classes: one against all others; one against one, with majority vote, ties settled by the summed
        scores; or jointly: a mistake unless the true class's score is strictly the largest, which adds x to the true
        class and subtracts it from the best of the others.
    class_weight : dict or "balanced", default=None
        Multiplies the step of each class's examples.
    early_stopping : bool, default=False
        Keep back a stratified part of the examples and stop a problem when its accuracy there has not improved for
        `n_iter_no_change` epochs; a fit that did not separate then has the best weights, not the last.
    validation_fraction : float, default=0.1
        The share of examples to keep back.
    n_iter_no_change : int, default=5
        Epochs without a better validation accuracy.
    warm_start : bool, default=False
        Start from the weights of the last fit.
    record : bool, default=False
        Keep which example was updated when, as `trace_`.
    n_jobs : int, default=None
        Threads for the binary problems of many classes; -1 means all cores. Never changes the result.
    random_state : int, RandomState or None, default=0
        Orders and random starts follow from it. An integer is the seed itself, as in `textbook`.
    verbose : int, default=0
        Show progress on a terminal.
    callback : callable, default=None
        Called after each epoch with a `Progress`; what it raises ends the fit, and the estimator stays as it was.

    Attributes
    ----------
    coef_, intercept_ : arrays of shape (n_problems, n_features) and (n_problems,)
        Weights, float64. Two classes are one problem, whose positive class is `classes_[1]`.
    classes_, n_features_in_, feature_names_in_
        As everywhere in scikit-learn.
    status_, statuses_ : str and list of str
        How the fit ended; the worst of all binary problems, and each of them.
    cycle_, cycles_ : int or None, and list
        The period in epochs of a cycle that was found.
    n_iter_, n_mistakes_, n_samples_seen_ : int
        Epochs (the largest of all problems), mistakes (their sum) and examples presented.
    history_ : structured array
        One row an epoch: `epoch`, `mistakes`, `error_rate` and `loss` as met online, over the problems still running;
        at most 10,000 rows, evenly thinned. Exact values: `trace_.history()`.
    validation_scores_ : list of float
        With `early_stopping`: the best accuracy of each problem on the part kept back.
    trace_ : Trace or list of Trace
        With `record`: the run as a sequence of steps; for one-vs-all and one-vs-one one a binary problem.

    Examples
    --------
    >>> from rosenblatt import Perceptron
    >>> X, y = [[0, 0], [0, 1], [1, 0], [1, 1]], [0, 0, 0, 1]
    >>> perceptron = Perceptron(order="cyclic").fit(X, y)
    >>> perceptron.status_, perceptron.n_mistakes_, perceptron.n_iter_
    ('separated', 18, 9)
    >>> perceptron.predict([[1, 1], [0, 1]])
    array([1, 0])
    """

    statuses_: list[str]
    cycle_: int | None
    cycles_: list[int | None]
    n_iter_: int
    n_mistakes_: int
    n_samples_seen_: int

    _allowed: ClassVar = {
        "fit_intercept": allowed.FLAG,
        "eta0": allowed.POSITIVE,
        "tie": allowed.one_of(*TIES),
        "error_tie": allowed.NONE | allowed.one_of(*TIES),
        "order": allowed.one_of("shuffle", "cyclic", "misclassified"),
        "init": allowed.one_of("zeros", "random"),
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

    def __init__(
        self,
        *,
        fit_intercept: bool = True,
        eta0: float = 1.0,
        tie: str = "mistake",
        error_tie: str | None = None,
        order: str = "shuffle",
        init: str = "zeros",
        max_iter: int | None = None,
        max_steps: int | None = None,
        max_updates: int | None = None,
        max_error: float = 0.0,
        patience: int | None = None,
        multi_class: str = "ova",
        class_weight: Any = None,
        early_stopping: bool = False,
        validation_fraction: float = 0.1,
        n_iter_no_change: int = 5,
        warm_start: bool = False,
        record: bool = False,
        n_jobs: int | None = None,
        random_state: Any = 0,
        verbose: int = 0,
        callback: Any = None,
    ) -> None:
        self.fit_intercept = fit_intercept
        self.eta0 = eta0
        self.tie = tie
        self.error_tie = error_tie
        self.order = order
        self.init = init
        self.max_iter = max_iter
        self.max_steps = max_steps
        self.max_updates = max_updates
        self.max_error = max_error
        self.patience = patience
        self.multi_class = multi_class
        self.class_weight = class_weight
        self.early_stopping = early_stopping
        self.validation_fraction = validation_fraction
        self.n_iter_no_change = n_iter_no_change
        self.warm_start = warm_start
        self.record = record
        self.n_jobs = n_jobs
        self.random_state = random_state
        self.verbose = verbose
        self.callback = callback

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
            allowed.check_parameters(self, self._allowed)
            seed = allowed.seed_of(self.random_state)
            examples = check_examples(self, X, y, sample_weight, self.class_weight, None, reset=True)
            validation = None
            if self.early_stopping:
                examples, validation = split(examples, self.validation_fraction, seed)
            groups = groups_of(self.multi_class, self.order, examples, self._threads())
            coef, intercept = self._start(examples, groups, seed, coef_init, intercept_init)
            found = self._train(examples, groups, coef, intercept, seed, validation=validation)
            self._publish(examples.classes, found)
            if validation is not None:
                self.validation_scores_ = [right / len(validation) for right in found.validated]
            if self.record:
                starts = np.column_stack([intercept, coef]) if self.fit_intercept else coef
                rule = {"order": self.order, "seed": seed, "tie": self.tie, "fit_intercept": bool(self.fit_intercept)}
                self.trace_ = traces_of(examples, groups, starts, found, self.eta0, rule)
        if worst(self.statuses_) != "separated":
            warn_unless_settled(
                type(self).__name__, self.statuses_, self.n_iter_, self.n_mistakes_, examples.scales_differ(), 3
            )
        return self

    def partial_fit(self, X: Any, y: Any, classes: Any = None, sample_weight: Any = None) -> Self:
        """One pass over these examples, from the present weights; the first call names all `classes`.

        The counts go on from call to call; `status_` is "partial", and nothing warns.
        """
        with all_or_nothing(self):
            allowed.check_parameters(self, self._allowed)
            if self.class_weight == "balanced":
                raise ValueError(
                    "class_weight='balanced' needs all labels, and partial_fit sees only some. Compute the weights "
                    "with sklearn.utils.compute_class_weight and pass them as a dict."
                )
            first = _check_partial_fit_first_call(self, classes)
            examples = check_examples(self, X, y, sample_weight, self.class_weight, self.classes_, reset=first)
            groups = groups_of(self.multi_class, self.order, examples)
            seed = allowed.seed_of(self.random_state)
            if first:
                self.coef_, self.intercept_ = self._start(examples, groups, seed, None, None)
                self.n_iter_ = self.n_mistakes_ = self.n_samples_seen_ = 0
            # A part may lack both classes of a pair, which then waits.
            owners = np.repeat(np.arange(len(groups)), [len(group.positives) for group in groups])
            present = np.array([group.chosen is None or len(group.chosen) > 0 for group in groups])
            planes = present[owners]
            found = self._train(
                examples,
                [group for group, here in zip(groups, present, strict=True) if here],
                self.coef_[planes],
                self.intercept_[planes],
                seed,
                epochs=1,
                first_epoch=self.n_iter_,
            )
            self.coef_, self.intercept_ = self.coef_.copy(), self.intercept_.copy()
            self.coef_[planes], self.intercept_[planes] = found.coef, found.intercept
            self.history_ = found.history
            self.n_iter_ += 1
            self.n_mistakes_ += sum(found.mistakes)
            self.n_samples_seen_ += found.n_samples_seen
            self.status_ = "partial"
            problems = 1 if groups[0].joint else len(planes)
            self.statuses_ = ["partial"] * problems
            self.cycle_, self.cycles_ = None, [None] * problems
        return self

    def _start(
        self, examples: Examples, groups: list[Group], seed: int, coef_init: Any, intercept_init: Any
    ) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        coef, intercept = start_of(self, groups, examples.rows.n_features, seed)
        if self.warm_start and hasattr(self, "coef_"):
            if self.coef_.shape != coef.shape or not np.array_equal(self.classes_, examples.classes):
                raise ValueError(
                    f"warm_start: the last fit had weights of shape {self.coef_.shape} for classes "
                    f"{self.classes_.tolist()}; these data need {coef.shape} for {examples.classes.tolist()}."
                )
            coef, intercept = self.coef_, self.intercept_
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
        plan = plan_of(self, seed, epochs=epochs, first_epoch=first_epoch, validation=validation)
        if examples.chosen is not None or self.max_steps or self.max_updates or self.patience:
            refuse_nonfinite(self, examples.rows)  # a run that may not meet every example cannot vouch for them
        try:
            with ProgressLine(self.verbose, type(self).__name__, epochs or self.max_iter) as line:
                return train(examples, groups, coef, intercept, plan, self.callback, line, self._threads())
        except NotFiniteError:
            refuse_nonfinite(self, examples.rows)
            raise

    def _threads(self) -> int:
        """One, where somebody watches the epochs: a callback is called by one thread."""
        return 1 if self.callback is not None or self.verbose else effective_n_jobs(self.n_jobs)

    def _publish(self, classes: NDArray[Any], found: Found) -> None:
        for name, value in published(classes, found).items():
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
