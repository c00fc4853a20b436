"""Spanning trees of a directed graph whose arcs stay within strongly connected components, and cycles through them."""

from dataclasses import dataclass

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray
from scipy.sparse.csgraph import breadth_first_order, connected_components

from rosenblatt.theory.existence.model.exact_columns import Integers, widened

Indices = NDArray[np.int64]


@dataclass(frozen=True)
class Tree:
    """A forest: the nodes of each depth from 1 on, and for each node its parent and the arc between them."""

    levels: list[Indices]
    parent: Indices
    arc: Indices

    def path_sums(self, lengths: Integers) -> Integers:
        """For each node, the sum over its path to the root; lengths[v] is the number or vector of the arc above v."""
        sums = np.zeros_like(lengths)
        for nodes in self.levels:
            sums[nodes] = sums[self.parent[nodes]] + lengths[nodes]
        return sums

    def add_flow(self, needs: Integers, flow: Integers) -> None:
        """Adds to each arc of the tree how much the nodes below it need from the root."""
        needs = needs.copy()
        for nodes in reversed(self.levels):
            flow[self.arc[nodes]] += needs[nodes]  # no duplicate indices: each node has its own arc
            np.add.at(needs, self.parent[nodes], needs[nodes])


def strong_components(tail: Indices, head: Indices, nodes: int) -> Indices:
    """The strongly connected component of each node."""
    labels: Indices = connected_components(graph_of(tail, head, nodes), directed=True, connection="strong")[1]
    return labels.astype(np.int64)


def spanning_forest(tail: Indices, head: Indices, nodes: int, roots: Indices) -> Tree:
    """A breadth-first forest along the arcs, from these roots."""
    start = nodes
    graph = graph_of(np.concatenate([tail, np.full(len(roots), start)]), np.concatenate([head, roots]), nodes + 1)
    order, before = breadth_first_order(graph, start, directed=True, return_predecessors=True)
    order, before = order.astype(np.int64), before.astype(np.int64)
    parent = before[:nodes]
    depth = np.zeros(nodes + 1, dtype=np.int64)
    for node in order[1:].tolist():
        depth[node] = depth[before[node]] + 1
    inner = order[depth[order] > 1]
    cuts = np.flatnonzero(np.diff(depth[inner])) + 1
    levels = np.split(inner, cuts) if len(inner) else []
    arc = np.full(nodes, -1, dtype=np.int64)
    in_tree = np.flatnonzero(parent[head] == tail)
    arc[head[in_tree]] = in_tree  # of parallel arcs, any one
    return Tree(levels, parent, arc)


def heights(tail: Indices, head: Indices, nodes: int) -> Indices:
    """The length of the longest path from each node of a graph without cycles: height[tail] > height[head]."""
    into = graph_of(head, tail, nodes)
    waiting = np.bincount(tail, minlength=nodes)
    height = np.zeros(nodes, dtype=np.int64)
    settled = np.flatnonzero(waiting == 0)
    level = 0
    while len(settled):
        level += 1
        above = into[settled].indices
        height[above] = level
        np.subtract.at(waiting, above, 1)
        above = np.unique(above)
        settled = above[waiting[above] == 0]
    return height


class Circuits:
    """Arcs within strongly connected components, and for each arc a cycle through it: root → arc → root.

    The cycle of a loop (head = tail) is the loop alone.
    """

    def __init__(self, tail: Indices, head: Indices, nodes: int, component: Indices) -> None:
        self.tail, self.head, self.nodes = tail, head, nodes
        root = np.full(nodes, -1, dtype=np.int64)
        root[component[tail]] = tail  # any node of a component
        roots = root[root >= 0]
        self.away = spanning_forest(tail, head, nodes, roots)
        self.back = spanning_forest(head, tail, nodes, roots)
        self.loop = tail == head
        self.longest = len(self.away.levels) + len(self.back.levels) + 1  # maximum number of arcs of a cycle

    def cycle_sums(self, lengths: Integers) -> Integers:
        """The sum of the lengths over the cycle of each arc."""
        away = self.away.path_sums(lengths[self.away.arc])
        back = self.back.path_sums(lengths[self.back.arc])
        sums: Integers = lengths + np.where(self.loop, 0, away[self.tail] + back[self.head])
        return sums

    def flow(self, counts: Integers) -> Integers:
        """How often each arc is used when the cycle of arc a is used counts[a] times: a circulation."""
        counts = widened(counts, 3 * len(counts))  # a cycle uses an arc at most three times
        flow = counts.copy()
        inner = ~self.loop
        for tree, ends in ((self.away, self.tail), (self.back, self.head)):
            needs = np.zeros(self.nodes, dtype=flow.dtype)
            np.add.at(needs, ends[inner], counts[inner])
            tree.add_flow(needs, flow)
        return flow


def graph_of(tail: Indices, head: Indices, nodes: int) -> sp.csr_matrix:
    """The graph as a SciPy matrix with parallel arcs, built in linear time, without sorting."""
    arcs = np.arange(len(tail))
    incidence = sp.csr_matrix((np.ones(len(tail), dtype=np.int8), (tail, arcs)), shape=(nodes, max(1, len(tail))))
    return sp.csr_matrix((incidence.data, head[incidence.indices], incidence.indptr), shape=(nodes, nodes))
