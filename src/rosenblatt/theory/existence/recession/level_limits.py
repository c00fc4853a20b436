"""Which levels of fixed effects have finite estimates, and the limits of the others, relative to their references.

The criterion is that of the coefficients (`coefficients.py`), for the contrast g of a level: it is finite if g is 0 in
all directions that are 0 on the unseparated rows, and goes to +∞ or −∞ if g has that sign on the whole cone of
recession. On a network, if no regressor can diverge, φ[a] − φ[b] ≥ 0 on the cone exactly if arcs lead from a to b. Then
two searches of the graph decide all levels. Otherwise each level takes a decomposition, as a coefficient does.
"""

from dataclasses import dataclass, field
from functools import cached_property
from typing import Literal

import numpy as np
from numpy.typing import NDArray
from scipy.sparse.csgraph import breadth_first_order

from rosenblatt.theory.budget import Budget, OutOfBudgetError
from rosenblatt.theory.existence.model.exact_columns import Integers
from rosenblatt.theory.existence.model.system import System
from rosenblatt.theory.existence.recession.coefficients import Coefficients, is_one_ray, sign_over_cone
from rosenblatt.theory.existence.recession.contrasts import Contrasts, Indices
from rosenblatt.theory.existence.recession.level_paths import connected_parts
from rosenblatt.theory.existence.recession.solve import Direction, Solution
from rosenblatt.theory.existence.recession.spanning_trees import graph_of

LevelStatus = Literal["+inf", "-inf", "undefined", "undecided"]


@dataclass(frozen=True)
class LevelLimits:
    """The limits of all levels of a solved system."""

    system: System
    solution: Solution
    found: Coefficients
    contrasts: Contrasts
    _proofs: dict[int, Direction | Integers] = field(default_factory=dict)

    @cached_property
    def main(self) -> Integers:
        """The contrasts in the main direction."""
        return self.contrasts.values(self.solution.direction)

    @cached_property
    def infinite(self) -> NDArray[np.bool_]:
        """The levels without a finite estimate."""
        return self._nonzero(self.found.null, ~self.solution.positive)

    @cached_property
    def aliased(self) -> NDArray[np.bool_]:
        """The levels that the design itself leaves undetermined."""
        return self._nonzero(self.found.aliased, np.ones_like(self.solution.positive))

    @cached_property
    def needs_proof(self) -> NDArray[np.bool_]:
        """The infinite levels whose sign in the main direction may not be their sign on the whole cone."""
        if is_one_ray(self.system, self.solution, self.found.null, self.found.aliased):
            return np.zeros(len(self.contrasts), dtype=bool)
        needs: NDArray[np.bool_] = self.infinite & ~self.aliased & (self.main != 0)
        return needs

    def statuses(self, budget: Budget) -> dict[int, LevelStatus]:
        """The status of each infinite level; "undecided" for those whose sign the budget did not suffice for."""
        statuses: dict[int, LevelStatus] = {}
        in_budget = True
        for k in np.flatnonzero(self.infinite).tolist():
            keeps = bool(self.main[k] != 0) and not self.aliased[k]
            if self.needs_proof[k]:
                if self._kept_by_paths is not None:
                    keeps = bool(self._kept_by_paths[k])
                elif in_budget:
                    try:
                        keeps = not isinstance(self.proof(k, budget), Direction)
                    except OutOfBudgetError:
                        in_budget = False
                if not in_budget:
                    statuses[k] = "undecided"
                    continue
            statuses[k] = "undefined" if not keeps else "+inf" if self.main[k] > 0 else "-inf"
        return statuses

    def proof(self, k: int, budget: Budget) -> Direction | Integers:
        """Searches for a direction of recession whose sign at level k is the opposite one.

        Returns the direction, or the multipliers that prove that there is none.
        """
        if k not in self._proofs:
            sign = 1 if self.main[k] > 0 else -1
            row = {j: -sign * factor for j, factor in self.contrasts.columns[k].items()}
            arc = int(self.contrasts.minus[k]), int(self.contrasts.plus[k])
            self._proofs[k] = sign_over_cone(self.system, row, arc if sign > 0 else arc[::-1], budget)
        return self._proofs[k]

    def _nonzero(self, basis: list[Direction], chosen: NDArray[np.bool_]) -> NDArray[np.bool_]:
        """The levels whose contrast is not 0 in all directions that are 0 on the chosen rows."""
        nonzero = np.zeros(len(self.contrasts), dtype=bool)
        for direction in basis:
            nonzero |= self.contrasts.values(direction) != 0
        network = self.system.network
        if network is not None:
            part = connected_parts(network.tail[chosen], network.head[chosen], network.nodes)
            nonzero |= part[self.contrasts.plus] != part[self.contrasts.minus]
        return nonzero

    @cached_property
    def _kept_by_paths(self) -> NDArray[np.bool_] | None:
        """Whether a path proves the sign of each level; None if paths alone do not decide it."""
        network = self.system.network
        if network is None or len(self.found.null) > len(self.found.aliased):
            return None
        both = self.system.equality
        tail = np.concatenate([network.tail, network.head[both]])
        head = np.concatenate([network.head, network.tail[both]])
        plus, minus, roots = self.contrasts.plus, self.contrasts.minus, self.contrasts.references
        down, up = _reached(tail, head, network.nodes, roots), _reached(head, tail, network.nodes, roots)
        to_root = np.isin(minus, roots)  # else the arcs must lead from the root `plus`
        falling, rising = np.where(to_root, up[plus], down[minus]), np.where(to_root, down[plus], up[minus])
        return np.where(self.main > 0, falling, rising)


def _reached(tail: Indices, head: Indices, nodes: int, roots: Indices) -> NDArray[np.bool_]:
    """The nodes to which arcs lead from one of the roots. No arc connects the parts of two roots."""
    start = np.full(len(roots), nodes)
    graph = graph_of(np.concatenate([tail, start]), np.concatenate([head, roots]), nodes + 1)
    reached = np.zeros(nodes + 1, dtype=bool)
    reached[breadth_first_order(graph, nodes, return_predecessors=False)] = True
    return reached[:nodes]
