"""Perceptron loops that follow another rule, use another score, or record their weights at another moment."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

import numpy as np

from rosenblatt.conventions import is_mistake
from rosenblatt.teaching.grading.faults.faulty_loops import MANY_EPOCHS, CauseName, Fault, faulty_loop, ties
from rosenblatt.teaching.grading.sentences import vector
from rosenblatt.teaching.grading.task import Array, Task


def other_rules(task: Task) -> Iterator[Fault]:
    """Loops that are no perceptron of this dialect in more than one line."""
    yield from _differences(task)
    yield from _adaline(task)
    if task.has_offset:
        yield from _scores(task)
    yield from _step_sizes(task)
    yield from _moments(task)


def wrong_starts(task: Task) -> Iterator[Fault]:
    """Loops that start from zeros or ones instead of the start of the task, also with another rule for ties."""
    for value in (0.0, 1.0):
        start = np.full_like(task.start, value)
        if not np.array_equal(start, task.start):
            advice = f"Your loop starts at w = {vector(start)}: start at {vector(task.start)}."
            yield _started(faulty_loop("other", advice), start)
            for fault in ties(task):
                yield _started(replace(fault, cause="other", advice=f"{advice} {fault.advice}"), start)


def _started(fault: Fault, start: Array) -> Fault:
    return replace(fault, path=lambda task: fault.path(replace(task, start=start)))


def _differences(task: Task) -> Iterator[Fault]:
    """η(y − sign(score)) with NumPy's sign, which is 0 at a tie: there the step is half as long."""
    zero = "the sign of a score of exactly zero is 0 in your loop, so that the update is half as long"
    twice = "y minus the prediction is ±2, so that the step is twice as long"
    variants: tuple[tuple[float, CauseName, str], ...] = (
        (task.eta0 / 2, "tie", zero),
        (task.eta0, "step size", twice),
    )
    for eta, cause, words in variants:

        def update(w: Array, x: Array, y: int, _wrong: Any, eta: float = eta) -> Iterator[Array]:
            yield w + eta * (y - np.sign(float(w @ x))) * x

        yield faulty_loop(cause, f"In your update {words}.", update=update, wrong=lambda s, y: np.sign(s) != y)


def _adaline(task: Task) -> Iterator[Fault]:
    def update(w: Array, x: Array, y: int, _wrong: Any) -> Iterator[Array]:
        yield w + task.eta0 * (y - float(w @ x)) * x

    always = "Your loop is Adaline, which moves by y − score on every example: a perceptron adds η·y·x at mistakes."
    yield faulty_loop("update on right example", always, update=update, wrong=lambda _s, _y: True)
    instead = "Your update is Adaline's, y − score times x: a perceptron adds η·y·x whatever the size of the score."
    yield faulty_loop("step size", instead, update=update)


def _scores(task: Task) -> Iterator[Fault]:
    """Loops whose score is another one than that of the weights they record."""

    def with_score(score: Callable[[Array, Array], float]) -> Callable[[Task], Iterator[Array]]:
        def path(task: Task) -> Iterator[Array]:
            w = task.start.copy()
            for _ in range(MANY_EPOCHS):
                moved = False
                for x, y in zip(task.X, task.y, strict=True):
                    if is_mistake(score(w, x), int(y), task.tie):
                        w = w + task.eta0 * y * x
                        moved = True
                        yield w
                if not moved:
                    return

        return path

    without = "Your score leaves out the offset w₀: it is w₀ + w₁x₁ + w₂x₂ and so on."
    yield Fault("other", without, with_score(lambda w, x: float(w[1:] @ x[1:])))
    minus = "Your score subtracts the offset w₀ and your update adds to it: one of the two has the wrong sign."
    yield Fault("sign", minus, with_score(lambda w, x: float(w[1:] @ x[1:] - w[0])))
    twice = "Your score has the offset twice, as w₀ and as b: it is updated twice, and you show one of the two."
    yield Fault("offset updated twice", twice, with_score(lambda w, x: float(w @ x + w[0])))
    half = "Your loop compares the score with 1/2 instead of 0."
    yield faulty_loop("other", half, wrong=lambda s, y: (1 if s > 0.5 else -1) != y)
    yield faulty_loop("other", half, wrong=lambda s, y: (1 if s >= 0.5 else -1) != y)
    yield Fault(
        "update on right example", "Your loop also moves the offset w₀ where the example is right.", _offset_always
    )


def _offset_always(task: Task) -> Iterator[Array]:
    w = task.start.copy()
    for _ in range(MANY_EPOCHS):
        for x, y in zip(task.X, task.y, strict=True):
            mistake = is_mistake(float(w @ x), int(y), task.tie)
            change = x if mistake else np.eye(len(x))[0]
            w = w + task.eta0 * y * change
            if mistake:
                yield w


def _step_sizes(task: Task) -> Iterator[Fault]:
    """η that changes during the run, and weights that are divided by their length."""

    def scaled(size: Callable[[int, int], float], normalised: bool = False) -> Callable[[Task], Iterator[Array]]:
        def path(task: Task) -> Iterator[Array]:
            w, updates = task.start.copy(), 0
            for epoch in range(MANY_EPOCHS):
                before = updates
                for x, y in zip(task.X, task.y, strict=True):
                    if is_mistake(float(w @ x), int(y), task.tie):
                        updates += 1
                        w = w + task.eta0 * size(epoch, updates) * y * x
                        w = w / (np.linalg.norm(w) or 1.0) if normalised else w
                        yield w
                if updates == before:
                    return

        return path

    smaller = "Your η becomes smaller during the run: it is {} here, in every update."
    for size in (lambda epoch, _k: 1 / (epoch + 1), lambda _epoch, k: 1 / k, lambda epoch, _k: 1 / np.sqrt(epoch + 1)):
        yield Fault("step size", smaller.format(f"{task.eta0:g}"), scaled(size))
    normal = "Your loop divides w by its length after an update: keep w as it is."
    yield Fault("other", normal, scaled(lambda _epoch, _k: 1.0, normalised=True))


def _moments(task: Task) -> Iterator[Fault]:
    """Scores that are computed, or weights that are recorded, at another moment."""
    early = "You record the weights before each update: record them after it, the last ones too."
    yield Fault("half update", early, _before_updates)
    stale = "Your loop scores all examples before an epoch: score each example with the weights of that moment."
    yield Fault("other", stale, lambda task: _whole_passes(task, at_once=False))
    at_once = "Your loop makes all updates of a pass at once (the batch perceptron): update after each mistake."
    yield Fault("other", at_once, lambda task: _whole_passes(task, at_once=True))
    averaged = "You return the average of the weights (the averaged perceptron): return the weights themselves."
    yield Fault("other", averaged, _averages)


def _right_updates(task: Task) -> Iterator[Array]:
    return faulty_loop("other", "").path(task)


def _before_updates(task: Task) -> Iterator[Array]:
    before = task.start
    for w in _right_updates(task):
        yield before
        before = w


def _whole_passes(task: Task, at_once: bool) -> Iterator[Array]:
    w = task.start.copy()
    for _ in range(MANY_EPOCHS):
        chosen = [i for i, s in enumerate(task.X @ w) if is_mistake(float(s), int(task.y[i]), task.tie)]
        for i in chosen:
            w = w + task.eta0 * task.y[i] * task.X[i]
            if not at_once:
                yield w
        if not chosen:
            return
        if at_once:
            yield w


def _averages(task: Task) -> Iterator[Array]:
    total, count = np.zeros_like(task.start), 0
    for w in _right_updates(task):
        total, count = total + w, count + 1
        yield total / count
