"""The accelerator "speculative": a second thread proves examples correct ahead of the pass, on the same path."""

import os
import warnings

import numpy as np
import pytest

from rosenblatt import AveragedPerceptron, BatchPerceptron, Perceptron, PocketPerceptron
from tests.core.paths import assert_same_path
from tests.core.test_accelerators import separable
from tests.core.test_quantized import KINDS, data
from tests.storages import STORAGES

pytestmark = [
    pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning"),
    pytest.mark.usefixtures("threads_for_little"),
]

CASES = 5_000 if os.environ.get("ROSENBLATT_EXHAUSTIVE") else 120


def assert_same_on_two_threads(patch: pytest.MonkeyPatch, estimator, X, y, **fit) -> None:
    found = []
    for choice, threads in (("none", 1), ("speculative", 2)):
        patch.setenv("ROSENBLATT_ACCELERATOR", choice)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            found.append(estimator(n_jobs=threads).fit(X, y, **fit))
    assert_same_path(*found)
    # An epoch that a limit cuts off does not count.
    assert found[1].accelerators_[0].get("speculative", 0) >= found[1].n_iter_ - 1


@pytest.mark.parametrize("seed", range(CASES))
def test_two_threads_take_the_path_of_one(monkeypatch, seed):
    rng = np.random.default_rng(seed)
    X, y = data(seed, KINDS[seed % len(KINDS)], int(rng.integers(30, 1500)), int(rng.integers(2, 90)), 2, "float64")
    weight = rng.uniform(0.0, 2, len(y)) if rng.random() < 0.3 else None
    settings = {
        "order": rng.choice(["cyclic", "shuffle"]),
        "tie": rng.choice(["mistake", "positive", "negative"]),
        "fit_intercept": bool(rng.random() < 0.8),
        "init": rng.choice(["zeros", "random"]),
        "random_state": seed,
        "max_iter": 6,
    }
    settings |= [{}, {"margin": 0.7}, {"step": "pa1"}, {"max_updates": 100}][rng.integers(4)]
    storage = list(STORAGES.values())[rng.integers(len(STORAGES))]
    if settings.get("step") == "pa1":
        storage = STORAGES["dense32"]
    assert_same_on_two_threads(
        monkeypatch, lambda **jobs: Perceptron(**settings, **jobs), storage(X), y, sample_weight=weight
    )


@pytest.mark.parametrize(
    "estimator",
    [
        lambda **jobs: AveragedPerceptron(max_iter=6, **jobs),
        lambda **jobs: PocketPerceptron(max_iter=6, ratchet=True, **jobs),
        lambda **jobs: PocketPerceptron(max_iter=6, **jobs),
        lambda **jobs: BatchPerceptron(max_iter=6, **jobs),
        lambda **jobs: Perceptron(max_iter=6, early_stopping=True, **jobs),
        lambda **jobs: Perceptron(max_iter=3, record=True, **jobs),
    ],
)
def test_every_kind_of_run_may_use_two_threads(monkeypatch, estimator):
    X, y = separable(3000, 60, 0.05)
    assert_same_on_two_threads(monkeypatch, estimator, X, y)


def test_few_mistakes_on_long_rows_choose_the_second_thread(monkeypatch):
    X, y = separable(30_000, 200, 0.3)
    monkeypatch.delenv("ROSENBLATT_ACCELERATOR", raising=False)
    settings = {"order": "cyclic", "max_iter": 4}
    assert "speculative" in Perceptron(**settings, n_jobs=2).fit(X, y).accelerators_[0]
    assert "speculative" not in Perceptron(**settings).fit(X, y).accelerators_[0]


@pytest.mark.parametrize(
    ("X", "y"),
    [
        separable(200_000, 24, 0.3),  # short rows
        separable(1_000, 200, 0.3),  # short epochs
        (separable(30_000, 200, 0.3)[0], np.random.default_rng(0).integers(0, 2, 30_000)),  # many mistakes
    ],
    ids=["short rows", "short epochs", "many mistakes"],
)
def test_the_second_thread_is_not_chosen_where_it_would_not_pay(monkeypatch, X, y):
    monkeypatch.delenv("ROSENBLATT_ACCELERATOR", raising=False)
    found = Perceptron(order="cyclic", max_iter=4, n_jobs=2).fit(X, y)
    assert "speculative" not in found.accelerators_[0]
