"""From rows to scores and labels in one pass over the data: NaN and infinity show in the scores."""

from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from rosenblatt.core import Rows, label_scores
from rosenblatt.learning.voting import is_positive, pair_votes


def scored(rows: Rows, coef: Any, intercept: Any, n_threads: int = 1) -> tuple[NDArray[np.float64], bool]:
    """The scores, one column a plane, and whether all of them are finite; if so, all values are."""
    coef = np.ascontiguousarray(coef, dtype=np.float64)
    scores = np.empty((rows.n_examples, coef.shape[0]))
    finite = rows.score_into(coef, np.ascontiguousarray(intercept, dtype=np.float64), scores, n_threads)
    return scores, finite


def labelled(
    rows: Rows,
    coef: Any,
    intercept: Any,
    classes: NDArray[Any],
    *,
    pairs: bool = False,
    ties_are_positive: bool = False,
    n_threads: int = 1,
) -> NDArray[Any] | None:
    """The label of each row; None where a score is not finite, or the planes are not those of the classes.

    `pairs`: there is one plane for each pair of classes.
    """
    n_classes = len(classes)
    planes = 1 if n_classes == 2 else n_classes * (n_classes - 1) // 2 if pairs else n_classes
    if n_classes < 2 or coef.shape[0] != planes:
        return None
    values = _values_of(classes)
    labels = np.empty(rows.n_examples, values.dtype)
    finite = rows.label_into(
        np.ascontiguousarray(coef, dtype=np.float64),
        np.ascontiguousarray(intercept, dtype=np.float64),
        pairs,
        ties_are_positive,
        values.view(np.uint8),
        n_classes,
        labels.view(np.uint8),
        n_threads,
    )
    if not finite:
        return None
    return classes[labels] if classes.dtype.hasobject else labels


def labels_of(scores: NDArray[Any], classes: NDArray[Any]) -> NDArray[Any]:
    """The label of each row of finite scores, one column or one a class."""
    values = _values_of(classes)
    labels = np.empty(len(scores), values.dtype)
    label_scores(scores, values.view(np.uint8), len(classes), labels.view(np.uint8))
    return classes[labels] if classes.dtype.hasobject else labels


def _values_of(classes: NDArray[Any]) -> NDArray[Any]:
    """What is written for each row: the labels as bytes, since codes would be one array more to write and to read.

    Objects are counted by the interpreter, and so looked up by their codes.
    """
    return np.arange(len(classes)) if classes.dtype.hasobject else np.ascontiguousarray(classes)


def predicted_codes(scores: NDArray[np.float64], n_classes: int, *, tie: str, multi_class: str) -> NDArray[np.int32]:
    """The class of each example, as its place among the classes, from its score in every binary problem."""
    if n_classes == 2:
        return is_positive(scores[:, 0], tie).astype(np.int32)
    if multi_class == "ovo":
        scores = pair_votes(scores, n_classes, tie)
    return cast(NDArray[np.int32], np.argmax(scores, axis=1).astype(np.int32))
