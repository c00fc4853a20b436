"""One definition of orders and starts, in Python and in the core."""

import hypothesis.strategies as st
import numpy as np
import pytest
from hypothesis import given

from rosenblatt import Perceptron, conventions, core, textbook


@given(seed=st.integers(0, 2**64 - 1), epoch=st.integers(0, 2**32), n=st.integers(0, 50) | st.integers(250, 800))
def test_the_core_shuffles_as_python_does(seed, epoch, n):
    np.testing.assert_array_equal(core.epoch_order(seed, epoch, n), conventions.epoch_order(seed, epoch, n))


def test_an_order_is_a_permutation_and_differs_between_epochs_and_seeds():
    orders = [conventions.epoch_order(seed, epoch, 100).tolist() for seed in range(3) for epoch in range(3)]
    assert all(sorted(order) == list(range(100)) for order in orders)
    assert len({tuple(order) for order in orders}) == 9


def test_every_example_comes_first_equally_often():
    first = [core.epoch_order(0, epoch, 10)[0] for epoch in range(20_000)]
    counts = np.bincount(first, minlength=10)
    assert np.all(abs(counts - 2000) < 5 * np.sqrt(2000))


@given(seed=st.integers(0, 2**64 - 1), size=st.integers(1, 20))
def test_random_starts_are_multiples_of_a_power_of_two(seed, size):
    start = conventions.random_start(seed, size)
    assert np.all(start * 1024 == np.round(start * 1024))
    assert np.all(abs(start) <= 0.5)


@given(seed=st.integers(0, 2**64 - 1), size=st.integers(1, 20), scale=st.sampled_from([0.5, 0.01, 1 / 3, 4.0]))
def test_a_random_start_has_the_size_that_is_asked_for(seed, size, scale):
    start = conventions.random_start(seed, size, scale=scale)
    assert np.all(abs(start) <= scale)
    unit = conventions.random_start(seed, size, scale=1.0)
    np.testing.assert_array_equal(start, scale * unit)
    np.testing.assert_array_equal(conventions.random_start(seed, size), unit / 2)


def test_init_scale_is_a_parameter_of_the_estimators_the_textbook_and_dialects():
    X, y = np.array([[0.0, 0], [0, 1], [1, 0], [1, 1]]), np.array([-1, -1, -1, 1])
    small = conventions.define("small", init="random", init_scale=0.125)
    assert str(small) == "zero is always a mistake, random start of at most 0.125, in turn (small)"
    run = textbook.run(textbook.online(X, y, **small, random_state=5))
    assert np.all(abs(run.steps[0].w_before) <= 0.125)
    fitted = Perceptron(**small, random_state=5, record=True).fit(X, y)
    np.testing.assert_array_equal(fitted.trace_[0].w_before, run.steps[0].w_before)
    np.testing.assert_array_equal([*fitted.intercept_, *fitted.coef_[0]], run.w)
    with pytest.raises(ValueError, match="init_scale must be a finite number > 0; got 0"):
        Perceptron(init="random", init_scale=0).fit(X, y)
