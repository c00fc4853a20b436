"""Decides the existence of estimates for a specified model, and checks the proof."""

from dataclasses import replace

import numpy as np

from rosenblatt.internal_error import verified
from rosenblatt.theory.budget import Budget, OutOfBudgetError, limit_of
from rosenblatt.theory.existence.model.specification import Specification
from rosenblatt.theory.existence.recession.coefficients import coefficients_of
from rosenblatt.theory.existence.recession.solve import solve
from rosenblatt.theory.existence.result import Existence

_PASSES = 3  # to convert the design to integers, and to convert it again and multiply it when the answer is checked


def decide_existence(specification: Specification, budget: float | None) -> Existence:
    """The answer after its certificate has been checked."""
    limit = limit_of("existence", budget)
    system = specification.system
    try:
        with Budget(limit).shown("existence") as counted:
            counted.spend(_PASSES * system.pass_cost)
            if specification.family == "log-binomial":
                _check_feasible(specification, counted)
            solution = solve(system, counted)
            found = coefficients_of(system, solution, counted)
    except OutOfBudgetError:
        return Existence(specification, None, None, limit)
    data = {"X": np.empty(0) if specification.X is None else specification.X, "y": specification.y}
    return verified(
        Existence(specification, solution, found, limit),
        "The existence of estimates",
        data,
        family=specification.family,
    )


def _check_feasible(specification: Specification, budget: Budget) -> None:
    """Refuses a log-binomial model in which no coefficients at all give probabilities below 1."""
    if specification.fit_intercept or specification.effects or specification.offset is not None:
        return  # a low enough intercept gives probabilities below 1
    system = replace(specification.system, equality=np.zeros_like(specification.system.equality))
    failures = specification.outcomes.present[specification.kept, 0]
    if not solve(system, budget).positive[failures].all():
        raise ValueError(
            "No coefficients give every observation a probability of at most 1, and every failure one below 1, so that "
            "the likelihood is 0 throughout. A log-binomial model needs an intercept here: fit_intercept=True."
        )
