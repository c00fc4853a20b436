"""L2, 'updating one point at a time': "for every step, we sample (xᵢ, yᵢ) from M"."""

from collections.abc import Generator
from typing import Any

import numpy as np

from rosenblatt.conventions import sampler
from rosenblatt.conventions.step import Step
from rosenblatt.textbook.finished_run import Array, Ended
from rosenblatt.textbook.problem import Limits, Problem


def drawn(problem: Problem, w: Array, seed: int, limits: Limits) -> Generator[Step, Any, Ended]:
    """Draws every step uniformly from M, the misclassified examples under the current weights.

    Every step is an update, so k counts both. An epoch is n steps; the last one ends with the run, as soon as M
    is empty or the error rate is at most `max_error`. Epoch e draws by `sampler(seed, e)`, from M in the order of the
    examples. A step scores all n examples.
    """
    X, y, present, score_of, wrong, error, updated, proves, state = problem
    max_iter, max_steps, max_updates, max_error, _ = limits  # `patience` is not used: every step changes w
    n = len(present)
    k = 0
    kept = state(w)  # the state at epochs 0, 1, 2, 4, 8, … (Brent 1980)
    while True:
        scores = {i: score_of(w, i) for i in present}
        M = [i for i in present if wrong(scores[i], i)]
        few_errors = sum(error(scores[i], i) for i in present) <= max_error * n
        epoch = max(1, -(-k // n))
        if not M:
            return Ended("separated", w, epoch)
        epoch_ended = k > 0 and (k % n == 0 or few_errors)
        if epoch_ended and np.array_equal(state(w), kept) and proves(k):
            return Ended("cycled", w, epoch)
        if epoch_ended and epoch & (epoch - 1) == 0:
            kept = state(w)
        if few_errors:
            return Ended("error_reached", w, epoch)
        if max_updates is not None and k >= max_updates:
            return Ended("max_updates", w, epoch)
        if max_steps is not None and k >= max_steps:
            return Ended("max_steps", w, epoch)
        if max_iter is not None and epoch_ended and epoch >= max_iter:
            return Ended("max_iter", w, epoch)
        if k % n == 0:
            below = sampler(seed, k // n)
        i = M[below(len(M))]
        before, w = w, updated(w, i)
        yield Step(k, k // n, i, X[i], y[i], scores[i], True, before, w)
        k += 1
