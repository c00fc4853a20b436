"""Kernels k(x, x′) as matrices of values between two sets of examples, computed by the core and checked."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from rosenblatt.core import KernelFunction, integer_kernel_values, kernel_values
from rosenblatt.learning.dual.integers import Integers, alike
from rosenblatt.learning.examples import rows_of
from rosenblatt.learning.parameters import KernelName
from rosenblatt.learning.rows.array_types import Matrix, is_csr
from rosenblatt.learning.threads import usable_threads

Array = NDArray[np.float64]

#: The name of a kernel, or a function of two matrices of examples that returns the matrix of kernel values.
KernelChoice = KernelName | Callable[[Matrix, Matrix], ArrayLike]


class KernelError(ValueError):
    """A kernel returned values that are not finite, or an array of the wrong shape."""


@dataclass(frozen=True)
class Kernel:
    """A kernel with resolved parameters. `kernel(A, B)` has one row per example of A, one column per example of B."""

    name: KernelChoice
    gamma: float = 1.0
    degree: int = 3
    coef0: float = 0.0

    @property
    def is_precomputed(self) -> bool:
        return self.name == "precomputed"

    def __call__(self, A: Matrix, B: Matrix, *, threads: int | None = None, out: Array | None = None) -> Array:
        """The kernel values, finite and float64, written to `out` if given. They do not depend on `threads`."""
        if callable(self.name):
            return self._checked(np.ascontiguousarray(self.name(A, B), dtype=np.float64), A, B, out)
        if is_csr(A) != is_csr(B):
            A, B = _sparse(A), _sparse(B)
        A, B = _readable(A), _readable(B)
        values = np.empty((A.shape[0], B.shape[0])) if out is None else out
        if values.size and not kernel_values(
            self._function, rows_of(A), rows_of(B), values, threads or usable_threads()
        ):
            self._refuse_nonfinite(values)
        return values

    def of_integers(self, A: Integers, B: Integers, *, threads: int | None = None, out: Array | None = None) -> Array:
        """The kernel values of integer rows (`integers.narrowed`), for a kernel with `takes_products`."""
        values = np.empty((len(A), len(B))) if out is None else out
        if not integer_kernel_values(self._function, *alike(A, B), values, threads or usable_threads()):
            self._refuse_nonfinite(values)
        return values

    @property
    def takes_products(self) -> bool:
        """Whether k(x, x′) is a function of x·x′, ‖x‖ and ‖x′‖."""
        return self.name in ("linear", "poly", "rbf", "sigmoid")

    @property
    def _function(self) -> KernelFunction:
        if not isinstance(self.name, str):
            raise TypeError(f"the core has no kernel {self.label}")
        return KernelFunction(self.name, self.gamma, self.degree, self.coef0)

    def _checked(self, values: Array, A: Matrix, B: Matrix, out: Array | None) -> Array:
        """Returns the result of a user's kernel function after checking its shape and that its values are finite."""
        shape = (A.shape[0], B.shape[0])
        if values.shape != shape:
            raise KernelError(
                f"The kernel {self.label} gave an array of shape {values.shape} for {shape[0]} and {shape[1]} "
                f"examples; it must be {shape}: one row for each of the first, one column for each of the second."
            )
        self._refuse_nonfinite(values)
        if out is None:
            return values
        out[...] = values
        return out

    def _refuse_nonfinite(self, values: Array) -> None:
        wrong = ~np.isfinite(values)
        if not wrong.any():
            return
        i, j = np.argwhere(wrong)[0]
        remedy = (
            "Check the function."
            if callable(self.name)
            else "Scale the data (sklearn.preprocessing.StandardScaler), or lower gamma or degree."
        )
        raise KernelError(
            f"The kernel {self.label} gave {values[i, j]} instead of a finite number, first at row {i} and column {j} "
            f"of a block of {values.shape[0]} by {values.shape[1]} examples. {remedy}"
        )

    @property
    def label(self) -> str:
        return repr(self.name) if isinstance(self.name, str) else getattr(self.name, "__name__", repr(self.name))


def resolved_kernel(kernel: KernelChoice, gamma: float | str, degree: int, coef0: float, X: Matrix) -> Kernel:
    """The kernel that the parameters specify. `gamma` is resolved from the examples as in scikit-learn's `SVC`."""
    if gamma == "auto":
        gamma = 1.0 / X.shape[1]
    elif gamma == "scale":
        if kernel == "precomputed" or callable(kernel):
            gamma = 1.0
        else:
            variance = _variance(X)
            gamma = 1.0 / (X.shape[1] * variance) if variance > 0 else 1.0
    return Kernel(kernel, float(gamma), int(degree), float(coef0))


def _variance(X: Matrix) -> float:
    if not is_csr(X):
        return float(X.var(dtype=np.float64))
    size = X.shape[0] * X.shape[1]
    mean = X.sum(dtype=np.float64) / size
    return float((X.data.astype(np.float64) ** 2).sum() / size - mean**2)


def _readable(Z: Matrix) -> Matrix:
    """Converts to the form that the core reads: float32 or float64, sparse rows with sorted, unique columns."""
    if Z.dtype not in (np.float32, np.float64):
        Z = Z.astype(np.float64)
    if is_csr(Z) and not Z.has_canonical_format:
        Z = Z.copy()
        Z.sum_duplicates()
    return Z


def _sparse(Z: Matrix) -> Matrix:
    from scipy.sparse import csr_matrix

    found: Matrix = csr_matrix(Z)
    return found
