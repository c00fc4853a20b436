"""The accelerator "quantized" proves most examples correct from one byte a feature: the path is unchanged."""

import subprocess
import sys
import warnings
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rosenblatt import AveragedPerceptron, BatchPerceptron, Perceptron, PocketPerceptron
from rosenblatt.core import Rows, SharedCopies
from tests.core.paths import assert_same_path
from tests.core.test_rows import run as online_run

pytestmark = pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")

KINDS = ("gaussian", "integers", "flags", "zeros", "constant", "outlier", "tiny", "huge", "scales", "wiggles")


def data(seed: int, kind: str, n: int, d: int, classes: int, dtype: str) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(seed)
    X = rng.standard_normal((n, d))
    y = rng.integers(0, classes, n)
    y[:classes] = np.arange(classes)
    X += rng.standard_normal((classes, d))[y] * rng.choice([0.0, 0.3, 1.0])
    if kind == "integers":
        X = np.round(3 * X)
    elif kind == "flags":
        X = (X > 1).astype(float)
    elif kind == "zeros":
        X[rng.random(X.shape) < 0.8] = 0
    elif kind == "constant":
        X[:, ::2] = 7.25
    elif kind == "outlier":
        X[rng.integers(n), rng.integers(d)] = 1e12
    elif kind == "tiny":
        X *= 1e-30
    elif kind == "huge":
        X *= 1e30
    elif kind == "wiggles":  # one code for all but two values: the residual decides
        X = rng.integers(-1, 2, (n, d)) * rng.choice([0, 1], (n, 1)) + rng.choice([-0.45, 0.45], (n, 1))
        X *= 2 / 254 / 256
        X[0], X[1] = 1, -1
    elif kind == "scales":
        X *= 10.0 ** rng.integers(-6, 7, d)
    return X.astype(dtype), y


#: The arguments of `run_of`.
RUNS = {
    "seed": st.integers(0, 2**32 - 1),
    "kind": st.sampled_from(KINDS),
    "n": st.integers(12, 60),
    "d": st.integers(16, 70),
    "classes": st.sampled_from([2, 2, 3, 9, 11]),
    "dtype": st.sampled_from(["float64", "float32"]),
    "order": st.sampled_from(["cyclic", "shuffle"]),
    "tie": st.sampled_from(["mistake", "positive", "negative"]),
    "fit_intercept": st.booleans(),
    "rule": st.sampled_from([{}, {"margin": 0.7}, {"step": "pa1"}]),
    "init": st.sampled_from(["zeros", "random"]),
    "weighted": st.booleans(),
}


def run_of(seed, kind, n, d, classes, dtype, weighted, rule, **choices):
    """An estimator, its examples and their weights."""
    X, y = data(seed, kind, n, d, classes, dtype)
    weight = np.random.default_rng(seed).uniform(0.5, 2, n) if weighted else None
    return lambda: Perceptron(max_iter=8, random_state=seed % 7, **choices, **rule), X, y, weight


def fits(monkeypatch: pytest.MonkeyPatch, estimator, X, y, **fit):
    found = []
    for choice in ("none", "quantized"):
        monkeypatch.setenv("ROSENBLATT_ACCELERATOR", choice)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            found.append(estimator().fit(X, y, **fit))
    return found


def test_equal_weights_of_many_features_stay_within_the_integers(monkeypatch):
    # In the second epoch all weights double, which brings each to half a unit more than an integer; rounded up and
    # times a code of 254, 104,614 of them must fit into 31 bits. Else the last example, a mistake, looks right.
    X = np.ones((4, 104_614), dtype=np.float32)
    X[2] = -1
    y = np.array([1, 1, 0, 0])
    plain, quantized = fits(monkeypatch, lambda: Perceptron(order="cyclic", max_iter=2, margin=150_000), X, y)
    assert plain.n_mistakes_ == 3 + 2
    assert_same_path(plain, quantized)


@settings(max_examples=150, deadline=None)
@given(**RUNS)
def test_the_path_is_the_same_with_quantized_rows(**drawn):
    estimator, X, y, weight = run_of(**drawn)
    with pytest.MonkeyPatch.context() as patch:
        assert_same_path(*fits(patch, estimator, X, y, sample_weight=weight))


@pytest.mark.parametrize(
    "estimator",
    [
        lambda: AveragedPerceptron(max_iter=6),
        lambda: PocketPerceptron(max_iter=6, ratchet=True),
        lambda: BatchPerceptron(max_iter=6),
        lambda: Perceptron(max_iter=6, early_stopping=True),
        lambda: Perceptron(max_updates=40),
        lambda: Perceptron(max_steps=333),
        lambda: Perceptron(patience=50, max_iter=9),
        lambda: Perceptron(multi_class="ovo", max_iter=6),
        lambda: Perceptron(n_jobs=2, max_iter=6),
    ],
)
@pytest.mark.parametrize("classes", [2, 4])
@pytest.mark.usefixtures("threads_for_little")
def test_every_kind_of_run_takes_the_same_path(monkeypatch, estimator, classes):
    X, y = data(3, "gaussian", 120, 33, classes, "float64")
    plain, quantized = fits(monkeypatch, estimator, X, y)
    np.testing.assert_array_equal(plain.coef_, quantized.coef_)
    np.testing.assert_array_equal(plain.intercept_, quantized.intercept_)
    assert plain.statuses_ == quantized.statuses_
    assert plain.n_mistakes_ == quantized.n_mistakes_


@pytest.mark.parametrize("d", [16, 17, 23, 24, 31])
@pytest.mark.parametrize("order", ["cyclic", "shuffle"])
def test_examples_close_to_a_plane_that_hardly_moves(monkeypatch, d, order):
    # The bound is small here, so the result depends on the stored projection of the residual.
    rng = np.random.default_rng(d)
    X, plane = rng.standard_normal((4000, d)), rng.standard_normal(d)
    y = (X @ (plane + 0.02 * rng.standard_normal(d)) > 0).astype(int)

    def fit(choice):
        monkeypatch.setenv("ROSENBLATT_ACCELERATOR", choice)
        return Perceptron(max_iter=30, order=order).fit(X, y, coef_init=200 * plane)

    plain = fit("none")
    assert plain.n_mistakes_ > 50
    for choice in ("quantized", "quantized-without-reference"):
        assert_same_path(plain, fit(choice))


@pytest.mark.parametrize("multi_class", ["ova", "ovo"])
@pytest.mark.parametrize("order", ["cyclic", "shuffle"])
@pytest.mark.usefixtures("threads_for_little")
def test_runs_that_share_quantized_rows_write_them_together(monkeypatch, multi_class, order):
    # Four parts to write, and four threads that take them and wait for each other.
    X, y = data(9, "gaussian", 4000, 1000, 5, "float32")
    plain, shared = fits(
        monkeypatch, lambda: Perceptron(multi_class=multi_class, order=order, max_iter=4, n_jobs=4), X, y
    )
    assert_same_path(plain, shared)


def test_an_abandoned_run_does_not_block_those_that_share_its_rows(monkeypatch):
    monkeypatch.setenv("ROSENBLATT_ACCELERATOR", "quantized")
    X, y = data(9, "gaussian", 4000, 1000, 5, "float32")
    rows, labels, share = Rows.dense(X), y.astype(np.int32), SharedCopies(len(y))

    def begun(positives):
        run = online_run(
            rows=rows,
            labels=labels,
            positives=positives,
            start=np.zeros((len(positives), 1000)),
            start_offsets=np.zeros(len(positives)),
        )
        run.share_copies(share)
        return run

    abandoned = begun([0, 1])
    while abandoned.epochs < 2:
        abandoned.advance(1, False)  # it has written one part of four
    del abandoned
    run = begun([2, 3, 4])
    assert run.advance(10**12, False) == "done"
    assert run.epochs > 2  # the first epoch has no quantized rows


_PAIRS = """
import warnings
import numpy as np
from benchmarks.run import peak_mb_of_this_process
from rosenblatt import Perceptron
warnings.simplefilter("ignore")
X, y = np.random.default_rng(0).standard_normal((60_000, 600), dtype=np.float32), np.arange(60_000) % 4
before = peak_mb_of_this_process()
Perceptron(multi_class="ovo", max_iter=3).fit(X, y)
print(peak_mb_of_this_process() - before)
"""


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="only Linux reports the peak of a process alone")
def test_a_run_that_has_ended_holds_no_quantized_rows(monkeypatch):
    # Six pairs of classes, and 37 to 74 MB for the copy of each: so large that freed memory returns to the system.
    monkeypatch.setenv("ROSENBLATT_ACCELERATOR", "quantized")
    root = Path(__file__).parents[2]
    output = subprocess.run([sys.executable, "-c", _PAIRS], cwd=root, capture_output=True, text=True, check=True).stdout
    assert float(output) < 150


def test_a_recorded_trace_is_the_same_with_quantized_rows(monkeypatch):
    X, y = data(5, "zeros", 200, 40, 3, "float32")
    plain, quantized = fits(monkeypatch, lambda: Perceptron(max_iter=7, record=True), X, y)
    for one, other in zip(plain.trace_, quantized.trace_, strict=True):
        np.testing.assert_array_equal(one.updates, other.updates)
    assert_same_path(plain, quantized)


@pytest.mark.parametrize("scale", [1e150, 1e-150, 1e300])
def test_values_near_the_ends_of_the_doubles_end_alike(monkeypatch, scale):
    X, y = data(1, "gaussian", 50, 20, 2, "float64")
    outcomes = []
    for choice in ("none", "quantized"):
        monkeypatch.setenv("ROSENBLATT_ACCELERATOR", choice)
        try:
            outcomes.append(Perceptron(max_iter=5).fit(X * scale, y).coef_.tobytes())
        except ValueError as error:
            outcomes.append(str(error))
    assert outcomes[0] == outcomes[1]
