"""Perceptron loops with one fault each: they return the path of a submission with that fault."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, Literal

import numpy as np

from rosenblatt.conventions import TIES, is_mistake
from rosenblatt.teaching.grading.task import Array, Task

CauseName = Literal[
    "tie", "offset not updated", "offset updated twice", "half update", "step size", "sign", "order", "labels",
    "update on right example", "too few epochs", "stop condition", "pocket comparison", "shared reference", "other",
]  # fmt: skip

#: Takes the weights before, the example with its 1, the label, and a test for a mistake; yields the recorded weights.
Update = Callable[[Array, Array, int, Callable[[Array], bool]], Iterator[Array]]
Wrong = Callable[[float, int], bool]
Order = Callable[[int], Sequence[int]]
#: The weights before an example, and the weights recorded for it.
Event = tuple[Array, list[Array]]

MANY_EPOCHS = 300


@dataclass(frozen=True)
class Fault:
    """One fault: its cause, and the sentence that a student reads."""

    cause: CauseName
    advice: str
    path: Callable[[Task], Iterator[Array]]


def _events(
    task: Task, *, wrong: Wrong | None = None, update: Update | None = None, order: Order | None = None,
    labels: Any = None, restart: bool = False, again: bool = False,
) -> Iterator[Event]:  # fmt: skip
    """Yields for every example presented the weights that the loop records: none, or those that `update` yields."""
    is_wrong = wrong or (lambda score, y: is_mistake(score, y, task.tie))
    change = update or _whole_update(task.eta0)
    n = len(task.y)
    w = task.start.copy()
    given = task.y if labels is None else labels
    for epoch in range(MANY_EPOCHS):
        mistakes, has_moved = 0, False
        for i in order(epoch) if order else range(n):
            x, y = task.X[i], given[i]
            while True:
                mistake = is_wrong(float(w @ x), y)
                mistakes += mistake
                before = w
                recorded = list(change(w, x, y, lambda v, x=x, y=y: is_wrong(float(v @ x), y))) if mistake else []  # type: ignore[misc]  # mypy infers no type for a lambda with defaults
                w = recorded[-1] if recorded else w
                has_moved = has_moved or any((new != before).any() for new in recorded)
                yield before, recorded
                if not (mistake and again):
                    break
            if mistakes and restart:
                break
        if not has_moved:  # with a label of 0, updates change nothing
            return


def _vectors(task: Task, events: Iterable[Event]) -> Iterator[Array]:
    """The weights after each update; of the pocket algorithm, the vector in the pocket after each update."""
    if not task.pocket:
        for _, recorded in events:
            yield from recorded
        return
    run = best = 0
    w_pocket = w = task.start
    for before, recorded in events:
        w = recorded[-1] if recorded else before
        if not recorded:
            run += 1
            continue
        if run > best:
            w_pocket, best = before, run
        run = 0
        yield w_pocket
    yield w if run > best else w_pocket


def _whole_update(eta: float, sign: int = 1) -> Update:
    def update(w: Array, x: Array, y: int, _wrong: Any) -> Iterator[Array]:
        yield w + sign * eta * y * x

    return update


def _weighted(task: Task, factors: Callable[[Array], Array]) -> Update:
    """An update with a separate factor for each component."""

    def update(w: Array, x: Array, y: int, _wrong: Any) -> Iterator[Array]:
        yield w + task.eta0 * y * factors(x) * x

    return update


def _in_parts(task: Task, parts: Sequence[Sequence[int]], *, record_all: bool = False, recheck: bool = True) -> Update:
    """An update in parts; with `recheck`, a part is made only if the example is still wrong after earlier parts."""

    def update(w: Array, x: Array, y: int, wrong: Callable[[Array], bool]) -> Iterator[Array]:
        for part in parts:
            if recheck and not wrong(w):
                break
            w = w.copy()
            w[list(part)] += task.eta0 * y * x[list(part)]
            if record_all:
                yield w
        if not record_all:
            yield w

    return update


def _factor(offset: float, rest: float) -> Callable[[Array], Array]:
    return lambda x: np.array([offset, *[rest] * (len(x) - 1)])


def faults_of(task: Task) -> Iterator[Fault]:
    """Every fault that changes the result of this task, likelier ones first."""
    yield from ties(task)
    if task.has_offset:
        yield from _offsets(task)
    yield from _steps_and_signs(task)
    yield from _labels(task)
    yield from _partial_updates(task)
    yield from _orders(task)
    yield from _right_examples(task)


def faulty_loop(cause: CauseName, advice: str, **loop: Any) -> Fault:
    """A fault whose path is that of the usual loop with some parts exchanged."""
    return Fault(cause, advice, lambda task: _vectors(task, _events(task, **loop)))


def ties(task: Task) -> Iterator[Fault]:
    """Loops with another rule for a score of exactly zero."""
    rule = {"mistake": "is a mistake for either label", "positive": "counts as +1", "negative": "counts as −1"}
    for other in TIES:
        if other != task.tie:
            advice = f"A score of exactly zero {rule[task.tie]} here; your steps follow if it {rule[other]}."
            yield faulty_loop("tie", advice, wrong=lambda score, y, other=other: is_mistake(score, y, other))
    never = f"A score of exactly zero {rule[task.tie]} here; in your loop it is never a mistake."
    yield faulty_loop("tie", never, wrong=lambda score, y: y * score < 0)


def _offsets(task: Task) -> Iterator[Fault]:
    none, twice = "The offset w₀ is not updated.", "The offset w₀ is updated twice."
    yield faulty_loop("offset not updated", none, update=_weighted(task, _factor(0, 1)))
    yield faulty_loop("offset updated twice", twice, update=_weighted(task, _factor(2, 1)))
    yield faulty_loop("sign", "The offset w₀ is moved the wrong way.", update=_weighted(task, _factor(-1, 1)))
    yield faulty_loop("sign", "The weights w₁, w₂, … are moved the wrong way.", update=_weighted(task, _factor(1, -1)))
    if task.eta0 != 1:
        for power, words in ((0, "without"), (2, "with the square of")):
            factor = task.eta0 ** (power - 1)
            offset, rest = f"The offset is updated {words} η.", f"The weights w₁, w₂, … are updated {words} η."
            yield faulty_loop("step size", offset, update=_weighted(task, _factor(factor, 1)))
            yield faulty_loop("step size", rest, update=_weighted(task, _factor(1, factor)))


def _steps_and_signs(task: Task) -> Iterator[Fault]:
    eta = task.eta0
    sizes = {
        1 / eta: "the step is divided by η instead of multiplied",
        eta / 2: "the step is half as long",
        2 * eta: "the step is twice as long",
        eta**2: "η is squared",
        1.0: "η is left out",
    }
    for size, words in sizes.items():
        if size != eta:
            yield faulty_loop("step size", f"In your update {words}: η is {eta:g} here.", update=_whole_update(size))
    yield faulty_loop("sign", "The update has the wrong sign: add η·y·x.", update=_whole_update(eta, -1))

    def without_label(w: Array, x: Array, _y: int, _wrong: Any) -> Iterator[Array]:
        yield w + eta * x

    def subtracted(w: Array, x: Array, _y: int, _wrong: Any) -> Iterator[Array]:
        yield w - eta * x

    def by_score(w: Array, x: Array, _y: int, _wrong: Any) -> Iterator[Array]:
        yield w + eta * (1 if float(w @ x) > 0 else -1) * x

    for update, words in ((without_label, "adds x"), (subtracted, "subtracts x")):
        yield faulty_loop("sign", f"Your update {words} whatever the label is: multiply by y.", update=update)
    yield faulty_loop("sign", "Your update uses the predicted label: multiply by the true label y.", update=by_score)

    def normalized(w: Array, x: Array, y: int, _wrong: Any) -> Iterator[Array]:
        yield w + eta * y * x / (np.linalg.norm(x) or 1.0)

    yield faulty_loop("step size", "Your update divides x by its length.", update=normalized)


def _labels(task: Task) -> Iterator[Fault]:
    binary = (task.y + 1) // 2
    advice = "The labels must be +1 and −1; yours are {}."
    yield faulty_loop("labels", "The two labels are exchanged: +1 is the positive class.", labels=-task.y)
    for score_rule in (lambda s, y: y * s <= 0, lambda s, y: y * s < 0, lambda s, y: (1 if s > 0 else -1) != y,
                       lambda s, y: (1 if s >= 0 else -1) != y, lambda s, y: (1 if s > 0 else 0) != y,
                       lambda s, y: (1 if s >= 0 else 0) != y):  # fmt: skip
        yield faulty_loop("labels", advice.format("0 and 1"), labels=binary, wrong=score_rule)
        yield faulty_loop("labels", advice.format("1 and 2"), labels=binary + 1, wrong=score_rule)
    for threshold in (lambda s: s > 0, lambda s: s >= 0):
        for low, truth in ((0, task.y), (-1, binary)):
            yield faulty_loop(
                "labels", f"Your labels are {'±1' if low == 0 else '0 and 1'} and your predictions "
                f"{'0 and 1' if low == 0 else '±1'}: use ±1 for both.",
                labels=truth, wrong=lambda s, y, t=threshold, low=low: (1 if t(s) else low) != y,
                update=_difference(task, threshold, low),
            )  # fmt: skip


def _difference(task: Task, threshold: Callable[[float], bool], low: int) -> Update:
    def update(w: Array, x: Array, y: int, _wrong: Any) -> Iterator[Array]:
        yield w + task.eta0 * (y - (1 if threshold(float(w @ x)) else low)) * x

    return update


def _partial_updates(task: Task) -> Iterator[Fault]:
    width = task.X.shape[1]
    each = [[j] for j in range(width)]
    first, rest = [0], list(range(1, width))
    rechecked = "Your update checks again in the middle if the example is wrong: decide once, then update all of w."
    parts = [each, [*each[1:], each[0]], [first, rest], [rest, first], each[::-1]]
    for part in parts if width > 1 else []:
        yield faulty_loop("half update", rechecked, update=_in_parts(task, part))
    for part in ([first, rest], [rest, first], each, [*each[1:], each[0]]) if width > 1 else []:
        recorded = "You record the weights in the middle of an update: record them once all components are new."
        yield faulty_loop("half update", recorded, update=_in_parts(task, part, record_all=True, recheck=False))
    for j in range(int(task.has_offset), width):
        missing = [k for k in range(width) if k != j]
        name = f"w{j if task.has_offset else j + 1}"
        yield faulty_loop(
            "half update", f"The update leaves {name} as it was.", update=_in_parts(task, [missing], recheck=False)
        )
    if width > 2:
        only = [[0, 1]] if task.has_offset else [[0]]
        yield faulty_loop(
            "half update", "Only the first weight is updated.", update=_in_parts(task, only, recheck=False)
        )
    if task.has_offset:
        for late, words in (([0], "offset"), (rest, "weights")):
            yield Fault(
                "half update", f"You record each update before the {words} is new: record w after the whole update.",
                partial(_lagging, late=late),
            )  # fmt: skip


def _lagging(task: Task, late: Sequence[int]) -> Iterator[Array]:
    before = task.start
    for w in _vectors(task, _events(task)):
        shown = w.copy()
        shown[list(late)] = before[list(late)]
        before = w
        yield shown


def _orders(task: Task) -> Iterator[Fault]:
    n = len(task.y)
    after_all = [*np.flatnonzero(task.y > 0).tolist(), *np.flatnonzero(task.y < 0).tolist()]
    orders: dict[str, Sequence[int]] = {
        "from the last to the first": range(n - 1, -1, -1),
        "with the positive ones first": after_all,
        "with the negative ones first": [*after_all[int((task.y > 0).sum()) :], *after_all[: int((task.y > 0).sum())]],
        "starting with the second one": [*range(1, n), 0],
        "without the last one": range(n - 1),
        "without the first one": range(1, n),
    }
    for words, order in orders.items():
        advice = f"Your loop takes the examples {words}: take them as they are given, all of them, again and again."
        yield faulty_loop("order", advice, order=lambda _epoch, order=order: order)
    begin_anew = "After an update your loop begins anew with the first example: go on with the next one."
    yield faulty_loop("order", begin_anew, restart=True)
    repeated = "Your loop stays with an example until it is right: update once, then go on with the next one."
    yield faulty_loop("order", repeated, again=True)

    def back_and_forth(epoch: int) -> Sequence[int]:
        return range(n) if epoch % 2 == 0 else range(n - 1, -1, -1)

    yield faulty_loop("order", "Every other epoch of yours goes backwards.", order=back_and_forth)


def _right_examples(task: Task) -> Iterator[Fault]:
    rules: dict[str, Wrong] = {
        "Your loop updates on every example, also on those that are right.": lambda _s, _y: True,
        "Your loop updates where the example is right, and not where it is wrong.": (
            lambda s, y: not is_mistake(s, y, task.tie)
        ),
        "Your loop updates where y·score > 0, which is right.": lambda s, y: y * s > 0,
        "Your loop updates where y·score ≥ 0: those with y·score > 0 are right.": lambda s, y: y * s >= 0,
        "Your loop also updates right examples whose y·score is below 1.": lambda s, y: y * s < 1,
        "Your loop also updates right examples whose y·score is at most 1.": lambda s, y: y * s <= 1,
        "Your loop updates on every positive example, also if it is right.": (
            lambda s, y: y > 0 or is_mistake(s, y, task.tie)
        ),
        "Your loop updates on every negative example, also if it is right.": (
            lambda s, y: y < 0 or is_mistake(s, y, task.tie)
        ),
    }
    for advice, wrong in rules.items():
        yield faulty_loop("update on right example", advice, wrong=wrong)
