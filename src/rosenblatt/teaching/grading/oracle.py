"""The correct path: the textbook's run, and where a correct submission may end."""

from collections.abc import Generator
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from rosenblatt import textbook
from rosenblatt.conventions import is_mistake
from rosenblatt.conventions.step import Step
from rosenblatt.teaching.grading.task import Array, Task
from rosenblatt.theory import Separability, separability
from rosenblatt.trace.step_table import pocketed

#: A run without limits counts as endless after this many examples presented; before, `separability` decides.
_MANY_STEPS = 200_000


@dataclass(frozen=True)
class RightPath:
    """The weights after each update (of the pocket: after each change), and the step that each belongs to.

    `ends` are the lengths at which a correct path may end; empty if they are not known yet at this length.
    """

    start: Array
    vectors: list[Array]
    steps: list[Step | None]
    ends: frozenset[int]
    epoch_ends: frozenset[int]
    all_steps: list[Step]
    separates: bool
    pockets: tuple[list[Array], ...] = ()  # if a pocket run may end after any epoch: its path up to each epoch

    def __len__(self) -> int:
        return len(self.vectors)


def right_path(task: Task, at_least: int, start: Array | None = None) -> RightPath:
    """The textbook's path in the order of the examples, with at least `at_least` updates unless it ends before."""
    first = task.start if start is None else start
    steps, separates = _steps(task, at_least, first)
    updates = [step for step in steps if step.mistake]
    if task.pocket:
        return _pocket_path(task, steps, separates, first)
    per_epoch = {step.epoch: 0 for step in steps}
    for step in updates:
        per_epoch[step.epoch] += 1
    cuts = frozenset(np.cumsum(list(per_epoch.values())).tolist())
    ends = frozenset([len(updates)]) if separates or task.limits else cuts
    return RightPath(first, [step.w_after for step in updates], list(updates), ends, cuts, steps, separates)


def _steps(task: Task, at_least: int, start: Array) -> tuple[list[Step], bool]:
    """All steps, and whether the run separates.

    Without limits, an endless run is cut after a whole epoch, once it has more than `at_least` updates.
    """
    steps: list[Step] = []
    updates = 0
    run = _run_on(task, start)
    epochs, presented, most = (task.limits.get(key, np.inf) for key in ("max_iter", "max_steps", "max_updates"))
    while True:
        try:
            step = next(run)
        except StopIteration as stop:
            return steps, bool(stop.value)
        if step.epoch >= epochs or len(steps) >= presented or updates >= most:
            return steps, False
        if steps and step.epoch > steps[-1].epoch and updates > at_least and _is_endless(task, len(steps)):
            return steps, False
        steps.append(step)
        updates += step.mistake


def _run_on(task: Task, start: Array) -> Generator[Step, Any, bool]:
    """The textbook's steps, continued beyond the point where the textbook stops because of a cycle.

    Returns whether the run separates.
    """
    k = epochs = 0
    w = start
    limits = {key: value for key, value in task.limits.items() if key in ("patience", "max_error")}
    while True:
        run = textbook.online(task.features, task.y.tolist(), **task.choices(), start=w, **limits)
        while True:
            try:
                step = next(run)
            except StopIteration as stop:
                ended: Any = stop.value
                break
            yield replace(step, k=k, epoch=epochs + step.epoch)
            k += 1
        if ended.status != "cycled":
            return bool(ended.status == "separated")
        epochs, w = epochs + ended.epochs, ended.w


def _is_endless(task: Task, presented: int) -> bool:
    if {"max_iter", "max_steps", "max_updates"} & set(task.limits):
        return False
    if presented >= _MANY_STEPS:
        return True
    return decided(task).kind == "inseparable"


def decided(task: Task) -> Separability:
    """Whether the examples are separable, with proof."""
    found = separability(task.features, task.y, fit_intercept=task.has_offset)
    assert isinstance(found, Separability)  # not a table, because there are two classes
    return found


def _pocket_path(task: Task, steps: list[Step], separates: bool, start: Array) -> RightPath:
    vectors, at = _pocket_changes(steps, separates, start)
    ends = frozenset([len(vectors)])
    pockets: tuple[list[Array], ...] = ()
    if not separates and not task.limits:
        n = len(task.y)
        pockets = tuple(_pocket_changes(steps[:k], False, start)[0] for k in range(n, len(steps) + 1, n))
    return RightPath(start, vectors, at, ends, frozenset(), steps, separates, pockets)


def _pocket_changes(steps: list[Step], separates: bool, start: Array) -> tuple[list[Array], list[Step | None]]:
    vectors: list[Array] = []
    at: list[Step | None] = []
    kept = start
    for step, pocket in pocketed(steps):
        held = steps[-1].w_after if step is None and separates else pocket.w_pocket
        if held is not None and not np.array_equal(held, kept):
            vectors.append(held)
            at.append(step)
            kept = held
    return vectors, at


def mistakes_under(task: Task, w: Array) -> list[int]:
    """The examples that are misclassified under w."""
    scores = task.X @ w
    return [i for i, score in enumerate(scores) if is_mistake(float(score), int(task.y[i]), task.tie)]
