import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone
from sklearn.exceptions import NotFittedError
from sklearn.model_selection import cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import Binarizer

from rosenblatt.boolean import BooleanFunction, CircuitClassifier

XOR = BooleanFunction("a xor b").network()


def test_a_network_works_in_scikit_learn_pipelines_and_cross_validation():
    estimator = XOR.to_estimator()
    X = np.tile(XOR.function().inputs(), (10, 1))
    y = np.where(X.sum(axis=1) == 1, "odd", "even")
    fitted = clone(estimator).fit(X, y)
    assert fitted.classes_.tolist() == ["even", "odd"]
    assert fitted.score(X, y) == 1.0
    assert cross_val_score(estimator, X, y).tolist() == [1.0] * 5
    grey = X * 0.8 + 0.1
    assert make_pipeline(Binarizer(threshold=0.5), estimator).fit(grey, y).score(grey, y) == 1.0


def test_a_data_frame_is_accepted_and_its_columns_are_stored():
    frame = pd.DataFrame(XOR.function().inputs(), columns=["a", "b"])
    fitted = clone(XOR.to_estimator()).fit(frame, [0, 1, 1, 0])
    assert fitted.feature_names_in_.tolist() == ["a", "b"]
    assert fitted.predict(frame).tolist() == [0, 1, 1, 0]


def test_invalid_rows_and_labels_raise_an_error():
    estimator = XOR.to_estimator()
    with pytest.raises(ValueError, match=r"0.5 in row 0, column 1 \(b\)"):
        estimator.predict([[0, 0.5]])
    with pytest.raises(ValueError, match="expecting 2 features"):
        estimator.predict([[0, 1, 1]])
    with pytest.raises(ValueError, match=r"rows of 2 values are needed \(a, b\)"):
        CircuitClassifier(XOR).fit([[0], [1]], [0, 1])
    with pytest.raises(ValueError, match="1 class"):
        CircuitClassifier(XOR).fit([[0, 1]], [0])
    with pytest.raises(NotFittedError):
        CircuitClassifier(XOR).predict([[0, 1]])
