"""The base of all classifiers: `predict` and `decision_function` from the scores of the binary problems."""

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils.metaestimators import available_if

from rosenblatt.estimators.base.versioned_pickle import VersionedPickle
from rosenblatt.learning.fit import Fit
from rosenblatt.learning.rows.array_types import Labels, MatrixLike
from rosenblatt.learning.scores.calibration import attached
from rosenblatt.learning.scores.prediction import pair_votes, predicted_codes

if TYPE_CHECKING:
    from rosenblatt.theory import Separability


class ScoringClassifier(VersionedPickle, ClassifierMixin, BaseEstimator):  # type: ignore[misc]  # scikit-learn ships no types
    """A classifier that predicts from scores; a subclass computes the scores."""

    classes_: Labels
    status_: str
    statuses_: list[str]
    cycle_: int | None
    cycles_: list[int | None]
    n_iter_: int
    n_mistakes_: int
    n_samples_seen_: int
    history_: NDArray[np.void]
    accelerators_: list[dict[str, int]]
    certificates_: "list[Separability | None]"

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
        rule = {"tie": getattr(self, "tie", "mistake"), "multi_class": getattr(self, "multi_class", "ova")}
        scores = self._scores(X)
        return self.classes_[predicted_codes(scores, len(self.classes_), **rule)]

    @available_if(attached)  # type: ignore[untyped-decorator]  # scikit-learn ships no types
    def predict_proba(self, X: MatrixLike) -> NDArray[np.float64]:
        """The probability of each class, in the order of `classes_`.

        Only models from a file that has a calibration (`rosenblatt train`) have this method; fitting removes it.
        """
        calibration = attached(self)
        if calibration is None:
            raise AssertionError("available_if checks this")
        return calibration.probabilities(self._scores(X), pairs=self._is_ovo())

    def _publish(self, fitted: Fit) -> None:
        """Sets the fitted attributes, and `trace_` if the run was recorded."""
        for name, value in fitted.attributes().items():
            setattr(self, name, value)
        if fitted.plan["record"]:
            self.trace_ = fitted.traces()

    def _scores(self, X: MatrixLike) -> NDArray[np.float64]:
        """The scores, one column per binary problem, or per class under the joint rule."""
        raise NotImplementedError

    def _is_ovo(self) -> bool:
        return getattr(self, "multi_class", None) == "ovo"

    def _votes(self, scores: NDArray[np.float64]) -> NDArray[np.float64]:
        return pair_votes(scores, len(self.classes_), getattr(self, "tie", "mistake"))
