"""The voted perceptron: every vector of weights that the run had votes, as often as it was right."""

from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray
from sklearn.utils.extmath import safe_sparse_dot
from sklearn.utils.validation import check_is_fitted

from rosenblatt.estimators.online import OnlineClassifier
from rosenblatt.estimators.validation import checked_X
from rosenblatt.learning.examples import Examples
from rosenblatt.learning.parameters import Algorithm
from rosenblatt.trace import Recording, Trace

_BLOCK = 4_000_000  # scores held at once while voting


class VotedPerceptron(OnlineClassifier):
    """Every weight vector of the run, each with the number of examples that it survived (Freund and Schapire 1999).

    Prediction is their weighted vote, Σ cₖ sign(wₖ·x). The vectors are never built: each differs from the one before by
    one example, so their scores are running sums of inner products with the examples that were mistakes.

    Parameters
    ----------
    max_iter : int, default=10
        At most so many epochs.
    multi_class : {"ovo", "ova"}, default="ovo"
        Votes are cast by binary problems. One against one is the default: where two classes have both won nearly all
        votes against the rest, the small difference between them says little.
    fit_intercept, eta0, tie, error_tie, order, init, max_steps, max_updates, max_error, patience, class_weight, \
n_jobs, random_state, verbose, callback
        As those of `Perceptron`.

    Attributes
    ----------
    support_ : array
        The examples that were a mistake at least once.
    support_vectors_ : array or CSR matrix
        These examples.
    survival_ : list of arrays
        How many examples (by weight) each vector of a problem was in use for, the first vector included.
    starts_ : array
        The first vector of each problem, [w₀, w₁, …] where there is an offset.
    updates_, scales_ : lists of arrays
        What makes a problem's vectors, one after the other: the place in `support_` of the example that was added, and
        the multiple of it.
    trace_ : Trace or list of Trace
        The run of each problem; it holds the examples, so a model file does not keep it.
    coef_, intercept_ : the last vectors, which predict alone what the vote predicts together.
    status_, statuses_, cycle_, cycles_, n_iter_, n_mistakes_, n_samples_seen_, history_, classes_
        As those of `Perceptron`, of the run.

    Examples
    --------
    >>> from rosenblatt import VotedPerceptron
    >>> X, y = [[0, 0], [0, 1], [1, 0], [1, 1]], [0, 0, 0, 1]
    >>> VotedPerceptron().fit(X, y).survival_[0].sum()
    np.float64(40.0)
    """

    _algorithm: ClassVar[Algorithm] = "VotedPerceptron"
    _should_settle: ClassVar[bool] = False

    def __init__(
        self,
        *,
        fit_intercept: bool = True,
        eta0: float = 1.0,
        tie: str = "mistake",
        error_tie: str | None = None,
        order: str = "shuffle",
        init: str = "zeros",
        max_iter: int | None = 10,
        max_steps: int | None = None,
        max_updates: int | None = None,
        max_error: float = 0.0,
        patience: int | None = None,
        multi_class: str = "ovo",
        class_weight: Any = None,
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
        self.n_jobs = n_jobs
        self.random_state = random_state
        self.verbose = verbose
        self.callback = callback

    def _fit(self, X: Any, y: Any, coef_init: Any, intercept_init: Any, sample_weight: Any) -> Examples:
        examples = super()._fit(X, y, coef_init, intercept_init, sample_weight)
        traces = self.trace_ if isinstance(self.trace_, list) else [self.trace_]
        recordings = [trace.recording for trace in traces]
        self.support_ = np.unique(np.concatenate([recording.i for recording in recordings]))
        self.support_vectors_ = examples.X[self.support_]
        self.starts_ = np.stack([recording.start for recording in recordings])
        self.updates_ = [np.searchsorted(self.support_, recording.i) for recording in recordings]
        self.scales_ = [_signed_steps(recording) for recording in recordings]
        self.survival_ = [_survival(trace, examples.weights) for trace in traces]
        return examples

    def _scores(self, X: Any) -> NDArray[np.float64]:
        """The share of votes for the positive class minus the share against it, one column a problem."""
        check_is_fitted(self)
        X = checked_X(self, X)
        shares = np.empty((X.shape[0], len(self.survival_)))
        longest = max(map(len, self.survival_))
        block = max(1, _BLOCK // longest)
        for begin in range(0, X.shape[0], block):
            part = X[begin : begin + block]
            products = safe_sparse_dot(part, self.support_vectors_.T, dense_output=True) + bool(self.fit_intercept)
            for c, survival in enumerate(self.survival_):
                votes = np.where(self._is_positive(self._running_scores(c, part, products)), 1.0, -1.0)
                shares[begin : begin + block, c] = votes @ survival / survival.sum()
        return shares

    def _running_scores(self, c: int, part: Any, products: NDArray[np.float64]) -> NDArray[np.float64]:
        """The scores of a part's examples under every vector of problem c, one column a vector."""
        scores = np.empty((part.shape[0], len(self.survival_[c])))
        start, offset = self.starts_[c], int(self.fit_intercept)
        scores[:, 0] = safe_sparse_dot(part, start[offset:]) + (start[0] if offset else 0.0)
        scores[:, 1:] = products[:, self.updates_[c]]
        scores[:, 1:] *= self.scales_[c]
        return np.cumsum(scores, axis=1, out=scores)


def _signed_steps(recording: Recording) -> NDArray[np.float64]:
    signs = np.where(recording.labels[recording.i] == recording.positive, 1.0, -1.0)
    return signs * recording.steps[recording.i]


def _survival(trace: Trace, weights: NDArray[np.float64] | None) -> NDArray[np.float64]:
    """Vector m was in use from the example that made it to the one before the next mistake."""
    clock = np.arange(len(trace) + 1.0)
    if weights is not None:
        clock[1:] = np.cumsum(weights[trace.presented_examples()])
    return np.diff(clock[np.concatenate([[0], trace.recording.k, [len(trace)]])])
