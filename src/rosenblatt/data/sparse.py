"""A matrix in compressed sparse rows: three arrays in the core's layout, without importing scipy."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True)
class Sparse:
    """Row i has `values[starts[i]:starts[i + 1]]` in the columns `indices[starts[i]:starts[i + 1]]`.

    Examples
    --------
    >>> from scipy.sparse import csr_matrix
    >>> Sparse.from_scipy(csr_matrix([[0, 2.0], [3.0, 0]])).values
    array([2., 3.])
    """

    values: NDArray[np.float64]
    indices: NDArray[Any]
    starts: NDArray[Any]
    n_features: int
    checked: bool = False  # every start and index is known to be in range, so readers can skip the check

    @property
    def shape(self) -> tuple[int, int]:
        return len(self.starts) - 1, self.n_features

    def to_scipy(self) -> Any:
        """The same arrays as a `scipy.sparse.csr_matrix`; nothing is copied."""
        from scipy.sparse import csr_matrix

        return csr_matrix((self.values, self.indices, self.starts), shape=self.shape)

    @classmethod
    def from_scipy(cls, matrix: Any) -> "Sparse":
        matrix = matrix.tocsr()
        index = np.int32 if matrix.indices.dtype == np.int32 and matrix.indptr.dtype == np.int32 else np.int64
        return cls(
            np.ascontiguousarray(matrix.data, dtype=np.float64),
            np.ascontiguousarray(matrix.indices, dtype=index),
            np.ascontiguousarray(matrix.indptr, dtype=index),
            matrix.shape[1],
        )

    def largest_magnitudes(self) -> NDArray[np.float64]:
        """The largest magnitude of each column, zero where a column is empty."""
        largest = np.zeros(self.n_features)
        np.maximum.at(largest, self.indices, np.abs(self.values))
        return largest

    def magnitudes_in_use(self) -> NDArray[np.float64]:
        """The same for the columns that have entries, without allocating values for empty columns."""
        if self.n_features <= len(self.values):
            largest = self.largest_magnitudes()
            return largest[largest > 0]
        used, places = np.unique(self.indices, return_inverse=True)
        largest = np.zeros(len(used))
        np.maximum.at(largest, places, np.abs(self.values))
        return largest[largest > 0]

    def rows(self, chosen: NDArray[Any]) -> "Sparse":
        """Some of the rows, in the order given."""
        return Sparse.from_scipy(self.to_scipy()[chosen])


Matrix = NDArray[np.float64] | Sparse
