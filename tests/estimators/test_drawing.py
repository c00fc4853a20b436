"""order="misclassified": every step draws from the examples that are wrong under the weights of that moment (L2)."""

import hypothesis.strategies as st
import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import given

from rosenblatt import KernelPerceptron, Perceptron, textbook
from rosenblatt.conventions import is_mistake, sampler
from tests.estimators.test_oracle import fit, labelled
from tests.storages import STORAGES

pytestmark = pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")


@pytest.mark.parametrize("estimator", [Perceptron, KernelPerceptron])
@given(data=labelled(max_features=4), seed=st.integers(0, 2**40), max_steps=st.integers(1, 50))
def test_every_step_is_drawn_from_the_examples_misclassified_at_that_moment(estimator, data, seed, max_steps):
    X, y = data
    kernel = {"kernel": "linear"} if estimator is KernelPerceptron else {}
    drawn = {"order": "misclassified", "random_state": seed, "max_steps": max_steps, "record": True}
    trace = estimator(**drawn, **kernel).fit(X, y).trace_
    space, n = np.column_stack([np.ones(len(X)), X]), len(y)
    w = np.zeros(space.shape[1])
    for k, (_, i) in enumerate(trace.updates.tolist()):
        if k % n == 0:
            below = sampler(seed, k // n)
        M = [j for j in range(n) if is_mistake(float(w @ space[j]), y[j], "mistake")]
        assert i == M[below(len(M))]
        w = w + y[i] * space[i]
    assert len(trace) == trace.n_updates


def test_a_run_ends_with_the_step_after_which_no_example_is_misclassified():
    X, y = [[2.0], [1.0], [-1.0], [-2.0]], [1, 1, -1, -1]
    parameters = {"order": "misclassified", "fit_intercept": False}
    estimator = fit(X, y, **parameters)
    assert (estimator.status_, estimator.n_samples_seen_, estimator.n_mistakes_, estimator.n_iter_) == (
        "separated",
        1,
        1,
        1,
    )
    assert estimator.history_["error_rate"].tolist() == [0.0]
    again = fit(X, y, start=estimator.coef_[0], **parameters)
    assert (again.status_, again.n_samples_seen_, again.n_iter_) == ("separated", 0, 1)


def test_a_run_ends_as_soon_as_the_share_of_errors_is_at_most_max_error():
    rng = np.random.default_rng(0)
    X = rng.integers(-9, 10, (60, 3)).astype(float)
    y = np.where(X[:, 0] + (rng.random(60) < 0.1) * 9 > 2, 1, -1)
    for estimator in (Perceptron, KernelPerceptron):
        kernel = {"kernel": "linear"} if estimator is KernelPerceptron else {}
        found = estimator(order="misclassified", max_error=0.3, record=True, **kernel).fit(X, y)
        rates = [np.mean(found.trace_.recording.errors(found.trace_.recording.scores(found.trace_.weights_at(k))))
                 for k in range(len(found.trace_) + 1)]  # fmt: skip
        assert found.status_ == "error_reached"
        assert rates[-1] <= 0.3 < min(rates[:-1])


def hard_sets():
    """Integers, where scores are kept by rows of the Gram matrix; tenths, where they are computed anew."""
    rng = np.random.default_rng(5)
    X, y = rng.integers(-3, 4, (80, 3)).astype(float), rng.integers(0, 3, 80)
    return {"integers": (X, y), "tenths": (X * 0.1, y), "large": (X * 2.0**22 + 1, y)}


@pytest.mark.parametrize("form", [np.asarray, sp.csr_matrix])
@pytest.mark.parametrize(
    ("multi_class", "rivals"), [("ova", "best"), ("ovo", "best"), ("joint", "best"), ("joint", "all")]
)
@pytest.mark.parametrize("name", hard_sets())
def test_rows_of_the_gram_matrix_never_change_the_updates(monkeypatch, name, multi_class, rivals, form):
    X, y = hard_sets()[name]
    chosen = {"multi_class": multi_class, "rivals": rivals}
    parameters = {"order": "misclassified", "max_iter": 40, "record": True, **chosen}
    found = fit(form(X), y, **parameters)
    monkeypatch.setenv("ROSENBLATT_GRAM", "never")
    anew = fit(form(X), y, **parameters)
    assert found.statuses_ == anew.statuses_
    assert found.history_.tolist() == anew.history_.tolist()
    np.testing.assert_array_equal(found.coef_, anew.coef_)
    traces = [[f.trace_] if multi_class == "joint" else f.trace_ for f in (found, anew)]
    for ours, theirs in zip(*traces, strict=True):
        np.testing.assert_array_equal(ours.updates, theirs.updates)


@pytest.mark.parametrize("storage", STORAGES)
def test_a_part_of_the_examples_makes_the_textbooks_updates(storage):
    rng = np.random.default_rng(2)
    X, y = rng.integers(-5, 6, (200, 20)).astype(float), np.where(rng.random(200) < 0.5, -1, 1)
    weight = rng.integers(0, 3, 200).astype(float)
    parameters = {"order": "misclassified", "max_steps": 300, "sample_weight": weight}
    run = textbook.run(textbook.online(X, y, **parameters))
    estimator = fit(STORAGES[storage](X), y, **parameters)
    np.testing.assert_array_equal([*estimator.intercept_, *estimator.coef_[0]], run.w)


def test_a_batch_is_one_epoch_of_drawn_steps():
    X, y = np.array([[1.0, 2], [2, 1], [-1, -2], [3, -1]]), np.array([0, 1, 0, 1])
    whole = fit(X, y, order="misclassified", max_iter=1)
    part = Perceptron(order="misclassified").partial_fit(X, y, classes=[0, 1])
    np.testing.assert_array_equal(part.coef_, whole.coef_)
