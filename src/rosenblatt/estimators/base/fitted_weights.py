"""The fitted attributes `coef_` and `last_coef_`, which may be stored as updates and built on access."""

from typing import overload

import numpy as np
from numpy.typing import NDArray

from rosenblatt.learning.pairs.pair_weights import PairWeights


class FittedWeights:
    """A matrix of weights. With many classes one against one it is built from the stored updates at each access."""

    def __set_name__(self, owner: type, name: str) -> None:
        self._name = name

    @overload
    def __get__(self, estimator: None, owner: type) -> "FittedWeights": ...
    @overload
    def __get__(self, estimator: object, owner: type) -> NDArray[np.float64]: ...
    def __get__(self, estimator: object | None, owner: type) -> "FittedWeights | NDArray[np.float64]":
        if estimator is None:
            return self
        try:
            stored: NDArray[np.float64] | PairWeights = vars(estimator)[self._name]
        except KeyError:
            raise AttributeError(f"{owner.__name__!r} object has no attribute {self._name!r}") from None
        return stored.dense() if isinstance(stored, PairWeights) else stored

    def __set__(self, estimator: object, weights: NDArray[np.float64] | PairWeights) -> None:
        vars(estimator)[self._name] = weights

    def __delete__(self, estimator: object) -> None:
        del vars(estimator)[self._name]
