"""The binary problems of a fit, grouped by which of them share their passes over the examples."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from rosenblatt.learning.examples import Examples


@dataclass(frozen=True)
class Group:
    """Problems that share every pass: each is one class against the rest; or, if joint, one problem of all classes."""

    positives: tuple[int, ...]
    chosen: NDArray[np.uint32] | None
    joint: bool = False

    def size(self, n_examples: int) -> int:
        """The number of examples that take part, of this many in all."""
        return n_examples if self.chosen is None else len(self.chosen)


def groups_of(multi_class: str, order: str, examples: Examples) -> list[Group]:
    """The groups of problems of a fit. Two classes are one problem, whose positive class is the later one."""
    n_classes = len(examples.classes)
    if n_classes == 2:
        return [Group((1,), examples.chosen)]
    if multi_class == "joint":
        return [Group(tuple(range(n_classes)), examples.chosen, joint=True)]
    if multi_class == "ovo":
        return [Group((b,), members) for _, b, members in examples.of_pairs()]
    if order == "misclassified":  # each problem has its own misclassified examples, and so its own order
        return [Group((positive,), examples.chosen) for positive in range(n_classes)]
    return [Group(tuple(range(n_classes)), examples.chosen)]


@dataclass(frozen=True)
class Share:
    """The problems that one thread runs (a group or every k-th problem of it), and the indices of their planes."""

    group: Group
    planes: range


def shares_of(groups: Sequence[Group], n_threads: int) -> list[Share]:
    """Splits the problems into shares for threads: the groups, or every k-th problem of a single group.

    Neighbouring classes often need similar work, so a share does not get a contiguous block of them.

    >>> [share.planes for share in shares_of([Group((0, 1, 2, 3, 4), None)], 2)]
    [range(0, 5, 2), range(1, 5, 2)]
    """
    shares = []
    first = 0
    for group in groups:
        planes = range(first, first + len(group.positives))
        parts = 1 if group.joint or len(groups) > 1 else min(n_threads, len(planes))
        for part in range(parts):
            mine = group if parts == 1 else replace(group, positives=group.positives[part::parts])
            shares.append(Share(mine, planes[part::parts]))
        first += len(planes)
    return shares
