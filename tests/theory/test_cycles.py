"""A run that comes back is found exactly, and what it repeats is a proof."""

import hypothesis.strategies as st
import numpy as np
import pytest
from hypothesis import given

from rosenblatt import conventions, data, separability, textbook
from rosenblatt.theory import cycles
from tests.storages import STORAGES
from tests.theory.cases import AND, XOR, integer_sets


def cycle_by_memory(X, y, **choice):
    """The textbook's states at the ends of epochs, all remembered."""
    seen = {}
    w = None
    for epoch in range(3000):
        steps = list(textbook.online(X, y, start=w, max_iter=1, **choice))
        w = steps[0].w_before if w is None else w
        if tuple(w) in seen:
            return seen[tuple(w)], epoch - seen[tuple(w)]
        seen[tuple(w)] = epoch
        if not any(step.mistake for step in steps):
            return None
        w = steps[-1].w_after
    raise AssertionError("neither cycled nor separated")


@given(
    integer_sets(max_examples=6, max_features=2, largest=2),
    st.booleans(),
    st.sampled_from(conventions.TIES),
    st.sampled_from([0.5, 1.0, 3.0]),
)
def test_pre_period_and_period_are_those_of_remembered_states(case, fit_intercept, tie, eta0):
    X, y = case
    choice = {"fit_intercept": fit_intercept, "tie": tie, "eta0": eta0}
    expected = cycle_by_memory(X, y, **choice)
    found = cycles(X, y, **choice)
    if expected is None:
        assert found is None
        return
    assert (found.pre_period, found.period) == expected
    assert found.proof.verify()
    assert found.proof.separable is False
    assert not separability(X, y, fit_intercept=fit_intercept).separable


@pytest.mark.parametrize("storage", STORAGES)
def test_xor_cycles_from_the_start_in_every_storage(storage):
    cycle = cycles(STORAGES[storage](np.array(XOR[0], dtype=float)), XOR[1])
    assert (cycle.pre_period, cycle.period, cycle.n_mistakes) == (0, 1, 4)
    assert cycle.mistakes == {0: 1, 1: 1, 2: 1, 3: 1}
    assert cycle.proof.verify()


def test_parity_of_three_cycles_from_the_start():
    X = np.array([[a, b, c] for a in (0, 1) for b in (0, 1) for c in (0, 1)])
    cycle = cycles(X, X.sum(axis=1) % 2)
    assert (cycle.pre_period, cycle.period) == (0, 1)


def test_separable_sets_do_not_cycle():
    assert cycles(*AND) is None


def test_a_start_of_ones_own_changes_the_way_in():
    cycle = cycles(*XOR, start=[5.0, -3.0, 2.0])
    assert cycle.pre_period > 0
    assert cycle.proof.verify()


def test_a_limit_of_epochs_ends_the_search():
    iris = data.load("iris")
    assert cycles(np.rint(iris.X * 10), iris.y == "versicolor", max_iter=1000) is None


def test_of_a_limit_of_epochs_and_a_budget_the_first_one_applies():
    iris = data.load("iris")
    X, y = np.rint(iris.X * 10), iris.y == "versicolor"
    assert cycles(X, y, max_iter=100, budget=1e6) is None
    with pytest.raises(ValueError, match=r"after 185 epochs .* budget of 1,000,000 touched values ran out"):
        cycles(X, y, max_iter=1000, budget=1e6)
    with pytest.raises(ValueError, match="after 0 epochs"):
        cycles(*XOR, budget=1)
    assert cycles(*XOR, budget=np.inf).period == 1


@pytest.mark.slow
def test_versicolor_in_millimetres_cycles_late():
    iris = data.load("iris")
    cycle = cycles(np.rint(iris.X * 10), iris.y == "versicolor")
    assert (cycle.pre_period, cycle.period) == (175_598, 125)
    assert cycle.proof.verify()


def test_a_return_by_rounding_proves_nothing():
    # Both updates are absorbed by a weight of 2⁶⁰: the state stays, though the examples are separable.
    X, y = np.array([[1.0], [-1.0]]), [1, 0]
    cycle = cycles(X, y, fit_intercept=False, start=[-(2.0**60)])
    assert cycle is not None
    assert cycle.proof is None
    assert separability(X, y, fit_intercept=False).separable


def test_bad_questions_are_refused():
    with pytest.raises(ValueError, match="one of mistake"):
        cycles(*XOR, tie="never")
    with pytest.raises(ValueError, match="3 weights"):
        cycles(*XOR, start=[1.0])
