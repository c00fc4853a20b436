"""How the cost of a fit grows with each of its sizes: none should cost more than in proportion.

Each curve changes one size and keeps the others. The cost is that of some epochs less that of one, so that what a fit
costs once (checks, start-up) is not in it, except where epochs are what grows; sizes are such that a curve stays on one
side of the caches, for across their edge the cost of a byte itself changes.
"""

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.data import clusters, noisy_dense, text_like
from benchmarks.file_to_model import svmlight_file
from benchmarks.records import Curve
from benchmarks.run import Run
from rosenblatt import Perceptron, data


def measure(run: Run) -> Iterator[Curve]:
    """Examples, features, nonzeros a row, classes, epochs, bytes of a file."""
    few = run.quick

    def doubled(first: int, times: int) -> list[int]:
        return [(first // 50 if few else first) << k for k in range(times)]

    def dense(n: int, d: int) -> tuple[Any, np.ndarray]:
        return noisy_dense(n, d)

    yield _curve(run, "dense n×54, 10 epochs", "examples", doubled(50_000, 5), lambda n: dense(n, 54))
    yield _curve(
        run, "dense 20,000×d, 10 epochs", "features", doubled(100, 5), lambda d: dense(run.size(20_000, 500), d)
    )
    yield _curve(
        run,
        "CSR 50,000×47,000, 10 epochs",
        "nonzeros a row",
        doubled(100, 4) if few else doubled(16, 5),
        lambda k: text_like(run.size(50_000, 500), entries=k),
    )
    yield _curve(
        run,
        "dense 20,000×200, ten epochs, one against the rest",
        "classes",
        [4, 8, 16] if few else [8, 16, 32, 64, 128],
        lambda c: clusters(run.size(20_000, 500), 200, c, dtype=np.float64),
    )
    X, y = dense(run.size(100_000, 1000), 54)
    yield _series(
        run,
        "dense 100,000×54",
        "epochs",
        [10, 20, 40] if few else [10, 20, 40, 80, 160],
        lambda epochs: partial(Perceptron(max_iter=epochs).fit, X, y),
    )
    yield from _parsing(run)


def _curve(
    run: Run, case: str, axis: str, sizes: Sequence[int], make: Callable[[int], tuple[Any, np.ndarray]]
) -> Curve:
    """Ten epochs less one."""
    found = []
    for size in sizes:
        X, y = make(size)
        ways = {str(epochs): partial(Perceptron(max_iter=epochs).fit, X, y) for epochs in (1, 11)}
        times = run.contest(ways)
        found.append(tuple(long - min(times["1"]) for long in times["11"]))
    return Curve("growth", case, axis, tuple(sizes), tuple(found))


def _series(run: Run, case: str, axis: str, sizes: Sequence[int], way: Callable[[int], Callable[[], object]]) -> Curve:
    times = run.contest({str(size): way(size) for size in sizes})
    return Curve("growth", case, axis, tuple(sizes), tuple(times[str(size)] for size in sizes))


def _parsing(run: Run) -> Iterator[Curve]:
    """Parts of the svmlight file of `file_to_model`, from the page cache."""
    whole = svmlight_file(run.folder, "tiny" if run.quick else "small").read_bytes()
    paths: dict[int, Path] = {}
    for k in range(3, -1, -1):
        part = whole[: whole.rindex(b"\n", 0, len(whole) >> k) + 1]
        paths[len(part)] = run.folder / f"part{k}.svm"
        paths[len(part)].write_bytes(part)
    times = run.contest({str(size): partial(data.read, str(path)) for size, path in paths.items()})
    yield Curve("growth", "parsing svmlight, two threads", "bytes", tuple(paths), tuple(times[str(s)] for s in paths))
    for path in paths.values():
        path.unlink()
