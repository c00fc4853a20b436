"""Grades a submission: the first wrong step, its likely cause, and a sentence for the student."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial
from typing import Any

from numpy.typing import ArrayLike

from rosenblatt.conventions.step import Step
from rosenblatt.teaching.grading.faults.diagnose import Answer, Cause, diagnose
from rosenblatt.teaching.grading.free_order import grade_free_order
from rosenblatt.teaching.grading.grade_result import Grade
from rosenblatt.teaching.grading.oracle import RightPath, right_path
from rosenblatt.teaching.grading.sentences import at_step, vector
from rosenblatt.teaching.grading.submissions.calling import call
from rosenblatt.teaching.grading.submissions.submission import NotAPath, Path, common_length
from rosenblatt.teaching.grading.tables import grade_table
from rosenblatt.teaching.grading.task import Array, Task


def grade(submission: Any, X: ArrayLike, y: ArrayLike, *, dialect: Mapping[str, Any], seconds: float = 10.0) -> Grade:
    """Compares a submission with the textbook's run, and names the first wrong step and its likely cause.

    Parameters
    ----------
    submission : function, list or str
        A function `fit(X, y)` that returns the weights [w₀, w₁, …] after each update; or such a list; or a table in
        Markdown or CSV, filled in, with the columns of `trace.step_table`. A list may begin with the start, may have
        one vector for each example presented, and may have pairs of weights and offset. Under
        `dialect["algorithm"] == "pocket"` the vectors are those in the pocket.
    X, y : arrays
        The examples, and their labels: +1 and −1, or 1 and 0.
    dialect : mapping
        A convention, or any mapping of its keys; `start`, `random_state` and `algorithm` ("perceptron" or "pocket")
        are allowed, too.
    seconds : float, default=10.0
        How long a function may run.

    Returns
    -------
    Grade
        `.correct`, `.step`, `.cause`, `.message`. Where the examples never separate, a right path may end after any
        whole epoch, unless the dialect gives `max_iter`. Where the order is random, any order is right.

    Examples
    --------
    >>> from rosenblatt import conventions
    >>> from rosenblatt.teaching import grade
    >>> X, y = [[5, 7], [2, 6]], [1, -1]
    >>> def fit(X, y):
    ...     w, path = [-5, 0, 1], []
    ...     for x, label in zip([[1, *row] for row in X], y):
    ...         if label != (1 if sum(a * b for a, b in zip(w, x)) > 0 else -1):
    ...             w = [a + label * b for a, b in zip(w, x)]
    ...             path.append(w)
    ...     return path
    >>> result = grade(fit, X, y, dialect={**conventions.L4, "start": [-5, 0, 1]})
    >>> result.correct, result.step, result.cause
    (False, 2, 'too few epochs')
    >>> print(result.message)  # doctest: +NORMALIZE_WHITESPACE
    After update 1 there should be one more. Example 1 is x = [1, 5, 7] with y = +1; under w = [-6, -2, -5] its score
    is -51, so it is a mistake, and w becomes [-5, 3, 2]. The steps so far are right, but there are too few epochs: go
    on until a whole epoch has made no mistake.
    """
    task = Task.of(X, y, dialect)
    try:
        if isinstance(submission, str):
            return grade_table(task, submission)
        if callable(submission):
            found, note = call(submission, X, y, seconds)
            answer: Answer | None = partial(_answer, submission, min(seconds, 2.0))
        else:
            found, note, answer = submission, None, None
        result = grade_path(task, found, answer)
    except NotAPath as error:
        return Grade(False, None, "other", str(error))
    if note is None:
        return result
    return replace(result, message=f"{result.message} {note}")


def _answer(fit: Callable[..., Any], seconds: float, task: Task) -> list[Array] | None:
    try:
        found, _ = call(fit, task.features, task.y, seconds)
        return Path.of(found, task.X.shape[1], task.start).vectors
    except NotAPath:
        return None


def grade_path(task: Task, found: Any, answer: Answer | None = None) -> Grade:
    """Grades a list of weight vectors; `answer` returns the same function's vectors on other tasks."""
    path = Path.of(found, task.X.shape[1], task.start)
    if task.order != "cyclic":
        return grade_free_order(task, path)
    right = right_path(task, max(len(path.vectors), 50 if task.pocket else 1))
    if task.start_is_open and path.handed_in and not _is_right(path, right):
        own = path.handed_in[0]
        again = Path.of(found, task.X.shape[1], own)
        theirs = right_path(task, len(again.vectors), own)
        if common_length(again.vectors, theirs.vectors) > common_length(path.vectors, right.vectors):
            task, path, right = replace(task, start=own), again, theirs
    if _is_right(path, right):
        return Grade(True)
    if path.is_shared and len(right) > 1:
        return Grade(False, 1, "shared reference", _shared(path, right))
    wrong_at = common_length(path.vectors, right.vectors)
    if not path.vectors and _adds_nothing(task, len(path.handed_in)):
        advice = "Your updates change nothing: with the labels 0 and 1, y·x is zero for one of them. Use −1 and +1."
        return Grade(False, 1, "labels", _message(task, path, right, 0, Cause("labels", advice)))
    cause = diagnose(task, path.vectors, right, wrong_at, answer)
    return Grade(False, wrong_at + 1, cause.name, _message(task, path, right, wrong_at, cause))


def _adds_nothing(task: Task, recorded: int) -> bool:
    """Whether so many entries, all equal to the start, come from updates of negative examples with the label 0."""
    n, negatives = len(task.y), int((task.y < 0).sum())
    return recorded > 0 and negatives > 0 and recorded % negatives == 0 and recorded % n != 0


def _is_right(path: Path, right: RightPath) -> bool:
    if right.pockets:
        return any(len(pocket) == len(path.vectors) == common_length(path.vectors, pocket) for pocket in right.pockets)
    return len(path.vectors) in right.ends and common_length(path.vectors, right.vectors) == len(path.vectors)


def _shared(path: Path, right: RightPath) -> str:
    return (
        f"All {len(path.handed_in)} entries are the same vector {vector(path.handed_in[0])}, though the first should "
        f"be {vector(right.vectors[0])}: your list holds one array several times. Append a copy, such as w.copy()."
    )


def _message(task: Task, path: Path, right: RightPath, wrong_at: int, cause: Cause) -> str:
    if wrong_at >= len(right.vectors):
        last = vector(right.vectors[-1] if right.vectors else right.start)
        facts = f"The run ends with w = {last}, and yours goes on with {vector(path.vectors[wrong_at])}."
        return f"{facts} {cause.advice}"
    step: Step | None = right.steps[wrong_at]
    should = right.vectors[wrong_at]
    if task.pocket:
        begins = f"Change {wrong_at + 1} of the pocket should be to {vector(should)}"
        ends = f"; yours is {vector(path.vectors[wrong_at])}." if wrong_at < len(path.vectors) else " and is missing."
        return f"{begins}{ends} {cause.advice}"
    assert step is not None
    if wrong_at >= len(path.vectors):
        missing = f"After update {wrong_at} there should be one more." if wrong_at else "There should be an update."
        return f"{missing} {at_step(task, step)} {cause.advice}"
    got = vector(path.vectors[wrong_at])
    return f"Update {wrong_at + 1} is wrong. {at_step(task, step)[:-1]}; you have {got}. {cause.advice}"
