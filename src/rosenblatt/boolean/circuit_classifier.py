"""A unit or a network as a scikit-learn classifier."""

from typing import Any, Self

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils.validation import check_is_fitted, validate_data

from rosenblatt.boolean.input_checks import check_rows
from rosenblatt.boolean.network import Network
from rosenblatt.boolean.unit import ThresholdUnit
from rosenblatt.estimators.base.versioned_pickle import VersionedPickle


class CircuitClassifier(VersionedPickle, ClassifierMixin, BaseEstimator):  # type: ignore[misc]  # scikit-learn ships no types
    """Classifies rows of 0 and 1 with a threshold unit or a network of units.

    `fit` stores the two labels and checks the features; it does not change the circuit's weights. The method
    `to_estimator()` of a unit or network returns a fitted classifier with the labels 0 and 1.

    Examples
    --------
    >>> from rosenblatt.boolean import BooleanFunction
    >>> BooleanFunction("a xor b").network().to_estimator().predict([[0, 1], [1, 1]])
    array([1, 0])
    """

    classes_: NDArray[Any]

    def __init__(self, circuit: ThresholdUnit | Network) -> None:
        self.circuit = circuit

    @classmethod
    def fitted(cls, circuit: ThresholdUnit | Network) -> "CircuitClassifier":
        """Returns a fitted classifier with the labels 0 and 1."""
        made = cls(circuit)
        made.classes_ = np.array([0, 1])
        made.n_features_in_ = circuit.n_variables
        return made

    def fit(self, X: Any, y: Any) -> Self:
        """Stores the two labels of y; the larger one is predicted where the circuit's output is 1."""
        X, y = validate_data(self, X, y)
        check_rows(X, self.circuit.variables)
        classes = np.unique(y)
        if len(classes) != 2:
            raise ValueError(f"y has {len(classes)} class(es), but a circuit needs exactly 2. Check the target column.")
        self.classes_ = classes
        return self

    def decision_function(self, X: Any) -> NDArray[np.float64]:
        """The score of the output unit."""
        return self.circuit.score(self._rows(X))

    def predict(self, X: Any) -> NDArray[Any]:
        """The label of each row."""
        values = self.circuit.evaluate(self._rows(X))
        return self.classes_[values]

    def _rows(self, X: Any) -> NDArray[np.int8]:
        check_is_fitted(self, "classes_")
        rows, _ = check_rows(validate_data(self, X, reset=False), self.circuit.variables)
        return rows
