"""The shadow of dense rows (a byte a feature) against the same run without it, and against scikit-learn where it wins.

Both walk the same path, which is checked. The losing cases are here too: what decides is how many examples are
mistakes, how long a row is, and whether the order jumps about.
"""

from collections.abc import Iterator
from functools import partial

import numpy as np
from sklearn.linear_model import Perceptron as Peer

from benchmarks.agreement import agree, with_scikit_learn
from benchmarks.data import Set, clusters, noisy_dense, separable
from benchmarks.records import Result
from benchmarks.run import Run, fits, passes, within
from rosenblatt import Perceptron


def measure(run: Run) -> Iterator[Result]:
    """To separation, with all peers; then where it gains little or loses, as the core chooses and in every run."""
    data = separable(run.size(1_000_000, 20_000), 200)
    for order in ("cyclic", "shuffle"):
        yield from _to_separation(run, data, order)
    del data
    n = run.size(60_000, 2000)
    for name, found in (
        ("ten clusters, float32", clusters(n, 784, 10)),
        ("ten clusters, 80% zeros, float32", clusters(n, 784, 10, zeros=0.8)),
        ("noisy, 11% mistakes", noisy_dense(run.size(500_000, 5000))),
    ):
        for order in ("cyclic", "shuffle"):
            yield from _switched(run, name, Set(*found), order)


def _to_separation(run: Run, data: Set, order: str) -> Iterator[Result]:
    ours, plain, unguided = (Perceptron(order=order) for _ in range(3))
    epochs = ours.fit(data.X, data.y).n_iter_
    peer = Peer(max_iter=epochs, tol=None, shuffle=order == "shuffle")
    ways = fits({"ours": ours, "plain": plain, "unguided": unguided, "peer": peer}, data.X, data.y)
    times = run.contest(ways, repeats={"plain": 2, "peer": 1})
    separated = agree(ours.status_ == "separated" and np.array_equal(ours.coef_, plain.coef_), "weights, bit for bit")
    same = agree(np.array_equal(ours.coef_, unguided.coef_), "weights, bit for bit")
    peers = (
        ("plain", "our plain loop", 3, separated),
        ("unguided", "without its guide", None, same),
        ("peer", "scikit-learn", 10, with_scikit_learn(ours, peer, data.X, data.y, order)),
    )
    case = f"dense {len(data.y):,}×200, to separation in {epochs} epochs, {order}"
    needs = passes(data.X, epochs, order=order)
    for key, name, goal, agreement in peers:
        yield Result(
            "shadow", case, data.name, times["ours"], name, times[key], goal=goal, agreement=agreement, needs=needs
        )


def _switched(run: Run, name: str, data: Set, order: str) -> Iterator[Result]:
    epochs = run.size(10, 3)
    models = {wish: Perceptron(order=order, max_iter=epochs) for wish in ("auto", "always", "never")}
    ways = {
        wish: within({"ROSENBLATT_SHADOW": wish}, partial(model.fit, data.X, data.y)) for wish, model in models.items()
    }
    times = run.contest(ways)
    shape = "×".join(f"{size:,}" for size in data.X.shape)
    needs = passes(data.X, epochs, len(models["never"].coef_), order)
    for wish in ("auto", "always"):
        same = agree(np.array_equal(models[wish].coef_, models["never"].coef_), "weights, bit for bit")
        yield Result(
            "shadow",
            f"{name}, {shape}, {order}, {wish}",
            data.name,
            times[wish],
            "without it",
            times["never"],
            agreement=same,
            needs=needs,
        )
