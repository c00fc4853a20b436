"""The errors of all w = a + t·b, and of all −w, for many pairs (a, b) at once: each line sorts the t at which z·w = 0.

Each row of p = z·a and q = z·b is one pair, each column one example.
"""

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Counts = NDArray[np.int64]

EXACT = 2.0**25  # quotients of smaller integers are equal in floating point only if they are equal
UNIT = 2.0**-53
TINY = 2.0**-900  # covers all underflow: the numbers are at most 2^53 and rounded once


def exact_bounds(p: Floats, q: Floats) -> Counts:
    """The fewest errors of an arc, for p = z·a and q = z·b in small integers: z·w is 0 at t = −p / q."""
    rising, falling, still = q > 0, q < 0, q == 0
    with np.errstate(divide="ignore", invalid="ignore"):
        low, high = _balances(np.where(still, np.inf, 0.0 - p / q), rising, merge=True)
    one = np.count_nonzero(rising, axis=1) + np.count_nonzero(still & (p < 0), axis=1) - high
    other = np.count_nonzero(falling, axis=1) + np.count_nonzero(still & (p > 0), axis=1) + low
    fewest: Counts = np.minimum(one, other)
    return fewest


def safe_bounds(p: Floats, q: Floats, p_error: Floats, q_error: Floats) -> Counts:
    """A lower bound: where rounding leaves doubt, an example is right for a little longer on either side, or always."""
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        at = -p / q
        size, steepness = abs(at), abs(q)
        moving = steepness > 2 * q_error
        slack = size * q_error
        slack += p_error
        slack *= 2
        steepness -= q_error
        slack /= steepness
        slack += 8 * UNIT * size
        slack += TINY
        size += slack
        moving &= size < np.inf
        rising = moving & (q > 0)
        np.negative(slack, out=slack, where=rising)
        sooner, later = at + slack, at - slack  # of a rising example; for a falling one the other way round
    if not moving.all():
        sooner[~moving] = later[~moving] = np.inf
    _, high = _balances(sooner, rising, merge=False)
    low, _ = _balances(later, rising, merge=False)
    rises = np.count_nonzero(rising, axis=1)
    one, other = rises - high, np.count_nonzero(moving, axis=1) - rises + low
    fewest: Counts = np.minimum(one, other)
    return fewest


def _balances(keys: Floats, rising: NDArray[np.bool_], merge: bool) -> tuple[Counts, Counts]:
    """The smallest and the largest number of rising minus falling keys below any t; keys of +∞ do not count.

    Each key is sorted together with its kind, in its lowest bit. With `merge`, there is no t between equal keys.
    Overwrites the keys.
    """
    bits = keys.view(np.int64)
    bits &= ~1
    bits |= rising & (keys < np.inf)
    keys.sort(axis=1)
    steps = (bits & 1).astype(np.int8)
    steps *= 2
    steps -= 1
    if not np.all(keys[:, -1:] < np.inf):
        steps[keys == np.inf] = 0
    balance = np.cumsum(steps, axis=1, dtype=np.int32)
    if merge:
        bits >>= 1
        inside = (bits[:, :-1] == bits[:, 1:]) & (steps[:, :-1] != 0)
        balance[:, :-1][inside] = 0  # the balance before all keys, which counts anyway
    return balance.min(axis=1, initial=0), balance.max(axis=1, initial=0)
