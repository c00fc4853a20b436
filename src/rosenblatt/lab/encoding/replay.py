"""Encodes a recorded run so that a page can replay every step: the initial weights and the change by each update."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from rosenblatt.conventions.step import misclassified
from rosenblatt.lab.encoding.packing import packed
from rosenblatt.trace import Recording, Trace

Array = NDArray[np.float64]

_SAMPLES = 600  # maximum number of updates at which training error and loss are computed
_SCORES = 2_000_000  # maximum number of scores computed for them


def replayed(trace: Trace) -> dict[str, Any]:
    """Encodes one problem. `k` and `i` are the step and the example of each update.

    After m updates, w is `start` plus the first m changes, added in order.
    """
    recording = trace.recording
    weights = weights_after_updates(recording)
    made: dict[str, Any] = {
        "positive": recording.positive,
        "start": recording.start.tolist(),
        "presented": len(trace),
        "epoch_ends": packed(np.array(trace.epoch_ends(), dtype=np.int64)),
        "examples": _examples(trace),
        "k": packed(recording.k),
        "i": packed(recording.i),
        "scale": float(recording.steps[0]) if recording.scales is None else packed(recording.scales),
        "undershot": packed(_undershot(recording, weights).astype(np.uint8)),
        "curve": _curve(recording, weights),
    }
    if recording.rivals is not None:
        made["rivals"] = packed(recording.rivals)
    if recording.first_rivals is not None:
        made["first_rivals"] = packed(recording.first_rivals)
    return made


def weights_after_updates(recording: Recording) -> Array:
    """Returns the weights after 0, 1, 2, … updates, one row each. They are summed in the run's order, so bits agree."""
    n_updates = len(recording.k)
    X = np.asarray(recording.X, dtype=np.float64)
    x = np.column_stack([np.ones(len(X)), X]) if recording.fit_intercept else X
    scale = recording.steps[recording.i] if recording.scales is None else recording.scales
    changes = np.zeros((n_updates + 1, *recording.start.shape))
    changes[0] = recording.start
    added = scale[:, None] * x[recording.i]
    if recording.positive is None:
        if recording.rivals is None:
            raise AssertionError("a joint run was recorded without its rivals")
        each = np.arange(1, n_updates + 1)
        first = np.arange(n_updates) if recording.first_rivals is None else recording.first_rivals
        counts = np.diff(first, append=len(recording.rivals))
        changes[each, recording.labels[recording.i]] = (scale * counts)[:, None] * x[recording.i]
        changes[np.repeat(each, counts), recording.rivals] = -np.repeat(added, counts, axis=0)
    else:
        changes[1:] = np.where(recording.labels[recording.i] == recording.positive, 1.0, -1.0)[:, None] * added
    return np.asarray(np.cumsum(changes, axis=0))


def _examples(trace: Trace) -> dict[str, Any]:
    """Encodes which example each step presented: the members of a cyclic order, or a list with one entry per step."""
    if trace.recording.order == "cyclic":
        return {"cyclic": packed(trace.recording.members)}
    return {"list": packed(trace.presented_examples())}


def _undershot(recording: Recording, weights: Array) -> NDArray[np.bool_]:
    """Which updates undershot: their example is still wrong afterwards (L1)."""
    after, i = weights[1:], recording.i
    X = np.asarray(recording.X, dtype=np.float64)[i]
    offset = int(recording.fit_intercept)
    scores = np.zeros(after.shape[:-1])
    for j in range(X.shape[1]):  # sum in column order, so that the page computes the same bits
        scores = scores + after[..., offset + j] * X[:, j].reshape(-1, *[1] * (after.ndim - 2))
    scores = scores + after[..., 0] if offset else scores
    labels = recording.labels[i]
    if recording.positive is None:
        each = np.arange(len(i))
        own_scores = scores[each, labels].copy()
        scores[each, labels] = -np.inf
        return np.asarray(own_scores <= scores.max(axis=1))
    return misclassified(scores, labels == recording.positive, recording.tie)


def _curve(recording: Recording, weights: Array) -> dict[str, Any]:
    """Computes training errors and L2's loss after evenly spaced updates, or after every update if there are few."""
    budget = _SCORES if recording.positive is not None else _SCORES // 20
    most = max(2, min(_SAMPLES, budget // max(len(recording.members), 1)))
    chosen = np.unique(np.linspace(0, len(recording.k), min(most, len(recording.k) + 1)).round().astype(np.int64))
    errors, losses = [], []
    for m in chosen:
        scores = recording.scores(weights[m])
        errors.append(int(recording.errors(scores).sum()))
        losses.append(recording.loss(scores))
    return {
        "updates": packed(chosen),
        "errors": packed(np.array(errors)),
        "loss": packed(np.array(losses, dtype=float)),
    }
