"""Prediction and partial_fit: one row at a time, where overhead dominates, and in batches,
where the memory is the limit.
"""

from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import numpy as np
from sklearn.linear_model import Perceptron as Peer

from benchmarks.agreement import agree
from benchmarks.data import clusters, noisy_dense, text_like
from benchmarks.records import Result
from benchmarks.run import Run, passes
from rosenblatt import Perceptron
from rosenblatt.compat import Perceptron as Compat


def measure(run: Run) -> Iterator[Result]:
    """Rows of 54 features; batches beyond the cache."""
    yield from _one_row(run)
    yield from _batches(run)


def _one_row(run: Run) -> Iterator[Result]:
    number = run.size(500, 20)
    for name, kind in (("", Perceptron), (", compat", Compat)):
        for dtype, n_classes in ((np.float64, 2), (np.float32, 2), (np.float64, 10)):
            X, y = clusters(5000, 54, n_classes, dtype=dtype)
            row, label = X[:1].copy(), y[:1].copy()
            what = f"one row of 54, {np.dtype(dtype)}, {n_classes} classes{name}"
            ours, peer = kind(max_iter=3), Peer(max_iter=3, tol=None)
            for model in (ours, peer):
                model.fit(X, y)
            for method, call in (("predict", _predict), ("partial_fit", _partial_fit)):
                times = run.contest(
                    {key: call(model, row, label) for key, model in (("ours", ours), ("peer", peer))}, number=number
                )
                same = agree(ours.predict(row)[0] == peer.predict(row)[0], "label")
                if method == "partial_fit":
                    same = _same_first_step(kind(), Peer(), row, label, np.unique(y))
                yield Result(
                    "inference",
                    f"{method}, {what}",
                    "synthetic",
                    times["ours"],
                    "scikit-learn",
                    times["peer"],
                    goal=3,
                    agreement=same,
                )


def _same_first_step(ours: Any, peer: Any, row: np.ndarray, label: np.ndarray, classes: np.ndarray) -> str:
    weights = [model.partial_fit(row, label, classes=classes).coef_ for model in (ours, peer)]
    return agree(np.array_equal(*weights), "weights after a first step")


def _predict(model: Any, row: np.ndarray, label: np.ndarray) -> Callable[[], object]:
    return partial(model.predict, row)


def _partial_fit(model: Any, row: np.ndarray, label: np.ndarray) -> Callable[[], object]:
    return partial(model.partial_fit, row, label)


def _batches(run: Run) -> Iterator[Result]:
    n = run.size(1_000_000, 5000)
    sets: list[tuple[str, Callable[[], tuple[Any, np.ndarray]], type, float | None]] = [
        ("", lambda: noisy_dense(n, 54), np.float64, 0.7),
        ("", lambda: noisy_dense(n // 2, 200), np.float64, 0.7),
        ("", lambda: noisy_dense(n // 2, 200), np.float32, 0.7),
        (", ten classes", lambda: clusters(n // 5, 784, 10), np.float32, 0.7),
        (", CSR", lambda: text_like(n // 5), np.float64, None),
    ]
    for name, make, dtype, goal in sets:
        X, y = make()
        X = X.astype(dtype, copy=False)
        ours, peer = Perceptron(max_iter=2), Peer(max_iter=2, tol=None, shuffle=False)
        for model in (ours, peer):
            model.fit(X[:20_000], y[:20_000])
        # The same weights for both, so that their labels can be compared.
        peer.coef_, peer.intercept_ = ours.coef_.astype(peer.coef_.dtype), ours.intercept_.astype(peer.coef_.dtype)
        same = np.mean(ours.predict(X) == peer.predict(X))
        times = run.contest({"ours": partial(ours.predict, X), "peer": partial(peer.predict, X)})
        yield Result(
            "inference",
            f"batch predict {'×'.join(f'{size:,}' for size in X.shape)} {np.dtype(dtype)}{name}",
            "synthetic",
            times["ours"],
            "scikit-learn",
            times["peer"],
            goal=goal,
            goal_of="share",
            agreement=agree(bool(same > 0.9999), "labels"),
            needs=passes(X, 1, len(ours.coef_)),
        )
