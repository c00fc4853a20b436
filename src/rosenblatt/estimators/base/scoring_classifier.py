"""The base of all classifiers: `predict` and `decision_function` from the scores of the binary problems."""

from typing import Any, cast

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils.metaestimators import available_if

from rosenblatt.estimators.base.versioned_pickle import VersionedPickle
from rosenblatt.learning.rows.array_types import Labels, MatrixLike
from rosenblatt.learning.scores.calibration import attached
from rosenblatt.learning.scores.prediction import is_positive, pair_votes


class ScoringClassifier(VersionedPickle, ClassifierMixin, BaseEstimator):  # type: ignore[misc]  # scikit-learn ships no types
    """A classifier that predicts from scores; a subclass computes the scores."""

    classes_: Labels

    def __sklearn_tags__(self) -> Any:  # scikit-learn ships no types
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        return tags

    def decision_function(self, X: MatrixLike) -> NDArray[np.float64]:
        """The scores of the examples; w·x + w₀ for a linear model.

        Returns
        -------
        scores : array of shape (n_examples,) for two classes, else (n_examples, n_classes)
            For two classes, a positive score means the later class. For one-vs-one, the votes of each class plus a term
            below ½ that grows with its summed scores.
        """
        scores = self._scores(X)
        if len(self.classes_) == 2:
            return scores[:, 0]
        return self._votes(scores) if self._is_ovo() else scores

    def predict(self, X: MatrixLike) -> Labels:
        """Predicts the class of each example; `tie` decides for a score of exactly 0."""
        scores = self._scores(X)
        if len(self.classes_) == 2:
            return cast(Labels, self.classes_[self._is_positive(scores[:, 0]).astype(int)])
        return cast(Labels, self.classes_[np.argmax(self._votes(scores) if self._is_ovo() else scores, axis=1)])

    @available_if(attached)  # type: ignore[untyped-decorator]  # scikit-learn ships no types
    def predict_proba(self, X: MatrixLike) -> NDArray[np.float64]:
        """The probability of each class, in the order of `classes_`.

        Only models from a file that has a calibration (`rosenblatt train`) have this method; fitting removes it.
        """
        calibration = attached(self)
        if calibration is None:
            raise AssertionError("available_if checks this")
        return calibration.probabilities(self._scores(X), pairs=self._is_ovo())

    def _scores(self, X: MatrixLike) -> NDArray[np.float64]:
        """The scores, one column per binary problem, or per class under the joint rule."""
        raise NotImplementedError

    def _is_positive(self, scores: NDArray[np.float64]) -> NDArray[np.bool_]:
        return is_positive(scores, getattr(self, "tie", "mistake"))

    def _is_ovo(self) -> bool:
        return getattr(self, "multi_class", None) == "ovo"

    def _votes(self, scores: NDArray[np.float64]) -> NDArray[np.float64]:
        return pair_votes(scores, len(self.classes_), getattr(self, "tie", "mistake"))
