"""Products of narrow integers are exact, whatever their number, range and type, and so give the kernels of floats."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rosenblatt.core import MULTIPLIES_BYTES, KernelFunction, Rows, integer_kernel_values, kernel_values
from rosenblatt.learning.dual.integers import alike, narrowed

RANGES = [(0, 255), (-128, 127), (0, 256), (-1000, 1000), (0, 1)]


@given(
    seed=st.integers(0, 2**32 - 1),
    rows=st.integers(1, 11),
    columns=st.one_of(st.integers(1, 11), st.just(700)),
    features=st.one_of(st.integers(1, 130), st.just(784)),
    ranges=st.tuples(st.sampled_from(RANGES), st.sampled_from(RANGES)),
    threads=st.integers(1, 3),
)
def test_products_are_exact(seed, rows, columns, features, ranges, threads):
    rng = np.random.default_rng(seed)
    A, B = (
        rng.integers(*limits, (n, features), endpoint=True) for n, limits in zip((rows, columns), ranges, strict=True)
    )
    A[0], B[0] = ranges[0][1], ranges[1][1]  # as long as can be
    left, right = alike(narrowed(A.astype(float)), narrowed(B.astype(float)))
    products = np.full((rows, columns), np.nan)
    assert integer_kernel_values(KernelFunction("linear"), left, right, products, threads)
    assert np.array_equal(products, A @ B.T)
    for name in ("poly", "rbf", "sigmoid"):
        kernel = KernelFunction(name, 0.001, 3, 0.5)
        narrow, wide = np.empty((rows, columns)), np.empty((rows, columns))
        integer_kernel_values(kernel, left, right, narrow, threads)
        kernel_values(kernel, Rows.dense(A.astype(float)), Rows.dense(B.astype(float)), wide, threads)
        assert narrow.tobytes() == wide.tobytes()


@pytest.mark.parametrize("value", [0.5, 32768.0, -32769.0, 1e300, np.inf, np.nan])
def test_values_that_are_not_small_integers_are_left_unchanged(value):
    X = np.ones((300, 3))
    X[280, 1] = value
    assert narrowed(X) is None


def test_rows_whose_products_exceed_32_bits_are_left_unchanged():
    assert narrowed(np.full((1, 2), 32767.0)) is not None
    assert narrowed(np.full((1, 3), 32767.0)) is None


@pytest.mark.skipif(not MULTIPLIES_BYTES, reason="this processor multiplies bytes no faster than 16-bit integers")
def test_pixels_become_bytes_and_rows_begin_with_a_line():
    pixels = narrowed(np.full((3, 784), 255.0))
    assert pixels.dtype == np.uint8
    assert pixels.ctypes.data % 64 == 0
    assert pixels.shape[1] % 64 == 0
    assert narrowed(np.full((1, 70_000), 1.0)).dtype == np.int16  # 128 times a sum would leave 32 bits
    assert narrowed(np.full((3, 784), -1.0)).dtype == np.int16
