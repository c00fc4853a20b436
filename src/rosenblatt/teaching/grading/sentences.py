"""Sentences with the numbers of a step."""

from typing import Any

from rosenblatt.conventions.step import Step
from rosenblatt.teaching.grading.task import Task
from rosenblatt.trace.table_formats import number_text


def vector(values: Any) -> str:
    """A vector as on a blackboard."""
    return f"[{', '.join(number_text(float(value)) for value in values)}]"


def at_step(task: Task, step: Step) -> str:
    """The example, its score, whether it is a mistake and why, and the weights after it."""
    score = number_text(step.score)
    zero = {"mistake": "a mistake for either label", "positive": "counted as +1", "negative": "counted as −1"}[task.tie]
    tie = f" (zero is {zero})" if step.score == 0 else ""
    begins = f"Example {step.i + 1} is x = {vector(step.x)} with y = {step.y:+d}"
    then = (
        f"so it is a mistake, and w becomes {vector(step.w_after)}" if step.mistake else "so it is right, and w stays"
    )
    return f"{begins}; under w = {vector(step.w_before)} its score is {score}{tie}, {then}."
