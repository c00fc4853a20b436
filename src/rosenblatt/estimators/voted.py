"""The voted perceptron: all weight vectors of the run vote, weighted by how long they survived."""

from collections.abc import Iterator, Sequence
from typing import ClassVar, cast

import numpy as np
from numpy.typing import NDArray
from sklearn.utils.extmath import safe_sparse_dot
from sklearn.utils.validation import check_is_fitted

from rosenblatt.conventions.own_dialect import Init, Order
from rosenblatt.conventions.ties import Tie
from rosenblatt.core import VotedPairs
from rosenblatt.estimators.base.online_classifier import OnlineClassifier
from rosenblatt.estimators.checks.validation import checked_X
from rosenblatt.estimators.parameter_types import Callback, ClassWeight, RandomState
from rosenblatt.learning.pairs.ragged import Ragged
from rosenblatt.learning.parameters import Algorithm, MultiClass
from rosenblatt.learning.rows.array_types import Labels, Matrix, MatrixLike
from rosenblatt.learning.scores.prediction import is_positive
from rosenblatt.meter import Meter

_BLOCK = 4_000_000  # maximum number of scores in memory while voting


class VotedPerceptron(OnlineClassifier):
    """The weighted vote of all weight vectors of the run (Freund and Schapire 1999).

    The prediction is the sign of Σ cₖ sign(wₖ·x), where cₖ is the number of examples that wₖ survived. The vectors are
    never computed: each differs from the one before by one example, so the scores are cumulative sums of inner products
    with the examples that were mistakes.

    Parameters
    ----------
    max_iter : int, default=10
        Maximum number of epochs.
    multi_class : {"ovo", "ova"}, default="ovo"
        Each binary problem has its own vote. The default is one-vs-one: in one-vs-all two classes may both win nearly
        all votes against the rest, and the small difference between them carries little information.
    fit_intercept, eta0, tie, error_tie, order, init, init_scale, max_steps, max_updates, max_error, patience, \
class_weight, n_jobs, random_state, verbose, callback
        As in `Perceptron`.

    Attributes
    ----------
    support_ : array
        Indices of the examples that were a mistake at least once.
    support_vectors_ : array or CSR matrix
        These examples.
    survival_ : sequence of arrays
        The number of examples (or their total weight) that each vector of a problem survived, first vector included.
    starts_ : array
        The initial vector of each problem; [w₀, w₁, …] if there is an offset.
    updates_, scales_ : sequences of arrays
        The updates of each problem: the index in `support_` of the example that was added, and its factor.
    trace_ : Trace or list of Trace
        The run of each problem. It refers to the training examples, so model files do not contain it.
    coef_, intercept_ : the last vectors of the run; `predict` uses the vote instead.
    status_, statuses_, cycle_, cycles_, n_iter_, n_mistakes_, n_samples_seen_, history_, classes_
        As in `Perceptron`; they describe the run.

    Examples
    --------
    >>> from rosenblatt import VotedPerceptron
    >>> X, y = [[0, 0], [0, 1], [1, 0], [1, 1]], [0, 0, 0, 1]
    >>> VotedPerceptron().fit(X, y).survival_[0].sum()
    np.float64(40.0)
    """

    support_: NDArray[np.intp]
    support_vectors_: Matrix
    starts_: NDArray[np.float64]
    updates_: Sequence[NDArray[np.intp]]
    scales_: Sequence[NDArray[np.float64]]
    survival_: Sequence[NDArray[np.float64]]

    _algorithm: ClassVar[Algorithm] = "VotedPerceptron"
    _should_converge: ClassVar[bool] = False

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
        max_iter: int | None = 10,
        max_steps: int | None = None,
        max_updates: int | None = None,
        max_error: float = 0.0,
        patience: int | None = None,
        multi_class: MultiClass = "ovo",
        class_weight: ClassWeight = None,
        n_jobs: int | None = None,
        random_state: RandomState = 0,
        verbose: int = 0,
        callback: Callback = None,
    ) -> None:
        self._store(locals())

    def predict(self, X: MatrixLike) -> Labels:
        """Predicts the class of each example; `tie` decides for a vote of exactly 0."""
        check_is_fitted(self)
        if not isinstance(self.survival_, Ragged):
            return super().predict(X)
        examples = checked_X(self, X)
        codes = np.empty(examples.shape[0], dtype=np.uint32)
        voters = self._voted_pairs()
        for rows, products, begins in self._pair_blocks(examples):
            voters.labels_into(products, begins, self.tie == "positive", codes[rows])
        return self.classes_[codes]

    def decision_function(self, X: MatrixLike) -> NDArray[np.float64]:
        check_is_fitted(self)
        if not isinstance(self.survival_, Ragged):
            return super().decision_function(X)
        examples = checked_X(self, X)
        votes = np.empty((examples.shape[0], len(self.classes_)))
        voters = self._voted_pairs()
        for rows, products, begins in self._pair_blocks(examples):
            voters.votes_into(products, begins, self.tie == "positive", votes[rows])
        return votes

    decision_function.__doc__ = OnlineClassifier.decision_function.__doc__

    def _voted_pairs(self) -> VotedPairs:
        updates = cast("Ragged[np.intp]", self.updates_)
        return VotedPairs(
            n_classes=len(self.classes_),
            starts=updates.starts,
            updates=updates.values.astype(np.uint32),
            scales=cast("Ragged[np.float64]", self.scales_).values,
            survival=cast("Ragged[np.float64]", self.survival_).values,
        )

    def _pair_blocks(self, X: Matrix) -> Iterator[tuple[slice, NDArray[np.float64], NDArray[np.float64]]]:
        """Blocks of rows, with their inner products with the support vectors and their scores under the first vector.

        The shares of all pairs of many classes would not fit into memory.
        """
        block = max(1, _BLOCK // max(len(cast("Ragged[np.intp]", self.updates_).values), len(self.support_)))
        with Meter(f"{type(self).__name__}.predict", X.shape[0], "examples") as meter:
            for rows, part, products in self._blocks(X, block):
                yield rows, products, np.ascontiguousarray(self._start_scores(part, 0))
                meter.update(rows.stop)

    def _start_scores(self, part: Matrix, c: int) -> NDArray[np.float64]:
        """The scores of a block of examples under the initial vector of problem c."""
        start, offset = self.starts_[c], int(self.fit_intercept)
        return np.asarray(safe_sparse_dot(part, start[offset:]) + (start[0] if offset else 0.0))

    def _blocks(self, X: Matrix, block: int) -> Iterator[tuple[slice, Matrix, NDArray[np.float64]]]:
        """Blocks of rows, with their inner products with the support vectors."""
        for begin in range(0, X.shape[0], block):
            rows = slice(begin, min(begin + block, X.shape[0]))
            products = safe_sparse_dot(X[rows], self.support_vectors_.T, dense_output=True) + bool(self.fit_intercept)
            yield rows, X[rows], np.ascontiguousarray(products, dtype=np.float64)

    def _scores(self, X: MatrixLike) -> NDArray[np.float64]:
        """The share of votes for the positive class minus the share against it, one column per problem."""
        check_is_fitted(self)
        examples = checked_X(self, X)
        shares = np.empty((examples.shape[0], len(self.survival_)))
        longest = max(map(len, self.survival_))
        block = max(1, _BLOCK // longest)
        for rows, part, products in self._blocks(examples, block):
            for c, survival in enumerate(self.survival_):
                votes = np.where(is_positive(self._running_scores(c, part, products), self.tie), 1.0, -1.0)
                shares[rows, c] = votes @ survival / survival.sum()
        return shares

    def _running_scores(self, c: int, part: Matrix, products: NDArray[np.float64]) -> NDArray[np.float64]:
        """The scores of a block of examples under every vector of problem c, one column per vector."""
        scores = np.empty((part.shape[0], len(self.survival_[c])))
        scores[:, 0] = self._start_scores(part, c)
        scores[:, 1:] = products[:, self.updates_[c]]
        scores[:, 1:] *= self.scales_[c]
        return np.cumsum(scores, axis=1, out=scores)
