"""Scores and labels of rows, in one pass over the data. NaN and infinity in the data are detected in the scores."""

from collections.abc import Iterator
from typing import cast

import numpy as np
from numpy.typing import NDArray

from rosenblatt import core
from rosenblatt.core import Rows, label_scores
from rosenblatt.learning.rows.array_types import Labels
from rosenblatt.meter import Meter

#: Products between two returns to the interpreter, which handles Ctrl-C: some tenths of a second.
_SLICE = 500_000_000


def scored(
    rows: Rows, coef: NDArray[np.floating], intercept: NDArray[np.floating], n_threads: int = 1
) -> tuple[NDArray[np.float64], bool]:
    """Returns the scores, one column per plane, and whether all are finite (then all values of the rows are, too)."""
    planes: NDArray[np.float64] = np.ascontiguousarray(coef, dtype=np.float64)
    offsets = np.ascontiguousarray(intercept, dtype=np.float64)
    scores = np.empty((rows.n_examples, planes.shape[0]))
    finite = [
        (rows if end - begin == rows.n_examples else rows.part(begin, end)).score_into(
            planes, offsets, scores[begin:end], n_threads
        )
        for begin, end in _parts(rows, len(planes), "decision_function")
    ]
    return scores, all(finite)


def labelled(
    rows: Rows,
    coef: NDArray[np.floating],
    intercept: NDArray[np.floating],
    classes: Labels,
    *,
    pairs: bool = False,
    ties_are_positive: bool = False,
    n_threads: int = 1,
) -> Labels | None:
    """The label of each row, or None if a score is not finite or the number of planes does not fit the classes.

    `pairs`: there is one plane per pair of classes.
    """
    n_classes = len(classes)
    planes = 1 if n_classes == 2 else n_classes * (n_classes - 1) // 2 if pairs else n_classes
    if n_classes < 2 or coef.shape[0] != planes:
        return None
    values = _values_of(classes)
    labels = np.empty(rows.n_examples, values.dtype)
    weights = np.ascontiguousarray(coef, dtype=np.float64)
    offsets = np.ascontiguousarray(intercept, dtype=np.float64)
    names = values.view(np.uint8)
    for begin, end in _parts(rows, planes, "predict"):
        written = labels[begin:end].view(np.uint8)
        part = rows if end - begin == rows.n_examples else rows.part(begin, end)
        if not part.label_into(weights, offsets, pairs, ties_are_positive, names, n_classes, written, n_threads):
            return None
    return classes[labels] if classes.dtype.hasobject else labels


def _parts(rows: Rows, planes: int, what: str) -> Iterator[tuple[int, int]]:
    """Ranges of rows, so that between two of them Python handles Ctrl-C and shows progress."""
    count, work = rows.n_examples, rows.n_values * planes
    if work <= 2 * _SLICE:
        yield 0, count
        return
    step = max(1, count * _SLICE // work)
    with Meter(what, count, "examples") as meter:
        for begin in range(0, count, step):
            yield begin, min(begin + step, count)
            meter.update(begin)


def labels_of(scores: NDArray[np.floating], classes: Labels) -> Labels:
    """The label of each row of finite scores, which have one column, or one per class."""
    values = _values_of(classes)
    labels = np.empty(len(scores), values.dtype)
    label_scores(scores, values.view(np.uint8), len(classes), labels.view(np.uint8))
    return classes[labels] if classes.dtype.hasobject else labels


def _values_of(classes: Labels) -> Labels:
    """The value that the core writes for each row: the label itself, which avoids an intermediate array of codes.

    Python objects are reference-counted, so for them the core writes codes.
    """
    return np.arange(len(classes)) if classes.dtype.hasobject else np.ascontiguousarray(classes)


def predicted_codes(scores: NDArray[np.float64], n_classes: int, *, tie: str, multi_class: str) -> NDArray[np.int32]:
    """The index of the predicted class of each example, from its scores in all binary problems."""
    if n_classes == 2:
        return is_positive(scores[:, 0], tie).astype(np.int32)
    if multi_class == "ovo":
        scores = pair_votes(scores, n_classes, tie)
    return cast(NDArray[np.int32], np.argmax(scores, axis=1).astype(np.int32))


def is_positive(scores: NDArray[np.float64], tie: str) -> NDArray[np.bool_]:
    """Whether each score predicts the positive class; the tie rule decides for a score of exactly 0."""
    return scores >= 0 if tie == "positive" else scores > 0


def pair_votes(scores: NDArray[np.float64], n_classes: int, tie: str) -> NDArray[np.float64]:
    """The votes of one-vs-one: one vote per pair, plus a term below ½ that breaks equal votes by the scores."""
    votes = np.empty((len(scores), n_classes))
    core.pair_votes(np.ascontiguousarray(scores), n_classes, tie == "positive", votes)
    return votes
