"""Which accelerator a fit chooses by itself, seen through `accelerators_`; the path is that of a fit without any."""

import numpy as np
import pytest
from sklearn.datasets import load_breast_cancer

from rosenblatt import KernelPerceptron, Perceptron
from rosenblatt.core import instruction_set
from tests.core.paths import assert_same_path
from tests.core.test_branchless import table

pytestmark = pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")

WIDE_REGISTERS = instruction_set() != "baseline"


def separable(n, d, gap):
    rng = np.random.default_rng(0)
    X = rng.standard_normal((n, d))
    y = X[:, 0] > 0
    X[:, 0] += np.where(y, gap, -gap)
    return X, y


def assert_chosen(monkeypatch, name, estimator, X, y):
    chosen = estimator().fit(X, y)
    monkeypatch.setenv("ROSENBLATT_ACCELERATOR", "none")
    plain = estimator().fit(X, y)
    assert_same_path(plain, chosen)
    assert plain.accelerators_ == [{} for _ in plain.statuses_]
    for uses in chosen.accelerators_:
        assert 0 < uses.get(name, 0) <= chosen.n_iter_
    return chosen


def test_few_examples_and_many_epochs_choose_gram(monkeypatch):
    X, y = separable(100, 30, 0.0)
    X[:, 0] = np.where(y, 0.02, -0.02)
    for order in ("cyclic", "shuffle"):
        monkeypatch.delenv("ROSENBLATT_ACCELERATOR", raising=False)
        found = assert_chosen(monkeypatch, "gram", lambda order=order: Perceptron(order=order), X, y)
        assert found.n_iter_ > 200


@pytest.mark.parametrize("order", ["cyclic", "shuffle"])
def test_long_rows_and_few_mistakes_choose_quantized(monkeypatch, order):
    X, y = separable(18_000, 300, 0.3)
    assert_chosen(monkeypatch, "quantized", lambda: Perceptron(order=order, max_iter=30), X, y)


def clusters(n, classes, apart):
    rng = np.random.default_rng(1)
    y = rng.integers(0, classes, n)
    return rng.standard_normal((n, 400)) + apart * rng.standard_normal((classes, 400))[y], y


def test_three_classes_choose_quantized_for_each_problem(monkeypatch):
    found = assert_chosen(monkeypatch, "quantized", lambda: Perceptron(max_iter=30), *clusters(12_000, 3, 0.15))
    assert len(found.accelerators_) == 3


@pytest.mark.skipif(not WIDE_REGISTERS, reason="the pass in single precision needs registers of eight floats or more")
@pytest.mark.parametrize("order", ["cyclic", "shuffle"])
def test_several_classes_choose_single_precision_for_each_problem(monkeypatch, order):
    found = assert_chosen(
        monkeypatch, "float32", lambda: Perceptron(order=order, max_iter=4), *clusters(4000, 10, 0.25)
    )
    assert len(found.accelerators_) == 10


def test_few_classes_and_short_rows_do_not_choose_single_precision():
    X, y = clusters(4000, 10, 0.25)
    for columns, labels in ((X[:, :20], y), (X, y % 3)):
        found = Perceptron(max_iter=3).fit(columns, labels)
        assert not any("float32" in uses for uses in found.accelerators_)


def rare_flags(n, d, classes):
    """Columns whose few large values make the bytes of all others coarse."""
    rng = np.random.default_rng(2)
    y = rng.integers(0, classes, n)
    X = rng.standard_normal((n, d)) + 0.6 * rng.standard_normal((classes, d))[y]
    X[np.arange(n), rng.integers(0, d, n)] *= 200
    return X, y


@pytest.mark.parametrize(
    ("data", "epochs"),
    [
        (separable(18_000, 300, 0.3), 3),  # too few epochs to pay for the copy
        (separable(18_000, 300, 3.0), None),  # too few mistakes: the run soon ends
        (separable(18_000, 24, 0.3), 30),  # short rows in file order
        (rare_flags(4000, 400, 10), 30),  # too many undecided
    ],
    ids=["few epochs", "soon separated", "short rows", "undecided"],
)
def test_quantized_rows_are_not_chosen_where_they_would_lose(data, epochs):
    X, y = data
    found = Perceptron(order="cyclic", max_iter=epochs).fit(X, y)
    assert not any("quantized" in uses for uses in found.accelerators_)


@pytest.mark.skipif(not WIDE_REGISTERS, reason="the branchless pass needs registers of four doubles or more")
def test_noisy_short_rows_choose_branchless(monkeypatch):
    X, y = table(1, 20_000, 24, 24, "float64")
    assert_chosen(monkeypatch, "branchless", lambda: Perceptron(order="cyclic", max_iter=4), X, y)


@pytest.mark.parametrize("order", ["cyclic", "shuffle"])
def test_rare_mistakes_leave_the_branchless_pass_after_the_first_epochs(order):
    X, y = load_breast_cancer(return_X_y=True)
    found = Perceptron(order=order, max_iter=400).fit((X - X.mean(axis=0)) / X.std(axis=0), y)
    assert found.n_mistakes_ < 0.05 * found.n_samples_seen_
    assert found.accelerators_[0].get("branchless", 0) < 0.1 * found.n_iter_


@pytest.mark.skipif(not WIDE_REGISTERS, reason="the branchless pass needs registers of four doubles or more")
def test_noisy_shuffled_flags_beyond_the_cache_choose_flags(monkeypatch):
    X, y = table(1, 90_000, 48, 2, "float64")
    assert_chosen(monkeypatch, "flags", lambda: Perceptron(max_iter=6), X, y)


@pytest.mark.parametrize("order", ["cyclic", "shuffle"])
def test_short_noisy_epochs_choose_nothing_that_copies_the_rows(order):
    X, y = table(3, 3000, 24, 24, "float64")
    found = Perceptron(order=order, max_iter=5).fit(X, y)
    assert not {"quantized", "flags", "gram"} & found.accelerators_[0].keys()


def test_an_unknown_accelerator_is_refused_with_those_that_exist(monkeypatch):
    monkeypatch.setenv("ROSENBLATT_ACCELERATOR", "turbo")
    with pytest.raises(ValueError, match="'turbo'; it must be one of auto, none, gram, float32, quantized"):
        Perceptron().fit([[0.0], [1.0]], [0, 1])


def test_a_kernel_perceptron_reports_none():
    assert KernelPerceptron().fit([[0.0], [1.0]], [0, 1]).accelerators_ == [{}]
