"""Finds the likely cause of a wrong path: the fault whose loop returns the same path."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice

import numpy as np

from rosenblatt.conventions import sampler
from rosenblatt.teaching.grading.faults.faulty_loops import CauseName, Fault, faults_of
from rosenblatt.teaching.grading.faults.faulty_pockets import pocket_faults
from rosenblatt.teaching.grading.faults.faulty_rules import other_rules, wrong_starts
from rosenblatt.teaching.grading.oracle import RightPath, mistakes_under, right_path
from rosenblatt.teaching.grading.submissions.submission import close, common_length
from rosenblatt.teaching.grading.task import Array, Task

#: A submitted function's vectors on another task; None if it fails.
Answer = Callable[[Task], list[Array] | None]


@dataclass(frozen=True)
class Cause:
    """One of the causes that `grade` names, and what to tell the student."""

    name: CauseName
    advice: str


@dataclass(frozen=True)
class _Match:
    """How far the path of a faulty loop agrees with a submission."""

    fault: Fault
    place: int  # index in the list of faults, which is the same for all tasks of a dialect
    length: int
    is_whole: bool
    ends_there: bool


def diagnose(task: Task, vectors: list[Array], right: RightPath, wrong_at: int, answer: Answer | None) -> Cause:
    """Names the cause. `wrong_at` is the first vector that is wrong or missing, from 0."""
    if wrong_at == len(right) and task.limits and common_length(vectors, _endless(task, vectors)) == len(vectors):
        return Cause("stop condition", "The steps are right, but your loop goes on after the end.")
    matches = [_match(task, fault, vectors, k) for k, fault in enumerate(_faults(task, right))]
    is_cut = wrong_at == len(vectors)
    if is_cut:
        explaining = [match for match in matches if match.is_whole and match.ends_there]
        if vectors and wrong_at in right.epoch_ends and answer is None:
            explaining = []
    else:
        explaining = [match for match in matches if match.is_whole and match.length > wrong_at]
    probed = _probed(task, answer) if answer is not None else []
    if probed:
        agreeing = [sum(_agrees(probe, match.place, got, is_cut) for probe, got in probed) for match in explaining]
        if is_cut and max(agreeing, default=0) < len(probed):
            explaining = []
        elif explaining:
            explaining = [explaining[int(np.argmax(agreeing))]]
    if explaining:
        return Cause(explaining[0].fault.cause, explaining[0].fault.advice)
    if is_cut:
        return _cut(task, right, wrong_at, probed)
    scaled = _scaled(task, vectors, right)
    if scaled is not None:
        return scaled
    if _is_another_order(task, vectors, right, wrong_at):
        return _local(task, vectors, right, wrong_at)
    partly = [match for match in matches if match.length > wrong_at]
    if partly:
        best = max(partly, key=lambda match: match.length)  # of equal matches the first, which is the likeliest
        if best.length > wrong_at + 1 or len(vectors) == wrong_at + 1:
            return Cause(best.fault.cause, best.fault.advice)
    return _local(task, vectors, right, wrong_at)


def _is_another_order(task: Task, vectors: list[Array], right: RightPath, wrong_at: int) -> bool:
    """Whether every update from the first wrong one on is that of an example which is a mistake at that moment."""
    before = vectors[wrong_at - 1] if wrong_at else right.start
    for after in vectors[wrong_at:]:
        steps = (task.eta0 * task.y[i] * task.X[i] for i in mistakes_under(task, before))
        if not any(close(after - before, step) for step in steps):
            return False
        before = after
    return True


def _endless(task: Task, vectors: list[Array]) -> list[Array]:
    """The right path without its limits."""
    return right_path(replace(task, limits={}), len(vectors), task.start).vectors


def _faults(task: Task, right: RightPath) -> list[Fault]:
    if task.pocket:
        return [*pocket_faults(task, right.all_steps, right.separates), *faults_of(task), *wrong_starts(task)]
    return [*faults_of(task), *other_rules(task), *wrong_starts(task)]


def _compressed(vectors: Iterator[Array], start: Array, most: int) -> list[Array]:
    """The first vectors that differ from the one before."""

    def changes() -> Iterator[Array]:
        previous = start
        for w in vectors:
            if not close(w, previous):
                yield w
            previous = w

    with np.errstate(all="ignore"):
        return list(islice(changes(), most))


def _match(task: Task, fault: Fault, vectors: Sequence[Array], place: int) -> _Match:
    path = _compressed(fault.path(task), task.start, len(vectors) + 1)
    length = common_length(vectors, path)
    return _Match(fault, place, length, length == len(vectors), len(path) == len(vectors))


def _agrees(probe: Task, place: int, vectors: list[Array], ends_there: bool) -> bool:
    match = _match(probe, _faults(probe, right_path(probe, len(vectors)))[place], vectors, place)
    return match.is_whole and (match.ends_there or not ends_there)


def _probed(task: Task, answer: Answer) -> list[tuple[Task, list[Array]]]:
    """The answers of a submitted function to a few small tasks of the same width."""
    found = []
    for probe in probes(task):
        got = answer(probe)
        if got is not None:
            found.append((probe, got))
    return found


def probes(task: Task) -> list[Task]:
    """Small tasks that distinguish faults with the same path on one dataset: whole numbers, several epochs."""
    width = task.X.shape[1] - task.has_offset
    made: list[Task] = []
    for seed in range(200):
        below = sampler(seed, 0)
        n = 5 + seed % 3
        X = np.array([[below(7) - 3 for _ in range(width)] for _ in range(n)], dtype=float)
        normal = np.array([below(7) - 3 for _ in range(width)], dtype=float)
        scores = X @ normal + (below(5) - 2 if task.has_offset else 0)
        y = np.where(scores > 0, 1, -1)
        space = np.column_stack([np.ones(n), X]) if task.has_offset else X
        probe = replace(task, X=space, y=y, limits={**task.limits, "max_iter": 40}, start=task.start)
        if len(set(y.tolist())) == 2 and (scores != 0).all():
            right = right_path(probe, 60)
            if right.separates and right.all_steps[-1].epoch >= 3 and len(right) >= (1 if task.pocket else 4):
                made.append(replace(probe, limits=task.limits))
        if len(made) == 3:
            break
    return made


def _cut(task: Task, right: RightPath, length: int, probed: list[tuple[Task, list[Array]]]) -> Cause:
    """The cause of a correct but too short path: a fixed number of epochs, or a wrong condition."""
    until = f", or {task.limits['max_iter']} epochs" if "max_iter" in task.limits else ""
    early = Cause(
        "stop condition",
        "The steps so far are right, but your loop stops too early: it may stop only when a whole pass over all "
        "examples has made no mistake.",
    )
    few = Cause(
        "too few epochs",
        "The steps so far are right, but there are too few epochs: go on until a whole epoch has made no "
        f"mistake{until}.",
    )
    if length not in right.epoch_ends or length == 0 or task.pocket:
        return early
    epochs = set(_epochs(right, length))
    for probe, got in probed:
        theirs = right_path(probe, len(got))
        if common_length(got, theirs.vectors) < len(got):
            continue  # this probe shows another fault
        whole = theirs.all_steps[-1].epoch + 1
        if not epochs & {whole if len(got) == len(theirs) else 0, *_epochs(theirs, len(got))} and whole > max(epochs):
            return early
    return few


def _epochs(path: RightPath, updates: int) -> list[int]:
    """The numbers of epochs after which the path has `updates` updates."""
    counts: dict[int, int] = {}
    total = 0
    for step in path.all_steps:
        total += step.mistake
        counts[step.epoch + 1] = total
    return [epoch for epoch, count in counts.items() if count == updates]


def _scaled(task: Task, vectors: Sequence[Array], right: RightPath) -> Cause | None:
    """The cause of a rescaled path: from zero, another step size only scales the weights."""
    if task.start.any() or not vectors or not right.vectors:
        return None
    length = float(np.linalg.norm(right.vectors[0]))
    factor = float(np.linalg.norm(vectors[0])) / length if length else 0.0
    common = common_length(vectors, [factor * w for w in right.vectors])
    if factor > 0 and abs(factor - 1) > 1e-9 and common >= min(2, len(vectors)):
        return Cause(
            "step size", f"All your weights are {factor:g} times what they should be: η is {task.eta0:g} here."
        )
    return None


def _local(task: Task, vectors: Sequence[Array], right: RightPath, wrong_at: int) -> Cause:
    """The cause as far as the first wrong update alone shows it."""
    before = vectors[wrong_at - 1] if wrong_at else right.start
    change = vectors[wrong_at] - before
    wrong_now = mistakes_under(task, before)
    for i in range(len(task.y)):
        step = task.eta0 * task.y[i] * task.X[i]
        if close(change, step):
            if i not in wrong_now:
                return Cause("update on right example", f"Your update is that of example {i + 1}, which is right.")
            return Cause("order", f"Your update is that of example {i + 1}, which is not the next one that is wrong.")
    if wrong_at >= len(right.vectors):
        return Cause("stop condition", "Your loop goes on after the end.")
    expected = right.vectors[wrong_at]
    wanted = expected - (right.vectors[wrong_at - 1] if wrong_at else right.start)
    if close(change, -wanted):
        return Cause("sign", "The update has the wrong sign.")
    different = np.flatnonzero(np.abs(vectors[wrong_at] - expected) > 1e-9)
    if task.has_offset and different.tolist() == [0]:
        if abs(change[0]) < 1e-9:
            return Cause("offset not updated", "The offset w₀ is not updated.")
        if abs(change[0] - 2 * wanted[0]) < 1e-9:
            return Cause("offset updated twice", "The offset w₀ is updated twice.")
    size = _multiple(change, wanted)
    if size is not None and size > 0:
        return Cause("step size", f"Your step is {size:g} times as long as it should be.")
    names = ", ".join(f"w{j if task.has_offset else j + 1}" for j in different)
    return Cause("other", f"Check the sum for {names}.")


def _multiple(change: Array, wanted: Array) -> float | None:
    size = float(change @ wanted) / float(wanted @ wanted) if wanted.any() else 0.0
    return size if close(change, size * wanted) else None
