"""The built-in examples: the lectures' own, and real ones that scikit-learn ships."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True)
class Dataset:
    """Examples with their labels and names."""

    name: str
    X: NDArray[np.float64]
    y: NDArray[Any]
    feature_names: list[str]
    description: str


def load(name: str) -> Dataset:
    """A built-in data set by name; `names()` lists them.

    >>> load("xor").y.tolist()
    [0, 1, 1, 0]
    >>> load("iris").X.shape
    (150, 4)
    """
    if name not in _SETS:
        raise ValueError(f"there is no built-in data set {name!r}; there are: {', '.join(names())}.")
    return _SETS[name](name)


def names() -> list[str]:
    """The names that `load` knows."""
    return list(_SETS)


def _truth_table(labels: list[int], description: str) -> Callable[[str], Dataset]:
    def make(name: str) -> Dataset:
        X = np.array([[0, 0], [0, 1], [1, 0], [1, 1]], dtype=float)
        return Dataset(name, X, np.array(labels), ["x1", "x2"], description)

    return make


def _lecture4(name: str) -> Dataset:
    X = np.array([[5, 7], [2, 6]], dtype=float)
    description = "L4's worked example: start from w = [-5, 0, 1], (5, 7) is positive, (2, 6) negative"
    return Dataset(name, X, np.array([1, -1]), ["x1", "x2"], description)


def _from_sklearn(loader: str, description: str) -> Callable[[str], Dataset]:
    def make(name: str) -> Dataset:
        from sklearn import datasets

        bunch = getattr(datasets, loader)()
        y = np.asarray(bunch.target_names)[bunch.target]
        features = [str(feature).removesuffix(" (cm)") for feature in bunch.feature_names]
        return Dataset(name, np.ascontiguousarray(bunch.data, dtype=float), y, features, description)

    return make


_SETS: dict[str, Callable[[str], Dataset]] = {
    "and": _truth_table([0, 0, 0, 1], "Boolean AND, separable"),
    "or": _truth_table([0, 1, 1, 1], "Boolean OR, separable"),
    "xor": _truth_table([0, 1, 1, 0], "Boolean XOR, not separable"),
    "lecture4": _lecture4,
    "iris": _from_sklearn("load_iris", "150 flowers of 3 species, 4 measures (Fisher 1936)"),
    "wine": _from_sklearn("load_wine", "178 wines of 3 growers, 13 chemical measures"),
    "breast_cancer": _from_sklearn("load_breast_cancer", "569 tumours, benign or malignant, 30 measures (WDBC)"),
    "digits": _from_sklearn("load_digits", "1,797 handwritten digits, 8×8 pixels"),
}
