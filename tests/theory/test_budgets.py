"""A budget is kept by every search: the work counted stays within a tenth of it."""

import importlib
import math

import numpy as np
import pytest
import scipy.sparse as sp

from rosenblatt import separability, theory
from rosenblatt.theory.budget import Budget, OutOfBudgetError

EXISTENCE = importlib.import_module("rosenblatt.theory.existence.decide_existence")
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


def test_an_undecided_search_in_long_integers_says_how_much_work_it_did():
    X = np.array([[2**70 + 3 * i + j for j in range(4)] for i in range(50)], dtype=object)
    y = np.random.default_rng(0).integers(0, 2, 50)
    whole = separability(X, y).verdict.work
    found = separability(X, y, budget=0.9 * whole)
    assert found.kind == "undecided"
    assert 0.1 * whole < found.verdict.work <= 0.9 * whole


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


def test_the_pocket_algorithm_leaves_most_of_a_small_budget_to_the_proof():
    """100 epochs over 600 examples with 2 columns take some 5 milliseconds, which are 5·10⁶ units."""
    X, y = dense_noise(600, 2)
    found = theory.min_error(X, y, budget=1e8)
    assert found.lower > 20
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
    """The search itself takes less than 10⁸ units; converting and checking the 420,000 numbers takes longer."""
    X, y = dense_noise(20_000, 20)
    assert theory.existence(X, y > 0, family="binomial", budget=6e8).exists is None
    assert theory.existence(X, y > 0, family="binomial", budget=1e9).exists


def counted_existence(monkeypatch, model, budget):
    seen = []
    monkeypatch.setattr(EXISTENCE, "Budget", lambda limit: seen.append(Budget(limit)) or seen[-1])
    return theory.existence(**model, budget=budget), seen[-1].used


def panel(effects):
    rng = np.random.default_rng(0)
    levels = np.column_stack([rng.integers(0, 20, 400) for _ in range(effects)])
    return {"X": rng.normal(size=(400, 2)), "y": rng.poisson(0.3, 400), "fixed_effects": levels}


def labelled(classes, n=300, d=4):
    rng = np.random.default_rng(1)
    return {"X": rng.normal(size=(n, d)), "y": rng.integers(0, classes, n)}


MODELS = {
    "binomial": {"family": "binomial", **labelled(2)},
    "multinomial": {"family": "multinomial", **labelled(3)},
    "ordinal": {"family": "ordinal", **labelled(3)},
    "Poisson": {"family": "poisson", **labelled(3)},
    "log-binomial": {"family": "log-binomial", **labelled(2)},
    "one effect": {"family": "poisson", **panel(1)},
    "two effects": {"family": "poisson", **panel(2)},
    "three effects": {"family": "poisson", **panel(3)},
    "more columns than rows": {"family": "binomial", **labelled(2, 20, 60)},
}


@pytest.mark.parametrize("model", MODELS)
def test_existence_keeps_its_budget_and_counts_what_it_did(model, monkeypatch):
    whole, work = counted_existence(monkeypatch, MODELS[model], math.inf)
    for share in (0.3, 0.7, 0.95):
        found, used = counted_existence(monkeypatch, MODELS[model], share * work)
        assert used <= 1.1 * share * work
        assert found.exists in (None, whole.exists)
    assert counted_existence(monkeypatch, MODELS[model], 1.01 * work)[0].coefficients == whole.coefficients


def test_an_existence_search_that_ends_in_the_linear_program_counts_it(monkeypatch):
    rng = np.random.default_rng(0)
    groups = {"a": rng.integers(0, 60, 900).astype(str), "b": rng.integers(0, 20, 900).astype(str)}
    model = {"X": groups, "y": rng.random(900) < 0.1, "family": "binomial"}
    found, used = counted_existence(monkeypatch, model, 1e7)
    assert found.exists is None
    assert used > 5e6


def test_a_null_space_of_many_long_vectors_is_charged_by_their_length():
    """Eliminating the 40 rows is cheap; the 160 vectors have 40 entries of some 2,400 bits each."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(40, 200))
    assert theory.existence(X, np.arange(40) % 2, family="binomial", budget=1.5e8).exists is None


def test_the_separated_rows_are_known_before_the_signs_of_all_coefficients():
    rng = np.random.default_rng(3)
    X = rng.normal(size=(300, 6))
    y = X @ rng.normal(size=6) > 0
    found = theory.existence(X, y, family="binomial", budget=5e7)
    assert found.exists is False
    assert found.kind == "complete"
    assert set(found.coefficients.values()) >= {"undecided", "-inf"}
    assert "the budget did not suffice for the sign" in found.explain()
    assert found.verify()
    certificate = found.to_dict()
    assert theory.verify_existence(certificate, X, y)
    unproved = next(name for name, status in found.coefficients.items() if status == "undecided")
    for claim in ("+inf", "-inf", "finite", "undefined"):
        changed = {**certificate, "coefficients": {**certificate["coefficients"], unproved: claim}}
        assert not theory.verify_existence(changed, X, y)
