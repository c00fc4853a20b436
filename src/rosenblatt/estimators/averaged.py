"""The averaged perceptron, a good default for noisy data."""

from typing import ClassVar

import numpy as np

from rosenblatt.conventions.own_dialect import Init, Order
from rosenblatt.conventions.ties import Tie
from rosenblatt.estimators.base.learn_one import OneByOneMixin
from rosenblatt.estimators.base.online_classifier import Array, Planes
from rosenblatt.estimators.parameter_types import Callback, ClassWeight, RandomState
from rosenblatt.learning.fit import OnlineFit
from rosenblatt.learning.parameters import Algorithm, MultiClass, Rivals, Step


class AveragedPerceptron(OneByOneMixin):
    """The mean of the perceptron's weights over all examples presented (Freund and Schapire 1999; Collins 2002).

    The run and `status_` are those of `Perceptron`. `coef_` is the average of its weights, which predicts better than
    the last weights on noisy data. With sample weights, each example counts with its weight. The sum is updated lazily:
    an update of a sparse example costs only its nonzeros.

    Parameters
    ----------
    max_iter : int, default=10
        Maximum number of epochs; None: until the run separates, cycles or stalls.
    fit_intercept, eta0, tie, error_tie, order, init, init_scale, margin, step, C, max_steps, max_updates, max_error, \
patience, multi_class, rivals, class_weight, warm_start, record, n_jobs, random_state, verbose, callback
        As in `Perceptron`.

    Attributes
    ----------
    coef_, intercept_ : the average weights.
    last_coef_, last_intercept_ : the final weights of the run; `partial_fit` and `warm_start` continue from these.
    status_, statuses_, cycle_, cycles_, n_iter_, n_mistakes_, n_samples_seen_, history_, trace_, classes_
        As in `Perceptron`; they describe the run. If the last weights separate the examples, the average may not.

    Examples
    --------
    >>> from rosenblatt import AveragedPerceptron, data
    >>> digits = data.load("digits")
    >>> AveragedPerceptron(max_iter=5).fit(digits.X[:900], digits.y[:900]).score(digits.X[900:], digits.y[900:]) > 0.9
    True
    """

    _algorithm: ClassVar[Algorithm] = "AveragedPerceptron"
    _should_converge: ClassVar[bool] = False
    _keeps_average: ClassVar[bool] = True

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
        max_iter: int | None = 10,
        max_steps: int | None = None,
        max_updates: int | None = None,
        max_error: float = 0.0,
        patience: int | None = None,
        multi_class: MultiClass = "ova",
        rivals: Rivals = "best",
        class_weight: ClassWeight = None,
        warm_start: bool = False,
        record: bool = False,
        n_jobs: int | None = None,
        random_state: RandomState = 0,
        verbose: int = 0,
        callback: Callback = None,
    ) -> None:
        self._store(locals())

    def _present_weights(self) -> tuple[Array, Array]:
        return self.last_coef_, self.last_intercept_

    def _begin(self, coef: Array, intercept: Array) -> None:
        super()._begin(coef, intercept)
        self.last_coef_, self.last_intercept_ = coef, intercept
        self._averaged_over = np.zeros(len(intercept))

    def _apply_batch(self, fitted: OnlineFit, planes: Planes) -> None:
        """The average of all parts is the mean of their averages, weighted by the examples of each."""
        seen, more = self._averaged_over[planes], fitted.outcomes.averaged_over()
        coef, intercept = fitted.weights("average")
        self.coef_, self.intercept_ = self.coef_.copy(), self.intercept_.copy()
        self.coef_[planes] = (seen[:, None] * self.coef_[planes] + more[:, None] * coef) / (seen + more)[:, None]
        self.intercept_[planes] = (seen * self.intercept_[planes] + more * intercept) / (seen + more)
        self._averaged_over[planes] += more
        self.last_coef_, self.last_intercept_ = self.last_coef_.copy(), self.last_intercept_.copy()
        self.last_coef_[planes], self.last_intercept_[planes] = fitted.weights("last")
