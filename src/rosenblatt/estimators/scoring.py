"""From scores to classes: what every classifier of this package does, however it scores."""

from typing import Any, cast

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator, ClassifierMixin

from rosenblatt.learning.voting import is_positive, pair_votes


class ScoringClassifier(ClassifierMixin, BaseEstimator):  # type: ignore[misc]  # scikit-learn ships no types
    """Predicts by scores, which a subclass gives."""

    classes_: NDArray[Any]

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        return tags

    def decision_function(self, X: Any) -> NDArray[np.float64]:
        """Scores of the examples, w·x + w₀ where the model is linear.

        Returns
        -------
        scores : array of shape (n_examples,) for two classes, else (n_examples, n_classes)
            Positive means the later class. For one-vs-one, a class's votes plus a term below ½ that grows with its
            summed scores.
        """
        scores = self._scores(X)
        if len(self.classes_) == 2:
            return scores[:, 0]
        return self._votes(scores) if self._is_ovo() else scores

    def predict(self, X: Any) -> NDArray[Any]:
        """The class of each example; a score of exactly zero is as `tie` says."""
        scores = self._scores(X)
        if len(self.classes_) == 2:
            return cast(NDArray[Any], self.classes_[self._is_positive(scores[:, 0]).astype(int)])
        return cast(NDArray[Any], self.classes_[np.argmax(self._votes(scores) if self._is_ovo() else scores, axis=1)])

    def _scores(self, X: Any) -> NDArray[np.float64]:
        """One column a binary problem, or a class under the joint rule."""
        raise NotImplementedError

    def _is_positive(self, scores: NDArray[np.float64]) -> NDArray[np.bool_]:
        return is_positive(scores, getattr(self, "tie", "mistake"))

    def _is_ovo(self) -> bool:
        return getattr(self, "multi_class", None) == "ovo"

    def _votes(self, scores: NDArray[np.float64]) -> NDArray[np.float64]:
        return pair_votes(scores, len(self.classes_), getattr(self, "tie", "mistake"))
