"""Shortest paths with integer lengths of any sign, or the negative cycles that rule them out (Bellman and Ford)."""

import numpy as np
from numpy.typing import NDArray

from rosenblatt.theory.existence.model.exact_columns import Integers

Indices = NDArray[np.int64]


def potentials_or_cycles(
    tail: Indices, head: Indices, lengths: Integers, start: Integers
) -> tuple[Integers | None, list[Indices]]:
    """Potentials φ with φ[head] ≤ φ[tail] + length on every arc, or None and cycles of negative length.

    `start` has one initial value per node; φ only decreases from it.
    """
    order = np.argsort(head, kind="stable")
    tail, head, lengths = tail[order], head[order], lengths[order]
    ends, first = np.unique(head, return_index=True)
    group = np.repeat(np.arange(len(ends)), np.diff(np.append(first, len(head))))
    levels = start.copy()
    before = np.full(len(start), -1, dtype=np.int64)  # the arc by which a node was last improved
    while True:
        through = levels[tail] + lengths
        best = np.minimum.reduceat(through, first) if len(first) else through
        better = best < levels[ends]
        if not better.any():
            return levels, []
        reached = np.flatnonzero(better[group] & (through == best[group]))
        before[head[reached]] = reached
        levels[ends[better]] = best[better]
        negative = [cycle for cycle in _cycles(before, tail) if lengths[cycle].sum() < 0]
        if negative:
            return None, [order[cycle] for cycle in negative]


def _cycles(before: Indices, tail: Indices) -> list[Indices]:
    """The cycles of the graph in which each node points to the tail of the arc that improved it."""
    nodes = np.arange(len(before))
    onward = np.where(before >= 0, tail[before], nodes)
    far = onward
    for _ in range(len(before).bit_length()):
        far = far[far]
    cycles, seen = [], set[int]()
    for node in np.unique(far).tolist():
        if node in seen or before[node] < 0:
            continue
        arcs = []
        while node not in seen:
            seen.add(node)
            arcs.append(int(before[node]))
            node = int(onward[node])
        cycles.append(np.array(arcs[::-1], dtype=np.int64))
    return cycles
