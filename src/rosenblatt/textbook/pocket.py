"""The pocket algorithm (L0, slide 'Pocket algorithm'), exactly as printed, and its ratchet (Gallant 1990)."""

from collections.abc import Generator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from rosenblatt.conventions import is_mistake
from rosenblatt.conventions.step import Step
from rosenblatt.textbook.finished_run import Array, Ended
from rosenblatt.textbook.online import augmented, online, signs_of, weights_of


@dataclass(frozen=True)
class PocketEnded(Ended):
    """How a run ended, and the pocket."""

    w_pocket: Any = None
    run_pocket: float = 0
    errors_pocket: float = 0
    scored: int = 0  # examples scored to compare training errors


def pocket(
    X: ArrayLike,
    y: Sequence[int] | Array,
    *,
    ratchet: bool = False,
    patience: int | None = None,
    **convention: Any,
) -> Generator[Step, Any, PocketEnded]:
    """Yields the steps of the perceptron and returns the pocket. `patience` applies to the pocket's vector.

    Replacing the pocket by an equal vector does not count as a change.

    Two corrections: a run that ends separated puts w into the pocket whatever the counters are. With the ratchet, a
    longer run is not enough: w must also make fewer training errors than the vector in the pocket; this includes the
    last w. The check is made only while earlier checks have scored at most n more examples than were presented.

    Examples
    --------
    >>> from rosenblatt import textbook
    >>> run = textbook.run(textbook.pocket([[0], [1], [1]], [-1, 1, -1], max_iter=10))
    >>> run.ended.w_pocket, float(run.ended.errors_pocket)
    (array([-1.,  0.]), 1.0)
    """
    space = augmented(X, convention.get("fit_intercept", True))
    labels = signs_of(y)
    weight = weights_of(X, convention.get("sample_weight"))
    tie = convention.get("error_tie") or convention.get("tie", "mistake")
    present = [i for i in range(len(space)) if weight[i] > 0]
    scored = 0

    def errors_of(w: Array, enough: float = np.inf) -> float:
        nonlocal scored
        errors = 0.0
        for i in present:
            if errors >= enough:
                break
            errors += weight[i] * is_mistake(float(w @ space[i]), labels[i], tie)
            scored += 1
        return errors

    steps = online(X, y, **convention)
    step, ended = _next(steps)
    w_pocket = step.w_before if step else ended.w
    errors_pocket = errors_of(w_pocket) if ratchet else 0.0
    run = run_pocket = 0.0
    changed = k = 0
    while step is not None:
        if step.mistake:
            if run > run_pocket and (not ratchet or scored <= k + len(present)):
                errors = errors_of(step.w_before, errors_pocket) if ratchet else 0.0
                if not ratchet or errors < errors_pocket:
                    if not np.array_equal(w_pocket, step.w_before):
                        changed = k + 1
                    w_pocket, run_pocket, errors_pocket = step.w_before, run, errors
            run = 0.0
        else:
            run += weight[step.i]
        k += 1
        yield step
        last = step
        step, ended = _next(steps)
        # At the end of an epoch, the endings separated, cycled and error_reached take precedence.
        if patience is not None and k - changed >= patience and (step or ended.status not in _BEFORE):
            ended, step = Ended("unchanged", last.w_after, last.epoch + 1), None
    enters = ended.status == "separated"
    if ratchet:
        errors = errors_of(ended.w, errors_pocket)
        if errors < errors_pocket:
            enters, errors_pocket = True, errors
    else:
        enters = enters or run > run_pocket
    if enters:
        w_pocket = ended.w
    if not ratchet:
        errors_pocket = errors_of(w_pocket)
    return PocketEnded(ended.status, ended.w, ended.epochs, ended.cycle, w_pocket, run_pocket, errors_pocket, scored)


_BEFORE = ("separated", "cycled", "error_reached")


def _next(steps: Generator[Step, Any, Ended]) -> tuple[Step | None, Any]:
    """The next step, or None at the end; and how the run ended."""
    try:
        return next(steps), None
    except StopIteration as stop:
        return None, stop.value
