"""Stratified splits: every class has the same share in each part. A split is a function of the labels and a seed."""

import numpy as np
from numpy.typing import NDArray

from rosenblatt.core import epoch_order

Codes = NDArray[np.int32]
Positions = NDArray[np.uint32]

_FEW_CLASSES = 16


def held_counts(counts: NDArray[np.int64], total: int) -> NDArray[np.int64]:
    """The number of examples of each class in a held-out part of `total` examples, by largest remainders.

    A class with at least two examples has at least one example in each part.

    >>> held_counts(np.array([8, 12]), 5)
    array([2, 3])
    """
    quota = counts * (total / max(int(counts.sum()), 1))
    held = np.floor(quota).astype(np.int64)
    most = np.argsort(held - quota, kind="stable")[: max(total - int(held.sum()), 0)]
    held[most] += 1
    return np.asarray(np.minimum(np.maximum(held, 1), np.maximum(counts - 1, 0)), dtype=np.int64)


def stratified_split(codes: Codes, n_classes: int, total: int, seed: int) -> tuple[Positions, Positions]:
    """Positions to train on and positions held out, each in order; about `total` are held out."""
    counts = np.bincount(codes, minlength=n_classes)
    take = held_counts(counts, total)
    is_held = np.zeros(len(codes), dtype=bool)
    order = epoch_order(seed, 0, len(codes))
    if n_classes <= _FEW_CLASSES:  # one pass per class needs less memory than an array of ranks
        shuffled = codes[order]
        for code in range(n_classes):
            is_held[order[shuffled == code][: take[code]]] = True
    else:
        ranks = _ranks(codes[order], counts)
        is_held[order] = ranks < take[codes[order]]
    return np.flatnonzero(~is_held).astype(np.uint32), np.flatnonzero(is_held).astype(np.uint32)


def stratified_folds(codes: Codes, n_classes: int, k: int, seed: int) -> NDArray[np.int64]:
    """The fold (0, …, k - 1) of each example; every class is spread evenly."""
    folds = np.empty(len(codes), dtype=np.int64)
    order = epoch_order(seed, 0, len(codes))
    folds[order] = _ranks(codes[order], np.bincount(codes, minlength=n_classes)) % k
    return folds


def _ranks(codes: Codes, counts: NDArray[np.int64]) -> NDArray[np.int64]:
    """For each example, the number of earlier examples of its class."""
    ranks = np.empty(len(codes), dtype=np.int64)
    ranks[np.argsort(codes, kind="stable")] = np.arange(len(codes)) - np.repeat(np.cumsum(counts) - counts, counts)
    return ranks
