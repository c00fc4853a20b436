"""The accelerators "branchless" and "flags" leave the path unchanged."""

import warnings

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rosenblatt import AveragedPerceptron, Perceptron
from tests.core.paths import assert_same_path

pytestmark = pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")

CHOICES = ("none", "branchless", "flags")


def fits(estimator, X, y, **fit):
    found = []
    for choice in CHOICES:
        with pytest.MonkeyPatch.context() as patch, warnings.catch_warnings():
            warnings.simplefilter("ignore")
            patch.setenv("ROSENBLATT_ACCELERATOR", choice)
            found.append(estimator().fit(X, y, **fit))
    return found


def table(seed: int, n: int, d: int, numbers: int, dtype: str) -> tuple[np.ndarray, np.ndarray]:
    """Some columns of numbers, anywhere, and flags of any two values; a third of the labels are noise."""
    rng = np.random.default_rng(seed)
    low, high = np.round(rng.standard_normal((2, d)), 1)
    X = np.where(rng.random((n, d)) < rng.choice([0.02, 0.5], d), high, low)
    free = rng.choice(d, min(numbers, d), replace=False)
    X[:, free] = rng.standard_normal((n, len(free)))
    X[:, rng.integers(d)] = rng.choice([0.0, -0.0], n)  # two values, though they are equal
    y = (X @ rng.standard_normal(d) > 0) ^ (rng.random(n) < 0.3)
    y[:2] = 0, 1
    return X.astype(dtype), y.astype(int)


@settings(max_examples=150, deadline=None)
@given(
    seed=st.integers(0, 2**32 - 1),
    n=st.integers(2, 150),
    d=st.integers(14, 70),
    numbers=st.sampled_from([0, 1, 9, 70]),
    dtype=st.sampled_from(["float64", "float32"]),
    order=st.sampled_from(["cyclic", "shuffle"]),
    tie=st.sampled_from(["mistake", "positive", "negative"]),
    fit_intercept=st.booleans(),
    eta0=st.sampled_from([1.0, 0.1, 1e-300]),
    margin=st.sampled_from([0.0, 0.0, 0.5]),
    limit=st.sampled_from([{}, {"max_updates": 1}, {"max_updates": 40}, {"max_steps": 333}, {"patience": 50}]),
    start=st.sampled_from([None, 0.0, -0.0, 0.3]),
    kind=st.sampled_from([Perceptron, AveragedPerceptron]),
)
def test_the_path_is_the_same(seed, n, d, numbers, dtype, order, tie, fit_intercept, eta0, margin, limit, start, kind):
    X, y = table(seed, n, d, numbers, dtype)
    rules = {"order": order, "tie": tie, "fit_intercept": fit_intercept, "eta0": eta0, "margin": margin, **limit}

    def estimator():
        return kind(**rules, max_iter=6, random_state=seed % 7)

    plain, *others = fits(estimator, X, y, **({} if start is None else {"coef_init": np.full(d, start)}))
    for other in others:
        assert_same_path(plain, other)
        if kind is AveragedPerceptron:
            assert plain.last_coef_.tobytes() == other.last_coef_.tobytes()
            assert plain.last_intercept_.tobytes() == other.last_intercept_.tobytes()


@pytest.mark.parametrize("dtype", ["float64", "float32"])
@pytest.mark.parametrize("late", [[], [1.5], [1.5, 2.5]])
def test_values_that_the_sample_does_not_have(dtype, late):
    # The sample sees every fourth row only: column 20 looks constant, has two values, or one too many for a bit.
    X, y = table(0, 4096, 40, 3, dtype)
    X[:, 20] = 0.5
    for row, value in zip((3001, 3003), late, strict=False):
        X[row, 20] = value
    plain, branchless, flags = fits(lambda: Perceptron(max_iter=5), X, y)
    assert_same_path(plain, branchless)
    assert_same_path(plain, flags)


def test_zeros_of_both_signs_are_two_values():
    # Only examples with -0 in column 5 are mistaken, in four epochs: its weight stays -0.
    X = np.zeros((2, 16))
    X[1, 0], X[1, 5] = 1, -0.0
    start = np.array([-3.5, *[-0.0] * 15])
    rules = {"fit_intercept": False, "tie": "negative", "order": "cyclic"}
    plain, *others = fits(lambda: Perceptron(**rules), X, [0, 1], coef_init=start)
    assert plain.n_mistakes_ == 4
    assert np.signbit(plain.coef_[0, 5])
    for other in others:
        assert_same_path(plain, other)


@pytest.mark.parametrize("parameters", [{"multi_class": "ovo"}, {"early_stopping": True}, {"order": "misclassified"}])
def test_some_of_the_rows_of_a_wider_table(parameters):
    X, y = table(4, 300, 60, 5, "float64")
    y += X[:, 0] > np.median(X[:, 0])
    plain, *others = fits(lambda: Perceptron(max_iter=6, **parameters), X[:, 3:40], y)
    for other in others:
        assert_same_path(plain, other)


@pytest.mark.parametrize("scale", [1e150, 1e300])
def test_weights_that_overflow_end_alike(scale):
    X, y = table(2, 60, 20, 20, "float64")
    outcomes = []
    for choice in CHOICES:
        with pytest.MonkeyPatch.context() as patch:
            patch.setenv("ROSENBLATT_ACCELERATOR", choice)
            try:
                outcomes.append(Perceptron(max_iter=5).fit(X * scale, y).coef_.tobytes())
            except ValueError as error:
                outcomes.append(str(error))
    assert len(set(outcomes)) == 1
