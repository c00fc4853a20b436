"""Checks a certificate against the data, exactly. Shares no code with the search that found it.

The claims, with z = y·(1, x), or y·x through the origin, for every example:

* separable: `weights` w with z·w > 0 for all examples;
* not separable: `witness`, examples and multipliers λ > 0 with Σ λz = 0. No w can have all z·w > 0, for then
  0 = (Σ λz)·w = Σ λ(z·w) > 0 (Gordan 1873);
* weak: besides, w with z·w ≥ 0 for all and > 0 for some;
* inseparable: besides, a witness `closure` (or the first one) whose examples span all z: any w with z·w ≥ 0 for all
  is 0 on the witness's examples, so on what they span, so everywhere. `null` lists independent vectors, each
  orthogonal to every z; with the rank of the examples they fill the space, so the examples span the rest. A closure
  over all examples needs no such vectors.

Floating point decides a sign only if the bound on its rounding error proves it; all other signs are computed in
integers.
"""

from collections.abc import Mapping
from fractions import Fraction
from math import lcm
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rosenblatt.theory.examples.sparse_type import is_sparse
from rosenblatt.theory.separability.verify_near import is_near_witness

_PRIMES = (2147483647, 2147483629, 2147483587)  # a rank modulo a prime is never above the true one
_VALUES = 1 << 17  # values per block of rows
_BITS = 400  # weights are cut to this many bits before conversion to floating point


def verify(certificate: Mapping[str, Any], X: Any, y: Any) -> bool:
    """Whether the certificate (as `Separability.to_dict` gives it) proves its claim about these examples.

    >>> from rosenblatt import separability
    >>> X, y = [[0, 0], [0, 1], [1, 0], [1, 1]], [0, 1, 1, 0]
    >>> proof = separability(X, y).to_dict()
    >>> verify(proof, X, y), verify(proof, X, [0, 0, 0, 1])
    (True, False)
    """
    try:
        return _proves(certificate, X if is_sparse(X) else np.asarray(X), np.asarray(y))
    except (KeyError, TypeError, ValueError, IndexError, AttributeError, OverflowError):
        return False  # malformed certificate


def claimed_signs(claim: Mapping[str, Any], X: Any, y: Any) -> NDArray[np.int64] | None:
    """The sign of each example in the claim; 0 for other classes. None if the claim is about other data."""
    if X.shape != (claim["n_examples"], claim["n_features"]) or y.shape != X.shape[:1]:
        return None
    negative = claim["negative"]
    signs = np.where(y == claim["positive"], 1, -1 if negative is None else np.where(y == negative, -1, 0))
    return signs if np.any(signs > 0) and np.any(signs < 0) else None


def _proves(claim: Mapping[str, Any], X: Any, y: Any) -> bool:
    X = X.tocsr() if is_sparse(X) else X
    signs, offset = claimed_signs(claim, X, y), claim["fit_intercept"]
    if signs is None:
        return False
    kind, separable, witness, weights = claim["kind"], claim["separable"], claim["witness"], claim["weights"]
    width = X.shape[1] + bool(offset)
    if kind == "separable":
        return separable is True and witness is None and bool(np.all(exact_signs(X, signs, offset, ints(weights)) > 0))
    if separable is not False or not is_witness(witness, X, signs, offset):
        return False
    if kind == "weak":
        sides = exact_signs(X, signs, offset, ints(weights))
        return bool(sides.min() == 0 < sides.max())
    if weights is not None or kind not in ("inseparable", "undecided"):
        return False
    if kind == "undecided":
        return claim["closure"] is None and not claim["null"]
    closure = witness if claim["closure"] is None else claim["closure"]
    if closure is not witness and not is_witness(closure, X, signs, offset):
        return False
    if len(closure["indices"]) == np.count_nonzero(signs):
        return not claim["null"]  # the closure covers all examples, so no null vectors are needed
    null = np.array([ints(vector) for vector in claim["null"]], dtype=object)
    free = _rank(null, len(null))
    # The rows of a basis are independent, as the check of the witness has shown.
    spanned = closure.get("basis") or _extended(X[closure["indices"]], offset)
    if free + (len(spanned) if "basis" in closure else _rank(spanned, width - free)) != width:
        return False
    return not any(np.any(exact_signs(X, signs, offset, vector)) for vector in null.tolist())


def is_witness(witness: Any, X: Any, signs: Any, offset: bool) -> bool:
    """Whether these multipliers are positive and Σ λz = 0, or, with a basis, close to such numbers."""
    found = combination(witness, X, signs, offset)
    if found is None or "basis" not in witness:
        return found is not None and not any(found[0])
    return is_near_witness(witness, *found, X, signs, offset)


def combination(chosen: Any, X: Any, signs: Any, offset: bool) -> tuple[list[int], int] | None:
    """The sum Σ λz = integers · 2^exponent; None unless each λ is positive and belongs to an example of its own."""
    indices, multipliers = chosen["indices"], ints(chosen["multipliers"])
    if not indices or len(set(indices)) != len(indices) or len(indices) != len(multipliers) or min(multipliers) <= 0:
        return None
    if min(indices) < 0 or not all(type(i) is int and signs[i] for i in indices):
        return None
    part = X[indices]
    low = _lowest(part)
    times = np.array([int(signs[i]) * m for i, m in zip(indices, multipliers, strict=True)], dtype=object)
    total = np.zeros(part.shape[1], dtype=object)
    if is_sparse(part):
        np.add.at(total, part.indices, _integers(part.data, low) * np.repeat(times, np.diff(part.indptr)))
    else:
        block = max(1, _VALUES // part.shape[1])  # integers take several times the memory of floats
        for begin in range(0, len(part), block):
            total = total + times[begin : begin + block] @ _integers(part[begin : begin + block], low)
    return [sum(times) << -low] * bool(offset) + total.tolist(), low


def ints(numbers: Any) -> list[int]:
    """The integers of a certificate."""
    return [int(number, 0) for number in numbers]  # decimal, or hexadecimal where long


def _extended(part: Any, offset: bool) -> NDArray[Any]:
    """Each (1, x), or x, in integers: floats times a common power of two, Fractions times one factor per row."""
    low = _lowest(part)
    values = _integers(part.toarray() if is_sparse(part) else part, low)
    rows = np.column_stack([np.full(len(values), 1 << -low, dtype=object), values]) if offset else values
    if part.dtype.kind != "O":
        return rows
    factors = [lcm(*(Fraction(a).denominator for a in row)) for row in rows.tolist()]
    cleared = [[int(a * factor) for a in row] for row, factor in zip(rows.tolist(), factors, strict=True)]
    return np.array(cleared, dtype=object)


def integer_rows(X: Any, signs: Any, offset: bool) -> list[list[int]]:
    """Each z in integers, times a positive factor."""
    rows = _extended(X, offset) * np.asarray(signs, dtype=object)[:, None]
    return [[int(a) for a in row] for row in rows.tolist()]


def exact_signs(X: Any, signs: Any, offset: bool, vector: list[int]) -> NDArray[np.int8]:
    """The sign of each z·vector, for the examples in use: 1, −1 or 0."""
    if len(vector) != X.shape[1] + bool(offset):
        raise ValueError("a vector of another length")
    used = np.flatnonzero([a != 0 for a in vector[bool(offset) :]])
    if 2 * len(used) < X.shape[1]:
        X, vector = X[:, used], vector[: bool(offset)] + [vector[j + bool(offset)] for j in used]
    rough = None if X.dtype.kind == "O" else _as_floats(vector)
    members = np.flatnonzero(signs)
    block = max(1, int(_VALUES * X.shape[0] / max(1, X.nnz if is_sparse(X) else X.size)))
    found = [np.zeros(0, dtype=np.int8)]
    for begin in range(0, len(members), block):
        chosen = members[begin : begin + block]
        part = X[begin : begin + block] if len(members) == len(signs) else X[chosen]
        sides = np.zeros(len(chosen), dtype=np.int8) if rough is None else _clear_signs(part, offset, rough)
        unclear = np.flatnonzero(sides == 0)
        if len(unclear):
            sides[unclear] = [(s > 0) - (s < 0) for s in _scores(part[unclear], offset, vector)]
        found.append(sides * np.sign(signs[chosen]).astype(np.int8))
    return np.concatenate(found)


def _as_floats(vector: list[int]) -> NDArray[np.float64] | None:
    """The vector over a power of two, each number rounded once to 53 bits; None if the spread is too large."""
    drop = max(0, max((a.bit_length() for a in vector), default=0) - _BITS)
    if drop and any(0 < a.bit_length() < drop + 64 for a in vector):
        return None
    return np.array([float(a >> drop) for a in vector])


def _clear_signs(part: Any, offset: bool, vector: NDArray[np.float64]) -> NDArray[np.int8]:
    """The signs of the scores that rounding cannot change; 0 elsewhere.

    The error of a sum of k products, in any order, is at most k·u/(1 − k·u) times the sum of magnitudes, with
    u = 2^−53 (Higham, Accuracy and Stability of Numerical Algorithms, 3.1); both factors are rounded once before, and
    the error of a product below the normal range is at most 2^−1074. The factor 2 covers the bound's own rounding.
    """
    part = part.astype(np.float64, copy=False)
    w0, w = (vector[0], vector[1:]) if offset else (0.0, vector)
    terms = int(np.diff(part.indptr).max(initial=0)) if is_sparse(part) else part.shape[1]
    with np.errstate(over="ignore", invalid="ignore"):
        scores = part @ w + w0
        sizes = abs(part) @ abs(w) + abs(w0)
        clear = abs(scores) > 2.0 * (terms + 8) * (2.0**-53 * sizes + 2.0**-1074)
    return np.where(clear, np.sign(scores), 0).astype(np.int8)


def _scores(part: Any, offset: bool, vector: list[int]) -> list[Any]:
    """The score of each row in integers (or Fractions, if it holds such), times a power of two."""
    w = np.array([*vector[bool(offset) :], 0], dtype=object)[:-1]
    low = _lowest(part)
    if is_sparse(part):
        scores = np.zeros(part.shape[0], dtype=object)
        owner = np.repeat(np.arange(part.shape[0]), np.diff(part.indptr))
        np.add.at(scores, owner, _integers(part.data, low) * w[part.indices])
    else:
        scores = _integers(part, low) @ w if len(w) else np.zeros(len(part), dtype=object)
    if offset:
        scores = scores + (vector[0] << -low)
    return list(scores)


def _lowest(part: Any) -> int:
    """A number e ≤ 0 such that every value is an integer times 2^e."""
    values = part.data if is_sparse(part) else part
    if values.dtype.kind in "iubO":
        return 0
    if not np.all(np.isfinite(values)):
        raise ValueError("a value that is not a number")
    _, exponents = np.frexp(values[values != 0])
    return min(0, int(exponents.min(initial=0)) - 53)


def _integers(values: Any, low: int) -> Any:
    """Gives values / 2^low, exactly: a float is an integer of 53 bits times a power of two."""
    if values.dtype.kind in "iubO":  # an object array holds integers and Fractions
        return values.astype(object) * (1 << -low)
    fractions, exponents = np.frexp(values.astype(np.float64))
    return np.ldexp(fractions, 53).astype(np.int64).astype(object) << np.maximum(exponents - 53 - low, 0).astype(object)


def _rank(rows: NDArray[Any], enough: int) -> int:
    """The rank, if it is at most `enough`; else a number that is at least `enough`."""
    for p in _PRIMES:
        if len(rows) and enough and _rank_modulo(rows, p) >= enough:
            return enough
    return _exact_rank(rows.tolist())


def _exact_rank(rows: list[list[int]]) -> int:
    """By elimination in integers (Bareiss 1968): every division is exact."""
    rank, last = 0, 1
    for j in range(len(rows[0]) if rows else 0):
        pivot = next((i for i in range(rank, len(rows)) if rows[i][j]), None)
        if pivot is None:
            continue
        rows[rank], rows[pivot] = rows[pivot], rows[rank]
        top = rows[rank]
        for i in range(rank + 1, len(rows)):
            row = rows[i]
            rows[i] = [(top[j] * a - row[j] * b) // last for a, b in zip(row, top, strict=True)]
        rank, last = rank + 1, top[j]
    return rank


def _rank_modulo(rows: NDArray[Any], p: int) -> int:
    M = (rows % p).astype(np.int64)
    rank = 0
    for j in range(M.shape[1]):
        pivots = np.flatnonzero(M[rank:, j])
        if not len(pivots):
            continue
        M[[rank, rank + pivots[0]]] = M[[rank + pivots[0], rank]]
        M[rank] = M[rank] * pow(int(M[rank, j]), -1, p) % p
        M[rank + 1 :] = (M[rank + 1 :] - M[rank + 1 :, j : j + 1] * M[rank] % p) % p
        rank += 1
        if rank == len(M):
            break
    return rank
