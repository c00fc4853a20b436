"""The plain pass compared with scikit-learn: two classes, one thread, the same number of epochs."""

from collections.abc import Iterator, Mapping

import numpy as np
from sklearn.linear_model import Perceptron as Peer

from benchmarks.agreement import with_scikit_learn
from benchmarks.data import Set, covtype, noisy_dense, text_like
from benchmarks.processes import PYTHON, Process
from benchmarks.records import Result
from benchmarks.run import Run, accelerators, fits, passes
from rosenblatt import Perceptron

_MEMORY = """
import warnings; warnings.simplefilter("ignore")
from benchmarks.data import {data}
X, y = {data}()
from {module} import Perceptron
from benchmarks.run import peak_mb_of_this_process, reset_peak
reset_peak()
Perceptron(max_iter=2{more}).fit(X, y)
print(peak_mb_of_this_process())
"""


def measure(run: Run) -> Iterator[Result]:
    """Noise, covtype in double precision, and CSR rows of the shape of rcv1; file order and shuffled."""
    few, many = run.size(5, 2), run.size(10, 2)
    noise = Set(*noisy_dense(run.size(500_000, 20_000)))
    yield from _orders(run, "noisy", noise, few, {"cyclic": 3, "shuffle": 4}, None if run.quick else "noisy_dense")
    forest = covtype(run)
    if run.quick:
        forest = Set(forest.X[:20_000], forest.y[:20_000], forest.name)
    yield from _orders(run, "covtype", forest, many, {"cyclic": 5, "shuffle": 7})
    some = Set(np.ascontiguousarray(forest.X[::100]), forest.y[::100], forest.name)  # fits into a cache
    yield from _orders(run, "covtype", some, 20 * many, {"cyclic": None, "shuffle": None})
    text = Set(*text_like(run.size(200_000, 5000)))
    yield from _orders(run, "CSR like rcv1", text, few, {"cyclic": 1.3, "shuffle": 2.5})
    yield from _orders(
        run, "CSR like rcv1", text, many, {"cyclic": 1.8, "shuffle": 4}, None if run.quick else "text_like"
    )


def _orders(
    run: Run,
    name: str,
    data: Set,
    epochs: int,
    goals: Mapping[str, float | None],
    peaks_of: str | None = None,
) -> Iterator[Result]:
    shape = "×".join(f"{size:,}" for size in data.X.shape)
    note = _memory(peaks_of) if peaks_of else None
    for order, goal in goals.items():
        ours = Perceptron(order=order, max_iter=epochs)
        peer = Peer(max_iter=epochs, tol=None, shuffle=order == "shuffle")
        times = run.contest(fits({"ours": ours, "peer": peer}, data.X, data.y))
        mistakes = f"{ours.n_mistakes_ / (epochs * len(data.y)):.0%} of the examples are mistakes"
        yield Result(
            "online",
            f"{name} {shape}, {epochs} epochs, {order}",
            data.name,
            times["ours"],
            "scikit-learn",
            times["peer"],
            goal=goal,
            agreement=with_scikit_learn(ours, peer, data.X, data.y, order),
            needs=passes(data.X, epochs, order=order),
            accelerators=accelerators(ours),
            notes=(mistakes, note) if note else (mistakes,),
        )


def _memory(data: str) -> str:
    ways = (("rosenblatt", ""), ("sklearn.linear_model", ", tol=None"))
    ours, peer = (Process([*PYTHON, _MEMORY.format(data=data, module=module, more=more)]) for module, more in ways)
    ours()
    peer()
    return f"peak memory of a fit {float(ours.output):,.0f} MB against {float(peer.output):,.0f} MB, data included"
