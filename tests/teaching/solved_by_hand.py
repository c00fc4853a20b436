"""Solves the exercises anew, in fractions and plain loops: what a careful student would write into the gaps.

Only the data, the rule and the questions are read from the sheet; nothing of the generators or the textbook is used.
"""

import re
from fractions import Fraction
from itertools import combinations, product
from math import gcd

from rosenblatt.teaching.exercises.parts import Gap, Sentence, Table


def solve(exercise):
    """The answers, in the order of the gaps."""
    return [_text(answer) for answer in _SOLVERS[exercise.topic](exercise)]


def _text(value):
    return value if isinstance(value, str) else str(Fraction(value))


def _tables(exercise):
    return [block for block in exercise.blocks if isinstance(block, Table)]


def _words(exercise):
    return " ".join(
        "".join(_flat(piece) for piece in block.pieces) for block in exercise.blocks if isinstance(block, Sentence)
    )


def _flat(piece):
    if isinstance(piece, tuple):
        return "[" + ", ".join(map(_flat, piece)) + "]"
    if isinstance(piece, Gap):
        return "?"
    return piece if isinstance(piece, str) else str(Fraction(piece))


def _data(table):
    X = [[Fraction(value) for value in row[1:-1]] for row in table.rows]
    return X, [int(row[-1]) for row in table.rows]


def _rule(exercise):
    words = _words(exercise)
    if "zero is a mistake" in words or "a mistake whatever the label" in words:
        tie = None
    else:
        tie = int(re.search(r"zero count(?:s|ed) as ([+-]1)", words)[1])
    found = re.search(r"(?:add|adds) (\S+) (?:times|to)", words)
    eta = Fraction(found[1]) if found else Fraction(1)
    origin = "through the origin" in words
    start = re.search(r"Start at w = \[(.*?)\]", words)
    return tie, eta, origin, [Fraction(part) for part in start[1].split(", ")] if start else None


def _is_mistake(score, y, tie):
    if score == 0:
        return tie is None or tie != y
    return (score > 0) != (y > 0)


def _dot(a, b):
    return sum((x * y for x, y in zip(a, b, strict=True)), Fraction(0))


def _space(X, origin):
    return X if origin else [[Fraction(1), *x] for x in X]


def _presented(exercise, most=None):
    """(score, mistake, w after) of each step, until a clean pass or for so many steps."""
    X, y = _data(_tables(exercise)[0])
    tie, eta, origin, start = _rule(exercise)
    Z, w = _space(X, origin), list(start)
    made, clean, k = [], 0, 0
    while (len(made) < most) if most else (clean < len(Z) or k % len(Z)):
        i = k % len(Z)
        if i == 0:
            clean = 0
        score = _dot(w, Z[i])
        mistake = _is_mistake(score, y[i], tie)
        before = w
        if mistake:
            w = [a + eta * y[i] * b for a, b in zip(w, Z[i], strict=True)]
        clean += not mistake
        made.append((score, mistake, before, w, y[i] * _dot(w, Z[i])))
        k += 1
    return made


def _walked(exercise):
    made = _presented(exercise)
    answers = []
    for score, mistake, _, w, _ in made:
        answers += [score, "yes" if mistake else "no", *w]
    return answers, made


def _and(exercise):
    answers, made = _walked(exercise)
    return [*answers, sum(step[1] for step in made)]


def _by_hand(exercise):
    answers, made = _walked(exercise)
    return [*answers, sum(step[1] for step in made), sum(step[1] and step[4] < 0 for step in made)]


def _pocket(exercise):
    made = _presented(exercise, 12)
    answers, run, best, kept = [], 0, 0, made[0][2]
    for score, mistake, before, w, _ in made:
        if mistake:
            if run > best:
                kept, best = before, run
            run = 0
        else:
            run += 1
        answers += [score, "yes" if mistake else "no", *w, run, best, *kept]
    return [*answers, *(w if run > best else kept)]


def _batch(exercise):
    X, y = _data(_tables(exercise)[0])
    tie, eta, origin, w = _rule(exercise)
    Z, answers = _space(X, origin), []
    while True:
        scores = [_dot(w, z) for z in Z]
        M = [i for i in range(len(Z)) if _is_mistake(scores[i], y[i], tie)]
        loss = sum((-y[i] * scores[i] for i in M), Fraction(0))
        for i in M:
            w = [a + eta * y[i] * b for a, b in zip(w, Z[i], strict=True)]
        answers += [", ".join(str(i + 1) for i in M) or "none", loss, *w]
        if not M:
            return answers


def _dual(exercise):
    X, y = _data(_tables(exercise)[0])
    tie, eta, _, _ = _rule(exercise)
    has_offset = "b after" in _tables(exercise)[2].headings
    gram = [[_dot(a, b) for b in X] for a in X]
    answers = [value for row in gram for value in row]
    alpha, b, clean = [Fraction(0)] * len(X), Fraction(0), False
    while not clean:
        clean = True
        for i in range(len(X)):
            score = sum((alpha[j] * y[j] * gram[j][i] for j in range(len(X))), b)
            if _is_mistake(score, y[i], tie):
                alpha[i] += eta
                b += eta * y[i] if has_offset else 0
                clean = False
            answers += [score, *alpha, *([b] if has_offset else [])]
    w = [sum((alpha[i] * y[i] * X[i][j] for i in range(len(X))), Fraction(0)) for j in range(len(X[0]))]
    return [*answers, *w]


def _bound(exercise):
    X, y = _data(_tables(exercise)[0])
    words = _words(exercise)
    tie, _, _, _ = _rule(exercise)
    w = [Fraction(part) for part in re.search(r"The weights w = \[(.*?)\]", words)[1].split(", ")]
    Z = _space(X, origin="begins with the constant 1" not in words)
    squares, margins = [_dot(z, z) for z in Z], [label * _dot(w, z) for z, label in zip(Z, y, strict=True)]
    v, mistakes, clean = [Fraction(0)] * len(w), 0, False
    while not clean:
        clean = True
        for z, label in zip(Z, y, strict=True):
            if _is_mistake(_dot(v, z), label, tie):
                v = [a + label * b for a, b in zip(v, z, strict=True)]
                mistakes, clean = mistakes + 1, False
    pairs = [value for pair in zip(squares, margins, strict=True) for value in pair]
    bound = int(max(squares) * _dot(w, w) / min(margins) ** 2)
    return [*pairs, max(squares), _dot(w, w), min(margins), bound, mistakes]


def _separable(exercise):
    answers = []
    blocks = list(exercise.blocks)
    origin = "through the origin" in _words(exercise)
    for k, block in enumerate(blocks):
        if isinstance(block, Table):
            X, y = _data(block)
            Z = _space(X, origin)
            check = "".join(map(_flat, blocks[k + 2].pieces)) if k + 2 < len(blocks) else ""
            found = re.search(r"Check: under w = \[(.*?)\]", check)
            if found:
                w = [Fraction(part) for part in found[1].split(", ")]
                margins = [label * _dot(w, z) for z, label in zip(Z, y, strict=True)]
                assert min(margins) > 0  # the separator proves it
                answers += ["yes", *margins]
            else:
                assert not _some_line(Z, y)
                answers.append("no")
    return answers


def _some_line(Z, y):
    """Whether small whole weights separate: enough for coordinates of at most 2."""
    values = [[label * int(v) for v in z] for z, label in zip(Z, y, strict=True)]
    candidates = product(range(-9, 10), repeat=len(values[0]))
    return any(all(sum(a * b for a, b in zip(w, z, strict=True)) > 0 for z in values) for w in candidates)


def _witness(exercise):
    _, table = _tables(exercise)
    Z = [[int(value) for value in row[1]] for row in table.rows]
    for multipliers in product(range(1, 10), repeat=len(Z)):
        total = [sum(m * z[j] for m, z in zip(multipliers, Z, strict=True)) for j in range(len(Z[0]))]
        if not any(total) and gcd(*multipliers) == 1:
            return multipliers
    raise AssertionError("no multipliers")


def _boolean(exercise):
    words = _words(exercise)
    w = [int(part) for part in re.search(r"w = \[(.*?)\]", words)[1].split(", ")]
    at_zero = int(re.search(r"zero gives (\d)", words)[1])

    def outputs(offset):
        scores = [offset + sum(a * b for a, b in zip(w[1:], x, strict=True)) for x in product((0, 1), repeat=3)]
        return scores, [1 if s > 0 else 0 if s < 0 else at_zero for s in scores]

    scores, truth = outputs(w[0])
    same = [offset for offset in range(-20, 21) if outputs(offset)[1] == truth]
    return [*(value for pair in zip(scores, truth, strict=True) for value in pair), min(same), max(same)]


def _one_vs_all(exercise):
    classes, points = _tables(exercise)
    W = [[Fraction(value) for value in row[1]] for row in classes.rows]
    ones = "begins with the constant 1" in _words(exercise)
    answers, several = [], 0
    for row in points.rows:
        x = [Fraction(value) for value in row[0]]
        scores = [_dot(w, [Fraction(1), *x] if ones else x) for w in W]
        assert all(a != b for a, b in combinations(sorted(scores)[1:], 2))
        answers += [*scores, "ABC"[scores.index(max(scores))]]
        several += sum(score > 0 for score in scores) > 1
    return [*answers, several]


_SOLVERS = {
    "and": _and, "by-hand": _by_hand, "pocket": _pocket, "batch": _batch, "dual": _dual, "bound": _bound,
    "separable": _separable, "witness": _witness, "boolean": _boolean, "one-vs-all": _one_vs_all,
}  # fmt: skip
