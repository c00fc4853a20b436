"""Ten classes, one-vs-all: one pass shared by all classes, compared with scikit-learn's pass per class."""

from collections.abc import Iterator
from typing import Any

import numpy as np
from sklearn.linear_model import Perceptron as Peer

from benchmarks.agreement import agree, with_scikit_learn
from benchmarks.data import Set, clusters, mnist
from benchmarks.records import Result
from benchmarks.run import Run, accelerators, fits, passes
from rosenblatt import Perceptron


def measure(run: Run) -> Iterator[Result]:
    """MNIST, and dense clusters of its shape; one thread and two."""
    train, _ = mnist(run)
    n = run.size(60_000, 2000)
    train = Set(train.X[:n], train.y[:n], train.name)
    for order in ("cyclic", "shuffle"):
        yield from _orders(run, "pictures", train, order, goals={1: 12, 2: 20})
    yield from _orders(run, "dense clusters", Set(*clusters(n, 784, 10)), "cyclic", goals={})


def _orders(run: Run, name: str, data: Set, order: str, goals: dict[int, float]) -> Iterator[Result]:
    """Goals are ratios to the peer on one thread; the peer on two threads has its own row."""
    epochs = run.size(10, 2)
    counts = tuple(count for count in (1, 2) if count <= run.threads)
    ours = {count: Perceptron(order=order, max_iter=epochs, n_jobs=count) for count in counts}
    peers = {count: Peer(max_iter=epochs, tol=None, shuffle=order == "shuffle", n_jobs=count) for count in counts}
    models: dict[str, Any] = {f"ours {count}": model for count, model in ours.items()}
    models |= {f"peer {count}": model for count, model in peers.items()}
    times = run.contest(fits(models, data.X, data.y))
    same = with_scikit_learn(ours[1], peers[1], data.X, data.y, order)
    agree(
        all(np.array_equal(model.coef_, ours[1].coef_) for model in ours.values()), "weights with any number of threads"
    )
    shape = "×".join(f"{size:,}" for size in data.X.shape)
    for count in counts:
        for others in sorted({1, count}):
            yield Result(
                "one_vs_all",
                f"{name} {shape} float32, ten classes, {epochs} epochs, {order}",
                data.name,
                times[f"ours {count}"],
                "scikit-learn" if others == 1 else "scikit-learn, two threads",
                times[f"peer {others}"],
                threads=count,
                goal=goals.get(count) if others == 1 else None,
                agreement=same,
                needs=passes(data.X, epochs, len(ours[1].coef_), order),
                accelerators=accelerators(ours[count]),
            )
