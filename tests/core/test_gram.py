"""The accelerator "gram" keeps scores by the rows of a Gram matrix; the path is unchanged."""

import warnings

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rosenblatt import AveragedPerceptron, BatchPerceptron, Perceptron, PocketPerceptron
from tests.core.paths import assert_same_path

pytestmark = pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")

KINDS = ("gaussian", "integers", "decimals", "near duplicates", "cancelling", "outlier", "scales", "zeros")


def data(seed: int, kind: str, n: int, d: int, classes: int = 2) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(seed)
    X = rng.standard_normal((n, d))
    y = rng.integers(0, classes, n)
    y[:classes] = np.arange(classes)
    X += rng.standard_normal((classes, d))[y] * rng.choice([0.0, 0.3, 1.0])
    if kind == "integers":
        X = np.round(2 * X)
    elif kind == "decimals":  # ties in exact arithmetic, which rounding breaks one way or the other
        X = np.round(2 * X) / 10
    elif kind == "near duplicates":
        X[1::2] = X[: n // 2 * 2 : 2] * (1 + 1e-15 * rng.integers(-4, 5, (n // 2, 1)))
    elif kind == "cancelling":  # large values that cancel, and a small rest that decides
        X[:, : d // 2] = 1e8 * np.round(X[:, : d // 2])
        X[:, d - d // 2 :] = -X[:, : d // 2] * (1 + 1e-14 * rng.integers(-9, 10, (n, d // 2)))
    elif kind == "outlier":
        X[rng.integers(n), rng.integers(d)] = 1e12
    elif kind == "scales":
        X *= 10.0 ** rng.integers(-6, 7, d)
    elif kind == "zeros":
        X[rng.random(X.shape) < 0.8] = 0
    return X, y


def outcomes(estimator, X, y, **fit):
    """The fits without and with kept scores, or the messages of their errors."""
    found = []
    with pytest.MonkeyPatch.context() as patch, warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for choice in ("none", "gram"):
            patch.setenv("ROSENBLATT_ACCELERATOR", choice)
            try:
                found.append(estimator().fit(X, y, **fit))
            except ValueError as error:
                found.append(str(error))
    return found


def assert_same_ending(plain, kept) -> None:
    """The same path, or the same error."""
    if isinstance(plain, str):
        assert plain == kept
    else:
        assert_same_path(plain, kept)


@settings(max_examples=200, deadline=None)
@given(
    seed=st.integers(0, 2**32 - 1),
    kind=st.sampled_from(KINDS),
    n=st.integers(2, 150),
    d=st.integers(1, 40),
    dtype=st.sampled_from(["float64", "float32"]),
    order=st.sampled_from(["cyclic", "shuffle"]),
    tie=st.sampled_from(["mistake", "positive", "negative"]),
    fit_intercept=st.booleans(),
    rule=st.sampled_from([{}, {}, {"margin": 0.7}, {"step": "pa"}, {"step": "pa1"}, {"step": "pa2"}]),
    limit=st.sampled_from([{}, {}, {"max_updates": 40}, {"max_steps": 333}, {"patience": 50}, {"max_error": 0.1}]),
    eta0=st.sampled_from([1.0, 0.1, 1e-3]),
    init=st.sampled_from(["zeros", "random"]),
    weighted=st.booleans(),
)
def test_the_path_is_the_same_with_kept_scores(
    seed, kind, n, d, dtype, order, tie, fit_intercept, rule, limit, eta0, init, weighted
):
    X, y = data(seed, kind, n, d)
    weight = np.random.default_rng(seed).uniform(0.5, 2, n) if weighted else None

    def estimator():
        return Perceptron(
            order=order,
            tie=tie,
            fit_intercept=fit_intercept,
            eta0=eta0,
            init=init,
            max_iter=60,
            random_state=seed % 7,
            **rule,
            **limit,
        )

    assert_same_ending(*outcomes(estimator, X.astype(dtype), y, sample_weight=weight))


@settings(max_examples=150, deadline=None)
@given(
    seed=st.integers(0, 2**32 - 1),
    kind=st.sampled_from(KINDS),
    power=st.integers(-323, 308),
    eta_power=st.sampled_from([0, 0, -300, -150, -20, 20, 150, 300]),
    order=st.sampled_from(["cyclic", "shuffle"]),
    fit_intercept=st.booleans(),
    rule=st.sampled_from([{}, {"margin": 1e-200}, {"step": "pa"}]),
    init=st.sampled_from(["zeros", "random"]),
)
def test_values_of_any_size_end_alike(seed, kind, power, eta_power, order, fit_intercept, rule, init):
    X, y = data(seed, kind, 30, 7)
    with np.errstate(over="ignore", under="ignore"):
        X = X * 10.0**power
    X = np.where(np.isfinite(X), X, np.sign(X) * np.finfo(float).max)

    def estimator():
        return Perceptron(
            order=order,
            fit_intercept=fit_intercept,
            init=init,
            eta0=10.0**eta_power,
            max_iter=40,
            random_state=1,
            **rule,
        )

    assert_same_ending(*outcomes(estimator, X, y))


@pytest.mark.parametrize("order", ["cyclic", "shuffle"])
@pytest.mark.parametrize("kind", KINDS)
def test_scores_that_are_kept_for_long_are_computed_anew(kind, order):
    # Tens of thousands of updates, at which the scores are computed anew every few thousand.
    X, y = data(2, kind, 100, 20)
    plain, kept = outcomes(lambda: Perceptron(order=order, max_iter=800, random_state=3), X, y)
    assert_same_ending(plain, kept)


@pytest.mark.parametrize(
    "estimator",
    [
        lambda: AveragedPerceptron(max_iter=30),
        lambda: PocketPerceptron(max_iter=30),
        lambda: PocketPerceptron(max_iter=30, ratchet=True),
        lambda: BatchPerceptron(max_iter=30),
        lambda: Perceptron(max_iter=30, early_stopping=True),
        lambda: Perceptron(max_iter=30, order="misclassified"),
        lambda: Perceptron(max_iter=30, class_weight="balanced"),
        lambda: Perceptron(multi_class="ovo", max_iter=30),
        lambda: Perceptron(n_jobs=2, max_iter=30),
    ],
)
@pytest.mark.parametrize("classes", [2, 4])
@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.usefixtures("threads_for_little")
def test_every_kind_of_run_ends_alike(estimator, classes, weighted):
    X, y = data(3, "decimals", 120, 33, classes)
    weight = np.random.default_rng(4).uniform(0.5, 2, len(y)) if weighted else None
    plain, kept = outcomes(estimator, X, y, sample_weight=weight)
    assert_same_ending(plain, kept)


def test_a_recorded_trace_is_the_same_with_kept_scores():
    X, y = data(5, "decimals", 120, 10)
    plain, kept = outcomes(lambda: Perceptron(max_iter=50, record=True), X, y)
    np.testing.assert_array_equal(plain.trace_.updates, kept.trace_.updates)
    assert_same_ending(plain, kept)
