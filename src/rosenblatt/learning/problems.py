"""The problems that a fit falls into, and which of them share their passes."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from rosenblatt.learning.examples import Examples


@dataclass(frozen=True)
class Group:
    """Problems that share every pass, each one class against the other members; or, joint, all classes as one."""

    positives: tuple[int, ...]
    chosen: NDArray[np.uint32] | None
    joint: bool = False


def groups_of(multi_class: str, order: str, examples: Examples) -> list[Group]:
    """The problems of a fit, grouped as they share passes. Two classes make one, the later of them positive."""
    n_classes = len(examples.classes)
    if n_classes == 2:
        return [Group((1,), examples.chosen)]
    if multi_class == "joint":
        return [Group(tuple(range(n_classes)), examples.chosen, joint=True)]
    if multi_class == "ovo":
        return [Group((b,), examples.of_classes(a, b)) for a, b in combinations(range(n_classes), 2)]
    if order == "misclassified":  # each problem has a misclassified set, and so an order, of its own
        return [Group((positive,), examples.chosen) for positive in range(n_classes)]
    return [Group(tuple(range(n_classes)), examples.chosen)]


@dataclass(frozen=True)
class Share:
    """Problems that one thread runs, a group or every so many of its problems; and their planes among all of a fit."""

    group: Group
    planes: range


def shares_of(groups: Sequence[Group], n_threads: int) -> list[Share]:
    """The groups, a single one dealt out to the threads: neighbours are often alike, and so are never all in one share.

    >>> [share.planes for share in shares_of([Group((0, 1, 2, 3, 4), None)], 2)]
    [range(0, 5, 2), range(1, 5, 2)]
    """
    shares = []
    first = 0
    for group in groups:
        planes = range(first, first + len(group.positives))
        parts = 1 if group.joint or len(groups) > 1 else min(n_threads, len(planes))
        shares += [
            Share(replace(group, positives=group.positives[part::parts]), planes[part::parts]) for part in range(parts)
        ]
        first += len(planes)
    return shares
