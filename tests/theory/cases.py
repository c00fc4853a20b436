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


def gap_set(size, overlap, n=100, d=2, seed=0):
    """Two classes on the two sides of a plane, `size` from it (a power of two near it), or with one of each too far.

    Multiples of 2⁻⁵⁰, so nothing is rounded. Those too far lie amid the others, whose hull they cannot leave.
    """
    rng = np.random.default_rng(seed)
    y = np.where(np.arange(n) % 2, 1, -1)
    X = rng.integers(-512, 513, (n, d)) / 512
    X[-2:] = 0
    X[:, -1] = X[:, :-1] @ (np.arange(1, d) / 4.0)  # on the plane, exactly
    step = 2.0 ** np.round(np.log2(size))
    X[:, -1] += y * step * np.where(overlap & (np.arange(n) >= n - 2), -1, 1)
    return X, y
