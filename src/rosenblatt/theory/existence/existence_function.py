"""`theory.existence` for arrays and frames, for statsmodels models and for formulas."""

from dataclasses import replace
from typing import Any

import numpy as np

from rosenblatt.internal_error import verified
from rosenblatt.theory.budget import Budget, OutOfBudgetError
from rosenblatt.theory.existence.formulas import specification_of_formula
from rosenblatt.theory.existence.model.outcomes import check_family
from rosenblatt.theory.existence.model.specification import Specification
from rosenblatt.theory.existence.recession.coefficients import coefficients_of
from rosenblatt.theory.existence.recession.solve import solve
from rosenblatt.theory.existence.result import Existence
from rosenblatt.theory.existence.statsmodels_models import specification_of_model


class ExistenceFunction:
    """Whether finite maximum likelihood estimates exist, with a proof either way.

    ``existence(X, y, *, family, fit_intercept=True, weights=None, offset=None, fixed_effects=None, budget=None)`` is
    for arrays and frames, ``existence.of(model)`` for a model of statsmodels, ``existence.formula(formula, data, *,
    family)`` for a formula. All return an `Existence`.

    Parameters
    ----------
    X : frame, array or sparse matrix of shape (n_observations, n_columns), mapping of names to columns, or None
        Numbers at their exact values; texts and categories become dummies. None: no columns.
    y : array, series or frame
        The response. Binomial: 0 and 1, shares between them, two labels (the later is the success), or two columns of
        successes and failures. Multinomial, ordinal: labels in their order, or one column of counts per outcome.
        Poisson: counts, or any numbers that are not negative.
    family : {"binomial", "multinomial", "ordinal", "poisson", "log-binomial"}
        "binomial" is valid for logit, probit and every other link that maps the line onto (0, 1) and has log-concave
        tails; "log-binomial" is its log link, where estimates on the boundary of the parameter space count as existing.
    fit_intercept : bool, default=True
        Whether the model has an intercept. Fixed effects and thresholds take its place.
    weights : array of n_observations, default=None
        Observations with weight zero are left out; other weights make no difference.
    offset : array of n_observations, default=None
        Makes no difference, but must be finite.
    fixed_effects : frame or array, default=None
        One column per effect, with any number of levels. `diverging_levels` names the levels that go to ±∞.
    budget : float, default=None
        Work, in touched values (10⁹ are about a second), after which `exists` is None. None: until it is settled.

    Examples
    --------
    >>> from rosenblatt import theory
    >>> result = theory.existence([[1], [2], [2], [3]], [0, 0, 1, 1], family="binomial")
    >>> result.exists, result.coefficients
    (False, {'intercept': '-inf', 'x0': '+inf'})
    """

    __name__ = "existence"

    def __call__(
        self,
        X: Any,
        y: Any,
        *,
        family: str,
        fit_intercept: bool = True,
        weights: Any = None,
        offset: Any = None,
        fixed_effects: Any = None,
        budget: float | None = None,
    ) -> Existence:
        """Decides existence for arrays and frames; the parameters are those of the class."""
        return _answer(
            Specification(X, y, check_family(family), bool(fit_intercept), weights, offset, fixed_effects), budget
        )

    def of(self, model: Any, *, budget: float | None = None) -> Existence:
        """Decides existence for a statsmodels model, fitted or not, or for its results.

        Takes Logit, Probit, MNLogit, Poisson, OrderedModel, and GLM with a binomial or Poisson family.
        """
        return _answer(specification_of_model(model), budget)

    def formula(
        self,
        formula: str,
        data: Any,
        *,
        family: str,
        weights: Any = None,
        offset: Any = None,
        fixed_effects: Any = None,
        budget: float | None = None,
    ) -> Existence:
        """Decides existence for a formula such as ``y ~ dose * C(group)``. Needs the package formulaic.

        Fixed effects are named after a bar, as in ``y ~ x | firm + year``. `weights`, `offset` and `fixed_effects`
        may be names of columns (for effects, a list of names).
        """
        return _answer(
            specification_of_formula(formula, data, check_family(family), weights, offset, fixed_effects), budget
        )


existence = ExistenceFunction()


def _answer(specification: Specification, budget: float | None) -> Existence:
    """The answer after its certificate has been checked."""
    budget_left = Budget(budget)
    system = specification.system
    try:
        if specification.family == "log-binomial":
            _check_feasible(specification, budget_left)
        solution = solve(system, budget_left)
        found = coefficients_of(system, solution, budget_left)
    except OutOfBudgetError:
        return Existence(specification, None, None)
    data = {"X": np.empty(0) if specification.X is None else specification.X, "y": specification.y}
    return verified(
        Existence(specification, solution, found), "The existence of estimates", data, family=specification.family
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
