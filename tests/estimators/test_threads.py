"""Estimators in eight Python threads: each thread fits its own, or all threads share one."""

import sys
import sysconfig
import threading
import time
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
import scipy.sparse as sp

from rosenblatt import AveragedPerceptron, KernelPerceptron, Perceptron, PocketPerceptron, VotedPerceptron
from rosenblatt.compat import SGDClassifier

THREADS = 8
RNG = np.random.default_rng(3)
X = RNG.standard_normal((300, 24))
Y = np.argmax(X[:, :3] + 0.3 * RNG.standard_normal((300, 3)), axis=1)
STORAGES = {"dense": X, "float32": X.astype(np.float32), "csr": sp.csr_matrix(np.where(np.abs(X) > 0.5, X, 0))}

ESTIMATORS = {
    "online": lambda seed: Perceptron(order="shuffle", max_iter=20, random_state=seed),
    "one-vs-one": lambda seed: Perceptron(multi_class="ovo", order="shuffle", max_iter=20, random_state=seed),
    "averaged": lambda seed: AveragedPerceptron(order="shuffle", max_iter=20, random_state=seed),
    "pocket": lambda seed: PocketPerceptron(max_iter=5, random_state=seed),
    "voted": lambda seed: VotedPerceptron(max_iter=2, random_state=seed),
    "kernel": lambda seed: KernelPerceptron(kernel="rbf", max_iter=5, random_state=seed),
    "compat": lambda seed: SGDClassifier(penalty="l1", max_iter=20, random_state=seed),
}


def at_once(job):
    """The results of job(0), ..., job(7), which start together in threads of their own."""
    start = threading.Barrier(THREADS)

    def started(k):
        start.wait()
        return job(k)

    with ThreadPoolExecutor(THREADS) as pool:
        return list(pool.map(started, range(THREADS)))


@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
@pytest.mark.parametrize("name", ESTIMATORS)
@pytest.mark.parametrize("storage", STORAGES)
def test_threads_that_fit_get_what_one_thread_gets(name, storage):
    def fitted(seed):
        return ESTIMATORS[name](seed).fit(STORAGES[storage], Y).decision_function(STORAGES[storage])

    for seed, scores in enumerate(at_once(fitted)):
        np.testing.assert_array_equal(scores, fitted(seed))


@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
@pytest.mark.parametrize("name", ESTIMATORS)
def test_threads_that_share_a_model_predict_what_one_thread_predicts(name):
    model = ESTIMATORS[name](0).fit(X, Y)
    expected = {storage: model.predict(rows) for storage, rows in STORAGES.items()}

    def predicted(k):
        return [{storage: model.predict(rows) for storage, rows in STORAGES.items()} for _ in range(10)]

    for found in [result for results in at_once(predicted) for result in results]:
        for storage, labels in expected.items():
            np.testing.assert_array_equal(found[storage], labels)


def test_threads_that_teach_one_model_lose_no_example():
    model = Perceptron()
    model.learn_one({"first": 1.0}, "no")
    examples = [{f"x{j}": value for j, value in enumerate(row)} for row in X[:, :6].tolist()]

    def learned(k):
        for i, example in enumerate(examples):
            model.learn_one({f"of thread {k}": 1.0, **example}, "yes" if Y[i] else "no")
            assert model.predict_one(examples[i - 1]) in ("yes", "no")

    at_once(learned)
    assert model.n_samples_seen_ == 1 + THREADS * len(examples)
    assert sorted(model.feature_names_in_) == sorted(
        ["first", *(f"x{j}" for j in range(6)), *(f"of thread {k}" for k in range(THREADS))]
    )


class SlowNumber:
    """A number whose conversion lets other threads run."""

    def __init__(self, value):
        self.value = value

    def __float__(self):
        time.sleep(0.0005)
        return self.value


def test_threads_that_teach_one_model_read_each_example_whole():
    model = Perceptron()

    def learned(k):
        for i in range(10):
            model.learn_one({f"{part} {i} of thread {k}": SlowNumber(1.0) for part in "abc"}, i % 2)

    at_once(learned)
    assert model.n_features_in_ == THREADS * 10 * 3
    weights = dict(zip(model.feature_names_in_, model.coef_[0], strict=True))
    for name, weight in weights.items():
        assert weight == weights["a" + name[1:]]


def test_rows_of_any_length_are_learned_by_threads_at_once():
    model = Perceptron()

    def learned(k):
        for i in range(10):
            model.learn_one([SlowNumber(1.0)] * (1 + 100 * k), i % 2)

    at_once(learned)
    assert model.n_features_in_ == 1 + 100 * (THREADS - 1)
    assert model.n_samples_seen_ == THREADS * 10


def test_threads_that_begin_a_model_together_lose_no_example():
    for _ in range(50):
        model = Perceptron()
        at_once(lambda k, model=model: model.learn_one({f"of thread {k}": 1.0}, k % 2))
        assert model.n_samples_seen_ == THREADS
        assert model.n_features_in_ == THREADS


@pytest.mark.parametrize("algorithm", [Perceptron, AveragedPerceptron])
def test_attributes_can_be_read_while_other_threads_teach(algorithm):
    model = algorithm().learn_one([1.0, 0.0], 0)

    def used(k):
        for i in range(300):
            if k % 2:
                model.learn_one([float(i % 7), float(k)], i % 3)
            else:
                assert model.coef_.shape[1] == 2
                assert model.n_samples_seen_ <= 1 + THREADS // 2 * 300

    at_once(used)
    assert model.n_samples_seen_ == 1 + THREADS // 2 * 300


def test_a_value_that_calls_the_model_that_reads_it_is_refused():
    model = Perceptron().learn_one({"a": 1.0}, 0)

    class Caller(SlowNumber):
        def __float__(self):
            model.learn_one({"b": 1.0}, 1)
            return self.value

    with pytest.raises(ValueError, match="finite number"):
        model.learn_one({"a": Caller(1.0)}, 1)
    assert model.learn_one({"a": 1.0}, 1).n_samples_seen_ == 2


@pytest.mark.skipif(not hasattr(sys, "_is_gil_enabled"), reason="a Python before 3.13 always has the interpreter lock")
def test_the_package_leaves_the_interpreter_lock_as_it_is():
    assert sys._is_gil_enabled() == (not sysconfig.get_config_var("Py_GIL_DISABLED"))
