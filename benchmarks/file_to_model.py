"""From file to model in one epoch, whole processes, start-up included: `python -m benchmarks.file_to_model [FOLDER]`.

The files are made once, in FOLDER or a temporary one (about 2.2 GB): svmlight of some 90 and 900 MB, and a table of
300,000 × 30 as CSV and Parquet. Each contestant is a fresh process that reads the file and trains one epoch; ours and
the peer's run alternately, the best of three counts (of one for scikit-learn on the large file), and the files are read
once before, so that all find them in the page cache. Ours is `--algorithm Perceptron`, the same work as the peer's. On
a machine that others use as well, the ratio of processor time says more than that of the clock; both are printed.

All run from bytecode, as after `pip install`, which compiles what it installs: in an environment that was told to write
none, every process would compile NumPy and scikit-learn anew. It is kept in FOLDER.
"""

import os
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import NamedTuple

import numpy as np

_SKLEARN_SVMLIGHT = """
import sys, warnings
warnings.simplefilter("ignore")
import numpy as np
from sklearn.datasets import load_svmlight_file
from sklearn.linear_model import Perceptron
X, y = load_svmlight_file(sys.argv[1])
X.indices, X.indptr = X.indices.astype(np.int32), X.indptr.astype(np.int32)  # its Perceptron takes no others
Perceptron(max_iter=1, tol=None).fit(X, y)
"""

_SKLEARN_TABLE = """
import sys, warnings
warnings.simplefilter("ignore")
import pandas as pd
from sklearn.linear_model import Perceptron
read = pd.read_csv if sys.argv[1].endswith("csv") else pd.read_parquet
frame = read(sys.argv[1])
Perceptron(max_iter=1, tol=None).fit(frame.drop(columns="target"), frame["target"])
"""

# vw reads svmlight-like text where a bar separates the label; its files are made alongside.
_VW = """
import sys
from vowpalwabbit import pyvw
pyvw.Workspace(f"--data {sys.argv[1]} --loss_function hinge --quiet -b 20 --holdout_off").finish()
"""


def main(folder: Path | None = None) -> None:
    """Prints one line a file and contestant."""
    if folder is None:
        with tempfile.TemporaryDirectory() as temporary:
            _run(Path(temporary))
    else:
        folder.mkdir(parents=True, exist_ok=True)
        _run(folder)


def _run(folder: Path) -> None:
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
    os.environ["PYTHONPYCACHEPREFIX"] = str(folder.resolve() / "bytecode")
    small, large = svmlight_files(folder)
    csv, parquet = _tables(folder)
    print("file to model, one epoch, whole processes")
    for path, peers in ((small, 3), (large, 1)):
        _line(path, "scikit-learn", [sys.executable, "-c", _SKLEARN_SVMLIGHT, str(path)], peers)
        if find_spec("vowpalwabbit") is not None:
            # vw learns in the order of the file; scikit-learn shuffles, as we do unless told otherwise.
            _line(path, "vw", [sys.executable, "-c", _VW, str(path.with_suffix(".vw"))], 3, "--order", "cyclic")
    for path in (csv, parquet):
        _line(path, "pandas + scikit-learn", [sys.executable, "-c", _SKLEARN_TABLE, str(path)], 3)


def _line(path: Path, peer: str, command: Sequence[str], repeats: int, *more: str) -> None:
    model = path.with_suffix(".model.json")
    train = ["train", str(path), "--algorithm", "Perceptron", "--max-iter", "1", "--quiet", "-o", str(model), *more]
    ours = [sys.executable, "-m", "rosenblatt", *train]
    path.read_bytes()
    times: tuple[list[Times], list[Times]] = ([], [])
    for k in range(3):
        for way, taken in zip((ours, command), times, strict=True):
            if k < repeats or way is ours:
                taken.append(times_of(way))
    best, others = (Times(*map(min, zip(*taken, strict=True))) for taken in times)
    size = path.stat().st_size / 1e6
    print(
        f"  {path.name:<13} {size:4.0f} MB  ours {best.clock:6.2f} s ({size / best.clock:4.0f} MB/s)  "
        f"{peer} {others.clock:6.2f} s ({size / others.clock:4.0f} MB/s)  "
        f"ratio {others.clock / best.clock:5.1f}, of processor time {others.processor / best.processor:5.1f}",
        flush=True,
    )


class Times(NamedTuple):
    """Seconds by the clock, and of all processors."""

    clock: float
    processor: float


def times_of(command: Sequence[str], said: list[str] | None = None) -> Times:
    """What a process takes; its output goes to `said`."""
    before, begin = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
    done = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True)
    clock, after = time.perf_counter() - begin, resource.getrusage(resource.RUSAGE_CHILDREN)
    if said is not None:
        said.append(done.stdout)
    return Times(clock, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)


def svmlight_files(folder: Path) -> tuple[Path, Path]:
    """93,000 examples of 68 of a million features, with a plane behind them, and ten times as many."""
    small, large = folder / "small.svm", folder / "large.svm"
    if large.exists():
        return small, large
    rng = np.random.default_rng(0)
    plane = rng.standard_normal(1_000_000)
    for path, blocks in ((small, 93), (large, 930)):
        bar = path.with_suffix(".vw")
        with path.open("w") as file, bar.open("w") as bars:
            for _ in range(blocks):
                indices = np.sort(rng.integers(0, len(plane), (1000, 68)), axis=1)
                values = rng.integers(1, 100_000, indices.shape) / 100_000
                for row, x in zip(indices, values, strict=True):
                    kept = np.flatnonzero(np.diff(row, prepend=-1))
                    y = "+1" if plane[row[kept]] @ x[kept] > 0 else "-1"
                    pairs = " ".join(
                        f"{j + 1}:{v:g}" for j, v in zip(row[kept].tolist(), x[kept].tolist(), strict=True)
                    )
                    file.write(f"{y} {pairs}\n")
                    bars.write(f"{y} | {pairs}\n")
    return small, large


def _tables(folder: Path) -> tuple[Path, Path]:
    import pyarrow as pa
    from pyarrow import csv, parquet

    text, columns = folder / "table.csv", folder / "table.parquet"
    if not columns.exists():
        rng = np.random.default_rng(0)
        X = rng.standard_normal((300_000, 30)).round(5)
        target = (X @ rng.standard_normal(30) > 0).astype(int)
        table = pa.table({**{f"x{j}": X[:, j] for j in range(30)}, "target": target})
        csv.write_csv(table, text)
        parquet.write_table(table, columns)
    return text, columns


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else None)
