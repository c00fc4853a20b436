"""The decomposition of integer rows within the rest of a budget."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from rosenblatt.theory.budget import Budget, OutOfBudgetError
from rosenblatt.theory.decomposition import Decomposition, decompose


def decomposed(rows: Any, equality: NDArray[np.bool_] | None, budget: Budget) -> Decomposition:
    """`decompose`, charged to this budget; raises `OutOfBudgetError` if it runs out."""
    if not budget.left > 0:
        raise OutOfBudgetError
    part = budget.part(budget.left)
    found = decompose(rows, equality=equality, budget=part)
    budget.charge(part.used)
    if found is None:
        raise OutOfBudgetError
    return found
