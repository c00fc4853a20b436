"""The base of `KernelPerceptron`: fitted attributes (support vectors, coefficients, offsets) and scoring with them."""

from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.utils.validation import check_is_fitted, validate_data

from rosenblatt.estimators.base.parameter_attributes import ParameterAttributes
from rosenblatt.estimators.base.scoring_classifier import ScoringClassifier
from rosenblatt.estimators.checks.validation import checked_X
from rosenblatt.estimators.reports.fit_report import report
from rosenblatt.learning.dual.dual_fit import MEGABYTE, settled_values
from rosenblatt.learning.dual.integers import narrowed
from rosenblatt.learning.dual.kernel_functions import Array, Kernel
from rosenblatt.learning.dual.voters import Voters
from rosenblatt.learning.examples import rows_of
from rosenblatt.learning.fitted_attributes import Settled
from rosenblatt.learning.rows.array_types import Matrix, MatrixLike, is_csr
from rosenblatt.learning.scores.prediction import scored
from rosenblatt.learning.threads import map_threads, usable_threads

_BLOCK = 1 << 19  # kernel values that are worked on together, so that they stay in the cache


class DualClassifier(ParameterAttributes, ScoringClassifier):
    """A classifier whose score is a sum of kernel values with support vectors."""

    support_: NDArray[np.intp]
    dual_coef_: Array
    intercept_: Array
    support_vectors_: Matrix
    kernel_: Kernel
    _voters: list[Voters]

    @property
    def settled_(self) -> Settled:
        """The parameters of `kernel_` and the voters as plain values, in the form that a model file stores."""
        return settled_values(self.kernel_, self._voters)

    @settled_.setter
    def settled_(self, settled: Settled) -> None:
        self.kernel_ = Kernel(self.kernel, **settled["kernel"])
        self._voters = [Voters(**voters) for voters in settled["voters"]]
        self._narrow()

    def _narrow(self) -> None:
        """Stores support vectors that are small integers as integers: their products are exact and fast."""
        self._narrow_support = narrowed(self.support_vectors_) if self.kernel_.takes_products else None

    def __sklearn_tags__(self) -> Any:  # scikit-learn ships no types
        tags = super().__sklearn_tags__()
        tags.input_tags.pairwise = self.kernel == "precomputed"
        tags.input_tags.sparse = self.kernel != "precomputed"
        return tags

    def _scores(self, X: MatrixLike) -> Array:
        check_is_fitted(self)
        if self.kernel_.is_precomputed:
            examples: Matrix = validate_data(self, X, reset=False, dtype=[np.float64, np.float32])
        else:
            examples = checked_X(self, X)
        scores = np.empty((examples.shape[0], len(self.intercept_)))
        threads = usable_threads()
        values = min(_BLOCK, int(self.cache_size * MEGABYTE / (8 * max(8, threads))))
        block = max(1, min(examples.shape[0], values // max(len(self.support_), 1)))
        blocks = [slice(begin, begin + block) for begin in range(0, examples.shape[0], block)]
        side_by_side = 1 < threads <= len(blocks)

        def score(rows: slice) -> None:
            scores[rows] = self._scores_by(self._kernel_values(examples[rows], 1 if side_by_side else threads))

        map_threads(score, blocks, threads if side_by_side else 1)
        return scores

    def _kernel_values(self, X: Matrix, threads: int) -> Array:
        """The kernel values between the examples and the support vectors."""
        if self.kernel_.is_precomputed and not is_csr(X):
            return np.ascontiguousarray(X[:, self.support_], dtype=np.float64)
        if self._narrow_support is not None:
            narrow = narrowed(X)
            if narrow is not None:
                return self.kernel_.of_integers(narrow, self._narrow_support, threads=threads)
        return self.kernel_(X, self.support_vectors_, threads=threads)

    def _scores_by(self, values: Array) -> Array:
        if self._voters:
            return np.column_stack(
                [voters.shares(values, bool(self.fit_intercept), self.tie) for voters in self._voters]
            )
        return scored(rows_of(values), self.dual_coef_, self.intercept_)[0]

    def report(self) -> str:
        """Describes in words how the fit ended and its counts."""
        check_is_fitted(self)
        return report(self, None)
