"""scikit-learn's Perceptron: the same signature, attributes and weights, plus how each fit ended."""

from typing import Any, ClassVar, Self

from sklearn.base import _fit_context
from sklearn.linear_model import Perceptron as Original

from rosenblatt.compat.linear_sgd import LinearSGD
from rosenblatt.compat.sklearn_fit import Rule


class Perceptron(LinearSGD):
    """`sklearn.linear_model.Perceptron`, with the same weights after the same call.

    Parameters, methods and attributes are documented in scikit-learn. There are three differences: input arrays are
    never changed (including `coef_init`), sparse matrices may have 64-bit indices, and a fit that fails leaves the
    estimator unchanged. Three attributes are added.

    Attributes
    ----------
    status_, statuses_ : str and list of str
        How the fit ended: the worst ending of all binary problems, and the ending of each. "separated": an epoch
        without a mistake; "stalled": the objective has not improved by `tol` for `n_iter_no_change` epochs, which
        scikit-learn calls convergence; "early_stopped": the same for the validation score; "max_iter"; and "partial"
        after `partial_fit`.
    n_mistakes_ : int
        The number of weight updates, over all binary problems.

    Examples
    --------
    >>> from rosenblatt.compat import Perceptron
    >>> xor = Perceptron().fit([[0, 0], [0, 1], [1, 0], [1, 1]], [0, 1, 1, 0])
    >>> xor.n_iter_, xor.status_
    (6, 'stalled')
    """

    # Taken from the installed version, so the same values raise the same errors.
    _parameter_constraints: ClassVar[dict[str, Any]] = Original._parameter_constraints

    def __init__(
        self,
        *,
        penalty: str | None = None,
        alpha: float = 0.0001,
        l1_ratio: float = 0.15,
        fit_intercept: bool = True,
        max_iter: int = 1000,
        tol: float | None = 1e-3,
        shuffle: bool = True,
        verbose: int = 0,
        eta0: float = 1.0,
        n_jobs: int | None = None,
        random_state: Any = 0,
        early_stopping: bool = False,
        validation_fraction: float = 0.1,
        n_iter_no_change: int = 5,
        class_weight: Any = None,
        warm_start: bool = False,
    ) -> None:
        self._store(locals())

    def _rule(self) -> Rule:
        return Rule(eta0=float(self.eta0), penalty=self.penalty, alpha=float(self.alpha), l1_ratio=float(self.l1_ratio))

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
        return self._fit(X, y, coef_init, intercept_init, sample_weight)

    @_fit_context(prefer_skip_nested_validation=True)  # type: ignore[untyped-decorator]  # scikit-learn ships no types
    def partial_fit(self, X: Any, y: Any, classes: Any = None, sample_weight: Any = None) -> Self:
        """Runs one epoch over these samples, from the current weights. The first call must give all `classes`."""
        return self._partial_fit(X, y, classes, sample_weight)
