"""Labelled sets that the tests of this folder share."""

import hypothesis.strategies as st
import numpy as np
from hypothesis.extra.numpy import arrays

AND = [[0, 0], [0, 1], [1, 0], [1, 1]], [0, 0, 0, 1]
OR = AND[0], [0, 1, 1, 1]
XOR = AND[0], [0, 1, 1, 0]


@st.composite
def integer_sets(draw, max_examples=10, max_features=4, largest=3):
    """Small integers: ties, duplicates, flat and weakly separable sets come up all the time."""
    n = draw(st.integers(2, max_examples))
    d = draw(st.integers(1, max_features))
    X = draw(arrays(np.int64, (n, d), elements=st.integers(-largest, largest)))
    y = draw(arrays(np.int64, n, elements=st.sampled_from([-1, 1])))
    y[0], y[1] = -1, 1
    return X, y


def gap_set(size, overlap, n=60, d=2, seed=0):
    """Two classes on the two sides of a line, `size` apart, or with one example of each `size` too far.

    Multiples of 2⁻⁵⁰ on the line w = (1, …, 1) − the distance is put into one coordinate, so the gap is what it says.
    """
    rng = np.random.default_rng(seed)
    y = np.where(np.arange(n) % 2, 1, -1)
    X = rng.integers(-512, 513, (n, d)) / 512
    X[:, -1] = X[:, :-1] @ (np.arange(1, d) / 4.0)  # on the line, exactly
    step = 2.0 ** np.round(np.log2(size))
    X[:, -1] += y * step * np.where(overlap & (np.arange(n) >= n - 2), -1, 1)
    return X, y
