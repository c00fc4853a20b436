"""Kernels k(x, x′) as matrices of values between two sets of examples, computed by BLAS and checked."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.metrics.pairwise import manhattan_distances
from sklearn.utils.extmath import row_norms, safe_sparse_dot

from rosenblatt.core import integer_products
from rosenblatt.learning.dual.integers import Integers, alike

Array = NDArray[np.float64]

#: Those with a name; `precomputed` stands for values that the caller has worked out.
NAMES = ("linear", "poly", "rbf", "sigmoid", "laplacian", "precomputed")

_PIECE = 1 << 15  # values that are worked on together, so that they stay in the cache


class KernelError(ValueError):
    """A kernel gave something that is not a matrix of finite numbers of the right shape."""


@dataclass(frozen=True)
class Kernel:
    """A kernel with its parameters settled: `kernel(A, B)` has one row an example of A, one column one of B."""

    name: str | Callable[[Any, Any], Any]
    gamma: float = 1.0
    degree: int = 3
    coef0: float = 0.0

    @property
    def is_precomputed(self) -> bool:
        return self.name == "precomputed"

    def __call__(self, A: Any, B: Any) -> Array:
        """The kernel's values as a new float64 array, all finite."""
        with np.errstate(over="ignore", invalid="ignore"):  # said better below
            values = self._values(A, B)
        self._check(values, A, B)
        return values

    def of_integers(self, A: Integers, B: Integers, threads: int) -> Array:
        """The same for rows of integers (`integers.narrowed`), for a kernel of inner products."""
        values = np.empty((len(A), len(B)))
        integer_products(*alike(A, B), values, threads)
        with np.errstate(over="ignore", invalid="ignore"):
            values = self._of_products(values, A, B)
        self._check(values, A, B)
        return values

    @property
    def takes_products(self) -> bool:
        """Whether k(x, x′) follows from x·x′ and the lengths of x and x′."""
        return self.name in ("linear", "poly", "rbf", "sigmoid")

    def _values(self, A: Any, B: Any) -> Array:
        if callable(self.name):
            return np.ascontiguousarray(self.name(A, B), dtype=np.float64)
        if self.name == "laplacian":
            return self._in_pieces(manhattan_distances(_indexed(A), _indexed(B)), _exp, -self.gamma)
        return self._of_products(_products(A, B), A, B)

    def _of_products(self, values: Array, A: Any, B: Any) -> Array:
        if self.name == "linear":
            return values
        if self.name == "rbf":
            a, b = (row_norms(_wide(Z), squared=True) for Z in (A, B))
            return self._in_pieces(values, _gaussian, -self.gamma, a, b)
        if self.name == "poly":
            return self._in_pieces(values, _polynomial, self.gamma, self.coef0, self.degree)
        return self._in_pieces(values, _tanh, self.gamma, self.coef0)

    def _in_pieces(self, values: Array, function: Callable[..., None], *arguments: Any) -> Array:
        """Applies a function in place, a few rows at a time; arrays among its arguments belong to rows and columns."""
        rows = max(1, _PIECE // max(values.shape[1], 1))
        for begin in range(0, values.shape[0], rows):
            piece = slice(begin, begin + rows)
            if function is _gaussian:
                scale, a, b = arguments
                function(values[piece], scale, a[piece], b)
            else:
                function(values[piece], *arguments)
        return values

    def _check(self, values: Array, A: Any, B: Any) -> None:
        shape = (A.shape[0], B.shape[0])
        if values.shape != shape:
            raise KernelError(
                f"The kernel {self.label} gave an array of shape {values.shape} for {shape[0]} and {shape[1]} "
                f"examples; it must be {shape}: one row for each of the first, one column for each of the second."
            )
        if np.isfinite(values.sum()) or np.isfinite(values).all():  # a sum can overflow where no value does
            return
        i, j = np.argwhere(~np.isfinite(values))[0]
        remedy = (
            "Check the function."
            if callable(self.name)
            else "Scale the data (sklearn.preprocessing.StandardScaler), or lower gamma or degree."
        )
        raise KernelError(
            f"The kernel {self.label} gave {values[i, j]} instead of a finite number, first at row {i} and column {j} "
            f"of a block of {shape[0]} by {shape[1]} examples. {remedy}"
        )

    @property
    def label(self) -> str:
        return repr(self.name) if isinstance(self.name, str) else getattr(self.name, "__name__", repr(self.name))


def settled(kernel: Any, gamma: Any, degree: int, coef0: float, X: Any) -> Kernel:
    """A kernel as the parameters ask for, `gamma` worked out from the examples as scikit-learn's `SVC` does."""
    if gamma == "auto":
        gamma = 1.0 / X.shape[1]
    elif gamma == "scale":
        if kernel == "precomputed" or callable(kernel):
            gamma = 1.0
        else:
            variance = _variance(X)
            gamma = 1.0 / (X.shape[1] * variance) if variance > 0 else 1.0
    return Kernel(kernel, float(gamma), int(degree), float(coef0))


def _variance(X: Any) -> float:
    if not hasattr(X, "indptr"):
        return float(X.var(dtype=np.float64))
    size = X.shape[0] * X.shape[1]
    mean = X.sum(dtype=np.float64) / size
    return float((X.data.astype(np.float64) ** 2).sum() / size - mean**2)


def _wide(Z: Any) -> Any:
    """In float64, so that integers stay exact whatever the storage."""
    return Z.astype(np.float64, copy=False)


def _products(A: Any, B: Any) -> Array:
    """A·Bᵀ; where A is B, by a product that knows its symmetry."""
    if A is B:
        A = B = _wide(A)
    else:
        A, B = _wide(A), _wide(B)
    return np.ascontiguousarray(safe_sparse_dot(A, B.T, dense_output=True))


def _indexed(Z: Any) -> Any:
    """With the 32-bit indices that scikit-learn's distances between sparse rows want."""
    if not hasattr(Z, "indptr") or Z.indices.dtype == np.int32:
        return _wide(Z)
    Z = _wide(Z).copy()
    Z.indices, Z.indptr = Z.indices.astype(np.int32), Z.indptr.astype(np.int32)
    return Z


def _exp(values: Array, scale: float) -> None:
    values *= scale
    np.exp(values, out=values)


def _gaussian(values: Array, scale: float, a: Array, b: Array) -> None:
    values *= -2.0
    values += a[:, None]
    values += b
    np.maximum(values, 0.0, out=values)  # a distance that rounding made negative
    _exp(values, scale)


def _tanh(values: Array, gamma: float, coef0: float) -> None:
    values *= gamma
    values += coef0
    np.tanh(values, out=values)


def _polynomial(values: Array, gamma: float, coef0: float, degree: int) -> None:
    """Powers by multiplication: many times faster than `**`, and exact where the product is."""
    if gamma != 1.0:
        values *= gamma
    values += coef0
    base = values.copy() if degree > 2 else values
    for bit in bin(degree)[3:]:
        values *= values
        if bit == "1":
            values *= base
