"""Certificate that no threshold unit computes a function: true and false rows with equal sums.

Suppose Σ λᵢxᵢ over true rows equals Σ μⱼxⱼ over false rows, with Σ λ = Σ μ. Then the total score Σ λᵢ(w·xᵢ + w₀) equals
Σ μⱼ(w·xⱼ + w₀) for every w and w₀. But under a unit the first total is positive and the second is not (or, if ties are
positive, the first is not negative and the second is). A function is a threshold function if and only if there is no
such pair (Elgot 1961, Chow 1961).
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from rosenblatt.boolean.truth_tables import Table, cube, n_variables, row_bits, row_number


@dataclass(frozen=True)
class Summability:
    """True and false rows with multipliers whose weighted sums are equal; `str` writes them out.

    Examples
    --------
    >>> from rosenblatt.boolean import BooleanFunction
    >>> xor = BooleanFunction("a xor b").refutation
    >>> xor.true, xor.false, xor.verify()
    ({2: 1, 1: 1}, {0: 1, 3: 1}, True)
    """

    true: Mapping[int, int]  # row: multiplier
    false: Mapping[int, int]
    variables: tuple[str, ...]
    table: Table = field(repr=False, compare=False)

    def verify(self) -> bool:
        """Checks the proof against the table, in integers."""
        if not (self.true and self.false) or 1 << len(self.variables) != self.table.size:
            return False
        for side, value in ((self.true, True), (self.false, False)):
            for row, times in side.items():
                if times <= 0 or not 0 <= row < self.table.size or bool(self.table[row]) != value:
                    return False
        return self._sum(self.true) == self._sum(self.false)

    def to_dict(self) -> dict[str, Any]:
        """Converts to plain types for JSON."""
        return {
            "kind": "summability",
            "variables": list(self.variables),
            "true": [[row, times] for row, times in self.true.items()],
            "false": [[row, times] for row, times in self.false.items()],
        }

    def __str__(self) -> str:
        names = ", ".join(self.variables)
        total = self._sum(self.true)
        return (
            f"No unit of ({names}) computes it: the true rows {self._side(self.true)} and the false rows "
            f"{self._side(self.false)} have the same sum, ({', '.join(map(str, total[1:]))}), so every unit gives "
            "both the same total score."
        )

    def _sum(self, side: Mapping[int, int]) -> tuple[int, ...]:
        """The number of rows, and the sum in each variable."""
        n = len(self.variables)
        rows = [(1, *row_bits(row, n)) for row in side]
        return tuple(sum(t * x[j] for t, x in zip(side.values(), rows, strict=True)) for j in range(n + 1))

    def _side(self, side: Mapping[int, int]) -> str:
        n = len(self.variables)
        shown = [
            ("" if times == 1 else f"{times}·") + "".join(map(str, row_bits(row, n))) for row, times in side.items()
        ]
        return " + ".join(shown)


def two_sum(table: Table) -> tuple[list[int], list[int]] | None:
    """Finds two true and two false rows (a row may occur twice) with equal sums, or None, in O(rows²)."""
    n = n_variables(table)
    rows = np.arange(table.size)
    ternary = sum((rows >> i & 1) * 3**i for i in range(n)) + np.zeros(table.size, dtype=np.int64)
    sides = []
    for side in (np.flatnonzero(table), np.flatnonzero(~table)):
        sums = (ternary[side][:, None] + ternary[side]).ravel()
        sides.append((side, sums))
    (true, true_sums), (false, false_sums) = sides
    common = np.intersect1d(true_sums, false_sums)
    if not len(common):
        return None
    found = []
    for side, sums in ((true, true_sums), (false, false_sums)):
        first = int(np.argmax(sums == common[0]))
        found.append([int(side[first // len(side)]), int(side[first % len(side)])])
    return found[0], found[1]


def both_ways(table: Table, axis: int) -> tuple[list[int], list[int]] | None:
    """Finds rows that prove that the function is not unate in one variable, or None."""
    c = np.moveaxis(cube(table), axis, 0)
    on, off = np.argwhere(~c[0] & c[1]), np.argwhere(c[0] & ~c[1])
    if not (len(on) and len(off)):
        return None

    def row(rest: Any, value: int) -> int:
        return row_number([*rest[:axis], value, *rest[axis:]])

    return [row(on[0], 1), row(off[0], 0)], [row(on[0], 0), row(off[0], 1)]


def exchanged(table: Table, i: int, j: int) -> tuple[list[int], list[int]] | None:
    """Finds rows that prove that neither of variables i and j is stronger: f(1, 0) > f(0, 1) here, < there; or None."""
    c = np.moveaxis(cube(table), (i, j), (0, 1))
    more, less = np.argwhere(c[1, 0] & ~c[0, 1]), np.argwhere(c[0, 1] & ~c[1, 0])
    if not (len(more) and len(less)):
        return None

    def row(rest: Any, at_i: int, at_j: int) -> int:
        bits = list(rest)
        for axis, value in sorted([(i, at_i), (j, at_j)]):
            bits.insert(axis, value)
        return row_number(bits)

    return [row(more[0], 1, 0), row(less[0], 0, 1)], [row(more[0], 0, 1), row(less[0], 1, 0)]
