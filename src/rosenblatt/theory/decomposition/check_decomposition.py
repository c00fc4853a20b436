"""Checks a decomposition in rational numbers, from its definition. Shares no code with the search."""

from fractions import Fraction
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from rosenblatt.theory.decomposition.decompose import Decomposition


def check_decomposition(rows: Any, found: "Decomposition", equality: Any = None) -> bool:
    """Whether `found` proves which rows of z·w ≥ 0 can be positive (see `Decomposition`).

    >>> from rosenblatt.theory.decomposition import decompose
    >>> Z = [[1, 0], [0, 1], [0, -1]]
    >>> check_decomposition(Z, decompose(Z)), check_decomposition([[1, 0], [0, 1], [0, 1]], decompose(Z))
    (True, False)
    """
    is_sparse = hasattr(rows, "tocoo")
    table: Any = rows.tocoo() if is_sparse else np.asarray(rows)
    owners, columns = (table.row, table.col) if is_sparse else np.nonzero(table)
    values = table.data if is_sparse else table[owners, columns]
    n, width = table.shape
    fixed = np.zeros(n, dtype=bool) if equality is None else np.asarray(equality, dtype=bool)
    positive, w, multipliers = np.asarray(found.positive), found.direction, found.multipliers
    if positive.shape != (n,) or fixed.shape != (n,) or len(w) != width or len(multipliers) != n:
        return False
    if not all(type(a) is int for a in [*w, *multipliers]):
        return False
    exact = np.array([_rational(a) for a in values.tolist()] + [None], dtype=object)[:-1]
    scores, total = np.zeros(n, dtype=object), np.zeros(width, dtype=object)
    np.add.at(scores, owners, exact * np.array([*w, None], dtype=object)[columns])
    np.add.at(total, columns, exact * np.array([*multipliers, None], dtype=object)[owners])
    signs = np.array([(m > 0) - (m < 0) for m in multipliers], dtype=np.int8)
    return bool(
        np.all((scores > 0) == positive)
        and np.all(scores[~positive] == 0)
        and not np.any(positive & fixed)
        and np.all(signs[positive] == 0)
        and np.all(signs[~positive & ~fixed] > 0)
        and not np.any(total != 0)
    )


def _rational(a: Any) -> Any:
    return a if isinstance(a, int) else Fraction(a)
