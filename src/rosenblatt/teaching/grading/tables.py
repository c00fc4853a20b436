"""Grades a filled-in table: compares every cell of every row with the textbook's step."""

import numpy as np

from rosenblatt.conventions.step import Step
from rosenblatt.teaching.grading.faults.diagnose import diagnose
from rosenblatt.teaching.grading.faults.faulty_loops import CauseName
from rosenblatt.teaching.grading.grade_result import Grade
from rosenblatt.teaching.grading.oracle import RightPath, right_path
from rosenblatt.teaching.grading.sentences import at_step
from rosenblatt.teaching.grading.submissions.submission import NotAPath, Path, numbers_in, table_rows
from rosenblatt.teaching.grading.task import Array, Task

_YES, _NO = ("yes", "y", "true", "1", "x", "✓", "mistake"), ("no", "n", "false", "0", "-", "–", "", "right")
_NONE = ("none", "-", "–", "0", "no")


def grade_table(task: Task, text: str) -> Grade:
    """Grades a table; the step of the result is its first wrong row."""
    rows = table_rows(text)
    right = right_path(task, sum("after" in row for row in rows))
    steps = right.all_steps
    only_mistakes = _has_only_mistakes(rows, steps)
    expected = [step for step in steps if step.mistake] if only_mistakes else steps
    for number, (row, step) in enumerate(zip(rows, expected, strict=False), 1):
        for column in ("score", "mistake", "before", "update", "after"):
            if column in row and not _is_right(row, column, step, task, number):
                cause, advice = _cause(task, rows, right, column)
                message = f"Row {number}, {column}: {at_step(task, step)} {advice}".rstrip()
                return Grade(False, number, cause, message)
    whole = {len(task.y) * (epoch + 1) for epoch in range(steps[-1].epoch + 1)} if steps else {0}
    may_end = {len(expected)} if right.separates or task.limits or only_mistakes else whole | {len(expected)}
    if len(rows) in may_end:
        return Grade(True)
    if len(rows) > len(expected):
        message = f"The run ends with row {len(expected)}; the table goes on."
        return Grade(False, len(expected) + 1, "stop condition", message)
    missing = expected[len(rows)]
    cause = "too few epochs" if len(rows) % len(task.y) == 0 and not only_mistakes else "stop condition"
    message = f"The rows so far are right, and more follow. {at_step(task, missing)}"
    return Grade(False, len(rows) + 1, cause, message)


def _has_only_mistakes(rows: list[dict[str, str]], steps: list[Step]) -> bool:
    """Whether the table leaves out the steps that change nothing: then its step numbers have gaps."""
    if rows and all("step" in row for row in rows):
        numbers = [int(numbers_in(row["step"], "A step")[0]) for row in rows]
        return numbers != list(range(1, len(rows) + 1))
    return len(rows) == sum(step.mistake for step in steps) < len(steps)


def _is_right(row: dict[str, str], column: str, step: Step, task: Task, number: int) -> bool:
    cell = row[column]
    what = f"Row {number}, {column},"
    if column == "mistake":
        answer = cell.lower()
        if answer not in _YES + _NO:
            raise NotAPath(f"{what} is {cell!r}: write yes or no.")
        return (answer in _YES) == step.mistake
    if column == "score":
        return _close(numbers_in(cell, what), [step.score])
    if column == "update" and not step.mistake:
        return cell.lower() in _NONE or not any(numbers_in(cell, what))
    if column == "update" and cell.lower() in _NONE:
        return False
    wanted = {"before": step.w_before, "after": step.w_after, "update": step.w_after - step.w_before}[column]
    return _close(_weights(row, column, wanted, task, what), wanted.tolist())


_OFFSETS = {"after": "b", "before": "b before", "update": "update of b"}


def _weights(row: dict[str, str], column: str, wanted: Array, task: Task, what: str) -> list[float]:
    numbers = numbers_in(row[column], what)
    apart = _OFFSETS[column]
    if task.has_offset and apart in row and len(numbers) == len(wanted) - 1:
        numbers = [*numbers_in(row[apart], what), *numbers]
    if len(numbers) != len(wanted):
        raise NotAPath(f"{what} has {len(numbers)} numbers and should have {len(wanted)}: [w₀, w₁, …].")
    return numbers


def _close(found: list[float], wanted: list[float]) -> bool:
    return len(found) == len(wanted) and bool(np.allclose(found, wanted, rtol=1e-5, atol=1e-9))


def _cause(task: Task, rows: list[dict[str, str]], right: RightPath, column: str) -> tuple[CauseName, str]:
    """The cause of a wrong cell: a wrong "w after" is diagnosed; a wrong score or verdict is a tie or a slip."""
    if all("after" in row for row in rows):
        vectors = [_weights(row, "after", right.start, task, f"Row {k}, w after,") for k, row in enumerate(rows, 1)]
        path = Path.of(vectors, task.X.shape[1], right.start)
        # A table may have rounded numbers.
        common = next((k for k, (a, b) in enumerate(zip(path.vectors, right.vectors, strict=False))
                       if not np.allclose(a, b)), min(len(path.vectors), len(right.vectors)))  # fmt: skip
        if common < len(path.vectors):
            cause = diagnose(task, path.vectors, right, common, None)
            return cause.name, cause.advice
    if column == "mistake":
        return "tie", "Check what a score of this sign means."
    return "other", f"Check the {column}."
