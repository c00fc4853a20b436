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
        slack = 2 * (p_error + abs(at) * q_error) / (abs(q) - q_error) + 8 * UNIT * abs(at) + TINY
    moving = (abs(q) > 2 * q_error) & np.isfinite(at) & np.isfinite(slack)
    rising, falling = moving & (q > 0), moving & (q < 0)
    with np.errstate(invalid="ignore"):
        late, early = at + slack, at - slack
    _, high = _balances(np.where(moving, np.where(rising, early, late), np.inf), rising, merge=False)
    low, _ = _balances(np.where(moving, np.where(rising, late, early), np.inf), rising, merge=False)
    one, other = np.count_nonzero(rising, axis=1) - high, np.count_nonzero(falling, axis=1) + low
    fewest: Counts = np.minimum(one, other)
    return fewest


def _balances(keys: Floats, rising: NDArray[np.bool_], merge: bool) -> tuple[Counts, Counts]:
    """The smallest and the largest number of rising minus falling keys below any t; keys of +∞ do not count.

    Each key is sorted together with its kind, in its lowest bit. With `merge`, there is no t between equal keys.
    """
    marked = np.where(np.isfinite(keys), (keys.view(np.int64) & ~1 | rising).view(np.float64), np.inf)
    marked.sort(axis=1)
    finite, bits = np.isfinite(marked), marked.view(np.int64)
    balance = np.cumsum(np.where(finite, 2 * (bits & 1) - 1, 0), axis=1)
    if merge:
        bits >>= 1
        inside = finite[:, :-1] & (bits[:, :-1] == bits[:, 1:])
        balance[:, :-1][inside] = 0  # the balance before all keys, which counts anyway
    return balance.min(axis=1, initial=0), balance.max(axis=1, initial=0)
