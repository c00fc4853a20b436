"""The decomposition in rational numbers alone: slow, and correct on any rows.

Repeatedly computes the point of least norm in the hull of the rows, projected onto the open directions (Wolfe 1976). If
it is not the origin, it is a direction that is positive on every row, and the search ends. If it is the origin, its
multipliers form a *layer*: they are > 0, and the weighted sum of rows is zero in these directions. Its rows join those
that are always zero, and only the directions orthogonal to them stay open.
"""

import numpy as np
from flint import fmpz_mat
from numpy.typing import NDArray

from rosenblatt.theory.budget import Budget
from rosenblatt.theory.decomposition.exact_solves import ZeroRows
from rosenblatt.theory.decomposition.integer_rows import IntegerRows
from rosenblatt.theory.exact.linear_algebra import Matrix, dot, null_space, primitive
from rosenblatt.theory.exact.nearest_point import Nearest, Placed, nearest_point


def search_exactly(
    rows: IntegerRows, equality: NDArray[np.bool_], budget: Budget
) -> tuple[NDArray[np.bool_], list[int], list[int]]:
    """The positive rows, a direction and the multipliers, as `Decomposition` has them."""
    n, width = len(rows), rows.width
    zero = np.flatnonzero(equality).tolist()
    undecided = np.flatnonzero(~equality)
    layers: list[dict[int, int]] = []
    direction = [0] * width
    while len(undecided):
        basis = _orthogonal(rows, zero, budget)
        points = _coordinates(rows, undecided, basis, budget)
        flat = [i for i, point in points.items() if not any(point)]
        if flat:  # rows in the span of the rows that are always zero
            layers.append(dict.fromkeys(flat, 1))
            zero += flat
        points = {i: point for i, point in points.items() if any(point)}
        undecided = np.array(list(points), dtype=np.int64)
        if not points:
            break
        nearest = _nearest(points, budget)
        if not nearest.is_origin:
            direction = [int(a) for a in (fmpz_mat([nearest.direction]) * fmpz_mat(basis)).entries()]
            break
        sizes = {i: _size(points[i]) for i in nearest.keys}
        low = min(-size for size in sizes.values())
        layer = zip(nearest.keys, nearest.multipliers, strict=True)
        layers.append({i: m << (-sizes[i] - low) for i, m in layer})
        zero += nearest.keys
        undecided = np.setdiff1d(undecided, nearest.keys)
    positive = np.zeros(n, dtype=bool)
    positive[undecided] = True
    return positive, primitive(direction), _combined(rows, np.flatnonzero(equality), layers, budget)


def _orthogonal(rows: IntegerRows, zero: list[int], budget: Budget) -> Matrix:
    if not zero:
        return [[int(j == k) for j in range(rows.width)] for k in range(rows.width)]
    table = rows.dense(np.array(zero, dtype=np.int64))
    return null_space([[int(a) for a in row] for row in table.tolist()], budget)


def _coordinates(rows: IntegerRows, chosen: NDArray[np.int64], basis: Matrix, budget: Budget) -> dict[int, list[int]]:
    """The products of each row with the vectors of the basis."""
    budget.spend(20.0 * len(chosen) * rows.width * max(1, len(basis)))
    if not basis:
        return {int(i): [] for i in chosen}
    table = rows.dense(chosen) * fmpz_mat(basis).transpose()
    return {int(i): [int(a) for a in row] for i, row in zip(chosen, table.tolist(), strict=True)}


def _size(point: list[int]) -> int:
    return max(abs(a) for a in point).bit_length()


def _nearest(points: dict[int, list[int]], budget: Budget) -> Nearest[int]:
    placed = {i: Placed(i, point, -_size(point)) for i, point in points.items()}
    values = sum(map(len, points.values()))
    low = min(p.exponent for p in placed.values())

    def closer(x: Nearest[int]) -> Placed[int] | None:
        budget.exact_products(values)
        own = dot(x.direction, x.direction) << (x.exponent - low)  # x's own score, times its total
        scores = {i: dot(x.direction, p.numbers) * x.total << (p.exponent - low) for i, p in placed.items()}
        best = min(scores, key=lambda i: scores[i])
        return placed[best] if scores[best] < own else None

    start = placed[next(iter(placed))]
    return nearest_point([start], [1], closer, budget)


def _combined(
    rows: IntegerRows, equalities: NDArray[np.int64], layers: list[dict[int, int]], budget: Budget
) -> list[int]:
    """Multipliers over all layers at once: each layer's remainder is cancelled by the rows of earlier ones.

    The layers are added from last to first. The sum so far is a combination of the rows of earlier layers; each layer
    is added with a factor large enough that the multipliers of its rows become positive.
    """
    total: dict[int, int] = {}
    known = [equalities.tolist()]
    for layer in layers:
        known.append(known[-1] + list(layer))
    for k in reversed(range(len(layers))):
        earlier = np.array(known[k], dtype=np.int64)
        layer = layers[k]
        factor = max(1, *(-total.get(i, 0) // m + 1 for i, m in layer.items()))
        for i, m in layer.items():
            total[i] = total.get(i, 0) + factor * m
        if not len(earlier):
            continue
        part = rows.take(np.concatenate([earlier, np.array(sorted(total), dtype=np.int64)]))
        guess = [0] * len(earlier) + [total[i] for i in sorted(total)]
        found = ZeroRows(part, np.arange(len(earlier)), budget).multipliers(guess)
        if np.any(part.combine(found) != 0):  # the rank modulo the prime was too small
            found = ZeroRows(part, np.arange(len(earlier)), budget, prime=None).multipliers(guess)
        scale = next((f // g for f, g in zip(found, guess, strict=True) if g), 1)
        total = {i: m * scale for i, m in total.items()}
        for i, m in zip(earlier.tolist(), found, strict=False):
            if m:
                total[i] = total.get(i, 0) + m
    return [total.get(i, 0) for i in range(len(rows))]
