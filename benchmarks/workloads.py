"""The data of the benchmarks, made anew from a seed."""

import numpy as np
import scipy.sparse as sp


def noisy_dense(n: int = 500_000, d: int = 54, noise: float = 2.0, seed: int = 0) -> tuple[np.ndarray, np.ndarray]:
    """Gaussian examples, labelled by a random hyperplane and noise."""
    rng = np.random.default_rng(seed)
    X = rng.standard_normal((n, d))
    y = X @ rng.standard_normal(d) + noise * rng.standard_normal(n) > 0
    return X, y.astype(int)


def text_like(n: int = 200_000, d: int = 47_000, entries: int = 70, seed: int = 0) -> tuple[sp.csr_matrix, np.ndarray]:
    """CSR rows of the shape of rcv1: frequent words first, as in a vocabulary sorted by frequency."""
    rng = np.random.default_rng(seed)
    words = np.minimum((d * rng.random((n, entries)) ** 3).astype(np.int32), d - 1)
    words.sort(axis=1)
    starts = np.arange(0, n * entries + 1, entries, dtype=np.int32)
    X = sp.csr_matrix((rng.random(n * entries), words.ravel(), starts), shape=(n, d))
    X.sum_duplicates()
    scores = X @ rng.standard_normal(d)
    y = scores - np.median(scores) + rng.standard_normal(n) > 0
    return X, y.astype(int)


def clusters(
    n: int, d: int, n_classes: int, zeros: float = 0.0, dtype: type = np.float32, seed: int = 0
) -> tuple[np.ndarray, np.ndarray]:
    """A Gaussian cloud a class; a share of the values is set to zero, in runs, as in pictures of pen strokes.

    Those with zeros are whole numbers, few enough that single precision adds them up without rounding.
    """
    rng = np.random.default_rng(seed)
    y = rng.integers(0, n_classes, n)
    y[:n_classes] = np.arange(n_classes)
    centres = (rng.standard_normal((n_classes, d)) * (6 / np.sqrt(d))).astype(dtype)
    X = rng.standard_normal((n, d), dtype=np.float32).astype(dtype) + centres[y]
    if zeros:
        X = np.rint(2 * X)
        run = 8
        keep = rng.random((n, -(-d // run))) >= zeros
        X *= keep.repeat(run, axis=1)[:, :d]
    return X, y
