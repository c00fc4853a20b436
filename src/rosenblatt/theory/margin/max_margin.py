"""The widest margin between two classes."""

from typing import Any

from rosenblatt.default_budgets import HOW_TO_GO_ON
from rosenblatt.theory.budget import Budget, limit_of
from rosenblatt.theory.examples.check_features import check_floats
from rosenblatt.theory.examples.classes import check_classes, check_y
from rosenblatt.theory.margin.widest_margin import Margin
from rosenblatt.theory.separability import Separability, separability


def max_margin(
    X: Any, y: Any, *, fit_intercept: bool = True, augmented: bool = False, budget: float | None = None
) -> Margin:
    """The widest margin between two classes, with its support examples.

    Geometric by default: the distance of the nearest example from the best hyperplane. `augmented=True` measures in
    the space of (1, x), as the mistake bound of a run with an offset needs it.

    >>> AND = [[0, 0], [0, 1], [1, 0], [1, 1]], [0, 0, 0, 1]
    >>> max_margin(*AND).gamma_squared, max_margin(*AND, augmented=True).gamma_squared
    (Fraction(1, 8), Fraction(1, 17))
    """
    X = check_floats(X)
    classes = check_classes(check_y(y, X.shape[0]))
    if len(classes) > 2:
        raise ValueError(f"y has {len(classes)} classes; a margin lies between 2. Use separability for all pairs.")
    limit = limit_of("separability", budget)
    found = separability(X, y, fit_intercept=fit_intercept, budget=limit)
    assert isinstance(found, Separability)
    budget_left = Budget(limit)
    budget_left.used = found.verdict.work
    with budget_left.shown("max_margin"):
        best = found.margin_within(budget_left, augmented=augmented)
    if best is not None:
        return best
    if found.witness is None:
        raise ValueError(
            f"No margin: the budget of {limit:,.0f} touched values ran out before a separator was found. {HOW_TO_GO_ON}"
        )
    raise ValueError(
        "No margin: these examples are not separable, and so have no margin; separability(X, y).explain() names "
        f"{len(found.witness)} examples that prove it."
    )
