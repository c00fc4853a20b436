"""Exhaustive search for the minimum number of hidden units, for up to four variables.

A two-layer network with k hidden units is a gate (a threshold function of k inputs) applied to k threshold functions.
A gate that ignores an input needs fewer units. A gate that decreases in an input is an increasing gate of the negated
unit, which is a threshold function too. So it is enough to try increasing gates that depend on all inputs, one per
family. The search enumerates all choices of k − 1 units. In rows where the gate then still depends on the last unit,
that unit must equal the function; in all other rows the gate must already have the right value.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rosenblatt.boolean.threshold.families import families
from rosenblatt.boolean.truth_tables import Table, n_variables, pack, row_bits

#: The exhaustive search runs up to this many variables and this many hidden units.
EXHAUSTED_VARIABLES, EXHAUSTED_UNITS = 4, 3

Packed = NDArray[np.uint16]


@dataclass(frozen=True)
class Circuit:
    """The hidden units (truth table and weights) and the weights of the gate. Offsets follow from the tables."""

    hidden: list[tuple[Table, list[int]]]
    gate: list[int]


@dataclass(frozen=True)
class _Catalogue:
    tables: list[Table]
    weights: list[tuple[int, ...]]
    packed: Packed
    sizes: NDArray[np.int64]


@cache
def _catalogue(n: int) -> _Catalogue:
    """All threshold functions of n variables, sorted by Σ|w|."""
    found = [member for family in families(n) for member in family.members()]
    found.sort(key=lambda member: (sum(map(abs, member[1])), pack(member[0])))
    packed = np.array([pack(table) for table, _ in found], dtype=np.uint16)
    sizes = np.array([sum(map(abs, weights)) for _, weights in found])
    return _Catalogue([table for table, _ in found], [weights for _, weights in found], packed, sizes)


@cache
def _gates(k: int) -> list[tuple[Table, tuple[int, ...]]]:
    """The increasing gates that depend on all k inputs, one per order of the inputs."""
    return [(family.table, family.weights) for family in families(k) if all(family.essential)]


def fewest(table: Table) -> Circuit | None:
    """Returns a network of two or three hidden units with minimum total weight, or None if none exists.

    The function must have at most four variables and must not be a threshold function.
    """
    for k in range(2, EXHAUSTED_UNITS + 1):
        found = _with(table, k)
        if found is not None:
            return found
    return None


def _with(table: Table, k: int) -> Circuit | None:
    n = n_variables(table)
    units = _catalogue(n)
    f, everywhere = np.uint16(pack(table)), np.uint16((1 << (1 << n)) - 1)
    tried = np.meshgrid(*[units.packed] * (k - 1), indexing="ij", sparse=True)
    spent: Any = sum(np.meshgrid(*[units.sizes] * (k - 1), indexing="ij", sparse=True))
    best: tuple[int, list[int], tuple[int, ...]] | None = None
    for gate, gate_weights in _gates(k):
        without, with_ = (_applied(gate, tried, last, everywhere) for last in (0, 1))
        fits = ((without & ~f) == 0) & ((f & ~with_) == 0)
        if not fits.any():
            continue
        places = np.argwhere(fits)
        matter, which = np.unique((with_ & ~without)[fits], return_inverse=True)
        last, cost = _cheapest(units, f, matter)
        total = spent[fits] + cost[which]
        at = int(np.argmin(total))
        if cost[which[at]] < _NEVER:
            price = int(total[at]) + sum(gate_weights)
            if best is None or price < best[0]:
                best = price, [*map(int, places[at]), int(last[which[at]])], gate_weights
    if best is None:
        return None
    _, chosen, weights = best
    return Circuit([(units.tables[i], list(units.weights[i])) for i in chosen], list(weights))


_NEVER = 1 << 40


def _cheapest(units: _Catalogue, f: np.uint16, matter: Packed) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """For each set of rows, returns the smallest unit that equals f in these rows, and its size."""
    chosen, cost = np.zeros(len(matter), dtype=np.int64), np.full(len(matter), _NEVER)
    for start in range(0, len(matter), 512):
        part = slice(start, start + 512)
        equal = ((units.packed ^ f) & matter[part, None]) == 0
        chosen[part] = np.argmax(equal, axis=1)  # the catalogue is sorted by size
        cost[part] = np.where(equal.any(axis=1), units.sizes[chosen[part]], _NEVER)
    return chosen, cost


def _applied(gate: Table, tried: Sequence[Packed], last: int, everywhere: np.uint16) -> Packed:
    """Evaluates the gate on these units, in all rows at once, with its last input fixed to `last`."""
    k = len(tried) + 1
    out = np.zeros(np.broadcast_shapes(*(h.shape for h in tried)), dtype=np.uint16)
    for row in np.flatnonzero(gate):
        *bits, held = row_bits(int(row), k)
        if held == last:
            term = np.full((1,) * len(tried), everywhere)
            for h, bit in zip(tried, bits, strict=True):
                term = term & (h if bit else ~h & everywhere)
            out |= term
    return out
