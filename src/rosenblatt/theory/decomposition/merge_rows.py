"""Merges equal rows before the search, and splits their multipliers afterwards."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from rosenblatt.theory.decomposition.integer_rows import IntegerRows


@dataclass(frozen=True)
class MergedRows:
    """Distinct rows, and the position among them of each row given. An equality and an inequality are not merged."""

    rows: IntegerRows
    equality: NDArray[np.bool_]
    group: NDArray[np.int64]


def merge_equal_rows(rows: IntegerRows, equality: NDArray[np.bool_]) -> MergedRows:
    """Groups rows with equal columns and values: by a hash, and within equal hashes by comparison."""
    n = len(rows)
    rng = np.random.default_rng(0)
    keys = rng.integers(1, 1 << 62, rows.width, dtype=np.int64).astype(np.uint64)
    words = (
        (rows.values if rows.values.dtype == np.int64 else rows.values % (2**61 - 1)).astype(np.int64).astype(np.uint64)
    )
    hashes = np.zeros(n, dtype=np.uint64)
    np.add.at(hashes, rows.owners, words * keys[rows.columns])  # modulo 2^64
    order = np.lexsort((hashes, equality))
    same = (hashes[order][1:] == hashes[order][:-1]) & (equality[order][1:] == equality[order][:-1])
    first = np.concatenate([[True], ~(same & _equal_rows(rows, order[:-1], order[1:]))])[:n]
    group = np.empty(n, dtype=np.int64)
    group[order] = np.cumsum(first) - 1
    chosen = order[first]
    return MergedRows(rows.take(chosen), equality[chosen], group)


def _equal_rows(rows: IntegerRows, left: NDArray[np.int64], right: NDArray[np.int64]) -> NDArray[np.bool_]:
    lengths = np.diff(rows.starts)
    equal: NDArray[np.bool_] = lengths[left] == lengths[right]
    pairs = np.flatnonzero(equal)
    a, b = rows.take(left[pairs]), rows.take(right[pairs])
    differs = (a.columns != b.columns) | (a.values != b.values)
    equal[pairs[np.unique(a.owners[differs])]] = False
    return equal


def split_multipliers(merged: MergedRows, multipliers: list[int]) -> list[int]:
    """Multipliers of the rows given: 1 for each copy but one, which gets the rest; all times a common factor first.

    In a group with multiplier 0 all copies get 0. For an equality, one copy gets the whole multiplier.
    """
    sizes = np.bincount(merged.group, minlength=len(merged.rows)).tolist()
    fixed = merged.equality.tolist()
    positive = [(m, size) for m, size, free in zip(multipliers, sizes, fixed, strict=True) if m and not free]
    factor = max((-(-size // m) for m, size in positive), default=1)
    seen = [False] * len(multipliers)
    split = []
    for g in merged.group.tolist():
        copies = 0 if not multipliers[g] or fixed[g] else 1
        split.append(copies if seen[g] else factor * multipliers[g] - copies * (sizes[g] - 1))
        seen[g] = True
    return split
