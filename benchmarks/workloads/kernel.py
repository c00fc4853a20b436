"""The kernel perceptron on MNIST: one-vs-all, (1 + x·x′)^d on raw pixels.

Against scikit-learn's `SVC` on the same kernel and a plain NumPy loop, and how the cost of a step grows with the number
of examples.
"""

import os
import time
from collections.abc import Iterator
from copy import copy
from dataclasses import replace
from functools import partial
from typing import Any
from unittest import mock

import numpy as np
from sklearn.svm import SVC

from benchmarks.agreement import agree
from benchmarks.data import Set, mnist
from benchmarks.records import Curve, Needs, Result
from benchmarks.run import Run, Work, peak_mb_of_this_process, seconds
from rosenblatt import KernelPerceptron
from rosenblatt.core import epoch_order


def measure(run: Run) -> Iterator[Result | Curve]:
    """10,000 examples; `--large` has all 60,000 for the single epochs."""
    train, test = mnist(run, np.float64)
    n = run.size(10_000, 500)
    small = Set(train.X[:n], train.y[:n], train.name)
    if run.quick:
        test = Set(test.X[:500], test.y[:500], test.name)
    yield from _against_svc(run, small, test)
    yield _against_numpy(run, small)
    for degree in (1, 2, 3):
        yield _one_epoch(train if run.large else small, test, degree)
    yield growth(run, train.X)


def polynomial(degree: int, **parameters: Any) -> KernelPerceptron:
    return KernelPerceptron(kernel="poly", degree=degree, gamma=1, coef0=1, **parameters)


def _against_svc(run: Run, train: Set, test: Set) -> Iterator[Result]:
    """The same kernel; two epochs and the average, which come within a point of the machine's error.

    OMP_NUM_THREADS sets the number of our threads; SVC has one.
    """
    ours = polynomial(2, max_iter=2, vote="average")
    peer = SVC(kernel="poly", degree=2, gamma=1, coef0=1)
    counts = [count for count in (1, 2) if count <= run.threads]
    times = {}
    for what, mine, theirs in (
        ("fit", partial(ours.fit, *train[:2]), partial(peer.fit, *train[:2])),
        ("predict", partial(ours.predict, test.X), partial(peer.predict, test.X)),
    ):
        ways = {f"ours {count}": _with_threads(count, mine) for count in counts}
        times[what] = run.contest(ways | {"peer": theirs})
    errors = [float(np.mean(model.predict(test.X) != test.y)) for model in (ours, peer)]
    # Minimum work: the dot products of nonzero pixels with the support vectors for prediction, and of the support
    # vectors with each other for fitting.
    support = len(ours.support_)
    met = {"fit": (train.X, support * (1 - support / (2 * len(train.y)))), "predict": (test.X, float(support))}
    needs = {what: Needs(multiply_adds=np.count_nonzero(X) * vectors) for what, (X, vectors) in met.items()}
    for what, goal in (("fit", 8), ("predict", 15)):
        for count in counts:
            yield Result(
                "kernel",
                f"kernel {what}, {len(train.y):,}×784, degree 2",
                train.name,
                times[what][f"ours {count}"],
                "SVC",
                times[what]["peer"],
                threads=count,
                goal=goal,
                agreement=f"test error {errors[0]:.2%}, {errors[1]:.2%}",
                needs=needs[what],
                notes=(f"support {len(ours.support_):,} against {len(peer.support_):,}; two epochs averaged",),
            )


def _with_threads(threads: int, work: Work) -> Work:
    def run() -> object:
        with mock.patch.dict(os.environ, OMP_NUM_THREADS=str(threads)):
            return work()

    return run


def plain_loop(X: np.ndarray, y: np.ndarray, degree: int) -> int:
    """A straightforward NumPy loop: for each example and class, a sum over the support vectors so far."""
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


def _against_numpy(run: Run, train: Set) -> Result:
    ours = polynomial(2, max_iter=1)
    mistakes: list[int] = []
    found = run.compare(
        "kernel",
        f"kernel, one epoch, {len(train.y):,}×784, degree 2",
        partial(ours.fit, *train[:2]),
        lambda: mistakes.append(plain_loop(*train[:2], 2)),
        against="a plain NumPy loop",
        data=train.name,
    )
    agree(mistakes[0] == ours.n_mistakes_, "number of mistakes")
    return replace(found, agreement=f"same {mistakes[0]:,} mistakes")


def _one_epoch(train: Set, test: Set, degree: int) -> Result:
    """Mistakes, support vectors and test error after one epoch in random order."""
    errors, taken = [], []
    for vote in ("average", "vote"):
        model = polynomial(degree, max_iter=1, vote=vote)
        taken.append(seconds(partial(model.fit, *train[:2])))
        if vote == "average":
            last = copy(model)
            last.dual_coef_, last.intercept_ = model.last_dual_coef_, model.last_intercept_
            errors.append(f"last {np.mean(last.predict(test.X) != test.y):.2%}")
        errors.append(f"{vote} {np.mean(model.predict(test.X) != test.y):.2%}")
    return Result(
        "kernel",
        f"kernel, one epoch, {len(train.y):,}×784, degree {degree}",
        train.name,
        tuple(taken),
        notes=(
            f"{model.n_mistakes_:,} mistakes, {len(model.support_):,} support vectors; test error {', '.join(errors)}",
            f"peak memory of the run so far {peak_mb_of_this_process() / 1024:.2f} GB",
        ),
    )


def growth(run: Run, X: np.ndarray) -> Curve:
    """The cost of a mistake with a Gram matrix larger than the cache: O(n), whatever the number of features."""
    sizes = (250, 500, 1000) if run.quick else (2000, 2400, 2800, 4000, 5600)
    costs = []
    for n in sizes:
        twice = np.repeat(X[: n // 2], 2, axis=0)  # each example with both labels: an endless run
        K = (1.0 + twice @ twice.T) ** 2
        labels = np.arange(n) % 2
        model = KernelPerceptron(kernel="precomputed", max_iter=100_000)
        few, many = [], []
        for _ in range(1 if run.quick else 3):
            for updates, found in ((1, few), (run.size(400_000_000, 100_000_000) // n, many)):
                model.set_params(max_updates=updates)
                found.append(seconds(partial(model.fit, K, labels), clock=time.process_time))
        costs.append(tuple((most - min(few)) / model.n_mistakes_ for most in many))
    return Curve("kernel", "a dual step with a Gram matrix, processor time a mistake", "examples", sizes, tuple(costs))
