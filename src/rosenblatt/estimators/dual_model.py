"""What a fitted dual perceptron is: support vectors, coefficients, offsets; and how they score."""

from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.utils.validation import check_is_fitted, validate_data

from rosenblatt.estimators.report import report
from rosenblatt.estimators.scoring import ScoringClassifier
from rosenblatt.estimators.validation import checked_X
from rosenblatt.learning.dual.fit import DualFound
from rosenblatt.learning.dual.integers import narrowed
from rosenblatt.learning.dual.kernel_functions import Array, Kernel
from rosenblatt.learning.dual.voters import Voters, voters_of
from rosenblatt.learning.endings import worst
from rosenblatt.learning.examples import Examples, rows_of
from rosenblatt.learning.prediction import scored
from rosenblatt.learning.run import merged, seen, uses_of
from rosenblatt.learning.threads import usable_threads

MEGABYTE = 1 << 20

_BLOCK = 1 << 19  # kernel values that are worked on together, so that they stay in the cache


class DualClassifier(ScoringClassifier):
    """Scores by kernel values with its support vectors."""

    kernel: Any
    vote: str
    eta0: float
    tie: str
    fit_intercept: bool
    cache_size: float

    support_: NDArray[np.intp]
    dual_coef_: Array
    intercept_: Array
    support_vectors_: Any
    kernel_: Kernel
    _voters: list[Voters]

    @property
    def settled_(self) -> dict[str, Any]:
        """What `kernel_` and the voters are made of, as plain values: what a file keeps of them, and takes."""
        kernel = {"gamma": self.kernel_.gamma, "degree": self.kernel_.degree, "coef0": self.kernel_.coef0}
        return {"kernel": kernel, "voters": [asdict(voters) for voters in self._voters]}

    @settled_.setter
    def settled_(self, settled: dict[str, Any]) -> None:
        self.kernel_ = Kernel(self.kernel, **settled["kernel"])
        self._voters = [Voters(**voters) for voters in settled["voters"]]
        self._narrow()

    def _narrow(self) -> None:
        """Keeps support vectors that are small integers as such: their products are exact and fast."""
        self._narrow_support = narrowed(self.support_vectors_) if self.kernel_.takes_products else None

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.pairwise = self.kernel == "precomputed"
        tags.input_tags.sparse = self.kernel != "precomputed"
        return tags

    def _publish(self, examples: Examples, kernel: Kernel, found: list[DualFound]) -> None:
        outcomes = [outcome for part in found for outcome in part.outcomes]
        self.classes_ = examples.classes
        self.kernel_ = kernel
        self.support_ = np.unique(np.concatenate([part.support for part in found]))
        self.support_vectors_ = np.empty((0, 0)) if kernel.is_precomputed else examples.X[self.support_]
        self._narrow()
        self.n_support_ = np.bincount(examples.codes[self.support_], minlength=len(self.classes_))
        self.last_dual_coef_, self.last_intercept_ = self._gathered(found, "last")
        self.dual_coef_, self.intercept_ = self._gathered(found, "average" if self.vote == "average" else "last")
        self._voters = voters_of(examples, found, self.support_, self.eta0) if self.vote == "vote" else []
        self.regime_ = "gram" if all(part.layout.whole for part in found) else "blocks"
        self.statuses_ = [outcome.ending for outcome in outcomes]
        self.status_ = worst(self.statuses_)
        self.cycles_ = [outcome.period or None for outcome in outcomes]
        self.cycle_ = self.cycles_[0] if len(outcomes) == 1 else None
        self.n_iter_ = max(outcome.epochs for outcome in outcomes)
        self.n_mistakes_ = sum(outcome.mistakes for outcome in outcomes)
        self.n_samples_seen_ = seen([part.presented for part in found], [part.group for part in found])
        self.history_ = merged([part.history for part in found])
        self.accelerators_ = uses_of(outcomes)
        self.certificates_ = [proof for part in found for proof in part.certificates]
        self.certificate_ = self.certificates_[0] if len(outcomes) == 1 else None

    def _gathered(self, found: list[DualFound], which: str) -> tuple[Array, Array]:
        """Coefficients of all problems over the common support, and offsets."""
        parts = []
        for part in found:
            coef, _ = getattr(part, which)
            spread = np.zeros((len(coef), len(self.support_)))
            spread[:, np.searchsorted(self.support_, part.support)] = coef
            parts.append(spread)
        return np.concatenate(parts), np.concatenate([getattr(part, which)[1] for part in found])

    def _scores(self, X: Any) -> Array:
        check_is_fitted(self)
        if self.kernel_.is_precomputed:
            X = validate_data(self, X, reset=False, dtype=[np.float64, np.float32])
        else:
            X = checked_X(self, X)
        scores = np.empty((X.shape[0], len(self.intercept_)))
        threads = usable_threads()
        values = min(_BLOCK, int(self.cache_size * MEGABYTE / (8 * max(8, threads))))
        block = max(1, min(X.shape[0], values // max(len(self.support_), 1)))
        blocks = [slice(begin, begin + block) for begin in range(0, X.shape[0], block)]
        side_by_side = 1 < threads <= len(blocks)

        def score(rows: slice) -> None:
            scores[rows] = self._scores_by(self._kernel_values(X[rows], 1 if side_by_side else threads))

        if side_by_side:
            with ThreadPoolExecutor(threads) as pool:
                list(pool.map(score, blocks))  # which raises what a block raised
        else:
            for rows in blocks:
                score(rows)
        return scores

    def _kernel_values(self, X: Any, threads: int) -> Array:
        """Kernel values between examples and the support vectors."""
        if self.kernel_.is_precomputed:
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
        """How the fit ended and what it counted, in words."""
        check_is_fitted(self)
        return report(self, None)
