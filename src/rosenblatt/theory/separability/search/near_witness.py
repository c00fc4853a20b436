"""Proves a witness without computing its long exact multipliers: short ones, and a bound on the distance to exact ones.

Let the rows z of D + 1 examples have multipliers λ > 0 with a small remainder r = Σ λz, and let D of them form a
nonsingular matrix B; D is the number of columns that are not constant on these examples, the offset's included. Then
Bᵀμ = −r has one solution, and λ + μ is an exact witness if |μ| < λ on these rows. A floating-point inverse C of B with
‖I − CB‖∞ ≤ q < 1 proves that B is nonsingular and that |μ_k| ≤ ‖r‖₁ max_j |C_jk| / (1 − q). Where D is the width of the
space, the rows of B span it, so such a witness also proves that no weak separation exists.

Exact multipliers of D + 1 rows of 53-bit numbers have about 60·D bits each; these have some hundred.
"""

from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from rosenblatt.theory.budget import Budget
from rosenblatt.theory.examples.labelled_examples import Examples, Floats, Indices, to_integers
from rosenblatt.theory.separability.witness import Witness

_BLOCK = 32  # columns that are processed between two updates of the inverse
_TABLE = 1 << 16  # values converted to integers at a time
_ROUNDS = 6  # corrections of the multipliers
_BITS = 60  # bits of a multiplier before the first correction
_ROOM = 8.0  # how much smaller than its multiplier the bound on μ must be
_RANK = 1e-11  # length relative to the longest, below which a point is taken to depend on others
_ZERO = 1e-13  # multiplier relative to the largest, below which it is taken to be zero
_PRODUCT = 0.06  # cost of a multiplication in a matrix product, in touched values


@dataclass(frozen=True)
class _Rows:
    """Rows z in floating point, exactly: columns times powers of two."""

    values: Floats
    exponents: Indices


def prove_near(examples: Examples, chosen: Indices, guess: Floats, budget: Budget) -> Witness | None:
    """A witness over these D + 1 examples, with the guess for their multipliers; None if rounding prevents it."""
    from scipy.linalg import LinAlgError, inv

    if not 2 <= len(chosen) <= examples.width + 1 or not np.all(guess > 0):
        return None
    rows = _exact_rows(examples, chosen)
    if rows is None or rows.values.shape[1] != len(chosen) - 1:
        return None
    width = rows.values.shape[1]
    budget.spend(_PRODUCT * 6.0 * width**3)
    anchor = int(np.argmax(guess))
    basis = np.delete(np.arange(width + 1), anchor)
    B = rows.values[basis]
    try:
        C = inv(B, check_finite=False)
    except LinAlgError:
        return None
    with np.errstate(over="ignore", invalid="ignore"):
        error = abs(np.eye(width) - C @ B).sum(axis=1).max() + 4e-16 * width * (abs(C) @ abs(B).sum(axis=1)).max()
        largest = abs(C).max(axis=0)
    if not error < 0.5:
        return None
    guess = np.where(np.arange(width + 1) == anchor, guess[anchor], 0)
    guess[basis] = -(rows.values[anchor] * guess[anchor]) @ C
    if not np.all(guess > 0):
        return None
    return _corrected(examples, chosen, rows, basis, C, largest, guess, budget)


def _corrected(
    examples: Examples,
    chosen: Indices,
    rows: _Rows,
    basis: Indices,
    C: Floats,
    largest: Floats,
    guess: Floats,
    budget: Budget,
) -> Witness | None:
    """Adds corrections from the exact remainder, each with more bits, until the bound on μ is small enough."""
    shift = _BITS - int(np.frexp(guess.max())[1])
    multipliers = [max(1, round(np.ldexp(m, shift))) for m in guess.tolist()]
    for _ in range(_ROUNDS):
        budget.exact_products(rows.values.size, _BITS)
        remainder = _remainder(rows.values, multipliers)
        size = abs(remainder).sum()
        smallest = np.array([float(multipliers[k]) for k in basis])
        if np.all(_ROOM * size * largest < smallest):
            indices = chosen.tolist()
            return Witness(
                dict(zip(indices, multipliers, strict=True)), basis=tuple(indices[k] for k in basis.tolist())
            )
        step = -remainder @ C
        more = max(0, 40 - int(np.frexp(abs(step).max(initial=1e-300))[1]))  # bits to resolve the correction
        multipliers = [m << more for m in multipliers]
        for k, a in zip(basis.tolist(), step.tolist(), strict=True):
            multipliers[k] += round(np.ldexp(a, more))
        if min(multipliers) <= 0:
            return None
    return None


def _remainder(rows: Floats, multipliers: list[int]) -> Floats:
    """The sum Σ λz, computed in integers and then rounded; a block of rows at a time."""
    total, low = np.zeros(rows.shape[1], dtype=object), 0
    block = max(1, _TABLE // rows.shape[1])
    for begin in range(0, len(rows), block):
        part = rows[begin : begin + block]
        numbers, exponent = to_integers(part.reshape(-1))
        table = np.array([*numbers, 0], dtype=object)[:-1].reshape(part.shape)
        found = np.array(multipliers[begin : begin + block], dtype=object) @ table
        least = min(low, exponent)
        total, low = (total << (low - least)) + (found << (exponent - least)), least
    return np.array([float(Fraction(a, 1 << -low)) for a in total.tolist()])


def _exact_rows(examples: Examples, chosen: Indices) -> _Rows | None:
    """Rows z without constant columns, the others scaled by powers of two; None where float64 is not exact."""
    part = examples.X[chosen]
    part = part.toarray() if hasattr(part, "toarray") else part
    part = part[:, np.any(part != (part[0] if examples.fit_intercept else 0), axis=0)]
    values = part.astype(np.float64)
    if part.dtype.kind in "iu" and part.dtype.itemsize == 8 and abs(values).max(initial=0) > 2**53:
        return None
    if examples.fit_intercept:
        values = np.column_stack([np.ones(len(values)), values])
    exponents = np.frexp(abs(values).max(axis=0))[1].astype(np.int64)
    scaled = np.ldexp(values, -exponents)
    if not np.array_equal(np.ldexp(scaled, exponents), values):
        return None
    return _Rows(scaled * examples.signs[chosen][:, None], exponents)


def vertex(points: Floats, multipliers: Floats, budget: Budget) -> tuple[Indices, Floats] | None:
    """Reduces multipliers > 0 with Σ λz = 0 over many points to rank + 1 points (Carathéodory's theorem).

    One multiplier, the anchor, stays. A basis of points cancels each other point in turn as its multiplier falls to
    zero; where a multiplier of the basis reaches zero first, the two points change places. The inverse of the basis is
    updated once for a block of points. If the points span a subspace, independent columns stand for all. Points of the
    basis that the anchor does not need are left out.
    """
    from scipy.linalg import LinAlgError, inv, qr

    n, width = points.shape
    if n <= width:
        return None
    budget.spend(_PRODUCT * (4.0 * n * width**2 + 4.0 * width**3))
    anchor = int(np.argmax(multipliers))
    weighted = points * np.sqrt(multipliers)[:, None]
    weighted[anchor] = 0
    triangle, order = qr(weighted.T, overwrite_a=True, mode="r", pivoting=True, check_finite=False)
    sizes = abs(triangle.diagonal())
    rank = int(np.count_nonzero(sizes > _RANK * sizes[0]))
    del weighted, triangle
    basis = order[:rank].copy()
    if rank < width:
        _, columns = qr(points[basis], mode="r", pivoting=True, check_finite=False)
        points = np.ascontiguousarray(points[:, columns[:rank]])
    if not rank:
        return None
    others = np.setdiff1d(np.arange(n), np.append(basis, anchor))
    values, amounts = multipliers[basis].copy(), multipliers.copy()
    try:
        inverse = inv(points[basis].T, check_finite=False)
        for begin in range(0, len(others), _BLOCK):
            inverse = _absorb(points, others[begin : begin + _BLOCK], basis, values, amounts, inverse)
        solved = np.linalg.solve(points[basis].T, -points[anchor] * multipliers[anchor])
    except LinAlgError:  # rounding has made the basis singular
        return None
    used = abs(solved) > _ZERO * abs(solved).max()
    if not np.all(np.isfinite(solved)) or not np.all(solved[used] > 0):
        return None
    return np.append(basis[used], anchor), np.append(solved[used], multipliers[anchor])


def _absorb(points: Floats, block: Indices, basis: Indices, values: Floats, amounts: Floats, inverse: Floats) -> Floats:
    """Brings the multipliers of a block of points to zero; changes `basis` and `values`, returns the new inverse."""
    directions = inverse @ points[block].T  # each column: what the basis takes over from a point
    changes: list[tuple[int, Floats]] = []
    for column, j in enumerate(block.tolist()):
        u, amount = directions[:, column], amounts[j]
        with np.errstate(divide="ignore", invalid="ignore"):
            ratios = np.where(u < 0, -values / u, np.inf)
        k = int(np.argmin(ratios))
        step = min(amount, ratios[k])
        values += step * u
        if step == amount:
            continue
        values[k] = amount - step
        basis[k] = j
        factor = u / u[k]
        factor[k] = 1 - 1 / u[k]
        changes.append((k, factor))
        later = directions[:, column + 1 :]
        later -= np.outer(factor, later[k])
    if not changes:
        return inverse
    # The inverse after several pivots is (I − f_m e_mᵀ) … (I − f_1 e_1ᵀ) times the inverse before.
    rows = [k for k, _ in changes]
    factors = np.column_stack([factor for _, factor in changes])
    weights = np.empty((len(rows), inverse.shape[1]))
    for i, k in enumerate(rows):
        weights[i] = inverse[k] - factors[k, :i] @ weights[:i]
    return inverse - factors @ weights
