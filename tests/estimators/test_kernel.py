"""The dual and kernel perceptron against the textbook, the primal and the theory."""

import logging
import pickle
import tracemalloc
import warnings
from concurrent.futures import ThreadPoolExecutor

import hypothesis.strategies as st
import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import given, settings
from sklearn.base import clone
from sklearn.datasets import load_digits
from sklearn.metrics import pairwise
from sklearn.model_selection import GridSearchCV, cross_val_score

from rosenblatt import KernelPerceptron, Perceptron, conventions, separability, textbook
from rosenblatt.estimators.base import dual_classifier
from rosenblatt.learning.dual.gram import Values
from rosenblatt.learning.threads import usable_threads
from tests.estimators.test_oracle import choices, labelled, limits
from tests.storages import STORAGES

pytestmark = pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")

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


def spirals(n=200, turns=2.0):
    t = np.sqrt(np.linspace(0.05, 1, n)) * turns * 2 * np.pi
    arm = np.column_stack([t * np.cos(t), t * np.sin(t)])
    return np.concatenate([arm, -arm]), np.repeat([0, 1], n)


def test_xor_separates_with_a_polynomial_of_degree_2_and_spirals_with_rbf():
    for order in ("cyclic", "shuffle", "misclassified"):
        xor = KernelPerceptron(kernel="poly", degree=2, gamma=1, coef0=1, order=order).fit(*XOR)
        assert xor.status_ == "separated"
        assert xor.predict(XOR[0]).tolist() == XOR[1].tolist()
        X, y = spirals()
        spiral = KernelPerceptron(kernel="rbf", gamma=1.0, order=order).fit(X, y)
        assert spiral.status_ == "separated"
        assert spiral.score(X, y) == 1


@pytest.mark.parametrize("memory", MEMORIES)
@given(data=labelled(max_features=3), degree=st.integers(1, 3), fit_intercept=st.booleans(), seed=st.integers(0, 99))
@settings(max_examples=50)
def test_the_bound_on_mistakes_holds_in_feature_space(memory, data, degree, fit_intercept, seed):
    X, y = data
    estimator = KernelPerceptron(
        kernel="poly", degree=degree, gamma=1, coef0=1, fit_intercept=fit_intercept, cache_size=memory, max_iter=50
    )
    fit(estimator.set_params(random_state=seed), X, y)
    if estimator.status_ != "separated":
        return
    K = (1 + X @ X.T) ** degree + fit_intercept
    coef = alpha(estimator, len(y))[0]
    least = (y * (K @ coef)).min()
    # M ≤ R²/γ² with γ = least/‖w‖, in integers: a wider margin would only bound it more tightly.
    assert estimator.n_mistakes_ * least**2 <= K.diagonal().max() * (coef @ K @ coef)


@given(data=labelled(max_examples=8, max_features=2, largest=2), degree=st.integers(1, 2))
@settings(max_examples=40, deadline=None)
def test_separability_in_a_kernels_feature_space_agrees_with_the_run(data, degree):
    X, y = data
    estimator = KernelPerceptron(kernel="poly", degree=degree, gamma=1, coef0=1, order="cyclic", max_iter=3000)
    found = estimator.separability(X, y)
    assert found.verify()
    status = fit(estimator, X, y).status_
    assert (status == "separated") == found.separable or status == "max_iter"
    assert status != "max_iter" or found.separable  # a thin margin, never a run that should have cycled


def test_xor_is_proved_inseparable_without_a_kernel_and_separable_with_one():
    X, y = XOR
    linear = KernelPerceptron(kernel="linear").separability(X, y)
    squared = KernelPerceptron(kernel="poly", degree=2, gamma=1, coef0=1).separability(X, y)
    assert (linear.separable, squared.separable) == (False, True)
    assert linear.verify()
    assert squared.verify()
    assert separability(X @ X.T, y).separable is False  # the same question, put by hand


def test_a_run_without_limit_that_would_stall_checks_separability():
    X = np.array([[0.1], [0.2], [0.30000000000000004], [0.1], [0.25]])
    y = [0, 1, 0, 1, 0]
    stuck = fit(KernelPerceptron(kernel="rbf", gamma=1.0, max_iter=None), X, y)  # one point, two labels
    assert stuck.status_ == "inseparable"  # in floats a return of the state would be no proof
    assert stuck.certificate_.verify()


def test_memory_decides_the_regime_and_the_log_says_so(caplog):
    X, y = spirals(100)
    with caplog.at_level(logging.INFO, logger="rosenblatt"):
        whole = KernelPerceptron(gamma=1.0).fit(X, y)
        blocks = KernelPerceptron(gamma=1.0, cache_size=0.1).fit(X, y)
    assert (whole.regime_, blocks.regime_) == ("gram", "blocks")
    assert "the whole Gram matrix of 200 examples" in caplog.messages[0]
    assert "would take 0.3 MB" in caplog.messages[1]
    np.testing.assert_array_equal(whole.predict(X), blocks.predict(X))


@pytest.mark.parametrize("max_iter", [1, 4])
@pytest.mark.parametrize("kernel", ["poly", "rbf", "laplacian"])
@pytest.mark.parametrize("integers", [True, False])
def test_the_memory_of_kernel_values_stays_within_cache_size(kernel, max_iter, integers):
    rng = np.random.default_rng(0)
    n, d, megabytes = 3000, 40, 6
    X = rng.integers(0, 9, (n, d)).astype(float) + (0 if integers else 0.5**9 * rng.random((n, d)))
    y = (X[:, 0] * X[:, 1] > 16).astype(int)
    estimator = KernelPerceptron(kernel=kernel, cache_size=megabytes, max_iter=max_iter)
    fit(clone(estimator), X[:50], y[:50])  # what is imported once is not counted
    tracemalloc.start()
    fit(estimator, X, y)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert estimator.regime_ == "blocks"  # the Gram matrix would take 72 MB
    few_an_example = 200 * n + X[estimator.support_].nbytes * 2 + 300_000
    assert peak <= megabytes * 2**20 + few_an_example


@pytest.mark.parametrize("form", [np.asarray, lambda X: X.astype(np.float32), sp.csr_matrix])
def test_the_whole_gram_matrix_stays_within_cache_size(form):
    rng = np.random.default_rng(0)
    X, y, megabytes = form(rng.standard_normal((800, 30))), rng.integers(0, 2, 800), 6
    estimator = KernelPerceptron(cache_size=megabytes, max_iter=3)
    fit(clone(estimator), X[:50], y[:50])
    tracemalloc.start()
    fit(estimator, X, y)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert estimator.regime_ == "gram"
    assert peak <= megabytes * 2**20 + 200 * 800 + 800 * 30 * 8 * 2 + 300_000


@pytest.mark.parametrize("kernel", ["linear", "poly", "rbf", "sigmoid", "laplacian"])
@pytest.mark.parametrize("form", [np.asarray, sp.csr_matrix, lambda X: X.astype(np.float32)])
def test_kernels_are_those_of_scikit_learn(kernel, form):
    rng = np.random.default_rng(0)
    for X in (rng.standard_normal((20, 5)), rng.integers(-9, 9, (20, 5)).astype(float)):
        y = rng.integers(0, 2, 20)
        mine = fit(KernelPerceptron(kernel=kernel, gamma=0.1, degree=3, coef0=0.5, max_iter=5), form(X), y)
        parameters = {"gamma": 0.1, "degree": 3, "coef0": 0.5}
        theirs = pairwise.pairwise_kernels(
            form(X).astype(float), metric=kernel, filter_params=True, **({} if kernel == "linear" else parameters)
        )
        np.testing.assert_allclose(mine.kernel_(form(X), form(X)), theirs, rtol=1e-10, atol=1e-12)
        scores = theirs[:, mine.support_] @ mine.dual_coef_.T + mine.intercept_
        np.testing.assert_allclose(mine.decision_function(form(X)), scores[:, 0], rtol=1e-6, atol=1e-6)
        given = fit(KernelPerceptron(kernel="precomputed", max_iter=5), theirs, y)
        called = fit(KernelPerceptron(kernel=mine.kernel_, max_iter=5), form(X), y)
        np.testing.assert_array_equal(called.dual_coef_, mine.dual_coef_)
        assert given.n_features_in_ == 20
        np.testing.assert_allclose(given.decision_function(theirs[:4]), given.decision_function(theirs)[:4])


@pytest.mark.parametrize("gamma", ["scale", "auto", 0.3])
@pytest.mark.parametrize("form", [np.asarray, sp.csr_matrix])
def test_gamma_has_the_meaning_of_svc(gamma, form):
    from sklearn.svm import SVC

    rng = np.random.default_rng(1)
    X, y = rng.standard_normal((30, 4)), rng.integers(0, 2, 30)
    peer = SVC(gamma=gamma).fit(form(X), y)
    assert fit(KernelPerceptron(gamma=gamma), form(X), y).kernel_.gamma == pytest.approx(peer._gamma)


def test_small_integers_use_integer_products_with_the_same_bits():
    rng = np.random.default_rng(0)
    X, y = rng.integers(0, 256, (300, 70)).astype(float), rng.integers(0, 3, 300)
    parameters = {"kernel": "poly", "degree": 2, "gamma": 1, "coef0": 1, "max_iter": 3, "cache_size": 0.3}
    narrow = fit(KernelPerceptron(**parameters), X, y)
    wide = fit(KernelPerceptron(**parameters), sp.csr_matrix(X), y)  # which has no integer form
    assert narrow._narrow_support is not None
    assert wide._narrow_support is None
    np.testing.assert_array_equal(narrow.dual_coef_, wide.dual_coef_)
    np.testing.assert_array_equal(narrow.decision_function(X), wide.decision_function(X))
    np.testing.assert_allclose(narrow.decision_function(X + 0.5), wide.decision_function(X + 0.5))


@pytest.mark.parametrize("vote", ["last", "average"])
def test_blocks_are_scored_by_several_threads_to_the_same_bits(monkeypatch, vote):
    X, y = load_digits(return_X_y=True)
    fitted = KernelPerceptron(kernel="poly", degree=2, max_iter=2, vote=vote).fit(X, y)
    monkeypatch.setattr(dual_classifier, "_BLOCK", 50 * len(fitted.support_))
    monkeypatch.setattr(dual_classifier, "usable_threads", lambda: 1)
    alone = fitted.decision_function(X)
    monkeypatch.setattr(dual_classifier, "usable_threads", lambda: 3)
    assert fitted.decision_function(X).tobytes() == alone.tobytes()
    with ThreadPoolExecutor(4) as pool:
        found = list(pool.map(lambda _: fitted.predict(X), range(8)))
    assert all(np.array_equal(one, found[0]) for one in found)
    monkeypatch.setattr(type(fitted.kernel_), "of_integers", lambda *_, **__: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        fitted.predict(X)


@pytest.mark.parametrize("kernel", ["linear", "poly", "rbf", "sigmoid", "laplacian"])
@pytest.mark.parametrize("form", [np.asarray, lambda X: X.astype(np.float32), sp.csr_matrix])
def test_fit_and_predict_see_the_same_bits(kernel, form):
    rng = np.random.default_rng(3)
    X, y = form(rng.standard_normal((130, 37))), rng.integers(0, 3, 130)
    fitted = fit(KernelPerceptron(kernel=kernel, gamma=0.1, max_iter=2), X, y)
    values = Values(fitted.kernel_, X, None)
    gram = values.whole(1 << 20)
    assert gram.tobytes() == gram.T.tobytes()
    assert gram.tobytes() == values.whole(gram.nbytes + 16 * 130 * 20).tobytes()  # in smaller blocks
    predicting = np.concatenate([fitted._kernel_values(X[i : i + 7], 2) for i in range(0, 130, 7)])
    assert predicting.tobytes() == gram[:, fitted.support_].tobytes()


@pytest.mark.parametrize("kernel", ["poly", "rbf", "laplacian"])
def test_storages_of_floats_make_the_same_updates(kernel):
    rng = np.random.default_rng(4)
    X, y = rng.standard_normal((90, 20)).astype(np.float32), rng.integers(0, 3, 90)
    X[rng.random(X.shape) < 0.5] = 0
    parameters = {"kernel": kernel, "gamma": 0.1, "max_iter": 3}
    dense = fit(KernelPerceptron(**parameters), X.astype(float), y)
    for form in STORAGES.values():
        if form is not STORAGES["csr_unsorted"]:  # which rounds its halves
            other = fit(KernelPerceptron(**parameters), form(X), y)
            assert other.last_dual_coef_.tobytes() == dense.last_dual_coef_.tobytes()
            for asked in (form(X), X.astype(float), sp.csr_matrix(X)):  # as stored, and mixed
                assert other.decision_function(asked).tobytes() == dense.decision_function(X).tobytes()


def test_the_environment_can_lower_the_number_of_threads(monkeypatch):
    monkeypatch.setenv("OMP_NUM_THREADS", "1")
    assert usable_threads() == 1
    monkeypatch.setenv("OMP_NUM_THREADS", "100000")
    most = usable_threads()
    for nonsense in ("", "0", "-1", "many"):
        monkeypatch.setenv("OMP_NUM_THREADS", nonsense)
        assert usable_threads() == most


@pytest.mark.parametrize("value", [2.0**20, 2.0**15, 30000.0, -40000.0])
def test_large_integers_are_multiplied_as_floats(value):
    X = np.array([[value, 1.0], [1.0, 2.0], [2.0, -1.0], [value, -3.0]] * 10)
    y = [0, 1, 0, 1] * 10
    dual = fit(KernelPerceptron(kernel="linear", max_iter=20, order="cyclic"), X, y)
    primal = fit(Perceptron(max_iter=20, order="cyclic"), X, y)
    assert_same_counts(dual, primal)


def test_a_recorded_run_replays_in_the_dual():
    X, y = spirals(30)
    estimator = KernelPerceptron(gamma=1.0, record=True).fit(X, y)
    trace = estimator.trace_
    assert trace.n_updates == estimator.n_mistakes_
    end = trace.weights_at(len(trace))
    np.testing.assert_allclose(end[0], estimator.intercept_[0])
    np.testing.assert_array_equal(end[1:], alpha(estimator, len(y))[0])
    for step in trace[:50]:
        assert step.mistake == (step.y * step.score <= 0)
    np.testing.assert_allclose(trace.history()["errors"][-1], 0)


def test_each_works_with_the_tools_of_scikit_learn():
    digits = load_digits()
    X, y = digits.data[:300], digits.target[:300]
    search = GridSearchCV(KernelPerceptron(max_iter=10), {"gamma": [1e-4, 1e-3], "vote": ["last", "average"]}, cv=3)
    assert search.fit(X, y).best_score_ > 0.85
    K = X @ X.T
    given = KernelPerceptron(kernel="precomputed", max_iter=10)
    assert cross_val_score(given, K, y, cv=3).mean() > 0.8  # rows and columns are split together
    again = pickle.loads(pickle.dumps(search.best_estimator_))
    np.testing.assert_array_equal(again.predict(X), search.predict(X))
    assert "support" in again.report()
    assert again.n_support_.sum() == len(again.support_)


def test_progress_is_reported_after_every_epoch():
    X, y = spirals(50)
    for memory in (200, 0.05):
        told = []
        estimator = KernelPerceptron(gamma=1.0, callback=told.append, cache_size=memory).fit(X, y)
        assert [progress.epoch for progress in told] == list(range(1, estimator.n_iter_ + 1))
        assert [progress.mistakes for progress in told] == estimator.history_["mistakes"].tolist()
        coef, offset = told[-1].weights()
        np.testing.assert_array_equal(coef, alpha(estimator, len(y)))
        np.testing.assert_array_equal(offset, estimator.intercept_)


@pytest.mark.parametrize("memory", [200, 0.05])
def test_a_callback_that_returns_true_ends_the_fit(memory):
    X, y = spirals(50)
    stopped = KernelPerceptron(gamma=1.0, callback=lambda progress: progress.epoch == 1, cache_size=memory).fit(X, y)
    assert (stopped.n_iter_, stopped.status_) == (1, "early_stopped")
    short = KernelPerceptron(gamma=1.0, max_iter=1, cache_size=memory).fit(X, y)
    np.testing.assert_array_equal(alpha(stopped, len(y)), alpha(short, len(y)))
