"""scikit-learn's Perceptron on this core against its own: the same call, the same weights to the last bit."""

import warnings
from typing import Any

import numpy as np
from sklearn.linear_model import Perceptron as Peer

from benchmarks.measure import compare
from benchmarks.workloads import clusters, noisy_dense, text_like
from rosenblatt.compat import Perceptron

_FIVE = {"max_iter": 5, "tol": None}


def main() -> None:
    """Prints one line a workload and setting; a fit whose weights differ stops the run."""
    warnings.simplefilter("ignore")
    print("compat.Perceptron: ratio to scikit-learn's, one thread (best of 5)")
    dense, text, many = noisy_dense(), text_like(), clusters(20_000, 784, 10)
    narrow = dense[0].astype(np.float32), dense[1]
    separable = noisy_dense(100_000, 20, noise=0.0)
    tiny = noisy_dense(100, 5)
    _compare("dense 500,000×54", dense, _FIVE)
    _compare("dense 500,000×54, file order", dense, {**_FIVE, "shuffle": False})
    _compare("dense 500,000×54, tol=1e-3", dense, {})
    _compare("dense 500,000×54, float32", narrow, _FIVE)
    _compare("dense 500,000×54, early stopping", dense, {"early_stopping": True})
    for penalty in ("l2", "l1", "elasticnet"):
        _compare(f"dense 500,000×54, {penalty}", dense, {**_FIVE, "penalty": penalty})
    _compare("CSR 200,000×47,000", text, _FIVE)
    _compare("CSR 200,000×47,000, file order", text, {**_FIVE, "shuffle": False})
    _compare("CSR 200,000×47,000, tol=1e-3", text, {})
    _compare("CSR 200,000×47,000, l2", text, {**_FIVE, "penalty": "l2"})
    _compare("10 classes 20,000×784 float32", many, _FIVE, repeats=3)
    _compare("10 classes, file order", many, {**_FIVE, "shuffle": False}, repeats=3)
    _compare("10 classes, tol=1e-3", many, {}, repeats=3)
    _compare("10 classes, two threads each", many, {**_FIVE, "n_jobs": 2}, repeats=3)
    _compare("separable 100,000×20, 1000 epochs", separable, {"max_iter": 1000, "tol": None}, repeats=1)
    _compare("tiny 100×5", tiny, {}, repeats=50)


def _compare(name: str, data: tuple[Any, np.ndarray], settings: dict[str, Any], repeats: int = 5) -> None:
    X, y = data
    ours, peer = Perceptron(**settings), Peer(**settings)
    found = compare(lambda: ours.fit(X, y), lambda: peer.fit(X, y), repeats)
    same = np.array_equal(ours.coef_, peer.coef_) and np.array_equal(ours.intercept_, peer.intercept_)
    if not same or ours.n_iter_ != peer.n_iter_:
        raise AssertionError(f"{name}: the weights or the epochs differ from scikit-learn's")
    print(
        f"  {name:<36} {found.ratio:6.2f}  ({1e3 * found.ours:9.2f} ms against {1e3 * found.peer:9.2f} ms), "
        f"{ours.n_iter_} epochs, {ours.status_}"
    )


if __name__ == "__main__":
    main()
