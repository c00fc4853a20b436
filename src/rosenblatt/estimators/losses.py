"""The two loss functions of the lectures."""

import numpy as np
from numpy.typing import ArrayLike, NDArray

from rosenblatt.learning.rows.array_types import Labels


def perceptron_loss(y: ArrayLike, scores: ArrayLike, *, classes: ArrayLike | None = None) -> float:
    """The perceptron loss (L2): −Σ yᵢ·scoreᵢ over the misclassified examples.

    Parameters
    ----------
    y : array of shape (n_examples,)
        Labels.
    scores : array of shape (n_examples,) or (n_examples, n_classes)
        The output of `decision_function`. With more than two classes, the loss of an example is the largest score of
        another class minus the score of its own class, if positive.
    classes : array, default=None
        All classes in order, if y may not contain all of them.

    Examples
    --------
    >>> perceptron_loss([-1, 1, 1], [0.5, -2.0, 3.0])
    2.5
    """
    scores = np.asarray(scores, dtype=float)
    known, codes = _coded(y, classes)
    if scores.ndim == 1:
        if len(known) > 2:
            raise ValueError(f"y has {len(known)} classes, but scores has one column. Give one score per class.")
        return float(np.maximum(0.0, np.where(codes == len(known) - 1, -scores, scores)).sum())
    if scores.shape[1] != len(known):
        raise ValueError(
            f"scores has {scores.shape[1]} columns for {len(known)} classes; name them all by classes=[…]."
        )
    rows = np.arange(len(codes))
    truth = scores[rows, codes]
    others = scores.copy()
    others[rows, codes] = -np.inf
    return float(np.maximum(0.0, others.max(axis=1) - truth).sum())


def zero_one_loss(y: ArrayLike, predicted: ArrayLike, *, normalize: bool = False) -> float:
    """The 0-1 loss (L4): the number of wrong predictions; with `normalize` their share.

    >>> zero_one_loss([1, 1, -1, -1], [1, -1, 1, -1])
    2.0
    """
    y, predicted = np.asarray(y), np.asarray(predicted)
    if y.shape != predicted.shape:
        raise ValueError(f"y has shape {y.shape}, the predictions {predicted.shape}; the shapes must be equal.")
    wrong = y != predicted
    return float(wrong.mean() if normalize else wrong.sum())


def _coded(y: ArrayLike, classes: ArrayLike | None) -> tuple[Labels, NDArray[np.intp]]:
    if classes is None:
        known, codes = np.unique(np.asarray(y), return_inverse=True)
        return known, codes
    known = np.unique(np.asarray(classes))
    return known, np.searchsorted(known, np.asarray(y))
