"""Sequential learning of a two-layer network (Marchand, Golea and Ruján 1990).

Each unit separates as many of the remaining rows as it can find, all of one value, from all other remaining rows. These
rows are removed, and the next unit is chosen for the rest, until all remaining rows have one value. The output is the
value of the first unit that fires; one output unit can express this rule. The parity of n variables needs n units.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from rosenblatt.boolean.truth_tables import Table, inputs, n_variables
from rosenblatt.boolean.unit import ThresholdUnit

#: With more variables than this, only a few simple directions are tried and none is improved, to bound the cost.
_SEARCH_UP_TO = 12
#: The construction gives up after this many units; a cover of ANDs is then usually smaller.
_MAX_UNITS = 100
_RANDOM_DIRECTIONS = 60
_ALL_SIGNS_UP_TO = 7


@dataclass(frozen=True)
class DecisionSequence:
    """Units in the order in which they decide, and output weights for which the first unit that fires decides."""

    units: list[ThresholdUnit]
    output: list[int]


def sequential_units(table: Table) -> DecisionSequence | None:
    """Learns the units for a truth table; None if more than `_MAX_UNITS` would be needed."""
    n = n_variables(table)
    X = inputs(n).astype(np.int64)
    directions = _directions(n)
    scores = X @ directions.T
    left = np.ones(len(table), dtype=np.bool_)
    units: list[ThresholdUnit] = []
    values: list[bool] = []
    while table[left].any() and not table[left].all():
        if len(units) >= _MAX_UNITS:
            return None
        w = directions[_best(scores[left], table[left])]
        if n <= _SEARCH_UP_TO:
            w = _improved(w, X[left], table[left])
        s = X @ w
        value, threshold = _side(s[left], table[left])
        units.append(ThresholdUnit(w.tolist(), -(2 * threshold + 1) / 2))
        values.append(value)
        left &= s <= threshold
    return DecisionSequence(units, _first_decides(values, rest=bool(table[left][0])))


def _side(s: NDArray[np.int64], value: Table) -> tuple[bool, int]:
    """Returns the value of the row with the highest score, and the highest score of the other value."""
    true, false = int(s[value].max()), int(s[~value].max())
    return true > false, min(true, false)


def _taken(scores: NDArray[np.int64], value: Table) -> NDArray[np.int64]:
    """Counts the rows that each direction (a column of scores) separates from the others."""
    true, false = scores[value], scores[~value]
    of_true = (true > false.max(axis=0)).sum(axis=0)
    of_false = (false > true.max(axis=0)).sum(axis=0)
    taken: NDArray[np.int64] = np.maximum(of_true, of_false)
    return taken


def _best(scores: NDArray[np.int64], value: Table) -> int:
    return int(np.argmax(_taken(scores, value)))


def _improved(w: NDArray[np.int64], X: NDArray[np.int64], value: Table) -> NDArray[np.int64]:
    """Hill climbing: changes one weight by 1 as long as that separates more rows."""
    steps = np.vstack([np.eye(len(w), dtype=np.int64), -np.eye(len(w), dtype=np.int64)])
    best = int(_taken((X @ w)[:, None], value)[0])
    while True:
        tried = w + steps
        taken = _taken(X @ tried.T, value)
        if taken.max() <= best:
            return w
        w, best = tried[int(np.argmax(taken))], int(taken.max())


def _directions(n: int) -> NDArray[np.int64]:
    """Initial directions: sign vectors (all or a sample), single variables, and random small integers, fixed seed."""
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
    """Output weights for which the first unit that fires outweighs all later units of the other value.

    If no unit fires, the score is 0 and means the value `rest`; so a unit of the other value must outweigh one more.
    """
    against = {rest: 1, not rest: 0}  # total weight of the later units of each value, plus 1 for `rest`
    weights = []
    for value in reversed(values):
        size = against[not value]
        weights.append(size if value else -size)
        against[value] += size
    return weights[::-1]
