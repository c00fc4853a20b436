"""Noisy data with default parameters: the time until the fit ends stalled, and the accuracy of its weights."""

from collections.abc import Iterator
from typing import Any

import numpy as np
from sklearn.linear_model import Perceptron as Peer

from benchmarks.agreement import agree
from benchmarks.data import noisy_dense
from benchmarks.records import Result
from benchmarks.run import Run, accelerators, seconds
from rosenblatt import Perceptron


def measure(run: Run) -> Iterator[Result]:
    """Fits with several seeds; each is one repeat."""
    X, y = noisy_dense(600_000)  # fixed size: with less data, the stall check would decide separability instead
    train, test = slice(500_000), slice(500_000, None)
    found: dict[type, list[tuple[float, ...]]] = {Perceptron: [], Peer: []}
    ran = ""
    for seed in range(run.size(10, 1)):
        for kind, rows in found.items():
            model: Any = kind(random_state=seed)
            taken = seconds(lambda model=model: model.fit(X[train], y[train]))
            rows.append((taken, model.n_iter_, model.score(X[test], y[test])))
            if kind is Perceptron:
                agree(model.status_ == "stalled", "ending: stalled")
                ran = accelerators(model)
    (_, epochs, right), (_, peer_epochs, peer_right) = (np.mean(rows, axis=0) for rows in found.values())
    yield Result(
        "stall",
        "noisy 500,000×54, default parameters, until it gives up",
        "synthetic",
        tuple(row[0] for row in found[Perceptron]),
        "scikit-learn",
        tuple(row[0] for row in found[Peer]),
        agreement=f"held out right {right:.2%}, {peer_right:.2%}",
        accelerators=ran,
        notes=(f"{epochs:.1f} epochs against {peer_epochs:.1f}, in the mean of {len(found[Peer])} seeds",),
    )
