"""Many classes: each binary problem walks its own path, whatever shares the pass with it."""

import warnings

import numpy as np
import pytest
from sklearn.datasets import load_digits, load_wine
from sklearn.preprocessing import StandardScaler

from rosenblatt import Perceptron
from tests.storages import STORAGES


def fit(estimator, X, y):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return estimator.fit(X, y)


def some_classes(n_classes, seed=0, n=60, d=21):
    rng = np.random.default_rng(seed)
    return rng.integers(-4, 5, (n, d)).astype(float), rng.integers(0, n_classes, n)


@pytest.mark.parametrize("storage", STORAGES)
@pytest.mark.parametrize("order", ["cyclic", "shuffle", "misclassified"])
@pytest.mark.parametrize("n_classes", [3, 5, 9])
def test_one_against_the_rest_is_its_binary_problem(storage, order, n_classes):
    X, y = some_classes(n_classes)
    X = STORAGES[storage](X)
    parameters = {"order": order, "max_iter": 6, "max_updates": 70}
    many = fit(Perceptron(**parameters), X, y)
    assert many.coef_.shape == (n_classes, 21)
    for c in range(n_classes):
        alone = fit(Perceptron(**parameters), X, y == c)
        np.testing.assert_array_equal(many.coef_[c], alone.coef_[0])
        assert many.intercept_[c] == alone.intercept_[0]
        assert many.statuses_[c] == alone.status_
    assert many.n_mistakes_ == sum(fit(Perceptron(**parameters), X, y == c).n_mistakes_ for c in range(n_classes))


def test_one_against_the_rest_is_its_binary_problem_in_floats_too():
    rng = np.random.default_rng(0)
    X = np.round(rng.standard_normal((150, 40)), 1)  # tenths: many scores are zero but for rounding
    y = rng.integers(0, 6, 150)
    many = fit(Perceptron(max_iter=30), X, y)
    for c in range(6):
        np.testing.assert_array_equal(many.coef_[c], fit(Perceptron(max_iter=30), X, y == c).coef_[0])


@pytest.mark.parametrize("storage", STORAGES)
def test_one_against_one_is_its_binary_problem(storage):
    X, y = some_classes(4)
    stored = STORAGES[storage](X)
    many = fit(Perceptron(multi_class="ovo", max_iter=5), stored, y)
    assert many.coef_.shape == (6, 21)
    pair = 0
    for a in range(4):
        for b in range(a + 1, 4):
            chosen = np.isin(y, [a, b])
            alone = fit(Perceptron(max_iter=5), STORAGES[storage](X[chosen]), y[chosen])
            np.testing.assert_array_equal(many.coef_[pair], alone.coef_[0])
            pair += 1


def test_one_against_one_is_the_majority_and_then_the_sum():
    X, y = some_classes(4)
    many = fit(Perceptron(multi_class="ovo", max_iter=5), X, y)
    scores = X @ many.coef_.T + many.intercept_
    pairs = [(a, b) for a in range(4) for b in range(a + 1, 4)]
    for row, predicted in zip(scores, many.predict(X), strict=True):
        votes, sums = np.zeros(4), np.zeros(4)
        for (a, b), score in zip(pairs, row, strict=True):
            votes[b if score > 0 else a] += 1
            sums[b] += score
            sums[a] -= score
        best = np.flatnonzero(votes == votes.max())
        assert predicted == best[np.argmax(sums[best])]


@pytest.mark.parametrize("multi_class", ["ova"])
def test_regions_are_convex(multi_class):
    X, y = some_classes(5, d=2)
    many = fit(Perceptron(multi_class=multi_class, max_iter=20), X, y)
    rng = np.random.default_rng(1)
    points = rng.uniform(-5, 5, (2000, 2))
    a, b = points[:1000], points[1000:]
    same = many.predict(a) == many.predict(b)
    assert same.any()
    assert np.all(many.predict((a + b) / 2)[same] == many.predict(a)[same])


@pytest.mark.slow
def test_wine_separates_and_digits_all_but_8_and_9():
    wine = load_wine()
    scaled = StandardScaler().fit_transform(wine.data)
    assert fit(Perceptron(), scaled, wine.target).statuses_ == ["separated"] * 3
    digits = load_digits()
    statuses = fit(Perceptron(max_iter=25_000), digits.data, digits.target).statuses_
    assert statuses[:8] == ["separated"] * 8
    assert "separated" not in statuses[8:]
