"""Loops that present, select or record the wrong examples, or end at the wrong time: (cause, dialect, function).

The code is our own; the mistakes are those of public exercise solutions.
"""

import numpy as np

from tests.teaching.loops.dialects import GIVEN, HALF, L0, L3, POCKET, ones, positive_if_above, predict


def sorted_by_label(X, y):
    order = np.argsort(y, kind="stable")
    w, history = np.zeros(3), []
    for _ in range(100):
        for i in order:
            z = np.r_[1, X[i]]
            if predict(w, z) != y[i]:
                w = w + y[i] * z
                history.append(w)
    return history


def begins_anew(X, y):
    w, history, i = np.zeros(3), [], 0
    while i < len(y):
        z = np.r_[1, X[i]]
        if positive_if_above(w, z) != y[i]:
            w = w + 2 * y[i] * z
            history.append(w)
            i = 0
        else:
            i += 1
    return history


def shuffled_by_its_own_seed(X, y):
    random = np.random.default_rng(11)
    w, history = np.zeros(3), []
    for _ in range(60):
        for i in random.permutation(len(y)):
            z = np.r_[1, X[i]]
            if positive_if_above(w, z) != y[i]:
                w = w + 0.5 * y[i] * z
                history.append(w)
    return history


def zero_for_the_negative_class(X, y):
    target = (y > 0).astype(int)
    w, history = np.zeros(3), []
    for _ in range(60):
        for z, t in zip(ones(X), target, strict=True):
            if (1 if w @ z >= 0 else 0) != t:
                w = w + t * z
                history.append(w)
    return history


def classes_the_other_way_round(X, y):
    y = np.where(y == 1, -1, 1)
    w, history = np.zeros(3), []
    for _ in range(100):
        for z, label in zip(ones(X), y, strict=True):
            if positive_if_above(w, z) != label:
                w = w + 2 * label * z
                history.append(w)
    return history


def label_compared_with_the_score(X, y):
    w, history = np.zeros(3), []
    for _ in range(20):
        for z, label in zip(ones(X), y, strict=True):
            if w @ z != label:
                w = w + label * z
                history.append(w)
    return history


def adaline(X, y):
    w, history = np.array([1.0, -1.0, 0.5]), []
    for _ in range(10):
        for z, label in zip(ones(X), y, strict=True):
            w = w + 0.5 * (label - w @ z) * z
            history.append(w)
    return history


def offset_outside_the_condition(X, y):
    w, b, history = np.zeros(2), 0.0, []
    for _ in range(20):
        for x, label in zip(X, y, strict=True):
            wrong = (1 if w @ x + b >= 0 else -1) != label
            if wrong:
                w = w + label * x
            b = b + label
            if wrong:
                history.append([b, *w])
    return history


def two_epochs(X, y):
    w, history = np.zeros(3), []
    for _ in range(2):
        for z, label in zip(ones(X), y, strict=True):
            if positive_if_above(w, z) != label:
                w = w + 2 * label * z
                history.append(w)
    return history


def one_error_is_good_enough(X, y):
    w, history, errors = np.zeros(3), [], 99
    while errors > 1:
        errors = 0
        for z, label in zip(ones(X), y, strict=True):
            if predict(w, z) != label:
                w, errors = w + label * z, errors + 1
                history.append(w)
    return history


def ends_where_the_last_example_is_right(X, y):
    w, history, done = np.zeros(3), [], False
    while not done:
        for z, label in zip(ones(X), y, strict=True):
            done = predict(w, z) == label
            if not done:
                w = w + label * z
                history.append(w)
    return history


def list_changed_in_place(X, y):
    w, history = [0.0, 0.0, 0.0], []
    for _ in range(50):
        for z, label in zip(ones(X), y, strict=True):
            if positive_if_above(w, z) != label:
                for j in range(3):
                    w[j] += 2 * label * z[j]
                history += [w]
    return history


def pocket_takes_equal_runs(X, y):
    w, history = np.zeros(3), []
    kept, run, best = w, 0, 0
    for _ in range(5):
        for z, label in zip(ones(X), y, strict=True):
            if predict(w, z) == label:
                run += 1
                continue
            if run >= best:
                kept, best = w, run
                history.append(kept)
            w, run = w + label * z, 0
    if run >= best:
        history.append(w)
    return history


BUGS = [
    ("order", L0, sorted_by_label),
    ("order", L3, begins_anew),
    ("order", HALF, shuffled_by_its_own_seed),
    ("labels", L0, zero_for_the_negative_class),
    ("labels", L3, classes_the_other_way_round),
    ("update on right example", L0, label_compared_with_the_score),
    ("update on right example", GIVEN, adaline),
    ("update on right example", L0, offset_outside_the_condition),
    ("too few epochs", L3, two_epochs),
    ("stop condition", L0, one_error_is_good_enough),
    ("stop condition", L0, ends_where_the_last_example_is_right),
    ("shared reference", L3, list_changed_in_place),
    ("pocket comparison", POCKET, pocket_takes_equal_runs),
]
