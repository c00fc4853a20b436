"""`partial_fit(..., classes="grow")`: batches may bring new classes."""

import numpy as np
import pandas as pd
import pytest
from scipy.sparse import csr_matrix

from rosenblatt import AveragedPerceptron, Perceptron

rng = np.random.default_rng(3)
X = rng.normal(size=(120, 5))
y = np.array(["ant", "bee", "cow", "dog"])[np.repeat([0, 1, 2, 3], 30)]  # later batches have other classes
BATCHES = [slice(begin, begin + 20) for begin in range(0, 120, 20)]


@pytest.mark.parametrize("Classifier", [Perceptron, AveragedPerceptron])
@pytest.mark.parametrize("order", ["cyclic", "shuffle"])
def test_the_weights_are_those_of_an_estimator_that_knew_all_classes(Classifier, order):
    grown, knowing = Classifier(order=order), Classifier(order=order)
    for batch in BATCHES:
        rows = csr_matrix(X[batch])  # sparse rows are summed as `learn_one` sums
        grown.partial_fit(rows, y[batch], classes="grow")
        knowing.partial_fit(rows, y[batch], classes=np.unique(y))
    assert grown.classes_.tolist() == ["ant", "bee", "cow", "dog"]
    np.testing.assert_allclose(grown.coef_, knowing.coef_, rtol=1e-12, atol=1e-12)
    np.testing.assert_allclose(grown.intercept_, knowing.intercept_, rtol=1e-12, atol=1e-12)
    assert (grown.n_iter_, grown.n_samples_seen_) == (knowing.n_iter_, knowing.n_samples_seen_) == (6, 120)
    assert np.array_equal(grown.predict(X), knowing.predict(X))


def test_a_first_batch_of_one_class_is_accepted():
    model = Perceptron().partial_fit(X[:20], y[:20], classes="grow")
    assert model.classes_.tolist() == ["ant"]
    model.partial_fit(X[20:60], y[20:60], classes="grow")
    assert model.coef_.shape == (1, 5)
    assert set(model.predict(X)) == {"ant", "bee"}


def test_names_of_columns_are_kept_and_compared():
    frame = pd.DataFrame(X, columns=list("abcde"))
    model = Perceptron().partial_fit(frame[:60], y[:60], classes="grow").partial_fit(frame[60:], y[60:], classes="grow")
    assert model.feature_names_in_.tolist() == list("abcde")
    with pytest.raises(ValueError, match="feature names"):
        model.partial_fit(frame.rename(columns={"a": "z"}), y, classes="grow")


def test_without_grow_the_classes_are_fixed_again():
    model = Perceptron().partial_fit(X[:60], y[:60], classes="grow")
    model.partial_fit(X[:60], y[:60])
    with pytest.raises(ValueError, match="not declared"):
        model.partial_fit(X, y)
    with pytest.raises(ValueError, match="The classes of this Perceptron are fixed"):
        model.partial_fit(X, y, classes="grow")


def test_what_cannot_grow_is_refused_by_name():
    with pytest.raises(ValueError, match="has no sample_weight"):
        Perceptron().partial_fit(X, y, classes="grow", sample_weight=np.ones(120))
    with pytest.raises(ValueError, match="has no order='misclassified'"):
        Perceptron(order="misclassified").partial_fit(X, y, classes="grow")
    broken = X.copy()
    broken[7, 2] = np.inf
    with pytest.raises(ValueError, match="row 7, column 2"):
        Perceptron().partial_fit(broken, y, classes="grow")
