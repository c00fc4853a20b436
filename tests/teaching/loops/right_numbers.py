"""Right loops with other kinds of numbers or weights: (dialect, function)."""

from decimal import Decimal
from fractions import Fraction

import numpy as np

from tests.teaching.loops.dialects import GIVEN, HALF, L0, L1, L3, ones, positive_if_above, predict


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


def sixteen_bits(X, y):
    w, path = np.zeros(3, dtype=np.float16), []
    for _ in range(100):
        for z, label in zip(ones(X).astype(np.float16), y, strict=True):
            if positive_if_above(w, z) != label:
                w = (w + np.float16(0.5) * np.float16(label) * z).astype(np.float16)
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


def weights_and_threshold(X, y):
    w, threshold, path = np.zeros(2), 0.0, []
    for _ in range(100):
        for x, label in zip(X, y, strict=True):
            if (1 if w @ x >= threshold else -1) != label:
                w, threshold = w + label * x, threshold - label
                path.append((-threshold, w))
    return path


def zero_one_targets(X, y):
    w, path = np.zeros(3), []
    for _ in range(100):
        for z, target in zip(ones(X), (y + 1) // 2, strict=True):
            output = int(w @ z >= 0)
            w = w + (target - output) * z  # ±1 at a mistake, 0 otherwise
            path.append(w)
    return path


def difference_of_predictions(X, y):
    w, path = np.zeros(3), []
    for _ in range(100):
        for z, label in zip(ones(X), y, strict=True):
            change = (label - positive_if_above(w, z)) * z  # 2y at a mistake, as in lecture 3
            w = w + change
            path.append(w)
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


def einsum(X, y):
    w, path = np.zeros(3), []
    for _ in range(100):
        for z, label in zip(ones(X), y, strict=True):
            if label * np.einsum("i,i->", w, z) <= 0 and not (label < 0 and np.einsum("i,i->", w, z) == 0):
                w = w + 0.5 * label * z
                path.append(w)
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


def bias_last_inside_and_first_outside(X, y):
    w, path = np.zeros(3), []
    for _ in range(100):
        for x, label in zip(X, y, strict=True):
            z = np.append(x, 1)
            if predict(w, z) != label:
                w = w + label * z
                path.append(np.roll(w, 1))
    return path


RIGHT = [
    (L0, rounded_fractions),
    (L0, weights_and_threshold),
    (L0, zero_one_targets),
    (L0, bias_last_inside_and_first_outside),
    (L3, difference_of_predictions),
    (L1, through_the_origin),
    (L1, through_the_origin_in_complex_numbers),
    (L1, through_the_origin_by_alphas),
    (GIVEN, given_start),
    (GIVEN, given_start_listed_first),
    (GIVEN, given_start_with_an_entry_an_example),
    (HALF, decimals),
    (HALF, half_steps_twice),
    (HALF, sixteen_bits),
    (HALF, einsum),
    (HALF, integers_in_units_of_a_half),
]
