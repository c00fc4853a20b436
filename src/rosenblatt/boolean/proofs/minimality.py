"""Certificate that no integer weights of a function have a smaller Σ|w|, and its check (integers only, no search).

The check starts from the truth table. Let sᵢ be the direction of variable i. Every unit that computes the function has
sᵢwᵢ > 0. Set uᵢ = |wᵢ| = sᵢwᵢ, and x′ᵢ = xᵢ if sᵢ = 1, else 1 − xᵢ. A true row implies u·x′ − T ≥ 0. A false row
implies T − u·x′ ≥ 1, because weights are integers. A case is closed by non-negative multipliers that combine these
inequalities into Σ cⱼuⱼ ≥ b with all cⱼ ≤ d; then Σ u ≥ b/d.
Without loss of generality, inessential variables have weight 0, and exchangeable variables are sorted by weight.
"""

from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from rosenblatt.boolean.threshold.regular_form import directions
from rosenblatt.boolean.truth_tables import Table, cube, n_variables, row_bits


@dataclass(frozen=True)
class Row:
    """An inequality from the function: a row of its table, or u[index] ≥ u[other] of two exchangeable variables."""

    kind: Literal["table", "order"]
    index: int
    other: int = -1


@dataclass(frozen=True)
class AtMost:
    """The case u[variable] ≤ value."""

    variable: int
    value: int


@dataclass(frozen=True)
class AtLeast:
    """The case u[variable] ≥ value."""

    variable: int
    value: int


@dataclass(frozen=True)
class Closed:
    """A case closed by multipliers; `scale` is the d of the module's docstring."""

    scale: int
    multipliers: dict[Row | AtMost | AtLeast, int]


@dataclass(frozen=True)
class Branch:
    """Two cases: u[variable] ≤ value, or ≥ value + 1."""

    variable: int
    value: int
    below: "Tree"
    above: "Tree"


Tree = Closed | Branch
Signs = tuple[int | None, ...]  # the directions of the variables, read from the table


@dataclass(frozen=True, eq=False)
class MinimalityProof:
    """Proof that no integer weights of this function have a smaller Σ|w| than `size`.

    Examples
    --------
    >>> from rosenblatt.boolean import BooleanFunction
    >>> BooleanFunction("a and (b or c)").minimality.verify()
    True
    """

    table: Table
    size: int
    order: tuple[int, ...]  # exchangeable variables are sorted by falling weight in this order
    tree: Tree

    @property
    def n_cases(self) -> int:
        """The number of closed cases."""

        def leaves(tree: Tree) -> int:
            return 1 if isinstance(tree, Closed) else leaves(tree.below) + leaves(tree.above)

        return leaves(self.tree)

    def verify(self) -> bool:
        """Checks every case, in integers, against the table."""
        signs = directions(self.table)
        if None in signs or sorted(self.order) != [i for i, sign in enumerate(signs) if sign]:
            return False
        return self._holds(self.tree, frozenset(), signs)

    def _holds(self, tree: Tree, cases: frozenset[AtMost | AtLeast], signs: Signs) -> bool:
        if isinstance(tree, Branch):
            below = cases | {AtMost(tree.variable, tree.value)}
            above = cases | {AtLeast(tree.variable, tree.value + 1)}
            return self._holds(tree.below, below, signs) and self._holds(tree.above, above, signs)
        n = n_variables(self.table)
        total = [0] * (n + 2)  # the coefficients of u, that of T, and the right-hand side
        for reason, times in tree.multipliers.items():
            if times <= 0:
                return False
            line = self._line(reason, signs) if isinstance(reason, Row) else _case_line(reason, n, cases)
            if line is None:
                return False
            total = [have + times * more for have, more in zip(total, line, strict=True)]
        *columns, threshold, bound = total
        enough = bound > (self.size - 1) * tree.scale  # so Σ u > size − 1, and an integer is at least size
        return threshold == 0 and tree.scale > 0 and max(columns) <= tree.scale and enough

    def _line(self, reason: Row, signs: Signs) -> list[int] | None:
        if reason.kind == "order":
            return self._order_line(reason.index, reason.other, signs)
        if not 0 <= reason.index < self.table.size:
            return None
        x = list(row_bits(reason.index, len(signs)))
        for i, sign in enumerate(signs):
            if not sign and x[i]:
                return None
            x[i] = 1 - x[i] if sign == -1 else x[i]
        return [*x, -1, 0] if self.table[reason.index] else [*(-a for a in x), 1, 1]

    def _order_line(self, i: int, j: int, signs: Signs) -> list[int] | None:
        if i not in self.order or j not in self.order or self.order.index(i) >= self.order.index(j):
            return None
        n = len(signs)
        c = np.flip(cube(self.table), tuple(axis for axis in range(n) if signs[axis] == -1))
        if not np.array_equal(c, np.swapaxes(c, i, j)):
            return None
        line = [0] * (n + 2)
        line[i], line[j] = 1, -1
        return line

    def to_dict(self) -> dict[str, Any]:
        """Converts to plain types for JSON; multipliers become text."""
        return {"size": self.size, "order": list(self.order), "tree": _tree_to_dict(self.tree)}


def _case_line(reason: AtMost | AtLeast, n: int, cases: frozenset[AtMost | AtLeast]) -> list[int] | None:
    if reason not in cases:
        return None
    sign = 1 if isinstance(reason, AtLeast) else -1
    line = [0] * (n + 2)
    line[reason.variable], line[-1] = sign, sign * reason.value
    return line


def _tree_to_dict(tree: Tree) -> dict[str, Any]:
    if isinstance(tree, Branch):
        cases = {"below": _tree_to_dict(tree.below), "above": _tree_to_dict(tree.above)}
        return {"variable": tree.variable, "value": tree.value, **cases}
    lines = []
    for reason, times in tree.multipliers.items():
        if isinstance(reason, Row):
            name: list[Any] = [reason.kind, reason.index] + ([reason.other] if reason.kind == "order" else [])
        else:
            name = ["at most" if isinstance(reason, AtMost) else "at least", reason.variable, reason.value]
        lines.append([*name, str(times)])
    return {"scale": str(tree.scale), "lines": lines}
