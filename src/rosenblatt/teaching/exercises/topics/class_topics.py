"""Topics on units and classes: the function that a unit computes, and one class against all others."""

from collections.abc import Mapping
from itertools import product
from typing import Any

import numpy as np

from rosenblatt.teaching.exercises.parts import Gap, Piece, Table, sentence, vector
from rosenblatt.teaching.exercises.topics.drawing import Draw
from rosenblatt.teaching.exercises.topics.step_topics import Made


def boolean(draw: Draw, dialect: Mapping[str, Any]) -> Made | None:
    """A unit of three inputs: 2 to 6 of 8 outputs are 1, and 1 to 4 offsets compute the same function."""
    w = np.array([draw.between(-3, 3) for _ in range(3)])
    w0 = draw.between(-4, 4)
    inputs = np.array(list(product((0, 1), repeat=3)))
    at_zero = 1 if dialect["tie"] == "positive" else 0

    def outputs(offset: int) -> list[int]:
        return [1 if s > 0 else 0 if s < 0 else at_zero for s in (inputs @ w + offset).tolist()]

    truth = outputs(w0)
    same = [offset for offset in range(-12, 13) if outputs(offset) == truth]
    if not w.all() or not 2 <= sum(truth) <= 6 or not 1 <= len(same) <= 4:
        return None
    scores = (inputs @ w + w0).tolist()
    rows: tuple[tuple[Piece, ...], ...] = tuple(
        (*map(str, x), Gap(score), Gap(out)) for x, score, out in zip(inputs.tolist(), scores, truth, strict=True)
    )
    blocks = [
        sentence("A unit has the weights w = {w}, with the offset first. Its output is 1 where the score is positive "
                 "and 0 where it is negative; a score of zero gives {out}.", w=vector([w0, *w]), out=str(at_zero)),
        Table(("x1", "x2", "x3", "score", "output"), rows),
        sentence("Now change only the offset. The smallest whole offset with the same outputs is {least}, and the "
                 "largest is {most}.", least=Gap(min(same)), most=Gap(max(same))),
    ]  # fmt: skip
    return {
        "title": "What a unit computes", "blocks": blocks,
        "difficulty": {"ones": sum(truth), "offsets": len(same), "ties": scores.count(0)},
    }  # fmt: skip


def one_vs_all(draw: Draw, dialect: Mapping[str, Any]) -> Made | None:
    """Three units and five points: every class is predicted, no two scores of a point are equal."""
    width = 2 + bool(dialect["fit_intercept"])
    W = np.array([[draw.between(-3, 3) for _ in range(width)] for _ in range(3)])
    X = draw.points(5, 2, 4)
    space = np.column_stack([np.ones(5, dtype=int), X]) if dialect["fit_intercept"] else X
    scores = space @ W.T
    best = np.sort(scores, axis=1)
    classes = scores.argmax(axis=1)
    if (best[:, 2] == best[:, 1]).any() or len(set(classes.tolist())) < 3 or (scores > 0).sum(axis=1).max() < 2:
        return None
    letters = "ABC"
    rows: tuple[tuple[Piece, ...], ...] = tuple(
        (vector(x), *(Gap(float(s)) for s in line), Gap(letters[c], tuple(letters)))
        for x, line, c in zip(X, scores, classes, strict=True)
    )
    ones = "x begins with the constant 1." if dialect["fit_intercept"] else "The planes pass through the origin."
    several = int(((scores > 0).sum(axis=1) > 1).sum())
    blocks = [
        sentence("Three perceptrons were trained, one for each class against all others. {ones}", ones=ones),
        Table(("class", "w"), tuple((letters[c], vector(W[c])) for c in range(3))),
        sentence("Fill in the scores. The predicted class is the one with the largest score."),
        Table(("point", "score of A", "score of B", "score of C", "class"), rows),
        sentence("The number of points for which more than one score is positive is {count}.", count=Gap(several)),
    ]  # fmt: skip
    return {
        "title": "One against all others",
        "blocks": blocks,
        "difficulty": {"points": 5, "several positive": several},
    }
