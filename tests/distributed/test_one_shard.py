"""With one shard a distributed run is the local run: weights, counts, endings and history, bit for bit."""

import pickle
import warnings
from typing import Any

import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from rosenblatt import AveragedPerceptron, Perceptron, PocketPerceptron, conventions
from rosenblatt.distributed import DaskAveragedPerceptron, DaskPerceptron, DaskPocketPerceptron
from rosenblatt.distributed.shards.shard import Shard
from tests.distributed.inline import fit

TOLD = ("status_", "statuses_", "cycle_", "cycles_", "n_iter_", "n_mistakes_", "n_samples_seen_", "_averaged_over")


def local_fit(estimator: Any, X: Any, y: Any, weights: Any = None, **start: Any) -> Any:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return estimator.fit(X, y, sample_weight=weights, **start)


def assert_same(local: Any, distributed: Any) -> None:
    theirs = distributed.to_local()
    assert vars(theirs).keys() == vars(local).keys()
    for name in ("coef_", "intercept_", "last_coef_", "last_intercept_", "history_", "classes_"):
        if hasattr(local, name):
            assert getattr(theirs, name).tobytes() == getattr(local, name).tobytes(), name
    for name in TOLD:
        assert np.array_equal(getattr(theirs, name, None), getattr(local, name, None)), name


@st.composite
def examples(draw: Any, classes: int = 3) -> tuple[np.ndarray, np.ndarray]:
    n, d = draw(st.integers(4, 14)), draw(st.integers(1, 4))
    whole = draw(st.booleans())
    values = st.integers(-3, 3) if whole else st.floats(-3, 3, width=32)
    X = draw(hnp.arrays(np.float64, (n, d), elements=values))
    y = draw(hnp.arrays(np.int64, n, elements=st.integers(0, draw(st.integers(1, classes - 1)))))
    y[: len(np.unique(y)) + 1] = np.arange(len(np.unique(y)) + 1) % max(2, len(np.unique(y)))
    return X, y


PARAMETERS = st.fixed_dictionaries(
    {
        "order": st.sampled_from(["shuffle", "cyclic", "misclassified"]),
        "multi_class": st.sampled_from(["ova", "ovo", "joint"]),
        "tie": st.sampled_from(["mistake", "positive", "negative"]),
        "max_iter": st.integers(1, 12),
        "max_error": st.sampled_from([0.0, 0.2]),
        "fit_intercept": st.booleans(),
        "init": st.sampled_from(["zeros", "random"]),
        "init_scale": st.sampled_from([0.5, 0.1]),
        "random_state": st.integers(0, 3),
    },
    optional={
        "max_steps": st.integers(1, 60),
        "max_updates": st.integers(1, 20),
        "patience": st.integers(1, 20),
        "eta0": st.sampled_from([0.1, 2.0]),
        "error_tie": st.sampled_from(["mistake", "positive"]),
        "class_weight": st.just("balanced"),
        "step": st.sampled_from(["pa", "pa1", "pa2"]),
        "rivals": st.sampled_from(["best", "all"]),
    },
).filter(lambda chosen: chosen.get("rivals") != "all" or "step" not in chosen)


@settings(max_examples=60)
@given(examples(), PARAMETERS)
def test_a_perceptron_on_one_shard_is_the_local_perceptron(data: Any, parameters: Any) -> None:
    X, y = data
    assert_same(local_fit(Perceptron(**parameters), X, y), fit(DaskPerceptron(**parameters), X, y, 1))


@settings(max_examples=60)
@given(examples(), PARAMETERS)
def test_an_averaged_perceptron_on_one_shard_is_the_local_one(data: Any, parameters: Any) -> None:
    X, y = data
    assert_same(local_fit(AveragedPerceptron(**parameters), X, y), fit(DaskAveragedPerceptron(**parameters), X, y, 1))


@settings(max_examples=60)
@given(examples(), PARAMETERS, st.data())
def test_weights_of_examples_mean_the_same_on_one_shard(data: Any, parameters: Any, more: Any) -> None:
    X, y = data
    weights = more.draw(hnp.arrays(np.float64, len(y), elements=st.sampled_from([0.5, 1.0, 2.25])))
    local = local_fit(AveragedPerceptron(**parameters), X, y, weights)
    assert_same(local, fit(DaskAveragedPerceptron(**parameters), X, y, 1, weights))


@settings(max_examples=60)
@given(examples(), PARAMETERS)
def test_the_run_of_a_pocket_on_one_shard_is_the_local_run(data: Any, parameters: Any) -> None:
    X, y = data
    parameters = {k: v for k, v in parameters.items() if k not in ("patience", "step")}
    local = local_fit(PocketPerceptron(ratchet=True, **parameters), X, y)
    pocket = fit(DaskPocketPerceptron(**parameters), X, y, 1)
    assert pocket.last_coef_.tobytes() == local.last_coef_.tobytes()
    assert pocket.statuses_ == local.statuses_


def test_a_pair_of_classes_cycles_on_one_shard_if_its_own_steps_are_exact() -> None:
    # The weights of classes 0 and 1 are 1 and 2. That of class 2 is 2/3, which is rounded, and not in their problem.
    X, y = np.zeros((6, 1)), np.array([0, 1, 2, 0, 2, 2])
    parameters = {"multi_class": "ovo", "class_weight": "balanced", "fit_intercept": False, "max_iter": 1}
    local = local_fit(Perceptron(**parameters), X, y)
    assert local.statuses_ == ["cycled", "max_iter", "max_iter"]
    assert fit(DaskPerceptron(**parameters), X, y, 1).statuses_ == local.statuses_


@settings(max_examples=30)
@given(st.integers(0, 2**16), st.sampled_from(["ova", "ovo", "joint"]))
def test_early_stopping_on_one_shard_keeps_back_the_same_examples(seed: int, multi_class: str) -> None:
    random = np.random.default_rng(seed)
    X, y = random.normal(size=(60, 3)), random.integers(0, 3, 60)
    read_options = {"early_stopping": True, "n_iter_no_change": 2, "max_iter": 20, "multi_class": multi_class}
    local = local_fit(Perceptron(**read_options), X, y)
    distributed = fit(DaskPerceptron(**read_options), X, y, 1)
    assert_same(local, distributed)
    assert distributed.validation_scores_ == local.validation_scores_


@pytest.mark.parametrize("dialect", ["L0", "L1", "L1_offset", "L2", "L3", "L4"])
def test_the_lectures_dialects_are_spoken_on_a_cluster_too(dialect: str) -> None:
    X = np.array([[0.0, 0], [0, 1], [1, 0], [1, 1]])
    y = np.array([0, 1, 1, 1])
    read_options = {**getattr(conventions, dialect), "max_iter": 50}
    assert_same(local_fit(Perceptron(**read_options), X, y), fit(DaskPerceptron(**read_options), X, y, 1))


@pytest.mark.parametrize("order", ["cyclic", "shuffle"])
def test_a_cycle_is_found_in_the_same_epoch_with_the_same_period(order: str) -> None:
    X = np.array([[0.0, 0], [0, 1], [1, 0], [1, 1], [2, 1]])
    y = np.array([0, 1, 1, 0, 1])
    local = local_fit(Perceptron(order=order), X, y)
    assert local.status_ == "cycled"
    assert_same(local, fit(DaskPerceptron(order=order), X, y, 1))


def test_a_run_that_would_stall_asks_for_the_proof_with_one_shard_and_with_three() -> None:
    random = np.random.default_rng(0)
    X = random.normal(size=(3000, 100))
    y = random.integers(0, 2, 3000)
    local = local_fit(Perceptron(), X, y)
    assert local.status_ == "inseparable"
    distributed = fit(DaskPerceptron(), X, y, 1)
    assert_same(local, distributed)
    assert distributed.certificate_.verify()
    three = fit(DaskPerceptron(), X, y, 3)
    assert three.status_ == "inseparable"
    assert three.certificate_.verify()


def test_sparse_rows_walk_the_path_of_the_local_run() -> None:
    random = np.random.default_rng(1)
    X = sp.random(80, 30, 0.2, format="csr", random_state=random)
    y = random.integers(0, 4, 80)
    for read_options in ({}, {"step": "pa1"}):
        parameters = {"max_iter": 9, **read_options}
        assert_same(local_fit(Perceptron(**parameters), X, y), fit(DaskPerceptron(**parameters), X, y, 1))


def test_a_given_start_and_a_warm_one_are_taken_up() -> None:
    random = np.random.default_rng(2)
    X, y = random.normal(size=(40, 3)), random.integers(0, 2, 40)
    start = {"coef_init": np.array([[0.5, -1, 2]]), "intercept_init": np.array([0.25])}
    local = local_fit(Perceptron(max_iter=3, warm_start=True), X, y, **start)
    distributed = fit(DaskPerceptron(max_iter=3, warm_start=True), X, y, 1, **start)
    assert_same(local, distributed)
    assert_same(local_fit(local, X, y), fit(distributed, X, y, 1))


def test_a_shard_can_move_after_it_was_trained_on():
    X, y = sp.random(40, 9, 0.5, "csr", random_state=0), np.arange(40, dtype=np.int32) % 2
    shard = Shard("here", X, np.array([0, 1]), y, None, None)
    rows = shard.examples().rows
    assert shard.examples().rows is rows  # looked through once
    moved = pickle.loads(pickle.dumps(shard))
    assert "rows" not in vars(moved)
    weights, offsets = np.ones((1, 9)), np.zeros(1)
    assert np.array_equal(moved.rows.scores(weights, offsets), rows.scores(weights, offsets))
