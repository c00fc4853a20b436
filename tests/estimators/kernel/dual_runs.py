"""Fits of the kernel perceptron for its tests: small memories, data that no line separates, weights of all examples."""

import warnings

import numpy as np

#: Megabytes: the whole Gram matrix; windows and some rows; windows of one example and no row.
MEMORIES = (200, 2e-3, 1e-5)
XOR = np.array([[0, 0], [0, 1], [1, 0], [1, 1]], float), np.array([-1, 1, 1, -1])


def fit(estimator, X, y, **more):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return estimator.fit(X, y, **more)


def without_init(choice):
    return {**choice, "init": "zeros"}


def alpha(estimator, n):
    whole = np.zeros((len(estimator.last_dual_coef_), n))
    whole[:, estimator.support_] = estimator.last_dual_coef_
    return whole


def assert_same_counts(ours, theirs):
    assert ours.statuses_ == theirs.statuses_
    assert ours.cycles_ == theirs.cycles_
    assert (ours.n_iter_, ours.n_mistakes_) == (theirs.n_iter_, theirs.n_mistakes_)
    assert ours.n_samples_seen_ == theirs.n_samples_seen_
    np.testing.assert_array_equal(ours.history_, theirs.history_)


def spirals(n=200, turns=2.0):
    t = np.sqrt(np.linspace(0.05, 1, n)) * turns * 2 * np.pi
    arm = np.column_stack([t * np.cos(t), t * np.sin(t)])
    return np.concatenate([arm, -arm]), np.repeat([0, 1], n)
