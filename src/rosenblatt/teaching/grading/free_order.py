"""Grades a path whose order is random: every update must belong to an example that is wrong at that moment."""

from rosenblatt.teaching.grading.faults.faulty_loops import CauseName
from rosenblatt.teaching.grading.grade_result import Grade
from rosenblatt.teaching.grading.oracle import decided, mistakes_under
from rosenblatt.teaching.grading.sentences import vector
from rosenblatt.teaching.grading.submissions.submission import Path, close
from rosenblatt.teaching.grading.task import Array, Task


def grade_free_order(task: Task, path: Path) -> Grade:
    """Grades a path in the order that the submission chose."""
    w = task.start
    vectors = path.vectors
    if task.start_is_open and path.handed_in:
        w, vectors = path.handed_in[0], Path.of(path.handed_in, len(w), path.handed_in[0]).vectors
    if path.is_shared and len(path.handed_in) > 1:
        advice = f"All entries are the same vector {vector(path.handed_in[0])}: append a copy, such as w.copy()."
        return Grade(False, 1, "shared reference", advice)
    for k, after in enumerate(vectors, 1):
        fault = _fault(task, w, after)
        if fault is not None:
            cause, advice = fault
            facts = f"Update {k} goes from {vector(w)} to {vector(after)}."
            return Grade(False, k, cause, f"{facts} {advice}")
        w = after
    left = mistakes_under(task, w)
    if left and not task.limits and decided(task).separable:
        i = left[0]
        facts = f"The steps are right, but under the last w = {vector(w)} example {i + 1} is still a mistake."
        return Grade(False, len(vectors) + 1, "too few epochs", f"{facts} Go on until no example is wrong.")
    return Grade(True)


def _fault(task: Task, w: Array, after: Array) -> tuple[CauseName, str] | None:
    """The cause and message for a wrong update; None for a correct one."""
    wrong = mistakes_under(task, w)
    steps = [task.eta0 * int(task.y[i]) * task.X[i] for i in range(len(task.y))]
    change = after - w
    if any(close(change, steps[i]) for i in wrong):
        return None
    for i, step in enumerate(steps):
        if close(change, step):
            if float(task.X[i] @ w) == 0:
                return "tie", f"It is that of example {i + 1}, whose score is 0 and which is right here."
            return "update on right example", f"It is that of example {i + 1}, which is right."
    for i in wrong:
        advice = _near(task, change, steps[i], i)
        if advice is not None:
            return advice
    return "other", "No example that is a mistake under these weights gives this update."


def _near(task: Task, change: Array, step: Array, i: int) -> tuple[CauseName, str] | None:
    if close(change, -step):
        return "sign", f"It is that of example {i + 1} with the wrong sign."
    size = float(change @ step) / float(step @ step) if step.any() else 0.0
    if size > 0 and close(change, size * step):
        return "step size", f"It is {size:g} times that of example {i + 1}: η is {task.eta0:g}."
    if task.has_offset and close(change[1:], step[1:]):
        if abs(change[0]) < 1e-9:
            return "offset not updated", f"It is that of example {i + 1} without the offset."
        if abs(change[0] - 2 * step[0]) < 1e-9:
            return "offset updated twice", f"It is that of example {i + 1} with the offset updated twice."
    return None
