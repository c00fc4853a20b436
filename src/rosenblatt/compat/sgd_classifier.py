"""scikit-learn's SGDClassifier, for the losses of the perceptron family."""

import inspect
import warnings
from typing import Any, ClassVar, Self

from sklearn.base import _fit_context
from sklearn.linear_model import SGDClassifier as Original

from rosenblatt.compat.linear_sgd import LinearSGD
from rosenblatt.compat.sklearn_fit import Rule

_LOSSES = ("hinge", "perceptron", "squared_hinge")
#: The default of the installed version: 0.01 since 1.8, before that 0, which "optimal" ignores and other rates refuse.
_ETA0: float = inspect.signature(Original).parameters["eta0"].default


class SGDClassifier(LinearSGD):
    """`sklearn.linear_model.SGDClassifier` for the losses "hinge", "squared_hinge" and "perceptron".

    Parameters, methods and attributes are documented in scikit-learn, and the weights are the same after the same call.
    Another loss raises an error. The differences and the added attributes are those of `compat.Perceptron`.

    Examples
    --------
    >>> from rosenblatt.compat import SGDClassifier
    >>> fitted = SGDClassifier(random_state=0).fit([[0, 0], [0, 1], [1, 0], [1, 1]], [0, 0, 0, 1])
    >>> fitted.predict([[1, 1], [0, 1]]).tolist(), fitted.status_
    ([1, 0], 'stalled')
    """

    # Taken from the installed version, so the same values raise the same errors.
    _parameter_constraints: ClassVar[dict[str, Any]] = Original._parameter_constraints

    def __init__(
        self,
        loss: str = "hinge",
        *,
        penalty: str | None = "l2",
        alpha: float = 0.0001,
        l1_ratio: float | None = 0.15,
        fit_intercept: bool = True,
        max_iter: int = 1000,
        tol: float | None = 1e-3,
        shuffle: bool = True,
        verbose: int = 0,
        epsilon: float = 0.1,
        n_jobs: int | None = None,
        random_state: Any = None,
        learning_rate: str = "optimal",
        eta0: float = _ETA0,
        power_t: float = 0.5,
        early_stopping: bool = False,
        validation_fraction: float = 0.1,
        n_iter_no_change: int = 5,
        class_weight: Any = None,
        warm_start: bool = False,
        average: bool | int = False,
    ) -> None:
        self._store(locals())

    def _rule(self) -> Rule:
        return Rule(
            loss="squared_hinge" if self.loss == "squared_hinge" else "hinge",
            threshold=0.0 if self.loss == "perceptron" else 1.0,
            rate=self.learning_rate,
            eta0=float(self.eta0),
            power_t=float(self.power_t),
            penalty=self.penalty,
            alpha=float(self.alpha),
            l1_ratio=self.l1_ratio,
            average=int(self.average),
        )

    def _check_combination(self) -> None:
        if self.loss not in _LOSSES:
            raise ValueError(
                f"loss={self.loss!r} is not covered by rosenblatt.compat.SGDClassifier, which has {', '.join(_LOSSES)}."
                " Use sklearn.linear_model.SGDClassifier for it."
            )
        if self.learning_rate == "optimal" and self.alpha == 0:
            raise ValueError(
                "alpha must be > 0 since learning_rate is 'optimal'. alpha is used to compute the optimal learning "
                "rate."
            )
        if self.learning_rate != "optimal" and self.eta0 <= 0:  # since 1.8 refused by scikit-learn's constraints
            raise ValueError("eta0 must be > 0")
        if self.learning_rate in ("pa1", "pa2") and self.loss != "hinge":
            raise ValueError(f"Learning rate '{self.learning_rate}' only works with loss 'hinge'.")
        if self.penalty == "elasticnet" and self.l1_ratio is None:
            raise ValueError("l1_ratio must be set when penalty is 'elasticnet'")

    @_fit_context(prefer_skip_nested_validation=True)  # type: ignore[untyped-decorator]  # scikit-learn ships no types
    def fit(self, X: Any, y: Any, coef_init: Any = None, intercept_init: Any = None, sample_weight: Any = None) -> Self:
        """Fit the model from zero weights or from given initial weights.

        Parameters
        ----------
        X : array or sparse matrix of shape (n_samples, n_features)
        y : array of shape (n_samples,)
        coef_init, intercept_init : arrays, default=None
            Initial weights, in the shapes of `coef_` and `intercept_`.
        sample_weight : array of shape (n_samples,), default=None
            Multiplies the step of each sample.
        """
        self._check_combination()
        self._fit(X, y, coef_init, intercept_init, sample_weight)
        if self.power_t < 0:
            warnings.warn(
                # scikit-learn's own words, so that existing warning filters still match.
                "Negative values for `power_t` are deprecated in version 1.8 and will raise an error in 1.10. Use "
                "values in the range [0.0, inf) instead.",
                FutureWarning,
                stacklevel=3,
            )
        return self

    @_fit_context(prefer_skip_nested_validation=True)  # type: ignore[untyped-decorator]  # scikit-learn ships no types
    def partial_fit(self, X: Any, y: Any, classes: Any = None, sample_weight: Any = None) -> Self:
        """Runs one epoch over these samples, from the current weights. The first call must give all `classes`."""
        self._check_combination()
        return self._partial_fit(X, y, classes, sample_weight)
