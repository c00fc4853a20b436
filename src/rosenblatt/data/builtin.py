"""The built-in examples: the lectures' own, and real ones that scikit-learn ships."""

from collections.abc import Callable
from dataclasses import dataclass
from itertools import product
from typing import Any

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True, repr=False)
class Dataset:
    """Examples with their labels and names.

    Examples
    --------
    >>> from rosenblatt import data
    >>> data.load("iris")
    <Dataset iris: 150 examples, 4 features, 3 classes. 150 flowers of 3 species, 4 measures (Fisher 1936)>
    """

    name: str
    X: NDArray[np.float64]
    y: NDArray[Any]
    feature_names: list[str]
    description: str

    def __repr__(self) -> str:
        n, d = self.X.shape
        return (
            f"<Dataset {self.name}: {n:,} examples, {d} features, {len(np.unique(self.y))} classes. {self.description}>"
        )


def load(name: str) -> Dataset:
    """A built-in data set by name; `names()` lists them.

    >>> load("xor").y.tolist()
    [0, 1, 1, 0]
    >>> load("iris").X.shape
    (150, 4)
    """
    if name not in _SETS:
        raise ValueError(f"there is no built-in data set {name!r}; there are: {', '.join(names())}.")
    description, make = _SETS[name]
    X, y, feature_names = make()
    return Dataset(name, X, y, feature_names, description)


def names() -> list[str]:
    """The names that `load` knows.

    Examples
    --------
    >>> names()[:4]
    ['and', 'or', 'nand', 'xor']
    """
    return list(_SETS)


def descriptions() -> dict[str, str]:
    """What each built-in set is, without making it.

    Examples
    --------
    >>> descriptions()["wine"]
    '178 wines of 3 growers, 13 chemical measures'
    """
    return {name: description for name, (description, _) in _SETS.items()}


Made = tuple[NDArray[np.float64], NDArray[Any], list[str]]


def _truth_table(labels: list[int]) -> Callable[[], Made]:
    def make() -> Made:
        inputs = len(labels).bit_length() - 1
        X = np.array(list(product((0.0, 1.0), repeat=inputs)))
        return X, np.array(labels), [f"x{j}" for j in range(1, inputs + 1)]

    return make


def _lecture4() -> Made:
    return np.array([[5.0, 7.0], [2.0, 6.0]]), np.array([1, -1]), ["x1", "x2"]


def _spirals() -> Made:
    turns = np.linspace(0.25, 2.0, 97)  # as many points a spiral as Lang and Witbrock (1988) drew
    angle = 2 * np.pi * turns
    one = np.column_stack([turns * np.cos(angle), turns * np.sin(angle)])
    return np.vstack([one, -one]), np.repeat([0, 1], 97), ["x1", "x2"]


def _circles() -> Made:
    angle = 2 * np.pi * np.arange(50) / 50
    ring = np.column_stack([np.cos(angle), np.sin(angle)])
    return np.vstack([ring, 0.5 * ring]), np.repeat([0, 1], 50), ["x1", "x2"]


def _from_sklearn(loader: str) -> Callable[[], Made]:
    def make() -> Made:
        from sklearn import datasets

        bunch = getattr(datasets, loader)()
        y = np.asarray(bunch.target_names)[bunch.target]
        features = [str(feature).removesuffix(" (cm)") for feature in bunch.feature_names]
        return np.ascontiguousarray(bunch.data, dtype=float), y, features

    return make


_SETS: dict[str, tuple[str, Callable[[], Made]]] = {
    "and": ("Boolean AND, separable", _truth_table([0, 0, 0, 1])),
    "or": ("Boolean OR, separable", _truth_table([0, 1, 1, 1])),
    "nand": ("Boolean NAND, separable", _truth_table([1, 1, 1, 0])),
    "xor": ("Boolean XOR, not separable", _truth_table([0, 1, 1, 0])),
    "majority": ("at least 2 of 3 inputs, separable", _truth_table([0, 0, 0, 1, 0, 1, 1, 1])),
    "parity": ("an odd number of 3 inputs, not separable", _truth_table([0, 1, 1, 0, 1, 0, 0, 1])),
    "lecture4": ("L4's worked example: start from w = [-5, 0, 1], (5, 7) is positive, (2, 6) negative", _lecture4),
    "spirals": ("194 points on two spirals wound around each other: no hyperplane, but a kernel", _spirals),
    "circles": ("100 points on two circles, one inside the other: no hyperplane, but x1² + x2² tells", _circles),
    "iris": ("150 flowers of 3 species, 4 measures (Fisher 1936)", _from_sklearn("load_iris")),
    "wine": ("178 wines of 3 growers, 13 chemical measures", _from_sklearn("load_wine")),
    "breast_cancer": ("569 tumours, benign or malignant, 30 measures (WDBC)", _from_sklearn("load_breast_cancer")),
    "digits": ("1,797 handwritten digits, 8×8 pixels", _from_sklearn("load_digits")),
}
