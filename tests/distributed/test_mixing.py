"""Several shards: the mixture satisfies the theorem and reports only endings that are proved."""

from fractions import Fraction
from itertools import pairwise
from typing import Any

import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from rosenblatt import AveragedPerceptron, Perceptron, data, separability
from rosenblatt.distributed import DaskAveragedPerceptron, DaskPerceptron, DaskPocketPerceptron
from tests.distributed.inline import fit
from tests.distributed.test_one_shard import local_fit

SHARDS = st.integers(1, 5)
MIXING = st.sampled_from(["uniform", "mistakes"])


@st.composite
def separable(draw: Any) -> tuple[np.ndarray, np.ndarray]:
    """Whole numbers on both sides of a plane, none on it."""
    n, d = draw(st.integers(4, 24)), draw(st.integers(1, 4))
    X = draw(hnp.arrays(np.float64, (n, d), elements=st.integers(-6, 6)))
    w = draw(hnp.arrays(np.float64, d, elements=st.integers(-3, 3)))
    scores = 2 * (X @ w) + draw(st.sampled_from([-1, 1]))  # odd, so never zero
    return X, (scores > 0).astype(int)


@settings(max_examples=60)
@given(separable(), SHARDS, MIXING, st.sampled_from(["cyclic", "shuffle"]))
def test_the_mixed_mistakes_never_exceed_the_bound(data: Any, shards: int, mixing: str, order: str) -> None:
    X, y = data
    if len(np.unique(y)) < 2:
        return
    model = fit(DaskPerceptron(mixing=mixing, order=order, max_iter=3000), X, y, shards)
    bound = separability(X, y).mistake_bound
    assert model.n_weighted_mistakes_ <= bound * (1 + 1e-9)
    assert model.history_["weighted_mistakes"].sum() == pytest.approx(model.n_weighted_mistakes_)


@settings(max_examples=60)
@given(separable(), SHARDS, MIXING)
def test_separated_means_that_the_mixed_weights_have_every_example_right(data: Any, shards: int, mixing: str) -> None:
    X, y = data
    if len(np.unique(y)) < 2:
        return
    model = fit(DaskPerceptron(mixing=mixing, max_iter=3000), X, y, shards)
    assert model.status_ == "separated"
    assert np.all(np.where(y == 1, 1, -1) * model.decision_function(X) > 0)


@settings(max_examples=40)
@given(separable(), st.integers(2, 5), MIXING)
def test_an_epoch_is_the_mean_of_one_pass_over_each_shard(data: Any, shards: int, mixing: str) -> None:
    X, y = data
    edges = np.linspace(0, len(y), shards + 1).astype(int)
    if len(np.unique(y)) < 2:
        return
    start = {"coef_init": np.full((1, X.shape[1]), 0.5), "intercept_init": np.array([-0.25])}
    model = fit(DaskPerceptron(mixing=mixing, max_iter=1), X, y, shards, **start)
    masses, weights = [], []
    for a, b in pairwise(edges):
        if a == b:
            continue
        part = Perceptron(max_iter=1)
        part.partial_fit(X[:1], y[:1], classes=[0, 1])
        part.coef_, part.intercept_ = start["coef_init"], start["intercept_init"]
        part.n_iter_ = part.n_mistakes_ = 0
        part.partial_fit(X[a:b], y[a:b])
        masses.append(Fraction(1 if mixing == "uniform" else part.n_mistakes_))
        weights.append([Fraction(v) for v in [*part.coef_[0].tolist(), part.intercept_[0]]])
    if not any(masses) or not model.n_mistakes_:
        assert np.array_equal(model.coef_, start["coef_init"])
        return
    exact = [sum(m * w[j] for m, w in zip(masses, weights, strict=True)) / sum(masses) for j in range(X.shape[1] + 1)]
    assert [*model.coef_[0].tolist(), model.intercept_[0]] == [float(value) for value in exact]


def test_a_cycle_over_shards_is_found_where_the_order_is_fixed() -> None:
    X = np.array([[0.0, 0], [1, 1], [0, 1], [1, 0]])
    model = fit(DaskPerceptron(order="cyclic", max_iter=1000), X, np.array([0, 0, 1, 1]), 2)
    assert model.status_ == "cycled"
    assert model.cycle_ >= 1


@pytest.mark.parametrize("shards", [1, 3])
def test_limits_hold_over_all_shards_together(shards: int) -> None:
    random = np.random.default_rng(0)
    X, y = random.normal(size=(90, 4)), random.integers(0, 2, 90)
    steps = fit(DaskPerceptron(max_steps=200), X, y, shards)
    assert (steps.status_, steps.n_samples_seen_) == ("max_steps", 200)
    updates = fit(DaskPerceptron(max_updates=50), X, y, shards)
    assert updates.status_ == "max_updates"
    assert updates.n_mistakes_ >= 50
    errors = fit(DaskPerceptron(max_error=0.6), X, y, shards)
    assert errors.status_ == "error_reached"


def test_the_pocket_holds_the_best_of_all_epochs_on_all_shards() -> None:
    random = np.random.default_rng(3)
    X = random.normal(size=(300, 5))
    y = (X[:, 0] + random.normal(size=300) > 0).astype(int)
    errors = []
    watch = lambda progress: errors.append(progress.weights())  # noqa: E731
    pocket = fit(DaskPocketPerceptron(max_iter=15, callback=watch), X, y, 4)
    wrong = [int(np.sum((X @ coef[0] + offset[0] > 0) != (y == 1))) for coef, offset in errors]
    assert pocket.pocket_error_ == min(*wrong, int(np.sum(y == 1)) + int(np.sum(y == 0)))
    assert int(np.sum(pocket.predict(X) != y)) == pocket.pocket_error_


def test_empty_shards_and_shards_without_a_class_are_no_trouble() -> None:
    X = np.array([[0.0], [1.0], [4.0], [5.0]])
    y = np.array([0, 0, 1, 1])
    for shards in (2, 4, 9):
        for multi_class in ("ova", "ovo", "joint"):
            model = fit(DaskPerceptron(multi_class=multi_class), X, y, shards)
            assert model.status_ == "separated"
    three = fit(DaskPerceptron(multi_class="ovo", max_iter=200), X, np.array([0, 0, 1, 2]), 4)
    assert three.predict(X).tolist() == [0, 0, 1, 2]


def text_like() -> tuple[Any, np.ndarray, Any, np.ndarray]:
    """Documents of 40 words from a Zipf law over 5,000; some words lean to one class."""
    random = np.random.default_rng(5)
    n, d = 6000, 5000
    leaning = random.normal(size=d) * (random.random(d) < 0.3)
    words = np.minimum(random.zipf(1.3, size=(n, 40)) + random.integers(0, 400, size=(n, 40)), d) - 1
    X = sp.csr_matrix((np.ones(n * 40), words.ravel(), np.arange(0, n * 40 + 1, 40)), shape=(n, d))
    X.sum_duplicates()
    y = (X @ leaning + random.normal(size=n) > 0).astype(int)
    return X[:4000], y[:4000], X[4000:], y[4000:]


def digits(seed: int) -> tuple[Any, np.ndarray, Any, np.ndarray]:
    dataset = data.load("digits")
    order = np.random.default_rng(seed).permutation(len(dataset.y))
    X, y = dataset.X[order], dataset.y[order]
    return X[:1200], y[:1200], X[1200:], y[1200:]


def mixed_once(X: Any, y: np.ndarray, shards: int, epochs: int) -> Any:
    """Each shard to its end, then one mean: the mixture that McDonald, Hall and Mann warn of."""
    edges = np.linspace(0, len(y), shards + 1).astype(int)
    alone = [local_fit(Perceptron(max_iter=epochs), X[a:b], y[a:b]) for a, b in pairwise(edges)]
    alone[0].coef_ = np.mean([part.coef_ for part in alone], axis=0)
    alone[0].intercept_ = np.mean([part.intercept_ for part in alone], axis=0)
    return alone[0]


@pytest.mark.slow
@pytest.mark.parametrize(("sets", "epochs"), [([text_like()], 10), ([digits(seed) for seed in range(6)], 20)])
def test_mixing_every_epoch_is_as_accurate_as_serial_and_mixing_once_learns_less(sets: Any, epochs: int) -> None:
    shards = 4
    held_out, learnt = [], []
    for X, y, held_X, held_y in sets:
        models = [
            local_fit(AveragedPerceptron(max_iter=epochs), X, y),
            fit(DaskAveragedPerceptron(max_iter=epochs), X, y, shards),
            local_fit(Perceptron(max_iter=epochs), X, y),
            fit(DaskPerceptron(max_iter=epochs), X, y, shards),
        ]
        held_out.append([model.score(held_X, held_y) for model in models])
        learnt.append([models[-1].score(X, y), mixed_once(X, y, shards, epochs).score(X, y)])
    averaged, averaged_mixed, last, last_mixed = np.mean(held_out, axis=0)
    assert averaged_mixed >= averaged - 0.005
    assert last_mixed >= last - 0.005
    every_epoch, once = np.mean(learnt, axis=0)
    assert once < every_epoch - 0.005


def test_mixing_once_misses_a_separator_that_mixing_every_epoch_finds() -> None:
    X = np.array([[-1.0, 0], [1, -1], [-3, 4], [2, -4]])
    y = np.array([0, 1, 1, 0])
    assert np.mean(mixed_once(X, y, 2, 1000).predict(X) == y) < 1
    assert fit(DaskPerceptron(), X, y, 2).status_ == "separated"
