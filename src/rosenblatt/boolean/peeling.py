"""A function peeled like an onion: each unit cuts off rows that all have one value.

Of the rows that are left, some unit takes as many as it can on one side of its plane without a row of the other value;
they are done, and the next unit looks at the rest, until one value is left (Marchand, Golea and Ruján 1990). The first
unit that fires decides, which one output unit can express. Parity of n variables peels in n units.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from rosenblatt.boolean.tables import Table, inputs, n_variables
from rosenblatt.boolean.unit import ThresholdUnit

#: Beyond so many variables only the plainest directions are tried: to search for more would cost too much.
_SEARCH_UP_TO = 12
#: A function that needs more units than this is better covered by ANDs.
_MOST_UNITS = 100
_RANDOM_DIRECTIONS = 60
_ALL_SIGNS_UP_TO = 7


@dataclass(frozen=True)
class Peeled:
    """Units in the order in which they decide, and weights of an output unit that lets the first decide."""

    units: list[ThresholdUnit]
    output: list[int]


def peel(table: Table) -> Peeled | None:
    """Units that peel the function, or None if they are too many."""
    n = n_variables(table)
    X = inputs(n).astype(np.int64)
    directions = _directions(n)
    scores = X @ directions.T
    left = np.ones(len(table), dtype=np.bool_)
    units: list[ThresholdUnit] = []
    values: list[bool] = []
    while table[left].any() and not table[left].all():
        if len(units) >= _MOST_UNITS:
            return None
        w = directions[_best(scores[left], table[left])]
        if n <= _SEARCH_UP_TO:
            w = _improved(w, X[left], table[left])
        s = X @ w
        value, bar = _side(s[left], table[left])
        units.append(ThresholdUnit(w.tolist(), -(2 * bar + 1) / 2))
        values.append(value)
        left &= s <= bar
    return Peeled(units, _first_decides(values, rest=bool(table[left][0])))


def _side(s: NDArray[np.int64], value: Table) -> tuple[bool, int]:
    """Which value has the highest scores, and the highest score of the other."""
    true, false = int(s[value].max()), int(s[~value].max())
    return true > false, min(true, false)


def _taken(scores: NDArray[np.int64], value: Table) -> NDArray[np.int64]:
    """How many rows each direction (a column) cuts off."""
    true, false = scores[value], scores[~value]
    of_true = (true > false.max(axis=0)).sum(axis=0)
    of_false = (false > true.max(axis=0)).sum(axis=0)
    taken: NDArray[np.int64] = np.maximum(of_true, of_false)
    return taken


def _best(scores: NDArray[np.int64], value: Table) -> int:
    return int(np.argmax(_taken(scores, value)))


def _improved(w: NDArray[np.int64], X: NDArray[np.int64], value: Table) -> NDArray[np.int64]:
    """Steps of one in one weight, as long as they cut off more."""
    steps = np.vstack([np.eye(len(w), dtype=np.int64), -np.eye(len(w), dtype=np.int64)])
    best = int(_taken((X @ w)[:, None], value)[0])
    while True:
        tried = w + steps
        taken = _taken(X @ tried.T, value)
        if taken.max() <= best:
            return w
        w, best = tried[int(np.argmax(taken))], int(taken.max())


def _directions(n: int) -> NDArray[np.int64]:
    """Where to look first: all signs (or some), single variables, and a few small weights by a fixed seed."""
    rng = np.random.default_rng(0)
    single = np.eye(n, dtype=np.int64)
    if n > _SEARCH_UP_TO:
        plain = np.vstack([np.ones((1, n), dtype=np.int64), single])
        return np.vstack([plain, -plain])
    if n <= _ALL_SIGNS_UP_TO:
        signs = 1 - 2 * inputs(n).astype(np.int64)
    else:
        signs = np.vstack([np.ones((1, n), dtype=np.int64), rng.choice([-1, 1], size=(_RANDOM_DIRECTIONS, n))])
    small = rng.integers(-3, 4, size=(_RANDOM_DIRECTIONS, n))
    found = np.vstack([signs, single, small])
    return np.vstack([found, -found])


def _first_decides(values: list[bool], rest: bool) -> list[int]:
    """Weights with which the first unit that fires outweighs all later ones of the other value, and the rest.

    Where none fires the score is 0, which has the rest's value: the other value must get past it.
    """
    against = {rest: 1, not rest: 0}  # the weight that later units of each value have together, and one to get past
    weights = []
    for value in reversed(values):
        size = against[not value]
        weights.append(size if value else -size)
        against[value] += size
    return weights[::-1]
