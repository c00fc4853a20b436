"""The online perceptron as a scikit-learn estimator."""

from typing import Any

from rosenblatt.estimators.one_by_one import OneByOneMixin


class Perceptron(OneByOneMixin):
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
        last, every step draws one of the examples that are wrong under the weights of that moment, and updates it; an
        epoch is n_examples steps, and the run ends with the step that leaves none wrong. A step scores all examples,
        or adds a row of the Gram matrix to their scores where nothing is rounded: for many examples choose another.
    init : {"zeros", "random"}, default="zeros"
        The first weights; "random" means seeded multiples of 2⁻¹⁰ in [−½, ½]. Given weights: `fit(coef_init=…)`.
    margin : float, default=None
        An example is updated when y·score ≤ margin, not only when it is wrong. None: 0, or 1 for passive-aggressive
        steps.
    step : {"constant", "pa", "pa1", "pa2"}, default="constant"
        How far an update goes: eta0·y·x; or, passive-aggressively (Crammer et al. 2006), just as far as the margin
        asks ("pa"), by at most C times x ("pa1"), or softened by C ("pa2"). A loss under 2⁻³² of the margin counts as
        none.
    C : float, default=1.0
        The aggressiveness of "pa1" and "pa2".
    max_iter, max_steps, max_updates : int, default=None
        Limits on epochs, on examples presented and on updates, for each binary problem. None: no limit; without
        `max_iter` a fit that gets nowhere ends "stalled". A small one (up to a million values) asks `separability`
        first: if there is a separator it goes on for up to fifty times as long to find it; if not, it ends
        "inseparable" with the proof.
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
        at most 10,000 rows, evenly thinned. Exact values: `trace_.history()`. Under order="misclassified" they are
        exact already, after the epoch's last step.
    certificate_, certificates_ : Separability or None, and list
        The proof, where a problem that would have stalled asked for one.
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

    def __init__(
        self,
        *,
        fit_intercept: bool = True,
        eta0: float = 1.0,
        tie: str = "mistake",
        error_tie: str | None = None,
        order: str = "shuffle",
        init: str = "zeros",
        margin: float | None = None,
        step: str = "constant",
        C: float = 1.0,
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
        self.margin = margin
        self.step = step
        self.C = C
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
