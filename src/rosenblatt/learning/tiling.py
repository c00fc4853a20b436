"""Networks of threshold units for any two classes: the tiling algorithm (Mézard and Nadal 1989), with the pocket.

A layer begins with a master unit, trained on all examples. While it makes errors, further units are trained on examples
that the layer cannot tell apart although their classes differ, until it can: the layer is faithful. The next layer
reads its outputs, +1 and −1. There, a known unit makes fewer errors than the master of the layer before, so that the
construction ends; it is used wherever the pocket finds nothing better. `lab/static/engine/nonlinear/tiling.js` computes
the same.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from rosenblatt.core import Rows
from rosenblatt.learning.examples import Examples, rows_of
from rosenblatt.learning.fit import fit
from rosenblatt.learning.parameters import Parameters
from rosenblatt.learning.rows.array_types import Labels

Array = NDArray[np.float64]
Flags = NDArray[np.bool_]

EPOCHS = 200  # of the pocket's run for one unit
MAX_UNITS = 200


class TilingError(ValueError):
    """The examples have no network of at most `MAX_UNITS` units by this construction."""


@dataclass(frozen=True)
class TiledNetwork:
    """Layers of threshold units: the first reads the features, each other reads +1 or −1 from the layer before it.

    `layers` has one array per layer with one row [w₀, w₁, …] per unit; the last layer has one unit, the output. A unit
    fires if its score is positive. `errors` counts the training examples that the network gets wrong: of equal examples
    with different classes, those in the minority.
    """

    layers: tuple[Array, ...]
    classes: Labels
    errors: int

    @property
    def n_units(self) -> int:
        """The number of units, with the output unit."""
        return sum(len(layer) for layer in self.layers)

    def predict(self, X: ArrayLike) -> Labels:
        """The class of each row."""
        values = np.asarray(X, dtype=np.float64)
        for layer in self.layers:
            values = np.where(_fires(values, layer), 1.0, -1.0)
        return np.asarray(self.classes[(values[:, 0] > 0).astype(int)])

    def __str__(self) -> str:
        sizes = " → ".join(str(len(layer)) for layer in self.layers)
        return f"{self.n_units} units in {len(self.layers)} layers ({sizes}), {self.errors} training errors"


def tile(X: ArrayLike, y: ArrayLike, *, epochs: int = EPOCHS, random_state: int = 0) -> TiledNetwork:
    """Builds a network that classifies the examples of two classes correctly.

    Parameters
    ----------
    X : array of shape (n_examples, n_features)
    y : array of n_examples labels of two classes
    epochs : int, default=200
        Length of the run of each unit.
    random_state : int, default=0
        Seed of the order of examples.

    Examples
    --------
    >>> from rosenblatt.learning.tiling import tile
    >>> network = tile([[0, 0], [0, 1], [1, 0], [1, 1]], [0, 1, 1, 0])
    >>> network.predict([[0, 1], [1, 1]]).tolist(), network.errors
    ([1, 0], 0)
    """
    rows = np.ascontiguousarray(X, dtype=np.float64)
    classes, codes = np.unique(np.asarray(y), return_inverse=True)
    if rows.ndim != 2 or len(rows) != len(codes) or len(classes) != 2:
        raise ValueError(
            f"X has shape {rows.shape} and y {len(classes)} classes; a network takes a table, and a label of two "
            "classes for each row."
        )
    if not np.isfinite(rows).all():
        raise ValueError("X has a value that is not finite. Remove or complete its row.")
    goal = _majority(rows, codes == 1)
    train = _Trainer(epochs, random_state)
    layers = []
    values = rows
    scaling: _Scaling | None = _scaling(rows)
    known = None  # a unit that is better than the master of the last layer
    while True:
        master = train.unit(values, goal, scaling)
        if known is not None and _errors(values, goal, known) < _errors(values, goal, master):
            master = known
        units = [master]
        if _errors(values, goal, master):
            train.make_faithful(units, values, goal, scaling)
        layers.append(np.array(units))
        outputs = np.where(_fires(values, layers[-1]), 1.0, -1.0)
        if len(units) == 1:
            break
        known = _better_than_master(outputs, goal)
        values, scaling = outputs, None
    return TiledNetwork(tuple(layers), classes, int(((outputs[:, 0] > 0) != (codes == 1)).sum()))


@dataclass
class _Trainer:
    epochs: int
    seed: int
    n_units: int = 0

    def unit(self, X: Array, goal: Flags, scaling: "_Scaling | None") -> Array:
        """The unit [w₀, w₁, …] that the pocket finds for these examples."""
        self.n_units += 1
        if self.n_units > MAX_UNITS:
            raise TilingError(
                f"more than {MAX_UNITS} units would be needed. Use fewer examples, or a kernel or further features."
            )
        if goal.all() or not goal.any():
            return np.array([1.0 if goal.all() else -1.0, *np.zeros(X.shape[1])])
        near = X if scaling is None else np.ascontiguousarray((X - scaling.middle) / scaling.half)
        examples = Examples(near, rows_of(near), np.array([0, 1]), goal.astype(np.int32), None, None)
        settings = {"ratchet": True, "order": "shuffle", "max_iter": self.epochs, "random_state": self.seed}
        found = fit(Parameters.of("PocketPerceptron", settings), examples).attributes()
        w0, w = float(found["intercept_"][0]), found["coef_"][0]
        if scaling is None:
            return np.array([w0, *w])
        made = w / scaling.half
        for j, value in enumerate(made):  # one after the other, so that the page computes the same bits
            w0 -= value * scaling.middle[j]
        return np.array([w0, *made])

    def make_faithful(self, units: list[Array], X: Array, goal: Flags, scaling: "_Scaling | None") -> None:
        """Adds units until examples of different classes have different outputs."""
        stuck: set[bytes] = set()
        while True:
            mixed = [group for group in _groups(X, goal, units) if group.tobytes() not in stuck]
            if not mixed:
                return
            group = max(mixed, key=len)  # the first of the largest
            unit = self.unit(X[group], goal[group], scaling)
            if not _splits(X[group], unit):
                unit = _cut_off(X[group])
            if _splits(X[group], unit):
                units.append(unit)
            else:  # the examples differ by less than a rounding error
                stuck.add(group.tobytes())


@dataclass(frozen=True)
class _Scaling:
    middle: Array
    half: Array


def _scaling(X: Array) -> _Scaling:
    """The middle and half the width of each column's range: the pocket runs on values from −1 to 1."""
    low, high = X.min(axis=0), X.max(axis=0)
    half = (high - low) / 2
    return _Scaling((low + high) / 2, np.where(half > 0, half, 1.0))


def _majority(X: Array, goal: Flags) -> Flags:
    """The class of each example; equal examples get the class of their majority, or the first class."""
    _, first, group = np.unique(X, axis=0, return_index=True, return_inverse=True)
    positive = np.bincount(group.ravel(), weights=goal, minlength=len(first))
    total = np.bincount(group.ravel(), minlength=len(first))
    return np.asarray((2 * positive > total)[group.ravel()])


def _fires(X: Array, units: Array) -> Flags:
    rows = Rows.dense(np.ascontiguousarray(X))
    scores = rows.scores(np.ascontiguousarray(units[:, 1:]), np.ascontiguousarray(units[:, 0]))
    return np.asarray(scores > 0)


def _errors(X: Array, goal: Flags, unit: Array) -> int:
    return int((_fires(X, unit[None])[:, 0] != goal).sum())


def _splits(X: Array, unit: Array) -> bool:
    fired = _fires(X, unit[None])[:, 0]
    return bool(fired.any() and not fired.all())


def _groups(X: Array, goal: Flags, units: Sequence[Array]) -> list[NDArray[np.intp]]:
    """The examples that all units answer alike although their classes differ, in the order of their first examples."""
    outputs = _fires(X, np.array(units))
    _, first, group = np.unique(outputs, axis=0, return_index=True, return_inverse=True)
    found = [np.flatnonzero(group.ravel() == g) for g in np.argsort(first, kind="stable")]
    return [members for members in found if goal[members].any() and not goal[members].all()]


def _cut_off(X: Array) -> Array:
    """A unit that fires for the example farthest from the middle of the range only; it is a corner of their hull."""
    middle = (X.min(axis=0) + X.max(axis=0)) / 2
    distance = np.zeros(len(X))
    for j in range(X.shape[1]):
        distance = distance + (X[:, j] - middle[j]) * (X[:, j] - middle[j])
    w = X[int(np.argmax(distance))] - middle
    scores = np.zeros(len(X))
    for j in range(X.shape[1]):
        scores = scores + w[j] * X[:, j]
    top = scores.max()
    rest = scores[scores < top]
    return np.array([-(top + rest.max()) / 2 if len(rest) else 0.0, *w])


def _better_than_master(outputs: Array, goal: Flags) -> Array:
    """The unit of the next layer that corrects one group of the master's errors and keeps all that it has right.

    With N units, the master first: w₁ = N − 1, and wⱼ = S·sⱼ, w₀ = S for the outputs s and the class S = ±1 of the
    group. Outputs that differ from s in another unit get at most N − 2 from these, which does not outweigh the master.
    """
    wrong = (outputs[:, 0] > 0) != goal
    _, first, sizes = np.unique(outputs[wrong], axis=0, return_index=True, return_counts=True)
    largest = min(range(len(first)), key=lambda g: (-sizes[g], first[g]))
    example = int(np.flatnonzero(wrong)[first[largest]])
    sign = 1.0 if goal[example] else -1.0
    unit = np.array([sign, *(sign * outputs[example])])
    unit[1] = outputs.shape[1] - 1
    return unit
