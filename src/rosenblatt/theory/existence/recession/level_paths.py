"""Rows with the levels of fixed effects eliminated along the paths of a spanning forest."""

import numpy as np
from flint import fmpz_mat
from numpy.typing import NDArray
from scipy.sparse.csgraph import connected_components

from rosenblatt.theory.decomposition.integer_rows import IntegerRows
from rosenblatt.theory.existence.model.exact_columns import Integers, shortest, widened
from rosenblatt.theory.existence.recession.spanning_trees import graph_of, spanning_forest

Indices = NDArray[np.int64]


class Residuals:
    """The rows x·w + φ[tail] − φ[head] with φ chosen so that those of a spanning forest are 0: rows over w alone.

    All are 0 for some φ exactly if all residuals are 0.
    """

    def __init__(self, rows: IntegerRows, tail: Indices, head: Indices, nodes: int) -> None:
        self.rows, self.tail, self.head, self.width = rows, tail, head, rows.width
        roots = np.unique(_components(tail, head, nodes)[1], return_index=True)[1]
        n = len(tail)
        forest = spanning_forest(np.concatenate([tail, head]), np.concatenate([head, tail]), nodes, roots)
        signs = np.where(forest.arc < n, 1, -1)  # φ[head] = φ[tail] + x·w along a row, and back against it
        arcs = forest.arc % n if n else forest.arc
        used, place = np.unique(arcs, return_inverse=True)
        above = rows.take(used) if n else rows
        table = np.zeros((max(1, len(above)), rows.width), dtype=object)
        table[above.owners, above.columns] = above.values
        self.paths = forest.path_sums(table[place] * signs[:, None])

    def __len__(self) -> int:
        return len(self.tail)

    def levels(self, w: list[int]) -> Integers:
        """The φ that makes the rows of the forest 0."""
        return shortest((self.paths @ np.array([*w, None], dtype=object)[:-1]).tolist())

    def dot(self, w: list[int]) -> Integers:
        """Every residual · w."""
        levels = widened(self.levels(w), 4)
        total: Integers = widened(self.rows.dot(w), 4) + levels[self.tail] - levels[self.head]
        return total

    def dense(self, chosen: Indices) -> fmpz_mat:
        part = self.rows.take(chosen)
        table = np.zeros((len(chosen), self.width), dtype=object)
        table[part.owners, part.columns] = part.values
        table += self.paths[self.tail[chosen]] - self.paths[self.head[chosen]]
        return fmpz_mat(len(chosen), self.width, table.reshape(-1).tolist())


def component_count(tail: Indices, head: Indices, nodes: int) -> int:
    """The number of connected components, whatever the direction of the arcs."""
    return _components(tail, head, nodes)[0]


def connected_parts(tail: Indices, head: Indices, nodes: int) -> Indices:
    """The number of the connected component of each node, whatever the direction of the arcs."""
    return _components(tail, head, nodes)[1].astype(np.int64)


def _components(tail: Indices, head: Indices, nodes: int) -> tuple[int, Indices]:
    count, labels = connected_components(graph_of(tail, head, nodes), directed=False)
    return int(count), labels
