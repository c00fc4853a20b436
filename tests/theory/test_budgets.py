"""A budget is kept by every search: the work counted stays within a tenth of it."""

import importlib
import math

import numpy as np
import pytest
import scipy.sparse as sp

from rosenblatt import separability, theory
from rosenblatt.theory.budget import Budget, OutOfBudgetError

MIN_ERROR = importlib.import_module("rosenblatt.theory.minimum_error.min_error")


def dense_noise(n, d):
    rng = np.random.default_rng(0)
    return rng.normal(size=(n, d)), rng.choice([-1, 1], n)


def overlap_of_means():
    """A rounding-proof overlap: the last example is the exact mean of sixteen others."""
    rng = np.random.default_rng(0)
    X = rng.integers(-8, 9, (16, 6)).astype(float)
    return np.vstack([X, X.mean(axis=0)]), [0] * 16 + [1]


def tiny_gap():
    rng = np.random.default_rng(1)
    X = rng.normal(size=(60, 3))
    X[:, 2] = X[:, 0] + np.where(np.arange(60) % 2, 1, -1) * 2.0**-45
    return X, np.arange(60) % 2


def wide_sparse(equal):
    rng = np.random.default_rng(0)
    X = sp.random(300, 3000, 0.004, format="csr", random_state=rng)
    y = np.arange(300) % 2
    if equal:
        X = sp.vstack([X, X[:1]]).tocsr()
        y = np.append(y, 1 - y[0])
    return X, y


def by_screen():
    X = np.zeros((40, 20))
    X[np.arange(40), np.arange(40) // 2] = np.arange(40) + 1
    return X, np.arange(40) // 2 % 2


SEARCHES = {
    "point of least norm": lambda: dense_noise(300, 8),
    "logistic regression": lambda: dense_noise(400, 120),
    "rational numbers": tiny_gap,
    "closure": overlap_of_means,
    "screen": by_screen,
    "sparse": lambda: wide_sparse(False),
    "sparse with equal rows": lambda: wide_sparse(True),
    "integers beyond floats": lambda: (np.array([[2**70 + 1], [2**70], [2**70 + 2]], dtype=object), [0, 1, 1]),
}


@pytest.mark.parametrize("search", SEARCHES)
def test_separability_keeps_its_budget(search):
    X, y = SEARCHES[search]()
    whole = separability(X, y)
    assert whole.verify()
    for share in (0.01, 0.2, 0.5, 0.8, 0.95):
        budget = share * whole.verdict.work
        found = separability(X, y, budget=budget)
        assert found.verdict.work <= 1.1 * budget
        assert found.kind in ("undecided", whole.kind)
    assert separability(X, y, budget=1.01 * whole.verdict.work).kind == whole.kind


def test_the_rounds_of_the_screen_are_charged_by_their_columns_and_weights():
    X = sp.random(1000, 1000, 0.004, format="csr", random_state=0)
    found = separability(X, np.arange(1000) % 2)
    weak = np.count_nonzero(found.weights[1:])
    assert found.kind == "weak"
    assert weak > 300
    assert found.verdict.work > 1e4 * weak + 4e3 * 1000
    assert separability(X, np.arange(1000) % 2, budget=1e4 * weak).kind == "undecided"


@pytest.mark.parametrize("shape", [(60, 2), (200, 10), (40, 120)])
def test_min_error_keeps_its_budget(shape, monkeypatch):
    X, y = dense_noise(*shape)
    seen = []
    monkeypatch.setattr(MIN_ERROR, "Budget", lambda limit: seen.append(Budget(limit)) or seen[-1])
    for budget in (1e5, 1e7, 1e8):
        found = theory.min_error(X, y, budget=budget)
        assert seen[-1].used <= 1.1 * budget
        assert found.exact or seen[-1].used > 0.05 * budget
        assert found.verify()


def test_a_refused_work_is_not_charged_and_one_that_is_done_is():
    budget = Budget(10)
    budget.spend(4)
    with pytest.raises(OutOfBudgetError):
        budget.spend(7)
    assert budget.used == 4
    with pytest.raises(OutOfBudgetError):
        budget.charge(7)
    assert budget.used == 11
    assert Budget(None).left == math.inf


def test_existence_charges_the_conversion_to_long_integers():
    """The search itself takes less than 10⁸ units; converting the 420,000 numbers takes most of the time."""
    X, y = dense_noise(20_000, 20)
    assert theory.existence(X, y > 0, family="binomial", budget=2e8).exists is None
    assert theory.existence(X, y > 0, family="binomial", budget=1e9).exists
