"""The problems that a fit falls into, and which of them share their passes."""

from dataclasses import dataclass
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from rosenblatt.estimators.labelled import Examples


@dataclass(frozen=True)
class Group:
    """Problems that share every pass, each one class against the other members; or, joint, all classes as one."""

    positives: tuple[int, ...]
    chosen: NDArray[np.uint32] | None
    joint: bool = False


def groups_of(multi_class: str, order: str, examples: Examples, n_threads: int = 1) -> list[Group]:
    """The problems of a fit, grouped as they share passes. Two classes make one, the later of them positive."""
    n_classes = len(examples.classes)
    if n_classes == 2:
        return [Group((1,), examples.chosen)]
    if multi_class == "joint":
        return [Group(tuple(range(n_classes)), examples.chosen, joint=True)]
    if multi_class == "ovo":
        return [Group((b,), examples.of_classes(a, b)) for a, b in combinations(range(n_classes), 2)]
    # Each problem has a misclassified set, and so an order, of its own.
    shares = n_classes if order == "misclassified" else min(n_threads, n_classes)
    if shares == 1:
        return [Group(tuple(range(n_classes)), examples.chosen)]
    return [Group(tuple(map(int, part)), examples.chosen) for part in np.array_split(np.arange(n_classes), shares)]
