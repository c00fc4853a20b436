"""The smallest set that meets every set of a collection (minimum hitting set), as a question of yes or no.

Branch and bound. A linear program guides it, but nothing rests on floating point: a bound is used only after its
fractional packing was checked in integers, and a set that is returned was seen to hit every set.
"""

from collections import Counter
from collections.abc import Iterable

import numpy as np
import scipy.sparse as sp
from scipy.optimize import linprog

from rosenblatt.theory.budget import Budget

Sets = list[frozenset[int]]

_GRID = 1 << 30  # packings are rounded down to multiples of its inverse
_PROGRAM = 3e6  # a small linear program, in touched values
_ENTRY = 2e3


def hitting_set(sets: Iterable[Iterable[int]], most: int, budget: Budget) -> set[int] | None:
    """At most so many elements that meet every set, or None: there are none.

    >>> triangle = [{1, 2}, {2, 3}, {1, 3}]
    >>> hitting_set(triangle, 1, Budget()) is None, len(hitting_set(triangle, 2, Budget()))
    (True, 2)
    """
    return _hit(_smallest([frozenset(s) for s in sets], budget), most, budget)


def fewest_hits(sets: Iterable[Iterable[int]], budget: Budget) -> int:
    """A hitting set has at least so many elements, by one linear program; there need not be one with so few.

    >>> fewest_hits([{1, 2}, {2, 3}, {1, 3}], Budget())
    2
    """
    smallest = _smallest([frozenset(s) for s in sets], budget)
    if not smallest:
        return 0
    budget.spend(_PROGRAM + _ENTRY * sum(map(len, smallest)))
    return -(-_relaxed(smallest)[1] // _GRID)


def greedy_hitting_set(sets: Iterable[Iterable[int]], budget: Budget) -> set[int]:
    """A set that meets every set, without an element that it could do without; it need not be a smallest one.

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
    budget.spend(50.0 * len(all_sets) * len(chosen))
    kept = set(chosen)
    for a in chosen:
        if all(len(kept & s) > 1 for s in all_sets if a in s):
            kept.remove(a)
    return kept


def _hit(sets: Sets, most: int, budget: Budget) -> set[int] | None:
    if not sets:
        return set()
    entries = sum(map(len, sets))
    budget.spend(200.0 * entries)
    if most <= 0 or not all(sets) or _disjoint(sets) > most:
        return None
    if most == 1:
        common = frozenset.intersection(*sets)
        return {min(common)} if common else None
    budget.spend(_PROGRAM + _ENTRY * entries)
    cover, packing = _relaxed(sets)
    if packing > most * _GRID:
        return None
    rounded = {a for a, part in cover.items() if part > 0.5}
    if len(rounded) <= most and all(rounded & s for s in sets):
        return rounded
    count = Counter(a for s in sets for a in s)
    shortest = min(sets, key=len)
    for a in sorted(shortest, key=lambda a: (-cover.get(a, 0.0), -count[a], a)):
        rest = _hit([s for s in sets if a not in s], most - 1, budget)
        if rest is not None:
            return rest | {a}
        sets = [s - {a} for s in sets]  # every answer with `a` has been looked for
    return None


def _disjoint(sets: Sets) -> int:
    """Of how many sets no two meet, greedily: each needs an element of its own."""
    taken: set[int] = set()
    found = 0
    for s in sorted(sets, key=len):
        if taken.isdisjoint(s):
            taken |= s
            found += 1
    return found


def _relaxed(sets: Sets) -> tuple[dict[int, float], int]:
    """The best fractional cover, as a guess, and the size of a fractional packing, times the grid, as a proof.

    Parts p ≥ 0 of the sets with at most 1 in all on each element: any hitting set has at least Σ p elements, for it
    has one in each set and each of its elements pays at most 1.
    """
    elements = sorted(frozenset.union(*sets))
    column = {a: j for j, a in enumerate(elements)}
    rows = np.repeat(np.arange(len(sets)), [len(s) for s in sets])
    columns = np.array([column[a] for s in sets for a in sorted(s)])
    table = sp.csr_matrix((np.ones(len(rows)), (rows, columns)), shape=(len(sets), len(elements)))
    found = linprog(np.ones(len(elements)), A_ub=-table, b_ub=-np.ones(len(sets)), bounds=(0, None), method="highs-ds")
    if found.status != 0:
        return {}, 0
    parts = [max(0, int(part * _GRID)) for part in (-found.ineqlin.marginals).tolist()]
    loads = Counter[int]()
    for s, part in zip(sets, parts, strict=True):
        for a in s:
            loads[a] += part
    heaviest = max(_GRID, *loads.values())  # above 1 by a rounding error: all parts shrink
    return dict(zip(elements, found.x.tolist(), strict=True)), sum(parts) * _GRID // heaviest


def _smallest(sets: Sets, budget: Budget) -> Sets:
    """Without the sets that contain another one: what hits that one hits them."""
    budget.spend(50.0 * len(sets) ** 2)
    kept: Sets = []
    for s in sorted(set(sets), key=lambda s: (len(s), sorted(s))):
        if not any(other <= s for other in kept):
            kept.append(s)
    return kept
