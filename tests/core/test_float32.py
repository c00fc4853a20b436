"""The accelerator "float32" proves most examples correct from scores in single precision: the path is unchanged."""

import warnings

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rosenblatt import AveragedPerceptron, BatchPerceptron, Perceptron, PocketPerceptron
from rosenblatt.core import instruction_set
from tests.core.paths import assert_same_path
from tests.core.test_quantized import RUNS, data, run_of

pytestmark = [
    pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning"),
    pytest.mark.skipif(instruction_set() == "baseline", reason="the pass needs registers of eight floats or more"),
]


def assert_same_in_single_precision(patch: pytest.MonkeyPatch, estimator, X, y, **fit) -> None:
    found = []
    for choice in ("none", "float32"):
        patch.setenv("ROSENBLATT_ACCELERATOR", choice)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            found.append(estimator().fit(X, y, **fit))
    assert_same_path(*found)
    # An epoch that a limit cuts off does not count.
    assert found[1].n_iter_ == 1 or any("float32" in uses for uses in found[1].accelerators_)


RULES = [{}, {"margin": 0.7}, {"margin": 1e-60}, {"step": "pa1"}, {"eta0": 1e-40}, {"eta0": 1e40}]


@settings(max_examples=200, deadline=None)
@given(**RUNS | {"rule": st.sampled_from(RULES)})
def test_the_path_is_the_same_in_single_precision(**drawn):
    estimator, X, y, weight = run_of(**drawn)
    with pytest.MonkeyPatch.context() as patch:
        assert_same_in_single_precision(patch, estimator, X, y, sample_weight=weight)


@pytest.mark.parametrize(
    "estimator",
    [
        lambda: AveragedPerceptron(max_iter=6),
        lambda: PocketPerceptron(max_iter=6, ratchet=True),
        lambda: PocketPerceptron(max_iter=6),
        lambda: BatchPerceptron(max_iter=6),
        lambda: Perceptron(max_iter=6, early_stopping=True),
        lambda: Perceptron(max_updates=40, max_iter=60),
        lambda: Perceptron(max_steps=333),
        lambda: Perceptron(patience=50, max_iter=9),
        lambda: Perceptron(max_iter=3, record=True),
        lambda: Perceptron(n_jobs=2, max_iter=6),
    ],
)
@pytest.mark.parametrize("classes", [2, 4])
@pytest.mark.usefixtures("threads_for_little")
def test_every_kind_of_run_takes_the_same_path(monkeypatch, estimator, classes):
    X, y = data(3, "gaussian", 121, 33, classes, "float64")
    assert_same_in_single_precision(monkeypatch, estimator, X, y)


@pytest.mark.parametrize("d", [16, 17, 31, 48, 784])
def test_examples_within_the_error_of_single_precision(monkeypatch, d):
    # The scores are a few units of the last place of single precision, or exactly zero.
    rng = np.random.default_rng(d)
    plane = rng.standard_normal(d)
    X = rng.standard_normal((400, d))
    X -= np.outer(X @ plane, plane) / (plane @ plane)
    X += np.outer(rng.choice([0, 1e-9, -1e-8, 1e-7, -1e-6], len(X)), plane)
    y = rng.integers(0, 4, len(X))
    weights = np.tile(plane, (4, 1))
    assert_same_in_single_precision(
        monkeypatch, lambda: Perceptron(max_iter=4, eta0=1e-9), X, y, coef_init=weights, intercept_init=np.zeros(4)
    )
