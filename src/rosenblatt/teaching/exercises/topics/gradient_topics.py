"""Topics from L2: the batch step over all mistakes, and the dual form."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from rosenblatt import textbook
from rosenblatt.teaching.exercises.parts import Gap, Piece, Table, sentence, vector
from rosenblatt.teaching.exercises.topics.drawing import Draw
from rosenblatt.teaching.exercises.topics.step_topics import ZERO, Made, choices, data_table
from rosenblatt.trace.table_formats import number_text


def batch(draw: Draw, dialect: Mapping[str, Any]) -> Made | None:
    """Four points, 3 to 6 batch steps with 4 to 12 mistakes in all; the last step finds none."""
    X, y = draw.points(4, 2, 3), draw.labels(4)
    run = textbook.run(textbook.batch(X, y, **choices(dialect), max_iter=7))  # type: ignore[arg-type]  # BatchStep
    steps: list[Any] = run.steps
    mistakes = sum(len(step.M) for step in steps)
    if run.status != "separated" or not 3 <= run.n_iter <= 6 or not 4 <= mistakes <= 12:
        return None
    rows: list[tuple[Piece, ...]] = []
    for step in steps:
        wrong = ", ".join(str(i + 1) for i in step.M) or "none"
        rows.append((str(step.epoch + 1), Gap(wrong), Gap(step.loss + 0.0), vector(step.w_after, gap=True)))
    start = np.zeros(X.shape[1] + bool(dialect["fit_intercept"]))
    offset = "x begins with the constant 1." if dialect["fit_intercept"] else "The line passes through the origin."
    blocks = [
        sentence("The batch perceptron adds up the updates of all misclassified examples M, and makes them at once. "
                 "Its loss is the sum of -y times the score over M."),
        data_table(X, y),
        sentence("{zero} Each step adds {eta} times the sum of y times x over M. {offset} Start at w = {start}. Stop "
                 "when M is empty.", zero=ZERO[dialect["tie"]], eta=number_text(float(dialect["eta0"])), offset=offset,
                 start=vector(start)),
        sentence("Write M as the numbers of its examples, such as 1, 3; or none."),
        Table(("step", "M", "loss before", "w after"), tuple(rows)),
    ]  # fmt: skip
    return {
        "title": "The batch perceptron", "blocks": blocks,
        "difficulty": {"steps": run.n_iter, "mistakes": mistakes},
    }  # fmt: skip


def dual(draw: Draw, dialect: Mapping[str, Any]) -> Made | None:
    """Three points with their Gram matrix: 3 to 6 mistakes, 6 to 15 steps, and the weights at the end."""
    X, y = draw.points(3, 2, 3), draw.labels(3)
    run = textbook.run(textbook.dual(X, y, **choices(dialect), max_steps=16))  # type: ignore[arg-type]  # DualStep
    if run.status != "separated" or not 3 <= run.n_mistakes <= 6 or not 6 <= len(run.steps) <= 15:
        return None
    steps: list[Any] = run.steps
    gram = X @ X.T
    rows: list[tuple[Piece, ...]] = []
    for step in steps:
        row: tuple[Piece, ...] = (str(step.k + 1), str(step.i + 1), Gap(step.score), vector(step.alpha_after, gap=True))
        rows.append((*row, Gap(step.b_after)) if dialect["fit_intercept"] else row)
    b = ("b after",) if dialect["fit_intercept"] else ()
    names = tuple(f"example {i + 1}" for i in range(3))
    products: tuple[tuple[Piece, ...], ...] = tuple(
        (name, *(Gap(float(v)) for v in line)) for name, line in zip(names, gram, strict=True)
    )
    w = (run.ended.alpha * y) @ X
    eta = number_text(float(dialect["eta0"]))
    turn = "{zero} Take the examples in turn. The score is the sum of alpha times y times the inner product. "
    turn += "On a mistake add {eta} to the alpha of the example. All start at 0. Stop after a pass without a mistake."
    if b:
        turn = turn.replace("product. ", "product, plus b. ").replace("example. ", "example and {eta} times y to b. ")
    blocks = [
        sentence("The dual perceptron keeps a number alpha for each example instead of weights."),
        data_table(X, y),
        sentence("First fill in the Gram matrix of the inner products."),
        Table(("", *names), products),
        sentence(turn, zero=ZERO[dialect["tie"]], eta=eta),
        Table(("step", "example", "score", "alpha after", *b), tuple(rows)),
        sentence("The weights at the end, the sum of alpha times y times x, are {w}.", w=vector(w, gap=True)),
    ]  # fmt: skip
    return {
        "title": "The dual perceptron", "blocks": blocks,
        "difficulty": {"mistakes": run.n_mistakes, "steps": len(run.steps)},
    }  # fmt: skip
