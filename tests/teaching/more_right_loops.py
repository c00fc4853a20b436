"""Thirty more right loops in other dialects and styles: (dialect, function)."""

import itertools
from collections import namedtuple
from dataclasses import dataclass, field
from decimal import Decimal
from fractions import Fraction
from functools import reduce

import numpy as np
import pandas as pd

from tests.teaching.more_bugs import GIVEN, HALF, L0, L1, L3, ones, positive_if_above, predict


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


def rounded_fractions(X, y):
    w, path = [Fraction(0)] * 3, []
    for _ in range(100):
        for x, label in zip(X.tolist(), y.tolist(), strict=True):
            z = [Fraction(1), *map(Fraction, x)]
            score = sum(map(lambda a, b: a * b, w, z))
            if (score >= 0) != (label > 0):
                w = [a + label * b for a, b in zip(w, z, strict=True)]
                path.append(tuple(w))
    return tuple(path)


def decimals(X, y):
    w, path = [Decimal(0)] * 3, []
    for _ in range(100):
        for x, label in zip(X.tolist(), y.tolist(), strict=True):
            z = [Decimal(1), *map(Decimal, x)]
            if (sum(a * b for a, b in zip(w, z, strict=True)) > 0) != (label > 0):
                w = [a + Decimal("0.5") * label * b for a, b in zip(w, z, strict=True)]
                path.append(w)
    return path


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


def difference_of_predictions(X, y):
    w, path = np.zeros(3), []
    for _ in range(100):
        for z, label in zip(ones(X), y, strict=True):
            change = (label - positive_if_above(w, z)) * z  # 2y at a mistake, as in lecture 3
            w = w + change
            path.append(w)
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


def weights_and_threshold(X, y):
    w, threshold, path = np.zeros(2), 0.0, []
    for _ in range(100):
        for x, label in zip(X, y, strict=True):
            if (1 if w @ x >= threshold else -1) != label:
                w, threshold = w + label * x, threshold - label
                path.append((-threshold, w))
    return path


def named_tuples(X, y):
    Weights = namedtuple("Weights", "w0 w1 w2")
    return [Weights(*w) for w in while_errors(X, y)]


def zero_one_targets(X, y):
    w, path = np.zeros(3), []
    for _ in range(100):
        for z, target in zip(ones(X), (y + 1) // 2, strict=True):
            output = int(w @ z >= 0)
            w = w + (target - output) * z  # ±1 at a mistake, 0 otherwise
            path.append(w)
    return path


def through_the_origin(X, y):
    theta, path = np.zeros(2), []
    for _ in range(200):
        for x, label in zip(X, y, strict=True):
            if (1 if theta @ x >= 0 else -1) != label:
                theta = theta + label * x
                path.append(theta)
    return path


def through_the_origin_in_complex_numbers(X, y):
    theta, path = 0j, []
    for _ in range(200):
        for (a, b), label in zip(X.tolist(), y.tolist(), strict=True):
            if ((theta * complex(a, -b)).real >= 0) != (label > 0):
                theta += label * complex(a, b)
                path.append([theta.real, theta.imag])
    return path


def through_the_origin_by_alphas(X, y):
    alpha, path = np.zeros(len(y)), []
    for _ in range(200):
        for i in range(len(y)):
            score = sum(alpha[j] * y[j] * (X[j] @ X[i]) for j in range(len(y)))
            if (score >= 0) != (y[i] > 0):
                alpha[i] += 1
                path.append((alpha * y) @ X)
    return path


def given_start(X, y):
    w, path = np.array([1, -1, 0.5]), []
    for _ in range(100):
        for z, label in zip(ones(X), y, strict=True):
            if positive_if_above(w, z) != label:
                w = w + 0.5 * label * z
                path.append(w)
    return path


def given_start_listed_first(X, y):
    return [np.array([1, -1, 0.5]), *given_start(X, y)]


def given_start_with_an_entry_an_example(X, y):
    w, path = np.array([1, -1, 0.5]), [np.array([1, -1, 0.5])]
    while True:
        before = len(path), w
        for z, label in zip(ones(X), y, strict=True):
            w = w if positive_if_above(w, z) == label else w + 0.5 * label * z
            path.append(w)
        if w is before[1]:
            return path


def rows_as_dictionaries(X, y):
    w, path = {"bias": 0.0, "x0": 0.0, "x1": 0.0}, []
    for _ in range(100):
        for x, label in zip(X, y, strict=True):
            row = {"bias": 1.0, "x0": x[0], "x1": x[1]}
            if (1 if sum(w[name] * row[name] for name in w) > 0 else -1) != label:
                w = {name: w[name] + 0.5 * label * row[name] for name in w}
                path.append(list(w.values()))
    return path


def half_steps_twice(X, y):
    w, path = np.zeros(3), []
    for _ in range(100):
        for z, label in zip(ones(X), y, strict=True):
            if positive_if_above(w, z) != label:
                w = w + 0.25 * label * z
                w = w + 0.25 * label * z
                path.append(w)
    return path


def sixteen_bits(X, y):
    w, path = np.zeros(3, dtype=np.float16), []
    for _ in range(100):
        for z, label in zip(ones(X).astype(np.float16), y, strict=True):
            if positive_if_above(w, z) != label:
                w = (w + np.float16(0.5) * np.float16(label) * z).astype(np.float16)
                path.append(w)
    return path


def einsum(X, y):
    w, path = np.zeros(3), []
    for _ in range(100):
        for z, label in zip(ones(X), y, strict=True):
            if label * np.einsum("i,i->", w, z) <= 0 and not (label < 0 and np.einsum("i,i->", w, z) == 0):
                w = w + 0.5 * label * z
                path.append(w)
    return path


def integers_in_units_of_a_half(X, y):
    w, path = [0, 0, 0], []
    for _ in range(100):
        for x, label in zip(X.astype(int).tolist(), y.tolist(), strict=True):
            z = [1, *x]
            if (sum(a * b for a, b in zip(w, z, strict=True)) > 0) != (label == 1):
                w = [a + label * b for a, b in zip(w, z, strict=True)]
                path.append([a / 2 for a in w])
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


def bias_last_inside_and_first_outside(X, y):
    w, path = np.zeros(3), []
    for _ in range(100):
        for x, label in zip(X, y, strict=True):
            z = np.append(x, 1)
            if predict(w, z) != label:
                w = w + label * z
                path.append(np.roll(w, 1))
    return path


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
    *((L0, loop) for loop in (
        while_errors, a_data_frame, a_frame_of_weights, rounded_fractions, vectorised_first_mistake,
        a_generator_of_weights, folded, cumulated, weights_and_threshold, named_tuples, zero_one_targets,
        states_of_a_stack, bias_last_inside_and_first_outside, written_into_a_table,
    )),
    *((L3, loop) for loop in (an_object, a_closure, difference_of_predictions, in_place_and_copied)),
    *((L1, loop) for loop in (
        through_the_origin, through_the_origin_in_complex_numbers, through_the_origin_by_alphas,
    )),
    *((GIVEN, loop) for loop in (given_start, given_start_listed_first, given_start_with_an_entry_an_example)),
    *((HALF, loop) for loop in (
        decimals, rows_as_dictionaries, half_steps_twice, sixteen_bits, einsum, integers_in_units_of_a_half,
    )),
]  # fmt: skip
