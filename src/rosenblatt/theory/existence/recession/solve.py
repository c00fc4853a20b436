"""Solves a system: which rows can be positive, a direction that makes them so, and the proof for the others."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from rosenblatt.theory.budget import Budget
from rosenblatt.theory.existence.model.exact_columns import Integers, shortest, widened
from rosenblatt.theory.existence.model.system import System
from rosenblatt.theory.existence.recession.decomposed import decomposed
from rosenblatt.theory.existence.recession.growing_set import decompose_by_growing_set, is_large
from rosenblatt.theory.existence.recession.level_network import decompose_network


@dataclass(frozen=True)
class Direction:
    """A direction of the coefficients and, with fixed effects on a network, of the levels φ."""

    w: list[int]
    levels: Integers | None = None


@dataclass(frozen=True)
class Solution:
    """The decomposition of a system, as `theory.decomposition` has it."""

    positive: NDArray[np.bool_]
    direction: Direction
    multipliers: Integers


def solve(system: System, budget: Budget) -> Solution:
    """Solves the system; raises `OutOfBudgetError` if the budget runs out."""
    if system.network is not None:
        positive, w, levels, multipliers = decompose_network(system, budget)
        return Solution(positive, Direction(w, levels), multipliers)
    if is_large(system.rows):
        positive, w, multipliers = decompose_by_growing_set(system.rows, system.equality, budget)
        return Solution(positive, Direction(w), multipliers)
    found = decomposed(system.rows, system.equality, budget)
    return Solution(found.positive, Direction(found.direction), shortest(found.multipliers))


def scores(system: System, direction: Direction) -> Integers:
    """Gives z·w of every row, exactly."""
    products = system.rows.dot(direction.w)
    if system.network is None or direction.levels is None:
        return products
    levels = widened(direction.levels, 4)
    total: Integers = widened(products, 4) + levels[system.network.tail] - levels[system.network.head]
    return total


def balance(system: System, multipliers: Integers) -> bool:
    """Whether the sum of multiplier · row is zero."""
    if np.any(system.rows.combine(multipliers) != 0):
        return False
    if system.network is None:
        return True
    flow = widened(multipliers, 2 * len(multipliers))
    sums = np.zeros(system.network.nodes, dtype=flow.dtype)
    np.add.at(sums, system.network.tail, flow)
    np.subtract.at(sums, system.network.head, flow)
    return not np.any(sums != 0)
