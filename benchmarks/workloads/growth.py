"""How the cost of a fit grows with each of its sizes; growth should be at most proportional.

Each curve changes one size and keeps the others, over a range in which the constant cost of a call is small. Most begin
with data larger than the caches, because the cost of a byte changes where data no longer fits.
"""

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.data import clusters, noisy_dense, text_like
from benchmarks.records import Curve
from benchmarks.run import Run
from benchmarks.workloads.file_to_model import svmlight_file
from rosenblatt import Perceptron, data


def measure(run: Run) -> Iterator[Curve]:
    """Examples, features, nonzeros per row, classes, epochs, bytes of a file."""
    few = run.quick
    n = run.size(100_000, 1000)
    for order in ("cyclic", "shuffle"):
        yield _curve(
            run,
            f"dense n×54, 10 epochs, {order}",
            "examples",
            [1000, 2000, 4000] if few else [200_000 << k for k in range(4)],
            lambda n: noisy_dense(n, 54),
            order,
        )
    yield _curve(
        run,
        f"dense {n:,}×d, 10 epochs",
        "features",
        [64, 128, 256] if few else [64, 128, 256, 512, 1024],
        lambda d: noisy_dense(n, d),
    )
    yield _curve(
        run,
        f"CSR {2 * n:,}×47,000, 10 epochs",
        "nonzeros a row",
        [16, 32, 64] if few else [16, 32, 64, 128],
        lambda entries: text_like(2 * n, entries=entries),
    )
    yield _curve(
        run,
        f"dense {n // 5:,}×200, 10 epochs, one against the rest",
        "classes",
        [4, 8, 16] if few else [8, 16, 32, 64, 128],
        lambda c: clusters(n // 5, 200, c, dtype=np.float64),
    )
    X, y = noisy_dense(n, 54)
    yield _series(
        run,
        f"dense {n:,}×54",
        "epochs",
        [10, 20, 40] if few else [10, 20, 40, 80, 160],
        lambda epochs: partial(Perceptron(max_iter=epochs).fit, X, y),
    )
    yield from _parsing(run)


def _curve(
    run: Run,
    case: str,
    axis: str,
    sizes: Sequence[int],
    make: Callable[[int], tuple[Any, np.ndarray]],
    order: str = "shuffle",
) -> Curve:
    found = []
    for size in sizes:
        X, y = make(size)
        found.append(run.contest({"ours": partial(Perceptron(max_iter=10, order=order).fit, X, y)})["ours"])
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
