"""The textbook against the lectures' own numbers and statements."""

import itertools

import hypothesis.strategies as st
import numpy as np
import pytest
from hypothesis import given

from rosenblatt import conventions, textbook
from tests.estimators.test_oracle import labelled

AND = ([[0, 0], [0, 1], [1, 0], [1, 1]], [-1, -1, -1, 1])
OR = (AND[0], [-1, 1, 1, 1])
XOR = (AND[0], [-1, 1, 1, -1])
PARITY = ([[a, b, c] for a in (0, 1) for b in (0, 1) for c in (0, 1)], [-1, 1, 1, -1, 1, -1, -1, 1])


@pytest.mark.parametrize(
    ("data", "tie", "mistakes", "epochs"),
    [
        (AND, "mistake", 18, 9),
        (OR, "mistake", 9, 6),
        (AND, "positive", 11, 6),
        (OR, "positive", 5, 4),
        (AND, "negative", 10, 6),
        (OR, "negative", 4, 4),
    ],
)
def test_and_and_or_take_the_known_number_of_mistakes(data, tie, mistakes, epochs):
    run = textbook.run(textbook.online(*data, tie=tie))
    assert (run.status, run.n_mistakes, run.n_iter) == ("separated", mistakes, epochs)


@pytest.mark.parametrize("data", [XOR, PARITY], ids=["xor", "parity"])
def test_parity_cycles_from_the_start(data):
    run = textbook.run(textbook.online(*data))
    assert (run.status, run.cycle, run.n_iter) == ("cycled", 1, 1)


def test_lecture_4s_worked_example():
    parameters = {**conventions.L4, "start": [-5, 0, 1]}
    steps = textbook.online([[5, 7], [2, 6]], [1, -1], **parameters)
    first, second = next(steps), next(steps)
    assert (first.score, first.mistake) == (2, False)
    assert (second.y * second.score, second.mistake) == (-1, True)
    assert second.w_after.tolist() == [-6, -2, -5]
    third = next(steps)
    assert (third.score, third.mistake) == (-51, True)
    run = textbook.run(textbook.online([[5, 7], [2, 6]], [1, -1], **parameters))
    assert (run.status, run.n_mistakes, run.w.tolist()) == ("separated", 7, [-6, 7, -2])


def algorithm_8_1(X, y, eta, mu, iterations):
    """L3, Algorithm 8.1, line by line."""
    X = np.column_stack([np.ones(len(X)), X])
    w = np.zeros(X.shape[1])
    for _ in range(iterations):
        off = 0
        for x, label in zip(X, y, strict=True):
            predicted = -1 if w @ x <= 0 else 1
            w = w + eta * (label - predicted) * x
            off += abs(label - predicted)
        if off / len(X) <= mu:
            break
    return w


@given(data=labelled(), eta=st.sampled_from([0.25, 0.5, 1.0]), mu=st.sampled_from([0.0, 0.125, 0.25]))
def test_algorithms_8_1_and_8_2_make_the_same_updates(data, eta, mu):
    X, y = data
    parameters = {**conventions.L3, "eta0": 2 * eta, "max_error": mu, "max_iter": 20}
    run = textbook.run(textbook.online(X, y, **parameters))
    if run.status != "cycled":  # 8.1 does not notice, and goes on
        np.testing.assert_array_equal(run.w, algorithm_8_1(X, y, eta, 2 * mu, 20))


@given(data=labelled(), tie=st.sampled_from(conventions.TIES))
def test_an_offset_is_a_coordinate_that_is_always_one(data, tie):
    X, y = data
    offset = textbook.run(textbook.online(X, y, tie=tie, max_iter=10))
    extra = np.column_stack([np.ones(len(X)), X])
    origin = textbook.run(textbook.online(extra, y, tie=tie, fit_intercept=False, max_iter=10))
    assert offset.w.tolist() == origin.w.tolist()
    assert [step.mistake for step in offset.steps] == [step.mistake for step in origin.steps]


@given(data=labelled(), eta0=st.sampled_from([0.5, 1.0, 2.0]), fit_intercept=st.booleans())
def test_an_update_raises_the_score_by_eta_times_the_squared_length(data, eta0, fit_intercept):
    X, y = data
    for step in textbook.online(X, y, eta0=eta0, fit_intercept=fit_intercept, max_iter=5):
        growth = step.y * (step.score_after - step.score)
        length = X[step.i] @ X[step.i] + fit_intercept
        assert growth == (eta0 * length if step.mistake else 0)


def test_an_update_can_undershoot():
    (step,) = textbook.online([[1]], [1], start=[-3], fit_intercept=False, max_steps=1)
    assert step.mistake
    assert step.y * step.score_after < 0


def test_a_step_keeps_both_vectors():
    steps = list(textbook.online(*AND))
    for before, after in itertools.pairwise(steps):
        np.testing.assert_array_equal(before.w_after, after.w_before)


@pytest.mark.parametrize("algorithm", [textbook.online, textbook.batch, textbook.pocket, textbook.averaged])
def test_labels_other_than_plus_and_minus_one_are_refused(algorithm):
    with pytest.raises(ValueError, match=r"y has the label 0; .* take \+1 and -1"):
        list(algorithm([[0], [1]], [0, 1], max_iter=3))


def test_a_run_prints_in_a_line():
    run = textbook.run(textbook.online(*AND))
    assert repr(run).startswith("<Run: separated; 36 examples in 9 epochs, 18 mistakes; w = [")
