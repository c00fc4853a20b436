"""The base of the linear classifiers: scoring, prediction and reports from `coef_` and `intercept_`."""

from collections.abc import Hashable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from itertools import combinations
from typing import Self

import numpy as np
from numpy.typing import NDArray
from sklearn.linear_model import Perceptron as SklearnPerceptron
from sklearn.multiclass import OneVsOneClassifier
from sklearn.utils.validation import check_is_fitted

from rosenblatt.estimators.base.fitted_weights import FittedWeights
from rosenblatt.estimators.base.scoring_classifier import ScoringClassifier
from rosenblatt.estimators.base.sklearn_interchange import LinearModel, from_sklearn, to_sklearn
from rosenblatt.estimators.checks.n_jobs import threads_for
from rosenblatt.estimators.checks.validation import readable_rows, refuse_nonfinite
from rosenblatt.estimators.reports.fit_report import report
from rosenblatt.learning.pairs.pair_weights import PairWeights
from rosenblatt.learning.rows.array_types import Labels, MatrixLike
from rosenblatt.learning.scores.prediction import labelled, scored
from rosenblatt.meter import Meter, counted

_SCORES = 1 << 22  # maximum number of scores in memory while pairs of classes vote


class LinearClassifier(ScoringClassifier):
    """A classifier with one row of weights per binary problem."""

    coef_ = FittedWeights()
    intercept_: NDArray[np.float64]

    def predict(self, X: MatrixLike) -> Labels:
        """Predicts the class of each example; `tie` decides for a score of exactly 0."""
        if type(self)._scores is not LinearClassifier._scores:  # a subclass with its own scores
            return super().predict(X)
        rows = readable_rows(self, X)
        stored = vars(self).get("coef_")
        if isinstance(stored, PairWeights):
            refuse_nonfinite(self, rows)
            return self.classes_[stored.codes(rows, getattr(self, "tie", "mistake"))]
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

    def decision_function(self, X: MatrixLike) -> NDArray[np.float64]:
        check_is_fitted(self)
        if type(self)._scores is not LinearClassifier._scores or not self._is_ovo() or len(self.classes_) == 2:
            return super().decision_function(X)
        rows = readable_rows(self, X)
        stored = vars(self)["coef_"]
        if isinstance(stored, PairWeights):
            refuse_nonfinite(self, rows)
            return stored.votes(rows, getattr(self, "tie", "mistake"))
        threads = threads_for(rows, getattr(self, "n_jobs", None))
        votes = np.empty((rows.n_examples, len(self.classes_)))
        step = max(1, _SCORES // len(stored))  # the scores of all pairs are many
        with Meter("decision_function", len(votes), "examples") as meter:
            for begin in range(0, len(votes), step):
                part = rows.part(begin, min(begin + step, len(votes)))
                scores, finite = scored(part, stored, self.intercept_, threads)
                if not finite:
                    refuse_nonfinite(self, rows)
                votes[begin : begin + step] = self._votes(scores)
                meter.update(begin)
        return votes

    decision_function.__doc__ = ScoringClassifier.decision_function.__doc__

    def _scores(self, X: MatrixLike) -> NDArray[np.float64]:
        rows = readable_rows(self, X)
        threads = threads_for(rows, getattr(self, "n_jobs", None))
        scores, finite = scored(rows, self.coef_, self.intercept_, threads)
        if not finite:
            refuse_nonfinite(self, rows)
        return scores

    def top_weights(
        self, k: int = 10, feature_names: Sequence[str] | None = None
    ) -> list[tuple[str, float]] | dict[Hashable, list[tuple[str, float]]]:
        """The k weights of largest magnitude with their feature names; for more than two classes, per class or pair.

        The names are those of the data frame in `fit`, unless given.

        >>> from rosenblatt import Perceptron
        >>> Perceptron().fit([[0, 0], [0, 3], [1, 0], [1, 3]], [0, 1, 0, 1]).top_weights(1)
        [('x1', 3.0)]
        """
        check_is_fitted(self)
        problems = range(len(vars(self)["coef_"]))
        found = dict(self._top_weights(k, feature_names, counted(problems, "top_weights", "problems")))
        return next(iter(found.values())) if len(problems) == 1 else found

    def _top_weights(
        self, k: int, feature_names: Sequence[str] | None, problems: Iterable[int]
    ) -> Iterator[tuple[Hashable, list[tuple[str, float]]]]:
        """Yields the class or pair of each of these first problems, and its k weights of largest magnitude."""
        names = getattr(self, "feature_names_in_", None) if feature_names is None else feature_names
        labels = [f"x{j}" for j in range(self.n_features_in_)] if names is None else list(map(str, names))
        classes, stored = self.classes_.tolist(), vars(self)["coef_"]  # rows of `PairWeights` are built one by one
        keys = combinations(classes, 2) if self._is_ovo() else classes
        for key, problem in zip(keys, problems, strict=False):
            w = stored[problem]
            largest = np.argsort(-np.abs(w), kind="stable")[:k]
            yield key, [(labels[j], float(w[j])) for j in largest]

    def to_sklearn(self) -> SklearnPerceptron | OneVsOneClassifier:
        """Converts to a scikit-learn linear model with the same predictions."""
        check_is_fitted(self)
        return to_sklearn(self)

    @classmethod
    def from_sklearn(cls, model: LinearModel) -> Self:
        """Makes an estimator of this class with the weights of a fitted scikit-learn linear classifier."""
        return from_sklearn(cls(), model)

    def report(self, feature_names: Sequence[str] | None = None) -> str:
        """Describes in words how the fit ended, its counts and its largest weights."""
        check_is_fitted(self)
        return report(self, feature_names)


@contextmanager
def all_or_nothing(estimator: object) -> Iterator[None]:
    """Restores all attributes of the estimator if the block raises any exception, including KeyboardInterrupt."""
    before = dict(vars(estimator))
    try:
        yield
    except BaseException:
        vars(estimator).clear()
        vars(estimator).update(before)
        raise
