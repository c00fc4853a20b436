"""What every linear classifier of this package does with its weights: score, predict, tell."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from itertools import combinations
from typing import Any, Self, cast

import numpy as np
from numpy.typing import NDArray
from sklearn.utils.validation import check_is_fitted

from rosenblatt.estimators.interchange import from_sklearn, to_sklearn
from rosenblatt.estimators.report import report
from rosenblatt.estimators.scoring import ScoringClassifier
from rosenblatt.estimators.threads import threads_for
from rosenblatt.estimators.validation import readable_rows, refuse_nonfinite
from rosenblatt.learning.prediction import labelled, scored


class LinearClassifier(ScoringClassifier):
    """Weights, one row a binary problem, and how to read them."""

    coef_: NDArray[np.float64]
    intercept_: NDArray[np.float64]

    def predict(self, X: Any) -> NDArray[Any]:
        """The class of each example; a score of exactly zero is as `tie` says."""
        if type(self)._scores is not LinearClassifier._scores:  # a subclass that scores in its own way
            return super().predict(X)
        rows = readable_rows(self, X)
        labels = labelled(
            rows,
            self.coef_,
            self.intercept_,
            self.classes_,
            pairs=self._is_ovo(),
            ties_are_positive=getattr(self, "tie", None) == "positive",
            n_threads=threads_for(rows, getattr(self, "n_jobs", None)),
        )
        return super().predict(X) if labels is None else labels

    def _scores(self, X: Any) -> NDArray[np.float64]:
        rows = readable_rows(self, X)
        threads = threads_for(rows, getattr(self, "n_jobs", None))
        scores, finite = scored(rows, self.coef_, self.intercept_, threads)
        if not finite:
            refuse_nonfinite(self, rows)
        return scores

    def top_weights(
        self, k: int = 10, feature_names: Sequence[str] | None = None
    ) -> list[tuple[str, float]] | dict[Any, list[tuple[str, float]]]:
        """The k weights of largest magnitude by feature name; for more than two classes, by class or pair.

        The names are those of the data frame that was fitted, unless given.

        >>> from rosenblatt import Perceptron
        >>> Perceptron().fit([[0, 0], [0, 3], [1, 0], [1, 3]], [0, 1, 0, 1]).top_weights(1)
        [('x1', 3.0)]
        """
        check_is_fitted(self)
        names = getattr(self, "feature_names_in_", None) if feature_names is None else feature_names
        labels = [f"x{j}" for j in range(self.coef_.shape[1])] if names is None else list(map(str, names))

        def top(w: NDArray[np.float64]) -> list[tuple[str, float]]:
            largest = np.argsort(-np.abs(w), kind="stable")[:k]
            return [(labels[j], float(w[j])) for j in largest]

        if len(self.coef_) == 1:
            return top(self.coef_[0])
        classes = self.classes_.tolist()
        keys = list(combinations(classes, 2)) if self._is_ovo() else classes
        return {key: top(w) for key, w in zip(keys, self.coef_, strict=True)}

    def to_sklearn(self) -> Any:
        """A plain scikit-learn linear model with the same predictions."""
        check_is_fitted(self)
        return to_sklearn(self)

    @classmethod
    def from_sklearn(cls, model: Any) -> Self:
        """The weights of a fitted scikit-learn linear classifier, in an estimator of this kind."""
        return cast(Self, from_sklearn(cls(), model))

    def report(self, feature_names: Sequence[str] | None = None) -> str:
        """How the fit ended, what it counted and what weighs most, in words."""
        check_is_fitted(self)
        return report(self, feature_names)


@contextmanager
def all_or_nothing(estimator: Any) -> Iterator[None]:
    """Leaves the estimator as it was if anything goes wrong, Ctrl-C included."""
    before = dict(vars(estimator))
    try:
        yield
    except BaseException:
        vars(estimator).clear()
        vars(estimator).update(before)
        raise
