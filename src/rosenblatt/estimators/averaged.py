"""The averaged perceptron: the practitioner's default."""

from typing import Any, ClassVar

import numpy as np

from rosenblatt.estimators.one_by_one import OneByOneMixin
from rosenblatt.learning.fit import Fit
from rosenblatt.learning.parameters import Algorithm


class AveragedPerceptron(OneByOneMixin):
    """The mean of the perceptron's weights over all examples presented (Freund and Schapire 1999; Collins 2002).

    The run is that of `Perceptron`, and so is `status_`; `coef_` is the average of its weights, which on noisy data
    predicts better than the last ones. Where examples have weights, each counts by its own. The sum is kept lazily: a
    sparse update stays sparse.

    Parameters
    ----------
    max_iter : int, default=10
        At most so many epochs; None: until the run separates, cycles or stalls.
    fit_intercept, eta0, tie, error_tie, order, init, margin, step, C, max_steps, max_updates, max_error, patience, \
multi_class, class_weight, warm_start, record, n_jobs, random_state, verbose, callback
        As those of `Perceptron`.

    Attributes
    ----------
    coef_, intercept_ : the average.
    last_coef_, last_intercept_ : the weights that the run ended with; learning goes on from these.
    status_, statuses_, cycle_, cycles_, n_iter_, n_mistakes_, n_samples_seen_, history_, trace_, classes_
        As those of `Perceptron`, of the run. The average of weights that separate need not separate.

    Examples
    --------
    >>> from rosenblatt import AveragedPerceptron, data
    >>> digits = data.load("digits")
    >>> AveragedPerceptron(max_iter=5).fit(digits.X[:900], digits.y[:900]).score(digits.X[900:], digits.y[900:]) > 0.9
    True
    """

    _algorithm: ClassVar[Algorithm] = "AveragedPerceptron"
    _should_settle: ClassVar[bool] = False
    _keeps_average: ClassVar[bool] = True

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
        max_iter: int | None = 10,
        max_steps: int | None = None,
        max_updates: int | None = None,
        max_error: float = 0.0,
        patience: int | None = None,
        multi_class: str = "ova",
        class_weight: Any = None,
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
        self.warm_start = warm_start
        self.record = record
        self.n_jobs = n_jobs
        self.random_state = random_state
        self.verbose = verbose
        self.callback = callback

    def _present_weights(self) -> tuple[Any, Any]:
        return self.last_coef_, self.last_intercept_

    def _begin(self, coef: Any, intercept: Any) -> None:
        super()._begin(coef, intercept)
        self.last_coef_, self.last_intercept_ = coef, intercept
        self._averaged_over = np.zeros(len(intercept))

    def _take_part(self, fitted: Fit, planes: Any) -> None:
        """The average of all parts is the mean of their averages, weighted by the examples of each."""
        seen, more = self._averaged_over[planes], fitted.outcomes.averaged_over()
        coef, intercept = fitted.weights("average")
        self.coef_, self.intercept_ = self.coef_.copy(), self.intercept_.copy()
        self.coef_[planes] = (seen[:, None] * self.coef_[planes] + more[:, None] * coef) / (seen + more)[:, None]
        self.intercept_[planes] = (seen * self.intercept_[planes] + more * intercept) / (seen + more)
        self._averaged_over[planes] += more
        self.last_coef_, self.last_intercept_ = self.last_coef_.copy(), self.last_intercept_.copy()
        self.last_coef_[planes], self.last_intercept_[planes] = fitted.weights("last")
