"""The checker's signs are those of exact arithmetic, whatever floating point makes of the sums."""

from fractions import Fraction

import hypothesis.strategies as st
import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import given, settings

from rosenblatt import separability
from rosenblatt.theory.separability.verify import exact_signs

values = st.one_of(
    st.integers(-3, 3).map(float),
    st.floats(allow_nan=False, allow_infinity=False),
    st.sampled_from([1.0, 1 + 2**-52, -1.0, 2.0**53, 2.0**53 + 2, 5e-324, -5e-324, 1e308, 2.0**-600]),
)
weights = st.one_of(
    st.integers(-3, 3),
    st.integers(-(2**60), 2**60),
    st.integers(-(2**500), 2**500),
    st.sampled_from([2**53 + 1, -(2**53), 2**1100, -(2**1100) + 1]),
)


@settings(max_examples=300)
@given(st.data(), st.booleans(), st.booleans())
def test_the_signs_are_those_of_fractions(source, offset, sparse):
    n, d = source.draw(st.integers(1, 5)), source.draw(st.integers(1, 3))
    X = np.array(source.draw(st.lists(st.lists(values, min_size=d, max_size=d), min_size=n, max_size=n)))
    vector = source.draw(st.lists(weights, min_size=d + offset, max_size=d + offset))
    signs = np.array(source.draw(st.lists(st.sampled_from([-1, 0, 1]), min_size=n, max_size=n)))
    found = exact_signs(sp.csr_matrix(X) if sparse else X, signs, offset, vector)
    expected = []
    for x, sign in zip(X.tolist(), signs.tolist(), strict=True):
        score = sign * sum(Fraction(a) * b for a, b in zip([1] * offset + x, vector, strict=True))
        expected += [(score > 0) - (score < 0)] if sign else []
    assert found.tolist() == expected


def test_a_score_that_rounding_would_turn_round_is_decided_in_integers():
    X = np.array([[2.0**53, 1.0, -(2.0**53)]])  # 2^53 + 1 is not a float
    assert exact_signs(X, np.array([1]), False, [1, 1, 1]).tolist() == [1]
    assert exact_signs(X, np.array([1]), True, [-1, 1, 1, 1]).tolist() == [0]
    assert exact_signs(X, np.array([-1]), True, [-2, 1, 1, 1]).tolist() == [1]


@pytest.mark.parametrize("value", [np.nan, np.inf, -np.inf])
def test_nothing_is_proved_about_values_that_are_no_numbers(value):
    X, y = np.array([[0.0], [1.0], [2.0]]), np.array([0, 0, 1])
    result = separability(X, y)
    X[2, 0] = value
    assert not result.verify()
