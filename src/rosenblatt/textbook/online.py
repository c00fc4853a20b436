"""The online perceptron, one implementation that every convention parametrises.

L0, Algorithm 1; L1, eq. 5-6 and 13-15; L2, 'updating one point at a time'; L3, Algorithms 8.1 and 8.2; L4, slide
'Perceptron Algorithm'.
"""

from collections.abc import Generator, Iterator, Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from rosenblatt.conventions import epoch_order, is_mistake, random_start, sampler
from rosenblatt.conventions.ties import Tie
from rosenblatt.textbook.step import Array, Ended, Step


def online(
    X: ArrayLike,
    y: Sequence[int] | Array,
    *,
    fit_intercept: bool = True,
    eta0: float = 1.0,
    tie: Tie = "mistake",
    error_tie: Tie | None = None,
    order: str = "cyclic",
    init: str = "zeros",
    start: ArrayLike | None = None,
    sample_weight: ArrayLike | None = None,
    max_iter: int | None = None,
    max_steps: int | None = None,
    max_updates: int | None = None,
    max_error: float = 0.0,
    patience: int | None = None,
    random_state: int = 0,
) -> Generator[Step, Any, Ended]:
    """Yields each example presented; labels are +1 and -1, parameters as those of `Perceptron`.

    `start` gives the first weights ([w₀, w₁, …] with an offset). An example of weight zero is as if absent. Unlike
    `Perceptron`, a run without limits on data that never separates or cycles does not end.
    """
    X = np.asarray(X, dtype=float)
    labels = [int(label) for label in np.asarray(y)]
    if fit_intercept:
        X = np.column_stack([np.ones(len(X)), X])
    weight = np.ones(len(X)) if sample_weight is None else np.asarray(sample_weight, dtype=float)
    present = [i for i in range(len(X)) if weight[i] > 0]
    n = len(present)
    if start is not None:
        w = np.array(start, dtype=float)
    elif init == "random":
        w = random_start(random_state, X.shape[1])
    else:
        w = np.zeros(X.shape[1])

    def wrong(i: int, rule: Tie) -> bool:
        return is_mistake(w @ X[i], labels[i], rule)

    k = updates = unchanged = epoch = 0
    kept, kept_at = w, 0  # the state at epochs 0, 1, 2, 4, 8, … (Brent 1980): has it come back?
    while True:
        before_epoch = updates
        errors = 0
        if order == "misclassified":
            # L2's M, as it stands before the epoch.
            M = [i for i in present if wrong(i, tie)]
            errors = sum(wrong(i, error_tie or tie) for i in present)
            if not M:
                return Ended("separated", w, epoch + 1)
            if errors <= max_error * n:
                return Ended("error_reached", w, epoch + 1)
            presentation = _drawn_from(M, lambda i: wrong(i, tie), n, sampler(random_state, epoch))
        elif order == "shuffle":
            presentation = (present[j] for j in epoch_order(random_state, epoch, n))
        else:
            presentation = iter(present)

        for shown, i in enumerate(presentation, 1):
            score = float(w @ X[i])
            mistake = is_mistake(score, labels[i], tie)
            if order != "misclassified":
                errors += is_mistake(score, labels[i], error_tie or tie)
            before = w
            if mistake:
                w = w + eta0 * weight[i] * labels[i] * X[i]
                updates += 1
                unchanged = 0
            else:
                unchanged += 1
            yield Step(k, epoch, i, X[i], labels[i], score, mistake, before, w)
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
        if np.array_equal(w, kept):
            return Ended("cycled", w, epoch, epoch - kept_at if order == "cyclic" else None)
        if epoch & (epoch - 1) == 0:
            kept, kept_at = w, epoch
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


def _drawn_from(M: list[int], still_wrong: Any, n: int, below: Any) -> Iterator[int]:
    """Draws from M: what is still wrong is updated and stays, what has become right leaves. At most n updates."""
    M = list(M)
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
