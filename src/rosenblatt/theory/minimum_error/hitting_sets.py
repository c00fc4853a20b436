"""Smallest sets of elements that meet every one of given sets: branch and bound, with a proof of every lower bound.

Floating-point linear programs suggest candidates. Their fractional packings are rounded and recomputed in integers,
and a returned hitting set is checked to hit every set, so nothing depends on rounding. `bound_proof.py` checks a proof
without any search.
"""

from collections import Counter
from collections.abc import Iterable
from typing import Any

import numpy as np
import scipy.sparse as sp
from scipy.optimize import linprog

from rosenblatt.theory.budget import Budget
from rosenblatt.theory.minimum_error.bound_proof import Proof

Sets = list[tuple[int, frozenset[int]]]  # the index of each set among those given, and its elements that are left

_GRID = 1 << 30  # packings are rounded down to multiples of 1 / _GRID
_PROGRAM = 4e6  # cost of a small linear program, in touched values
_ENTRY = 1e3
_ITERATION = 10.0  # cost of an iteration for each set, element and entry
_SUBSET = 30.0


def hitting_set(sets: Iterable[Iterable[int]], most: int, budget: Budget) -> set[int] | Proof:
    """A set of at most `most` elements that meets every set, or the proof that there is none.

    >>> triangle = [{1, 2}, {2, 3}, {1, 3}]
    >>> hitting_set(triangle, 1, Budget())
    {'packing': [[0, 1], [2, 1], [1, 1]], 'unit': 2}
    >>> len(hitting_set(triangle, 2, Budget()))
    2
    """
    return _hit(_smallest(sets, budget), most, budget)


def fractional_cover(sets: Iterable[Iterable[int]], budget: Budget) -> tuple[dict[int, float], int, Proof]:
    """A smallest fractional hitting set, as a guess, and a lower bound on any hitting set with its proof.

    >>> fractional_cover([{1, 2}, {2, 3}, {1, 3}], Budget())
    ({1: 0.5, 2: 0.5, 3: 0.5}, 2, {'packing': [[0, 1], [2, 1], [1, 1]], 'unit': 2})
    """
    smallest = _smallest(sets, budget)
    if not smallest:
        return {}, 0, {"packing": [], "unit": 1}
    cover, parts, unit = _relaxed(smallest, budget)
    return cover, -(-sum(part for _, part in parts) // unit), _packing(parts, unit)


def greedy_hitting_set(sets: Iterable[Iterable[int]], budget: Budget) -> set[int]:
    """A hitting set without redundant elements; it need not be a smallest one.

    >>> sorted(greedy_hitting_set([{1, 2}, {2, 3}, {4}], Budget()))
    [2, 4]
    """
    all_sets = [frozenset(s) for s in sets]
    left, chosen = all_sets, list[int]()
    while left:
        budget.spend(100.0 * sum(map(len, left)))
        count = Counter(a for s in left for a in s)
        best = max(count, key=lambda a: (count[a], -a))
        chosen.append(best)
        left = [s for s in left if best not in s]
    budget.spend(100.0 * len(all_sets) * len(chosen))
    kept = set(chosen)
    for a in chosen:
        if all(len(kept & s) > 1 for s in all_sets if a in s):
            kept.remove(a)
    return kept


def _hit(sets: Sets, most: int, budget: Budget) -> set[int] | Proof:
    if not sets:
        return set()
    budget.spend(200.0 * sum(len(s) for _, s in sets))
    for k, s in sets:
        if not s:
            return {"empty": k}
    disjoint = _disjoint(sets)
    if len(disjoint) > most:
        return _packing([(k, 1) for k in disjoint[: most + 1]], 1)
    if most == 1:
        common = frozenset.intersection(*(s for _, s in sets))
        if common:
            return {min(common)}
    cover, parts, unit = _relaxed(sets, budget)
    if sum(part for _, part in parts) > most * unit:
        return _packing(parts, unit)
    rounded = {a for a, part in cover.items() if part > 0.5}
    if len(rounded) <= most and all(rounded & s for _, s in sets):
        return rounded
    return _branch(sets, most, cover, budget)


def _branch(sets: Sets, most: int, cover: dict[int, float], budget: Budget) -> set[int] | Proof:
    """One case for each element of a shortest set; elements of earlier cases are left out of later ones."""
    count = Counter(a for _, s in sets for a in s)
    chosen, shortest = min(sets, key=lambda pair: len(pair[1]))
    cases: list[list[Any]] = []
    for a in sorted(shortest, key=lambda a: (-cover.get(a, 0.0), -count[a], a)):
        rest = _hit([(k, s) for k, s in sets if a not in s], most - 1, budget)
        if isinstance(rest, set):
            return rest | {a}
        cases.append([a, rest])
        sets = [(k, s - {a}) for k, s in sets]
    return {"branch": chosen, "cases": cases}


def _disjoint(sets: Sets) -> list[int]:
    """Pairwise disjoint sets, chosen greedily: each needs its own element of a hitting set."""
    taken: set[int] = set()
    found = []
    for k, s in sorted(sets, key=lambda pair: len(pair[1])):
        if taken.isdisjoint(s):
            taken |= s
            found.append(k)
    return found


def _packing(parts: list[tuple[int, int]], unit: int) -> Proof:
    return {"packing": [[k, part] for k, part in parts], "unit": unit}


def _relaxed(sets: Sets, budget: Budget) -> tuple[dict[int, float], list[tuple[int, int]], int]:
    """The best fractional cover, as a guess; and a fractional packing, in integers: parts of the sets, and their unit.

    The parts of the sets with a given element sum to at most one unit. Any hitting set has an element in each set, so
    it has at least as many elements as the parts have units.
    """
    elements = sorted(frozenset.union(*(s for _, s in sets)))
    column = {a: j for j, a in enumerate(elements)}
    rows = np.repeat(np.arange(len(sets)), [len(s) for _, s in sets])
    columns = np.array([column[a] for _, s in sets for a in s])
    budget.spend(_PROGRAM + _ENTRY * len(rows))
    table = sp.csr_matrix((np.ones(len(rows)), (rows, columns)), shape=(len(sets), len(elements)))
    found = linprog(np.ones(len(elements)), A_ub=-table, b_ub=-np.ones(len(sets)), bounds=(0, None), method="highs-ds")
    if found.status != 0:
        return {}, [], 1
    budget.charge(_ITERATION * found.nit * (len(sets) + len(elements) + len(rows)))
    shares = np.maximum(-found.ineqlin.marginals, 0)
    parts, unit = min((_rounded(shares, sets, grid) for grid in (2, 6, _GRID)), key=_inverse_size)
    return dict(zip(elements, found.x.tolist(), strict=True)), parts, unit


def _rounded(shares: np.ndarray, sets: Sets, grid: int) -> tuple[list[tuple[int, int]], int]:
    """The shares as multiples of 1 / grid; the unit is the heaviest load of an element, if that is above the grid."""
    parts = [
        (k, part, s)
        for (k, s), part in zip(sets, np.floor(shares * grid + 1e-6).astype(int).tolist(), strict=True)
        if part
    ]
    loads = Counter[int]()
    for _, part, s in parts:
        for a in s:
            loads[a] += part
    return [(k, part) for k, part, _ in parts], max(grid, *loads.values()) if loads else grid


def _inverse_size(packing: tuple[list[tuple[int, int]], int]) -> int:
    """Orders packings by the bound that they prove, largest first; equal ones keep the coarser grid."""
    parts, unit = packing
    return -sum(part for _, part in parts) // unit


def _smallest(sets: Iterable[Iterable[int]], budget: Budget) -> Sets:
    """Removes the sets that contain another one: a set that hits the smaller one hits them, too."""
    given = [(k, frozenset(s)) for k, s in enumerate(sets)]
    budget.spend(_SUBSET * len(given) ** 2)
    kept: Sets = []
    for k, s in sorted(given, key=lambda pair: (len(pair[1]), sorted(pair[1]))):
        if not any(other <= s for _, other in kept):
            kept.append((k, s))
    return kept
