"""The shadow of dense rows (a byte a feature) against the same run without it, and against scikit-learn where it wins.

Both walk the same path, which is checked first. The losing cases are here too: what decides is how many examples are
mistakes, how long a row is, and whether the order jumps about.
"""

import os
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial

import numpy as np
from sklearn.linear_model import Perceptron as Peer

from benchmarks.measure import compare
from benchmarks.workloads import clusters, noisy_dense
from rosenblatt import Perceptron


def separable(n: int = 1_000_000, d: int = 200, margin: float = 0.1) -> tuple[np.ndarray, np.ndarray]:
    """Gaussian examples, pushed apart along a random direction."""
    rng = np.random.default_rng(0)
    X = rng.standard_normal((n, d))
    normal = rng.standard_normal(d)
    normal /= np.linalg.norm(normal)
    y = X @ normal > 0
    X += np.outer(np.where(y, margin, -margin), normal)
    return X, y.astype(int)


@contextmanager
def shadow(wish: str) -> Iterator[None]:
    """The core's choice (auto), or none at all (never), or one in every run (always)."""
    before = os.environ.get("ROSENBLATT_SHADOW")
    os.environ["ROSENBLATT_SHADOW"] = wish
    try:
        yield
    finally:
        del os.environ["ROSENBLATT_SHADOW"]
        if before is not None:
            os.environ["ROSENBLATT_SHADOW"] = before


def _fit(wish: str, X: np.ndarray, y: np.ndarray, order: str, epochs: int | None) -> Perceptron:
    with shadow(wish):
        return Perceptron(order=order, max_iter=epochs).fit(X, y)


def main() -> None:
    """Prints one line a workload and order."""
    warnings.simplefilter("ignore")
    print("a byte a feature against the same run without, ten epochs or to separation: ratio (best of 3)")
    sets = (
        ("separable 1,000,000×200", separable(), None),
        ("ten clusters 60,000×784 float32", clusters(60_000, 784, 10), 10),
        ("the same, 80% zeros, 7% mistakes", clusters(60_000, 784, 10, zeros=0.8), 10),
        ("noisy 500,000×54, 11% mistakes", noisy_dense(), 10),
    )
    for name, (X, y), epochs in sets:
        for order in ("cyclic", "shuffle"):
            plain, chosen = _fit("never", X, y, order, epochs), _fit("auto", X, y, order, epochs)
            assert np.array_equal(plain.coef_, chosen.coef_), "the path must be the same"
            line = f"  {name:<34} {order:<8} {chosen.n_iter_:3} epochs"
            for wish in ("auto", "always"):
                found = compare(
                    partial(_fit, wish, X, y, order, epochs),
                    partial(_fit, "never", X, y, order, epochs),
                    repeats=3,
                )
                line += f"  {wish} {found.ratio:5.2f} ({found.ours:.2f} s)"
            if epochs is None:
                peer = Peer(max_iter=chosen.n_iter_, tol=None, shuffle=order == "shuffle")
                found = compare(partial(_fit, "auto", X, y, order, None), partial(peer.fit, X, y), repeats=1)
                line += f"  scikit-learn, as many epochs {found.ratio:5.1f}"
            print(line, flush=True)


if __name__ == "__main__":
    main()
