"""The fewest hidden units for up to four variables, by exhaustion.

A two-layer network with k hidden units is a gate (a threshold function of k inputs) of k threshold functions. A gate
that ignores an input needs fewer units, and one that falls in an input is a rising gate of the negated unit, which is a
threshold function too; so it is enough to try the rising gates that depend on all inputs, one for each family. Of the
units all but one are tried; where the gate then still depends on the last, that must equal the function, and elsewhere
the gate must have the right value already.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rosenblatt.boolean.families import families
from rosenblatt.boolean.tables import Table, n_variables, pack, row_bits

#: Variables for which all threshold functions are tried, and the most hidden units for which that is done.
EXHAUSTED_VARIABLES, EXHAUSTED_UNITS = 4, 3

Packed = NDArray[np.uint16]


@dataclass(frozen=True)
class Circuit:
    """Weights of the hidden units and of the gate; thresholds follow from the tables."""

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
    """Every threshold function of n variables, the smallest first."""
    found = [member for family in families(n) for member in family.members()]
    found.sort(key=lambda member: (sum(map(abs, member[1])), pack(member[0])))
    packed = np.array([pack(table) for table, _ in found], dtype=np.uint16)
    sizes = np.array([sum(map(abs, weights)) for _, weights in found])
    return _Catalogue([table for table, _ in found], [weights for _, weights in found], packed, sizes)


@cache
def _gates(k: int) -> list[tuple[Table, tuple[int, ...]]]:
    """The rising gates that depend on all k inputs, up to the order of inputs."""
    return [(family.table, family.weights) for family in families(k) if all(family.essential)]


def fewest(table: Table) -> Circuit | None:
    """A network of two or three hidden units, of the least weight, or None: then there is none so small.

    The function must have at most four variables and be no threshold function.
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
    """For each set of rows that matter, the smallest unit that equals f there, and its size."""
    chosen, cost = np.zeros(len(matter), dtype=np.int64), np.full(len(matter), _NEVER)
    for start in range(0, len(matter), 512):
        part = slice(start, start + 512)
        equal = ((units.packed ^ f) & matter[part, None]) == 0
        chosen[part] = np.argmax(equal, axis=1)  # the catalogue begins with the smallest
        cost[part] = np.where(equal.any(axis=1), units.sizes[chosen[part]], _NEVER)
    return chosen, cost


def _applied(gate: Table, tried: Sequence[Packed], last: int, everywhere: np.uint16) -> Packed:
    """The gate of these units, row by row of their tables, its last input held."""
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
