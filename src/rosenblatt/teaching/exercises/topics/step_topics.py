"""Topics that run a perceptron by hand: a Boolean function, four points, the pocket."""

from collections.abc import Mapping
from itertools import pairwise
from typing import Any

import numpy as np

from rosenblatt import textbook
from rosenblatt.conventions.step import Step
from rosenblatt.teaching.exercises.parts import Block, Gap, Piece, Table, sentence, vector, yes_no
from rosenblatt.teaching.exercises.topics.drawing import Draw
from rosenblatt.trace.step_table import pocketed
from rosenblatt.trace.table_formats import number_text

Made = dict[str, Any]

ZERO = {
    "mistake": "A score of zero is a mistake, whatever the label.",
    "positive": "A score of zero counts as +1.",
    "negative": "A score of zero counts as -1.",
}


def rule_text(dialect: Mapping[str, Any], start: Any) -> Block:
    """Describes the rule of a dialect."""
    eta = number_text(float(dialect["eta0"]))
    space = "x begins with the constant 1" if dialect["fit_intercept"] else "the line passes through the origin"
    return sentence(
        "{zero} Take the examples in turn, again and again. On a mistake add {eta} times y times x to w; {space}. "
        "Start at w = {start}. Stop after a whole pass without a mistake.",
        zero=ZERO[dialect["tie"]], eta=eta, space=space, start=vector(start),
    )  # fmt: skip


def data_table(X: Any, y: Any) -> Table:
    names = tuple(f"x{j + 1}" for j in range(X.shape[1]))
    rows: tuple[tuple[Piece, ...], ...] = tuple(
        (str(i + 1), *map(float, x), f"{label:+d}") for i, (x, label) in enumerate(zip(X, y, strict=True))
    )
    return Table(("example", *names, "y"), rows)


def choices(dialect: Mapping[str, Any]) -> dict[str, Any]:
    """The choices of a dialect that a sheet states, as keywords of the textbook's algorithms."""
    return {key: dialect[key] for key in ("fit_intercept", "eta0", "tie")}


def _walk(X: Any, y: Any, dialect: Mapping[str, Any], start: Any, max_steps: int) -> Any:
    return textbook.run(textbook.online(X, y.tolist(), **choices(dialect), start=start, max_steps=max_steps))


def _steps_table(steps: list[Step]) -> Table:
    rows: list[tuple[Piece, ...]] = []
    for step in steps:
        gaps = (Gap(step.score), yes_no(step.mistake), vector(step.w_after, gap=True))
        rows.append((str(step.k + 1), str(step.i + 1), vector(step.x), f"{step.y:+d}", *gaps))
    return Table(("step", "example", "x", "y", "score", "mistake?", "w after"), tuple(rows))


def _drawn_start(draw: Draw, dialect: Mapping[str, Any], most: int) -> Any:
    """Initial weights for two features: whole numbers of at most `most` in magnitude."""
    return np.array([float(draw.between(-most, most)) for _ in range(2 + bool(dialect["fit_intercept"]))])


def _run_of(X: Any, y: Any, dialect: Mapping[str, Any], start: Any, **more: Any) -> Made:
    return {"X": X.tolist(), "y": y.tolist(), "dialect": {**choices(dialect), "start": start.tolist(), **more}}


def boolean_and(draw: Draw, dialect: Mapping[str, Any]) -> Made | None:
    """Learn a Boolean function of two inputs: 3 to 8 mistakes, 8 to 24 steps, a score of zero among them."""
    inputs = np.array([(a, b) for a in (0, 1) for b in (0, 1)])[draw.order(4)]
    a, b = draw.below(2), draw.below(2)
    is_or = draw.below(2) == 1
    flipped = inputs ^ np.array([a, b])
    truth = flipped.any(axis=1) if is_or else flipped.all(axis=1)
    y = np.where(truth, 1, -1)
    start = _drawn_start(draw, dialect, 1)
    run = _walk(inputs, y, dialect, start, 40)
    ties = sum(step.score == 0 for step in run.steps)
    if run.status != "separated" or not 3 <= run.n_mistakes <= 8 or not 8 <= len(run.steps) <= 24 or not ties:
        return None
    first, second = (f"not x{k}" if negated else f"x{k}" for k, negated in ((1, a), (2, b)))
    learned = "A perceptron learns the function {a} or {b} of two inputs, with +1 for true and -1 for false."
    blocks = [
        sentence(learned if is_or else learned.replace(" or ", " and "), a=first, b=second),
        data_table(inputs, y),
        rule_text(dialect, start),
        sentence("Fill in the table."),
        _steps_table(run.steps),
        sentence("The number of mistakes is {mistakes}.", mistakes=Gap(run.n_mistakes)),
    ]
    return {
        "title": "A perceptron learns a Boolean function", "blocks": blocks,
        "difficulty": {"mistakes": run.n_mistakes, "steps": len(run.steps), "ties": ties},
        "run": _run_of(inputs, y, dialect, start),
    }  # fmt: skip


def by_hand(draw: Draw, dialect: Mapping[str, Any]) -> Made | None:
    """Four points: 3 to 6 mistakes, 8 to 20 steps, and a tie, an undershoot or a mistake on every example."""
    feature = draw.below(3)
    X, y = draw.points(4, 2, 3), draw.labels(4)
    start = _drawn_start(draw, dialect, 2)
    run = _walk(X, y, dialect, start, 24)
    if run.status != "separated" or not 3 <= run.n_mistakes <= 6 or not 8 <= len(run.steps) <= 20:
        return None
    updates = [step for step in run.steps if step.mistake]
    ties = sum(step.score == 0 for step in run.steps)
    undershoots = sum(step.y * step.score_after < 0 for step in updates)
    everywhere = len({step.i for step in updates}) == 4
    if not (ties, undershoots, everywhere)[feature]:
        return None
    blocks = [
        sentence("A perceptron learns to tell four points apart."),
        data_table(X, y),
        rule_text(dialect, start),
        sentence("Fill in the table."),
        _steps_table(run.steps),
        sentence("The number of mistakes is {mistakes}. The number of updates after which the same example still has a "
                 "score of the wrong sign is {undershoots}.",
                 mistakes=Gap(run.n_mistakes), undershoots=Gap(undershoots)),
    ]  # fmt: skip
    return {
        "title": "A perceptron by hand", "blocks": blocks,
        "difficulty": {"mistakes": run.n_mistakes, "steps": len(run.steps), "ties": ties, "undershoots": undershoots},
        "run": _run_of(X, y, dialect, start),
    }  # fmt: skip


def pocket(draw: Draw, dialect: Mapping[str, Any]) -> Made | None:
    """Five points: 12 steps, 4 to 8 mistakes, the pocket changes 2 or 3 times."""
    X, y = draw.points(5, 2, 2), draw.labels(5)
    width = 2 + bool(dialect["fit_intercept"])
    start = _drawn_start(draw, dialect, 1) if dialect["init"] == "random" else np.zeros(width)
    run = _walk(X, y, dialect, start, 12)
    if len(run.steps) != 12 or not 4 <= run.n_mistakes <= 8:
        return None
    kept = list(pocketed(run.steps))
    changes = sum(not np.array_equal(a.w_pocket, b.w_pocket) for (_, a), (_, b) in pairwise(kept))
    if not 2 <= changes <= 3:
        return None
    rows: list[tuple[Piece, ...]] = []
    for step, held in kept[:-1]:
        assert step is not None
        counters = (Gap(held.run), Gap(held.run_pocket), vector(held.w_pocket, gap=True))
        rows.append((str(step.k + 1), str(step.i + 1), Gap(step.score), yes_no(step.mistake),
                     vector(step.w_after, gap=True), *counters))  # fmt: skip
    headings = ("step", "example", "score", "mistake?", "w after", "run", "run in the pocket", "w in the pocket")
    last = kept[-1][1]
    blocks = [
        sentence("The pocket algorithm keeps the weights with the longest run of right examples."),
        data_table(X, y),
        rule_text(dialect, start),
        sentence("Here the algorithm stops after 12 steps. At a mistake, w enters the pocket if run is larger than the "
                 "run in the pocket; then w is updated and run is set to 0. After the last step the two runs are "
                 "compared once more."),
        Table(headings, tuple(rows)),
        sentence("After the last comparison the pocket holds {w}.", w=vector(last.w_pocket, gap=True)),
    ]  # fmt: skip
    return {
        "title": "The pocket algorithm", "blocks": blocks,
        "difficulty": {"mistakes": run.n_mistakes, "steps": 12, "changes of the pocket": changes},
        "run": _run_of(X, y, dialect, start, algorithm="pocket", max_steps=12),
    }  # fmt: skip
