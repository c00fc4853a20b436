"""What all online algorithms share: the order of the examples, the limits, the endings."""

from collections.abc import Callable, Generator, Iterator
from typing import Any, NamedTuple

import numpy as np

from rosenblatt.conventions import epoch_order, sampler
from rosenblatt.conventions.step import Step
from rosenblatt.textbook.step import Array, Ended


class Problem(NamedTuple):
    """What to learn: the examples, when one is wrong, and what then."""

    X: Array  # with the constant 1 in front, if there is an offset
    y: list[int]
    present: list[int]  # the examples that take part
    score: Callable[[Array, int], float]  # of example i under w
    wrong: Callable[[float, int], bool]  # a mistake, given the score
    error: Callable[[float, int], bool]  # an error, as errors are reported
    updated: Callable[[Array, int], Array]  # w after a mistake on example i
    state: Callable[[Array], Array] = lambda w: w  # from which the future follows; has it come back?


class Limits(NamedTuple):
    """When to stop, as the parameters of `Perceptron`."""

    max_iter: int | None = None
    max_steps: int | None = None
    max_updates: int | None = None
    max_error: float = 0.0
    patience: int | None = None


def walk(problem: Problem, w: Array, order: str, seed: int, limits: Limits) -> Generator[Step, Any, Ended]:
    """Presents example after example, and says how it ended."""
    X, y, present, score_of, wrong, error, updated, state = problem
    max_iter, max_steps, max_updates, max_error, patience = limits
    n = len(present)
    k = updates = unchanged = epoch = 0

    def still_wrong(i: int) -> bool:
        return wrong(score_of(w, i), i)  # under w as it is when the example is drawn

    kept, kept_at = state(w), 0  # the state at epochs 0, 1, 2, 4, 8, … (Brent 1980): has it come back?
    while True:
        before_epoch = updates
        errors = 0
        if order == "misclassified":
            # L2's M, as it stands before the epoch.
            scores = {i: score_of(w, i) for i in present}
            M = [i for i in present if wrong(scores[i], i)]
            errors = sum(error(scores[i], i) for i in present)
            if not M:
                return Ended("separated", w, epoch + 1)
            if errors <= max_error * n:
                return Ended("error_reached", w, epoch + 1)
            presentation = _drawn_from(M, still_wrong, n, sampler(seed, epoch))
        elif order == "shuffle":
            presentation = (present[j] for j in epoch_order(seed, epoch, n))
        else:
            presentation = iter(present)

        for shown, i in enumerate(presentation, 1):
            score = score_of(w, i)
            mistake = wrong(score, i)
            if order != "misclassified":
                errors += error(score, i)
            before = w
            if mistake:
                w = updated(w, i)  # a new vector: a step keeps both
                updates += 1
                unchanged = 0
            else:
                unchanged += 1
            yield Step(k, epoch, i, X[i], y[i], score, mistake, before, w)
            k += 1
            if order != "misclassified" and shown == n:
                break  # what holds now holds at the end of an epoch: see below
            if patience is not None and unchanged >= patience:
                return Ended("unchanged", w, epoch + 1)
            if max_updates is not None and updates >= max_updates:
                return Ended("max_updates", w, epoch + 1)
            if max_steps is not None and k >= max_steps:
                return Ended("max_steps", w, epoch + 1)

        epoch += 1
        if updates == before_epoch:
            return Ended("separated", w, epoch)
        if np.array_equal(state(w), kept):
            return Ended("cycled", w, epoch, epoch - kept_at if order == "cyclic" else None)
        if epoch & (epoch - 1) == 0:
            kept, kept_at = state(w), epoch
        if order != "misclassified" and errors <= max_error * n:
            return Ended("error_reached", w, epoch)
        if patience is not None and unchanged >= patience:
            return Ended("unchanged", w, epoch)
        if max_updates is not None and updates >= max_updates:
            return Ended("max_updates", w, epoch)
        if max_steps is not None and k >= max_steps:
            return Ended("max_steps", w, epoch)
        if max_iter is not None and epoch >= max_iter:
            return Ended("max_iter", w, epoch)


def _drawn_from(M: list[int], still_wrong: Callable[[int], bool], n: int, below: Callable[[int], int]) -> Iterator[int]:
    """Draws from M: what is still wrong is updated and stays, what has become right leaves. At most n updates."""
    updates = 0
    while M and updates < n:
        drawn = below(len(M))
        i = M[drawn]
        if still_wrong(i):
            updates += 1
        else:
            M[drawn] = M[-1]
            M.pop()
        yield i
