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
    print("compat.Perceptron: ratio to scikit-learn's, one thread unless said otherwise (best of 3)")
    name, data = "dense 500,000×54", noisy_dense()
    _compare(name, data, _FIVE)
    _compare(f"{name}, file order", data, {**_FIVE, "shuffle": False})
    _compare(f"{name}, tol=1e-3", data, {})
    _compare(f"{name}, early stopping", data, {"early_stopping": True})
    for penalty in ("l2", "l1", "elasticnet"):
        _compare(f"{name}, {penalty}", data, {**_FIVE, "penalty": penalty})
    _compare(f"{name}, float32", (data[0].astype(np.float32), data[1]), _FIVE)
    name, text = "CSR 200,000×47,000", text_like()
    _compare(name, text, _FIVE)
    _compare(f"{name}, file order", text, {**_FIVE, "shuffle": False})
    _compare(f"{name}, l2", text, {**_FIVE, "penalty": "l2"})
    name, many = "10 classes 20,000×784", clusters(20_000, 784, 10)
    _compare(name, many, _FIVE)
    _compare(f"{name}, file order", many, {**_FIVE, "shuffle": False})
    _compare(f"{name}, two threads", many, {**_FIVE, "n_jobs": 2})
    _compare("separable 20,000×20, 200 epochs", clusters(20_000, 20, 2), {"max_iter": 200, "tol": None})
    _compare("tiny 100×5", noisy_dense(100, 5), {}, repeats=50)


def _compare(name: str, data: tuple[Any, np.ndarray], settings: dict[str, Any], repeats: int = 3) -> None:
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
