"""The online perceptron as a scikit-learn estimator."""

from typing import ClassVar

from rosenblatt.conventions.own_dialect import Init, Order
from rosenblatt.conventions.ties import Tie
from rosenblatt.estimators.base.learn_one import OneByOneMixin
from rosenblatt.estimators.parameter_types import Callback, ClassWeight, RandomState
from rosenblatt.learning.parameters import Algorithm, MultiClass, Rivals, Step


class Perceptron(OneByOneMixin):
    """The perceptron: each mistake adds the example to the weights, until an epoch has no mistake.

    `status_` tells how a fit ended; "separated" means a whole epoch without a mistake.

    Parameters
    ----------
    fit_intercept : bool, default=True
        Whether to learn an offset w₀.
    eta0 : float, default=1.0
        The learning rate: a mistake adds eta0·y·x to the weights.
    tie : {"mistake", "positive", "negative"}, default="mistake"
        What a score of exactly 0 means: always a mistake (predicted as the earlier class, as in scikit-learn), a
        positive prediction (L0, L1) or a negative prediction (L3, L4).
    error_tie : {"mistake", "positive", "negative"}, default=None
        The tie rule of the reported errors, if it differs from that of the updates (L1). None: as `tie`.
    order : {"shuffle", "cyclic", "misclassified"}, default="shuffle"
        The order of the examples in an epoch: reshuffled every epoch, the order of the data, or drawn from the
        misclassified examples (L2). With "misclassified", every step draws one of the examples that the current weights
        misclassify, and updates it. An epoch is n_examples steps, and the run ends when no example is misclassified. A
        step scores all examples, or adds a row of the Gram matrix to the scores if that is exact, so this order is slow
        for many examples.
    init : {"zeros", "random"}, default="zeros"
        The initial weights; "random" draws small weights from the seed: `init_scale` times a multiple of 2⁻⁹ in
        [−1, 1]. For given weights use `fit(coef_init=…)`.
    init_scale : float, default=0.5
        With `init="random"`, the largest magnitude of an initial weight. A power of two keeps sums of integers exact.
    margin : float, default=None
        An example is updated if y·score ≤ margin. None: 0, or 1 for passive-aggressive steps.
    step : {"constant", "pa", "pa1", "pa2"}, default="constant"
        The size of an update: eta0·y·x; or passive-aggressive (Crammer et al. 2006), where the example just reaches the
        margin ("pa"), the factor of x is at most C ("pa1"), or C enters as a quadratic penalty ("pa2"). A loss below
        2⁻³² of the margin counts as zero.
    C : float, default=1.0
        The aggressiveness of "pa1" and "pa2".
    max_iter, max_steps, max_updates : int, default=None
        Limits on epochs, examples presented and updates, for each binary problem. None: no limit. Without `max_iter`, a
        fit that no longer improves ends "stalled". If X has at most a million values, `separability` is called first:
        if a separator exists, the fit continues for up to fifty times as long; if not, it ends "inseparable" with the
        proof.
    max_error : float, default=0.0
        Stop when the share of errors in an epoch is at most this value (L3's μ).
    patience : int, default=None
        Stop when the weights have not changed for this many consecutive examples (L0).
    multi_class : {"ova", "ovo", "joint"}, default="ova"
        More than two classes: one-vs-all; one-vs-one, with a majority vote and ties broken by the summed scores; or
        jointly: an example is a mistake unless the score of its class is strictly the largest, and a mistake adds x to
        the weights of its class and subtracts x from those of the best other class (see `rivals`).
    rivals : {"best", "all"}, default="best"
        Which classes a mistake of `multi_class="joint"` punishes: the best other class, or all classes whose score is
        not below that of the true class. x is subtracted from each of them and added to the true class as many times.
    class_weight : dict or "balanced", default=None
        Multiplies the step of each class's examples.
    early_stopping : bool, default=False
        Hold out a stratified validation set and stop a problem when its accuracy there has not improved for
        `n_iter_no_change` epochs. A fit that did not separate then has the best weights, not the last.
    validation_fraction : float, default=0.1
        The share of examples in the validation set.
    n_iter_no_change : int, default=5
        The number of epochs without a better validation accuracy before a problem stops.
    warm_start : bool, default=False
        Start from the weights of the last fit.
    record : bool, default=False
        Record every update of the run as `trace_`.
    n_jobs : int, default=None
        Threads for the binary problems of many classes, or two for one problem with few mistakes; -1 means all cores.
        Never changes the result.
    random_state : int, RandomState or None, default=0
        Determines orders and random initial weights. An integer is the seed itself, as in `textbook`.
    verbose : int, default=0
        Show progress on a terminal.
    callback : callable, default=None
        Called after each epoch with a `Progress`. If it returns True, the fit ends with the status "early_stopped". An
        exception that it raises ends the fit and leaves the estimator unchanged.

    Attributes
    ----------
    coef_, intercept_ : arrays of shape (n_problems, n_features) and (n_problems,)
        Weights, float64. Two classes are one problem, whose positive class is `classes_[1]`.
    classes_, n_features_in_, feature_names_in_
        As in scikit-learn.
    status_, statuses_ : str and list of str
        How the fit ended: the worst ending of all binary problems, and the ending of each.
    cycle_, cycles_ : int or None, and list
        The period in epochs of a detected cycle.
    n_iter_, n_mistakes_, n_samples_seen_ : int
        Epochs (the maximum over the problems), mistakes (their sum) and examples presented.
    history_ : structured array
        One row per epoch: `epoch`, `mistakes`, `error_rate` and `loss`, measured on each example when it was presented,
        over the problems still running. Long runs are thinned evenly to at most 10,000 rows. `trace_.history()` has the
        exact values at the end of each epoch; with order="misclassified" those are in `history_` already.
    accelerators_ : list of dict
        For each problem, the accelerators that ran and for how many epochs (performance-details.md). They never
        change the result.
    certificate_, certificates_ : Separability or None, and list
        The proof of (in)separability of each problem for which the stall check was made.
    validation_scores_ : list of float
        With `early_stopping`: the best validation accuracy of each problem.
    trace_ : Trace or list of Trace
        With `record`: the run as a sequence of steps; one trace per binary problem for one-vs-all and one-vs-one.

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

    _algorithm: ClassVar[Algorithm] = "Perceptron"

    def __init__(
        self,
        *,
        fit_intercept: bool = True,
        eta0: float = 1.0,
        tie: Tie = "mistake",
        error_tie: Tie | None = None,
        order: Order = "shuffle",
        init: Init = "zeros",
        init_scale: float = 0.5,
        margin: float | None = None,
        step: Step = "constant",
        C: float = 1.0,
        max_iter: int | None = None,
        max_steps: int | None = None,
        max_updates: int | None = None,
        max_error: float = 0.0,
        patience: int | None = None,
        multi_class: MultiClass = "ova",
        rivals: Rivals = "best",
        class_weight: ClassWeight = None,
        early_stopping: bool = False,
        validation_fraction: float = 0.1,
        n_iter_no_change: int = 5,
        warm_start: bool = False,
        record: bool = False,
        n_jobs: int | None = None,
        random_state: RandomState = 0,
        verbose: int = 0,
        callback: Callback = None,
    ) -> None:
        self._store(locals())
