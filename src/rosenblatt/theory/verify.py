"""Checks a certificate against the data, in integers. Shares no code with the search that found it.

What is claimed, with z = y·(1, x), or y·x through the origin, for every example:

* separable: `weights` w with z·w > 0 for all examples;
* not separable: `witness`, examples and multipliers λ > 0 with Σ λz = 0. No w can have all z·w > 0, for then
  0 = (Σ λz)·w = Σ λ(z·w) > 0 (Gordan 1873);
* weak: besides, w with z·w ≥ 0 for all and > 0 for some;
* inseparable: besides, a witness `closure` (or the first one) whose examples span all z: any w with z·w ≥ 0 for all
  is 0 on the witness's examples, so on what they span, so everywhere. `null` lists independent vectors, each
  orthogonal to every z; with the rank of the examples they fill the space, so the examples span the rest. A closure
  over all examples needs no such vectors.
"""

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np
import scipy.sparse as sp

_PRIMES = (2147483647, 2147483629, 2147483587)  # a rank modulo a prime is never above the true one
_VALUES = 1 << 20  # of a block of rows


def verify(certificate: Mapping[str, Any], X: Any, y: Any) -> bool:
    """Whether the certificate (as `Separability.to_dict` gives it) proves what it says about these very examples.

    >>> from rosenblatt import separability
    >>> X, y = [[0, 0], [0, 1], [1, 0], [1, 1]], [0, 1, 1, 0]
    >>> proof = separability(X, y).to_dict()
    >>> verify(proof, X, y), verify(proof, X, [0, 0, 0, 1])
    (True, False)
    """
    try:
        return _proves(certificate, X if sp.issparse(X) else np.asarray(X), np.asarray(y))
    except (KeyError, TypeError, ValueError, IndexError, AttributeError, OverflowError):
        return False  # not even a certificate


def _proves(claim: Mapping[str, Any], X: Any, y: Any) -> bool:
    X = X.tocsr() if sp.issparse(X) else X
    if X.shape != (claim["n_examples"], claim["n_features"]) or y.shape != X.shape[:1]:
        return False
    positive, negative, offset = claim["positive"], claim["negative"], claim["fit_intercept"]
    signs = np.where(y == positive, 1, -1 if negative is None else np.where(y == negative, -1, 0))
    if not (np.any(signs > 0) and np.any(signs < 0)):
        return False
    kind, separable, witness, weights = claim["kind"], claim["separable"], claim["witness"], claim["weights"]
    width = X.shape[1] + bool(offset)
    if kind == "separable":
        return (
            separable is True and witness is None and all(s > 0 for s in exact_scores(X, signs, offset, ints(weights)))
        )
    if separable is not False or not is_witness(witness, X, signs, offset):
        return False
    if kind == "weak":
        scores = list(exact_scores(X, signs, offset, ints(weights)))
        return min(scores) == 0 < max(scores)
    if weights is not None or kind not in ("inseparable", "undecided"):
        return False
    if kind == "undecided":
        return claim["closure"] is None and not claim["null"]
    closure = witness if claim["closure"] is None else claim["closure"]
    if not is_witness(closure, X, signs, offset):
        return False
    if len(closure["indices"]) == np.count_nonzero(signs):
        return not claim["null"]  # all of them: nothing is left to be spanned
    spanning = [[z.get(j, 0) for j in range(width)] for z in _examples(X, signs, offset, closure["indices"])]
    null = [ints(vector) for vector in claim["null"]]
    if _rank(spanning) + _rank(null) != width:
        return False
    return all(s == 0 for vector in null for s in exact_scores(X, signs, offset, vector))


def is_witness(witness: Any, X: Any, signs: Any, offset: bool) -> bool:
    """Whether these multipliers are positive and Σ λz = 0."""
    indices, multipliers = witness["indices"], ints(witness["multipliers"])
    if not indices or len(set(indices)) != len(indices) or len(indices) != len(multipliers) or min(multipliers) <= 0:
        return False
    if min(indices) < 0 or not all(type(i) is int and signs[i] for i in indices):
        return False
    total: dict[int, int] = {}
    for z, multiplier in zip(_examples(X, signs, offset, indices), multipliers, strict=True):
        for j, a in z.items():
            total[j] = total.get(j, 0) + multiplier * a
    return not any(total.values())


def ints(numbers: Any) -> list[int]:
    """The integers of a certificate."""
    return [int(number, 0) for number in numbers]  # decimal, or hexadecimal where long


def _examples(X: Any, signs: Any, offset: bool, indices: list[int]) -> Iterator[dict[int, int]]:
    """Each z, as coordinate → integer, times a power of two that all of them share."""
    part = X[indices]
    low = _lowest(part)
    for k, i in enumerate(indices):
        sign = int(signs[i])
        if sp.issparse(part):
            inside = slice(part.indptr[k], part.indptr[k + 1])
            columns, values = part.indices[inside].tolist(), part.data[inside]
        else:
            columns, values = list(range(X.shape[1])), part[k]
        z = {0: sign << -low} if offset else {}
        for j, a in zip(columns, _integers(values, low).tolist(), strict=True):
            z[j + bool(offset)] = z.get(j + bool(offset), 0) + sign * a
        yield z


def exact_scores(X: Any, signs: Any, offset: bool, vector: list[int]) -> Iterator[int]:
    """Each z·vector, times a positive number, of the examples that take part."""
    if len(vector) != X.shape[1] + bool(offset):
        raise ValueError("a vector of another length")
    w = np.array(vector[bool(offset) :], dtype=object)
    used = np.flatnonzero(w)
    indices = np.flatnonzero(signs)
    block = max(1, _VALUES // max(1, X.shape[1]))
    for begin in range(0, len(indices), block):
        chosen = indices[begin : begin + block]
        part = X[chosen]
        low = _lowest(part)
        if sp.issparse(part):
            scores = np.zeros(len(chosen), dtype=object)
            owner = np.repeat(np.arange(len(chosen)), np.diff(part.indptr))
            np.add.at(scores, owner, _integers(part.data, low) * w[part.indices])
        else:
            scores = _integers(part[:, used], low) @ w[used]
        if offset:
            scores = scores + (vector[0] << -low)
        yield from (scores * signs[chosen].astype(object)).tolist()


def _lowest(part: Any) -> int:
    """A number e ≤ 0 such that every value is an integer times 2^e."""
    values = part.data if sp.issparse(part) else part
    if values.dtype.kind in "iub":
        return 0
    _, exponents = np.frexp(values[values != 0])
    return min(0, int(exponents.min(initial=0)) - 53)


def _integers(values: Any, low: int) -> Any:
    """Gives values / 2^low, exactly: a float is an integer of 53 bits times a power of two."""
    if values.dtype.kind in "iub":
        return values.astype(object) * (1 << -low)
    fractions, exponents = np.frexp(values.astype(np.float64))
    return np.ldexp(fractions, 53).astype(np.int64).astype(object) << np.maximum(exponents - 53 - low, 0).astype(object)


def _rank(rows: list[list[int]]) -> int:
    """A lower bound on the rank, and nearly always the rank."""
    return max(_rank_modulo(rows, p) for p in _PRIMES) if rows else 0


def _rank_modulo(rows: list[list[int]], p: int) -> int:
    M = np.array([[a % p for a in row] for row in rows], dtype=np.int64)
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
