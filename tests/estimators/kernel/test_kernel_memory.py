"""The memory of kernel values: the whole Gram matrix or blocks, within `cache_size`."""

import logging
import tracemalloc

import numpy as np
import pytest
import scipy.sparse as sp
from sklearn.base import clone

from rosenblatt import KernelPerceptron
from tests.estimators.kernel.dual_runs import fit, spirals

pytestmark = pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")


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
