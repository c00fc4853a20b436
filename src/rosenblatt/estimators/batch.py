"""The batch perceptron: gradient descent on the perceptron loss."""

from typing import ClassVar

from rosenblatt.conventions.own_dialect import Init
from rosenblatt.conventions.ties import Tie
from rosenblatt.estimators.base.online_classifier import OnlineClassifier
from rosenblatt.estimators.parameter_types import Callback, ClassWeight, RandomState
from rosenblatt.learning.parameters import Algorithm, MultiClass, Rivals


class BatchPerceptron(OnlineClassifier):
    """Batch gradient descent on the perceptron loss (L2): each epoch adds all misclassified examples at once.

    The order of the examples does not matter. An epoch is one step, and each misclassified example counts as a mistake.

    Parameters
    ----------
    max_iter : int, default=1000
        Maximum number of steps.
    fit_intercept, eta0, tie, error_tie, init, init_scale, max_error, multi_class, rivals, class_weight, \
early_stopping, validation_fraction, n_iter_no_change, warm_start, n_jobs, random_state, verbose, callback
        As in `Perceptron`.

    Attributes
    ----------
    coef_, intercept_, classes_, status_, statuses_, cycle_, cycles_, n_iter_, n_mistakes_, n_samples_seen_
        As in `Perceptron`.
    history_ : structured array
        One row per step: `epoch`, `mistakes`, `error_rate` and `loss`, exact for the weights before the step.

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
        tie: Tie = "mistake",
        error_tie: Tie | None = None,
        init: Init = "zeros",
        init_scale: float = 0.5,
        max_iter: int | None = 1000,
        max_error: float = 0.0,
        multi_class: MultiClass = "ova",
        rivals: Rivals = "best",
        class_weight: ClassWeight = None,
        early_stopping: bool = False,
        validation_fraction: float = 0.1,
        n_iter_no_change: int = 5,
        warm_start: bool = False,
        n_jobs: int | None = None,
        random_state: RandomState = 0,
        verbose: int = 0,
        callback: Callback = None,
    ) -> None:
        self._store(locals())
