"""One definition of orders and starts, in Python and in the core."""

import hypothesis.strategies as st
import numpy as np
from hypothesis import given

from rosenblatt import conventions, core


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
