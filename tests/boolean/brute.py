"""Brute-force oracles for the tests: definitions evaluated on every row, or for all small weights."""

from functools import cache
from itertools import product

import numpy as np
from hypothesis import strategies as st

from rosenblatt.boolean import BooleanFunction


def rows(n):
    return list(product((0, 1), repeat=n))


@cache
def least_sums(n, largest):
    """Each function that integer weights up to `largest` compute, as a tuple of values, with the least sum of |w|."""
    X = np.array(rows(n)).reshape(2**n, n)
    found = {}
    for w in product(range(-largest, largest + 1), repeat=n):
        scores = X @ np.array(w, dtype=int)
        size = sum(map(abs, w))
        for bar in {*scores.tolist(), int(scores.max()) + 1}:
            values = tuple((scores >= bar).tolist())
            found[values] = min(found.get(values, size), size)
    return found


def functions(least=0, most=4):
    """Any functions of so many variables."""
    return st.integers(least, most).flatmap(
        lambda n: st.lists(st.booleans(), min_size=2**n, max_size=2**n).map(BooleanFunction)
    )


def threshold_tables(least=1, most=6, largest=9):
    """Functions that some unit computes."""

    def make(drawn):
        w, bar = drawn
        return BooleanFunction([int(np.dot(w, x) > bar) for x in rows(len(w))])

    weights = st.lists(st.integers(-largest, largest), min_size=least, max_size=most)
    return weights.flatmap(lambda w: st.tuples(st.just(w), st.integers(-sum(map(abs, w)) - 1, sum(map(abs, w))))).map(
        make
    )
