"""The compiled core walks the textbook's path, bit for bit on integer data, in every storage."""

import warnings

import hypothesis.strategies as st
import numpy as np
import pytest
from hypothesis import example, given
from hypothesis.extra.numpy import arrays
from sklearn.exceptions import ConvergenceWarning

from rosenblatt import Perceptron, conventions, textbook
from tests.storages import STORAGES

pytestmark = pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")

DIALECTS = [conventions.L0, conventions.L1, conventions.L1_offset, conventions.L2, conventions.L3, conventions.L4]


@st.composite
def labelled(draw, max_examples=12, max_features=20, largest=4):
    n = draw(st.integers(2, max_examples))
    d = draw(st.integers(1, max_features))
    X = draw(arrays(np.int64, (n, d), elements=st.integers(-largest, largest))).astype(float)
    y = draw(arrays(np.int64, n, elements=st.sampled_from([-1, 1])))
    y[0], y[1] = -1, 1
    return X, y


limits = st.fixed_dictionaries(
    {"max_iter": st.integers(1, 12)},
    optional={
        "max_steps": st.integers(1, 60),
        "max_updates": st.integers(1, 20),
        "patience": st.integers(1, 20),
        "max_error": st.sampled_from([0.1, 0.25, 0.5]),
    },
)

choices = st.fixed_dictionaries(
    {
        "fit_intercept": st.booleans(),
        "eta0": st.sampled_from([0.5, 1.0, 2.0]),
        "tie": st.sampled_from(conventions.TIES),
        "error_tie": st.sampled_from([None, *conventions.TIES]),
        "order": st.sampled_from(["cyclic", "shuffle", "misclassified"]),
        "init": st.sampled_from(["zeros", "random"]),
        "random_state": st.integers(0, 2**40),
    }
)


def fit(X, y, sample_weight=None, start=None, **parameters):
    estimator = Perceptron(**parameters)
    init = {}
    if start is not None:
        offset = parameters.get("fit_intercept", True)
        init = {"coef_init": start[1:] if offset else start, "intercept_init": start[0] if offset else None}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        return estimator.fit(X, y, sample_weight=sample_weight, **init)


def weights(estimator):
    w = estimator.coef_[0]
    return np.concatenate([estimator.intercept_, w]) if estimator.fit_intercept else w


def assert_same(estimator, run):
    np.testing.assert_array_equal(weights(estimator), run.w)
    assert estimator.status_ == run.status
    assert estimator.n_iter_ == run.n_iter
    assert estimator.n_mistakes_ == run.n_mistakes
    assert estimator.n_samples_seen_ == run.n_samples_seen
    assert estimator.cycle_ == run.cycle


@pytest.mark.parametrize("storage", STORAGES)
@given(data=labelled(), choice=choices, limit=limits)
def test_every_choice_makes_the_textbooks_updates(storage, data, choice, limit):
    X, y = data
    run = textbook.run(textbook.online(X, y, **choice, **limit))
    assert_same(fit(STORAGES[storage](X), y, **choice, **limit), run)


@pytest.mark.parametrize("dialect", DIALECTS, ids=lambda dialect: dialect.name)
@pytest.mark.parametrize("storage", STORAGES)
@given(data=labelled(), limit=limits)
def test_every_dialect_makes_the_textbooks_updates(storage, dialect, data, limit):
    X, y = data
    parameters = {**dialect, **limit}
    run = textbook.run(textbook.online(X, y, **parameters))
    assert_same(fit(STORAGES[storage](X), y, **parameters), run)


@given(data=labelled(), choice=choices, limit=limits, seed=st.integers(0, 1000))
def test_weights_and_starts_make_the_textbooks_updates(data, choice, limit, seed):
    X, y = data
    rng = np.random.default_rng(seed)
    sample_weight = rng.integers(0, 3, len(y)).astype(float)
    sample_weight[:2] = 1  # both classes stay
    start = rng.integers(-3, 4, X.shape[1] + choice["fit_intercept"]).astype(float)
    run = textbook.run(textbook.online(X, y, sample_weight=sample_weight, start=start, **choice, **limit))
    assert_same(fit(X, y, sample_weight=sample_weight, start=start, **choice, **limit), run)


@pytest.mark.parametrize("storage", STORAGES)
@pytest.mark.parametrize("features", [15, 16, 17, 31, 32, 33, 54, 64, 100])
def test_rows_of_every_length_are_summed_whole(storage, features):
    rng = np.random.default_rng(features)
    X = rng.integers(-9, 10, (30, features)).astype(float)
    y = np.where(rng.random(30) < 0.5, -1, 1)
    run = textbook.run(textbook.online(X, y, max_iter=5))
    assert_same(fit(STORAGES[storage](X), y, order="cyclic", max_iter=5), run)


def test_history_counts_the_mistakes_of_the_textbook():
    rng = np.random.default_rng(0)
    X = rng.integers(-5, 6, (40, 3)).astype(float)
    y = np.where(rng.random(40) < 0.5, -1, 1)
    run = textbook.run(textbook.online(X, y, max_iter=7))
    estimator = fit(X, y, order="cyclic", max_iter=7)
    for row in estimator.history_:
        steps = [step for step in run.steps if step.epoch == row["epoch"] - 1]
        assert row["mistakes"] == sum(step.mistake for step in steps)
        assert row["error_rate"] == row["mistakes"] / 40
        assert row["loss"] == sum(-step.y * step.score for step in steps if step.mistake)
    assert estimator.history_["mistakes"].sum() == estimator.n_mistakes_


def test_error_tie_changes_the_reported_errors_and_not_the_updates():
    X, y = [[0.0, 1.0], [0.0, -1.0], [1.0, 0.0]], [1, 1, -1]
    strict = fit(X, y, **conventions.L1)
    plain = fit(X, y, **{**conventions.L1, "error_tie": None})
    # (0,1)+, (0,-1)+, (1,0)- is only weakly separable, yet mistake-free once ties count as positive.
    assert strict.status_ == plain.status_ == "separated"
    np.testing.assert_array_equal(strict.coef_, plain.coef_)
    assert plain.history_["error_rate"][-1] == 0
    assert strict.history_["error_rate"][-1] == 2 / 3


#: One feature of powers of two: a score is rounded once, whoever adds it up, so that endings agree to the last bit
#: although passive-aggressive steps divide and a step of 0.1 is rounded.
step_rules = st.fixed_dictionaries(
    {
        "step": st.sampled_from(["constant", "pa", "pa1", "pa2"]),
        "C": st.sampled_from([0.25, 1.0]),
        "margin": st.sampled_from([None, 0.0, 1.0]),
        "eta0": st.sampled_from([0.1, 0.5, 1.0]),
    }
)


@given(
    rows=st.lists(st.tuples(st.sampled_from([-2.0, -1.0, 0.0, 1.0, 2.0]), st.sampled_from([-1, 1])), max_size=4),
    rule=step_rules,
    choice=choices,
    limit=limits,
)
@example(
    rows=[(0.0, 1)],
    rule={"step": "pa", "C": 1.0, "margin": None, "eta0": 1.0},
    choice={"order": "shuffle", "fit_intercept": False, "random_state": 212214544},
    limit={"max_iter": 12},
)
@example(
    rows=[],
    rule={"step": "constant", "C": 1.0, "margin": None, "eta0": 0.1},
    choice={"order": "shuffle", "fit_intercept": False, "random_state": 0},
    limit={"max_iter": 12},
)
def test_every_step_rule_ends_as_the_textbooks_in_every_order(rows, rule, choice, limit):
    X, y = np.array([-1.0, -1.0, *(x for x, _ in rows)])[:, None], np.array([-1, 1, *(label for _, label in rows)])
    parameters = {**choice, **rule, **limit}
    assert_same(fit(X, y, **parameters), textbook.run(textbook.online(X, y, **parameters)))


def test_passive_aggressive_weights_that_return_in_a_random_order_prove_nothing():
    X, y = [[-1.0], [-1.0], [0.0]], [-1, 1, 1]
    parameters = {"step": "pa", "fit_intercept": False, "order": "shuffle", "random_state": 212214544, "max_iter": 30}
    run = textbook.run(textbook.online(X, y, **parameters))
    assert run.status == fit(X, y, **parameters).status_ == "max_iter"
