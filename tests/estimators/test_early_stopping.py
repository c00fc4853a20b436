"""Early stopping: a part is kept back, and the best weights come back."""

import warnings

import numpy as np
import pytest

from rosenblatt import Perceptron
from rosenblatt.estimators.checks.validation import check_examples
from rosenblatt.learning.labels.validation_split import validation_split


def noisy(n_classes=2, n=400, seed=0):
    rng = np.random.default_rng(seed)
    X = rng.standard_normal((n, 6))
    scores = X @ rng.standard_normal((6, n_classes)) + 1.5 * rng.standard_normal((n, n_classes))
    return X, scores.argmax(axis=1)


def fit(estimator, X, y):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return estimator.fit(X, y)


@pytest.mark.parametrize("multi_class", ["ova", "ovo", "joint"])
@pytest.mark.parametrize("n_classes", [2, 4])
def test_the_best_weights_are_kept(multi_class, n_classes):
    X, y = noisy(n_classes)
    seen = []

    def callback(progress):
        seen.append((progress.epoch, *(part.copy() for part in progress.weights())))

    estimator = Perceptron(early_stopping=True, multi_class=multi_class, validation_fraction=0.25, callback=callback)
    fit(estimator, X, y)
    assert estimator.status_ == "early_stopped"
    examples = check_examples(Perceptron(), X, y, None, None, reset=True)
    training, validation = validation_split(examples, 0.25, 0)
    assert len(validation) == 100
    assert not set(training.members) & set(validation)
    if n_classes == 2:
        accuracies = [
            np.mean((X[validation] @ coef[0] + intercept[0] > 0) == (y[validation] == 1)) for _, coef, intercept in seen
        ]
        best = int(np.argmax(accuracies))
        np.testing.assert_array_equal(estimator.coef_, seen[best][1])
        assert estimator.validation_scores_ == [accuracies[best]]
        assert estimator.n_iter_ == best + 1 + 5
    if n_classes == 4 and multi_class == "joint":
        accuracies = [
            np.mean((X[validation] @ coef.T + intercept).argmax(axis=1) == y[validation]) for _, coef, intercept in seen
        ]
        assert estimator.validation_scores_ == [max(accuracies)]


def test_the_validation_part_is_never_trained_on():
    X, y = noisy()
    poisoned = X.copy()
    examples = check_examples(Perceptron(), X, y, None, None, reset=True)
    _, validation = validation_split(examples, 0.1, 0)
    poisoned[validation] *= 1000
    plain = fit(Perceptron(early_stopping=True, max_updates=50, record=True), poisoned, y)
    assert not set(plain.trace_.updates["i"]) & set(validation.tolist())


def test_separated_refers_to_the_training_examples_only():
    X = np.vstack([np.eye(3), -np.eye(3)]).repeat(10, axis=0)
    estimator = Perceptron(early_stopping=True, n_iter_no_change=50).fit(X, np.repeat([0, 1], 30))
    assert estimator.status_ == "separated"


@pytest.mark.parametrize(
    ("y", "fraction", "message"),
    [
        ([0, 1, 1, 1, 1, 1, 1, 1], 0.25, "class 0 has only 1"),
        ([0, 0, 1, 1], 0.1, "leaves 1 to validate and 3 to train on"),
        ([0, 0, 1, 1], 0.9, "leaves 4 to validate and 0 to train on"),
    ],
)
def test_a_class_absent_from_a_part_is_a_clear_error(y, fraction, message):
    with pytest.raises(ValueError, match=message):
        Perceptron(early_stopping=True, validation_fraction=fraction).fit(np.eye(len(y)), y)
