"""The common loop of all online algorithms: the order of the examples, the limits, the endings."""

from collections.abc import Generator
from typing import Any

import numpy as np

from rosenblatt.conventions import epoch_order
from rosenblatt.conventions.step import Step
from rosenblatt.textbook.drawn import drawn
from rosenblatt.textbook.finished_run import Array, Ended
from rosenblatt.textbook.problem import Limits, Problem


def walk(problem: Problem, w: Array, order: str, seed: int, limits: Limits) -> Generator[Step, Any, Ended]:
    """Presents one example after the other, and returns how the run ended."""
    if order == "misclassified":
        return (yield from drawn(problem, w, seed, limits))
    X, y, present, score_of, wrong, error, updated, proves, state = problem
    max_iter, max_steps, max_updates, max_error, patience = limits
    n = len(present)
    k = updates = unchanged = epoch = 0
    kept, kept_at = state(w), 0  # the state at epochs 0, 1, 2, 4, 8, … (Brent 1980), to detect a cycle
    while True:
        before_epoch = updates
        errors = 0
        presentation = present if order == "cyclic" else [present[j] for j in epoch_order(seed, epoch, n)]
        for shown, i in enumerate(presentation, 1):
            score = score_of(w, i)
            mistake = wrong(score, i)
            errors += error(score, i)
            before = w
            if mistake:
                w = updated(w, i)  # a new array: a step stores the weights before and after
                updates += 1
                unchanged = 0
            else:
                unchanged += 1
            yield Step(k, epoch, i, X[i], y[i], score, mistake, before, w)
            k += 1
            if shown == n:
                break  # the limits are checked below, at the end of the epoch
            if patience is not None and unchanged >= patience:
                return Ended("unchanged", w, epoch + 1)
            if max_updates is not None and updates >= max_updates:
                return Ended("max_updates", w, epoch + 1)
            if max_steps is not None and k >= max_steps:
                return Ended("max_steps", w, epoch + 1)

        epoch += 1
        if updates == before_epoch:
            return Ended("separated", w, epoch)
        if np.array_equal(state(w), kept) and (order == "cyclic" or proves(updates)):
            return Ended("cycled", w, epoch, epoch - kept_at if order == "cyclic" else None)
        if epoch & (epoch - 1) == 0:
            kept, kept_at = state(w), epoch
        if errors <= max_error * n:
            return Ended("error_reached", w, epoch)
        if patience is not None and unchanged >= patience:
            return Ended("unchanged", w, epoch)
        if max_updates is not None and updates >= max_updates:
            return Ended("max_updates", w, epoch)
        if max_steps is not None and k >= max_steps:
            return Ended("max_steps", w, epoch)
        if max_iter is not None and epoch >= max_iter:
            return Ended("max_iter", w, epoch)
