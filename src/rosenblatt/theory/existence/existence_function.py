"""`theory.existence` for arrays and frames, for statsmodels models and for formulas.

The modules that decide are imported by the first call: `rosenblatt.theory` is imported by commands that do not need
them.
"""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from rosenblatt.theory.existence.result import Existence


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
        Work, in touched values (10⁹ are about a second), after which `exists` is None. None: 10¹¹, about two minutes.
        `math.inf`: until it is decided.

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
    ) -> "Existence":
        """Decides existence for arrays and frames; the parameters are those of the class."""
        from rosenblatt.theory.existence.decide_existence import decide_existence
        from rosenblatt.theory.existence.model.outcomes import check_family
        from rosenblatt.theory.existence.model.specification import Specification

        return decide_existence(
            Specification(X, y, check_family(family), bool(fit_intercept), weights, offset, fixed_effects), budget
        )

    def of(self, model: Any, *, budget: float | None = None) -> "Existence":
        """Decides existence for a statsmodels model, fitted or not, or for its results.

        Takes Logit, Probit, MNLogit, Poisson, OrderedModel, and GLM with a binomial or Poisson family.
        """
        from rosenblatt.theory.existence.decide_existence import decide_existence
        from rosenblatt.theory.existence.statsmodels_models import specification_of_model

        return decide_existence(specification_of_model(model), budget)

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
    ) -> "Existence":
        """Decides existence for a formula such as ``y ~ dose * C(group)``. Needs the package formulaic.

        Fixed effects are named after a bar, as in ``y ~ x | firm + year``. `weights`, `offset` and `fixed_effects`
        may be names of columns (for effects, a list of names).
        """
        from rosenblatt.theory.existence.decide_existence import decide_existence
        from rosenblatt.theory.existence.formulas import specification_of_formula
        from rosenblatt.theory.existence.model.outcomes import check_family

        return decide_existence(
            specification_of_formula(formula, data, check_family(family), weights, offset, fixed_effects), budget
        )


existence = ExistenceFunction()
