"""Each accelerator of the core against the same run without it: where it wins, and where it would lose.

A case is run as the core chooses (`auto`), with the accelerator forced, and with none. All take the same path, which is
checked. `auto` should choose the accelerator where it wins and not where it loses.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial

import numpy as np
from sklearn.linear_model import Perceptron as Peer

from benchmarks.agreement import agree, with_scikit_learn
from benchmarks.data import Set, cancer, covtype, mnist, separable, sonar
from benchmarks.records import Result
from benchmarks.run import Run, accelerators, fits, passes, within
from rosenblatt import Perceptron


@dataclass(frozen=True)
class Case:
    """Data on which an accelerator is switched on and off."""

    name: str
    accelerators: tuple[str, ...]
    data: Callable[[], Set]
    epochs: int
    orders: tuple[str, ...] = ("cyclic", "shuffle")


def measure(run: Run) -> Iterator[Result]:
    """To separation with all peers; then one pair of rows for each accelerator and case."""
    data = separable(run.size(1_000_000, 20_000), 200)
    for order in ("cyclic", "shuffle"):
        yield from _to_separation(run, data, order)
    del data
    for case in _cases(run):
        found = case.data()
        for order in case.orders:
            yield from _switched(run, case, found, order)


def _cases(run: Run) -> Iterator[Case]:
    epochs = run.size(10, 3)
    digits = partial(_head, run, lambda run: mnist(run)[0], 2000)
    forest = partial(_head, run, covtype, 20_000)
    yield Case("MNIST, ten classes", ("float32", "quantized"), digits, epochs)
    yield Case("MNIST, three classes", ("float32", "quantized"), partial(_three, digits), epochs)
    yield Case(
        "MNIST, 0 against the rest", ("quantized", "quantized-without-reference"), partial(_zeros, digits), 2 * epochs
    )
    yield Case("covtype", ("quantized", "branchless", "flags"), forest, epochs)
    yield Case("covtype, in the cache", ("branchless", "flags"), partial(_every_hundredth, forest), run.size(200, 3))
    yield Case("breast cancer", ("branchless",), cancer, run.size(20_000, 300))
    yield Case("sonar", ("gram",), partial(sonar, run), run.size(20_000, 300))
    yield Case("covtype, in the cache", ("gram",), partial(_few, forest), run.size(2000, 300))


def _three(load: Callable[[], Set]) -> Set:
    digits = load()
    few = digits.y < 3
    return Set(digits.X[few], digits.y[few], digits.name)


def _head(run: Run, load: Callable[[Run], Set], quick: int) -> Set:
    """The data, or its first `quick` examples in a quick run."""
    found = load(run)
    return Set(found.X[:quick], found.y[:quick], found.name) if run.quick else found


def _zeros(load: Callable[[], Set]) -> Set:
    found = load()
    return Set(found.X, (found.y == 0).astype(int), found.name)


def _every_hundredth(load: Callable[[], Set]) -> Set:
    found = load()
    return Set(np.ascontiguousarray(found.X[::100]), found.y[::100], found.name)


def _few(load: Callable[[], Set]) -> Set:
    found = load()
    step = max(1, len(found.y) // 400)
    return Set(np.ascontiguousarray(found.X[::step][:400]), found.y[::step][:400], found.name)


def _to_separation(run: Run, data: Set, order: str) -> Iterator[Result]:
    names = ("quantized", "none", "quantized-without-reference")
    ours, plain, without_reference = (Perceptron(order=order) for _ in names)
    epochs = ours.fit(data.X, data.y).n_iter_
    peer = Peer(max_iter=epochs, tol=None, shuffle=order == "shuffle")
    models = dict(zip(names, (ours, plain, without_reference), strict=True)) | {"peer": peer}
    times = run.contest(fits(models, data.X, data.y))
    separated = agree(ours.status_ == "separated" and np.array_equal(ours.coef_, plain.coef_), "weights, bit for bit")
    peers = (
        ("none", "our plain loop", 3, separated),
        ("quantized-without-reference", "without its reference direction", None, separated),
        ("peer", "scikit-learn", 10, with_scikit_learn(ours, peer, data.X, data.y, order)),
    )
    case = f"dense {len(data.y):,}×200, to separation in {epochs} epochs, {order}"
    needs = passes(data.X, epochs, order=order)
    for key, name, goal, agreement in peers:
        yield Result(
            "accelerators", case, data.name, times["quantized"], name, times[key], goal=goal, agreement=agreement,
            needs=needs, accelerators=accelerators(ours),
        )  # fmt: skip


def _switched(run: Run, case: Case, data: Set, order: str) -> Iterator[Result]:
    ways = ("auto", *case.accelerators, "none")
    models = {way: Perceptron(order=order, max_iter=case.epochs) for way in ways}
    times = run.contest(
        {
            way: within({"ROSENBLATT_ACCELERATOR": way}, partial(model.fit, data.X, data.y))
            for way, model in models.items()
        }
    )
    shape = "×".join(f"{size:,}" for size in data.X.shape)
    needs = passes(data.X, case.epochs, len(models["none"].coef_), order)
    for way in ways[:-1]:
        same = agree(np.array_equal(models[way].coef_, models["none"].coef_), "weights, bit for bit")
        yield Result(
            "accelerators",
            f"{case.name} {shape}, {order}, {way}",
            data.name,
            times[way],
            "no accelerator",
            times["none"],
            agreement=same,
            needs=needs,
            accelerators=accelerators(models[way]),
        )
