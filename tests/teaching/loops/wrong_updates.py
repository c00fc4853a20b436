"""Loops whose update is wrong, in several dialects: (cause, dialect, function).

The code is our own; the mistakes are those of public exercise solutions.
"""

import numpy as np

from tests.teaching.loops.dialects import GIVEN, HALF, L0, L1, L3, ones, positive_if_above, predict


def sign_of_numpy(X, y):
    w, history = np.zeros(3), []
    while True:
        errors = 0
        for z, label in zip(ones(X), y, strict=True):
            if np.sign(z @ w) != label:
                w, errors = w + label * z, errors + 1
                history.append(w)
        if errors == 0:
            return history


def at_least_zero(X, y):
    w, history = np.zeros(3), []
    for _ in range(200):
        for z, label in zip(ones(X), y, strict=True):
            if predict(w, z) != label:
                w = w + 2 * label * z
                history.append(w)
    return history


def difference_with_numpys_sign(X, y):
    w, history = np.zeros(3), []
    for _ in range(200):
        for z, label in zip(ones(X), y, strict=True):
            error = label - np.sign(w @ z)
            if error:
                w = w + error * z
                history.append(w)
    return history


def tie_the_other_way_through_the_origin(X, y):
    theta, history = np.zeros(2), []
    for _ in range(200):
        for x, label in zip(X, y, strict=True):
            if (1 if theta @ x > 0 else -1) != label:
                theta = theta + label * x
                history.append(theta)
    return history


def offset_times_itself(X, y):
    w, b, history = np.zeros(2), 0.0, []
    for _ in range(100):
        for x, label in zip(X, y, strict=True):
            if label * (w @ x + b) < 0 or (w @ x + b == 0 and label < 0):
                w = w + label * x
                b += label * b
                history.append([b, *w])
    return history


def offset_left_at_its_start(X, y):
    w, b, history = np.array([-1.0, 0.5]), 1.0, []
    for _ in range(100):
        for x, label in zip(X, y, strict=True):
            if (1 if x @ w + b > 0 else -1) != label:
                w = w + 0.5 * label * x
                history.append(np.array([b, *w]))
    return history


def ones_and_b_shown_together(X, y):
    w, b, history = np.zeros(3), 0.0, []
    for _ in range(100):
        for z, label in zip(ones(X), y, strict=True):
            if (1 if w @ z + b >= 0 else -1) != label:
                w, b = w + label * z, b + label
                history.append([w[0] + b, w[1], w[2]])
    return history


def ones_and_b_with_b_not_shown(X, y):
    w, b, history = np.zeros(3), 0.0, []
    for _ in range(100):
        for z, label in zip(ones(X), y, strict=True):
            if (1 if w @ z + b >= 0 else -1) != label:
                w, b = w + label * z, b + label
                history.append(w.copy())
    return history


def breaks_once_it_is_right(X, y):
    w, history = [0.0, 0.0, 0.0], []
    for _ in range(100):
        for z, label in zip(ones(X), y, strict=True):
            if predict(w, z) != label:
                for j in range(3):
                    w[j] += label * z[j]
                    if predict(w, z) == label:
                        break
                history.append(list(w))
    return history


def error_computed_again_for_the_weights(X, y):
    w, b, history = np.zeros(2), 0.0, []
    for _ in range(100):
        for x, label in zip(X, y, strict=True):
            if (1 if w @ x + b > 0 else -1) != label:
                b = b + (label - (1 if w @ x + b > 0 else -1))
                w = w + (label - (1 if w @ x + b > 0 else -1)) * x
                history.append([b, *w])
    return history


def recorded_before_the_update(X, y):
    w, history, errors = np.zeros(3), [], 1
    while errors:
        errors = 0
        for z, label in zip(ones(X), y, strict=True):
            if predict(w, z) != label:
                history.append(w)
                w = w + label * z
                errors += 1
    return history


def the_two_of_lecture_three_forgotten(X, y):
    w, history = np.zeros(3), []
    for _ in range(100):
        for z, label in zip(ones(X), y, strict=True):
            if positive_if_above(w, z) != label:
                w = w + label * z
                history.append(w)
    return history


def the_two_of_lecture_three_twice(X, y):
    w, history = np.zeros(3), []
    for _ in range(100):
        for z, label in zip(ones(X), y, strict=True):
            predicted = positive_if_above(w, z)
            if predicted != label:
                w = w + 2 * (label - predicted) * z
                history.append(w)
    return history


def eta_becomes_smaller(X, y):
    w, history = np.zeros(3), []
    for epoch in range(100):
        eta = 0.5 / (epoch + 1)
        for z, label in zip(ones(X), y, strict=True):
            if positive_if_above(w, z) != label:
                w = w + eta * label * z
                history.append(w)
    return history


def adaline_at_mistakes(X, y):
    w, history = np.array([1.0, -1.0, 0.5]), []
    for _ in range(50):
        for z, label in zip(ones(X), y, strict=True):
            if positive_if_above(w, z) != label:
                w = w + 0.5 * (label - w @ z) * z
                history.append(w)
    return history


def prediction_minus_label(X, y):
    w, history = np.zeros(3), []
    for _ in range(30):
        for z, label in zip(ones(X), y, strict=True):
            predicted = positive_if_above(w, z)
            w = w + (predicted - label) * z
            history.append(w)
    return history


def threshold_with_the_wrong_sign(X, y):
    w, threshold, history = np.zeros(2), 0.0, []
    for _ in range(60):
        for x, label in zip(X, y, strict=True):
            if (1 if w @ x - threshold >= 0 else -1) != label:
                w, threshold = w + label * x, threshold + label
                history.append([threshold, *w])
    return history


BUGS = [
    ("tie", L0, sign_of_numpy),
    ("tie", L3, at_least_zero),
    ("tie", L3, difference_with_numpys_sign),
    ("tie", L1, tie_the_other_way_through_the_origin),
    ("offset not updated", L0, offset_times_itself),
    ("offset not updated", GIVEN, offset_left_at_its_start),
    ("offset updated twice", L0, ones_and_b_shown_together),
    ("offset updated twice", L0, ones_and_b_with_b_not_shown),
    ("half update", L0, breaks_once_it_is_right),
    ("half update", L3, error_computed_again_for_the_weights),
    ("half update", L0, recorded_before_the_update),
    ("step size", L3, the_two_of_lecture_three_forgotten),
    ("step size", L3, the_two_of_lecture_three_twice),
    ("step size", HALF, eta_becomes_smaller),
    ("step size", GIVEN, adaline_at_mistakes),
    ("sign", L3, prediction_minus_label),
    ("sign", L0, threshold_with_the_wrong_sign),
]
