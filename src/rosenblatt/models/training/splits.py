"""Splits into training and held-out examples. A split depends only on the labels and is the same for every source."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from rosenblatt.learning.labels.stratified import Codes, Positions, held_counts, stratified_folds, stratified_split

#: Minimum number of examples to hold some out, and of a class. Classes of this size must have this share of all
#: examples. With fewer, a test is too inaccurate.
_HELD_OUT_FROM = 50
_HELD_OUT_PER_CLASS = 5
_HELD_OUT_SHARE = 0.9


@dataclass(frozen=True)
class Holdout:
    """Holds out a fraction of each class, at least one example."""

    fraction: float
    seed: int

    def parts(self, codes: Codes, n_classes: int) -> tuple[Positions, Positions]:
        """Returns the training positions and the held-out positions, both sorted."""
        return stratified_split(codes, n_classes, round(self.fraction * len(codes)), self.seed)

    def held(self, counts: NDArray[np.int64]) -> NDArray[np.int64]:
        """The number of held-out examples of each class, given the number of its examples."""
        return held_counts(counts, round(self.fraction * int(counts.sum())))


@dataclass(frozen=True)
class Fold:
    """Holds out fold `number` of `of` folds. The only example of a class is never held out."""

    number: int
    of: int
    seed: int

    def parts(self, codes: Codes, n_classes: int) -> tuple[Positions, Positions]:
        """Returns the training positions and the held-out positions, both sorted."""
        is_held = stratified_folds(codes, n_classes, self.of, self.seed) == self.number
        is_held &= np.bincount(codes, minlength=n_classes)[codes] > 1
        return np.flatnonzero(~is_held).astype(np.uint32), np.flatnonzero(is_held).astype(np.uint32)

    def held(self, counts: NDArray[np.int64]) -> NDArray[np.int64]:
        """The number of held-out examples of each class, given the number of its examples."""
        return np.where(counts > 1, (counts - self.number + self.of - 1) // self.of, 0)


Split = Holdout | Fold


def worth_holding_out(counts: NDArray[np.int64]) -> bool:
    """Whether there are enough examples to hold some out, and few of them are of rare classes."""
    frequent = counts[counts >= _HELD_OUT_PER_CLASS].sum()
    return bool(counts.sum() >= _HELD_OUT_FROM and frequent >= _HELD_OUT_SHARE * counts.sum())
