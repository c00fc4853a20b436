"""The classes of `compat` compared with scikit-learn's: the same call, the same weights bit for bit."""

import warnings
from collections.abc import Iterator
from functools import partial
from typing import Any

import numpy as np
import sklearn.linear_model

from benchmarks.agreement import agree
from benchmarks.data import clusters, covtype, noisy_dense, text_like
from benchmarks.records import Result
from benchmarks.run import Run
from rosenblatt import compat

_FIVE = {"max_iter": 5, "tol": None}


def measure(run: Run) -> Iterator[Result]:
    """One row per setting; a fit whose weights differ stops the run."""
    X, y = noisy_dense(run.size(500_000, 5000))
    dense, text = (X, y), text_like(run.size(200_000, 5000))
    many = clusters(run.size(20_000, 1000), 784, 10)
    cases: list[tuple[str, Any, dict[str, Any]]] = [
        ("dense", dense, _FIVE),
        ("dense, file order", dense, {**_FIVE, "shuffle": False}),
        ("dense, tol=1e-3", dense, {}),
        ("dense, early stopping", dense, {"early_stopping": True}),
        *((f"dense, {penalty}", dense, {**_FIVE, "penalty": penalty}) for penalty in ("l2", "l1", "elasticnet")),
        ("dense, float32", (X.astype(np.float32), y), _FIVE),
        ("CSR", text, _FIVE),
        ("CSR, file order", text, {**_FIVE, "shuffle": False}),
        ("CSR, l2", text, {**_FIVE, "penalty": "l2"}),
        ("ten classes", many, _FIVE),
        ("ten classes, file order", many, {**_FIVE, "shuffle": False}),
        ("ten classes, two threads", many, {**_FIVE, "n_jobs": 2}),
        ("separable, 200 epochs", clusters(run.size(20_000, 1000), 20, 2), {"max_iter": 200, "tol": None}),
        ("tiny", noisy_dense(100, 5), {}),
    ]
    for name, data, settings in cases:
        if settings.get("n_jobs", 1) <= run.threads:
            yield _compare(run, "Perceptron", name, data, settings)
    trees = covtype(run)
    scaled = (trees.X / np.abs(trees.X).max(axis=0), trees.y)
    seeded = {**_FIVE, "random_state": 0}
    for kind in ("PassiveAggressiveClassifier", "SGDClassifier"):
        if hasattr(sklearn.linear_model, kind):  # scikit-learn 1.10 has no passive-aggressive classes
            yield _compare(run, kind, f"{kind}, {trees.name}", scaled, seeded)
            yield _compare(run, kind, f"{kind}, CSR", text, seeded)
            yield _compare(run, kind, f"{kind}, CSR, file order", text, {**seeded, "shuffle": False})


def _compare(run: Run, kind: str, name: str, data: tuple[Any, np.ndarray], settings: dict[str, Any]) -> Result:
    ours = getattr(compat, kind)(**settings).fit(*data)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", FutureWarning)  # that scikit-learn will remove the class
        peer = getattr(sklearn.linear_model, kind)(**settings).fit(*data)
    same = np.array_equal(ours.coef_, peer.coef_) and np.array_equal(ours.intercept_, peer.intercept_)
    agreement = agree(same and ours.n_iter_ == peer.n_iter_, "weights, bit for bit, and epochs")
    shape = "×".join(f"{size:,}" for size in data[0].shape)
    return run.compare(
        "compat",
        f"{name}, {shape}",
        partial(ours.fit, *data),
        partial(peer.fit, *data),
        against="scikit-learn",
        number=50 if name == "tiny" else 1,
        agreement=agreement,
        threads=settings.get("n_jobs", 1),
        notes=(f"{ours.n_iter_} epochs, {ours.status_}",),
    )
