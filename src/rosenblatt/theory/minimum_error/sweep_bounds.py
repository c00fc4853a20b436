"""The errors of all w = a + t·b, and of all −w, for many pairs (a, b) at once: each line sorts the t at which z·w = 0.

Each row of p = z·a and q = z·b is one pair, each column one example. Instead of t = −p / q, from −∞ to ∞, its image
s = t / (1 + |t|) = −p / ±(|p| + |q|), with the sign of q, is sorted: from −1 to 1, in integers of a grid.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Counts = NDArray[np.int64]

EXACT = 2.0**25  # two quotients s of integers with |p| + |q| below this differ by 2^−50, or they are equal
UNIT = 2.0**-53
TINY = 2.0**-900  # covers all underflow: the numbers are at most 2^53 and rounded once

_LEAST_BITS, _SHORT_BITS, _LONG_BITS = 16, 28, 52  # of the grid; short ones are sorted in half the time
_SHORT = 2.0**13  # a quotient of smaller integers has its own point of the short grid
_CLEAR = 5  # examples whose doubled points differ by more are in this order: each point is off by less than 1.25
_ROOM = 2.0**4  # |p| + |q| is at least this many grid constants times the error of p and q, see `close_bounds`


def exact_bounds(p: Floats, q: Floats) -> Counts:
    """The fewest errors of an arc, for p = z·a and q = z·b in integers with |p| + |q| < `EXACT`. Overwrites p."""
    sizes = abs(q)
    sizes += abs(p)
    bits = _SHORT_BITS if sizes.max(initial=0.0) < _SHORT else _LONG_BITS
    return _bounds(p, q, sizes, sizes < 0.5, bits, merge=True)


def close_bounds(p: Floats, q: Floats, error: Floats) -> Counts:
    """A lower bound on the errors of every arc, for p and q with an error of at most `error` in each row. Overwrites p.

    The sign of each q, or that it is 0, must be right. An example whose |p| + |q| is so small that s may be off by a
    quarter of the grid or more counts as right. With errors of at most e in p and q, s is off by 3e / (|p| + |q|).
    """
    bits = int(np.clip(2 * p.shape[1].bit_length() + 4, _LEAST_BITS, _SHORT_BITS))
    sizes = abs(q)
    sizes += abs(p)
    return _bounds(p, q, sizes, sizes < (_ROOM * 2.0**bits * error)[:, None], bits, merge=False)


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
    high = _balances(sooner, rising).max(axis=1, initial=0)
    low = _balances(later, rising).min(axis=1, initial=0)
    rises = np.count_nonzero(rising, axis=1)
    one, other = rises - high, np.count_nonzero(moving, axis=1) - rises + low
    fewest: Counts = np.minimum(one, other)
    return fewest


def _balances(keys: Floats, rising: NDArray[np.bool_]) -> NDArray[np.int32]:
    """The number of rising minus falling keys up to each key, in order; keys of +∞ do not count.

    Each key is sorted together with its kind, in its lowest bit. Overwrites the keys.
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
    return np.cumsum(steps, axis=1, dtype=np.int32)


def _bounds(p: Floats, q: Floats, sizes: Floats, ignored: NDArray[np.bool_], bits: int, merge: bool) -> Counts:
    """The bounds with s on a grid of 2^−bits; overwrites p, `sizes` = |p| + |q| and `ignored`.

    With `merge`, equal points are equal s, so that there is no t between them. Without, the order of points closer than
    `_CLEAR` is not known: there the bounds take the order that is worst for them.
    """
    still = q == 0
    positive = negative = np.zeros(len(p), dtype=np.int64)
    if still.any():
        fixed = still & ~ignored
        positive, negative = np.count_nonzero(fixed & (p > 0), axis=1), np.count_nonzero(fixed & (p < 0), axis=1)
        ignored |= still
    rising = q > 0
    np.copysign(sizes, q, out=sizes)
    with np.errstate(divide="ignore", invalid="ignore"):
        p /= sizes
        p *= -(2.0**bits)
        points: NDArray[Any] = p.astype(np.int32 if bits <= _SHORT_BITS else np.int64)
    points *= 2
    points += rising
    last = 4 << bits  # above all points
    np.copyto(points, last, where=ignored)
    rising &= ~ignored
    left_out = np.count_nonzero(ignored, axis=1)
    points.sort(axis=1)
    points = points[:, : p.shape[1] - left_out.min(initial=p.shape[1])]
    balance, steps = _running_balance(points, last)
    high, low = balance.max(axis=1, initial=0), balance.min(axis=1, initial=0)
    if merge:
        points >>= 1
        inside = (points[:, :-1] == points[:, 1:]) & (steps[:, :-1] != 0)
        balance[:, :-1][inside] = 0  # the balance before all points, which counts anyway
        high, low = balance.max(axis=1, initial=0), balance.min(axis=1, initial=0)
    else:
        near = points[:, 1:] - points[:, :-1] <= _CLEAR
        if len(unclear := np.flatnonzero(near.any(axis=1))):
            some = points[unclear]
            high[unclear] = _running_balance(np.sort(some - 6 * (some & 1), axis=1), last)[0].max(axis=1, initial=0)
            some -= 4 * ((some & 1 == 0) & (some < last))
            low[unclear] = _running_balance(np.sort(some, axis=1), last)[0].min(axis=1, initial=0)
    rises = np.count_nonzero(rising, axis=1)
    falls = p.shape[1] - left_out - rises
    fewest: Counts = np.minimum(rises + negative - high, falls + positive + low)
    return fewest


def _running_balance(points: NDArray[Any], last: int) -> tuple[NDArray[Any], NDArray[np.int8]]:
    """The number of rising (odd) minus falling points up to each point, and its steps; `last` does not count."""
    steps = (points & 1).astype(np.int8)
    steps *= 2
    steps -= 1
    if np.any(points[:, -1:] == last):
        steps[points == last] = 0
    return np.cumsum(steps, axis=1, dtype=np.int16 if points.shape[1] < 1 << 15 else np.int32), steps
