"""The batch perceptron: gradient descent on the perceptron loss."""

from typing import Any, ClassVar

from rosenblatt.estimators.online import OnlineClassifier
from rosenblatt.learning.parameters import Algorithm


class BatchPerceptron(OnlineClassifier):
    """L2's gradient step: each epoch scores all examples and adds all misclassified ones to the weights at once.

    The order of the examples does not matter. An epoch is a step, and each misclassified example in it a mistake.

    Parameters
    ----------
    max_iter : int, default=1000
        At most so many steps.
    fit_intercept, eta0, tie, error_tie, init, max_error, multi_class, class_weight, early_stopping, \
validation_fraction, n_iter_no_change, warm_start, n_jobs, random_state, verbose, callback
        As those of `Perceptron`.

    Attributes
    ----------
    coef_, intercept_, classes_, status_, statuses_, cycle_, cycles_, n_iter_, n_mistakes_, n_samples_seen_
        As those of `Perceptron`.
    history_ : structured array
        One row a step: `epoch`, `mistakes`, `error_rate` and `loss`, exact for the weights before the step.

    Examples
    --------
    >>> from rosenblatt import BatchPerceptron
    >>> X, y = [[0, 0], [0, 1], [1, 0], [1, 1]], [0, 0, 0, 1]
    >>> BatchPerceptron().fit(X, y).status_
    'separated'
    """

    _algorithm: ClassVar[Algorithm] = "BatchPerceptron"

    def __init__(
        self,
        *,
        fit_intercept: bool = True,
        eta0: float = 1.0,
        tie: str = "mistake",
        error_tie: str | None = None,
        init: str = "zeros",
        max_iter: int | None = 1000,
        max_error: float = 0.0,
        multi_class: str = "ova",
        class_weight: Any = None,
        early_stopping: bool = False,
        validation_fraction: float = 0.1,
        n_iter_no_change: int = 5,
        warm_start: bool = False,
        n_jobs: int | None = None,
        random_state: Any = 0,
        verbose: int = 0,
        callback: Any = None,
    ) -> None:
        self.fit_intercept = fit_intercept
        self.eta0 = eta0
        self.tie = tie
        self.error_tie = error_tie
        self.init = init
        self.max_iter = max_iter
        self.max_error = max_error
        self.multi_class = multi_class
        self.class_weight = class_weight
        self.early_stopping = early_stopping
        self.validation_fraction = validation_fraction
        self.n_iter_no_change = n_iter_no_change
        self.warm_start = warm_start
        self.n_jobs = n_jobs
        self.random_state = random_state
        self.verbose = verbose
        self.callback = callback
