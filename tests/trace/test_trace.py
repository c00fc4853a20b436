"""A recorded run replays the textbook's, step for step, from memory proportional to the mistakes."""

import json
import warnings
from dataclasses import replace

import hypothesis.strategies as st
import numpy as np
import pytest
from hypothesis import given

from rosenblatt import KernelPerceptron, Perceptron, conventions, textbook
from rosenblatt.trace import Trace
from tests.estimators.test_oracle import choices, fit, labelled, limits
from tests.storages import STORAGES


def assert_same_step(ours, theirs):
    assert (ours.k, ours.epoch, ours.i, ours.y) == (theirs.k, theirs.epoch, theirs.i, theirs.y)
    assert (ours.score, ours.mistake, ours.score_after) == (theirs.score, theirs.mistake, theirs.score_after)
    for name in ("x", "w_before", "w_after"):
        np.testing.assert_array_equal(getattr(ours, name), getattr(theirs, name))


@pytest.mark.parametrize("storage", STORAGES)
@given(data=labelled(max_examples=8, max_features=5), choice=choices, limit=limits)
def test_a_trace_is_the_textbooks_run(storage, data, choice, limit):
    X, y = data
    steps = textbook.run(textbook.online(X, y, **choice, **limit)).steps
    trace = fit(STORAGES[storage](X), y, record=True, **choice, **limit).trace_
    assert len(trace) == len(steps)
    for ours, theirs in zip(trace, steps, strict=True):
        assert_same_step(ours, theirs)


@given(data=labelled(max_examples=8, max_features=5), choice=choices, limit=limits, seed=st.integers(0, 99))
def test_weights_at_any_step_and_any_slice(data, choice, limit, seed):
    X, y = data
    sample_weight = np.random.default_rng(seed).integers(0, 3, len(y)).astype(float)
    sample_weight[:2] = 1
    steps = textbook.run(textbook.online(X, y, sample_weight=sample_weight, **choice, **limit)).steps
    estimator = fit(X, y, record=True, sample_weight=sample_weight, **choice, **limit)
    trace = estimator.trace_
    for step in steps:
        np.testing.assert_array_equal(trace.weights_at(step.k), step.w_before)
        np.testing.assert_array_equal(trace.weights_at(step.k + 1), step.w_after)
    middle = len(steps) // 2
    for ours, theirs in zip(trace[middle:], steps[middle:], strict=True):
        assert_same_step(ours, theirs)
    for ours, theirs in zip(trace[::-2], steps[::-2], strict=True):
        assert_same_step(ours, theirs)
    assert trace.updates["k"].tolist() == [step.k for step in steps if step.mistake]
    assert trace.updates["i"].tolist() == [step.i for step in steps if step.mistake]


@given(data=labelled(max_examples=8, max_features=3), choice=choices)
def test_history_is_exact_after_every_epoch(data, choice):
    X, y = data
    estimator = fit(X, y, record=True, max_iter=4, **choice)
    table = estimator.trace_.history()
    assert table["epoch"].tolist() == list(range(1, estimator.n_iter_ + 1))
    space = np.column_stack([np.ones(len(X)), X]) if choice["fit_intercept"] else X
    scores = y * (space @ estimator.trace_.weights_at(len(estimator.trace_)))
    ties_wrong = {"mistake": True, "positive": y < 0, "negative": y > 0}[choice["error_tie"] or choice["tie"]]
    wrong = (scores < 0) | ((scores == 0) & ties_wrong)
    assert table["errors"][-1] == wrong.sum()
    assert table["loss"][-1] == -scores[wrong].sum()
    if estimator.status_ == "separated" and choice["error_tie"] is None:
        assert table["errors"][-1] == 0


def test_long_runs_are_rebuilt_from_remembered_weights():
    rng = np.random.default_rng(0)
    X, y = rng.integers(-9, 10, (60, 3)).astype(float), rng.integers(0, 2, 60)
    estimator = fit(X, y, record=True, max_iter=200)
    trace = estimator.trace_
    assert trace.n_updates > 3000
    np.testing.assert_array_equal(trace.weights_at(len(trace))[1:], estimator.coef_[0])
    forward = [trace.weights_at(k) for k in (0, 5000, 9000)]
    np.testing.assert_array_equal(trace.weights_at(5000), forward[1])
    np.testing.assert_array_equal(trace[5000].w_before, forward[1])


@pytest.mark.parametrize("form", ["dense64", "csr32_i64"])
def test_a_saved_trace_is_the_same_trace(tmp_path, form):
    rng = np.random.default_rng(0)
    X, y = rng.integers(-4, 5, (20, 3)).astype(float), rng.integers(0, 2, 20)
    trace = fit(STORAGES[form](X), y, record=True, max_iter=3).trace_
    path = tmp_path / "run.npz"
    trace.save(path)
    for ours, theirs in zip(Trace.load(path), trace, strict=True):
        assert_same_step(ours, theirs)
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.parametrize("content", [b"", b"not a trace", b"PK\x03\x04 cut short"])
def test_a_broken_file_is_a_clear_error(tmp_path, content):
    path = tmp_path / "run.npz"
    path.write_bytes(content)
    with pytest.raises(ValueError, match=r"run\.npz is not a trace"):
        Trace.load(path)


def test_steps_out_of_range_are_refused():
    trace = fit(np.eye(2), [0, 1], record=True).trace_
    with pytest.raises(IndexError, match="the run presented"):
        trace.weights_at(len(trace) + 1)
    with pytest.raises(IndexError, match="the run presented"):
        trace[len(trace)]
    assert trace[-1].k == len(trace) - 1
    assert "updates" in repr(trace)


@pytest.mark.parametrize("multi_class", ["ova", "ovo"])
@pytest.mark.parametrize("order", ["cyclic", "shuffle", "misclassified"])
def test_many_classes_have_one_trace_a_problem(multi_class, order):
    rng = np.random.default_rng(0)
    X, y = rng.integers(-4, 5, (30, 4)).astype(float), rng.integers(0, 4, 30)
    parameters = {"order": order, "max_iter": 4, "record": True}
    many = fit(X, y, multi_class=multi_class, **parameters)
    assert len(many.trace_) == len(many.coef_)
    assert sum(trace.n_updates for trace in many.trace_) == many.n_mistakes_
    for trace, w, offset in zip(many.trace_, many.coef_, many.intercept_, strict=True):
        np.testing.assert_array_equal(trace.weights_at(len(trace)), [offset, *w])
    if multi_class == "ova":
        alone = fit(X, y == 2, **parameters).trace_
        for ours, theirs in zip(many.trace_[2], alone, strict=True):
            assert_same_step(ours, theirs)


def test_memory_is_proportional_to_the_mistakes():
    X = np.vstack([np.eye(50), -np.eye(50)]).repeat(20, axis=0)
    y = np.repeat([0, 1], 1000)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        estimator = Perceptron(record=True).fit(X, y)
    recording = estimator.trace_.recording
    assert recording.k.nbytes + recording.i.nbytes == 16 * estimator.n_mistakes_
    assert estimator.n_mistakes_ < len(estimator.trace_)


@pytest.mark.parametrize("rule", [{"margin": 1.0}, {"step": "pa"}, {"step": "pa1", "C": 0.5}, {"step": "pa2"}])
@pytest.mark.parametrize("multi_class", ["ova", "joint"])
def test_draws_within_a_margin_are_replayed(rule, multi_class):
    rng = np.random.default_rng(1)
    X, y = rng.integers(-5, 6, (12, 2)).astype(float), np.arange(12) % 3
    estimator = fit(X, y, record=True, order="misclassified", multi_class=multi_class, max_steps=200, **rule)
    for trace in estimator.trace_ if multi_class == "ova" else [estimator.trace_]:
        steps = list(trace)
        assert len(steps) == len(trace)
        assert [step.i for step in steps if step.mistake] == trace.updates["i"].tolist()


def test_a_joint_trace_remembers_whom_each_update_took_from(tmp_path):
    X, y = np.array([[1.0, 0], [0, 1], [-1, -1], [2, 1]]), [0, 1, 2, 1]
    trace = fit(X, y, record=True, multi_class="joint", max_iter=9).trace_
    forgetful = Trace(replace(trace.recording, rivals=None))
    for k in range(len(trace) + 1):
        np.testing.assert_array_equal(trace.weights_at(k), forgetful.weights_at(k))
    trace.save(tmp_path / "joint.npz")
    np.testing.assert_array_equal(Trace.load(tmp_path / "joint.npz").recording.rivals, trace.recording.rivals)


def test_a_trace_with_several_rivals_an_update_is_saved_and_replayed(tmp_path):
    X, y = np.array([[1.0, 0], [0, 1], [-1, -1], [2, 1]]), [0, 1, 2, 1]
    estimator = fit(X, y, record=True, multi_class="joint", rivals="all", max_iter=9)
    trace = estimator.trace_
    assert trace.n_updates == estimator.n_mistakes_
    assert {len(trace.recording.rivals_of(m)) for m in range(trace.n_updates)} == {1, 2}
    trace.save(tmp_path / "joint.npz")
    again = Trace.load(tmp_path / "joint.npz")
    for k in range(len(trace) + 1):
        np.testing.assert_array_equal(trace.weights_at(k), again.weights_at(k))
    np.testing.assert_array_equal(trace.weights_at(len(trace))[:, 1:], estimator.coef_)


def test_history_counts_a_tie_as_the_fit_reports_it(tmp_path):
    # Weakly separable, and mistake-free once ties count as positive; L1's eq. 4 counts them as errors all the same.
    X, y = [[0.0, 1.0], [0.0, -1.0], [1.0, 0.0]], [1, 1, -1]
    estimator = fit(np.array(X), y, record=True, **conventions.L1)
    assert estimator.history_["error_rate"][-1] == 2 / 3
    assert estimator.trace_.history()["error_rate"][-1] == 2 / 3
    estimator.trace_.save(tmp_path / "ties.npz")
    assert Trace.load(tmp_path / "ties.npz").history()["error_rate"][-1] == 2 / 3
    dual = KernelPerceptron(kernel="linear", record=True, **conventions.L1).fit(X, y)
    assert dual.trace_.history()["error_rate"][-1] == 2 / 3


@given(data=labelled(), choice=choices, limit=limits)
def test_the_history_of_drawn_steps_is_exact(data, choice, limit):
    X, y = data
    estimator = fit(X, y, record=True, **choice | {"order": "misclassified"}, **limit)
    exact = estimator.trace_.history()
    for name in ("epoch", "error_rate", "loss"):
        assert estimator.history_[name].tolist() == exact[name].tolist()
    if estimator.status_ == "separated" and choice["error_tie"] is None:
        assert exact["error_rate"][-1] == 0


def test_a_trace_of_an_earlier_version_is_read_or_refused_with_the_reason(tmp_path):
    X, y = np.array([[0.0], [1.0], [2.0]]), [0, 1, 1]
    for order, readable in (("cyclic", True), ("misclassified", False)):
        trace = fit(X, y, record=True, order=order).trace_
        trace.save(tmp_path / "new.npz")
        with np.load(tmp_path / "new.npz") as file:
            arrays = dict(file)
        header = json.loads(str(arrays.pop("header")))
        del header["error_tie"]
        header |= {"margin": 0.0, "passive": False, "presented": len(trace) + 1}
        np.savez(tmp_path / "old.npz", header=np.array(json.dumps(header)), **arrays)
        if readable:
            assert Trace.load(tmp_path / "old.npz").recording.error_tie is None
        else:
            with pytest.raises(ValueError, match="an earlier version with another rule for drawing examples"):
                Trace.load(tmp_path / "old.npz")
