"""Types of the data of a fit. scipy ships no type hints, so the sparse matrices that a fit reads are described here."""

from typing import TYPE_CHECKING, Protocol, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

if TYPE_CHECKING:
    from typing_extensions import TypeIs

Floats = NDArray[np.float64]
#: Numbers, text or Python objects: labels may be of any type.
Labels = NDArray[np.generic]
Codes = NDArray[np.int32]
#: Some rows or columns of a matrix.
Indices = NDArray[np.integer] | slice


class SparseMatrix(Protocol):
    """A sparse matrix or array of scipy, in any format."""

    @property
    def shape(self) -> tuple[int, int]: ...
    def tocsr(self) -> object: ...


class CsrMatrix(Protocol):
    """A matrix or array of scipy in compressed sparse rows."""

    data: NDArray[np.floating]
    indices: NDArray[np.signedinteger]
    indptr: NDArray[np.signedinteger]
    has_canonical_format: bool

    @property
    def shape(self) -> tuple[int, int]: ...
    @property
    def dtype(self) -> np.dtype[np.floating]: ...
    @property
    def T(self) -> object: ...
    def __getitem__(self, which: Indices) -> Self: ...
    def astype(self, dtype: type[np.generic]) -> Self: ...
    def copy(self) -> Self: ...
    def sum(self, *, dtype: type[np.float64]) -> float: ...
    def sum_duplicates(self) -> None: ...
    def tocsr(self) -> Self: ...
    def toarray(self) -> NDArray[np.floating]: ...


#: Checked examples, one row each.
Matrix = NDArray[np.floating] | CsrMatrix


class StoredMatrix(Protocol):
    """Rows in another form that can be read as a matrix: `learning.rows.row_cache.RowCache`, `data.Sparse`."""

    def to_scipy(self) -> Matrix: ...


#: X as a caller gives it: an array, nested sequences, a data frame or a sparse matrix.
MatrixLike = ArrayLike | SparseMatrix


def is_csr(X: object) -> "TypeIs[CsrMatrix]":
    """Whether X is a matrix in compressed sparse rows. Does not import scipy, whose import is slow."""
    return hasattr(X, "indptr")


def is_stored(X: object) -> "TypeIs[StoredMatrix]":
    """Whether X is neither an array nor a matrix of scipy, but can be converted to one."""
    return hasattr(X, "to_scipy")
