"""A fitted model as plain data: the content of a model file, sufficient for prediction."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from importlib import import_module
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from rosenblatt.core import Rows
from rosenblatt.data.features import Features
from rosenblatt.data.sparse import Matrix, Sparse
from rosenblatt.learning.pairs.pair_weights import PairWeights
from rosenblatt.learning.scores.calibration import Calibration, attach
from rosenblatt.learning.scores.prediction import predicted_codes
from rosenblatt.models.files import checks
from rosenblatt.models.files.model_error import ModelFileError
from rosenblatt.models.files.registry import KINDS


@dataclass(frozen=True)
class Record:
    """An estimator's name, parameters and fitted attributes, its features, and facts about the training data.

    Examples
    --------
    >>> from rosenblatt import data, models
    >>> record = models.train(data.read("@and"), models.Plan()).record
    >>> record.estimator, record.classes, record.fitted["status_"]
    ('AveragedPerceptron', array([0, 1]), 'separated')
    """

    estimator: str
    parameters: Mapping[str, Any]
    fitted: Mapping[str, Any]
    features: Features
    training: Mapping[str, Any] = field(default_factory=dict)
    calibration: Calibration | None = None  # how scores become probabilities, if the model has them

    @property
    def classes(self) -> NDArray[Any]:
        return cast(NDArray[Any], self.fitted["classes_"])

    def check(self) -> None:
        """Raises `ModelFileError` if the parts of the record are inconsistent."""
        kind = KINDS[self.estimator]
        absent = [name for name in kind.fitted if name not in self.fitted]
        if absent:
            raise ModelFileError(f"the fitted attribute {absent[0]} is missing")
        classes = self.fitted["classes_"]
        if not isinstance(classes, np.ndarray) or classes.ndim != 1 or len(classes) < 2:
            raise ModelFileError("the classes must be a list of at least two")
        if len(np.unique(classes)) != len(classes) or not np.array_equal(np.sort(classes), classes):
            raise ModelFileError("the classes must be different and sorted")
        try:
            checks.parameters(self)
            kind.checker(self)
            checks.certificates(self)
            checks.calibration(self)
        except (TypeError, KeyError, AttributeError) as error:
            raise ModelFileError(f"a fitted attribute is not of its type ({error})") from error

    @property
    def has_scores(self) -> bool:
        """Whether predictions come from scores. A circuit has none."""
        return not KINDS[self.estimator].is_circuit

    def scores(self, X: Matrix) -> NDArray[np.float64]:
        """The score of each example in each binary problem; for votes, their balance. X has the features unscaled."""
        scaled = self.features.scale.apply(X) if self.features.scale else X
        if KINDS[self.estimator].is_linear:
            parts = (np.ascontiguousarray(self.fitted[name]) for name in ("coef_", "intercept_"))
            return rows_of(scaled).scores(*parts)
        estimator = self.to_estimator(with_names=False)
        scores = estimator._scores(scaled.to_scipy() if isinstance(scaled, Sparse) else scaled)
        return cast(NDArray[np.float64], scores)

    def probabilities(self, X: Matrix) -> NDArray[np.float64]:
        """The probability of each class for each example. The model must have a calibration."""
        return self.probabilities_of(self.scores(X))

    def probabilities_of(self, scores: NDArray[np.float64]) -> NDArray[np.float64]:
        """The same from scores."""
        if self.calibration is None:
            raise AssertionError("the model has no calibration")
        return self.calibration.probabilities(scores, pairs=self.parameters.get("multi_class") == "ovo")

    def predicted_codes(self, X: Matrix) -> NDArray[np.int32]:
        """The predicted class of each example, as an index in `classes`. X has the features unscaled."""
        stored = self.fitted.get("coef_")
        if KINDS[self.estimator].is_direct and isinstance(stored, PairWeights):
            rows = rows_of(self.features.scale.apply(X) if self.features.scale else X)
            return stored.codes(rows, self.parameters.get("tie", "mistake")).astype(np.int32)
        if KINDS[self.estimator].is_direct:
            return self.codes_of(self.scores(X))
        if KINDS[self.estimator].is_circuit:
            return cast(NDArray[np.int32], self.fitted["circuit"].evaluate(X).astype(np.int32))
        scaled = self.features.scale.apply(X) if self.features.scale else X
        estimator = self.to_estimator(with_names=False)
        predicted = estimator.predict(scaled.to_scipy() if isinstance(scaled, Sparse) else scaled)
        return cast(NDArray[np.int32], np.searchsorted(self.classes, predicted).astype(np.int32))

    def codes_of(self, scores: NDArray[np.float64]) -> NDArray[np.int32]:
        """The same from the scores of a model that predicts by them alone (`Kind.is_direct`)."""
        return predicted_codes(
            scores,
            len(self.classes),
            tie=self.parameters.get("tie", "mistake"),
            multi_class=self.parameters.get("multi_class", "ova"),
        )

    def to_model(self, *, with_names: bool = True) -> Any:
        """The saved model: the fitted estimator, with the feature names `features.names()`, or the circuit."""
        return self.fitted["circuit"] if KINDS[self.estimator].is_circuit else self.to_estimator(with_names=with_names)

    def unfitted(self) -> Any:
        """A new estimator with the parameters of this one."""
        constructor = getattr(import_module(KINDS[self.estimator].home), self.estimator.rpartition(".")[2])
        try:
            return constructor(**self.parameters)
        except TypeError as error:
            raise ModelFileError(f"{error}; was the file written by a newer version of rosenblatt?") from error

    def to_estimator(self, *, with_names: bool = True) -> Any:
        """A fitted scikit-learn classifier. For a circuit, a classifier that predicts its output."""
        kind = KINDS[self.estimator]
        if kind.is_circuit:
            return self.fitted["circuit"].to_estimator()
        estimator = self.unfitted()
        for name in kind.fitted:
            setattr(estimator, name, self.fitted[name])
        if "certificates_" in self.fitted:
            proofs = self.fitted["certificates_"]
            estimator.certificates_, estimator.certificate_ = proofs, proofs[0] if len(proofs) == 1 else None
        if self.calibration is not None:
            attach(estimator, self.calibration)
        estimator.n_features_in_ = self.features.n_features
        if with_names and self.features.kind == "table":
            estimator.feature_names_in_ = np.array(self.features.names(), dtype=object)
        return estimator


def rows_of(X: Matrix) -> Rows:
    """The core's view of a matrix that was read from a file."""
    if isinstance(X, Sparse):
        return Rows.csr(X.values, X.indices, X.starts, X.n_features, X.checked)
    return Rows.dense(X)
