"""Mean and standard deviation of columns in one pass over blocks, in the same order for every source.

Blocks have a fixed number of rows, so the sums of examples in memory and of the same examples on disk have the same
bits. The moments of two parts are merged by the formulas of Chan, Golub and LeVeque (1979).
"""

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from rosenblatt.data import Features, Sparse
from rosenblatt.data.features import Scale
from rosenblatt.data.sparse import Matrix

Array = NDArray[np.float64]

#: Rows per block.
BLOCK = 4096


@dataclass(frozen=True)
class Moments:
    """The number of rows and, per column, the mean, the sum of squared deviations and the largest magnitude.

    Sparse columns have only the largest magnitude, because a scale that keeps zeros needs nothing else. `numbers` marks
    the columns of a sparse table that have a value in every row; these have a mean and deviations too.
    """

    count: int
    largest: Array
    mean: Array | None = None
    squares: Array | None = None
    numbers: NDArray[np.bool_] | None = None

    @classmethod
    def of(cls, X: Matrix, numbers: NDArray[np.bool_] | None = None) -> "Moments":
        if isinstance(X, Sparse):
            if numbers is None:
                return cls(X.shape[0], X.largest_magnitudes())
            dense = cls.of(X.values[numbers[X.indices]].reshape(X.shape[0], -1))
            mean, squares = np.zeros(X.shape[1]), np.zeros(X.shape[1])
            mean[numbers], squares[numbers] = dense.mean, dense.squares
            return cls(X.shape[0], X.largest_magnitudes(), mean, squares, numbers)
        with np.errstate(over="ignore"):
            mean = X.mean(axis=0)
            deviations = X - mean
            return cls(len(X), np.abs(X).max(axis=0), mean, np.einsum("ij,ij->j", deviations, deviations))

    def merged(self, other: "Moments") -> "Moments":
        """The moments of both parts together."""
        count, largest = self.count + other.count, np.maximum(self.largest, other.largest)
        if self.mean is None or self.squares is None or other.mean is None or other.squares is None:
            return Moments(count, largest)
        with np.errstate(over="ignore", invalid="ignore"):
            delta = other.mean - self.mean
            mean = self.mean + delta * (other.count / count)
            squares = self.squares + other.squares + delta * delta * (self.count * other.count / count)
        return Moments(count, largest, mean, squares, self.numbers)

    def scale(self) -> Scale:
        """Dense columns get mean 0 and deviation 1, sparse ones a largest magnitude of 1. Constants have width 1."""
        by_range = np.where(self.largest > 0, self.largest, 1.0)
        if self.mean is None or self.squares is None:
            return Scale(None, by_range)
        # If the squares overflow, the largest magnitude replaces the standard deviation.
        finite = np.isfinite(self.squares) & np.isfinite(self.mean)
        width = np.where(finite, np.sqrt(self.squares / self.count), self.largest)
        # A column whose deviation is below the rounding errors of the mean of a block is constant.
        constant = width <= BLOCK * np.finfo(float).eps * self.largest
        width = np.where(constant, 1.0, width)
        return Scale(
            np.where(finite, self.mean, 0.0), width if self.numbers is None else np.where(self.numbers, width, by_range)
        )

    def differ(self) -> bool:
        """Whether the largest magnitudes of columns differ by a factor of more than 1000."""
        sizes = self.largest[self.largest > 0]
        return bool(len(sizes) and sizes.max() > 1000 * sizes.min())


def moments_of(blocks: Iterable[Matrix], features: Features) -> Moments:
    """The moments of all blocks together. There must be at least one block."""
    numbers = features.numbers() if features.is_sparse else None
    found: Moments | None = None
    for block in blocks:
        part = Moments.of(block, numbers if numbers is not None and numbers.any() else None)
        found = part if found is None else found.merged(part)
    if found is None:
        raise AssertionError("there are no rows to scale")
    return found


def default_scale(moments: Moments, features: Features) -> Scale | None:
    """The default scale.

    Dense columns are standardised, and so are the numbers and dates of sparse tables. Their words and categories are
    not scaled, because they already have the same magnitude. Other sparse data is scaled only if its columns differ by
    orders of magnitude, because weights such as tf-idf carry meaning.
    """
    scale = moments.scale()
    if moments.numbers is not None:
        return Scale(scale.centre, np.where(moments.numbers, scale.width, 1.0))
    if scale.centre is not None:
        return scale
    return scale if features.kind != "table" and moments.differ() else None
