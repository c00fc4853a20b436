"""The interface of `KernelPerceptron`: traces, callbacks, pickles and the tools of scikit-learn."""

import pickle

import numpy as np
import pytest
from sklearn.datasets import load_digits
from sklearn.model_selection import GridSearchCV, cross_val_score

from rosenblatt import KernelPerceptron
from tests.estimators.kernel.dual_runs import alpha, spirals

pytestmark = pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")


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
