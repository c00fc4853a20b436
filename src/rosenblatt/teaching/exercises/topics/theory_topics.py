"""Topics on theory: the mistake bound, separability, and the witness of inseparability."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from rosenblatt import textbook
from rosenblatt.teaching.exercises.parts import Gap, Piece, Table, sentence, vector, yes_no
from rosenblatt.teaching.exercises.topics.drawing import Draw
from rosenblatt.teaching.exercises.topics.step_topics import ZERO, Made, choices, data_table
from rosenblatt.textbook.online import augmented
from rosenblatt.theory import separability


def bound(draw: Draw, dialect: Mapping[str, Any]) -> Made | None:
    """Four points and a separator: a bound of 4 to 60, a run of 2 to 8 mistakes."""
    X, y = draw.points(4, 2, 3), draw.labels(4)
    space = augmented(X, dialect["fit_intercept"])
    w = np.array([draw.between(-2, 2) for _ in range(space.shape[1])])
    margins = y * (space @ w)
    squares = (space**2).sum(axis=1)
    if margins.min() < 1:
        return None
    most = int(squares.max() * (w @ w) // margins.min() ** 2)
    run = textbook.run(textbook.online(X, y.tolist(), **choices(dialect), max_steps=60))
    if not 4 <= most <= 60 or run.status != "separated" or not 2 <= run.n_mistakes <= 8:
        return None
    rows = tuple((str(i + 1), Gap(float(squares[i])), Gap(float(margins[i]))) for i in range(4))
    ones = "Every x begins with the constant 1." if dialect["fit_intercept"] else "The line passes through the origin."
    blocks = [
        sentence("How many mistakes can a perceptron make that starts at zero?"),
        data_table(X, y),
        sentence("{ones} The weights w = {w} separate these examples. Fill in the squared length of each x, and y "
                 "times its score under w.", ones=ones, w=vector(w)),
        Table(("example", "squared length of x", "y times score"), rows),
        sentence("The largest squared length is R2 = {r}, the squared length of w is W2 = {w}, and the smallest y "
                 "times score is m = {m}.",
                 r=Gap(float(squares.max())), w=Gap(float(w @ w)), m=Gap(float(margins.min()))),
        sentence("The bound R2 times W2 over m times m, rounded down, is {bound}.", bound=Gap(most)),
        sentence("{zero} Taking the examples in turn, the perceptron makes this number of mistakes: {mistakes}.",
                 zero=ZERO[dialect["tie"]], mistakes=Gap(run.n_mistakes)),
    ]  # fmt: skip
    return {
        "title": "The mistake bound", "blocks": blocks,
        "difficulty": {"bound": most, "mistakes": run.n_mistakes},
    }  # fmt: skip


def separable(draw: Draw, dialect: Mapping[str, Any]) -> Made | None:
    """Three sets of four points, one or two of them separable; those that are come with a separator to check."""
    offset = dialect["fit_intercept"]
    blocks: list[Any] = [
        sentence("Which of these sets can a line separate? Draw them first." if offset else
                 "Which of these sets can a line separate that passes through the origin? Draw them first."),
    ]  # fmt: skip
    kinds = []
    for name in "ABC":
        X, y = draw.points(4, 2, 2), draw.labels(4)
        found: Any = separability(X, y, fit_intercept=offset)
        if found.kind == "weak":
            return None
        kinds.append(found.kind == "separable")
        answer = sentence("It is separable: {answer}.", answer=yes_no(kinds[-1]))
        blocks += [sentence("Set {name}:", name=name), data_table(X, y), answer]
        if kinds[-1]:
            w = np.array([int(v) for v in found.weights])
            scores = y * (augmented(X, offset) @ w)
            if np.abs(w).max() > 9 or scores.max() > 99:
                return None
            blocks.append(sentence("Check: under w = {w} the values of y times the score are {scores}.",
                                   w=vector(w), scores=vector(scores, gap=True)))  # fmt: skip
    if sum(kinds) not in (1, 2):
        return None
    return {"title": "Separable or not", "blocks": blocks, "difficulty": {"separable sets": sum(kinds)}}


def witness(draw: Draw, dialect: Mapping[str, Any]) -> Made | None:
    """Four to six points that no line separates: a witness of 3 or 4 examples with multipliers of at most 9."""
    n = 4 + draw.below(3)
    X, y = draw.points(n, 2, 2), draw.labels(n)
    found: Any = separability(X, y, fit_intercept=dialect["fit_intercept"])
    if found.kind != "inseparable" or found.witness is None:
        return None
    multipliers = [int(value) for value in found.witness.multipliers]
    indices = [int(i) for i in found.witness.indices]
    if not 3 <= len(indices) <= 4 or max(multipliers) > 9 or np.gcd.reduce(multipliers) != 1:
        return None
    space = augmented(X, dialect["fit_intercept"])[indices] * y[indices, None]
    if len(indices) - np.linalg.matrix_rank(space) != 1:
        return None  # the multipliers must be unique
    rows: tuple[tuple[Piece, ...], ...] = tuple(
        (str(i + 1), vector(z), Gap(multiplier)) for i, z, multiplier in zip(indices, space, multipliers, strict=True)
    )
    ones = "the constant 1 and then x" if dialect["fit_intercept"] else "x"
    blocks = [
        sentence("No line separates these examples."),
        data_table(X, y),
        sentence("Prove it: write z for y times the vector of {ones}. Find positive whole multipliers of the vectors "
                 "below, as small as possible, such that the sum of multiplier times z is zero. Then no w has a "
                 "positive score on all of them.", ones=ones),
        Table(("example", "z", "multiplier"), rows),
    ]  # fmt: skip
    difficulty = {"examples": len(indices), "largest multiplier": max(multipliers)}
    return {"title": "A witness that no line separates", "blocks": blocks, "difficulty": difficulty}
