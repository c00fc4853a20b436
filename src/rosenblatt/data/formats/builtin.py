"""The built-in datasets: examples of lectures, and real datasets that scikit-learn ships."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import product
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rosenblatt.core import xxh64
from rosenblatt.data.columns.interactions import pairs_of
from rosenblatt.data.dataset import Dataset
from rosenblatt.data.errors import DataError
from rosenblatt.data.features import Features
from rosenblatt.data.labels import Labels
from rosenblatt.data.read_options import ReadOptions
from rosenblatt.data.scanner import Block, Scan


@dataclass(frozen=True, repr=False)
class BuiltinDataset:
    """Examples with their labels and names.

    Examples
    --------
    >>> from rosenblatt import data
    >>> data.load("iris")
    <BuiltinDataset iris: 150 examples, 4 features, 3 classes. 150 flowers of 3 species, 4 measures (Fisher 1936)>
    """

    name: str
    X: NDArray[np.float64]
    y: NDArray[Any]
    feature_names: list[str]
    description: str

    def __repr__(self) -> str:
        n, d = self.X.shape
        size = f"{n:,} examples, {d} features, {len(np.unique(self.y))} classes"
        return f"<BuiltinDataset {self.name}: {size}. {self.description}>"


def load(name: str) -> BuiltinDataset:
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
    return BuiltinDataset(name, X, y, feature_names, description)


def names() -> list[str]:
    """The names that `load` knows.

    Examples
    --------
    >>> names()[:4]
    ['and', 'or', 'nand', 'xor']
    """
    return list(_SETS)


def descriptions() -> dict[str, str]:
    """A description of each built-in dataset, without loading it.

    Examples
    --------
    >>> descriptions()["wine"]
    '178 wines of 3 growers, 13 chemical measures'
    """
    return {name: description for name, (description, _) in _SETS.items()}


def read_builtin(source: str, options: ReadOptions, like: Features | None) -> Dataset:
    """Reads the set that "@name" names; with `like`, it must have the model's number of features."""
    from rosenblatt.data.columns.learn import number_column

    try:
        builtin = load(source[1:])
    except ValueError as error:
        raise DataError(str(error)) from error
    classes, codes = np.unique(builtin.y, return_inverse=True)
    columns = zip(builtin.feature_names, builtin.X.T, strict=True)
    numbers = [number_column(*column, impute=options.impute) for column in columns]
    features = Features.of_table(numbers, "target", interactions=pairs_of(options.interactions, numbers, source))
    if like is not None and like.n_inputs != features.n_inputs:
        raise DataError(f"{source} has {features.n_inputs} features; the model has {like.n_inputs}.")
    stamp = xxh64(np.frombuffer(builtin.X.tobytes() + codes.astype(np.int32).tobytes(), dtype=np.uint8))
    return Dataset(
        source,
        (like or features).with_products(builtin.X),
        Labels(classes, codes.astype(np.int32)),
        like or features,
        f"xxh64:{stamp:016x}",
        lambda row: f"row {row + 1}",
        (builtin.description,),
    )


def scan_builtin(source: str, options: ReadOptions, like: Features | None) -> Scan:
    """Scans the set that "@name" names, as one block."""
    dataset = read_builtin(source, options, like)
    labels = dataset.needs_labels()
    size = 8 * dataset.X.shape[0] * dataset.X.shape[1]

    def blocks() -> Iterator[Block]:
        yield Block(dataset.X, labels.y)

    return Scan(
        dataset.name, lambda: dataset.features, blocks, size, lambda: size,
        lambda: dataset.fingerprint, dataset.place, dataset.notes,
    )  # fmt: skip


Arrays = tuple[NDArray[np.float64], NDArray[Any], list[str]]


def _truth_table(labels: list[int]) -> Callable[[], Arrays]:
    def make() -> Arrays:
        inputs = len(labels).bit_length() - 1
        X = np.array(list(product((0.0, 1.0), repeat=inputs)))
        return X, np.array(labels), [f"x{j}" for j in range(1, inputs + 1)]

    return make


def _lecture4() -> Arrays:
    return np.array([[5.0, 7.0], [2.0, 6.0]]), np.array([1, -1]), ["x1", "x2"]


def _spirals() -> Arrays:
    turns = np.linspace(0.25, 2.0, 97)  # as many points a spiral as Lang and Witbrock (1988) drew
    angle = 2 * np.pi * turns
    one = np.column_stack([turns * np.cos(angle), turns * np.sin(angle)])
    return np.vstack([one, -one]), np.repeat([0, 1], 97), ["x1", "x2"]


def _circles() -> Arrays:
    angle = 2 * np.pi * np.arange(50) / 50
    ring = np.column_stack([np.cos(angle), np.sin(angle)])
    return np.vstack([ring, 0.5 * ring]), np.repeat([0, 1], 50), ["x1", "x2"]


def _from_sklearn(loader: str) -> Callable[[], Arrays]:
    def make() -> Arrays:
        from sklearn import datasets

        bunch = getattr(datasets, loader)()
        y = np.asarray(bunch.target_names)[bunch.target]
        features = [str(feature).removesuffix(" (cm)") for feature in bunch.feature_names]
        return np.ascontiguousarray(bunch.data, dtype=float), y, features

    return make


_SETS: dict[str, tuple[str, Callable[[], Arrays]]] = {
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
