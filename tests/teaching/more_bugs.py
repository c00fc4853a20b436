"""Thirty more faulty loops, in dialects other than the default one, as students of different courses write them.

Each is (cause, dialect, function). The code is our own; the mistakes are those of public exercise solutions.
"""

import numpy as np

from rosenblatt import conventions

L0, L1, L3 = (dict(dialect) for dialect in (conventions.L0, conventions.L1, conventions.L3))
HALF = {"tie": "negative", "eta0": 0.5}
GIVEN = {"tie": "negative", "eta0": 0.5, "start": [1.0, -1.0, 0.5]}
POCKET = {"tie": "positive", "algorithm": "pocket", "max_iter": 5}


def ones(X):
    return np.hstack([np.ones((X.shape[0], 1)), X])


def predict(w, z):  # L0: zero counts as +1
    return 1 if np.dot(w, z) >= 0 else -1


def positive_if_above(w, z):  # L3, L4: zero counts as −1
    return 1 if np.dot(w, z) > 0 else -1


# tie


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


# offset


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


# half update


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


# step size


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


# sign


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


# order


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


# labels


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


# update on right example


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


# epochs and stopping


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


# references and the pocket


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
