"""Thirty loops that are right, each written in another way, under `student_bugs.RULE`."""

from collections import deque
from fractions import Fraction
from itertools import cycle

import numpy as np

from tests.teaching.loops.student_bugs import ETA, loop


def plain(X, y):
    return loop(X, y)


def lists_only(X, y):
    rows = [[1.0, *map(float, x)] for x in X]
    w = [0.0] * len(rows[0])
    path = []
    while True:
        clean = True
        for x, label in zip(rows, y, strict=True):
            if label * sum(a * b for a, b in zip(w, x, strict=True)) <= 0:
                w = [a + ETA * int(label) * b for a, b in zip(w, x, strict=True)]
                path.append(w)
                clean = False
        if clean:
            return path


def fractions(X, y):
    rows = [[Fraction(1), *(Fraction(float(v)) for v in x)] for x in X]
    w, path, clean = [Fraction(0)] * len(rows[0]), [], 0
    for x, label in cycle(list(zip(rows, (int(v) for v in y), strict=True))):
        if label * sum(a * b for a, b in zip(w, x, strict=True)) > 0:
            clean += 1
        else:
            w = [a + Fraction(1, 4) * label * b for a, b in zip(w, x, strict=True)]
            path.append(list(w))
            clean = 0
        if clean == len(rows):
            break
    return path


def with_the_start(X, y):
    return [np.zeros(X.shape[1] + 1), *loop(X, y)]


def one_entry_an_example(X, y):
    Z, w, path = np.c_[np.ones(len(X)), X], np.zeros(X.shape[1] + 1), []
    for _ in range(100):
        before = w
        for x, label in zip(Z, y, strict=True):
            if label * x.dot(w) <= 0:
                w = w + ETA * label * x
            path.append(w)
        if before is w:
            return path
    return path


def an_array(X, y):
    return np.array(loop(X, y))


def tuples(X, y):
    return tuple(tuple(w) for w in loop(X, y))


def a_generator(X, y):
    yield from loop(X, y)


def in_place_with_copies(X, y):
    w, path = np.zeros(X.shape[1] + 1), []
    clean = False
    while not clean:
        clean = True
        for i in range(X.shape[0]):
            x = np.insert(X[i].astype(float), 0, 1)
            if y[i] * np.dot(w, x) <= 0:
                w += ETA * y[i] * x
                path.append(w.copy())
                clean = False
    return path


def pairs_w_and_b(X, y):
    w, b, path = np.zeros(X.shape[1]), 0.0, []
    for _ in range(100):
        for x, label in zip(X, y, strict=True):
            if label * (w @ x + b) <= 0:
                w, b = w + ETA * label * x, b + ETA * label
                path.append((w, b))
    return path


def pairs_b_and_w(X, y):
    return [(w[0], w[1:]) for w in loop(X, y)]


def folded_signs(X, y):
    Z = np.asarray(y)[:, None] * np.c_[np.ones(len(X)), X]
    w, path, k, clean = np.zeros(Z.shape[1]), [], 0, 0
    while clean < len(Z):
        z = Z[k % len(Z)]
        if z @ w <= 0:
            w = w + ETA * z
            path.append(w)
            clean = 0
        else:
            clean += 1
        k += 1
    return path


def half_the_difference(X, y):
    def step(w, x, label, s):
        predicted = -label
        return w + ETA * (label - predicted) / 2 * x

    return loop(X, y, step=step)


def dual_form(X, y):
    Z = np.c_[np.ones(len(X)), X]
    G, alpha, path = Z @ Z.T, np.zeros(len(y)), []
    for _ in range(100):
        errors = 0
        for i in range(len(y)):
            if y[i] * (G[i] @ (alpha * y)) <= 0:
                alpha[i] += ETA
                path.append((alpha * y) @ Z)
                errors += 1
        if not errors:
            break
    return path


def recursive(X, y, w=None, k=0, clean=0):
    w = np.zeros(X.shape[1] + 1) if w is None else w
    path = []
    while clean < len(y):
        x, label = np.append(1, X[k % len(y)]), y[k % len(y)]
        k += 1
        if label * (x @ w) > 0:
            clean += 1
            continue
        return [*path, w + ETA * label * x, *recursive(X, y, w + ETA * label * x, k, 0)]
    return path


def branches(X, y):
    def step(w, x, label, s):
        return w + ETA * x if label == 1 else w - ETA * x

    return loop(X, y, wrong=lambda s, label: s <= 0 if label == 1 else s >= 0, step=step)


def a_class(X, y):
    class Model:
        def __init__(self, width):
            self.w = np.zeros(width)
            self.history = []

        def learn(self, x, label):
            if label * self.w.dot(x) <= 0:
                self.w = self.w + ETA * label * x
                self.history.append(self.w)
                return 1
            return 0

    model = Model(X.shape[1] + 1)
    while sum(model.learn(np.r_[1, x], label) for x, label in zip(X, y, strict=True)):
        pass
    return model.history


def many_epochs_without_a_stop(X, y):
    w, path = np.zeros(X.shape[1] + 1), []
    for _ in range(500):
        for x, label in zip(X, y, strict=True):
            x = np.concatenate(([1.0], x))
            if label * (x @ w) <= 0:
                w = w + ETA * label * x
                path.append(w)
    return path


def prints_a_little(X, y):
    path = loop(X, y)
    for w in path:
        print("w =", w)
    return path


def by_index(X, y):
    n, d = X.shape
    w, path, k, unchanged = [0.0] * (d + 1), [], 0, 0
    while unchanged < n:
        s = w[0]
        for j in range(d):
            s += w[j + 1] * X[k, j]
        if s * y[k] > 0:
            unchanged += 1
        else:
            new = w[:]
            new[0] += ETA * y[k]
            for j in range(d):
                new[j + 1] += ETA * y[k] * X[k, j]
            w, unchanged = new, 0
            path.append(w)
        k = (k + 1) % n
    return path


def a_dict_inside(X, y):
    w = dict.fromkeys(range(X.shape[1] + 1), 0.0)
    path = []
    for _ in range(200):
        for x, label in zip(X, y, strict=True):
            x = {0: 1.0, **{j + 1: float(v) for j, v in enumerate(x)}}
            if label * sum(w[j] * x[j] for j in w) <= 0:
                w = {j: w[j] + ETA * float(label) * x[j] for j in w}
                path.append([w[j] for j in sorted(w)])
    return path


def a_deque(X, y):
    return deque(loop(X, y))


def summed_from_the_back(X, y):
    def wrong(s, label):
        return label * s <= 0

    Z, w, path = np.c_[np.ones(len(X)), X], np.zeros(X.shape[1] + 1), []
    for _ in range(100):
        for x, label in zip(Z, y, strict=True):
            if wrong(sum((a * b for a, b in zip(w[::-1], x[::-1], strict=True)), 0.0), label):
                w = w + label * x * ETA
                path.append(w)
    return path


def scaled_afterwards(X, y):
    return [ETA * w for w in loop(X, y, eta=1.0)]


def float32(X, y):
    return [np.asarray(w, dtype=np.float32) for w in loop(X, y)]


def column_vectors(X, y):
    return [np.asarray(w).reshape(-1, 1) for w in loop(X, y)]


def a_matrix_history(X, y):
    history = np.zeros((0, X.shape[1] + 1))
    for w in loop(X, y):
        history = np.vstack([history, w])
    return history


def walrus(X, y):
    Z, w, path = np.c_[np.ones(len(X)), X], np.zeros(X.shape[1] + 1), []
    while any([(path.append(w := w + ETA * t * x) or True) if t * (x @ w) <= 0 else False for x, t in zip(Z, y)]):  # noqa: B905, C419
        pass
    return path


def sets_w_to_none_first(X, y):
    w, path = None, []
    for _ in range(100):
        for x, label in zip(np.c_[np.ones(len(X)), X], y, strict=True):
            w = np.zeros_like(x) if w is None else w
            if np.sign(label) * np.inner(w, x) > 0:
                continue
            w = np.add(w, np.multiply(ETA * label, x))
            path.append(w)
    return path


def labels_made_boolean(X, y):
    positive = np.asarray(y) > 0

    def wrong(s, label):
        return not ((s > 0 and label > 0) or (s < 0 and label < 0))

    return loop(X, np.where(positive, 1, -1), wrong=wrong)


RIGHT = [
    plain, lists_only, fractions, with_the_start, one_entry_an_example, an_array, tuples, a_generator,
    in_place_with_copies, pairs_w_and_b, pairs_b_and_w, folded_signs, half_the_difference, dual_form, recursive,
    branches, a_class, many_epochs_without_a_stop, prints_a_little, by_index, a_dict_inside, a_deque,
    summed_from_the_back, scaled_afterwards, float32, column_vectors, a_matrix_history, walrus, sets_w_to_none_first,
    labels_made_boolean,
]  # fmt: skip
