"""Checks a witness whose multipliers are approximate: exact ones exist close to them. Shares no code with the search.

Let λ be the multipliers, r = Σ λz their remainder, computed in integers, and B the rows z of the `basis`, as many as
the columns that are not constant on the witness. If C is any matrix with ‖I − CB‖∞ ≤ q < 1, then B is nonsingular, and
the solution of Bᵀμ = −r has |μ_k| ≤ ‖r‖₁ max_j |C_jk| / (1 − q). If that is less than λ_k for every row of B, then
λ + μ > 0 and Σ (λ + μ)z = 0. In a constant column the sum is that of the offset's column times the constant.

C is an inverse in floating point. The error of a product of k terms is at most k·u/(1 − k·u) times the sum of
magnitudes, u = 2⁻⁵³ (Higham, Accuracy and Stability of Numerical Algorithms, 3.1); factors of 2 cover the rounding of
the bounds themselves.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from rosenblatt.theory.examples.sparse_type import is_sparse


def is_near_witness(witness: Any, remainder: list[int], low: int, X: Any, signs: Any, offset: bool) -> bool:
    """Whether the remainder (integers · 2^low, the offset's first) can be cancelled by the rows of the basis."""
    part = X[witness["indices"]]
    table = part.toarray() if is_sparse(part) else part
    columns = np.flatnonzero(np.any(table != table[0], axis=0) | (not offset and np.any(table != 0, axis=0)))
    place = {i: k for k, i in enumerate(witness["indices"])}
    basis = [place[i] for i in witness["basis"]]
    rows = _rows(table[:, columns], [int(signs[i]) for i in witness["indices"]], offset)
    if rows is None or len(set(basis)) != len(basis) or len(basis) != rows.shape[1]:
        return False
    B, exponents = _scaled(rows[basis])
    if B is None:
        return False
    kept = remainder[:1] * offset + [remainder[offset + j] for j in columns.tolist()]
    size = sum(_above(abs(a), low - int(e)) for a, e in zip(kept, exponents, strict=True))
    with np.errstate(all="ignore"):
        C = np.linalg.inv(B)  # a singular matrix raises LinAlgError, a ValueError
        product = abs(np.eye(len(B)) - C @ B).sum(axis=1)
        rounding = 2.0 * (len(B) + 4) * 2.0**-53 * (abs(C) @ abs(B).sum(axis=1) + 1)
        q = 2.0 * float(np.max(product + rounding))
        bounds = 2.0 * size * abs(C).max(axis=0) / (1 - q)
    multipliers = np.array([_above(int(witness["multipliers"][k], 0), 0) for k in basis])
    return bool(q < 0.9 and np.all(np.isfinite(bounds)) and np.all(bounds < 0.5 * multipliers))


def _rows(table: Any, signs: list[int], offset: bool) -> NDArray[np.float64] | None:
    """The rows z in float64, which must hold their values exactly."""
    if table.dtype.kind == "O":
        return None
    values = table.astype(np.float64)
    if table.dtype.kind in "iu" and np.any(abs(values) > 2.0**53):
        return None
    if offset:
        values = np.column_stack([np.ones(len(values)), values])
    signed: NDArray[np.float64] = values * np.array(signs, dtype=np.float64)[:, None]
    return signed


def _scaled(B: NDArray[np.float64]) -> tuple[NDArray[np.float64] | None, list[int]]:
    """Columns divided by powers of two, exactly."""
    exponents = np.frexp(abs(B).max(axis=0))[1]
    scaled = np.ldexp(B, -exponents)
    if not np.array_equal(np.ldexp(scaled, exponents), B) or np.any((scaled == 0) != (B == 0)):
        return None, []
    return scaled, exponents.tolist()


def _above(a: int, exponent: int) -> float:
    """A float that is at least a · 2^exponent, and less than twice that."""
    shift = max(0, a.bit_length() - 50)
    return float(np.ldexp(float((a >> shift) + (1 if shift else 0)), shift + exponent))
