"""Kernel values: those of scikit-learn, with the same bits in every storage, block and thread."""

from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
import scipy.sparse as sp
from sklearn.datasets import load_digits
from sklearn.metrics import pairwise

from rosenblatt import KernelPerceptron, Perceptron
from rosenblatt.estimators.base import dual_classifier
from rosenblatt.learning.dual.gram import Values
from rosenblatt.learning.threads import usable_threads
from tests.estimators.kernel.dual_runs import assert_same_counts, fit
from tests.storages import STORAGES

pytestmark = pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")


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
