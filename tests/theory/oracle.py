"""The kind of a small set by its definition: an exact linear program, written for the tests alone."""

from fractions import Fraction


def exact_kind(X, signs, fit_intercept):
    """Says "separable", "weak" or "inseparable" of signs ±1 and integers.

    With z = y·(1, x), or y·x: the largest Σ t with z·w ≥ t and 0 ≤ t ≤ 1, one t an example, is n where some w has all
    z·w > 0 (scale it up), and 0 where no w with all z·w ≥ 0 has one of them > 0.
    """
    Z = [[int(y) * int(a) for a in ([1] * fit_intercept + list(x))] for x, y in zip(X, signs, strict=True)]
    n, width = len(Z), len(Z[0])
    unit = [[int(i == j) for j in range(n)] for i in range(n)]
    # w = u − v with u, v ≥ 0; the columns are u, v, t.
    rows = [[-a for a in z] + z + t for z, t in zip(Z, unit, strict=True)] + [[0] * (2 * width) + t for t in unit]
    best = largest([0] * (2 * width) + [1] * n, rows, [0] * n + [1] * n)
    return "separable" if best == n else "weak" if best else "inseparable"


def largest(gain, rows, limits):
    """The largest gain·x with x ≥ 0 and row·x ≤ limit ≥ 0: the simplex method in fractions (Bland's rule: it ends)."""
    m, n = len(rows), len(gain)
    table = [
        [Fraction(a) for a in row] + [Fraction(int(i == k)) for k in range(m)] + [Fraction(limit)]
        for i, (row, limit) in enumerate(zip(rows, limits, strict=True))
    ]
    price = [Fraction(-a) for a in gain] + [Fraction(0)] * (m + 1)
    basis = list(range(n, n + m))
    while (enter := next((j for j in range(n + m) if price[j] < 0), None)) is not None:
        _, _, leave = min((row[-1] / row[enter], basis[i], i) for i, row in enumerate(table) if row[enter] > 0)
        pivot = [a / table[leave][enter] for a in table[leave]]
        table = [pivot if i == leave else _minus(row, row[enter], pivot) for i, row in enumerate(table)]
        price = _minus(price, price[enter], pivot)
        basis[leave] = enter
    return price[-1]


def _minus(row, times, pivot):
    return [a - times * b if b else a for a, b in zip(row, pivot, strict=True)] if times else row
