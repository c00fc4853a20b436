"""A budget of support vectors: what each policy promises."""

import hypothesis.strategies as st
import numpy as np
import pytest
from hypothesis import given, settings
from sklearn.datasets import load_digits

from rosenblatt import KernelPerceptron
from rosenblatt.learning.dual.support_budget import Projection, Support
from tests.estimators.kernel.dual_runs import fit
from tests.estimators.test_oracle import labelled

POLICIES = ["random", "projectron"]


def kernelled(**parameters):
    return KernelPerceptron(kernel="poly", degree=2, gamma=1, coef0=1, **parameters)


@pytest.mark.parametrize("policy", POLICIES)
@pytest.mark.parametrize(
    ("multi_class", "rivals"), [("ova", "best"), ("ovo", "best"), ("joint", "best"), ("joint", "all")]
)
@pytest.mark.parametrize("memory", [200, 0.05])
def test_no_problem_has_more_support_vectors_than_its_budget(policy, multi_class, rivals, memory):
    rng = np.random.default_rng(0)
    X, y = rng.standard_normal((200, 4)), rng.integers(0, 3, 200)
    for budget in (1, 7, 30):
        parameters = {"multi_class": multi_class, "rivals": rivals, "cache_size": memory, "max_iter": 4}
        estimator = fit(KernelPerceptron(budget=budget, budget_policy=policy, **parameters), X, y)
        assert np.count_nonzero(estimator.dual_coef_, axis=1).max() <= budget
        if multi_class == "joint":
            assert len(estimator.support_) <= budget
        assert estimator.n_mistakes_ > budget  # it was needed


@given(
    data=labelled(max_features=3),
    order=st.sampled_from(["cyclic", "shuffle"]),
    fit_intercept=st.booleans(),
    tie=st.sampled_from(["mistake", "positive", "negative"]),
    max_iter=st.integers(1, 8),
    weighted=st.booleans(),
)
@settings(max_examples=50)
def test_a_budget_that_is_never_full_changes_nothing(data, order, fit_intercept, tie, max_iter, weighted):
    X, y = data
    weight = np.arange(len(y)) % 3 + 1.0 if weighted else None
    shared = {"order": order, "fit_intercept": fit_intercept, "tie": tie, "max_iter": max_iter}
    free = fit(kernelled(**shared), X, y, sample_weight=weight)
    bound = fit(kernelled(budget=len(y), **shared), X, y, sample_weight=weight)
    if free.status_ == "cycled":  # which a run with a budget does not look for
        free = fit(kernelled(**shared, max_updates=bound.n_mistakes_), X, y, sample_weight=weight)
        assert bound.status_ in ("max_iter", "error_reached")
        return
    assert (bound.status_, bound.n_mistakes_, bound.n_iter_) == (free.status_, free.n_mistakes_, free.n_iter_)
    np.testing.assert_array_equal(bound.support_, free.support_)
    np.testing.assert_array_equal(bound.dual_coef_, free.dual_coef_)
    np.testing.assert_array_equal(bound.intercept_, free.intercept_)
    np.testing.assert_array_equal(bound.history_, free.history_)


@given(seed=st.integers(0, 1000), budget=st.integers(1, 6), planes=st.integers(1, 3))
def test_a_projection_gives_every_support_vector_the_score_without_a_budget(seed, budget, planes):
    rng = np.random.default_rng(seed)
    X = rng.standard_normal((20, 8))
    K = np.exp(-0.1 * ((X[:, None] - X) ** 2).sum(axis=2))
    support, policy = Support(budget, planes), Projection()
    support.against = np.empty((0, 20))
    for i in range(20):
        before, members = support.coef @ support.against, support.examples
        change = rng.standard_normal(planes)
        policy(support, i, change, i, K)
        after = support.coef @ support.against
        np.testing.assert_allclose(after[:, members], (before + np.outer(change, K[i]))[:, members], atol=1e-8)
        assert len(support.examples) <= budget
        # A projection is never longer than what is projected.
        moved = support.coef.copy()
        moved[:, : len(members)] -= np.linalg.solve(K[np.ix_(members, members)], before[:, members].T).T
        lengths = np.einsum("ci,ij,cj->c", moved, K[np.ix_(support.examples, support.examples)], moved)
        assert np.all(lengths <= change**2 * K[i, i] + 1e-8)


def test_random_removal_replaces_one_support_vector_and_depends_on_the_seed():
    rng = np.random.default_rng(1)
    X, y = rng.integers(-5, 6, (60, 3)).astype(float), rng.integers(0, 2, 60)
    one, same, other = (
        fit(KernelPerceptron(kernel="linear", budget=5, order="cyclic", max_iter=3, random_state=seed), X, y)
        for seed in (0, 0, 1)
    )
    np.testing.assert_array_equal(one.support_, same.support_)
    assert one.support_.tolist() != other.support_.tolist()  # the order is the same, the removals are not
    # Each survivor has whole steps of its own sign, and the offset is what is left of theirs.
    signs = np.where(y[one.support_] == 1, 1, -1)
    assert np.all(one.dual_coef_[0] * signs >= 1)
    assert np.all(one.dual_coef_[0] % 1 == 0)
    assert one.intercept_[0] == one.dual_coef_.sum()


def test_a_budget_costs_little_on_digits():
    digits = load_digits()
    X, y = digits.data[:800], digits.target[:800]
    rest = digits.data[800:], digits.target[800:]
    free = fit(KernelPerceptron(gamma=1e-3, max_iter=3), X, y).score(*rest)
    for policy in POLICIES:
        bound = fit(KernelPerceptron(gamma=1e-3, max_iter=3, budget=60, budget_policy=policy), X, y)
        assert bound.score(*rest) > free - 0.12


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"vote": "average"}, "vote='average' needs all support vectors"),
        ({"vote": "vote"}, "vote='vote' needs all support vectors"),
        ({"record": True}, "record=True cannot be replayed"),
        ({"order": "misclassified"}, "order='misclassified' needs the scores of all examples"),
        ({"budget_policy": "projectron", "budget": 40, "cache_size": 1e-3}, "Raise cache_size or lower the budget"),
    ],
)
def test_parameters_that_cannot_be_combined_with_a_budget_are_refused(parameters, message):
    X, y = np.arange(100.0).reshape(50, 2), np.arange(50) % 2
    with pytest.raises(ValueError, match=message):
        KernelPerceptron(**{"budget": 5, **parameters}).fit(X, y)


@pytest.mark.parametrize("rivals", ["best", "all"])
def test_a_budget_that_is_never_full_changes_nothing_under_the_joint_rule(rivals):
    rng = np.random.default_rng(3)
    X, y = rng.integers(-3, 4, (40, 3)).astype(float), rng.integers(0, 4, 40)
    shared = {"multi_class": "joint", "rivals": rivals, "max_iter": 3}
    free, bound = fit(kernelled(**shared), X, y), fit(kernelled(budget=40, **shared), X, y)
    np.testing.assert_array_equal(free.dual_coef_, bound.dual_coef_)
    np.testing.assert_array_equal(free.intercept_, bound.intercept_)
