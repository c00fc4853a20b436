"""Ten classes, one against the rest: one pass shared by all classes, against scikit-learn's pass per class."""

import time
import warnings
from functools import partial

import numpy as np
from sklearn.linear_model import Perceptron as Peer

from benchmarks.measure import compare
from benchmarks.workloads import clusters
from rosenblatt import Perceptron

EPOCHS = 10


def main() -> None:
    """Prints ratios for dense and mostly-zero data, one thread and two, and the growth with the number of classes."""
    warnings.simplefilter("ignore")
    print(f"one-vs-all, 60,000×784 float32, 10 classes, {EPOCHS} epochs: ratio to scikit-learn (best of 2)")
    for name, zeros in (("dense", 0.0), ("80% zeros", 0.8)):
        X, y = clusters(60_000, 784, 10, zeros)
        ours = {jobs: Perceptron(order="cyclic", max_iter=EPOCHS, n_jobs=jobs) for jobs in (1, 2)}
        peer = Peer(max_iter=EPOCHS, tol=None, shuffle=False)
        found = compare(partial(ours[1].fit, X, y), partial(peer.fit, X, y), repeats=2)
        two = compare(partial(ours[2].fit, X, y), lambda: None, repeats=2).ours
        close = np.allclose(ours[1].coef_, peer.coef_, rtol=0, atol=1e-5 * abs(ours[1].coef_).max())  # single precision
        print(
            f"  {name:<10} one thread {found.ratio:5.2f} ({found.ours:.2f} s against {found.peer:.2f} s), "
            f"two threads {found.peer / two:5.2f}; same weights: {close}"
        )
    print("growth with the number of classes, 20,000×200 float64, 3 epochs: seconds, and per class")
    for n_classes in (2, 10, 100, 1000):
        X, y = clusters(20_000, 200, n_classes, dtype=np.float64)
        begin = time.perf_counter()
        Perceptron(order="cyclic", max_iter=3).fit(X, y)
        seconds = time.perf_counter() - begin
        print(f"  {n_classes:>5} classes {seconds:7.3f} s   {1e3 * seconds / n_classes:7.3f} ms a class")


if __name__ == "__main__":
    main()
