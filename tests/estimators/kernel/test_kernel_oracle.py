"""The dual and kernel perceptron make the updates of the textbook and of the primal."""

import hypothesis.strategies as st
import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import given, settings

from rosenblatt import KernelPerceptron, Perceptron, conventions, textbook
from tests.estimators.kernel.dual_runs import MEMORIES, alpha, assert_same_counts, fit, without_init
from tests.estimators.test_oracle import choices, labelled, limits
from tests.storages import STORAGES

pytestmark = pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")


@pytest.mark.parametrize("memory", MEMORIES)
@given(
    data=labelled(max_features=4),
    degree=st.integers(1, 3),
    choice=choices.map(without_init),
    limit=limits,
    seed=st.integers(0, 99),
)
def test_every_choice_makes_the_updates_of_the_textbooks_dual(memory, degree, data, choice, limit, seed):
    X, y = data
    weight = np.random.default_rng(seed).integers(0, 3, len(y)).astype(float)
    weight[:2] = 1
    shared = {**choice, **limit}
    run = textbook.run(textbook.dual(X, y, kernel=lambda a, b: (1 + a @ b) ** degree, sample_weight=weight, **shared))
    kernel = {"kernel": "poly", "degree": degree, "gamma": 1, "coef0": 1}
    estimator = fit(KernelPerceptron(**kernel, cache_size=memory, **shared), X, y, sample_weight=weight)
    np.testing.assert_array_equal(alpha(estimator, len(y))[0] * y, run.ended.alpha)
    assert estimator.intercept_[0] == run.ended.b
    assert (estimator.status_, estimator.cycle_, estimator.n_iter_) == (run.status, run.cycle, run.n_iter)
    assert (estimator.n_mistakes_, estimator.n_samples_seen_) == (run.n_mistakes, run.n_samples_seen)
    by_hand = [
        textbook.kernel_score(run.ended.alpha, X, y, x, lambda a, b: (1 + a @ b) ** degree, run.ended.b) for x in X
    ]
    np.testing.assert_array_equal(estimator.decision_function(X), by_hand)


@pytest.mark.parametrize("storage", STORAGES)
@given(data=labelled(), choice=choices.map(without_init), limit=limits, memory=st.sampled_from(MEMORIES))
@settings(max_examples=50)
def test_with_the_linear_kernel_the_mistakes_are_the_primals(storage, data, choice, limit, memory):
    X, y = data
    shared = {**choice, **limit, "record": True}
    primal = fit(Perceptron(**shared), STORAGES[storage](X), y)
    dual = fit(KernelPerceptron(kernel="linear", cache_size=memory, **shared), STORAGES[storage](X), y)
    assert_same_counts(dual, primal)
    np.testing.assert_array_equal(dual.trace_.updates, primal.trace_.updates)
    np.testing.assert_array_equal(alpha(dual, len(y)) @ X, primal.coef_)  # w = Σ αyx
    np.testing.assert_array_equal(dual.intercept_, primal.intercept_)
    np.testing.assert_array_equal(dual.predict(STORAGES[storage](X)), primal.predict(STORAGES[storage](X)))


@pytest.mark.parametrize("memory", MEMORIES)
@pytest.mark.parametrize("multi_class", ["ova", "ovo", "joint"])
@given(
    seed=st.integers(0, 500),
    order=st.sampled_from(["cyclic", "shuffle", "misclassified"]),
    one=st.booleans(),
    rivals=st.sampled_from(["best", "all"]),
)
@settings(max_examples=10)
def test_many_classes_are_the_primals(memory, multi_class, seed, order, one, rivals):
    rng = np.random.default_rng(seed)
    X, y = rng.integers(-4, 5, (30, 3)).astype(float), rng.integers(0, 4, 30)
    y[:4] = range(4)
    chosen = {"multi_class": multi_class, "rivals": rivals, "order": order}
    shared = {**chosen, "random_state": seed, "max_iter": 1 if one else 5, "record": True}
    primal = fit(Perceptron(**shared), X, y)
    dual = fit(KernelPerceptron(kernel="linear", cache_size=memory, **shared), X, y)
    if multi_class == "joint":
        np.testing.assert_array_equal(dual.trace_.updates, primal.trace_.updates)
        W = dual.trace_.weights_at(len(dual.trace_))
        np.testing.assert_array_equal(W[:, 1:] @ X, primal.coef_)
    assert_same_counts(dual, primal)
    np.testing.assert_array_equal(alpha(dual, len(y)) @ X, primal.coef_)
    np.testing.assert_array_equal(dual.predict(X), primal.predict(X))
    np.testing.assert_allclose(dual.decision_function(X), primal.decision_function(X), rtol=1e-12)


@pytest.mark.slow
@pytest.mark.parametrize("order", ["cyclic", "shuffle", "misclassified"])
@pytest.mark.parametrize("multi_class", ["ova", "ovo", "joint"])
@pytest.mark.parametrize("max_iter", [1, 4])
@pytest.mark.parametrize("form", [np.asarray, sp.csr_matrix])  # integers, and floating point
def test_blocks_of_many_examples_make_the_primals_updates(order, multi_class, max_iter, form):
    rng = np.random.default_rng(7)
    X, y = rng.integers(-9, 10, (400, 5)).astype(float), rng.integers(0, 3, 400)
    y = np.where(rng.random(400) < 0.9, (X[:, 0] > 0) + (X[:, 1] > 2), y)
    shared = {"order": order, "multi_class": multi_class, "max_iter": max_iter}
    primal = fit(Perceptron(**shared), form(X), y)
    dual = fit(KernelPerceptron(kernel="linear", cache_size=0.3, **shared), form(X), y)
    assert dual.regime_ == "blocks"
    assert_same_counts(dual, primal)
    np.testing.assert_array_equal(alpha(dual, len(y)) @ X, primal.coef_)


@pytest.mark.parametrize("memory", MEMORIES)
@given(data=labelled(max_examples=9, max_features=3), choice=choices.map(without_init), limit=limits)
@settings(max_examples=50)
def test_averages_and_votes_are_the_textbooks(memory, data, choice, limit):
    X, y = data
    choice = {**choice, "tie": "negative" if choice["tie"] == "positive" else choice["tie"]}
    shared = {**choice, **limit}
    kernel = {"kernel": "linear", "cache_size": memory}
    space = np.column_stack([np.ones(len(X)), X]) if choice["fit_intercept"] else X
    average = textbook.run(textbook.averaged(X, y, **shared)).ended.average
    mine = fit(KernelPerceptron(vote="average", **kernel, **shared), X, y)
    np.testing.assert_allclose(mine.decision_function(X), space @ average, rtol=1e-12, atol=1e-12)
    vectors = textbook.run(textbook.voted(X, y, **shared)).ended.vectors
    mine = fit(KernelPerceptron(vote="vote", **kernel, **shared), X, y)
    if vectors:
        total = sum(count for _, count in vectors)
        votes = [textbook.vote(vectors, x) / total for x in space]
        np.testing.assert_allclose(mine.decision_function(X), votes, rtol=1e-12, atol=1e-12)


@pytest.mark.parametrize("rivals", ["best", "all"])
def test_under_the_joint_rule_each_vector_votes_for_its_own_class(rivals):
    rng = np.random.default_rng(0)
    X, y = rng.integers(-3, 4, (25, 3)).astype(float), rng.integers(0, 3, 25)
    parameters = {"order": "cyclic", "multi_class": "joint", "rivals": rivals, "max_iter": 3}
    estimator = fit(KernelPerceptron(kernel="linear", vote="vote", **parameters), X, y)
    space = np.column_stack([np.ones(len(X)), X])
    won = np.zeros((len(X), 3))
    for step in textbook.joint(X, y, order="cyclic", rivals=rivals, max_iter=3):
        # A vector counts for every example from the one that made it on.
        won[np.arange(len(X)), (space @ step.w_after.T).argmax(axis=1)] += 1
    np.testing.assert_allclose(estimator.decision_function(X), won / won.sum(axis=1, keepdims=True))


def test_l2_by_name_runs_in_the_dual():
    X, y = np.array([[3, 3], [4, 3], [1, 1]], float), np.array([1, 1, -1])
    estimator = KernelPerceptron(kernel="linear", **conventions.L2).fit(X, y)
    run = textbook.run(textbook.dual(X, y, **conventions.L2))
    assert estimator.status_ == run.status == "separated"
    np.testing.assert_array_equal(alpha(estimator, 3)[0] * y, run.ended.alpha)
