"""Writes the pickles of `tests/estimators/fixtures`, once for each release: `python -m tests.estimators.pickled`.

Each estimator is written to `VERSION/NAME.pkl`, the first one also to `.joblib`. `VERSION/NAME.json` has the
predictions, scores and attributes that the loaded estimator must have.
"""

import json
import pickle
import sys
import warnings
from pathlib import Path

import joblib
import numpy as np
from scipy.sparse import issparse

import rosenblatt
from rosenblatt import boolean, compat, data

FIXTURES = Path(__file__).parent / "fixtures"
PARITY = np.array([[0.0, 0], [0, 1], [1, 0], [1, 1]])


def estimators():
    """Small fitted estimators by name, with the rows to predict."""
    iris = data.load("iris")
    X, y = iris.X[::5], iris.y[::5]
    codes = np.unique(y, return_inverse=True)[1]
    plain = {"max_iter": 20, "random_state": 0}
    return {
        "perceptron": (rosenblatt.Perceptron(**plain).fit(X, y), X),
        "perceptron_ovo": (rosenblatt.Perceptron(multi_class="ovo", **plain).fit(X, codes), X),
        "perceptron_joint": (rosenblatt.Perceptron(multi_class="joint", **plain).fit(X, y), X),
        "learned_one_by_one": (rosenblatt.Perceptron().partial_fit(X, y, classes="grow"), X),
        "pocket": (rosenblatt.PocketPerceptron(**plain).fit(X, y), X),
        "averaged": (rosenblatt.AveragedPerceptron(**plain).fit(X, codes), X),
        "voted": (rosenblatt.VotedPerceptron(max_iter=3).fit(X, y), X),
        "batch": (rosenblatt.BatchPerceptron(max_iter=20).fit(X, y), X),
        "kernel": (rosenblatt.KernelPerceptron(max_iter=5).fit(X, y), X),
        "compat_perceptron": (compat.Perceptron(**plain).fit(X, y), X),
        "compat_sgd": (compat.SGDClassifier(average=True, **plain).fit(X, y), X),
        "compat_pa_classifier": (compat.PassiveAggressiveClassifier(**plain).fit(X, y), X),
        "compat_pa_regressor": (compat.PassiveAggressiveRegressor(**plain).fit(X, codes.astype(float)), X),
        "circuit": (boolean.BooleanFunction("a xor b").network().to_estimator(), PARITY),
    }


def plain_values(value):
    """An attribute as JSON values; None for objects such as kernels and traces."""
    if issparse(value):
        value = value.toarray()
    if isinstance(value, np.ndarray | np.generic):
        return plain_values(value.tolist())
    if isinstance(value, list | tuple):
        return [plain_values(entry) for entry in value]
    return value if isinstance(value, str | int | float | bool) else None


def description(model, X):
    """Predictions, scores and fitted attributes as JSON; floats are written exactly."""
    fitted = {name: plain_values(value) for name, value in sorted(vars(model).items()) if name.endswith("_")}
    scores = model.decision_function(X).tolist() if hasattr(model, "decision_function") else None
    return {"predictions": model.predict(X).tolist(), "scores": scores, "fitted": fitted}


def main():
    folder = FIXTURES / rosenblatt.__version__
    folder.mkdir(parents=True)
    for name, (model, X) in estimators().items():
        (folder / f"{name}.pkl").write_bytes(pickle.dumps(model, protocol=5))
        if name == "perceptron":
            joblib.dump(model, folder / f"{name}.joblib")
        expected = {"X": X.tolist(), **description(model, X)}
        (folder / f"{name}.json").write_text(json.dumps(expected) + "\n")


if __name__ == "__main__":
    warnings.simplefilter("ignore")
    sys.exit(main())
