"""Checks an answer in integers against a system that was built anew from the data."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from flint import fmpz_mat, nmod_mat
from numpy.typing import NDArray

from rosenblatt.theory.existence.model.system import System
from rosenblatt.theory.existence.recession.coefficients import Coefficients, is_one_ray, used_coordinates
from rosenblatt.theory.existence.recession.level_paths import Residuals
from rosenblatt.theory.existence.recession.solve import Direction, Solution, balance, scores

_PRIME = 2**61 - 1


def decomposition_holds(system: System, solution: Solution) -> bool:
    """Whether one direction makes all positive rows positive, and no direction makes any other row positive."""
    positive, multipliers = solution.positive, solution.multipliers
    if len(positive) != len(system.rows) or len(multipliers) != len(system.rows):
        return False
    found = scores(system, solution.direction)
    return bool(
        np.all(found[positive] > 0)
        and np.all(found[~positive] == 0)
        and not np.any(positive & system.equality)
        and np.all(multipliers[positive] == 0)
        and np.all(multipliers[~positive & ~system.equality] > 0)
        and balance(system, multipliers)
    )


def coefficients_hold(system: System, solution: Solution, found: Coefficients) -> bool:
    """Whether each status agrees with the null spaces and the signs over the cone of recession."""
    everything = np.ones(len(system.rows), dtype=bool)
    if not _is_null_space(system, ~solution.positive, found.null):
        return False
    if not _is_null_space(system, everything, found.aliased):
        return False
    w = solution.direction.w
    one_ray = is_one_ray(system, solution, found.null, found.aliased)
    infinite, aliased = used_coordinates(found.null), used_coordinates(found.aliased)
    for j, status in enumerate(found.statuses):
        if j not in infinite:
            right = status == "finite"
        elif j in aliased or not w[j]:
            right = status == "undefined"
        elif status == "undecided":  # not finite; its sign has no proof and is not claimed
            right = j not in found.opposite and j not in found.farkas
        elif j in found.opposite:
            right = status == "undefined" and _is_opposite(system, found.opposite[j], j, w[j])
        else:
            right = status == ("+inf" if w[j] > 0 else "-inf")
            right = right and (one_ray or (j in found.farkas and _keeps_sign(system, found.farkas[j], j, w[j])))
        if not right:
            return False
    return True


def _is_opposite(system: System, direction: Direction, j: int, main: int) -> bool:
    found = scores(system, direction)
    differs = direction.w[j] * main < 0  # Python integers: np.sign of one from 2⁶³ on is unsigned
    return bool(np.all(found >= 0) and not np.any(found[system.equality] != 0) and differs)


def _keeps_sign(system: System, multipliers: Any, j: int, main: int) -> bool:
    """Whether t·(−sign·e_j) + Σ λz = 0 with t > 0 and λ ≥ 0 on inequalities: then sign·w_j ≥ 0 on the whole cone."""
    if len(multipliers) != len(system.rows) + 1 or not multipliers[-1] > 0:
        return False
    longer = system.with_row({j: -1 if main > 0 else 1})
    return bool(np.all(multipliers[~longer.equality] >= 0)) and balance(longer, multipliers)


def _is_null_space(system: System, chosen: NDArray[np.bool_], basis: Sequence[Direction]) -> bool:
    """Whether these are a basis of the directions that are 0 on the chosen rows.

    They must be 0 there and independent, and their number plus the rank of the rows must equal the dimension.
    """
    width = system.rows.width
    for v in basis:
        if np.any(scores(system, v)[chosen] != 0):
            return False
    if not _are_independent([v.w for v in basis]):
        return False
    rows: Any = system.rows.take(np.flatnonzero(chosen))
    if system.network is not None:
        network = system.network
        rows = Residuals(rows, network.tail[chosen], network.head[chosen], network.nodes)
    return rank_reaches(rows, width - len(basis))


def _are_independent(vectors: list[list[int]]) -> bool:
    """Whether the vectors are linearly independent.

    A vector with a coordinate that is 0 in all others is independent of them; the rest needs a rank. In a basis of a
    null space nearly every vector has such a coordinate.
    """
    if not vectors:
        return True
    nonzero = np.array([[a != 0 for a in v] for v in vectors])
    alone = nonzero.sum(axis=0) == 1
    others = [v for v, own in zip(vectors, (nonzero & alone).any(axis=1).tolist(), strict=True) if not own]
    return not others or _has_rank(fmpz_mat(others), len(others))


def _has_rank(table: fmpz_mat, needed: int) -> bool:
    """Whether the rank is at least `needed`. A rank modulo a prime is never above the true one, but it may be below."""
    return int(nmod_mat(table, _PRIME).rank()) >= needed or int(table.rank()) >= needed


def rank_reaches(rows: Any, needed: int) -> bool:
    """Whether the rank of the rows is at least `needed`, modulo a prime, by a few rows.

    While their rank is too small, one more row joins for each vector of their null space.
    """
    chosen = np.arange(min(len(rows), 2 * needed))
    while True:
        table = rows.dense(chosen)
        if int(nmod_mat(table, _PRIME).rank()) >= needed:
            return True
        null, nullity = table.nullspace()
        if rows.width - int(nullity) >= needed:  # the rank modulo the prime was too small
            return True
        vectors = ([int(null[i, k]) for i in range(rows.width)] for k in range(int(nullity)))
        others = [hits[0] for v in vectors if len(hits := np.flatnonzero(rows.dot(v) != 0))]
        if not others:
            return False
        chosen = np.union1d(chosen, others)
