"""Which coefficients have finite estimates, and the limits of the others.

Let C be the cone of directions of recession and U the rows that are 0 on all of it. The relative interior of C is open
in the null space of U. So a coefficient is the same for every maximising sequence exactly if its unit vector lies in
the row space of U: it is finite. Otherwise it goes to +∞ or −∞ if it has that sign on all of C, which Farkas'
multipliers prove. If C has directions of both signs, its sign is not determined.
"""

from dataclasses import dataclass
from itertools import compress
from typing import Literal, Protocol

import numpy as np
from flint import fmpz_mat
from numpy.typing import NDArray

from rosenblatt.theory.budget import Budget, OutOfBudgetError
from rosenblatt.theory.exact.linear_algebra import Matrix, null_space, primitive
from rosenblatt.theory.existence.model.exact_columns import Integers, shortest
from rosenblatt.theory.existence.model.system import System
from rosenblatt.theory.existence.recession.level_paths import Residuals, component_count
from rosenblatt.theory.existence.recession.solve import Direction, Solution, scores, solve

Status = Literal["finite", "+inf", "-inf", "undefined", "undecided"]

#: Charge per coordinate of a vector of a null space: to find it, to check it, and to verify it with the answer.
_VECTOR_COST = 600.0


class Rows(Protocol):
    """Rows of integers with products and selection."""

    @property
    def width(self) -> int: ...
    def __len__(self) -> int: ...
    def dot(self, w: list[int]) -> Integers: ...
    def dense(self, rows: NDArray[np.int64]) -> fmpz_mat: ...


@dataclass(frozen=True)
class Coefficients:
    """The status of each coefficient, with its proof.

    `null`: a basis of the directions that are 0 on all unseparated rows. `aliased`: a basis of those that are 0 on all
    rows. `opposite[j]`: a direction of recession whose sign at j is opposite to that of the main direction.
    `farkas[j]`: multipliers that add up to a multiple of the unit vector j.
    """

    statuses: list[Status]
    null: list[Direction]
    aliased: list[Direction]
    opposite: dict[int, Direction]
    farkas: dict[int, Integers]


def coefficients_of(system: System, solution: Solution, budget: Budget) -> Coefficients:
    """The statuses of the reported coefficients. Where the budget does not suffice for a sign, it is undecided."""
    count = len(system.names)
    null = null_directions(system, ~solution.positive, budget)
    aliased = null if not solution.positive.any() else null_directions(system, np.ones_like(solution.positive), budget)
    infinite = used_coordinates(null) & set(range(count))
    undefined = infinite & used_coordinates(aliased)
    open_signs = sorted(infinite - undefined)
    w = solution.direction.w
    opposite: dict[int, Direction] = {}
    farkas: dict[int, Integers] = {}
    undecided: set[int] = set()
    if not is_one_ray(system, solution, null, aliased):
        opposite = _along_null(system, solution, null, [j for j in open_signs if w[j]])
        undecided = {j for j in open_signs if w[j] and j not in opposite}
        for j in sorted(undecided):
            try:
                proof = sign_over_cone(system, {j: -1 if w[j] > 0 else 1}, (0, 0), budget)
            except OutOfBudgetError:
                break
            undecided.remove(j)
            if isinstance(proof, Direction):
                opposite[j] = proof
            else:
                farkas[j] = proof
    statuses: list[Status] = []
    for j in range(count):
        if j not in infinite:
            statuses.append("finite")
        elif j in undefined or j in opposite or not w[j]:
            statuses.append("undefined")
        elif j in undecided:
            statuses.append("undecided")
        else:
            statuses.append("+inf" if w[j] > 0 else "-inf")
    return Coefficients(statuses, null, aliased, opposite, farkas)


def used_coordinates(vectors: list[Direction]) -> set[int]:
    """The coefficients at which some of these vectors are not 0."""
    return set().union(*(compress(range(len(v.w)), v.w) for v in vectors))


def sign_over_cone(system: System, row: dict[int, int], arc: tuple[int, int], budget: Budget) -> Direction | Integers:
    """A direction of recession in which the row is positive, or multipliers that prove that there is none.

    The row is that of columns, by position, and of the levels φ[tail] − φ[head] of an arc.
    """
    found = solve(system.with_row(row, arc), budget)
    return found.direction if found.positive[-1] else found.multipliers


def is_one_ray(system: System, solution: Solution, null: list[Direction], aliased: list[Direction]) -> bool:
    """Whether the cone is one ray, up to directions that are 0 on all rows: then no coefficient has two signs.

    On a network the levels have further directions: one per connected component.
    """
    dimension = len(null) - len(aliased)
    if system.network is not None:
        network, kept = system.network, ~solution.positive
        dimension += component_count(network.tail[kept], network.head[kept], network.nodes)
        dimension -= component_count(network.tail, network.head, network.nodes)
    return dimension <= 1


def null_directions(system: System, chosen: NDArray[np.bool_], budget: Budget) -> list[Direction]:
    """A basis, up to directions of the levels alone, of the directions that are 0 on the chosen rows."""
    rows = system.rows.take(np.flatnonzero(chosen))
    if system.network is None:
        return [Direction(v) for v in null_basis(rows, budget)]
    network = system.network
    residuals = Residuals(rows, network.tail[chosen], network.head[chosen], network.nodes)
    return [Direction(v, residuals.levels(v)) for v in null_basis(residuals, budget)]


def null_basis(rows: Rows, budget: Budget) -> Matrix:
    """A basis in integers of the w with row·w = 0 for every row.

    Begins with few rows and adds rows that a vector of their null space violates, one for each vector.
    """
    width = rows.width
    if not width:
        return []
    count = min(len(rows), 2 * width + 10)
    rng = np.random.default_rng(0)
    chosen = np.sort(rng.choice(len(rows), count, replace=False)) if count else np.arange(0)
    budget.spend(_VECTOR_COST * width * max(0, width - len(rows)))
    while True:
        table = [[int(a) for a in row] for row in rows.dense(chosen).tolist()]
        basis = null_space(table, budget) if table else [[int(j == k) for j in range(width)] for k in range(width)]
        if len(chosen) == len(rows):
            return basis
        added = []
        for vector in basis:
            budget.spend(10.0 * len(rows))
            violated = np.flatnonzero(rows.dot(vector) != 0)
            if len(violated):
                added.append(rng.choice(violated))
        if not added:
            return basis
        chosen = np.union1d(chosen, added)


def _along_null(system: System, solution: Solution, null: list[Direction], wanted: list[int]) -> dict[int, Direction]:
    """Directions of recession with the opposite sign at j that one step along a vector of the basis reaches.

    w plus a multiple of v stays in the cone up to the first row that becomes 0.
    """
    found: dict[int, Direction] = {}
    main = scores(system, solution.direction)[solution.positive].tolist()
    for v in null:
        for sign in (1, -1):
            useful = [j for j in wanted if j not in found and sign * v.w[j] * solution.direction.w[j] < 0]
            if not useful:
                continue
            falls = [-sign * s for s in scores(system, v)[solution.positive].tolist()]
            # The largest step num/den with main − step·fall ≥ 0.
            num, den = 1, 0
            for a, fall in zip(main, falls, strict=True):
                if fall > 0 and a * den < num * fall:
                    num, den = a, fall
            moved = _sum(solution.direction, den, v, sign * num)
            for j in useful:
                if moved.w[j] * solution.direction.w[j] < 0:
                    found[j] = moved
    return found


def _sum(a: Direction, times_a: int, b: Direction, times_b: int) -> Direction:
    w = [times_a * p + times_b * q for p, q in zip(a.w, b.w, strict=True)]
    if a.levels is None or b.levels is None:
        return Direction(primitive(w))
    levels = a.levels.astype(object) * times_a + b.levels.astype(object) * times_b
    return Direction(w, shortest(levels.tolist()))
