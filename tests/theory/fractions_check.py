"""Checks a certificate of separability from its definition, in Fractions. Written for the tests alone, and slow."""

from fractions import Fraction

import numpy as np


def proves(certificate, X, y):
    """Whether the certificate proves its kind: see docs/separability.md for what each kind claims."""
    rows = [_z(x, label, certificate) for x, label in zip(_table(X), y, strict=True)]
    rows = [z for z in rows if z is not None]
    kind = certificate["kind"]
    if kind == "separable":
        return all(score > 0 for score in _scores(rows, certificate))
    if not _is_zero(certificate["witness"], X, y, certificate):
        return False
    if kind == "weak":
        scores = _scores(rows, certificate)
        return min(scores) == 0 < max(scores)
    closure = certificate["closure"] or certificate["witness"]
    if not _is_zero(closure, X, y, certificate):
        return False
    if len(closure["indices"]) == len(rows):
        return True
    null = [[Fraction(int(a, 0)) for a in vector] for vector in certificate["null"]]
    if any(_dot(vector, z) for vector in null for z in rows):
        return False
    spanned = [_z(_row(X, i), y[i], certificate) for i in closure["indices"]]
    return _rank(spanned) + _rank(null) == len(rows[0])


def _table(X):
    return X.toarray() if hasattr(X, "toarray") else np.asarray(X)


def _row(X, i):
    return X[[i]].toarray()[0] if hasattr(X, "toarray") else np.asarray(X)[i]


def _z(x, label, certificate):
    if label == certificate["positive"]:
        sign = 1
    elif certificate["negative"] is None or label == certificate["negative"]:
        sign = -1
    else:
        return None
    values = [sign * Fraction(a) for a in (x.tolist() if hasattr(x, "tolist") else x)]
    return [Fraction(sign), *values] if certificate["fit_intercept"] else values


def _dot(a, b):
    return sum((p * q for p, q in zip(a, b, strict=True) if p and q), Fraction(0))


def _scores(rows, certificate):
    w = [int(a, 0) for a in certificate["weights"]]
    return [_dot(z, w) for z in rows]


def _is_zero(witness, X, y, certificate):
    multipliers = [int(m, 0) for m in witness["multipliers"]]
    if min(multipliers) <= 0 or len(set(witness["indices"])) != len(multipliers):
        return False
    rows = [_z(_row(X, i), y[i], certificate) for i in witness["indices"]]
    if "basis" in witness:
        multipliers = _exact_multipliers(witness, multipliers, rows)
        if min(multipliers) <= 0:
            return False
    return not any(_dot(multipliers, column) for column in zip(*rows, strict=True))


def _exact_multipliers(witness, multipliers, rows):
    """The multipliers of the basis that cancel the other rows, which keep theirs; zeros if they are not unique."""
    basis = [witness["indices"].index(i) for i in witness["basis"]]
    rest = [m if k not in basis else 0 for k, m in enumerate(multipliers)]
    system = [[rows[k][j] for k in basis] + [-_dot(rest, [row[j] for row in rows])] for j in range(len(rows[0]))]
    reduced, pivots = _reduced(system)
    if pivots != list(range(len(basis))):
        return [0]
    for k, row in zip(basis, reduced, strict=False):
        rest[k] = row[-1]
    return rest


def _reduced(rows):
    """The reduced row echelon form, and its pivot columns."""
    rows, pivots = [list(row) for row in rows], []
    for j in range(len(rows[0])):
        rank = len(pivots)
        pivot = next((i for i in range(rank, len(rows)) if rows[i][j]), None)
        if pivot is None:
            continue
        rows[rank], rows[pivot] = rows[pivot], rows[rank]
        rows[rank] = [a / rows[rank][j] for a in rows[rank]]
        for i, row in enumerate(rows):
            if i != rank and row[j]:
                rows[i] = [a - row[j] * b for a, b in zip(row, rows[rank], strict=True)]
        pivots.append(j)
    return rows, pivots


def _rank(rows):
    rows, rank = [list(row) for row in rows], 0
    for j in range(len(rows[0]) if rows else 0):
        pivot = next((i for i in range(rank, len(rows)) if rows[i][j]), None)
        if pivot is None:
            continue
        rows[rank], rows[pivot] = rows[pivot], rows[rank]
        for i in range(rank + 1, len(rows)):
            if rows[i][j]:
                factor = rows[i][j] / rows[rank][j]
                rows[i] = [a - factor * b for a, b in zip(rows[i], rows[rank], strict=True)]
        rank += 1
    return rank
