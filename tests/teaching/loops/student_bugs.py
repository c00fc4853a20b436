"""Loops as students write them: thirty with one fault each, by cause, and thirty that are right.

The faults are those that course forums and public exercise repositories show again and again; the code is our own. All
follow the rule: a score of zero is a mistake for either label unless the dialect says otherwise, step `ETA`, in turn.
"""

import numpy as np

ETA = 0.25
RULE = {"tie": "mistake", "eta0": ETA}
POCKET = {"tie": "mistake", "algorithm": "pocket", "max_iter": 6}


def _ones(X):
    return np.column_stack([np.ones(len(X)), X])


def loop(X, y, *, wrong=None, step=None, order=None, epochs=100, stop=None, record=True, eta=ETA):
    """The usual loop with one part exchanged."""
    Z, w, path = _ones(X), np.zeros(X.shape[1] + 1), []
    for epoch in range(epochs):
        errors = 0
        for i in order(epoch, len(y)) if order else range(len(y)):
            s = Z[i] @ w
            if wrong(s, y[i]) if wrong else y[i] * s <= 0:
                errors += 1
                w = step(w, Z[i], y[i], s) if step else w + eta * y[i] * Z[i]
                path.append(w.copy())
            if stop and stop(w, Z, y, i, s):
                return path
        if not errors:
            break
    return path


# Thirty faults.


def tie_counts_as_positive(X, y):
    return loop(X, y, wrong=lambda s, label: (1 if s >= 0 else -1) != label)


def tie_counts_as_negative(X, y):
    return loop(X, y, wrong=lambda s, label: (1 if s > 0 else -1) != label)


def tie_is_never_wrong(X, y):
    return loop(X, y, wrong=lambda s, label: label * s < 0)


def tie_by_numpys_sign(X, y):
    w, path = np.zeros(X.shape[1] + 1), []
    for _ in range(50):
        for x, label in zip(_ones(X), y, strict=True):
            predicted = np.sign(w @ x) or -1
            if predicted != label:
                w = w + ETA * label * x
                path.append(w)
    return path


def offset_forgotten(X, y):
    w, b, path = np.zeros(X.shape[1]), 0.0, []
    for _ in range(30):
        for x, label in zip(X, y, strict=True):
            if label * (w @ x + b) <= 0:
                w = w + ETA * label * x
                path.append([b, *w])
    return path


def offset_added_where_x_has_a_one_already(X, y):
    w, path = np.zeros(X.shape[1] + 1), []
    for _ in range(30):
        for x, label in zip(_ones(X), y, strict=True):
            if label * (w @ x) <= 0:
                w = w + ETA * label * x
                w[0] += ETA * label
                path.append(w.copy())
    return path


def offset_twice_by_hand(X, y):
    def step(w, x, label, _s):
        return w + ETA * label * x * np.array([2] + [1] * (len(x) - 1))

    return loop(X, y, step=step)


def score_computed_anew_for_each_weight(X, y):
    Z, w, path = _ones(X), np.zeros(X.shape[1] + 1), []
    for _ in range(60):
        for x, label in zip(Z, y, strict=True):
            changed = False
            for j in range(len(w)):
                if label * (w @ x) <= 0:
                    w[j] += ETA * label * x[j]
                    changed = True
            if changed:
                path.append(w.copy())
    return path


def offset_only_if_still_wrong(X, y):
    w, b, path = np.zeros(X.shape[1]), 0.0, []
    for _ in range(60):
        for x, label in zip(X, y, strict=True):
            if label * (w @ x + b) <= 0:
                w = w + ETA * label * x
                if label * (w @ x + b) <= 0:
                    b = b + ETA * label
                path.append([b, *w])
    return path


def last_weight_left_out(X, y):
    def step(w, x, label, _s):
        w = w.copy()
        for j in range(len(w) - 1):
            w[j] += ETA * label * x[j]
        return w

    return loop(X, y, step=step, epochs=40)


def recorded_before_the_offset(X, y):
    w, b, path = np.zeros(X.shape[1]), 0.0, []
    for _ in range(60):
        errors = 0
        for x, label in zip(X, y, strict=True):
            if label * (w @ x + b) <= 0:
                w = w + ETA * label * x
                path.append([b, *w])
                b = b + ETA * label
                errors += 1
        if not errors:
            break
    return path


def eta_forgotten(X, y):
    return loop(X, y, eta=1.0)


def eta_squared(X, y):
    return loop(X, y, eta=ETA**2)


def eta_forgotten_for_the_offset(X, y):
    w, b, path = np.zeros(X.shape[1]), 0.0, []
    for _ in range(60):
        for x, label in zip(X, y, strict=True):
            if label * (w @ x + b) <= 0:
                w, b = w + ETA * label * x, b + label
                path.append([b, *w])
    return path


def difference_of_labels_is_two(X, y):
    return loop(X, y, step=lambda w, x, label, s: w + ETA * (label - (-label)) * x)


def subtracts(X, y):
    return loop(X, y, eta=-ETA, epochs=20)


def adds_x_whatever_the_label(X, y):
    return loop(X, y, step=lambda w, x, label, s: w + ETA * x, epochs=20)


def offset_the_wrong_way(X, y):
    def step(w, x, label, _s):
        return w + ETA * label * x * np.array([-1] + [1] * (len(x) - 1))

    return loop(X, y, step=step, epochs=20)


def from_last_to_first(X, y):
    return loop(X, y, order=lambda _epoch, n: range(n - 1, -1, -1))


def begins_anew_after_an_update(X, y):
    Z, w, path = _ones(X), np.zeros(X.shape[1] + 1), []
    while True:
        for x, label in zip(Z, y, strict=True):
            if label * (w @ x) <= 0:
                w = w + ETA * label * x
                path.append(w)
                break
        else:
            return path


def stays_until_right(X, y):
    Z, w, path = _ones(X), np.zeros(X.shape[1] + 1), []
    for _ in range(60):
        for x, label in zip(Z, y, strict=True):
            while label * (w @ x) <= 0:
                w = w + ETA * label * x
                path.append(w)
    return path


def shuffles(X, y):
    rng = np.random.default_rng(5)
    orders = [rng.permutation(len(y)) for _ in range(60)]
    return loop(X, y, order=lambda epoch, n: orders[epoch] if epoch < 60 else range(n))


def labels_zero_and_one(X, y):
    binary = (np.asarray(y) + 1) // 2
    w, path = np.zeros(X.shape[1] + 1), []
    for _ in range(20):
        for x, label in zip(_ones(X), binary, strict=True):
            if label * (w @ x) <= 0:
                w = w + ETA * label * x
                path.append(w)
    return path


def labels_exchanged(X, y):
    return loop(X, -np.asarray(y))


def predicts_zero_or_one(X, y):
    w, path = np.zeros(X.shape[1] + 1), []
    for _ in range(20):
        for x, label in zip(_ones(X), y, strict=True):
            predicted = 1 if w @ x > 0 else 0
            if predicted != label:
                w = w + ETA * (label - predicted) * x
                path.append(w)
    return path


def updates_always(X, y):
    return loop(X, y, wrong=lambda s, label: True, epochs=10)


def updates_where_right(X, y):
    return loop(X, y, wrong=lambda s, label: label * s >= 0, epochs=10)


def one_epoch(X, y):
    return loop(X, y, epochs=1)


def stops_at_the_first_right_example(X, y):
    return loop(X, y, stop=lambda w, Z, labels, i, s: labels[i] * s > 0)


def same_array_again_and_again(X, y):
    Z, w, path = _ones(X), np.zeros(X.shape[1] + 1), []
    for _ in range(60):
        for x, label in zip(Z, y, strict=True):
            if label * (w @ x) <= 0:
                w += ETA * label * x
                path.append(w)
    return path


def pocket_with_at_least(X, y):
    return pocket_loop(X, y, lambda run, best: run >= best)


def pocket_loop(X, y, enters):
    Z, w, path = _ones(X), np.zeros(X.shape[1] + 1), []
    kept, run, best = w, 0, 0
    for _ in range(6):
        for x, label in zip(Z, y, strict=True):
            if label * (w @ x) <= 0:
                if enters(run, best):
                    kept, best = w, run
                w, run = w + label * x, 0
                path.append(kept)
            else:
                run += 1
    if enters(run, best):
        kept = w
    return [*path, kept]


FAULTS = {
    "tie": [tie_counts_as_positive, tie_counts_as_negative, tie_is_never_wrong, tie_by_numpys_sign],
    "offset not updated": [offset_forgotten],
    "offset updated twice": [offset_added_where_x_has_a_one_already, offset_twice_by_hand],
    "half update": [
        score_computed_anew_for_each_weight,
        offset_only_if_still_wrong,
        last_weight_left_out,
        recorded_before_the_offset,
    ],
    "step size": [eta_forgotten, eta_squared, eta_forgotten_for_the_offset, difference_of_labels_is_two],
    "sign": [subtracts, adds_x_whatever_the_label, offset_the_wrong_way],
    "order": [from_last_to_first, begins_anew_after_an_update, stays_until_right, shuffles],
    "labels": [labels_zero_and_one, labels_exchanged, predicts_zero_or_one],
    "update on right example": [updates_always, updates_where_right],
    "too few epochs": [one_epoch],
    "stop condition": [stops_at_the_first_right_example],
    "shared reference": [same_array_again_and_again],
}
