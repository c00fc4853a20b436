"""Training of `compat.Perceptron`, which follows scikit-learn and is not fitted by `learning.fit`."""

import warnings
from dataclasses import dataclass
from typing import Any

from rosenblatt.learning.examples import Examples
from rosenblatt.learning.parameters import Algorithm, Parameters
from rosenblatt.models.files.registry import fitted_of


@dataclass(frozen=True)
class CompatFit:
    """A fitted `compat.Perceptron` with the interface that the trainer needs (`sources.Fitted`)."""

    estimator: Any

    @property
    def parameters(self) -> Parameters:
        return Parameters("Perceptron", self.estimator.get_params(deep=False))

    def attributes(self, _algorithm: Algorithm | None = None) -> dict[str, Any]:
        return fitted_of(self.estimator, "compat.Perceptron")


def fit_compat(parameters: dict[str, Any], examples: Examples) -> CompatFit:
    """Fits `compat.Perceptron` on examples in memory."""
    from sklearn.exceptions import ConvergenceWarning

    from rosenblatt.compat import Perceptron

    X, members = examples.matrix(), examples.members
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)  # the report states it
        estimator = Perceptron(**parameters).fit(X[members], examples.classes[examples.codes[members]])
    return CompatFit(estimator)
