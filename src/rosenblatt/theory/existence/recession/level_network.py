"""The decomposition with fixed effects, on the graph of their levels.

A row is x·w + φ[tail] − φ[head] ≥ 0, with one φ per level: an arc of length x·w. Given w, such φ exist exactly if no
cycle has a negative length, and an arc can be positive exactly if it lies on no cycle of length 0. So:

1. With w = 0, the rows between strongly connected components can be positive, and no others. They are removed.
2. Each cycle gives an inequality over the few columns of x alone. `decompose` splits a growing set of cycles. If none
   of them can be positive, and one of them is the sum of cycles through every arc, the search ends.
3. Otherwise its direction w is checked. Either a cycle of negative length joins the set, or φ exist and some rows
   become positive; these are removed, and the search starts again.
"""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from rosenblatt.theory.budget import Budget
from rosenblatt.theory.existence.model.exact_columns import Integers, magnitude, shortest, widened
from rosenblatt.theory.existence.model.system import System
from rosenblatt.theory.existence.recession.decomposed import decomposed
from rosenblatt.theory.existence.recession.shortest_paths import potentials_or_cycles
from rosenblatt.theory.existence.recession.spanning_trees import Circuits, heights, strong_components

Indices = NDArray[np.int64]

_FIRST_CYCLES = 8  # per column of x
_MORE_CYCLES = 4  # per column and round


@dataclass(frozen=True)
class Step:
    """Rows that a direction and levels make positive; all remaining rows are 0."""

    rows: Indices
    w: list[int]
    levels: Integers


def decompose_network(system: System, budget: Budget) -> tuple[NDArray[np.bool_], list[int], Integers, Integers]:
    """The positive rows, w, φ, and the multipliers that prove that no other row can be positive."""
    graph = _Graph(system)
    active = np.ones(len(system.rows), dtype=bool)
    steps: list[Step] = []
    while True:
        budget.spend(50.0 * len(active) + 10.0 * graph.x.size)
        component = graph.components(active)
        crossing = active & (component[graph.tail] != component[graph.head])
        if crossing.any():
            height = heights(component[graph.tail[crossing]], component[graph.head[crossing]], graph.nodes)
            steps.append(Step(np.flatnonzero(crossing), [0] * graph.x.shape[1], height[component]))
            active &= ~crossing
        found = _Cycles(graph, active, component, budget).search()
        if isinstance(found, Step):
            steps.append(found)
            active[found.rows] = False
        else:
            w, levels = _combined(graph, steps)
            return ~active, w, levels, found


class _Graph:
    def __init__(self, system: System) -> None:
        assert system.network is not None
        self.tail, self.head, self.nodes = system.network.tail, system.network.head, system.network.nodes
        self.equality = system.equality
        rows = system.rows
        self.x = np.zeros((len(rows), rows.width), dtype=rows.values.dtype)
        self.x[rows.owners, rows.columns] = rows.values

    def arcs(self, active: NDArray[np.bool_]) -> tuple[Indices, Indices, Indices, Indices]:
        """Tail, head, row and sign of each arc: one for an inequality, one in each direction for an equality."""
        rows = np.flatnonzero(active)
        both = np.flatnonzero(active & self.equality)
        tail = np.concatenate([self.tail[rows], self.head[both]])
        head = np.concatenate([self.head[rows], self.tail[both]])
        signs = np.repeat(np.array([1, -1], dtype=np.int64), [len(rows), len(both)])
        return tail, head, np.concatenate([rows, both]), signs

    def components(self, active: NDArray[np.bool_]) -> Indices:
        tail, head, _, _ = self.arcs(active)
        return strong_components(tail, head, self.nodes)

    def products(self, w: list[int]) -> Integers:
        """Gives x·w of each row, exactly."""
        if (magnitude(self.x) * sum(map(abs, w))).bit_length() <= 62:
            short: Integers = self.x @ np.array(w, dtype=self.x.dtype)
            return short
        long: Integers = self.x.astype(object) @ np.array([*w, None], dtype=object)[:-1]
        return long

    def scores(self, step: Step, rows: Indices) -> list[int]:
        levels = widened(step.levels, 2)
        products = self.products(step.w)[rows] if any(step.w) else np.zeros(len(rows), dtype=np.int64)
        scores: list[int] = (widened(products, 2) + levels[self.tail[rows]] - levels[self.head[rows]]).tolist()
        return scores


class _Cycles:
    """The search among the active rows, all of which lie within strongly connected components."""

    def __init__(self, graph: _Graph, active: NDArray[np.bool_], component: Indices, budget: Budget) -> None:
        self.graph, self.budget = graph, budget
        self.tail, self.head, self.row, self.sign = graph.arcs(active)
        self.circuits = Circuits(self.tail, self.head, graph.nodes, component)
        self.rng = np.random.default_rng(0)
        self.all_arcs = self.circuits.flow(np.ones(len(self.tail), dtype=np.int64))
        self.cuts = [self._total(self.all_arcs)]
        self.members: list[Integers | int] = [self.all_arcs]  # per cut: the count of each arc, or one arc (its cycle)

    def search(self) -> Step | Integers:
        """A step, or the multipliers of all rows that prove that none can be positive."""
        width = self.graph.x.shape[1]
        if not width or not len(self.tail):
            return self._by_row(self.all_arcs)
        count = min(len(self.tail), _FIRST_CYCLES * width)
        self._add_own(self.rng.choice(len(self.tail), count, replace=False))
        while True:
            found = decomposed(np.array(self.cuts, dtype=object), None, self.budget)
            self.budget.spend(20.0 * len(self.tail))
            if not found.positive.any():
                return self._multipliers(found.multipliers)
            lengths = self._lengths(found.direction)
            sums = self.circuits.cycle_sums(lengths)
            negative = np.flatnonzero(sums < 0)
            if len(negative):
                worst = negative[np.argsort(sums[negative], kind="stable")[: _MORE_CYCLES * width]]
                others = self.rng.choice(negative, min(len(negative), _MORE_CYCLES * width), replace=False)
                self._add_own(np.union1d(worst, others))
                continue
            start = self.circuits.away.path_sums(lengths[self.circuits.away.arc])
            levels, cycles = potentials_or_cycles(self.tail, self.head, lengths, start)
            if levels is not None:
                return self._step(found.direction, lengths, levels)
            for cycle in cycles:
                counts = np.zeros(len(self.tail), dtype=np.int64)
                counts[cycle] = 1
                self.cuts.append(self._total(counts))
                self.members.append(counts)

    def _lengths(self, w: list[int]) -> Integers:
        products = widened(self.graph.products(w), 4 * (self.circuits.longest + self.graph.nodes))
        lengths: Integers = products[self.row] * self.sign
        return lengths

    def _step(self, w: list[int], lengths: Integers, levels: Integers) -> Step:
        positive = lengths + levels[self.tail] - levels[self.head] > 0
        return Step(np.unique(self.row[positive]), w, levels)

    def _add_own(self, arcs: Indices) -> None:
        """Adds the cycle of each of these arcs."""
        x = self._vectors(arcs)
        inner = ~self.circuits.loop[arcs]
        x[inner] += self.away[self.tail[arcs[inner]]] + self.back[self.head[arcs[inner]]]
        self.cuts += [[int(a) for a in vector] for vector in x]
        self.members += arcs.tolist()

    @cached_property
    def away(self) -> Integers:
        """The sum of x over the path from the root to each node."""
        return self.circuits.away.path_sums(self._vectors(self.circuits.away.arc))

    @cached_property
    def back(self) -> Integers:
        """The sum of x over the path from each node to the root."""
        return self.circuits.back.path_sums(self._vectors(self.circuits.back.arc))

    def _vectors(self, arcs: Indices) -> Integers:
        x: Integers = self.graph.x[self.row[arcs]] * self.sign[arcs, None]
        return x.astype(object)

    def _by_row(self, arcs: Integers) -> Integers:
        """Sums arc counts by row; arcs that reverse an equality count negatively."""
        rows = np.zeros(len(self.graph.x), dtype=arcs.dtype)
        np.add.at(rows, self.row, arcs * self.sign)
        return rows

    def _total(self, arcs: Integers) -> list[int]:
        rows = self._by_row(arcs)
        used = np.flatnonzero(rows)
        x = self.graph.x[used]
        if (magnitude(x) * int(abs(rows).sum())).bit_length() <= 62:
            return [int(a) for a in rows[used] @ x]
        return [int(a) for a in rows[used].astype(object) @ x.astype(object)]

    def _multipliers(self, cuts: list[int]) -> Integers:
        size = max(cuts) * (int(self.all_arcs.max()) + 4 * len(cuts))  # bound on the count of an arc
        total = np.zeros(len(self.tail), dtype=np.int64 if size.bit_length() <= 61 else object)
        own = np.zeros_like(total)
        for members, times in zip(self.members, cuts, strict=True):
            if isinstance(members, int):
                own[members] += times
            else:
                total += members.astype(total.dtype) * times
        return self._by_row(total + self.circuits.flow(own))


def _combined(graph: _Graph, steps: list[Step]) -> tuple[list[int], Integers]:
    """One direction for all steps; the factor of each outweighs all later steps on its own rows."""
    w, levels = [0] * graph.x.shape[1], np.zeros(graph.nodes, dtype=object)
    for step in reversed(steps):
        later = graph.scores(Step(step.rows, w, levels), step.rows)
        own = graph.scores(step, step.rows)
        factor = max(1, *(-b // a + 1 for a, b in zip(own, later, strict=True)))
        w = [factor * a + b for a, b in zip(step.w, w, strict=True)]
        levels = step.levels.astype(object) * factor + levels
    return w, shortest(levels.tolist())
