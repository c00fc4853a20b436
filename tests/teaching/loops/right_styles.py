"""Right loops in other styles of programming and with other containers: (dialect, function)."""

import itertools
from collections import namedtuple
from dataclasses import dataclass, field
from functools import reduce

import numpy as np
import pandas as pd

from tests.teaching.loops.dialects import HALF, L0, L3, ones, positive_if_above, predict


def while_errors(X, y):
    w, path, errors = np.zeros(3), [], None
    while errors != 0:
        errors = 0
        for i in range(len(X)):
            z = np.insert(X[i], 0, 1)
            if predict(w, z) != y[i]:
                w = w + y[i] * z
                errors += 1
                path.append(w)
    return path


def a_data_frame(X, y):
    frame = pd.DataFrame(X, columns=["a", "b"]).assign(one=1, label=y)
    w, path = pd.Series({"one": 0.0, "a": 0.0, "b": 0.0}), []
    for _ in range(100):
        for row in frame.itertuples():
            z = pd.Series({"one": row.one, "a": row.a, "b": row.b})
            if (1 if (w * z).sum() >= 0 else -1) != row.label:
                w = w + row.label * z
                path.append(w)
    return path


def a_frame_of_weights(X, y):
    return pd.DataFrame(while_errors(X, y), columns=["w0", "w1", "w2"])


@dataclass
class Neuron:
    w: np.ndarray
    history: list = field(default_factory=list)

    def learn(self, z, label):
        if positive_if_above(self.w, z) == label:
            return False
        self.w = self.w + 2 * label * z
        self.history.append(self.w)
        return True


def an_object(X, y):
    neuron = Neuron(np.zeros(3))
    while sum(neuron.learn(z, label) for z, label in zip(ones(X), y, strict=True)):
        pass
    return neuron.history


def a_closure(X, y):
    w, path = np.zeros(3), []

    def epoch():
        nonlocal w
        wrong = 0
        for z, label in zip(ones(X), y, strict=True):
            if positive_if_above(w, z) != label:
                w = w + 2 * label * z
                path.append(w)
                wrong += 1
        return wrong

    while epoch():
        pass
    return path


def in_place_and_copied(X, y):
    w, path = np.zeros(3), []
    for _ in range(100):
        for z, label in zip(ones(X), y, strict=True):
            if positive_if_above(w, z) != label:
                np.add(w, 2 * label * z, out=w)
                path.append(np.array(w))
    return path


def vectorised_first_mistake(X, y):
    """Finds the next mistake by NumPy, from the place after the last one."""
    Z, w, path, at = ones(X), np.zeros(3), [], 0
    n = len(y)
    while True:
        order = (at + np.arange(n)) % n
        wrong = np.flatnonzero(np.where(Z[order] @ w >= 0, 1, -1) != y[order])
        if not len(wrong):
            return path
        i = order[wrong[0]]
        w = w + y[i] * Z[i]
        path.append(w)
        at = i + 1


def a_generator_of_weights(X, y):
    w = np.zeros(3)
    for z, label in itertools.chain.from_iterable(itertools.repeat(list(zip(ones(X), y, strict=True)), 100)):
        if predict(w, z) != label:
            w = w + label * z
            yield w


def folded(X, y):
    def step(state, example):
        w, path = state
        z, label = example
        if predict(w, z) == label:
            return state
        return w + label * z, [*path, w + label * z]

    rounds = list(zip(ones(X), y, strict=True)) * 60
    return reduce(step, rounds, (np.zeros(3), []))[1]


def cumulated(X, y):
    """The weights as cumulative sums of the updates."""
    Z, updates, total = ones(X), [], np.zeros(3)
    for _ in range(100):
        for z, label in zip(Z, y, strict=True):
            if predict(total, z) != label:
                updates.append(label * z)
                total = np.sum(updates, axis=0)
    return np.cumsum(updates, axis=0)


def named_tuples(X, y):
    Weights = namedtuple("Weights", "w0 w1 w2")
    return [Weights(*w) for w in while_errors(X, y)]


def rows_as_dictionaries(X, y):
    w, path = {"bias": 0.0, "x0": 0.0, "x1": 0.0}, []
    for _ in range(100):
        for x, label in zip(X, y, strict=True):
            row = {"bias": 1.0, "x0": x[0], "x1": x[1]}
            if (1 if sum(w[name] * row[name] for name in w) > 0 else -1) != label:
                w = {name: w[name] + 0.5 * label * row[name] for name in w}
                path.append(list(w.values()))
    return path


def states_of_a_stack(X, y):
    stack = [np.zeros(3)]
    examples = itertools.cycle(zip(ones(X), y, strict=True))
    clean = 0
    while clean < len(y):
        z, label = next(examples)
        if predict(stack[-1], z) == label:
            clean += 1
        else:
            stack.append(stack[-1] + label * z)
            clean = 0
    return stack[1:]


def written_into_a_table(X, y):
    table, count, w = np.full((5000, 3), np.nan), 0, np.zeros(3)
    for _ in range(100):
        for z, label in zip(ones(X), y, strict=True):
            if predict(w, z) != label:
                w = w + label * z
                table[count] = w
                count += 1
    return table[:count]


RIGHT = [
    (L0, while_errors),
    (L0, a_data_frame),
    (L0, a_frame_of_weights),
    (L0, vectorised_first_mistake),
    (L0, a_generator_of_weights),
    (L0, folded),
    (L0, cumulated),
    (L0, named_tuples),
    (L0, states_of_a_stack),
    (L0, written_into_a_table),
    (L3, an_object),
    (L3, a_closure),
    (L3, in_place_and_copied),
    (HALF, rows_as_dictionaries),
]
