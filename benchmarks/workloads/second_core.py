"""Two classes on two threads, compared with one thread: what the core chooses by itself.

In file order that is the accelerator "speculative"; shuffled dense rows are quantized, which two threads do together.
"""

from collections.abc import Iterator

import numpy as np

from benchmarks.agreement import agree
from benchmarks.data import Set, clear_text, mnist, noisy_dense, separable
from benchmarks.records import Result
from benchmarks.run import Run, Skip, accelerators, fits, passes
from rosenblatt import Perceptron


def measure(run: Run) -> Iterator[Result]:
    """Long dense rows and text with few mistakes, where it should pay; noise, where it must not be chosen."""
    if run.threads < 2:
        raise Skip("the machine lets this process use one core only")
    yield from _orders(run, "dense", separable(run.size(200_000, 5000), 200), 6, goal=1.5)
    yield from _orders(run, "text", clear_text(run.size(100_000, 5000)), 20, goal=1.5)
    yield from _orders(run, "noise", Set(*noisy_dense(run.size(200_000, 5000), 200)), 6, goal=0.97)
    digits, _ = mnist(run)
    head = slice(run.size(len(digits.y), 5000))
    zeros = Set(digits.X[head], (digits.y[head] == 0).astype(int), digits.name)
    yield from _orders(run, "0 against the rest", zeros, 10, goal=1.3)
    pair = np.flatnonzero((digits.y[head] == 3) | (digits.y[head] == 6))
    yield from _orders(
        run, "3 against 6", Set(digits.X[pair], (digits.y[pair] == 3).astype(int), digits.name), 10, goal=1.3
    )


def _orders(run: Run, name: str, data: Set, epochs: int, goal: float) -> Iterator[Result]:
    shape = "×".join(f"{size:,}" for size in data.X.shape)
    for order in ("cyclic", "shuffle"):
        one, two = (Perceptron(order=order, max_iter=run.size(epochs, 3), n_jobs=threads) for threads in (1, 2))
        times = run.contest(fits({"one": one, "two": two}, data.X, data.y))
        last = two.history_["mistakes"][-1] / len(data.y)
        yield Result(
            "second_core",
            f"{name} {shape}, two classes, {two.n_iter_} epochs, {order}",
            data.name,
            times["two"],
            "one thread",
            times["one"],
            threads=2,
            goal=goal,
            agreement=agree(np.array_equal(one.coef_, two.coef_), "weights, bit for bit"),
            needs=passes(data.X, two.n_iter_, order=order),
            accelerators=accelerators(two),
            notes=(f"{last:.1%} mistakes in the last epoch; one thread: {accelerators(one)}",),
        )
